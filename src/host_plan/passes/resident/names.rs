//! Names in a resident kernel: what the host's steps declare and assign.

use crate::ast::BinOp;
use crate::host_plan::ir::{HostStmt, visit};
use crate::kernel::{ScalarType, Stmt, StmtKind};
use std::collections::{BTreeMap, BTreeSet};

/// The variables that steps of the host give a value.
pub fn assigned(body: &[HostStmt]) -> BTreeSet<String> {
    let mut out = BTreeSet::new();
    visit(body, &mut |step| {
        if let HostStmt::CopyOut { array } = step {
            out.insert(array.clone());
        }
        for s in step.scalars() {
            if let StmtKind::Assign { var, .. } = &s.kind {
                out.insert(var.clone());
            }
        }
    });
    out
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
    let mut out = BTreeSet::new();
    visit(body, &mut |step| {
        if let HostStmt::CopyOut { array } = step {
            out.insert(array.clone());
        }
        for s in step.scalars() {
            if let StmtKind::Assign { var, op, .. } = &s.kind
                && !matches!(op, Some(BinOp::Div | BinOp::Shr | BinOp::Sub))
            {
                out.insert(var.clone());
            }
        }
    });
    out
}

/// The variables that steps of the host read: in conditions and statements.
pub fn read(body: &[HostStmt]) -> BTreeSet<String> {
    let mut out = BTreeSet::new();
    visit(body, &mut |step| {
        match step {
            HostStmt::While { cond, .. } | HostStmt::If { cond, .. } => cond.variables(&mut out),
            HostStmt::For { lo, hi, step, .. } => [lo, hi, step].into_iter().for_each(|e| e.variables(&mut out)),
            _ => {}
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
