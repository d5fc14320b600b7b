//! Pointers that walk along an array as places that the counters of the loops tell.
//!
//! ```text
//! for (i = 0; i < n; i++)                for (i = 0; i < n; i++)
//!     *q++ = 2 * *p++;           ->          *(q + i) = 2 * *(p + i);
//! for (y = 0; y < h; y++)                for (y = 0; y < h; y++)
//!     for (x = 0; x < w; x++)    ->          for (x = 0; x < w; x++)
//!         *d++ = 1;                              *(d + y * w + x) = 1;
//! ```
//! A pointer walks if each iteration moves it by the same, wherever it goes: by statements that no condition guards, as often
//! as the loops around them say. Nobody reads it behind the statement. What it is at a place is what it was before the
//! statement, and how far the iterations before and the statements of this one have moved it.

use super::heads::listed;
use super::values::Changes;
use crate::ast::build::constant;
use crate::ast::build::made::integer;
use crate::ast::visit::Piece;
use crate::ast::{BinOp, Expr, ExprKind, IntKind, Stmt, StmtKind, Storage, Type, Unit, VarId};
use crate::region::effects::{self, plainly_assigned};
use crate::region::facts::Facts;
use crate::region::header::{first_value, step_of};
use crate::source::Span;
use std::collections::BTreeSet;

const LONG: Type = Type::Int(IntKind::Long);

/// Writes the walks in a statement that way.
pub fn open(unit: &Unit, facts: &Facts, s: &mut Stmt) {
    if s.is_entered_elsewhere() {
        return;
    }
    let mut moved = BTreeSet::new();
    s.walk(&mut |piece| {
        if let Piece::Expr(e) = piece {
            moved.extend(move_of(e).map(|(v, _)| v));
        }
    });
    let is_walker = |v: &VarId| {
        let var = unit.var(*v);
        let is_own = matches!(var.storage, Storage::Local | Storage::Param) && !facts.seen.contains(v);
        is_own && matches!(&var.ty, Type::Pointer { to, .. } if to.is_scalar() || matches!(**to, Type::Struct(_)))
    };
    moved.retain(is_walker);
    if moved.is_empty() {
        return;
    }
    let live = facts.live_behind(s.span);
    for v in moved.into_iter().filter(|v| !live.contains(*v)) {
        let mut walked = s.clone();
        let mut walk = Walk { unit, v, done: Distance::default() };
        if walk.stmt(&mut walked).is_some() {
            *s = walked;
        }
    }
}

/// Elements by which each iteration of a loop moves a pointer, where that is a number.
pub(super) fn distance(unit: &Unit, v: VarId, step: Option<&Expr>, body: &Stmt) -> Option<i64> {
    let mut walk = Walk { unit, v, done: Distance::default() };
    walk.stmt(&mut body.clone())?;
    for e in step.into_iter().flat_map(listed).filter(|e| e.mentions(v)) {
        let (_, by) = move_of(e).filter(|(moved, _)| *moved == v)?;
        walk.moved(&by)?;
    }
    let Distance { constant, terms, is_lost, .. } = walk.done;
    (terms.is_empty() && !is_lost).then_some(constant)
}

/// The pointer or number that an expression moves, and how far forward: `p++`, `p -= n`.
fn move_of(e: &Expr) -> Option<(VarId, Expr)> {
    let is_back = |op: BinOp| op == BinOp::Sub;
    let (target, by, is_back) = match &e.kind {
        ExprKind::IncDec { inc, target, .. } => (target, integer(1, e.span), !inc),
        ExprKind::Assign { op: Some(op @ (BinOp::Add | BinOp::Sub)), target, value } => {
            (target, value.as_ref().clone(), is_back(*op))
        }
        _ => return None,
    };
    let ExprKind::Var(v) = target.kind else { return None };
    Some((v, if is_back { less(integer(0, e.span), by) } else { by }))
}

/// How far a pointer has come: a sum.
#[derive(Debug, Clone, Default)]
struct Distance {
    constant: i64,
    terms: Vec<Expr>,
    /// A loop that may run less than no iterations, by which the sum would go back: it holds in that loop alone.
    within: Option<Span>,
    /// A loop before this place moves it who knows how often: it must be set before it is used.
    is_lost: bool,
}

impl Distance {
    fn is_none(&self) -> bool {
        self.constant == 0 && self.terms.is_empty() && !self.is_lost
    }

    /// Adds so much, so often.
    fn add(&mut self, other: &Distance, times: Option<&Expr>) -> Option<()> {
        let counted = times.and_then(|t| if let ExprKind::Int(n) = t.kind { Some(n) } else { None });
        match (times, counted) {
            (None, _) => {
                self.constant = self.constant.checked_add(other.constant)?;
                self.terms.extend(other.terms.iter().cloned());
            }
            (_, Some(n)) => {
                self.constant = self.constant.checked_add(other.constant.checked_mul(n)?)?;
                self.terms.extend(other.terms.iter().map(|e| product(e.clone(), integer(n, e.span))));
            }
            (Some(times), None) => {
                match other.constant {
                    0 => {}
                    1 => self.terms.push(times.clone()),
                    n => self.terms.push(product(times.clone(), integer(n, times.span))),
                }
                self.terms.extend(other.terms.iter().map(|e| product(times.clone(), e.clone())));
            }
        }
        Some(())
    }

    fn mentions_any(&self, vars: &BTreeSet<VarId>) -> bool {
        self.terms.iter().any(|e| vars.iter().any(|v| e.mentions(*v)))
    }
}

/// A pointer as it goes through a statement.
struct Walk<'a> {
    unit: &'a Unit,
    v: VarId,
    /// How far it has come before what is looked at.
    done: Distance,
}

impl Walk<'_> {
    /// Follows the pointer through a statement that runs once; `None` where it is no walk.
    fn stmt(&mut self, s: &mut Stmt) -> Option<()> {
        let changes = Changes::of([&*s]);
        let stays = |d: &Distance| d.terms.iter().all(|e| changes.keep(self.unit, e));
        if !effects::mentioned([&*s]).contains(&self.v) && !effects::declared([&*s]).contains(&self.v) {
            return stays(&self.done).then_some(());
        }
        if self.done.within.is_some_and(|place| !s.span.encloses(place) && !place.encloses(s.span)) {
            return None;
        }
        let is_whole = matches!(s.kind, StmtKind::Decl(_) | StmtKind::Expr(_) | StmtKind::If { .. });
        if is_whole && !stays(&self.done) {
            return None;
        }
        match &mut s.kind {
            StmtKind::Block(list) => list.iter_mut().try_for_each(|s| self.stmt(s)),
            StmtKind::Decl(list) => {
                let v = self.v;
                for d in list {
                    d.init.as_mut().map_or(Some(()), |e| self.value(e))?;
                    if d.var == v {
                        d.init.as_ref()?;
                        self.done = Distance::default();
                    }
                }
                Some(())
            }
            StmtKind::Expr(e) => {
                let is_move = move_of(e).is_some_and(|(v, _)| v == self.v);
                self.value(e)?;
                if is_move {
                    s.kind = StmtKind::Empty;
                }
                Some(())
            }
            StmtKind::If { cond, then, other } => {
                self.value(cond)?;
                let is_moved = |s: &Stmt| Changes::of([s]).assigned.contains(&self.v);
                if is_moved(then) || other.as_deref().is_some_and(is_moved) {
                    return None;
                }
                let before = self.done.clone();
                self.stmt(then)?;
                self.done = before;
                other.as_mut().map_or(Some(()), |s| self.stmt(s))
            }
            StmtKind::For { .. } if changes.assigned.contains(&self.v) => self.counted(s),
            StmtKind::For { init, cond, step, body } => {
                if !stays(&self.done) {
                    return None;
                }
                init.as_mut().map_or(Some(()), |s| self.stmt(s))?;
                cond.iter_mut().chain(step).try_for_each(|e| self.value(e))?;
                self.stmt(body)
            }
            StmtKind::While { cond, body } | StmtKind::DoWhile { body, cond } => {
                if changes.assigned.contains(&self.v) || !stays(&self.done) {
                    return None;
                }
                self.value(cond)?;
                self.stmt(body)
            }
            _ => None,
        }
    }

    /// Follows it through a loop that moves it.
    fn counted(&mut self, s: &mut Stmt) -> Option<()> {
        let place = s.span;
        let StmtKind::For { init: Some(init), cond: Some(cond), step: Some(step), body } = &mut s.kind else {
            return None;
        };
        let (counter, first) = counter_of(init)?;
        let mut last: Vec<Expr> = listed(step).into_iter().cloned().collect();
        let at = last.iter().position(|e| step_of(e, counter).is_some())?;
        let head = last.remove(at);
        let by = step_of(&head, counter).filter(|n| n.abs() == 1)?;
        let moves = last.iter().map(move_of).collect::<Option<Vec<_>>>()?;
        let n_names = effects::places([&**init], self.v).len();
        if cond.mentions(self.v) || n_names > 0 || has_jumps(body) || head.mentions(self.v) {
            return None;
        }
        let changes = Changes::of([&**body]);
        let all: BTreeSet<VarId> = changes.assigned.union(&Changes::of([&**init]).assigned).copied().collect();
        // Once to see how far an iteration moves it.
        let own_moves = moves.into_iter().filter(|(v, _)| *v == self.v).map(|(_, by)| by);
        let mut once = Walk { unit: self.unit, v: self.v, done: Distance::default() };
        let mut iteration = (**body).clone();
        once.stmt(&mut iteration)?;
        let is_declared = effects::declared([&**body]).contains(&self.v);
        own_moves.clone().try_for_each(|by| once.moved(&by))?;
        let distance = if is_declared { Distance::default() } else { once.done };
        let is_same = !distance.mentions_any(&all) && distance.terms.iter().all(|e| changes.keep(self.unit, e));
        let starts = changes.keep(self.unit, &first) && !all.iter().any(|v| first.mentions(*v));
        let is_number = |v: VarId| matches!(self.unit.var(v).ty, Type::Int(IntKind::Int | IntKind::Long));
        if !is_same || !starts || changes.assigned.contains(&counter) || !is_number(counter) || !is_int(&first) {
            return None;
        }
        if distance.is_lost || distance.within.is_some_and(|inner| !all_within(body, self.v, inner)) {
            return None;
        }
        let before = self.done.clone();
        if before.mentions_any(&all) || !before.terms.iter().all(|e| changes.keep(self.unit, e)) {
            return None;
        }
        let counter_value = Expr { kind: ExprKind::Var(counter), ty: self.unit.var(counter).ty.clone(), span: place };
        let (from, to) = if by > 0 { (first.clone(), counter_value) } else { (counter_value, first.clone()) };
        self.done.add(&distance, Some(&less(to, from)))?;
        self.stmt(body)?;
        *step = rejoined(head, last.into_iter().filter(|e| move_of(e).is_none_or(|(v, _)| v != self.v)));
        self.done = before;
        let stays = |e: &Expr| changes.keep(self.unit, e) && !all.iter().any(|v| e.mentions(*v));
        let times = times((cond, counter, first, by), &stays);
        self.behind(distance, times, place)
    }

    /// Moves it on behind a loop, each of whose iterations moves it so far.
    fn behind(&mut self, mut distance: Distance, times: Option<Expr>, place: Span) -> Option<()> {
        if distance.is_none() {
            return Some(());
        }
        let Some(times) = times.filter(|e| !e.mentions(self.v)) else {
            self.done.is_lost = true;
            return Some(());
        };
        distance.within = None;
        self.done.add(&distance, Some(&times))?;
        let is_known = matches!(times.kind, ExprKind::Int(n) if n >= 0);
        self.done.within = if is_known { self.done.within } else { Some(place) };
        Some(())
    }

    /// Follows it through an expression that is evaluated once.
    fn value(&mut self, e: &mut Expr) -> Option<()> {
        if let ExprKind::Comma(a, b) = &mut e.kind {
            self.value(a)?;
            return self.value(b);
        }
        if !e.mentions(self.v) {
            return Some(());
        }
        if self.done.is_lost {
            return None;
        }
        if let Some((v, by)) = move_of(e)
            && v == self.v
        {
            return self.moved(&by);
        }
        let mut n_mentions = 0;
        e.walk(&mut |x| n_mentions += usize::from(x.is_var(self.v)));
        let n_moves = self.count_moves(e);
        match n_moves {
            0 => {
                let (v, place) = (self.v, self.place(e.span));
                e.replace(v, &place);
                Some(())
            }
            1 if n_mentions == 1 => self.moving(e),
            _ => None,
        }
    }

    /// How often it is assigned in an expression.
    fn count_moves(&self, e: &Expr) -> usize {
        let mut n = 0;
        e.walk(&mut |x| {
            let (ExprKind::IncDec { target, .. } | ExprKind::Assign { target, .. }) = &x.kind else { return };
            n += usize::from(target.is_var(self.v));
        });
        n
    }

    /// An expression with one move in it, that is evaluated whatever else is.
    fn moving(&mut self, e: &mut Expr) -> Option<()> {
        if let Some((v, by)) = move_of(e)
            && v == self.v
        {
            let is_before = matches!(e.kind, ExprKind::IncDec { prefix: true, .. } | ExprKind::Assign { .. });
            let place = self.place(e.span);
            self.moved(&by)?;
            *e = if is_before { self.place(e.span) } else { place };
            return Some(());
        }
        let v = self.v;
        let inner = match &mut e.kind {
            ExprKind::Cond(c, ..) if c.mentions(v) => c,
            ExprKind::Binary(BinOp::And | BinOp::Or, a, _) if a.mentions(v) => a,
            ExprKind::Cond(..) | ExprKind::Binary(BinOp::And | BinOp::Or, ..) | ExprKind::SizeOfExpr(_) => return None,
            _ => return e.children_mut().into_iter().find(|x| x.mentions(v)).and_then(|x| self.moving(x)),
        };
        self.moving(inner)
    }

    fn moved(&mut self, by: &Expr) -> Option<()> {
        if let Some(n) = constant::fold(by) {
            self.done.constant = self.done.constant.checked_add(n)?;
            return Some(());
        }
        (is_int(by) && effects::is_plain(by) && !by.mentions(self.v)).then(|| self.done.terms.push(by.clone()))
    }

    /// The pointer as it is here, from what it was before the statement.
    fn place(&self, span: Span) -> Expr {
        let ty = self.unit.var(self.v).ty.clone();
        let pointer = Expr { kind: ExprKind::Var(self.v), ty: ty.clone(), span };
        let constant = (self.done.constant != 0).then(|| integer(self.done.constant, span));
        let distance = self.done.terms.iter().cloned().chain(constant).reduce(more);
        match distance {
            None => pointer,
            Some(d) => Expr { kind: ExprKind::Binary(BinOp::Add, pointer.into(), d.into()), ty, span },
        }
    }
}

/// The variable that the head of a loop sets, the first of several, and its value.
fn counter_of(init: &Stmt) -> Option<(VarId, Expr)> {
    let (v, first) = match &init.kind {
        StmtKind::Expr(e) => plainly_assigned(listed(e)[0]),
        _ => first_value(init),
    }?;
    Some((v, first.clone()))
}

/// How often a loop runs, if it runs at all and its limit stays.
fn times((cond, counter, first, by): (&Expr, VarId, Expr, i64), stays: &dyn Fn(&Expr) -> bool) -> Option<Expr> {
    let ExprKind::Binary(op, a, b) = &cond.kind else { return None };
    let limit = match (op, by) {
        (BinOp::Lt, 1) | (BinOp::Gt, -1) => b.as_ref().clone(),
        (BinOp::Le, 1) => more(b.as_ref().clone(), integer(1, b.span)),
        (BinOp::Ge, -1) => less(b.as_ref().clone(), integer(1, b.span)),
        _ => return None,
    };
    let is_counted = a.is_var(counter) && is_int(b) && stays(b) && effects::is_plain(b);
    is_counted.then(|| if by > 0 { less(limit, first) } else { less(first, limit) })
}

/// Test that a jump in a loop's body leaves it, or an iteration, or goes who knows where.
pub(super) fn has_jumps(body: &Stmt) -> bool {
    let mut found = body.leaves_iteration();
    body.walk(&mut |piece| {
        let Piece::Stmt(s) = piece else { return };
        found |= matches!(
            s.kind,
            StmtKind::Return(_)
                | StmtKind::Switch { .. }
                | StmtKind::Case(_)
                | StmtKind::GiveUp
                | StmtKind::Unmodelled(_)
        );
    });
    found
}

/// Test that a variable is named in one place of a statement alone.
fn all_within(s: &Stmt, v: VarId, place: Span) -> bool {
    effects::places([s], v).iter().all(|at| place.encloses(*at))
}

/// Test that a value is a signed number that a position can be.
fn is_int(e: &Expr) -> bool {
    matches!(e.ty, Type::Int(kind) if !kind.is_unsigned() || kind.bits() < 32)
}

pub(super) fn rejoined(head: Expr, others: impl Iterator<Item = Expr>) -> Expr {
    others.fold(head, |all, e| {
        let (ty, span) = (e.ty.clone(), e.span);
        Expr { kind: ExprKind::Comma(Box::new(all), Box::new(e)), ty, span }
    })
}

pub(super) fn more(a: Expr, b: Expr) -> Expr {
    number(BinOp::Add, a, b)
}

pub(super) fn less(a: Expr, b: Expr) -> Expr {
    number(BinOp::Sub, a, b)
}

fn product(a: Expr, b: Expr) -> Expr {
    number(BinOp::Mul, a, b)
}

/// An operation of numbers of 64 bits.
fn number(op: BinOp, a: Expr, b: Expr) -> Expr {
    let span = a.span;
    let long = |e: Expr| match e.ty {
        Type::Int(IntKind::Long) => e,
        _ if matches!(e.kind, ExprKind::Int(_)) => Expr { ty: LONG, ..e },
        _ => Expr { span: e.span, kind: ExprKind::Cast(Box::new(e)), ty: LONG },
    };
    let mut e = Expr { kind: ExprKind::Binary(op, Box::new(long(a)), Box::new(long(b))), ty: LONG, span };
    simplify(&mut e);
    e
}

/// Writes an operation on constants, or with nothing, as what it comes to.
fn simplify(e: &mut Expr) {
    let ExprKind::Binary(op, a, b) = &e.kind else { return };
    let known = |e: &Expr| if let ExprKind::Int(n) = e.kind { Some(n) } else { None };
    let value = match (op, known(a), known(b)) {
        (BinOp::Add, Some(x), Some(y)) => x.checked_add(y),
        (BinOp::Sub, Some(x), Some(y)) => x.checked_sub(y),
        (BinOp::Mul, Some(x), Some(y)) => x.checked_mul(y),
        _ => None,
    };
    let same = match (op, known(a), known(b)) {
        (BinOp::Add | BinOp::Sub, _, Some(0)) | (BinOp::Mul, _, Some(1)) => Some((**a).clone()),
        (BinOp::Add, Some(0), _) | (BinOp::Mul, Some(1), _) => Some((**b).clone()),
        _ => None,
    };
    if let Some(n) = value {
        e.kind = ExprKind::Int(n);
    } else if let Some(same) = same {
        *e = same;
    }
}
