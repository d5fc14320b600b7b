//! Loops that count down in their condition, as `for` loops that do so at their head.
//!
//! ```text
//! while (n--)                            for (int n' = n - 1; n' >= 0; n'--)
//!     a[n] = 2;                  ->          a[n'] = 2;
//! for (i = n; i-- > 0;)                  for (int i' = n - 1; i' >= 0; i'--)
//!     a[i] = 2;                              a[i'] = 2;
//! ```
//! The counter is another variable of that name. Nothing else in the loop sets the variable, and nobody reads it behind. One
//! below zero at the beginning is no matter: such a loop does not run, or comes to what C does not define.

use super::form::{Context, Form};
use crate::ast::build::ast_builder::{declared, integer};
use crate::ast::{BinOp, Expr, ExprKind, IntKind, Stmt, StmtKind, Storage, Type, Unit, Var, VarId};
use crate::facts::effects;
use crate::facts::function::FunctionFacts;
use crate::facts::header::first_value;

/// Gives every such loop of a form its head.
pub fn open(form: &mut Form<'_>, context: &mut Context<'_>) {
    inside(context.unit, context.facts, &mut form.stmt);
}

fn inside(unit: &mut Unit, facts: &FunctionFacts, s: &mut Stmt) {
    if let Some((v, first)) = counted_down(unit, facts, s) {
        begin(unit, v, first, s);
    }
    s.stmts_mut().into_iter().for_each(|s| inside(unit, facts, s));
}

/// The variable that a loop counts down in its condition, and its value before the loop.
fn counted_down(unit: &Unit, facts: &FunctionFacts, s: &Stmt) -> Option<(VarId, Expr)> {
    let (init, cond, body) = match &s.kind {
        StmtKind::While { cond, body } => (None, cond, body),
        StmtKind::For { init, cond: Some(cond), step: None, body } => (init.as_deref(), cond, body),
        _ => return None,
    };
    let (v, is_signed_only) = lowered(cond)?;
    let var = unit.var(v);
    let Type::Int(kind) = var.ty else { return None };
    let is_own = matches!(var.storage, Storage::Local | Storage::Param) && !facts.seen.contains(&v);
    let is_set = effects::assigned([&**body]).contains(&v);
    if !is_own || is_set || kind.is_unsigned() && is_signed_only || facts.live_behind(s.span).contains(v) {
        return None;
    }
    let first = match init {
        None => Expr { kind: ExprKind::Var(v), ty: var.ty.clone(), span: cond.span },
        Some(init) => first_value(init).filter(|(x, e)| *x == v && effects::is_plain(e))?.1.clone(),
    };
    matches!(first.ty, Type::Int(_)).then_some((v, first))
}

/// The variable that a condition makes one less, while that was above zero; and whether it says so of signed numbers alone.
fn lowered(cond: &Expr) -> Option<(VarId, bool)> {
    let one_less = |e: &Expr, before: bool| match &e.kind {
        ExprKind::IncDec { inc: false, prefix, target } if *prefix == before => match target.kind {
            ExprKind::Var(v) => Some(v),
            _ => None,
        },
        _ => None,
    };
    let is_zero = |e: &Expr| matches!(e.kind, ExprKind::Int(0));
    match &cond.kind {
        ExprKind::Binary(BinOp::Gt | BinOp::Ne, a, b) if is_zero(b) => one_less(a, false).map(|v| (v, false)),
        ExprKind::Binary(BinOp::Ge, a, b) if is_zero(b) => one_less(a, true).map(|v| (v, true)),
        _ => one_less(cond, false).map(|v| (v, false)),
    }
}

fn begin(unit: &mut Unit, v: VarId, first: Expr, s: &mut Stmt) {
    let (span, ty) = (s.span, unit.var(v).ty.clone());
    let is_unsigned = matches!(ty, Type::Int(kind) if kind.is_unsigned());
    let own = if is_unsigned { Type::Int(IntKind::Long) } else { ty.clone() };
    let counter = unit.add(Var::new(unit.var(v).name.clone(), own.clone(), Storage::Local, span));
    let value = Expr { kind: ExprKind::Var(counter), ty: own.clone(), span };
    let as_own =
        |e: Expr| if e.ty == own { e } else { Expr { span, kind: ExprKind::Cast(Box::new(e)), ty: own.clone() } };
    let of = |op, a: Expr, ty: &Type| Expr {
        kind: ExprKind::Binary(op, Box::new(a), Box::new(integer(if op == BinOp::Sub { 1 } else { 0 }, span))),
        ty: ty.clone(),
        span,
    };
    let (StmtKind::While { body, .. } | StmtKind::For { body, .. }) = &mut s.kind else { return };
    let as_before = match is_unsigned {
        true => Expr { kind: ExprKind::Cast(Box::new(value.clone())), ty, span },
        false => value.clone(),
    };
    body.replace(v, &as_before);
    let body = std::mem::replace(body, Box::new(Stmt { kind: StmtKind::Empty, span, directives: vec![] }));
    let down = ExprKind::IncDec { inc: false, prefix: false, target: Box::new(value.clone()) };
    s.kind = StmtKind::For {
        init: Some(Box::new(declared(counter, of(BinOp::Sub, as_own(first), &own)))),
        cond: Some(of(BinOp::Ge, value, &Type::Int(IntKind::Int))),
        step: Some(Expr { kind: down, ty: own.clone(), span }),
        body,
    };
}
