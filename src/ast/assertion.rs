//! Assertions: `if (!(x)) __assert_fail(...);`, the form in which every C library's `assert` stands in the tree.
//!
//! Arguments of such a call say where the assertion stands; the original says it when it fails, so that the tree
//! keeps the call without it.

use super::visit::Piece;
use super::{BinOp, Expr, ExprKind, Stmt, StmtKind, Type, UnOp};

/// Functions behind `assert` in glibc and musl, BSD and newlib, and macOS, whose names are reserved (C17 7.1.3).
const FAILURES: &[&str] = &["__assert_fail", "__assert", "__assert_func", "__assert_rtn"];

/// Test for the function that an assertion calls where it fails, by name.
pub fn is_failure(name: &str) -> bool {
    FAILURES.contains(&name)
}

/// Condition under which an assertion fails, if a statement is one.
pub fn failing(s: &Stmt) -> Option<&Expr> {
    let StmtKind::If { cond, then, other: None } = &s.kind else { return None };
    is_failing(then).then_some(cond)
}

/// Test for a statement that is or holds an assertion.
pub fn has_assertion(s: &Stmt) -> bool {
    let mut found = false;
    s.walk(&mut |p| found |= matches!(p, Piece::Stmt(s) if failing(s).is_some()));
    found
}

/// Test for the call of such a function, as a statement.
pub fn is_failing(s: &Stmt) -> bool {
    matches!(&s.kind, StmtKind::Expr(Expr { kind: ExprKind::Call { name, .. }, .. }) if is_failure(name))
}

/// The opposite of a condition, as one that compares where it can be: `!(x < y)` of floating numbers is no comparison.
pub fn opposite(e: &Expr) -> Expr {
    let int = Type::Int(super::IntKind::Int);
    match &e.kind {
        ExprKind::Unary(UnOp::Not, x) => (**x).clone(),
        ExprKind::Binary(op, a, b) if op.negated().is_some() && [a, b].iter().all(|x| is_ordered(&x.ty)) => {
            let op = op.negated().unwrap_or(BinOp::Eq);
            Expr { kind: ExprKind::Binary(op, a.clone(), b.clone()), ty: int, span: e.span }
        }
        _ => Expr { kind: ExprKind::Unary(UnOp::Not, Box::new(e.clone())), ty: int, span: e.span },
    }
}

fn is_ordered(ty: &Type) -> bool {
    matches!(ty, Type::Int(_))
}
