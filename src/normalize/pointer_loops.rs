//! Loops whose counter is a pointer, with a number beside it that counts.
//!
//! ```text
//! for (p = a; p < a + n; p++)            double *p' = a;
//!     s += *p;                   ->      for (long p_at = 0; p_at < n; p_at++, p'++)
//!                                            s += *p';
//! double *p = x, *end = x + n;           double *p = x, *end = x + n;
//! while (p != end)               ->      double *p' = x;
//!     *p++ = 0;                          for (long p_at = 0; p_at != n; p_at++)
//!                                            *p'++ = 0;
//! for (p = a + n - 1; p >= a; p -= 2)    double *p' = a + n - 1;
//!     *p = 0;                    ->      for (long p_at = 0; 2 * p_at < n; p_at++, p' -= 2)
//!                                            *p' = 0;
//! ```
//! The pointer, another variable of its name, is then one that walks ([`super::induction_substitution`]).
//!
//! A loop is one if each iteration moves the pointer by the same constant, and if the pointer begins, and is held against, a
//! place in the same array: two numbers of elements behind one base. Neither changes in the loop, and nobody reads the pointer
//! behind it. C defines no comparison of places in different arrays, and no pointer beyond an array, so that one that is to
//! come to a place (`!=`) comes to it.

use super::form::{Context, Form};
use super::induction_substitution::{distance, rejoined};
use super::loop_canonicalization::{before, last_value, put};
use super::place_canonicalization::Place;
use super::pointer_positions::{less, more};
use super::single_counter::listed;
use super::substitution::is_place;
use crate::ast::build::ast_builder::{binary, declared, integer, plain, surround};
use crate::ast::build::typing;
use crate::ast::visit::Piece;
use crate::ast::{BinOp, Declarator, Expr, ExprKind, IntKind, Stmt, StmtKind, Storage, Type, Unit, Var, VarId};
use crate::facts::changes::Changes;
use crate::facts::effects::{is_plain, plainly_assigned};
use crate::facts::liveness::Live;
use crate::facts::symbolic::same_expr;
use std::collections::BTreeSet;

/// Pointers that stand for others, one after the other, before the search for a common base ends.
const MAX_NAMES: usize = 4;

/// Gives every such loop of a statement its number.
pub fn open(form: &mut Form<'_>, context: &mut Context<'_>) {
    let (live, facts) = (form.live_behind(context), context.facts);
    if compares_pointers(&form.stmt) && !form.stmt.is_entered_elsewhere() {
        let stmts_before = before(&facts.function.body, form.written.span).unwrap_or_default();
        inside(context.unit, &facts.seen, &mut form.stmt, stmts_before, &live);
    }
}

fn compares_pointers(s: &Stmt) -> bool {
    let mut found = false;
    s.walk(&mut |piece| {
        let Piece::Stmt(Stmt { kind: StmtKind::While { cond, .. } | StmtKind::For { cond: Some(cond), .. }, .. }) =
            piece
        else {
            return;
        };
        found |= matches!(&cond.kind, ExprKind::Binary(_, a, b) if a.ty.is_pointer_like() && b.ty.is_pointer_like());
    });
    found
}

/// `seen`: the variables of the function that may be read, and set, in other ways than by name; `stmts_before`: those before
/// the statement in its block; `live`: behind it.
fn inside(unit: &mut Unit, seen: &BTreeSet<VarId>, s: &mut Stmt, stmts_before: &[Stmt], live: &Live) {
    let below = live.behind_children(s);
    if let StmtKind::Block(list) = &mut s.kind {
        for (at, live) in below.iter().enumerate() {
            let (stmts_before, rest) = list.split_at_mut(at);
            inside(unit, seen, &mut rest[0], stmts_before, live);
        }
        return;
    }
    s.stmts_mut().into_iter().zip(&below).for_each(|(s, live)| inside(unit, seen, s, &[], live));
    if let Some(found) = (Search { unit, seen, stmts_before, live }).counted(s) {
        begin(unit, s, found);
    }
}

/// A loop that counts by a pointer.
struct Counted {
    counter: VarId,
    /// Pointers that the loop sets before its first iteration, and their values.
    starts: Vec<(VarId, Expr)>,
    /// Everything else that its head declares, or sets.
    declares: Option<Stmt>,
    sets: Vec<Expr>,
    /// The comparison of the number of iterations, times the elements of each, with those that lie between.
    op: BinOp,
    by: i64,
    between: Expr,
}

impl Counted {
    /// Variables of the function that the head sets, and their values.
    fn set(&self) -> Vec<(VarId, &Expr)> {
        let numbers = self.sets.iter().filter_map(plainly_assigned);
        self.starts.iter().map(|(v, value)| (*v, value)).chain(numbers).collect()
    }

    fn sets_part_of(&self, e: &Expr) -> bool {
        self.set().iter().any(|(v, _)| e.mentions(*v))
    }
}

struct Search<'a> {
    unit: &'a Unit,
    seen: &'a BTreeSet<VarId>,
    stmts_before: &'a [Stmt],
    live: &'a Live,
}

impl Search<'_> {
    fn counted(&self, s: &Stmt) -> Option<Counted> {
        let (init, cond, step, body) = match &s.kind {
            StmtKind::While { cond, body } => (None, cond, None, body),
            StmtKind::For { init, cond: Some(cond), step, body } => (init.as_deref(), cond, step.as_ref(), body),
            _ => return None,
        };
        let ExprKind::Binary(op, a, b) = &cond.kind else { return None };
        let are_alike =
            a.ty.is_pointer_like() && b.ty.is_pointer_like() && typing::element(&a.ty) == typing::element(&b.ty);
        if body.exits().any() || !are_alike {
            return None;
        }
        let walks = |e: &Expr| match e.kind {
            ExprKind::Var(v) => distance(self.unit, v, step, body).filter(|n| *n != 0).map(|by| (v, by)),
            _ => None,
        };
        let ((v, by), op, limit) = match (walks(a), walks(b)) {
            (Some(found), None) => (found, *op, b),
            (None, Some(found)) => (found, mirrored(*op), a),
            _ => return None,
        };
        let stops = match op {
            BinOp::Lt | BinOp::Le => by > 0,
            BinOp::Gt | BinOp::Ge => by < 0,
            BinOp::Ne => by.abs() == 1,
            _ => false,
        };
        let mut head = self.head(v, init)?;
        let in_head = head.declares.as_ref().and_then(|s| put(s, v));
        let started = head.starts.iter().find(|(u, _)| *u == v).map(|(_, first)| first);
        let own = self.unit.read(v, cond.span);
        let at_place = || self.value_before(v, &head).filter(|value| is_place(value));
        let first = in_head.or(started).or_else(at_place).unwrap_or(&own).clone();
        let is_set = in_head.is_some() || started.is_some();
        if !stops || !self.is_own(v) || !is_place(&first) || in_head.is_none() && self.live.contains(v) {
            return None;
        }
        let between = self.between(&first, limit, by > 0, &head)?;
        let counted = Stmt {
            kind: StmtKind::For { init: None, cond: None, step: step.cloned(), body: body.clone() },
            ..s.clone()
        };
        let changes = Changes::with_calls(self.unit, [&counted]);
        let stays = |e: &Expr| changes.keep(self.unit, e) && is_plain(e) && !e.mentions(v);
        if !stays(&between) || !stays(limit) || !(first == own || stays(&first)) {
            return None;
        }
        if !is_set {
            head.starts.push((v, first));
        }
        let one = integer(1, s.span);
        (head.op, head.by, head.between) = match op {
            BinOp::Le | BinOp::Ge => (BinOp::Lt, by.abs(), more(between, one)),
            BinOp::Ne => (BinOp::Ne, 1, between),
            _ => (BinOp::Lt, by.abs(), between),
        };
        Some(head)
    }

    /// A pointer that nobody changes or reads but by its name.
    fn is_own(&self, v: VarId) -> bool {
        let var = self.unit.var(v);
        let is_pointer =
            matches!(&var.ty, Type::Pointer { to, .. } if to.is_scalar() || matches!(**to, Type::Struct(_)));
        let is_local = matches!(var.storage, Storage::Local | Storage::Param);
        is_pointer && is_local && !var.is_volatile && !self.seen.contains(&v)
    }

    /// Variables that a loop sets before its first iteration.
    fn head(&self, counter: VarId, init: Option<&Stmt>) -> Option<Counted> {
        let between = integer(0, init.map_or_else(Default::default, |s| s.span));
        let mut out = Counted { counter, starts: vec![], declares: None, sets: vec![], op: BinOp::Lt, by: 1, between };
        match init.map(|s| &s.kind) {
            None | Some(StmtKind::Empty) => {}
            Some(StmtKind::Decl(_)) => out.declares = init.cloned(),
            Some(StmtKind::Expr(e)) => {
                for e in listed(e) {
                    let (v, value) = plainly_assigned(e)?;
                    if !self.unit.var(v).ty.is_pointer_like() {
                        out.sets.push(e.clone());
                    } else if self.is_own(v) && !self.live.contains(v) {
                        out.starts.push((v, value.clone()));
                    } else {
                        return None;
                    }
                }
            }
            Some(_) => return None,
        }
        (!out.set().iter().any(|(_, value)| out.sets_part_of(value))).then_some(out)
    }

    /// The elements between two places of one array, from the lower to the higher.
    fn between(&self, first: &Expr, limit: &Expr, is_up: bool, head: &Counted) -> Option<Expr> {
        let (starts, ends) = (self.places(first, head), self.places(limit, head));
        let pairs = starts.iter().flat_map(|start| ends.iter().map(move |end| (start, end)));
        let (start, end) = pairs.into_iter().find(|(start, end)| same_expr(&start.base, &end.base))?;
        let (from, to) = if is_up { (start, end) } else { (end, start) };
        Some(less(to.elements.clone(), from.elements.clone()))
    }

    /// A place as it is written, and as what the pointers in it stand for.
    fn places(&self, e: &Expr, head: &Counted) -> Vec<Place> {
        let mut out = vec![];
        let mut next = Some((e.clone(), integer(0, e.span)));
        while let Some((e, behind)) = next.take().filter(|_| out.len() < MAX_NAMES) {
            let Some(Place { base, elements }) = Place::of(&e) else { break };
            let elements = more(elements, behind);
            if let ExprKind::Var(v) = base.kind
                && matches!(self.unit.var(v).ty, Type::Pointer { .. })
                && !self.seen.contains(&v)
            {
                let declared = head.declares.as_ref().and_then(|s| put(s, v));
                let value = declared.or_else(|| self.value_before(v, head));
                let fits = |value: &&Expr| is_place(value) && typing::element(&value.ty) == typing::element(&base.ty);
                next = value.filter(fits).map(|value| (value.clone(), elements.clone()));
            }
            out.push(Place { base, elements });
        }
        out
    }

    /// Value that a variable has before the loop, if the head leaves it as it is.
    fn value_before(&self, v: VarId, head: &Counted) -> Option<&Expr> {
        last_value(self.unit, self.stmts_before, v).filter(|value| !head.sets_part_of(value))
    }
}

/// `a op b` as `b op' a`.
fn mirrored(op: BinOp) -> BinOp {
    match op {
        BinOp::Lt => BinOp::Gt,
        BinOp::Gt => BinOp::Lt,
        BinOp::Le => BinOp::Ge,
        BinOp::Ge => BinOp::Le,
        op => op,
    }
}

/// Writes the loop with its number.
fn begin(unit: &mut Unit, s: &mut Stmt, found: Counted) {
    let span = s.span;
    let Counted { counter: pointer, starts, declares, mut sets, op, by, between } = found;
    let long = Type::Int(IntKind::Long);
    let counter = unit.add(Var::new(format!("{}_at", unit.var(pointer).name), long.clone(), Storage::Local, span));
    let value = unit.read(counter, span);
    let (step, mut body) = match std::mem::replace(&mut s.kind, StmtKind::Empty) {
        StmtKind::While { body, .. } => (None, body),
        StmtKind::For { step, body, .. } => (step, body),
        _ => return,
    };
    let count = ExprKind::IncDec { inc: true, prefix: false, target: Box::new(value.clone()) };
    let count = Expr { kind: count, ty: long, span };
    let mut step = rejoined(count, step.iter().flat_map(listed).cloned());
    let mut stmts = Vec::from_iter(declares);
    for (v, first) in starts {
        let var = unit.var(v);
        let own = Var::new(var.name.clone(), var.ty.clone(), Storage::Local, span);
        let own = unit.add(own);
        let place = unit.read(own, span);
        body.replace(v, &place);
        step.replace(v, &place);
        stmts.push(declared(own, first));
    }
    let zero = integer(0, span);
    let init = if sets.is_empty() {
        declared(counter, zero)
    } else {
        stmts.push(plain(StmtKind::Decl(vec![Declarator { var: counter, init: None }]), span));
        let ty = value.ty.clone();
        let kind = ExprKind::Assign { op: None, target: Box::new(value.clone()), value: Box::new(zero) };
        let first = Expr { kind, ty, span };
        plain(StmtKind::Expr(rejoined(first, sets.drain(..))), span)
    };
    let moved = if by == 1 { value } else { binary(BinOp::Mul, integer(by, span), value) };
    let cond = Some(binary(op, moved, between));
    s.kind = StmtKind::For { init: Some(Box::new(init)), cond, step: Some(step), body };
    surround(s, stmts, vec![]);
}
