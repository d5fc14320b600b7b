//! Loop canonicalization: loops that count without saying so at their head, as `for` loops that do.
//!
//! ```text
//! int k = 0;                             int k;
//! while (k < n) {              ->        for (k = 0; k < n; k++)
//!     s += x[k];                             s += x[k];
//!     k++;
//! }
//!
//! do { ...; k++; } while (k < n);        for (k = 0; k < (n > 0 ? n : 1); k++) ...
//! ```
//! A loop counts if its condition compares one variable, the last statement of its body moves that by a constant or a size,
//! nothing else in it does, and no `continue` passes that by. It begins where the nearest statement before it in its block puts the
//! variable. One that tests behind its iterations has one at least: its first value is a number, and it moves towards its
//! limit.

use super::form::{Context, Form};
use crate::ast::build::ast_builder::{self, assigned, integer};
use crate::ast::visit::Piece;
use crate::ast::{BinOp, Declarator, Expr, ExprKind, Function, Stmt, StmtKind, Storage, Type, Unit, VarId};
use crate::facts::changes::Changes;
use crate::facts::effects;
use crate::facts::header::{step_by, step_of};
use crate::source::Span;
use std::collections::BTreeSet;

/// Gives every such loop of a statement its head. The first value of a loop that is the statement itself stands before
/// it in the function.
pub fn open(form: &mut Form<'_>, context: &mut Context<'_>) {
    let (unit, seen, s) = (&*context.unit, &context.facts.seen, &mut form.stmt);
    let f = context.facts.function;
    if let Some(v) = counter(unit, seen, s)
        && let Some(first) = before(&f.body, s.span).and_then(|siblings| first_value(unit, siblings, v))
    {
        s.kind = begun(unit, s, v, first.clone()).unwrap_or(s.kind.clone());
    }
    inside(unit, f, seen, s);
}

/// `seen`: the variables of the function that may be read, and set, in other ways than by name.
fn inside(unit: &Unit, f: &Function, seen: &BTreeSet<VarId>, s: &mut Stmt) {
    if let StmtKind::Block(list) = &mut s.kind {
        for at in 0..list.len() {
            let Some(v) = counter(unit, seen, &list[at]) else { continue };
            let Some(first) = first_value(unit, &list[..at], v).cloned() else { continue };
            let Some(kind) = begun(unit, &list[at], v, first) else { continue };
            let end = list[at].span.hi;
            let is_used_behind = effects::mentioned(&list[at + 1..]).contains(&v);
            // The counter is this loop's alone: where it stood before, it is only declared.
            if !is_used_behind && undeclare(f, &mut list[..at], v, end) {
                list[at].kind = kind;
            }
        }
    }
    s.stmts_mut().into_iter().for_each(|s| inside(unit, f, seen, s));
}

/// The variable that a loop counts with, if its head does not put it anywhere.
fn counter(unit: &Unit, seen: &BTreeSet<VarId>, s: &Stmt) -> Option<VarId> {
    let v = match &s.kind {
        StmtKind::While { body, .. } | StmtKind::DoWhile { body, .. } => {
            let StmtKind::Block(list) = &body.kind else { return None };
            let (last, others) = list.split_last()?;
            let StmtKind::Expr(step) = &last.kind else { return None };
            let changes = Changes::of(others);
            let v = moved(step).or_else(|| moved_by_size(unit, step, &changes))?;
            (!changes.assigned.contains(&v) && !others.iter().any(|s| s.exits().any())).then_some(v)?
        }
        StmtKind::For { init: None, step: Some(step), body, .. } => {
            let changes = Changes::of([&**body]);
            let v = moved(step).or_else(|| moved_by_size(unit, step, &changes))?;
            (!changes.assigned.contains(&v)).then_some(v)?
        }
        _ => return None,
    };
    let (StmtKind::While { cond, .. } | StmtKind::DoWhile { cond, .. } | StmtKind::For { cond: Some(cond), .. }) =
        &s.kind
    else {
        return None;
    };
    let ExprKind::Binary(BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge | BinOp::Ne, a, b) = &cond.kind else {
        return None;
    };
    let is_own = matches!(unit.var(v).storage, Storage::Local | Storage::Param) && !seen.contains(&v);
    let is_counted = matches!(unit.var(v).ty, Type::Int(_)) && is_own && a.mentions(v) != b.mentions(v);
    is_counted.then_some(v)
}

/// The variable that an expression moves by a constant.
pub(super) fn moved(step: &Expr) -> Option<VarId> {
    let (ExprKind::IncDec { target, .. } | ExprKind::Assign { target, .. }) = &step.kind else { return None };
    let ExprKind::Var(v) = target.kind else { return None };
    step_of(step, v).map(|_| v)
}

/// The variable that an expression moves by a value that is the same in each iteration.
fn moved_by_size(unit: &Unit, step: &Expr, changes: &Changes) -> Option<VarId> {
    let ExprKind::Assign { target, .. } = &step.kind else { return None };
    let ExprKind::Var(v) = target.kind else { return None };
    let (_, by) = step_by(step, v)?;
    (!by.mentions(v) && changes.keep(unit, by)).then_some(v)
}

/// The statements that stand before a place in its block.
pub(super) fn before(body: &Stmt, place: Span) -> Option<&[Stmt]> {
    let mut found = None;
    body.walk(&mut |piece| {
        if let Piece::Stmt(Stmt { kind: StmtKind::Block(list), .. }) = piece
            && let Some(at) = list.iter().position(|s| s.span == place)
        {
            found = Some(&list[..at]);
        }
    });
    found
}

/// Value that the last of these statements to touch a variable puts there, if that is still the same behind them all, and
/// nobody gets there by another way: a label, a `case`.
fn first_value<'a>(unit: &Unit, stmts: &'a [Stmt], v: VarId) -> Option<&'a Expr> {
    let at = stmts.iter().rposition(|s| touches(s, v))?;
    let value = put(&stmts[at], v)?;
    let between = &stmts[at + 1..];
    let is_known = !value.mentions(v) && !between.iter().any(Stmt::is_entered_elsewhere);
    (is_known && Changes::of(between).keep(unit, value)).then_some(value)
}

/// Value that the last of these statements to set a variable gives it, if that is still the same behind them all, and nobody gets
/// there by another way.
pub(super) fn last_value<'a>(unit: &Unit, stmts: &'a [Stmt], v: VarId) -> Option<&'a Expr> {
    let at = stmts.iter().rposition(|s| Changes::with_calls(unit, [s]).assigned.contains(&v))?;
    let value = put(&stmts[at], v)?;
    let between = &stmts[at + 1..];
    let is_known = !value.mentions(v) && !between.iter().any(Stmt::is_entered_elsewhere);
    (is_known && Changes::with_calls(unit, between).keep(unit, value)).then_some(value)
}

fn touches(s: &Stmt, v: VarId) -> bool {
    let declares = |d: &Declarator| d.var == v;
    effects::mentioned([s]).contains(&v) || matches!(&s.kind, StmtKind::Decl(ds) if ds.iter().any(declares))
}

/// The value that a statement puts into a variable.
pub(super) fn put(s: &Stmt, v: VarId) -> Option<&Expr> {
    match &s.kind {
        StmtKind::Decl(ds) => ds.iter().find(|d| d.var == v)?.init.as_ref(),
        StmtKind::Expr(Expr { kind: ExprKind::Assign { op: None, target, value }, .. }) => {
            target.is_var(v).then_some(value)
        }
        _ => None,
    }
}

/// Takes away what puts the first value of a loop, at `end`, into its counter, if nobody else can see that.
fn undeclare(f: &Function, stmts: &mut [Stmt], v: VarId, end: u32) -> bool {
    let Some(at) = stmts.iter().rposition(|s| touches(s, v)) else { return false };
    let span = stmts[at].span;
    match &mut stmts[at].kind {
        StmtKind::Decl(ds) => {
            ds.iter_mut().filter(|d| d.var == v).for_each(|d| d.init = None);
            true
        }
        kind => {
            let places = effects::places([&f.body], v);
            let is_alone = !places.is_empty() && places.iter().all(|x| x.lo >= span.lo && x.hi <= end);
            if is_alone {
                *kind = StmtKind::Empty;
            }
            is_alone
        }
    }
}

/// The condition of a loop behind whose iterations this one stands, before them: it holds for the first value, a number, too.
fn once_at_least(cond: &Expr, v: VarId, first: &Expr, step: i64) -> Option<Expr> {
    let ExprKind::Binary(op, a, limit) = &cond.kind else { return None };
    let ExprKind::Int(first) = first.kind else { return None };
    let beyond = match op {
        BinOp::Lt if step > 0 => first.checked_add(1)?,
        BinOp::Gt if step < 0 => first.checked_sub(1)?,
        BinOp::Le if step > 0 => first,
        BinOp::Ge if step < 0 => first,
        _ => return None,
    };
    let is_signed = |e: &Expr| matches!(e.ty, Type::Int(kind) if !kind.is_unsigned());
    if !a.is_var(v) || !is_signed(a) || !is_signed(limit) {
        return None;
    }
    let number = |n: i64| Expr { ty: limit.ty.clone(), ..integer(n, cond.span) };
    let holds = ast_builder::binary(*op, number(first), (**limit).clone());
    let kind = ExprKind::Cond(Box::new(holds), limit.clone(), Box::new(number(beyond)));
    let limit = Expr { kind, ty: limit.ty.clone(), span: cond.span };
    Some(ast_builder::binary(*op, (**a).clone(), limit))
}

/// The loop as a `for` that begins at a value.
fn begun(unit: &Unit, s: &Stmt, v: VarId, first: Expr) -> Option<StmtKind> {
    let span = s.span;
    let (cond, step, mut body) = match &s.kind {
        StmtKind::While { cond, body } => {
            let StmtKind::Block(list) = &body.kind else { return None };
            let Some((Stmt { kind: StmtKind::Expr(step), .. }, others)) = list.split_last() else { return None };
            let kind = StmtKind::Block(others.to_vec());
            (Some(cond.clone()), Some(step.clone()), Box::new(Stmt { kind, ..(**body).clone() }))
        }
        StmtKind::DoWhile { cond, body } => {
            let StmtKind::Block(list) = &body.kind else { return None };
            let Some((Stmt { kind: StmtKind::Expr(step), .. }, others)) = list.split_last() else { return None };
            let cond = once_at_least(cond, v, &first, step_of(step, v)?)?;
            let kind = StmtKind::Block(others.to_vec());
            (Some(cond), Some(step.clone()), Box::new(Stmt { kind, ..(**body).clone() }))
        }
        StmtKind::For { cond, step, body, .. } => (cond.clone(), step.clone(), body.clone()),
        _ => return None,
    };
    if let StmtKind::Block(list) = &mut body.kind
        && list.len() == 1
    {
        *body = list.remove(0);
    }
    let init = Some(Box::new(assigned(None, &unit.read(v, span), first, span)));
    Some(StmtKind::For { init, cond, step, body })
}
