//! Assignments inside expressions, as statements of their own.
//!
//! ```text
//! wr = (w = wr) * c - wi * s;                  ->      w = wr; wr = w * c - wi * s;
//! if ((t = fabs(x[i])) > most)                 ->      t = fabs(x[i]); if (t > most)
//! ```
//! Such an assignment to a variable, or an element, goes before the statement where it is surely made. C leaves open when the other operands
//! are computed: an expression in which one of them names the variable has no meaning, and stays what it is. Behind `&&`, `||`,
//! `?` and a comma they come later, and may: of conditions, see [`super::assigning_conditions`].

use crate::ast::build::ast_builder::plain;
use crate::ast::{BinOp, Expr, ExprKind, Stmt, StmtKind, Type, UnOp, Unit, VarId};
use crate::facts::effects;
use std::collections::BTreeSet;

/// Test that an expression holds an assignment.
pub fn assigns(e: &Expr) -> bool {
    let mut assigns = false;
    e.walk(&mut |e| assigns |= target(e).is_some());
    assigns
}

/// The variable that `x = e`, `x += e` and `++x` set, which is their value.
fn target(e: &Expr) -> Option<&Expr> {
    match &e.kind {
        ExprKind::Assign { target, .. } | ExprKind::IncDec { target, prefix: true, .. } => Some(target),
        _ => None,
    }
}

/// Takes the assignments out of a value that a statement computes first.
pub fn take_out(unit: &Unit, e: &mut Expr, before: &mut Vec<Stmt>) {
    if assigns(e) && set_by(unit, e).is_some() {
        settle(unit, e, before);
    }
}

/// Takes them out of the expression of a statement: one that is an assignment itself stays one, and so does a list of such.
pub fn take_out_within(unit: &Unit, e: &mut Expr, before: &mut Vec<Stmt>) {
    if let ExprKind::Comma(first, last) = &mut e.kind {
        if nests(first) || nests(last) {
            take_out_within(unit, first, before);
            before.push(plain(StmtKind::Expr((**first).clone()), first.span));
            *e = (**last).clone();
            take_out_within(unit, e, before);
        }
        return;
    }
    if !matches!(e.kind, ExprKind::Assign { .. } | ExprKind::IncDec { .. }) {
        return take_out(unit, e, before);
    }
    if !nests(e) || set_by(unit, e).is_none() {
        return;
    }
    match &mut e.kind {
        ExprKind::IncDec { target, .. } => settle(unit, target, before),
        _ => settle_within(unit, e, before),
    }
}

/// Test that the expression of a statement holds an assignment that is not the statement's own.
fn nests(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Comma(first, last) => nests(first) || nests(last),
        ExprKind::Assign { .. } | ExprKind::IncDec { .. } => e.children().into_iter().any(assigns),
        _ => assigns(e),
    }
}

/// `a = b = c` is a statement.
fn settle_within(unit: &Unit, e: &mut Expr, before: &mut Vec<Stmt>) {
    match &mut e.kind {
        ExprKind::Assign { target, value, .. } => {
            settle(unit, target, before);
            settle_within(unit, value, before);
        }
        _ => settle(unit, e, before),
    }
}

fn settle(unit: &Unit, e: &mut Expr, before: &mut Vec<Stmt>) {
    let n_first = n_first(e);
    e.children_mut().into_iter().take(n_first).for_each(|e| settle(unit, e, before));
    let Some(target) = target(e).filter(|target| place(unit, target).is_some()) else { return };
    let (value, span) = (target.clone(), e.span);
    before.push(plain(StmtKind::Expr(std::mem::replace(e, value)), span));
}

/// Number of the operands that are surely computed, and before all others.
fn n_first(e: &Expr) -> usize {
    match &e.kind {
        ExprKind::Cond(..) | ExprKind::Binary(BinOp::And | BinOp::Or, ..) | ExprKind::Comma(..) => 1,
        ExprKind::SizeOfExpr(_) => 0,
        _ => usize::MAX,
    }
}

/// Variable of a number that can be set before the expression, or of the array that it is an element of: at a place that the
/// assignment does not move. (An operand that reads that element by another name has no meaning in C.)
fn place(unit: &Unit, target: &Expr) -> Option<VarId> {
    fn is_steady(e: &Expr, root: VarId) -> bool {
        match &e.kind {
            ExprKind::Var(_) => true,
            ExprKind::Index(base, at) => is_steady(base, root) && effects::is_plain(at) && !at.mentions(root),
            ExprKind::Member { base, .. } | ExprKind::Unary(UnOp::Deref | UnOp::AddrOf, base) => is_steady(base, root),
            _ => false,
        }
    }
    let is_number = matches!(target.ty, Type::Int(_) | Type::Float(_));
    target.root().filter(|v| is_number && !unit.var(*v).is_volatile && is_steady(target, *v))
}

/// The variables that an expression surely sets before all else is done with its value; `None` where C does not say in which
/// order one is set and named.
fn set_by(unit: &Unit, e: &Expr) -> Option<BTreeSet<VarId>> {
    let operands: Vec<&Expr> = e.children().into_iter().take(n_first(e)).collect();
    let mut out = BTreeSet::new();
    for (k, operand) in operands.iter().enumerate() {
        let set = set_by(unit, operand)?;
        let mut others = operands.iter().enumerate().filter(|(j, _)| *j != k);
        if others.any(|(_, e)| set.iter().any(|v| e.mentions(*v))) {
            return None;
        }
        out.extend(set);
    }
    out.extend(target(e).and_then(|target| place(unit, target)));
    Some(out)
}
