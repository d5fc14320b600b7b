//! Maxima and minima that take NaN: `m > x ? m : x` is `x` where either is no number, so that the maximum is one of what follows
//! the last NaN. They pass over NaN, and where there was one the loop runs once more, in order.
//!
//! ```text
//! for (i = 0; i < n; i++) {                    double rt_first = m;
//!     v[i] = f(u[i]);                          int rt_nan = m != m;
//!     m = m > v[i] ? m : v[i];         ->      for (i = 0; i < n; i++) {
//! }                                                v[i] = f(u[i]);
//!                                                  rt_nan |= v[i] != v[i];
//!                                                  if (v[i] >= m) m = v[i];
//!                                              }
//!                                              if (rt_nan) {
//!                                                  m = rt_first;
//!                                                  for (i = 0; i < n; i++) {
//!                                                      double rt_value = f(u[i]);
//!                                                      m = m > rt_value ? m : rt_value;
//!                                                  }
//!                                              }
//! ```
//! A comparison with NaN does not hold (IEEE 754-2019, section 5.11). Programs do not compute with NaN by intention: the flag is a
//! test beside a comparison, and what it guards is marked ([`Stmt::is_rare`]), so that no estimate takes it for work.
//!
//! Of the loop, what its second run takes is what the maximum is computed from. That must be as it was: nothing that it reads is
//! stored in the loop, but for what each iteration sets before it reads it, which is a variable of the iteration then. Loops that
//! update in place (`u[i] += r`), rows whose maxima a thread finds by itself, and what else cannot run again are left alone: there
//! NaN is passed over where the updates do not come in order, as the report says.

use super::extrema::{self, Head, Update, taken_if};
use super::form::{Context, Form};
use super::inlining::own_copy;
use super::substitution::Values;
use super::zero_signs::{self, Locals};
use crate::ast::build::ast_builder::{assigned, binary, converted, declared, plain};
use crate::ast::visit::Piece;
use crate::ast::{BinOp, Declarator, Expr, ExprKind, IntKind, Stmt, StmtKind, Storage, Type, Unit, Var, VarId};
use crate::facts::changes::Changes;
use crate::facts::reduction::Reduction;
use crate::facts::symbolic::same_expr;
use crate::facts::{callable, effects};
use crate::kernel::ReduceOp;
use crate::source::Span;
use crate::source::directive::{Directive, DirectiveKind};
use std::collections::BTreeSet;

/// Rewrites such accumulations, each in the outermost loop that does nothing else with its target.
pub fn open(form: &mut Form<'_>, context: &mut Context<'_>) {
    let locals = zero_signs::locals(context.unit, context.facts, &form.stmt);
    let known = Known { locals, addresses: context.facts.addresses() };
    inside(context.unit, &known, &mut form.stmt, &mut vec![]);
}

/// What is known of a function's variables.
struct Known<'a> {
    locals: Locals,
    addresses: &'a BTreeSet<VarId>,
}

/// `around`: the counters of the loops around.
fn inside(unit: &mut Unit, known: &Known, s: &mut Stmt, around: &mut Vec<VarId>) {
    let mut counter = None;
    let mut all = vec![];
    if let StmtKind::For { init, .. } = &s.kind {
        counter = init.as_deref().and_then(effects::header_counter);
        let found = extrema::updates(unit, s);
        let of_targets = extrema::by_target(&found, &|r| r.takes_nan);
        all.extend(of_targets.iter().filter_map(|updates| Again::of(unit, known, s, updates, around)));
    }
    let mut before: Vec<Stmt> = all.iter().flat_map(Again::first).collect();
    before.extend(all.iter().filter_map(|again| again.pass_over(unit, s)));
    around.extend(counter);
    s.stmts_mut().into_iter().for_each(|s| inside(unit, known, s, around));
    around.truncate(around.len() - usize::from(counter.is_some()));
    if !all.is_empty() {
        let is_there = all.iter().all(|again| matches!(again.target.kind, ExprKind::Var(_)));
        let behind = all.into_iter().map(|again| again.second(unit)).collect();
        extrema::put_around(unit, s, before, behind, is_there);
    }
}

/// A maximum or minimum of a loop, whose second run finds it among NaN.
struct Again {
    target: Expr,
    op: ReduceOp,
    /// Value before the loop, and whether that or one in it is no number.
    first: VarId,
    nan: VarId,
    /// Flag: a loop over a row of any length is an accumulation as a whole, and the flag needs its own.
    is_uneven: bool,
    /// The second run.
    again: Stmt,
    span: Span,
}

impl Again {
    /// None where the updates come in order anyway, or the loop cannot run again.
    fn of(unit: &mut Unit, known: &Known, s: &Stmt, updates: &[&Update], around: &[VarId]) -> Option<Again> {
        let is_in_order =
            updates.iter().any(|x| x.r.in_order) && !zero_signs::are_freed(unit, &known.locals, s, updates, around);
        let is_of_many = || updates.iter().any(|x| x.is_one_of_many(s, around));
        if is_in_order || is_of_many() || !extrema::are_alone(unit, s, &Changes::of([s]), updates) {
            return None;
        }
        let Reduction { target, op, data, .. } = updates[0].r.clone();
        let again = second_run(unit, known, s, data)?;
        let span = s.span;
        let first = unit.add(Var::new("rt_first", target.ty.clone(), Storage::Local, span));
        let nan = unit.add(Var::new("rt_nan", Type::Int(IntKind::Int), Storage::Local, span));
        let is_uneven = extrema::is_whole(unit, s) && updates[0].loops.iter().skip(1).any(|head| is_of_data(s, head));
        Some(Again { target, op, first, nan, is_uneven, again, span })
    }

    /// What is kept from before the loop.
    fn first(&self) -> [Stmt; 2] {
        let m = &self.target;
        [declared(self.first, m.clone()), declared(self.nan, binary(BinOp::Ne, m.clone(), m.clone()))]
    }

    /// Has the updates of a loop pass over NaN, and take note of it: in a loop of its own before it, where that must be.
    fn pass_over(&self, unit: &mut Unit, s: &mut Stmt) -> Option<Stmt> {
        let mut alone = self.is_uneven.then(|| vec![s.clone()]);
        if let Some(alone) = &mut alone {
            self.replace(unit, &mut alone[0], &|nan, _| vec![nan]);
            own_copy(unit, alone, &mut Values::new());
            self.replace(unit, s, &|_, update| vec![update]);
        } else {
            self.replace(unit, s, &|nan, update| vec![nan, update]);
        }
        alone.and_then(|mut alone| alone.pop())
    }

    fn replace(&self, unit: &Unit, s: &mut Stmt, chosen: &dyn Fn(Stmt, Stmt) -> Vec<Stmt>) {
        extrema::replace(unit, s, &mut |r| {
            let (x, m, span) = (&r.value, &self.target, r.value.span);
            let is_nan = binary(BinOp::Ne, x.clone(), x.clone());
            let nan = assigned(Some(BinOp::BitOr), &unit.read(self.nan, span), is_nan, span);
            let op = match self.op {
                ReduceOp::Max => BinOp::Gt,
                ReduceOp::MaxLast => BinOp::Ge,
                ReduceOp::Min => BinOp::Lt,
                _ => BinOp::Le,
            };
            let update = taken_if(binary(op, x.clone(), m.clone()), assigned(None, m, x.clone(), span));
            same_expr(&r.target, m).then(|| chosen(nan, update))
        });
    }

    /// The second run, if there was a NaN.
    fn second(self, unit: &Unit) -> Stmt {
        let span = self.span;
        let start = assigned(None, &self.target, unit.read(self.first, span), span);
        let both = plain(StmtKind::Block(vec![start, self.again]), span);
        let rare = Directive { kind: DirectiveKind::Rare, span };
        Stmt { directives: vec![rare], ..taken_if(unit.read(self.nan, span), both) }
    }
}

/// Test that the data say where a loop within a loop begins or ends.
fn is_of_data(s: &Stmt, head: &Head) -> bool {
    let set = effects::assigned([s]);
    let mut counters = BTreeSet::new();
    s.walk(&mut |piece| {
        if let Piece::Stmt(Stmt { kind: StmtKind::For { init: Some(init), .. }, .. }) = piece {
            counters.extend(effects::header_counter(init));
        }
    });
    let mut is_of_data = false;
    for e in [&head.first, &head.cond] {
        e.walk(&mut |e| {
            let is_set = matches!(e.kind, ExprKind::Var(v) if set.contains(&v) && !counters.contains(&v));
            is_of_data |= is_set || effects::reads_memory(e);
        });
    }
    is_of_data
}

/// A loop as far as a target is computed in it, if it may run again: in variables of its own.
fn second_run(unit: &mut Unit, known: &Known, s: &Stmt, target: VarId) -> Option<Stmt> {
    let mut needed = BTreeSet::from([target]);
    let mut own = loop {
        let own = reduced_to(s, &needed)?;
        let n_known = needed.len();
        needed.extend(effects::mentioned([&own]));
        for v in effects::declared([&own]) {
            effects::lengths(&unit.var(v).ty, &mut |len| len.walk(&mut |e| needed.extend(e.root())));
        }
        if needed.len() == n_known {
            break own;
        }
    };
    let set = effects::assigned([s]);
    let apart: BTreeSet<VarId> = effects::declared([&own]).into_iter().chain([target]).collect();
    own_counters(unit, &mut own);
    let shared = set.difference(&apart).copied().collect();
    let whole = own.clone();
    own_values(unit, &mut own, &whole, &shared);
    let declared = effects::declared([&own]);
    let is_same = |v: &VarId| {
        let var = unit.var(*v);
        let is_number = var.ty.is_scalar();
        let is_seen = var.is_volatile || is_number && known.addresses.contains(v);
        *v == target || !is_seen && (declared.contains(v) && var.storage == Storage::Local || !set.contains(v))
    };
    let mut calls_functions = false;
    s.walk(&mut |piece| {
        if let Piece::Expr(Expr { kind: ExprKind::Call { name, .. }, .. }) = piece {
            calls_functions |= callable::math(name).is_none() || unit.function(name).is_some();
        }
    });
    if calls_functions || !own.is_modelled() || !effects::mentioned([&own]).iter().all(is_same) {
        return None;
    }
    let mut own = [own];
    own_copy(unit, &mut own, &mut Values::new());
    let [own] = own;
    Some(own)
}

/// What is left of a statement if only some variables are of interest, and where an iteration ends.
fn reduced_to(s: &Stmt, needed: &BTreeSet<VarId>) -> Option<Stmt> {
    let sets = |s: &Stmt| !effects::assigned([s]).is_disjoint(needed);
    let kind = match &s.kind {
        StmtKind::Decl(ds) => {
            let ds: Vec<Declarator> = ds.iter().filter(|d| needed.contains(&d.var)).cloned().collect();
            (!ds.is_empty()).then_some(StmtKind::Decl(ds))?
        }
        StmtKind::Block(list) => {
            let list: Vec<Stmt> = list.iter().filter_map(|s| reduced_to(s, needed)).collect();
            (!list.is_empty()).then_some(StmtKind::Block(list))?
        }
        _ if !sets(s) && !s.exits().leaves() => return None,
        StmtKind::If { cond, then, other } => {
            let of = |s: &Stmt| Box::new(reduced_to(s, needed).unwrap_or_else(|| plain(StmtKind::Empty, s.span)));
            let other = other.as_deref().map(of);
            StmtKind::If { cond: cond.clone(), then: of(then), other }
        }
        StmtKind::For { init, cond, step, body } => {
            let body = reduced_to(body, needed).unwrap_or_else(|| plain(StmtKind::Empty, body.span));
            let (init, cond, step) = (init.clone(), cond.clone(), step.clone());
            StmtKind::For { init, cond, step, body: Box::new(body) }
        }
        kind => kind.clone(),
    };
    Some(plain(kind, s.span))
}

/// Gives loops whose counters are declared outside counters of their own.
fn own_counters(unit: &mut Unit, s: &mut Stmt) {
    s.stmts_mut().into_iter().for_each(|s| own_counters(unit, s));
    let StmtKind::For { init: Some(init), .. } = &mut s.kind else { return };
    let StmtKind::Expr(e) = &init.kind else { return };
    let Some((counter, value)) = effects::plainly_assigned(e).filter(|(v, value)| !value.mentions(*v)) else { return };
    let new = unit.add(Var { storage: Storage::Local, ..unit.var(counter).clone() });
    **init = declared(new, converted(value, &unit.var(new).ty));
    s.replace(counter, &unit.read(new, s.span));
}

/// Gives an iteration of a loop variables of its own for places of `shared` variables that it sets before it reads them, where the
/// loop names no other place of them.
fn own_values(unit: &mut Unit, s: &mut Stmt, whole: &Stmt, shared: &BTreeSet<VarId>) {
    s.stmts_mut().into_iter().for_each(|s| own_values(unit, s, whole, shared));
    let StmtKind::Block(list) = &mut s.kind else { return };
    for k in 0..list.len() {
        let StmtKind::Expr(Expr { kind: ExprKind::Assign { op: None, target, value }, .. }) = &list[k].kind else {
            continue;
        };
        let (place, value) = ((**target).clone(), (**value).clone());
        let is_shared = |v: VarId| shared.contains(&v) && effects::places([whole], v).len() == n_of(&place, whole);
        if !place.ty.is_scalar() || !place.root().is_some_and(is_shared) || is_moved(&place, &list[k + 1..]) {
            continue;
        }
        let new = unit.add(Var::new("rt_value", place.ty.clone(), Storage::Local, place.span));
        list[k] = declared(new, converted(&value, &place.ty));
        let own = |e: &mut Expr| {
            if same_expr(e, &place) {
                *e = unit.read(new, e.span);
            }
        };
        list[k + 1..].iter_mut().for_each(|s| s.exprs_mut(&mut |e| e.rewrite(&mut |e| own(e))));
    }
}

/// How often a statement names a place.
fn n_of(place: &Expr, s: &Stmt) -> usize {
    let mut n = 0;
    s.walk(&mut |piece| n += usize::from(matches!(piece, Piece::Expr(e) if same_expr(e, place))));
    n
}

/// Test that a place may be another one somewhere in statements behind it.
fn is_moved(place: &Expr, behind: &[Stmt]) -> bool {
    let root = place.root();
    let stored = effects::assigned(behind);
    let (mut n_roots, mut is_moved) = (0, false);
    place.walk(&mut |e| {
        if let ExprKind::Var(v) = e.kind {
            n_roots += usize::from(root == Some(v));
            is_moved |= root != Some(v) && stored.contains(&v);
        }
    });
    let is_whole = |s: &Stmt| root.is_some_and(|v| effects::assigned_whole(s).contains(&v));
    is_moved || n_roots != 1 || !matches!(place.kind, ExprKind::Var(_)) && behind.iter().any(is_whole)
}
