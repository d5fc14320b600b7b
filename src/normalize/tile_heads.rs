//! Heads of loops that may go over tiles, or over the points of one.

use crate::ast::{BinOp, Expr, ExprKind, Stmt, StmtKind, VarId};
use crate::facts::header::first_value;
use crate::facts::symbolic::{same_expr, widens};
use crate::source::directive::DirectiveKind;

/// A counted loop of a nest.
pub struct Head<'s> {
    pub counter: VarId,
    pub first: &'s Expr,
    pub cond: &'s Expr,
    pub step: &'s Expr,
    pub stmt: &'s Stmt,
}

/// Limit of a counter.
#[derive(Clone, Copy)]
pub struct Limit<'s> {
    pub is_inclusive: bool,
    pub end: &'s Expr,
}

/// The loops in each other that a statement is, outermost first, and what stands in the innermost one.
pub fn nest(s: &Stmt) -> (Vec<Head<'_>>, &Stmt) {
    let (mut heads, mut body) = (vec![], s);
    while let Some((head, inner)) = only(body).and_then(head) {
        heads.push(head);
        body = inner;
    }
    (heads, body)
}

/// The one statement that a body is.
pub fn only(body: &Stmt) -> Option<&Stmt> {
    match &body.kind {
        StmtKind::Block(list) => {
            let mut some = list.iter().filter(|s| !matches!(s.kind, StmtKind::Empty));
            let first = some.next()?;
            some.next().is_none().then_some(first).and_then(only)
        }
        _ => Some(body),
    }
}

/// A counted loop, and its body.
pub fn head(stmt: &Stmt) -> Option<(Head<'_>, &Stmt)> {
    let StmtKind::For { init: Some(init), cond: Some(cond), step: Some(step), body } = &stmt.kind else { return None };
    let (counter, first) = first_value(init)?;
    Some((Head { counter, first, cond, step, stmt }, body))
}

/// Distance that a loop's counter moves, where that may be the length of a tile.
pub fn size_of<'s>(head: &Head<'s>) -> Option<&'s Expr> {
    let is_counter = |e: &Expr| bare(e).is_var(head.counter);
    let size = match &head.step.kind {
        ExprKind::Assign { op: Some(BinOp::Add), target, value } if is_counter(target) => value,
        ExprKind::Assign { op: None, target, value } if is_counter(target) => match &value.kind {
            ExprKind::Binary(BinOp::Add, a, b) if is_counter(a) => b,
            ExprKind::Binary(BinOp::Add, a, b) if is_counter(b) => a,
            _ => return None,
        },
        _ => return None,
    };
    (!matches!(bare(size).kind, ExprKind::Int(c) if c < 2)).then_some(size)
}

/// The limits in a loop's condition, each of two where it is the lesser of them.
pub fn limits(cond: &Expr, counter: VarId) -> Option<Vec<Limit<'_>>> {
    let ExprKind::Binary(op, a, b) = &cond.kind else { return None };
    let (is_inclusive, end) = match op {
        BinOp::And => return Some([limits(a, counter)?, limits(b, counter)?].concat()),
        BinOp::Lt | BinOp::Le if bare(a).is_var(counter) => (*op == BinOp::Le, b),
        BinOp::Gt | BinOp::Ge if bare(b).is_var(counter) => (*op == BinOp::Ge, a),
        _ => return None,
    };
    let mut ends = vec![];
    lesser(end, &mut ends);
    Some(ends.into_iter().map(|end| Limit { is_inclusive, end }).collect())
}

/// The values that an expression is the least of: of `a < b ? a : b`, both.
fn lesser<'s>(e: &'s Expr, ends: &mut Vec<&'s Expr>) {
    if let ExprKind::Cond(cond, a, b) = &bare(e).kind
        && let ExprKind::Binary(op, x, y) = &bare(cond).kind
    {
        let are = |c: &Expr, d: &Expr| same_expr(bare(x), bare(c)) && same_expr(bare(y), bare(d));
        let is_lesser = match op {
            BinOp::Lt | BinOp::Le => are(a, b),
            BinOp::Gt | BinOp::Ge => are(b, a),
            _ => false,
        };
        if is_lesser {
            [a, b].into_iter().for_each(|e| lesser(e, ends));
            return;
        }
    }
    ends.push(e);
}

pub fn is_same_limit(a: &Limit, b: &Limit) -> bool {
    let are_same = |a: &Expr, b: &Expr| same_expr(bare(a), bare(b));
    let (last, end) = match (a.is_inclusive, b.is_inclusive) {
        (true, false) => (a.end, b.end),
        (false, true) => (b.end, a.end),
        _ => return are_same(a.end, b.end),
    };
    by_one(last, BinOp::Sub).is_some_and(|e| are_same(e, end))
        || by_one(end, BinOp::Add).is_some_and(|e| are_same(e, last))
}

/// `e` of `e - 1`, or of `e + 1`.
pub fn by_one(e: &Expr, by: BinOp) -> Option<&Expr> {
    match &bare(e).kind {
        ExprKind::Binary(op, a, b) if *op == by && matches!(bare(b).kind, ExprKind::Int(1)) => Some(a),
        _ => None,
    }
}

/// An expression without casts that keep its value.
pub fn bare(e: &Expr) -> &Expr {
    match &e.kind {
        ExprKind::Cast(inner) if widens(&inner.ty, &e.ty) => bare(inner),
        _ => e,
    }
}

/// Test that directives ask for threads alone, of whatever loop stands there.
pub fn is_directed_alike(s: &Stmt) -> bool {
    let of_threads =
        |kind: &DirectiveKind| matches!(kind, DirectiveKind::Parallel { .. } | DirectiveKind::Threads { .. });
    s.directives.iter().all(|d| of_threads(&d.kind))
}
