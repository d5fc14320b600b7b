//! Arrays of which nothing says how far their subscripts may lead: `x` in `y[i] = x[idx[i]]`.
//!
//! At the call the runtime is asked how much memory the block behind the pointer has, and that much is on the device. Kernels
//! hold accesses back that lead further, and where one did, the original runs, for which nothing has changed yet. So it must
//! be with all that the region writes: nothing may be printed, and the device keeps what it had of what stays there and is
//! written over. And what a thread reads in the place of an element that is not there may not keep it, or the host, from coming to an end.

use super::builder::Builder;
use super::elements::Elements;
use super::ir::{Array, HostStmt, NotKept, Reach, visit};
use crate::analysis::no_plan::NoPlan;
use crate::ast::{BinOp, VarId};
use crate::isl::{Dim, Set};
use crate::kernel::{Access, Expr, Kernel, Stmt, StmtKind, walk};
use crate::poly::Failure;
use crate::region::{StaticPart, StmtId};
use crate::schedule::parallel::Analysis;
use std::collections::BTreeSet;

impl Builder<'_> {
    /// The name for how many elements the memory behind a pointer has, where nothing else says how far subscripts may lead
    /// and what leads further can be held back.
    pub(super) fn held(&mut self, v: VarId, e: &Elements, body: &[HostStmt]) -> Result<Option<String>, NoPlan> {
        if !self.is_asked(v, &e.home.part) || e.is_bounded()? {
            return Ok(None);
        }
        // Where the host computes bounds between nests, a smaller region knows more than the memory does.
        let mut is_data_s = false;
        for live in self.region.statics().into_iter().filter_map(|s| s.deps.live.get(&v)) {
            is_data_s |= !is_bounded(live.touched()?)?;
        }
        if !is_data_s {
            return Ok(None);
        }
        let name = self.names.of(self.unit, v);
        let can = self.kernels.iter().all(|k| holds_back(k, &name)) && ends_unchanged(body, &name);
        Ok(can.then(|| self.names.fresh(&format!("rt_{name}_held"))))
    }

    /// Test that statements use an array that may be held back: only kernels of ours do that.
    pub(super) fn may_hold_back(&self, a: &Analysis, stmts: &[StmtId]) -> Result<bool, Failure> {
        let used: BTreeSet<VarId> = stmts.iter().flat_map(|s| &a.part.stmt(*s).accesses).map(|x| x.data).collect();
        for v in used.into_iter().filter(|v| self.is_asked(*v, a.part)) {
            let Some(live) = a.deps.live.get(&v) else { continue };
            if !is_bounded(live.touched()?)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Test that the memory behind a pointer is all that says how far it goes, as far as the runtime can tell.
    fn is_asked(&self, v: VarId, part: &StaticPart) -> bool {
        let shape = &part.data[&v].shape;
        let is_said =
            shape.outer.as_ref().is_some_and(|p| p.is_affine() || shape.outer_is_known || shape.outer_is_reached);
        !is_said && shape.c_rank > 0 && shape.n_pointers == 0 && !self.region.declared.contains(&v)
    }
}

fn is_bounded(touched: &Set) -> Result<bool, Failure> {
    for k in 0..touched.dim(Dim::Out)? {
        if !touched.dim_is_bounded(Dim::Out, k)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Test that a kernel touches an array by single elements alone, and what is read of it keeps no threads waiting for others.
fn holds_back(kernel: &Kernel, array: &str) -> bool {
    if kernel.arrays.iter().all(|a| a.name != *array) {
        return true;
    }
    let is_it = |access: &Access| access.array == *array;
    let mut can = true;
    walk::visit(&kernel.body, &mut |s| {
        can &= match &s.kind {
            StmtKind::LoadVector { source, .. } => !is_it(source),
            StmtKind::StoreVector { target, .. } => !is_it(target),
            StmtKind::CopyAsync { target, source, .. } => !is_it(target) && !is_it(source),
            StmtKind::While { body, .. } => walk::is_of_thread(body),
            _ => true,
        };
        let aligned = |e: &Expr| e.any(&mut |e| matches!(e, Expr::Aligned { access, .. } if is_it(access)));
        can &= !s.exprs().into_iter().any(aligned);
    });
    can
}

/// Test that the host's steps come to an end whatever the array holds, and have done nothing until then that the original
/// would do again.
fn ends_unchanged(body: &[HostStmt], array: &str) -> bool {
    let mut does = true;
    visit(body, &mut |s| {
        does &= match s {
            HostStmt::While { cond, step, body } => is_counted(cond, step, body),
            HostStmt::Print { .. } => false,
            HostStmt::Call { call, .. } => !call.reads().contains(&array) && !call.writes().contains(&array),
            _ => true,
        };
    });
    does
}

/// Test that a loop of the host ends whatever the data are: `it < most && rest > tolerance`, with `it` one more each time.
fn is_counted(cond: &Expr, step: &[Stmt], body: &[HostStmt]) -> bool {
    let mut written = BTreeSet::new();
    visit(body, &mut |s| match s {
        HostStmt::CopyOut { array } => drop(written.insert(array.clone())),
        s => {
            for inner in s.scalars() {
                walk::visit(std::slice::from_ref(inner), &mut |s| match &s.kind {
                    StmtKind::Let { var, .. } | StmtKind::Assign { var, .. } => drop(written.insert(var.clone())),
                    _ => {}
                });
            }
        }
    });
    let counts = |name: &String| {
        let own = step.iter().filter(|s| matches!(&s.kind, StmtKind::Assign { var, .. } if var == name));
        let by_one = |s: &Stmt| match &s.kind {
            StmtKind::Assign { op: Some(BinOp::Add), value: Expr::Int(1), .. } => true,
            StmtKind::Assign { var, op: None, value: Expr::Binary(BinOp::Add, a, b) } => {
                **a == Expr::Var(var.clone()) && **b == Expr::Int(1)
            }
            _ => false,
        };
        own.clone().count() == 1 && own.clone().all(by_one) && !written.contains(name)
    };
    let steps = |name: &String| step.iter().any(|s| matches!(&s.kind, StmtKind::Assign { var, .. } if var == name));
    let is_fixed = |e: &Expr| {
        !e.any(&mut |e| match e {
            Expr::Var(name) => written.contains(name) || steps(name),
            Expr::Load(_) | Expr::Call(..) => true,
            _ => false,
        })
    };
    match cond {
        Expr::Binary(BinOp::And, a, b) => is_counted(a, step, body) || is_counted(b, step, body),
        Expr::Binary(BinOp::Lt | BinOp::Le, a, b) => matches!(&**a, Expr::Var(name) if counts(name)) && is_fixed(b),
        _ => false,
    }
}

/// Where something may be held back, rows that are written over what was read before go home in the end or not at all. Of a
/// block the device keeps what it was ([`crate::emit`]), and what is only written may stay: what comes home of it for the
/// original, the original writes anew.
pub(super) fn no_rows_stay_written(arrays: &mut [Array]) {
    let are_read_first = |a: &&mut Array| a.rows.is_some() && a.live_in.is_some() && a.live_out.is_some();
    if arrays.iter().any(|a| matches!(a.reach, Some(Reach::Whole(_)))) {
        arrays.iter_mut().filter(are_read_first).for_each(|a| _ = a.not_kept.get_or_insert(NotKept::HeldBack));
    }
}
