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
//! Nothing else in the loop names the variable, so that it does not matter which iteration sets it, or how many. A loop that
//! is left early is none of these: which iterations run at all depends on it.

use super::form::{Context, Form};
use crate::ast::build::ast_builder::{assigned, declared, integer, plain, surround};
use crate::ast::{BinOp, Expr, ExprKind, IntKind, Stmt, StmtKind, Storage, Type, UnOp, Unit, Var, VarId};
use crate::facts::effects;
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
    let is_flag = |v: &VarId| is_flag(unit, s, body, *v) && !seen.contains(v) && !own.contains(v);
    let assigned: BTreeSet<VarId> = effects::assigned([&**body]).into_iter().collect();
    let flags: Vec<VarId> = assigned.into_iter().filter(is_flag).collect();
    if flags.is_empty() {
        return s.stmts_mut().into_iter().for_each(|s| inside(unit, seen, s));
    }
    let (mut before, mut behind) = (vec![], vec![]);
    for v in flags {
        // It is told of under the name that the user knows.
        let name = unit.var(v).name.clone();
        let is_set = unit.add(Var::new(name, Type::Int(IntKind::Int), Storage::Local, s.span));
        let set = replace(s, v, &unit.read(is_set, s.span));
        before.push(declared(is_set, integer(0, s.span)));
        let cond = unit.read(is_set, s.span);
        behind.extend(set.map(|then| plain(StmtKind::If { cond, then: Box::new(then), other: None }, s.span)));
    }
    surround(s, before, behind);
}

/// Test that all that a loop does with a variable is to set it to one constant, each time under a condition.
fn is_flag(unit: &Unit, s: &Stmt, body: &Stmt, v: VarId) -> bool {
    let var = unit.var(v);
    let is_number = matches!(var.storage, Storage::Local | Storage::Param) && var.ty.is_scalar();
    let mut values = vec![];
    settings(body, v, false, &mut values);
    let is_one = values.first().is_some_and(|first| values.iter().all(|x| is_constant(x) && same_expr(x, first)));
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

/// Puts `rt_set |= 1` in the place of what sets a variable; gives the last of these.
fn replace(s: &mut Stmt, v: VarId, is_set: &Expr) -> Option<Stmt> {
    if let StmtKind::Expr(e) = &s.kind
        && effects::plainly_assigned(e).is_some_and(|(target, _)| target == v)
    {
        let set = assigned(Some(BinOp::BitOr), is_set, integer(1, s.span), s.span);
        return Some(std::mem::replace(s, set));
    }
    s.stmts_mut().into_iter().filter_map(|s| replace(s, v, is_set)).last()
}
