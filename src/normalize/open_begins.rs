//! Loops of unknown length whose counter begins with a value that the call site hands over.
//!
//! ```text
//! for (it = 1; it <= most; it++) {             for (it = rt_from; it <= most; it++) {
//!     sweep(u);                          ->        sweep(u);
//!     if (change < eps) break;                     if (change < eps) break;
//! }                                            }
//! ```
//! The rest of such a loop, seen from the beginning of a later turn, is the same loop then, with the counter as it is there
//! ([`crate::host_plan::midway`]).

use super::form::{Context, Form};
use crate::ast::{Begin, Expr, ExprKind, Stmt, StmtKind, Storage, Type, Unit, Var, VarId};
use crate::facts::callable::is_free;
use crate::facts::header::first_value;
use crate::facts::loops::is_open;

/// Name of the variables that stand for first values.
pub const NAME: &str = "rt_from";

/// Gives a form that is such a loop its beginning.
pub fn open(form: &mut Form<'_>, context: &mut Context<'_>) {
    let Some((counter, first)) = begin_of(context.unit, &form.stmt) else { return };
    let (whole, ty) = (form.stmt.span, context.unit.var(counter).ty.clone());
    let from = context.unit.add(Var::new(NAME, ty, Storage::Local, whole));
    let value = context.unit.read(from, first.span);
    let StmtKind::For { init: Some(init), .. } = &mut form.stmt.kind else { return };
    match &mut init.kind {
        StmtKind::Decl(ds) => ds.iter_mut().for_each(|d| d.init = Some(value.clone())),
        StmtKind::Expr(Expr { kind: ExprKind::Assign { value: set, .. }, .. }) => **set = value,
        _ => {}
    }
    context.unit.begins.push(Begin { from, counter, first, whole });
}

/// The counter of such a loop and its first value.
fn begin_of(unit: &Unit, s: &Stmt) -> Option<(VarId, Expr)> {
    let StmtKind::For { init: Some(init), .. } = &s.kind else { return None };
    let (counter, first) = first_value(init)?;
    let is_number = matches!(unit.var(counter).ty, Type::Int(kind) if kind.bits() >= 32);
    (is_number && is_free(first) && is_open(s) && enterable(s).is_some()).then(|| (counter, first.clone()))
}

/// The body of a loop, a block, where its rest may begin: to ask the loop's condition there again changes nothing.
pub fn enterable(s: &Stmt) -> Option<&Stmt> {
    let (asked, body) = match &s.kind {
        StmtKind::While { cond, body } => (Some(cond), body),
        StmtKind::For { cond, body, .. } => (cond.as_ref(), body),
        // Its condition is not asked where its body begins.
        StmtKind::DoWhile { body, .. } => (None, body),
        _ => return None,
    };
    let is_whole = matches!(body.kind, StmtKind::Block(_));
    (is_whole && asked.is_none_or(is_free)).then_some(&**body)
}
