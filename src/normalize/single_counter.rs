//! Single counters: heads of `for` loops that hold more than one counter, with the rest where statements are.
//!
//! ```text
//! for (i = 0, s = 0; i < n; i++)              s = 0;
//!     s += a[i];                     ->       for (i = 0; i < n; i++)
//!                                                 s += a[i];
//! for (int i = 0, j = n - 1; i < n; i++, j--) for (int i = 0; i < n; i++)
//!     b[i] = a[j];                   ->           b[i] = a[n - 1 - i];
//! ```
//! A second variable that moves by a constant, and that nobody reads but the loop, follows from the counter; another moves
//! at the end of the body, which no `continue` may leave then.

use super::form::{Context, Form};
use super::loop_canonicalization::moved;
use crate::ast::build::ast_builder::{binary, converted, integer, plain, surround};
use crate::ast::{BinOp, Expr, ExprKind, IntKind, Stmt, StmtKind, Storage, Type, Unit, VarId};
use crate::facts::changes::Changes;
use crate::facts::effects;
use crate::facts::function::FunctionFacts;
use crate::facts::header::{first_value, step_of};
use crate::facts::liveness::Live;
use std::collections::BTreeSet;

/// Opens the heads in a statement that do.
pub fn open(form: &mut Form<'_>, context: &mut Context<'_>) {
    if form.has_loop() {
        let live = form.live_behind(context);
        inside(context.unit, context.facts, &live, &mut form.stmt);
    }
}

/// `live`: behind the statement.
fn inside(unit: &Unit, facts: &FunctionFacts, live: &Live, s: &mut Stmt) {
    if let Some(head) = Head::of(s) {
        head.open(unit, facts, live, s);
    }
    let below = live.behind_children(s);
    s.stmts_mut().into_iter().zip(&below).for_each(|(s, live)| inside(unit, facts, live, s));
}

/// The parts of a head with more than one variable.
struct Head {
    counter: VarId,
    by: i64,
    first: Stmt,
    step: Expr,
    /// Other variables, set before the loop, and moved behind each iteration.
    set: Vec<(VarId, Stmt)>,
    moves: Vec<(VarId, Expr)>,
}

impl Head {
    fn of(s: &Stmt) -> Option<Head> {
        let StmtKind::For { init: Some(init), cond: Some(cond), step: Some(step), body } = &s.kind else { return None };
        let (mut set, mut moves) = (settings(init)?, movements(step)?);
        if set.len() == 1 && moves.len() == 1 {
            return None;
        }
        let is_counter = |v: VarId| cond.mentions(v) && set.iter().any(|(x, _)| *x == v);
        let at = moves.iter().position(|(v, _)| is_counter(*v))?;
        let (counter, step) = moves.remove(at);
        let (_, first) = set.remove(set.iter().position(|(v, _)| *v == counter)?);
        let is_apart = |v: &VarId| *v != counter && !effects::mentioned([&first]).contains(v);
        let others: Vec<VarId> = set.iter().map(|(v, _)| *v).collect();
        let is_known = others.iter().all(is_apart)
            && set.iter().all(|(_, s)| !effects::mentioned([s]).contains(&counter))
            && others.iter().collect::<BTreeSet<_>>().len() == others.len()
            && !moves.iter().any(|(v, _)| *v == counter)
            && (moves.is_empty() || !body.exits().any());
        is_known.then_some(Head { counter, by: step_of(&step, counter)?, first, step, set, moves })
    }

    fn open(mut self, unit: &Unit, facts: &FunctionFacts, live: &Live, s: &mut Stmt) {
        let place = s.span;
        let StmtKind::For { init, step, body, cond } = &mut s.kind else { return };
        let changes = Changes::of([&**body]);
        let mut left = vec![];
        for (v, e) in self.moves.clone() {
            let is_own = matches!(unit.var(v).storage, Storage::Local | Storage::Param)
                && !facts.seen.contains(&v)
                && !cond.as_ref().is_some_and(|c| c.mentions(v));
            // A variable that calls brought is in no text of this function.
            let named = effects::places([&facts.function.body], v);
            let is_in_loop = !named.is_empty() && named.iter().all(|x| place.encloses(*x));
            let is_the_loops = is_in_loop || !live.contains(v);
            let value = (is_own && is_the_loops && !changes.assigned.contains(&v))
                .then(|| self.value_of(unit, v, &e, &changes))
                .flatten();
            match value {
                Some(value) => {
                    body.exprs_mut(&mut |e| e.replace(v, &value));
                    self.set.retain(|(x, _)| *x != v);
                }
                None => left.push(plain(StmtKind::Expr(e.clone()), e.span)),
            }
        }
        if !left.is_empty() {
            let span = body.span;
            let own = std::mem::replace(&mut **body, plain(StmtKind::Empty, span));
            **body = plain(StmtKind::Block(std::iter::once(own).chain(left).collect()), span);
        }
        (**init.as_mut().expect("it has one"), *step) = (self.first, Some(self.step));
        let before: Vec<Stmt> = self.set.into_iter().map(|(_, s)| s).collect();
        if !before.is_empty() {
            surround(s, before, vec![]);
        }
    }

    /// Value of a variable in an iteration, if that follows from the counter.
    fn value_of(&self, unit: &Unit, v: VarId, moves: &Expr, changes: &Changes) -> Option<Expr> {
        let is_number = |e: &Expr| matches!(e.ty, Type::Int(IntKind::Int | IntKind::Long));
        let (_, begins) = first_value(&self.set.iter().find(|(x, _)| *x == v)?.1)?;
        let (_, first) = first_value(&self.first)?;
        let others = self.set.iter().filter(|(x, _)| *x != v).any(|(x, _)| begins.mentions(*x));
        let moves_on = |e: &Expr| e.mentions(self.counter) || self.moves.iter().any(|(x, _)| e.mentions(*x));
        let stays = |e: &Expr| is_number(e) && changes.keep(unit, e) && !moves_on(e);
        let is_counted = !changes.assigned.contains(&self.counter);
        let is_signed = |v: VarId| matches!(unit.var(v).ty, Type::Int(IntKind::Int | IntKind::Long));
        if others
            || !is_counted
            || self.by.abs() != 1
            || !stays(begins)
            || !stays(first)
            || ![v, self.counter].into_iter().all(is_signed)
        {
            return None;
        }
        let (span, ty) = (moves.span, unit.var(v).ty.clone());
        let by = step_of(moves, v)? * self.by;
        let of = |op, a: Expr, b: Expr| Expr { span, ..binary(op, a, b) };
        let counter = Expr { kind: ExprKind::Var(self.counter), ty: unit.var(self.counter).ty.clone(), span };
        let done =
            if matches!(first.kind, ExprKind::Int(0)) { counter } else { of(BinOp::Sub, counter, first.clone()) };
        let moved = if by.abs() == 1 { done } else { of(BinOp::Mul, done, integer(by.abs(), span)) };
        Some(converted(&of(if by > 0 { BinOp::Add } else { BinOp::Sub }, begins.clone(), moved), &ty))
    }
}

/// The variables that the first part of a head sets, each with a statement for it.
fn settings(init: &Stmt) -> Option<Vec<(VarId, Stmt)>> {
    match &init.kind {
        StmtKind::Decl(ds) => {
            let alone = |d: &crate::ast::Declarator| {
                d.init.is_some().then(|| (d.var, Stmt { kind: StmtKind::Decl(vec![d.clone()]), ..init.clone() }))
            };
            ds.iter().map(alone).collect()
        }
        StmtKind::Expr(e) => {
            let setting = |e: &Expr| {
                let (v, value) = effects::plainly_assigned(e)?;
                has_no_effects(value).then(|| (v, plain(StmtKind::Expr(e.clone()), e.span)))
            };
            listed(e).into_iter().map(setting).collect()
        }
        _ => None,
    }
}

/// The variables that the last part of a head moves by constants, each with the expression that does.
fn movements(step: &Expr) -> Option<Vec<(VarId, Expr)>> {
    listed(step).into_iter().map(|e| Some((moved(e)?, e.clone()))).collect()
}

/// The expressions between commas.
pub(super) fn listed(e: &Expr) -> Vec<&Expr> {
    match &e.kind {
        ExprKind::Comma(a, b) => [listed(a), listed(b)].concat(),
        _ => vec![e],
    }
}

fn has_no_effects(e: &Expr) -> bool {
    let mut none = true;
    e.walk(&mut |e| {
        let is_effect = matches!(
            e.kind,
            ExprKind::Assign { .. } | ExprKind::IncDec { .. } | ExprKind::Call { .. } | ExprKind::Comma(..)
        );
        none &= !is_effect;
    });
    none
}
