//! Libraries that the steps of a plan call: the headers which that takes, and the copies that are made for it.

use crate::host_plan::ir::{self, HostStmt};
use crate::kernel::{Kernel, StmtKind};
use crate::library::call::Call;
use crate::library::operator::What;
use std::collections::BTreeSet;

/// The headers of the runtime that steps need: of each library whose calls they make.
pub fn headers(body: &[HostStmt]) -> BTreeSet<&'static str> {
    let mut found = BTreeSet::new();
    ir::visit(body, &mut |s| {
        if let HostStmt::Call { call, .. } = s {
            found.insert(match &**call {
                Call::Product(_) => "rt_library.h",
                Call::Sparse(_) => "rt_sparse.h",
                Call::Slices(_) => "rt_slices.h",
                Call::LongRows(_) => "rt_long_rows.h",
                Call::ShortColumns(_) => "rt_short_columns.h",
                Call::Blas(b) if b.what.is_compute_bound() || b.what == What::Trsv => "rt_triangle.h",
                Call::Blas(_) => "rt_vectors.h",
            });
        }
    });
    found
}

/// Test for a kernel that keeps rows of a sparse matrix on chip: its launch asks how long they are.
pub fn keeps_rows(kernel: &Kernel) -> bool {
    kernel.body.iter().any(|s| matches!(s.kind, StmtKind::OnChip { rows: Some(_), .. }))
}

/// Test that calls make do where there is no room for an array.
pub fn may_lack(body: &[HostStmt], array: &str) -> bool {
    let mut found = false;
    ir::visit(body, &mut |s| {
        found |= matches!(s, HostStmt::Call { call, .. } if call.may_lack().contains(&array));
    });
    found
}
