//! The contract of a plan, held after each pass over it: what steps name is there, and was there before them.
//!
//! - launches name kernels of the region, and the host has every scalar and every array that these take;
//! - copies name arrays that have something to move that way, unless they are fetched where a loop asks for it;
//! - a number is declared before it is read, in the block that reads it or in one around it;
//! - a choice ends with what is taken where nothing else is, and has that nowhere else;
//! - once choices are made ([`Settled::All`]), no step has several ways.

use super::choice::{Case, Instances, Select, When};
use super::guard::Condition;
use super::ir::{Blocks, HostStmt, Param, Region};
use crate::kernel::{Expr, LONGEST, ROWS, SLOTS, Stmt, walk};
use std::collections::BTreeSet;

/// How far a plan is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Settled {
    /// Nests may have two mappings, and steps several ways.
    Nothing,
    /// Every choice is a [`Select`].
    All,
}

/// Faults of a plan, a line each.
pub fn plan(region: &Region, settled: Settled) -> Vec<String> {
    let mut v = Verifier { region, settled, findings: vec![] };
    let mut scope = v.given();
    for guard in &region.guards {
        if let Condition::Holds(e) = &guard.condition {
            v.reads(e, &scope, "a guard");
        }
    }
    scope.extend(v.own());
    v.steps(&region.body, scope);
    v.findings
}

struct Verifier<'a> {
    region: &'a Region,
    settled: Settled,
    findings: Vec<String>,
}

impl Verifier<'_> {
    /// The numbers that the entry is given.
    fn given(&self) -> BTreeSet<String> {
        let number = |p: &Param| match p {
            Param::Scalar { name, .. } | Param::ScalarInOut { name, .. } => Some(name.clone()),
            Param::Place { .. } | Param::Array { .. } => None,
        };
        self.region.params.iter().filter_map(number).collect()
    }

    /// The numbers that it computes before its steps, and those of the device that it may fetch.
    fn own(&self) -> BTreeSet<String> {
        let lengths = self.region.lengths.iter().map(|(name, _)| name.clone());
        let held = self.region.arrays.iter().filter_map(|a| a.held().map(str::to_owned));
        let scalars = self.region.arrays.iter().filter(|a| a.extents.is_empty()).map(|a| a.name.clone());
        lengths.chain(held).chain(scalars).collect()
    }

    fn steps(&mut self, body: &[HostStmt], mut scope: BTreeSet<String>) {
        for s in body {
            self.step(s, &scope);
            if let HostStmt::Compute(s) = s {
                scope.extend(s.declares().map(|(name, _)| name.to_string()));
            }
        }
    }

    fn step(&mut self, s: &HostStmt, scope: &BTreeSet<String>) {
        s.exprs().into_iter().for_each(|e| self.reads(e, scope, noun(s)));
        s.scalars().iter().for_each(|s| self.computes(s, scope));
        let mut inner = scope.clone();
        match s {
            HostStmt::CopyIn { array } | HostStmt::CopyOut { array } => self.array(array, noun(s)),
            HostStmt::Launch { kernel, how, .. } => {
                self.launch(*kernel, scope);
                how.iter().for_each(|how| self.instances(&how.instances));
            }
            HostStmt::Resident { kernel, on_chip, .. } => {
                self.launch(*kernel, scope);
                if let Some(kernel) = on_chip {
                    // The runtime says how much a thread keeps.
                    self.launch(
                        *kernel,
                        &scope.iter().cloned().chain([SLOTS, ROWS, LONGEST].map(str::to_owned)).collect(),
                    );
                }
            }
            HostStmt::Select(select) => self.ends_with_otherwise(select),
            HostStmt::Call { call, .. } => {
                call.reads().into_iter().chain(call.writes()).for_each(|array| self.array(array, noun(s)));
            }
            HostStmt::For { var, .. } => {
                inner.insert(var.clone());
            }
            _ => {}
        }
        if self.settled == Settled::All && has_several_ways(s) {
            self.findings.push(format!("{} has several ways", noun(s)));
        }
        s.bodies().into_iter().for_each(|body| self.steps(body, inner.clone()));
    }

    fn launch(&mut self, kernel: usize, scope: &BTreeSet<String>) {
        let Some(kernel) = self.region.kernels.get(kernel) else {
            return self.findings.push(format!("kernel {kernel} of {} is launched", self.region.kernels.len()));
        };
        for p in kernel.scalars.iter().filter(|p| !scope.contains(&p.name)) {
            self.findings.push(format!("`{}` takes `{}`, which is not declared there", kernel.name, p.name));
        }
        kernel.arrays.iter().for_each(|a| self.array(&a.name, &format!("`{}`", kernel.name)));
    }

    fn instances(&mut self, instances: &Instances) {
        if let Instances::Select(select) = instances {
            self.ends_with_otherwise(select);
            select.cases.iter().for_each(|case| self.instances(&case.then));
        }
    }

    fn ends_with_otherwise<T>(&mut self, select: &Select<T>) {
        let is_last = |case: &Case<T>| case.when == When::Otherwise;
        if select.cases.len() < 2 || select.cases.iter().position(is_last) != Some(select.cases.len() - 1) {
            self.findings.push("a choice has no last case, or one before it".into());
        }
    }

    fn computes(&mut self, s: &Stmt, scope: &BTreeSet<String>) {
        let mut scope = scope.clone();
        walk::visit(std::slice::from_ref(s), &mut |s| scope.extend(s.declares().map(|(name, _)| name.to_string())));
        walk::visit(std::slice::from_ref(s), &mut |s| {
            s.exprs().into_iter().for_each(|e| self.reads(e, &scope, "a statement"));
        });
    }

    fn reads(&mut self, e: &Expr, scope: &BTreeSet<String>, what: &str) {
        let mut names = BTreeSet::new();
        e.variables(&mut names);
        for name in names.difference(scope) {
            self.findings.push(format!("{what} reads `{name}`, which is not declared there"));
        }
    }

    fn array(&mut self, name: &str, what: &str) {
        if self.region.arrays.iter().all(|a| a.name != name) {
            self.findings.push(format!("{what} names `{name}`, which the region does not hold"));
        }
    }
}

/// Test that a step leaves a choice to what comes behind the plan.
fn has_several_ways(s: &HostStmt) -> bool {
    match s {
        HostStmt::Launch { how, .. } => how.is_none(),
        HostStmt::Resident { blocks, .. } => matches!(blocks, Blocks::ByWork { .. }),
        HostStmt::Call { otherwise, .. } => !otherwise.is_empty(),
        HostStmt::Nest { .. } => true,
        _ => false,
    }
}

/// A step, as the subject of a finding.
fn noun(s: &HostStmt) -> &'static str {
    match s {
        HostStmt::CopyIn { .. } | HostStmt::CopyOut { .. } => "a copy",
        HostStmt::Launch { .. } => "a launch",
        HostStmt::Nest { .. } => "a nest",
        HostStmt::Resident { .. } => "a resident kernel",
        HostStmt::Replay { .. } => "a graph",
        HostStmt::Select(_) => "a choice",
        HostStmt::Call { .. } => "a call",
        HostStmt::Compute(_) => "a statement",
        HostStmt::For { .. } | HostStmt::While { .. } => "a loop",
        HostStmt::If { .. } => "a condition",
        HostStmt::Print { .. } => "a call that prints",
        HostStmt::Break | HostStmt::GiveUp { .. } => "an end",
    }
}
