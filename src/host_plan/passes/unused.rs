//! Variables that the user's C declares at the head of a function without a value, and that the steps of the plan have no use for:
//! their loops have counters of their own, their kernels names of their own.

use super::check_every::reads;
use crate::host_plan::ir::{HostStmt, Region, visit};
use crate::kernel::{Stmt, StmtKind};
use std::collections::BTreeSet;

/// Drops what declares such variables.
pub fn unused(plan: &mut Region) {
    let mut names = BTreeSet::new();
    visit(&plan.body, &mut |s| names.extend(declared(s).map(str::to_owned)));
    for name in names {
        let mut rest = plan.body.clone();
        drop(&mut rest, &name);
        if !rest.iter().any(|s| reads(s, &name, &plan.kernels)) {
            plan.body = rest;
        }
    }
}

/// The variable that a step declares without a value.
fn declared(s: &HostStmt) -> Option<&str> {
    match s {
        HostStmt::Compute(Stmt { kind: StmtKind::Let { var, init: None, .. }, .. }) => Some(var),
        _ => None,
    }
}

fn drop(steps: &mut Vec<HostStmt>, name: &str) {
    steps.retain(|s| declared(s) != Some(name));
    steps.iter_mut().flat_map(HostStmt::bodies_mut).for_each(|body| drop(body, name));
}
