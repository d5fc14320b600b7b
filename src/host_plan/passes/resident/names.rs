//! Names in a resident kernel: what the host's steps declare and assign, other names for what a phase declares.

use crate::ast::BinOp;
use crate::host_plan::ir::{HostStmt, visit};
use crate::kernel::{Access, Expr, ScalarType, Stmt, StmtKind};
use std::collections::{BTreeMap, BTreeSet};

/// The variables that steps of the host change and do not declare.
pub fn changed(body: &[HostStmt]) -> BTreeSet<String> {
    let (mut assigned, mut declared) = (BTreeSet::new(), BTreeSet::new());
    visit(body, &mut |step| {
        if let HostStmt::CopyOut { array } = step {
            assigned.insert(array.clone());
        }
        for s in step.scalars() {
            match &s.kind {
                StmtKind::Assign { var, .. } => assigned.insert(var.clone()),
                StmtKind::Let { var, .. } => declared.insert(var.clone()),
                _ => false,
            };
        }
    });
    &assigned - &declared
}

/// Those of which the value before the steps may be passed: all that they do not only divide, or take away from.
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
    &out & &changed(body)
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

/// Gives a variable or array of a thread another name, where it is declared and used.
pub fn rename(s: &mut Stmt, from: &str, to: &str) {
    let change = |name: &mut String| {
        if name == from {
            *name = to.to_string();
        }
    };
    match &mut s.kind {
        StmtKind::Let { var, .. }
        | StmtKind::For { var, .. }
        | StmtKind::Assign { var, .. }
        | StmtKind::Join { var, .. } => change(var),
        StmtKind::Scan { var, carry, .. } => {
            change(var);
            change(carry);
        }
        StmtKind::LocalArray { name, .. } | StmtKind::Shared { name, .. } => change(name),
        StmtKind::Store { target, .. } | StmtKind::Atomic { target, .. } | StmtKind::BlockReduce { target, .. } => {
            change(&mut target.array);
        }
        StmtKind::LoadVector { array, source: access } | StmtKind::StoreVector { target: access, array } => {
            change(array);
            change(&mut access.array);
        }
        StmtKind::CopyAsync { target, source, .. } => {
            change(&mut target.array);
            change(&mut source.array);
        }
        StmtKind::Mma { c, .. } => c.iter_mut().for_each(|x| change(&mut x.array)),
        _ => {}
    }
    s.exprs_mut().into_iter().for_each(|e| rename_in(e, from, to));
    s.bodies_mut().into_iter().flatten().for_each(|s| rename(s, from, to));
}

fn rename_in(e: &mut Expr, from: &str, to: &str) {
    if let Expr::Var(name)
    | Expr::Load(Access { array: name, .. })
    | Expr::Aligned { access: Access { array: name, .. }, .. } = e
        && name == from
    {
        *name = to.to_string();
    }
    e.children_mut().into_iter().for_each(|child| rename_in(child, from, to));
}
