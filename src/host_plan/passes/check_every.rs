//! A convergence loop of the host fetches what its condition needs every so many steps, where the user asks for that
//! (`check-every`): each fetch waits for all kernels before it, and a step may take less time than the wait.
//!
//! The condition is tested at every step as before, with the values of the last fetch; so what the host itself counts
//! ends the loop exactly when it did, and what the device computes ends it up to k - 1 steps late. The first step's values
//! are fetched, for there may be none before it. Behind the loop stands one more fetch, so that what follows sees the last
//! values. Only values that end the loop and are not read by the host otherwise may be old.
//! ```text
//! while change > tol && n < 50      let rt_unchecked = 0;
//!   launch k0                 ->    while change > tol && n < 50
//!   copy change to the host           launch k0
//!   n += 1                            if rt_unchecked == 0  copy change to the host
//!                                     n += 1;  rt_unchecked = (rt_unchecked + 1) % 4
//!                                   copy change to the host
//! ```
//! A loop that became a resident kernel (see [`realise`](super::realise)) computes its condition on the device at no
//! cost, and is left as it is.

use super::resident::names::declared_by_host;
use crate::ast::{BinOp, IntKind};
use crate::host_plan::ir::{HostStmt, Region};
use crate::kernel::{Expr, Kernel, ScalarType, Stmt, StmtKind};
use crate::poly::names::Names;
use crate::schedule::index::{binary, var};

/// Lets every loop that ends by what the device computes look at it every `every` steps; says what became of that.
pub fn check_every(plan: &mut Region, every: u32) -> Vec<String> {
    if every <= 1 {
        return vec![];
    }
    let declared = declared_by_host(&plan.body);
    let names = Names::beside(plan.arrays.iter().map(|a| &a.name).chain(declared.keys()).cloned());
    let body = std::mem::take(&mut plan.body);
    let mut rewriter = Rewriter { plan, every, names, n_changed: 0, n_kept: 0 };
    let body = rewriter.steps(body);
    let (n_changed, n_kept) = (rewriter.n_changed, rewriter.n_kept);
    plan.body = body;
    let mut notes = vec![];
    if n_changed > 0 {
        notes.push(format!(
            "what ends the loop of the host is fetched every {every} steps (check-every): it may run up to {} steps \
             further than the original",
            every - 1
        ));
    }
    if n_kept > 0 {
        notes.push("check-every does not act where the host reads a value of each step".into());
    }
    if n_changed + n_kept == 0 {
        notes.push("check-every has no effect: no loop of the host fetches what ends it".into());
    }
    notes
}

struct Rewriter<'a> {
    plan: &'a Region,
    every: u32,
    names: Names,
    n_changed: usize,
    n_kept: usize,
}

impl Rewriter<'_> {
    fn steps(&mut self, body: Vec<HostStmt>) -> Vec<HostStmt> {
        body.into_iter().flat_map(|s| self.step(s)).collect()
    }

    fn step(&mut self, s: HostStmt) -> Vec<HostStmt> {
        match s {
            HostStmt::While { cond, step, body } => {
                let body = self.steps(body);
                self.seldom(cond, step, body)
            }
            HostStmt::For { var, lo, hi, step, body } => {
                vec![HostStmt::For { var, lo, hi, step, body: self.steps(body) }]
            }
            HostStmt::If { cond, then, other } => {
                vec![HostStmt::If { cond, then: self.steps(then), other: self.steps(other) }]
            }
            s => vec![s],
        }
    }

    fn seldom(&mut self, cond: Expr, step: Vec<Stmt>, mut body: Vec<HostStmt>) -> Vec<HostStmt> {
        let mut fetched = vec![];
        for s in &body {
            if let HostStmt::CopyOut { array } = s
                && !fetched.contains(array)
            {
                fetched.push(array.clone());
            }
        }
        let (late, exact): (Vec<String>, _) =
            fetched.into_iter().partition(|name| self.only_ends(name, &cond, &step, &body));
        self.n_kept += usize::from(!exact.is_empty());
        if late.is_empty() {
            return vec![HostStmt::While { cond, step, body }];
        }
        self.n_changed += 1;
        let counter = self.names.fresh("rt_unchecked");
        for s in &mut body {
            if matches!(s, HostStmt::CopyOut { array } if late.contains(array)) {
                let is_due = binary(BinOp::Eq, var(&counter), Expr::Int(0));
                let fetch = std::mem::replace(s, HostStmt::Break);
                *s = HostStmt::If { cond: is_due, then: vec![fetch], other: vec![] };
            }
        }
        let next = binary(BinOp::Add, var(&counter), Expr::Int(1));
        let next = binary(BinOp::Rem, next, Expr::Int(self.every.into()));
        body.push(compute(StmtKind::Assign { var: counter.clone(), op: None, value: next }));
        let (ty, init) = (ScalarType::Int(IntKind::Int), Some(Expr::Int(0)));
        let mut out = vec![compute(StmtKind::Let { var: counter, ty, init })];
        out.push(HostStmt::While { cond, step, body });
        out.extend(late.into_iter().map(|array| HostStmt::CopyOut { array }));
        out
    }

    /// Test that the host reads a variable in the loop for nothing but to leave it.
    fn only_ends(&self, name: &str, cond: &Expr, step: &[Stmt], body: &[HostStmt]) -> bool {
        let leaves = |s: &HostStmt| match s {
            HostStmt::CopyOut { .. } => true,
            HostStmt::If { then, other, .. } => then[..] == [HostStmt::Break] && other.is_empty(),
            HostStmt::Compute(Stmt { kind: StmtKind::Assign { var, op: None, .. }, .. }) => {
                *cond == Expr::Var(var.clone())
            }
            _ => false,
        };
        let rest = body.iter().filter(|s| !leaves(s));
        !step.iter().any(|s| mentions(s, name)) && !rest.into_iter().any(|s| reads(s, name, &self.plan.kernels))
    }
}

fn compute(kind: StmtKind) -> HostStmt {
    HostStmt::Compute(Stmt::made(kind))
}

/// Test that a step of the host uses its variable of that name, or brings it up to date.
pub(super) fn reads(s: &HostStmt, name: &str, kernels: &[Kernel]) -> bool {
    let is_read = s.exprs().into_iter().any(|e| e.mentions(name)) || s.scalars().iter().any(|s| mentions(s, name));
    let is_own = match s {
        HostStmt::CopyIn { array } | HostStmt::CopyOut { array } => array == name,
        HostStmt::Launch { kernel, .. } | HostStmt::Resident { kernel, .. } => {
            kernels[*kernel].scalars.iter().any(|p| p.name == name)
        }
        HostStmt::Print { .. } => {
            let loads = |e: &Expr| matches!(e, Expr::Load(element) if element.array == name);
            s.exprs().into_iter().any(|e| e.any(&mut |e| loads(e)))
        }
        _ => false,
    };
    is_read || is_own || s.bodies().into_iter().flatten().any(|s| reads(s, name, kernels))
}

fn mentions(s: &Stmt, name: &str) -> bool {
    let assigns = matches!(&s.kind, StmtKind::Assign { var, .. } | StmtKind::Let { var, .. } if var == name);
    assigns || s.exprs().into_iter().any(|e| e.mentions(name))
}
