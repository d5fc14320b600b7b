//! Induction variable substitution: pointers that walk along an array as places that the counters of the loops tell.
//!
//! ```text
//! for (i = 0; i < n; i++)                for (i = 0; i < n; i++)
//!     *q++ = 2 * *p++;           ->          *(q + i) = 2 * *(p + i);
//! for (y = 0; y < h; y++)                for (y = 0; y < h; y++)
//!     for (x = 0; x < w; x++)    ->          for (x = 0; x < w; x++)
//!         *d++ = 1;                              *(d + y * w + x) = 1;
//! for (i = 0; i < n; i++) {              for (i = 0; i < n; i++) {
//!     p = a + i * w;                         p = a + i * w;
//!     s = *p++;                              s = *p;
//!     p += w - 1;                ->
//!     s += *p;                               s += *(p + w);
//! }                                      }
//! ```
//! Numbers that walk as pointers do are followed alike ([`induction_variables`]). A pointer walks if, wherever it is used, it
//! is known how far statements have moved it since it was set last: in this iteration, or before the statement, if each
//! iteration moves it by the same. Where ways meet on which it was moved by something else, and behind loops of which nobody
//! knows how often they run, it is lost until it is set. Its variable then stays where it was set, and how far it came stands
//! where it is used. Where it is read behind the statement, it must be known there, too, and is set there ([`End`]).

use super::form::{Context, End, Form};
use super::induction_variables::{self, Move};
use super::loop_canonicalization::{before, last_value};
use super::pointer_positions::{Position, less, more};
use super::single_counter::listed;
use super::substitution::is_place;
use crate::ast::build::ast_builder::{binary, converted, integer, plain};
use crate::ast::build::{constant, typing};
use crate::ast::visit::Piece;
use crate::ast::{BinOp, Expr, ExprKind, IntKind, Stmt, StmtKind, Storage, Type, UnOp, Unit, VarId};
use crate::facts::changes::Changes;
use crate::facts::effects::{self, plainly_assigned};
use crate::facts::header::{first_value, step_of};
use crate::facts::loops::has_loop;
use crate::facts::symbolic::same_expr;
use crate::source::Span;
use std::collections::BTreeSet;

/// Writes the walks in a form that way.
pub fn open(form: &mut Form<'_>, context: &mut Context<'_>) {
    let (unit, facts, s) = (&*context.unit, context.facts, &mut form.stmt);
    let moved = if s.is_entered_elsewhere() { vec![] } else { induction_variables::of(unit, facts, s) };
    if moved.is_empty() {
        return;
    }
    let written = s.clone();
    let live = facts.live_behind(s.span);
    // Of what is in a `switch`, all that it reads is said to live.
    let own = effects::declared([&written]);
    let stmts_before = before(&facts.function.body, s.span).unwrap_or_default();
    for &v in &moved {
        let first = last_value(unit, stmts_before, v).filter(|value| stays_own(unit, &facts.seen, value));
        let walk = |is_exact: bool| {
            let (mut walk, mut walked) = (Walk { is_exact, ..Walk::new(unit, v) }, s.clone());
            walk.done = first.map_or_else(Position::default, |value| walk.origin(value));
            let start = walk.done.origin().cloned().unwrap_or_else(|| unit.read(v, s.span));
            walk.stmt(&mut walked)?;
            Some((walked, walk.place(s.span), start))
        };
        let is_pointer = unit.var(v).ty.is_pointer_like();
        let end = match (live.contains(v) && !own.contains(&v)).then(|| walk(true)) {
            None => None,
            // Where a jump leads out of it, nobody sets it behind; a region sets no pointer, so that what it was set to is no place.
            Some(Some((_, Some(place), _)))
                if has_loop(s) && !s.exits().leaves_iteration() && !(is_pointer && sets(s, v) && place.mentions(v)) =>
            {
                Some(place)
            }
            Some(_) => continue,
        };
        let Some((walked, _, start)) = walk(false).or_else(|| walk(true)) else { continue };
        *s = walked;
        form.ends.extend(end.filter(|place| !place.is_var(v)).map(|place| End { walker: v, place }));
        if !is_pointer {
            form.starts.insert(v);
            start.walk(&mut |e| form.starts.extend(e.root()));
        }
    }
    // They are set one after the other.
    let is_of_other = |End { walker, place }: &End| moved.iter().any(|v| v != walker && place.mentions(*v));
    if form.ends.iter().any(is_of_other) {
        *s = written;
        form.ends.clear();
        form.starts.clear();
    }
}

/// Test for a place that calls of who knows what cannot change.
fn stays_own(unit: &Unit, seen: &BTreeSet<VarId>, place: &Expr) -> bool {
    let mut is_own = true;
    place.walk(&mut |e| {
        is_own &= match &e.kind {
            ExprKind::Var(v) => {
                let is_local = matches!(unit.var(*v).storage, Storage::Local | Storage::Param) && !seen.contains(v);
                is_local || matches!(e.ty, Type::Array { .. })
            }
            ExprKind::Index(..) | ExprKind::Member { .. } | ExprKind::Unary(UnOp::Deref, _) => false,
            _ => true,
        }
    });
    is_own
}

/// Elements by which each iteration of a loop moves a pointer, where that is a number.
pub(super) fn distance(unit: &Unit, v: VarId, step: Option<&Expr>, body: &Stmt) -> Option<i64> {
    let is_set = |e: &Expr| plainly_assigned(e).is_some_and(|(set, _)| set == v) && Move::of(e).is_none();
    if sets(body, v) || step.into_iter().flat_map(listed).any(is_set) {
        return None;
    }
    let mut walk = Walk::new(unit, v);
    walk.stmt(&mut body.clone())?;
    step.into_iter().flat_map(listed).try_for_each(|e| walk.evaluated(&mut e.clone()))?;
    walk.done.number()
}

/// A pointer as it goes through a statement.
struct Walk<'a> {
    unit: &'a Unit,
    v: VarId,
    /// Where it is before what is looked at.
    done: Position,
    /// The numbers of iterations of the loops around: none is negative here.
    running: Vec<Expr>,
    /// Place in a subscript.
    is_position: bool,
    /// Numbers of iterations as they are, none where a loop's limits would give less; else as its limits give them.
    is_exact: bool,
}

impl<'a> Walk<'a> {
    fn new(unit: &'a Unit, v: VarId) -> Walk<'a> {
        Walk { unit, v, done: Position::default(), running: vec![], is_position: false, is_exact: false }
    }

    /// Follows the pointer through a statement that runs once; `None` where it is no walk.
    fn stmt(&mut self, s: &mut Stmt) -> Option<()> {
        if !effects::mentioned([&*s]).contains(&self.v) && !effects::declared([&*s]).contains(&self.v) {
            self.forget(&Changes::with_calls(self.unit, [&*s]));
            return Some(());
        }
        match &mut s.kind {
            StmtKind::Block(list) => {
                list.iter_mut().try_for_each(|s| self.stmt(s))?;
                self.leave_scope(&effects::declared(&*list));
            }
            StmtKind::Decl(list) => {
                for d in list {
                    d.init.as_mut().map_or(Some(()), |e| self.evaluated(e))?;
                    if d.var == self.v {
                        self.done = d.init.as_ref().map_or_else(Position::lost, |e| self.origin(e));
                    } else {
                        self.done.forget(&|e| !e.mentions(d.var));
                    }
                }
            }
            StmtKind::Expr(e) => s.kind = self.listed(e)?.map_or(StmtKind::Empty, StmtKind::Expr),
            StmtKind::If { cond, then, other } => {
                self.evaluated(cond)?;
                let before = self.done.clone();
                self.stmt(then)?;
                let behind_then = std::mem::replace(&mut self.done, before);
                other.as_mut().map_or(Some(()), |s| self.stmt(s))?;
                self.done = match (is_jump(then), other.as_deref().is_some_and(is_jump)) {
                    (true, false) => std::mem::take(&mut self.done),
                    (false, true) => behind_then,
                    _ => behind_then.joined(std::mem::take(&mut self.done)),
                };
            }
            StmtKind::For { .. } | StmtKind::While { .. } | StmtKind::DoWhile { .. } => return self.repeated(s),
            StmtKind::Return(Some(e)) => self.evaluated(e)?,
            _ => return None,
        }
        Some(())
    }

    fn repeated(&mut self, s: &mut Stmt) -> Option<()> {
        let changes = Changes::with_calls(self.unit, [&*s]);
        if !changes.assigned.contains(&self.v) && !effects::declared([&*s]).contains(&self.v) {
            self.forget(&changes);
            return self.uncounted(s);
        }
        let before = self.done.clone();
        let mut tried = s.clone();
        if self.counted(&mut tried).is_some() {
            *s = tried;
            return Some(());
        }
        self.done = before;
        self.uncounted(s)
    }

    /// Follows it through a loop of which it does not matter how often it runs: it does not move the pointer, or sets it before each
    /// use.
    fn uncounted(&mut self, s: &mut Stmt) -> Option<()> {
        let is_moved = |s: &Stmt, v| effects::assigned([s]).contains(&v);
        if let StmtKind::For { init: Some(init), .. } = &mut s.kind {
            self.stmt(init)?;
        }
        let of_iterations = match &s.kind {
            StmtKind::For { cond, step, body, .. } => Stmt {
                kind: StmtKind::For { init: None, cond: cond.clone(), step: step.clone(), body: body.clone() },
                ..s.clone()
            },
            _ => s.clone(),
        };
        self.forget(&Changes::with_calls(self.unit, [&of_iterations]));
        let moves = is_moved(&of_iterations, self.v) || effects::declared([&of_iterations]).contains(&self.v);
        let behind = if moves { Position::lost() } else { self.done.clone() };
        self.done = behind.clone();
        match &mut s.kind {
            StmtKind::For { cond, step, body, .. } => {
                cond.as_mut().map_or(Some(()), |e| self.evaluated(e))?;
                self.stmt(body)?;
                if let Some(e) = step {
                    *step = self.listed(e)?;
                }
            }
            StmtKind::While { cond, body } => {
                self.evaluated(cond)?;
                self.stmt(body)?;
            }
            StmtKind::DoWhile { body, cond } => {
                self.stmt(body)?;
                self.evaluated(cond)?;
            }
            _ => return None,
        }
        self.done = behind;
        self.leave_scope(&effects::declared([&*s]));
        Some(())
    }

    /// Follows it through a loop each of whose iterations moves it by the same.
    fn counted(&mut self, s: &mut Stmt) -> Option<()> {
        let whole = s.clone();
        let StmtKind::For { init: Some(init), cond: Some(cond), step: Some(step), body } = &mut s.kind else {
            return None;
        };
        let (counter, first) = counter_of(init)?;
        let mut last: Vec<Expr> = listed(step).into_iter().cloned().collect();
        let at = last.iter().position(|e| step_of(e, counter).is_some())?;
        let head = last.remove(at);
        let by = step_of(&head, counter).filter(|n| n.abs() == 1)?;
        let last: Vec<Stmt> = last.into_iter().map(|e| plain(StmtKind::Expr(e), whole.span)).collect();
        let iterations = last.iter().chain([&**body]);
        if cond.mentions(self.v)
            || first.mentions(self.v)
            || body.exits().any()
            || iterations.clone().any(|s| sets(s, self.v))
        {
            return None;
        }
        self.stmt(init)?;
        let in_body = Changes::with_calls(self.unit, iterations);
        let changes = Changes::with_calls(self.unit, [&whole]);
        let own = effects::declared([&whole]);
        let stays = |e: &Expr| changes.keep(self.unit, e) && !own.iter().any(|v| e.mentions(*v));
        let is_number = matches!(self.unit.var(counter).ty, Type::Int(IntKind::Int | IntKind::Long));
        if !stays(&first) || in_body.assigned.contains(&counter) || !is_number || !is_int(&first) {
            return None;
        }
        let times = times((cond, counter, first.clone(), by), &stays);
        let n_around = self.running.len();
        self.running.extend(times.clone());
        // Once to see how far an iteration moves it.
        let mut once = Walk { running: self.running.clone(), is_exact: self.is_exact, ..Walk::new(self.unit, self.v) };
        once.stmt(&mut (**body).clone())?;
        last.clone().iter_mut().try_for_each(|s| once.stmt(s))?;
        let distance = once.done;
        if distance.is_lost || !distance.values().all(&stays) {
            return None;
        }
        self.done.forget(&stays);
        let before = self.done.clone();
        let value = Expr { kind: ExprKind::Var(counter), ty: self.unit.var(counter).ty.clone(), span: whole.span };
        let (from, to) = if by > 0 { (first, value) } else { (value, first) };
        self.done.add_times(&distance, &less(to, from))?;
        self.stmt(body)?;
        let mut left = vec![];
        for mut s in last {
            self.stmt(&mut s)?;
            left.extend(if let StmtKind::Expr(e) = s.kind { Some(e) } else { None });
        }
        *step = rejoined(head, left.into_iter());
        self.running.truncate(n_around);
        self.done = before;
        self.behind(&distance, times)
    }

    /// Moves it on behind a loop, each of whose iterations moves it so far.
    fn behind(&mut self, distance: &Position, times: Option<Expr>) -> Option<()> {
        if distance.is_none() {
            return Some(());
        }
        match times {
            Some(Expr { kind: ExprKind::Int(n), .. }) if n <= 0 => {}
            Some(times @ Expr { kind: ExprKind::Int(_), .. }) => self.done.add_times(distance, &times)?,
            Some(times) if self.is_exact => self.done.add_times(distance, &at_least_none(times))?,
            Some(times) => {
                self.done.add_times(distance, &times)?;
                self.done.need(times);
            }
            None => self.done = Position::lost(),
        }
        Some(())
    }

    /// Loses it where what changes may be in how far it has come.
    fn forget(&mut self, changes: &Changes) {
        self.done.forget(&|e| changes.keep(self.unit, e));
    }

    /// Loses it where variables that are no more tell how far it has come.
    fn leave_scope(&mut self, declared: &BTreeSet<VarId>) {
        self.done.forget(&|e| !declared.iter().any(|v| e.mentions(*v)));
    }

    /// Follows it through the expressions between commas whose values nobody wants; what is left of them.
    fn listed(&mut self, e: &Expr) -> Option<Option<Expr>> {
        let mut left = vec![];
        for part in listed(e) {
            let mut part = part.clone();
            if let Some(m) = Move::of(&part).filter(|m| m.v == self.v) {
                // Nobody wants its value: it may be lost.
                self.moved(&m)?;
                continue;
            }
            self.evaluated(&mut part)?;
            left.push(part);
        }
        let mut left = left.into_iter();
        Some(left.next().map(|first| rejoined(first, left)))
    }

    /// Follows it through an expression that is evaluated once, and may change what the distance is computed from.
    fn evaluated(&mut self, e: &mut Expr) -> Option<()> {
        let changes = Changes::with_calls(self.unit, [&plain(StmtKind::Expr(e.clone()), e.span)]);
        self.forget(&changes);
        self.value(e)?;
        self.forget(&changes);
        Some(())
    }

    /// Follows it through an expression, and puts what it is in its place.
    fn value(&mut self, e: &mut Expr) -> Option<()> {
        if !e.mentions(self.v) {
            return Some(());
        }
        if !self.may_set(e) {
            let place = self.place(e.span)?;
            induction_variables::put(e, self.v, &place, self.is_position);
            return Some(());
        }
        if let Some(m) = Move::of(e).filter(|m| m.v == self.v) {
            let before = self.place(e.span)?;
            self.moved(&m)?;
            let place = if m.is_after { before } else { self.place(e.span)? };
            *e = if self.is_position { place } else { converted(&place, &e.ty) };
            return Some(());
        }
        let is_position = std::mem::replace(&mut self.is_position, is_subscript(e, self.v));
        self.parts(e)?;
        self.is_position = is_position;
        Some(())
    }

    /// The same of an expression that is more than a move.
    fn parts(&mut self, e: &mut Expr) -> Option<()> {
        let v = self.v;
        match &mut e.kind {
            ExprKind::Assign { op: None, target, value } if target.is_var(v) => {
                self.value(value)?;
                self.done = self.origin(value);
                Some(())
            }
            ExprKind::Assign { target, .. } if target.is_var(v) => None,
            ExprKind::Comma(a, b) => {
                self.value(a)?;
                self.value(b)
            }
            ExprKind::Binary(BinOp::And | BinOp::Or, a, b) => {
                self.value(a)?;
                let before = self.done.clone();
                self.value(b)?;
                self.done = before.joined(std::mem::take(&mut self.done));
                Some(())
            }
            ExprKind::Cond(c, a, b) => {
                self.value(c)?;
                let before = self.done.clone();
                self.value(a)?;
                let behind_first = std::mem::replace(&mut self.done, before);
                self.value(b)?;
                self.done = behind_first.joined(std::mem::take(&mut self.done));
                Some(())
            }
            ExprKind::SizeOfExpr(_) | ExprKind::Unary(UnOp::AddrOf, _) => None,
            // C does not say in which order the others are computed.
            _ => match e.children_mut().into_iter().filter(|x| x.mentions(v)).collect::<Vec<_>>()[..] {
                [ref mut only] => self.value(only),
                _ => None,
            },
        }
    }

    /// Test for an expression in which it is assigned, or has an address.
    fn may_set(&self, e: &Expr) -> bool {
        let mut found = false;
        e.walk(&mut |x| {
            found |= match &x.kind {
                ExprKind::IncDec { target, .. } | ExprKind::Assign { target, .. } => target.is_var(self.v),
                ExprKind::Unary(UnOp::AddrOf, x) => x.is_var(self.v),
                _ => false,
            };
        });
        found
    }

    fn moved(&mut self, m: &Move) -> Option<()> {
        if self.done.is_lost {
            return effects::is_plain(&m.by).then_some(());
        }
        if let Some(n) = constant::fold(&m.by) {
            return self.done.add(&integer(n, m.by.span), m.sign);
        }
        // A number goes on by what a pointer would, but for unsigned ones, which may stand for less than nothing.
        let is_pointer = self.unit.var(self.v).ty.is_pointer_like();
        let is_number = if is_pointer { matches!(m.by.ty, Type::Int(_)) } else { is_int(&m.by) };
        let is_known = is_number && effects::is_plain(&m.by) && !m.by.mentions(self.v);
        is_known.then_some(())?;
        self.done.add(&m.by, m.sign)
    }

    /// Position of the pointer where it has been set to a value.
    fn origin(&self, value: &Expr) -> Position {
        let ty = &self.unit.var(self.v).ty;
        let mut reads_memory = false;
        value.walk(&mut |e| reads_memory |= effects::reads_memory(e));
        let is_same = match ty.is_pointer_like() {
            true => typing::element(&value.ty) == typing::element(ty) && is_place(value),
            false => value.ty == *ty && !reads_memory,
        };
        let is_known = is_same && effects::is_plain(value) && !value.mentions(self.v);
        Position::at(is_known.then(|| value.clone()))
    }

    /// The pointer as it is here, from where it was set last, if that is known.
    fn place(&self, span: Span) -> Option<Expr> {
        let is_running = |times: &Expr| self.running.iter().any(|e| same_expr(e, times));
        if self.done.is_lost || !self.done.needs().iter().all(is_running) {
            return None;
        }
        let ty = self.unit.var(self.v).ty.clone();
        let own = || Expr { kind: ExprKind::Var(self.v), ty: ty.clone(), span };
        let origin = || self.done.origin().cloned().unwrap_or_else(own);
        let is_pointer = ty.is_pointer_like();
        Some(match self.done.distance(span) {
            None if is_pointer => origin(),
            None => own(),
            Some(d) if is_pointer => {
                Expr { kind: ExprKind::Binary(BinOp::Add, origin().into(), d.into()), ty: ty.clone(), span }
            }
            Some(ref d @ Expr { kind: ExprKind::Int(n), .. }) if n >= 0 => binary(BinOp::Add, origin(), d.clone()),
            Some(Expr { kind: ExprKind::Int(n), .. }) if n != i64::MIN => {
                binary(BinOp::Sub, origin(), integer(-n, span))
            }
            Some(d) => more(origin(), d),
        })
    }
}

/// Test that statements set a pointer to something that is no place so far from where it is.
fn sets(s: &Stmt, v: VarId) -> bool {
    let mut found = false;
    s.walk(&mut |piece| match piece {
        Piece::Expr(e) => {
            found |= plainly_assigned(e).is_some_and(|(set, _)| set == v) && Move::of(e).is_none();
        }
        Piece::Stmt(Stmt { kind: StmtKind::Decl(ds), .. }) => found |= ds.iter().any(|d| d.var == v),
        Piece::Stmt(_) => {}
    });
    found
}

/// Test for an expression in which a variable only stands in a subscript, or behind a pointer that it is added to.
fn is_subscript(e: &Expr, v: VarId) -> bool {
    match &e.kind {
        ExprKind::Index(base, _) => !base.mentions(v),
        ExprKind::Binary(BinOp::Add | BinOp::Sub, ..) => e.ty.is_pointer_like(),
        _ => false,
    }
}

/// Test for a statement that control does not go on behind.
fn is_jump(s: &Stmt) -> bool {
    match &s.kind {
        StmtKind::Break | StmtKind::Continue | StmtKind::Return(_) => true,
        StmtKind::Block(list) => list.last().is_some_and(is_jump),
        _ => false,
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

/// `n > 0 ? n : 0`.
fn at_least_none(n: Expr) -> Expr {
    let (ty, span) = (n.ty.clone(), n.span);
    let none = Expr { ty: ty.clone(), ..integer(0, span) };
    let is_some = binary(BinOp::Gt, n.clone(), none.clone());
    Expr { kind: ExprKind::Cond(Box::new(is_some), Box::new(n), Box::new(none)), ty, span }
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
