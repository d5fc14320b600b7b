//! Tests of pointers: `p != 0`, of the many ways that C has to ask whether there is something; and of two places of one
//! array whether they are the same element.
//!
//! ```text
//! if (p)   !p         p != NULL && x   (p + k) ? x : y   &a[i] == &a[j]   f != square
//! p != 0   !(p != 0)  p != 0 && x      p != 0 ? x : y    i == j           !(f == square)
//! ```
//! A region that leaves the pointer as it is takes the answer along, as a number (`facts::symbolic::tested_pointer`).

use super::form::{Context, Form};
use super::place_canonicalization::Place;
use crate::ast::build::ast_builder::{binary, integer};
use crate::ast::{BinOp, Expr, ExprKind, Stmt, StmtKind, Storage, Type, UnOp, Unit};
use crate::facts::effects;
use crate::facts::symbolic::same_expr;

/// Writes every test of a pointer in a form that way.
pub fn unify(form: &mut Form, context: &mut Context) {
    let unit = &*context.unit;
    form.stmt.exprs_mut(&mut |e| e.rewrite(&mut |e| within(unit, e)));
    conditions(unit, &mut form.stmt);
}

/// Conditions of statements.
fn conditions(unit: &Unit, s: &mut Stmt) {
    if let StmtKind::If { cond, .. } = &mut s.kind {
        as_truth(unit, cond);
    }
    s.stmts_mut().into_iter().for_each(|s| conditions(unit, s));
}

fn within(unit: &Unit, e: &mut Expr) {
    match &mut e.kind {
        ExprKind::Unary(UnOp::Not, p) => as_truth(unit, p),
        ExprKind::Binary(BinOp::And | BinOp::Or, a, b) => [a, b].into_iter().for_each(|x| as_truth(unit, x)),
        ExprKind::Cond(c, ..) => as_truth(unit, c),
        ExprKind::Binary(op @ BinOp::Ne, p, function)
            if p.ty.signature().is_some() && matches!(function.kind, ExprKind::Function(_)) =>
        {
            *op = BinOp::Eq;
            e.kind = ExprKind::Unary(UnOp::Not, Box::new(e.clone()));
        }
        ExprKind::Binary(op @ (BinOp::Eq | BinOp::Ne), a, b) => {
            let is_equal = *op == BinOp::Eq;
            if let Some(made) = compared(unit, a, b) {
                let not =
                    |x: Expr| Expr { ty: x.ty.clone(), span: e.span, kind: ExprKind::Unary(UnOp::Not, Box::new(x)) };
                *e = if is_equal { not(made) } else { made };
            }
        }
        _ => {}
    }
}

/// A pointer as the condition that it is.
fn as_truth(unit: &Unit, e: &mut Expr) {
    if leads(e) {
        *e = is_there(unit, e);
    }
}

/// `a != b`, where one is null or both are places of one array.
fn compared(unit: &Unit, a: &Expr, b: &Expr) -> Option<Expr> {
    match (is_null(a), is_null(b)) {
        (true, true) => Some(integer(0, a.span)),
        (true, false) if leads(b) => Some(is_there(unit, b)),
        (false, true) if leads(a) => Some(is_there(unit, a)),
        (false, false) if a.ty.is_pointer_like() && b.ty.is_pointer_like() => {
            let (x, y) = (Place::of(a)?, Place::of(b)?);
            // A call may give another pointer each time.
            let are_one = same_expr(&x.base, &y.base) && effects::is_plain(&x.base);
            are_one.then(|| binary(BinOp::Ne, x.elements, y.elements))
        }
        _ => None,
    }
}

/// Test that a pointer is not null. So is what lies behind one; an array never is, but where a parameter is written as one.
fn is_there(unit: &Unit, p: &Expr) -> Expr {
    let mut base = p.clone();
    if let Some(place) = Place::of(p).filter(|_| effects::is_plain(p)) {
        base = place.base;
        while let ExprKind::Cast(inner) = base.kind {
            base = *inner;
        }
    }
    let is_parameter = |v| unit.var(v).storage == Storage::Param;
    match base.kind {
        ExprKind::Int(n) => integer(i64::from(n != 0), p.span),
        ExprKind::Function(_) => integer(1, p.span),
        ExprKind::Unary(UnOp::AddrOf, _) if effects::is_plain(&base) => integer(1, p.span),
        ExprKind::Var(v) if matches!(base.ty, Type::Array { .. }) && !is_parameter(v) => integer(1, p.span),
        _ => binary(BinOp::Ne, base, integer(0, p.span)),
    }
}

/// Test for a pointer, or what is one where it is used.
fn leads(e: &Expr) -> bool {
    e.ty.is_pointer_like() || matches!(e.ty, Type::Function(_))
}

fn is_null(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Int(0) => true,
        ExprKind::Cast(inner) => e.ty.is_pointer_like() && is_null(inner),
        _ => false,
    }
}
