//! How often a device is told something, or waits for all of what it does, in the loops of the host around kernels: what
//! the entry weighs against the work.
//!
//! The length of a loop that depends on the counters around it is taken in the middle of those: for lengths that grow or
//! shrink evenly that is their mean.
//! A loop of which only its run tells how often it runs is taken to run [`host::STEPS`] times.
//! ```text
//! for (k < n) for (w < k) launch      n * (n / 2) launches
//! ```

use crate::ast::BinOp;
use crate::cost::host;
use crate::host_plan::ir::{HostStmt, Param, Region, Waits, launched};
use crate::kernel::{Expr, simplify};
use crate::schedule::index;
use std::collections::BTreeSet;

/// Of two ways, the one with fewer launches: a call has these surely.
pub(super) fn shorter(ways: [&Vec<HostStmt>; 2]) -> &Vec<HostStmt> {
    let [x, y] = ways;
    if launched(y).len() <= launched(x).len() { y } else { x }
}

pub(super) struct Counter {
    pub waits: Vec<Waits>,
    around: Vec<Around>,
    /// What the entry knows from its beginning.
    known: BTreeSet<String>,
}

struct Around {
    var: String,
    middle: Expr,
    /// `None`: nobody knows before it runs.
    count: Option<Expr>,
}

impl Counter {
    pub fn new(plan: &Region) -> Counter {
        let known = plan.params.iter().filter_map(|p| match p {
            Param::Scalar { name, .. } => Some(name.clone()),
            _ => None,
        });
        Counter { waits: vec![], around: vec![], known: known.collect() }
    }

    pub fn enter(&mut self, var: &str, lo: &Expr, hi: &Expr, step: &Expr) {
        let (lo, hi) = (self.in_the_middle(lo), self.in_the_middle(hi));
        let length = index::binary(BinOp::Sub, hi.clone(), lo.clone());
        let mut count = index::ceil_div(length, self.in_the_middle(step));
        simplify::index_expr(&mut count);
        let mut used = BTreeSet::new();
        count.variables(&mut used);
        let count = used.is_subset(&self.known).then_some(count);
        let middle = Expr::FloorDiv(Box::new(index::add(lo, hi)), Box::new(Expr::Int(2)));
        self.around.push(Around { var: var.to_string(), middle, count });
    }

    /// Enters a loop that ends by what it computes.
    pub fn enter_unknown(&mut self) {
        self.around.push(Around { var: String::new(), middle: Expr::Int(0), count: None });
    }

    pub fn leave(&mut self) {
        self.around.pop();
    }

    /// All that is waited for in a statement, each for so long.
    pub fn add(&mut self, s: &HostStmt, ns: i64) {
        match s {
            HostStmt::Launch { .. } | HostStmt::Call { .. } => self.wait(ns),
            HostStmt::For { var, lo, hi, step, body } => {
                self.enter(var, lo, hi, step);
                body.iter().for_each(|s| self.add(s, ns));
                self.leave();
            }
            HostStmt::While { body, .. } => {
                self.enter_unknown();
                body.iter().for_each(|s| self.add(s, ns));
                self.leave();
            }
            HostStmt::If { then, other, .. } if !other.is_empty() => {
                shorter([then, other]).iter().for_each(|s| self.add(s, ns));
            }
            s => s.bodies().into_iter().flatten().for_each(|s| self.add(s, ns)),
        }
    }

    fn wait(&mut self, ns: i64) {
        let mut counts: Vec<Expr> = self.around.iter().filter_map(|a| a.count.clone()).collect();
        if counts.len() < self.around.len() {
            counts.insert(0, Expr::Int(host::STEPS));
        }
        match self.waits.iter_mut().find(|w| w.counts == counts) {
            Some(w) => w.ns += ns,
            None => self.waits.push(Waits { counts, ns }),
        }
    }

    fn in_the_middle(&self, e: &Expr) -> Expr {
        let mut e = e.clone();
        e.replace(&mut |x| match x {
            Expr::Var(name) => self.around.iter().rev().find(|a| a.var == *name).map(|a| a.middle.clone()),
            _ => None,
        });
        e
    }
}
