//! Names in a resident kernel: what the host's steps and the phases declare and assign.

use crate::dag::plan::HostStmt;
use crate::kernel::{Access, Expr, ScalarType, Stmt, StmtKind};
use std::collections::{BTreeSet, HashSet};

/// The names that statements declare.
pub fn declared(body: &[Stmt]) -> BTreeSet<String> {
    let mut out = BTreeSet::new();
    body.iter().for_each(|s| {
        s.visit(&mut |s| match &s.kind {
            StmtKind::Let { var, .. } | StmtKind::For { var, .. } => drop(out.insert(var.clone())),
            StmtKind::LocalArray { name, .. } | StmtKind::Shared { name, .. } => drop(out.insert(name.clone())),
            _ => {}
        });
    });
    out
}

/// The variables of an expression.
pub fn names_in(e: &Expr, out: &mut BTreeSet<String>) {
    if let Expr::Var(name) = e {
        out.insert(name.clone());
    }
    e.children().into_iter().for_each(|child| names_in(child, out));
}

/// Names the variables that steps of the host assign to, and those that they declare.
pub fn changed(body: &[HostStmt], assigned: &mut dyn FnMut(&str), declared: &mut dyn FnMut(&str)) {
    for s in body {
        match s {
            HostStmt::Compute(s) => match &s.kind {
                StmtKind::Assign { var, .. } => assigned(var),
                StmtKind::Let { var, .. } => declared(var),
                _ => {}
            },
            HostStmt::CopyOut { array } => assigned(array),
            HostStmt::While { step, body, .. } => {
                step.iter().for_each(|s| {
                    if let StmtKind::Assign { var, .. } = &s.kind {
                        assigned(var);
                    }
                });
                changed(body, assigned, declared);
            }
            HostStmt::For { body, .. } => changed(body, assigned, declared),
            HostStmt::If { then, other, .. } => {
                changed(then, assigned, declared);
                changed(other, assigned, declared);
            }
            _ => {}
        }
    }
}

/// The type that the host declares a variable with.
pub fn declared_by_host(body: &[HostStmt], name: &str) -> Option<ScalarType> {
    body.iter().find_map(|s| match s {
        HostStmt::Compute(Stmt { kind: StmtKind::Let { var, ty, .. }, .. }) if var == name => Some(*ty),
        HostStmt::For { var, .. } if var == name => Some(ScalarType::Index),
        HostStmt::For { body, .. } | HostStmt::While { body, .. } => declared_by_host(body, name),
        HostStmt::If { then, other, .. } => declared_by_host(then, name).or_else(|| declared_by_host(other, name)),
        _ => None,
    })
}

/// The names that the host's steps declare.
pub fn named_by_host(body: &[HostStmt], out: &mut HashSet<String>) {
    for s in body {
        match s {
            HostStmt::Compute(Stmt { kind: StmtKind::Let { var, .. }, .. }) => drop(out.replace(var.clone())),
            HostStmt::For { var, body, .. } => {
                out.insert(var.clone());
                named_by_host(body, out);
            }
            HostStmt::While { body, .. } => named_by_host(body, out),
            HostStmt::If { then, other, .. } => {
                named_by_host(then, out);
                named_by_host(other, out);
            }
            _ => {}
        }
    }
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
        StmtKind::LocalArray { name, .. } | StmtKind::Shared { name, .. } => change(name),
        StmtKind::Store { target, .. } | StmtKind::Atomic { target, .. } | StmtKind::BlockReduce { target, .. } => {
            change(&mut target.array);
        }
        _ => {}
    }
    s.exprs_mut().into_iter().for_each(|e| rename_in(e, from, to));
    s.bodies_mut().into_iter().flatten().for_each(|s| rename(s, from, to));
}

fn rename_in(e: &mut Expr, from: &str, to: &str) {
    if let Expr::Var(name) | Expr::Load(Access { array: name, .. }) = e
        && name == from
    {
        *name = to.to_string();
    }
    e.children_mut().into_iter().for_each(|child| rename_in(child, from, to));
}
