//! Numbers in the place of constants and of sizes.
//!
//! ```text
//! const int U = 8;   for (i = 0; i < n; i += U)          ->   for (i = 0; i < n; i += 8)
//! double a[60];      i < (int)(sizeof a / sizeof *a)     ->   i < 60
//! ```

use super::form::{Context, Form};
use crate::ast::build::ast_builder::{converted, integer};
use crate::ast::build::constant;
use crate::ast::{Expr, ExprKind};

/// Writes the values of constants for their names, and of expressions of `sizeof` for these.
pub fn fold(form: &mut Form, context: &mut Context) {
    form.stmt.exprs_mut(&mut |e| {
        context.unit.put_constants(e);
        put_sizes(e);
    });
}

fn put_sizes(e: &mut Expr) {
    let is_plain = matches!(&e.kind, ExprKind::SizeOfType(ty) if ty.is_scalar());
    if is_plain || !has_size(e) {
        return;
    }
    match constant::fold(e) {
        Some(value) => *e = converted(&integer(value, e.span), &e.ty),
        None => e.children_mut().into_iter().for_each(put_sizes),
    }
}

fn has_size(e: &Expr) -> bool {
    let mut has = false;
    e.walk(&mut |e| has |= matches!(e.kind, ExprKind::SizeOfType(_) | ExprKind::SizeOfExpr(_)));
    has
}
