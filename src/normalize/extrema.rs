//! Maxima and minima of a loop, as rewrites see them: the updates in it, under which loops and conditions they stand, and what
//! stands in their place.

use super::substitution::{Values, put};
use crate::ast::build::ast_builder::{converted, plain, surround};
use crate::ast::{Expr, ExprKind, Stmt, StmtKind, Unit, VarId};
use crate::facts::changes::Changes;
use crate::facts::header::{first_value, step_of};
use crate::facts::reduction::{self, Reduction};
use crate::facts::symbolic::same_expr;
use crate::facts::{arrays, effects};
use std::collections::BTreeSet;

/// A loop around an update: its head.
#[derive(Clone)]
pub struct Head {
    pub counter: VarId,
    pub first: Expr,
    pub cond: Expr,
    pub step: i64,
}

/// An update of a maximum or minimum, and the loops around it.
pub struct Update {
    pub r: Reduction,
    pub loops: Vec<Head>,
    /// Flag: not every iteration comes to it.
    pub is_conditional: bool,
    n_places: usize,
}

impl Update {
    /// Test that it is of one of so many maxima that a thread finds each, in C's order: of those of a matrix. Its value may stand in
    /// variables of the loop. `around`: the counters of the loops around.
    pub fn is_one_of_many(&self, s: &Stmt, around: &[VarId]) -> bool {
        let is_value_of = |v: VarId| {
            let from = effects::computed_from(s, BTreeSet::from([v]), &|_| false);
            from.iter().any(|v| *v != self.r.data && self.r.value.mentions(*v))
        };
        let is_of = |v: &&VarId| self.r.target.mentions(**v) || is_value_of(**v);
        around.iter().filter(is_of).count() > 1
    }

    /// Test that what accumulates is a variable, and no element.
    pub fn is_of_variable(&self) -> bool {
        matches!(self.r.target.kind, ExprKind::Var(_))
    }
}

/// The updates in a statement below loops that count, as they follow each other in an iteration.
pub fn updates(unit: &Unit, s: &Stmt) -> Vec<Update> {
    let mut out = vec![];
    updates_in(unit, s, (&mut vec![], false), &mut out);
    out
}

fn updates_in(unit: &Unit, s: &Stmt, (loops, is_conditional): (&mut Vec<Head>, bool), out: &mut Vec<Update>) {
    if !matches!(s.kind, StmtKind::For { .. })
        && let Some(r) = reduction::recognise(unit, s)
    {
        let n_places = effects::places([s], r.data).len();
        return out.push(Update { r, loops: loops.clone(), is_conditional, n_places });
    }
    match &s.kind {
        StmtKind::Block(list) => list.iter().for_each(|s| updates_in(unit, s, (loops, is_conditional), out)),
        StmtKind::If { then, other: None, .. } => updates_in(unit, then, (loops, true), out),
        StmtKind::For { init: Some(init), cond: Some(cond), step: Some(step), body } => {
            let Some((counter, first)) = first_value(init) else { return };
            let Some(by) = step_of(step, counter) else { return };
            loops.push(Head { counter, first: first.clone(), cond: cond.clone(), step: by });
            updates_in(unit, body, (loops, is_conditional), out);
            loops.pop();
        }
        _ => {}
    }
}

/// Those of one target by the target, where some are as `is_asked` says.
pub fn by_target<'a>(found: &'a [Update], is_asked: &dyn Fn(&Reduction) -> bool) -> Vec<Vec<&'a Update>> {
    let targets: BTreeSet<VarId> = found.iter().filter(|x| is_asked(&x.r)).map(|x| x.r.data).collect();
    targets.into_iter().map(|v| found.iter().filter(|x| x.r.data == v).collect()).collect()
}

/// Test that a loop does nothing with a target but these updates, which compare alike. An element of an array is surely there if
/// the loop has an iteration.
pub fn are_alone(unit: &Unit, s: &Stmt, changes: &Changes, updates: &[&Update]) -> bool {
    let first = &updates[0].r;
    let is_alike = |x: &&Update| {
        (x.r.op, x.r.takes_nan) == (first.op, first.takes_nan)
            && same_expr(&x.r.target, &first.target)
            && is_steady(unit, &x.r.value)
    };
    let Some((_, subscripts)) = arrays::subscripts(&first.target) else { return false };
    let n_places: usize = updates.iter().map(|x| x.n_places).sum();
    let continues = || s.stmts().iter().any(|body| body.exits().continues);
    let comes_to_all = || updates.iter().all(|x| !x.is_conditional && x.loops.len() == 1) && !continues();
    updates.iter().all(is_alike)
        && subscripts.iter().all(|e| changes.keep(unit, e))
        && effects::places([s], first.data).len() == n_places
        && !s.exits().leaves_loop()
        && (updates[0].is_of_variable() || comes_to_all() && runs(unit, s).is_some())
}

/// Test for a loop that is an accumulation as a whole, whatever bounds it.
pub fn is_whole(unit: &Unit, s: &Stmt) -> bool {
    reduction::updates_in(s).is_some_and(|s| reduction::recognise(unit, s).is_some())
}

/// Replaces updates in a statement, each under its conditions, where `by` says what with.
pub fn replace(unit: &Unit, s: &mut Stmt, by: &mut dyn FnMut(&Reduction) -> Option<Vec<Stmt>>) {
    if let Some(split) = split(unit, s, by) {
        s.kind = StmtKind::Block(split);
        return;
    }
    if let StmtKind::Block(list) = &mut s.kind {
        let of = |mut s: Stmt| {
            split(unit, &s, by).unwrap_or_else(|| {
                replace(unit, &mut s, by);
                vec![s]
            })
        };
        *list = std::mem::take(list).into_iter().flat_map(of).collect();
        return;
    }
    s.stmts_mut().into_iter().for_each(|s| replace(unit, s, by));
}

/// The statements that an update becomes, under its conditions.
fn split(unit: &Unit, s: &Stmt, by: &mut dyn FnMut(&Reduction) -> Option<Vec<Stmt>>) -> Option<Vec<Stmt>> {
    if matches!(s.kind, StmtKind::For { .. }) {
        return None;
    }
    if let Some(r) = reduction::recognise(unit, s) {
        return by(&r);
    }
    let StmtKind::If { cond, then, other: None } = &s.kind else { return None };
    let then = match &then.kind {
        StmtKind::Block(list) => list.as_slice(),
        _ => std::slice::from_ref(&**then),
    };
    let [then] = then else { return None };
    let split = is_steady(unit, cond).then(|| split(unit, then, by))??;
    Some(split.into_iter().map(|then| taken_if(cond.clone(), then)).collect())
}

/// Puts statements before and behind a loop. `is_there`: they name no element that need not be there without an iteration.
pub fn put_around(unit: &Unit, s: &mut Stmt, before: Vec<Stmt>, behind: Vec<Stmt>, is_there: bool) {
    let runs = runs(unit, s);
    surround(s, before, behind);
    if let (Some(cond), false) = (runs, is_there) {
        let then = Box::new(plain(std::mem::replace(&mut s.kind, StmtKind::Empty), s.span));
        s.kind = StmtKind::If { cond, then, other: None };
    }
}

/// The condition under which a loop has an iteration.
fn runs(unit: &Unit, s: &Stmt) -> Option<Expr> {
    let StmtKind::For { init: Some(init), cond: Some(cond), .. } = &s.kind else { return None };
    let (counter, first) = first_value(init)?;
    let mut cond = cond.clone();
    put(&mut cond, &Values::from([(counter, converted(first, &unit.var(counter).ty))]));
    Some(cond)
}

/// Test that an expression may be computed twice.
pub fn is_steady(unit: &Unit, e: &Expr) -> bool {
    Changes::default().keeps(unit, e)
}

/// `cond ? a : b`.
pub fn choice(cond: Expr, a: Expr, b: Expr) -> Expr {
    let (ty, span) = (a.ty.clone(), a.span);
    Expr { kind: ExprKind::Cond(Box::new(cond), Box::new(a), Box::new(b)), ty, span }
}

/// `if (cond) then`.
pub fn taken_if(cond: Expr, then: Stmt) -> Stmt {
    let span = then.span;
    plain(StmtKind::If { cond, then: Box::new(then), other: None }, span)
}
