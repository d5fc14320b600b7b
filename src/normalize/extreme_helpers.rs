//! Helpers that return one of two numbers by a comparison, where what they are given accumulates: as the choice.
//!
//! ```text
//! double larger(double a, double b) { if (a > b) return a; return b; }
//! m = larger(m, x[i]);                                                          m = m > x[i] ? m : x[i];
//! ```
//! So the accumulation is seen. Elsewhere the call stays: the device calls the function, too.

use super::index_helpers::is_choice;
use super::substitution::{self, Values};
use crate::ast::{Expr, ExprKind, Function, Stmt, StmtKind, Unit};
use crate::facts::callable::is_free;
use crate::facts::symbolic::same_expr;

/// Opens the helper in `m = larger(m, x)`.
pub fn open(unit: &Unit, e: &mut Expr) {
    let ExprKind::Assign { op: None, target, value } = &mut e.kind else { return };
    let ExprKind::Call { name, args } = &value.kind else { return };
    let Some((f, choice)) = unit.function(name).and_then(|f| Some((f, choice(f)?))) else { return };
    let is_one_type = f.params.len() == args.len()
        && args.iter().zip(&f.params).all(|(arg, p)| arg.ty == unit.var(*p).ty && arg.ty == target.ty);
    let accumulates = args.iter().any(|arg| same_expr(arg, target));
    if is_one_type && accumulates && f.ret == target.ty && choice.ty == f.ret && args.iter().all(is_free) {
        let given: Values = f.params.iter().copied().zip(args.iter().cloned()).collect();
        let mut chosen = Expr { span: value.span, ..choice };
        substitution::put(&mut chosen, &given);
        **value = chosen;
    }
}

/// The choice that a function returns, of its parameters alone.
fn choice(f: &Function) -> Option<Expr> {
    let StmtKind::Block(body) = &f.body.kind else { return None };
    let chosen = match body.as_slice() {
        [Stmt { kind: StmtKind::Return(Some(e)), .. }] => e.clone(),
        [Stmt { kind: StmtKind::If { cond, then, other: Some(other) }, .. }] => either(cond, then, other)?,
        [Stmt { kind: StmtKind::If { cond, then, other: None }, .. }, other] => either(cond, then, other)?,
        _ => return None,
    };
    is_choice(&chosen).then_some(chosen)
}

fn either(cond: &Expr, then: &Stmt, other: &Stmt) -> Option<Expr> {
    let (a, b) = (returned(then)?, returned(other)?);
    let (ty, span) = (a.ty.clone(), cond.span);
    let kind = ExprKind::Cond(Box::new(cond.clone()), Box::new(a.clone()), Box::new(b.clone()));
    Some(Expr { kind, ty, span })
}

fn returned(s: &Stmt) -> Option<&Expr> {
    match &s.kind {
        StmtKind::Return(e) => e.as_ref(),
        StmtKind::Block(list) => match list.as_slice() {
            [one] => returned(one),
            _ => None,
        },
        _ => None,
    }
}
