//! Choices between values as choices between statements, for calls in them to be opened.
//!
//! ```text
//! x = c ? f(i) : g(i);     ->     if (c) x = f(i); else x = g(i);
//! ```

use crate::ast::build::ast_builder::{assigned, plain};
use crate::ast::{Expr, ExprKind, Stmt, StmtKind};
use crate::facts::pointer_calls;

/// `c ? f(...) : g(...)`, also as what a variable is set to, as a statement for each; where one holds what is looked for.
pub fn of_statement(e: &Expr, holds: &dyn Fn(&Expr) -> bool) -> Option<Stmt> {
    let (target, value) = match &e.kind {
        ExprKind::Assign { op: None, target, value } if matches!(target.kind, ExprKind::Var(_)) => {
            (Some(target), &**value)
        }
        _ => (None, e),
    };
    let is_choice = matches!(&value.kind, ExprKind::Cond(_, a, b) if holds(a) || holds(b));
    let made = |value| match target {
        Some(target) => assigned(None, target, value, e.span),
        None => plain(StmtKind::Expr(value), e.span),
    };
    is_choice.then(|| split(value, &made))
}

/// A statement for each value of a choice; of a choice among the functions that a pointer may lead to, for each function.
pub fn split(value: &Expr, made: &dyn Fn(Expr) -> Stmt) -> Stmt {
    let ExprKind::Cond(cond, a, b) = &value.kind else { return made(value.clone()) };
    let other = if pointer_calls::chain(value).is_some() { split(b, made) } else { made((**b).clone()) };
    let (cond, then, other) = ((**cond).clone(), Box::new(made((**a).clone())), Some(Box::new(other)));
    plain(StmtKind::If { cond, then, other }, value.span)
}
