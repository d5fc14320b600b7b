//! Names in a resident kernel: what the host's steps declare and assign.

use crate::ast::BinOp;
use crate::host_plan::ir::{HostStmt, visit};
use crate::kernel::{Expr, ScalarType, Stmt, StmtKind};
use std::collections::{BTreeMap, BTreeSet};

/// The variables that steps of the host give a value.
pub fn assigned(body: &[HostStmt]) -> BTreeSet<String> {
    changed_so(body, &|_| true)
}

/// The variables that steps of the host change and do not declare.
pub fn changed(body: &[HostStmt]) -> BTreeSet<String> {
    let mut declared = BTreeSet::new();
    visit(body, &mut |step| {
        for s in step.scalars() {
            if let StmtKind::Let { var, .. } = &s.kind {
                declared.insert(var.clone());
            }
        }
    });
    &assigned(body) - &declared
}

/// The variables of which the first value may be passed: all that steps do not only divide, or take away from.
pub fn growing(body: &[HostStmt]) -> BTreeSet<String> {
    let is_less = |s: &Stmt| matches!(s.kind, StmtKind::Assign { op: Some(BinOp::Sub), .. });
    changed_so(body, &|s| !is_division(s) && !s.is_some_and(is_less))
}

/// The variables that steps divide, and change in no other way.
pub fn divided(body: &[HostStmt]) -> BTreeSet<String> {
    &changed_so(body, &is_division) - &changed_so(body, &|s| !is_division(s))
}

/// The variables that are changed by a statement for which this holds. Nobody knows of what is fetched from the device.
fn changed_so(body: &[HostStmt], holds: &dyn Fn(Option<&Stmt>) -> bool) -> BTreeSet<String> {
    let mut out = BTreeSet::new();
    visit(body, &mut |step| {
        if let HostStmt::CopyOut { array } = step
            && holds(None)
        {
            out.insert(array.clone());
        }
        for s in step.scalars().iter().filter(|s| holds(Some(s))) {
            if let StmtKind::Assign { var, .. } = &s.kind {
                out.insert(var.clone());
            }
        }
    });
    out
}

/// `s /= 2`, `s = s >> 1`.
fn is_division(s: Option<&Stmt>) -> bool {
    let Some(Stmt { kind: StmtKind::Assign { var, op, value }, .. }) = s else { return false };
    match (op, value) {
        (Some(BinOp::Div | BinOp::Shr), _) => true,
        (None, Expr::Binary(BinOp::Div | BinOp::Shr, of, _)) => **of == Expr::Var(var.clone()),
        _ => false,
    }
}

/// The variables that steps of the host read: in conditions and statements.
pub fn read(body: &[HostStmt]) -> BTreeSet<String> {
    let mut out = BTreeSet::new();
    visit(body, &mut |step| {
        if matches!(step, HostStmt::For { .. } | HostStmt::While { .. } | HostStmt::If { .. }) {
            step.exprs().into_iter().for_each(|e| e.variables(&mut out));
        }
        step.scalars().iter().flat_map(Stmt::exprs).for_each(|e| e.variables(&mut out));
    });
    out
}

/// The scalars that steps of the host declare, with their types.
pub fn declared_by_host(body: &[HostStmt]) -> BTreeMap<String, ScalarType> {
    let mut out = BTreeMap::new();
    visit(body, &mut |step| out.extend(step.declares().map(|(name, ty)| (name.to_string(), ty))));
    out
}
