//! Post-increments: places that count on, with the counting in a statement of its own.
//!
//! ```text
//! for (i...)                              for (i...)
//!     if (x[i] > t)              ->           if (x[i] > t) {
//!         y[k++] = x[i];                          y[k] = x[i];
//!                                                 k++;
//!                                             }
//! ```
//! The counter is a variable that the statement names once, so that it does not matter when it counts. So it is where the value
//! counts on: `x[i] = y[k++];`.

use super::form::{Context, Form};
use crate::ast::build::ast_builder::plain;
use crate::ast::{BinOp, Expr, ExprKind, Stmt, StmtKind, Storage, Type, Unit, VarId};
use crate::facts::effects;
use std::collections::BTreeSet;

/// Opens the statements in the loops of a statement that do.
///
/// `seen`: the variables of the function that may be read in other ways than by name.
pub fn open(form: &mut Form<'_>, context: &mut Context<'_>) {
    inside(context.unit, &context.facts.seen, &mut form.stmt, false);
}

fn inside(unit: &Unit, seen: &BTreeSet<VarId>, s: &mut Stmt, in_loop: bool) {
    if in_loop && let Some(opened) = opened(unit, seen, s) {
        *s = opened;
        return;
    }
    let in_loop = in_loop || matches!(s.kind, StmtKind::For { .. });
    s.stmts_mut().into_iter().for_each(|s| inside(unit, seen, s, in_loop));
}

fn opened(unit: &Unit, seen: &BTreeSet<VarId>, s: &Stmt) -> Option<Stmt> {
    let StmtKind::Expr(e) = &s.kind else { return None };
    let ExprKind::Assign { op, target, value } = &e.kind else { return None };
    let mut n_effects = 0;
    e.walk(&mut |x| {
        let is_effect = matches!(x.kind, ExprKind::Assign { .. } | ExprKind::IncDec { .. } | ExprKind::Comma(..));
        n_effects += usize::from(is_effect);
    });
    let (mut place, mut value) = ((**target).clone(), (**value).clone());
    let counts = taken_out(&mut place).or_else(|| taken_out_of_value(&mut value))?;
    let ExprKind::IncDec { target: counter, .. } = &counts.kind else { return None };
    let ExprKind::Var(v) = counter.kind else { return None };
    let var = unit.var(v);
    let is_plain = matches!(var.storage, Storage::Local | Storage::Param) && !var.is_volatile && !seen.contains(&v);
    if n_effects != 2 || !is_plain || !matches!(var.ty, Type::Int(_)) || effects::places([s], v).len() != 1 {
        return None;
    }
    let span = counts.span;
    let kind = ExprKind::Assign { op: *op, target: Box::new(place), value: Box::new(value) };
    let assign = StmtKind::Expr(Expr { kind, ..e.clone() });
    let first = Stmt { kind: assign, directives: s.directives.clone(), span: s.span };
    Some(plain(StmtKind::Block(vec![first, plain(StmtKind::Expr(counts), span)]), s.span))
}

/// Takes `k++` out of the subscripts of a place, where it is one of them.
fn taken_out(place: &mut Expr) -> Option<Expr> {
    let ExprKind::Index(base, index) = &mut place.kind else { return None };
    if let ExprKind::IncDec { prefix: false, target, .. } = &index.kind {
        let counter = (**target).clone();
        return Some(std::mem::replace(&mut **index, counter));
    }
    taken_out(base)
}

/// The same of a value, where it surely counts.
fn taken_out_of_value(value: &mut Expr) -> Option<Expr> {
    match &mut value.kind {
        ExprKind::IncDec { prefix: false, target, .. } => {
            let counter = (**target).clone();
            Some(std::mem::replace(value, counter))
        }
        ExprKind::Cond(first, ..) | ExprKind::Binary(BinOp::And | BinOp::Or, first, _) => taken_out_of_value(first),
        ExprKind::SizeOfExpr(_) | ExprKind::Call { .. } => None,
        _ => value.children_mut().into_iter().find_map(taken_out_of_value),
    }
}
