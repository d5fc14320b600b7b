//! Statements and sizes that all code of tiles is made of.

use crate::ast::FloatKind;
use crate::kernel::{Expr, ScalarType, Stmt, StmtKind};
use crate::schedule::index;

pub(super) fn let_index(var: &str, value: Expr) -> Stmt {
    Stmt::made(StmtKind::Let { var: var.to_string(), ty: ScalarType::Index, init: Some(value) })
}

/// Statements for each value of a counter from 0 to below a size.
pub(super) fn counted(counter: &str, hi: Expr, body: Vec<Stmt>) -> Stmt {
    let (var, lo, step) = (counter.to_owned(), Expr::Int(0), Expr::Int(1));
    Stmt::made(StmtKind::counted(var, [lo, hi, step], body))
}

pub(super) fn guarded(cond: Option<Expr>, then: Vec<Stmt>) -> Vec<Stmt> {
    match cond {
        Some(cond) => vec![Stmt::made(StmtKind::If { cond, then, other: vec![] })],
        None => then,
    }
}

/// `then` where the condition holds, else `other`; without a condition `then`.
pub(super) fn either(cond: Option<Expr>, then: Vec<Stmt>, other: Vec<Stmt>) -> Vec<Stmt> {
    match cond {
        Some(cond) => vec![Stmt::made(StmtKind::If { cond, then, other })],
        None => then,
    }
}

/// Ways to do the same, each under a condition, in the order in which they are tried.
pub type Ways = Vec<(Option<Expr>, Vec<Stmt>)>;

/// The first of some ways whose condition holds, or else what is left.
pub(super) fn first_of(ways: Ways, other: Vec<Stmt>) -> Vec<Stmt> {
    ways.into_iter().rev().fold(other, |other, (cond, then)| either(cond, then, other))
}

pub(super) fn zero(ty: ScalarType) -> Expr {
    match ty {
        ScalarType::Float(FloatKind::Float) => Expr::Float("0.0f".into()),
        ScalarType::Float(_) => Expr::Float("0.0".into()),
        _ => Expr::Int(0),
    }
}

pub(super) fn product(all: impl IntoIterator<Item = Expr>) -> Expr {
    all.into_iter().reduce(index::mul).unwrap_or(Expr::Int(1))
}

pub(super) fn depth() -> Expr {
    index::var("DEPTH")
}

/// Number of stages of a tile.
pub(super) fn stages() -> Expr {
    index::var("STAGES")
}

/// Test that statements use a variable.
pub(super) fn is_used(body: &[Stmt], name: &str) -> bool {
    let mut found = false;
    for s in body {
        s.visit(&mut |s| {
            found |= matches!(&s.kind, StmtKind::Assign { var, .. } if var == name);
            found |= s.exprs().into_iter().any(|e| e.mentions(name));
        });
    }
    found
}
