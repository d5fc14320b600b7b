//! Statements at each point of a thread: loops over those that are a block apart, and over neighbours.

use super::shape::Shape;
use super::stmts::{is_used, let_index};
use crate::kernel::{Expr, Stmt, StmtKind};
use crate::schedule::index::{self, size_of};

/// Statements at each point of a thread.
pub fn points(shape: &Shape, body: Vec<Stmt>) -> Vec<Stmt> {
    if body.is_empty() {
        return body;
    }
    (0..shape.axes.len()).rev().fold(body, |body, d| merged(shape, d, neighbours(shape, d, body)))
}

/// Statements at each of the neighbouring points along a dimension.
pub fn neighbours(shape: &Shape, d: usize, mut body: Vec<Stmt>) -> Vec<Stmt> {
    let x = &shape.axes[d];
    if is_used(&body, &x.name) {
        let value = index::add(index::var(&x.origin), shape.position(d));
        body.insert(0, let_index(&x.name, value));
    }
    counted(x.skew.as_ref(), size_of("SKEW", d), body)
}

/// The same at each of those that are a block apart.
pub fn merged(shape: &Shape, d: usize, body: Vec<Stmt>) -> Vec<Stmt> {
    counted(shape.axes[d].merge.as_ref(), size_of("MERGE", d), body)
}

/// Statements once, or for each value of a counter below a size.
fn counted(counter: Option<&String>, hi: Expr, body: Vec<Stmt>) -> Vec<Stmt> {
    let Some(counter) = counter else { return body };
    let (var, lo, step) = (counter.clone(), Expr::Int(0), Expr::Int(1));
    vec![Stmt::made(StmtKind::For { var, lo, hi, step, body })]
}
