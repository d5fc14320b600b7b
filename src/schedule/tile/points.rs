//! Statements at each point of a thread: loops over those that are a block apart, and over neighbours.

use super::shape::Shape;
use super::stmts::{counted, is_used, let_index};
use crate::kernel::{Expr, Stmt};
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
    once_or_each(x.skew.as_deref(), size_of("SKEW", d), body)
}

/// The same at each of those that are a block apart.
pub fn merged(shape: &Shape, d: usize, body: Vec<Stmt>) -> Vec<Stmt> {
    once_or_each(shape.axes[d].merge.as_deref(), size_of("MERGE", d), body)
}

/// Statements once, or for each value of a counter below a size.
fn once_or_each(counter: Option<&str>, hi: Expr, body: Vec<Stmt>) -> Vec<Stmt> {
    match counter {
        Some(counter) => vec![counted(counter, hi, body)],
        None => body,
    }
}
