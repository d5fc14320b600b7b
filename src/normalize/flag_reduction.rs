//! Flag reductions: variables that a loop sets to one constant, if at all: whether it does is an accumulation.
//!
//! ```text
//! for (i = 0; i < n; i++)                     int rt_set = 0;
//!     if (x[i] > t) {                         for (i = 0; i < n; i++)
//!         x[i] = t;                               if (x[i] > t) {
//!         changed = 1;              ->                x[i] = t;
//!     }                                               rt_set |= 1;
//!                                                 }
//!                                             if (rt_set) changed = 1;
//! ```
//! One that is set to the counter of the loop, if at all, has the last of these values behind it, which is the largest:
//! ```text
//! for (j = 0; j < n; j++)                     long rt_last = -1;
//!     if (w[j] > t) last = j;       ->        for (j = 0; j < n; j++)
//!                                                 if (w[j] > t) rt_last = rt_last > j ? rt_last : j;
//!                                             if (rt_last >= 0) last = rt_last;
//! ```
//! Nothing else in the loop names the variable, so that it does not matter which iteration sets it, or how many. A loop that
//! is left early is none of these: which iterations run at all depends on it.

use super::form::{Context, Form};
use crate::ast::build::ast_builder::{assigned, binary, converted, declared, integer, plain, surround};
use crate::ast::build::constant;
use crate::ast::{BinOp, Expr, ExprKind, IntKind, Stmt, StmtKind, Storage, Type, UnOp, Unit, Var, VarId};
use crate::facts::effects;
use crate::facts::header::{first_value, step_of};
use crate::facts::symbolic::same_expr;
use std::collections::BTreeSet;

/// Opens the outermost loops of a statement that set such variables.
///
/// `seen`: the variables of the function that may be read in other ways than by name.
pub fn open(form: &mut Form<'_>, context: &mut Context<'_>) {
    inside(context.unit, &context.facts.seen, &mut form.stmt);
}

fn inside(unit: &mut Unit, seen: &BTreeSet<VarId>, s: &mut Stmt) {
    let (StmtKind::For { body, .. }, false) = (&s.kind, s.stmts().iter().any(|s| s.exits().leaves_loop())) else {
        return s.stmts_mut().into_iter().for_each(|s| inside(unit, seen, s));
    };
    let own = effects::declared([&*s]);
    let counter = rising(s, body);
    let is_own = |v: &VarId| !seen.contains(v) && !own.contains(v);
    let is_flag = |v: &VarId| is_own(v) && is_set_to(unit, s, body, *v, &is_constant);
    let carried = &effects::assigned([&**body]) - &effects::declared([&**body]);
    let is_last = |v: &VarId| {
        let is_integer = matches!(unit.var(*v).ty, Type::Int(kind) if kind != IntKind::Bool);
        // The place of an extreme is found with the extreme.
        let mut is_known = true;
        conditions(body, *v, &mut |cond| is_known &= !carried.iter().any(|c| cond.mentions(*c)));
        is_integer && is_known && is_own(v) && counter.is_some_and(|c| is_set_to(unit, s, body, *v, &|e| e.is_var(c)))
    };
    let assigned_here: BTreeSet<VarId> = effects::assigned([&**body]).into_iter().collect();
    let (flags, others): (Vec<VarId>, Vec<VarId>) = assigned_here.into_iter().partition(is_flag);
    let lasts: Vec<VarId> = others.into_iter().filter(is_last).collect();
    if flags.is_empty() && lasts.is_empty() {
        return s.stmts_mut().into_iter().for_each(|s| inside(unit, seen, s));
    }
    let (mut before, mut behind) = (vec![], vec![]);
    for v in lasts {
        let Some(counter) = counter.map(|c| unit.read(c, s.span)) else { continue };
        find_last(unit, s, v, &counter, (&mut before, &mut behind));
    }
    for v in flags {
        // It is told of under the name that the user knows.
        let name = unit.var(v).name.clone();
        let is_set = unit.add(Var::new(name, Type::Int(IntKind::Int), Storage::Local, s.span));
        let one = assigned(Some(BinOp::BitOr), &unit.read(is_set, s.span), integer(1, s.span), s.span);
        let set = replace(s, v, &one);
        before.push(declared(is_set, integer(0, s.span)));
        let cond = unit.read(is_set, s.span);
        behind.extend(set.map(|then| plain(StmtKind::If { cond, then: Box::new(then), other: None }, s.span)));
    }
    s.stmts_mut().into_iter().for_each(|s| inside(unit, seen, s));
    surround(s, before, behind);
}

/// Makes a maximum of a variable that a loop sets to its counter; what stands before the loop then, and behind it.
fn find_last(unit: &mut Unit, s: &mut Stmt, v: VarId, counter: &Expr, out: (&mut Vec<Stmt>, &mut Vec<Stmt>)) {
    let (name, at, ty) = (unit.var(v).name.clone(), s.span, Type::Int(IntKind::Long));
    let part = unit.add(Var::new(name, ty.clone(), Storage::Local, at));
    let (last, target) = (unit.read(part, at), unit.read(v, at));
    let value = converted(counter, &ty);
    let is_later = binary(BinOp::Gt, last.clone(), value.clone());
    let kind = ExprKind::Cond(Box::new(is_later), Box::new(last.clone()), Box::new(value));
    replace(s, v, &assigned(None, &last, Expr { kind, ty: ty.clone(), span: at }, at));
    out.0.push(declared(part, converted(&integer(-1, at), &ty)));
    let value = converted(&converted(&last, &counter.ty), &target.ty);
    let then = Box::new(assigned(None, &target, value, at));
    let cond = binary(BinOp::Ge, last, integer(0, at));
    out.1.push(plain(StmtKind::If { cond, then, other: None }, at));
}

/// The counter of a loop that counts up by one, from a constant that is not below zero.
fn rising(s: &Stmt, body: &Stmt) -> Option<VarId> {
    let StmtKind::For { init: Some(init), step: Some(step), .. } = &s.kind else { return None };
    let (counter, first) = first_value(init)?;
    let is_rising = constant::fold(first).is_some_and(|first| first >= 0) && step_of(step, counter) == Some(1);
    (is_rising && !effects::assigned([body]).contains(&counter)).then_some(counter)
}

/// Calls `f` on the conditions that decide whether a statement sets a variable. Gives whether it does.
fn conditions<'a>(s: &'a Stmt, v: VarId, f: &mut dyn FnMut(&'a Expr)) -> bool {
    let mut sets = matches!(&s.kind, StmtKind::Expr(e) if effects::assigned_by(e) == Some(v));
    for inner in s.stmts() {
        sets |= conditions(inner, v, f);
    }
    if let (true, StmtKind::If { cond, .. }) = (sets, &s.kind) {
        f(cond);
    }
    sets
}

/// Test that all that a loop does with a variable is to set it to one such value, each time under a condition.
fn is_set_to(unit: &Unit, s: &Stmt, body: &Stmt, v: VarId, is_such: &dyn Fn(&Expr) -> bool) -> bool {
    let var = unit.var(v);
    let is_number = matches!(var.storage, Storage::Local | Storage::Param) && var.ty.is_scalar();
    let mut values = vec![];
    settings(body, v, false, &mut values);
    let is_one = values.first().is_some_and(|first| values.iter().all(|x| is_such(x) && same_expr(x, first)));
    is_number && is_one && effects::places([s], v).len() == values.len()
}

/// The values that statements put into a variable under a condition.
fn settings<'a>(s: &'a Stmt, v: VarId, may: bool, values: &mut Vec<&'a Expr>) {
    if let StmtKind::Expr(e) = &s.kind
        && let Some((target, value)) = effects::plainly_assigned(e)
        && target == v
        && may
    {
        values.push(value);
    }
    let may = may || matches!(s.kind, StmtKind::If { .. });
    s.stmts().into_iter().for_each(|s| settings(s, v, may, values));
}

fn is_constant(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Int(_) | ExprKind::Float(..) => true,
        ExprKind::Cast(x) | ExprKind::Unary(UnOp::Neg, x) => is_constant(x),
        _ => false,
    }
}

/// Puts another statement in the place of what sets a variable; gives the last of these.
fn replace(s: &mut Stmt, v: VarId, by: &Stmt) -> Option<Stmt> {
    if let StmtKind::Expr(e) = &s.kind
        && effects::plainly_assigned(e).is_some_and(|(target, _)| target == v)
    {
        let set = Stmt { span: s.span, ..by.clone() };
        return Some(std::mem::replace(s, set));
    }
    s.stmts_mut().into_iter().filter_map(|s| replace(s, v, by)).last()
}
