//! Tables that are made once before loops of the host, of arrays that these leave as they are.

use crate::host_plan::ir::{HostStmt, Reach, Region, launched, visit};
use std::collections::BTreeSet;

/// Arrays of which steps of the host change elements.
pub(super) fn changed(plan: &Region, steps: &[HostStmt]) -> BTreeSet<String> {
    let kernels: BTreeSet<usize> = launched(steps).into_iter().collect();
    let of_kernels = kernels.iter().flat_map(|k| plan.kernels[*k].written());
    let mut changed: BTreeSet<String> = of_kernels.map(|a| a.name.clone()).collect();
    visit(steps, &mut |s| match s {
        HostStmt::Call { call, .. } => changed.extend(call.writes().into_iter().map(str::to_owned)),
        HostStmt::CopyIn { array } => drop(changed.insert(array.clone())),
        _ => {}
    });
    changed
}

/// Test that a kernel or a call of the region changes elements of an array.
pub(super) fn is_written(plan: &Region, name: &str) -> bool {
    let mut is_written = plan.kernels.iter().any(|k| k.written().any(|a| a.name == name));
    visit(&plan.body, &mut |s| {
        is_written |= matches!(s, HostStmt::Call { call, .. } if call.writes().contains(&name));
    });
    is_written
}

/// Test that it is an array of one dimension whose elements the host has, or had.
pub(super) fn is_list(plan: &Region, name: &str) -> bool {
    plan.arrays.iter().find(|a| a.name == name).is_some_and(|a| {
        a.extents.len() == 1 && a.live_in.is_some() && a.rows.is_none() && !matches!(a.reach, Some(Reach::Whole(_)))
    })
}
