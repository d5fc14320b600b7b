//! Statements of several expressions, as several statements: `s += x[i], t += y[i];` accumulates twice.

use super::form::{Context, Form};
use crate::ast::build::ast_builder::plain;
use crate::ast::{Expr, ExprKind, Stmt, StmtKind};
use crate::facts::loops::has_loop;

/// Splits them in the loops of a form.
pub fn split(form: &mut Form, _: &mut Context) {
    if has_loop(&form.stmt) {
        within(&mut form.stmt);
    }
}

fn within(s: &mut Stmt) {
    match &mut s.kind {
        StmtKind::Block(list) => {
            *list = std::mem::take(list).into_iter().flat_map(parts).collect();
            list.iter_mut().for_each(within);
        }
        // The rest of a loop is its head.
        StmtKind::For { body, .. } => of_body(body),
        StmtKind::Expr(_) => {}
        _ => s.stmts_mut().into_iter().for_each(of_body),
    }
}

/// The same of a statement that may be several.
fn of_body(s: &mut Stmt) {
    if let [a, b, rest @ ..] = parts(s.clone()).as_slice() {
        s.kind = StmtKind::Block([a, b].into_iter().chain(rest).cloned().collect());
    }
    within(s);
}

/// The statements that a statement is: one for each of its expressions.
pub fn parts(s: Stmt) -> Vec<Stmt> {
    match &s.kind {
        StmtKind::Expr(Expr { kind: ExprKind::Comma(a, b), .. }) => {
            [a, b].into_iter().flat_map(|e| parts(plain(StmtKind::Expr((**e).clone()), e.span))).collect()
        }
        _ => vec![s],
    }
}
