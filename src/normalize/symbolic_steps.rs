//! Loops that move their counter by a size, as loops that count by one.
//!
//! ```text
//! for (i = 0; i < n * inc; i += inc)          for (i' = 0; i' < ceil(n * inc / inc); i'++)
//!     x[i] *= a;                      ->          x[i' * inc] *= a;
//! for (i = n - 1; i >= 0; i -= s)             for (i' = (n - 1) / s; i' > (n - 1) / s - ceil(n / s); i'--)
//!     y[i] = 0;                       ->          y[i' * s + (n - 1) % s] = 0;
//! ```
//! The new counter is the quotient of the old one, so that subscripts are rows of one step, all at the same place of their
//! row: rows never meet ([`crate::region::delinearise`]). The number of iterations is a quotient of unsigned numbers, which
//! leaves a step below one to the original loop. First value, limit and step must be known before the statement, and the
//! counter be lost behind its loop. A loop that gives its counter to the head of another one goes through tiles, which
//! [`super::untiling`] takes out; one whose counter is a column is left as it is: what its step is does not matter where rows
//! never meet.

use super::form::{Context, Form};
use crate::ast::build::ast_builder::{binary, converted, declared, integer};
use crate::ast::visit::Piece;
use crate::ast::{BinOp, Expr, ExprKind, IntKind, Stmt, StmtKind, Storage, Type, UnOp, Unit, Var, VarId};
use crate::facts::effects;
use crate::facts::function::FunctionFacts;
use crate::facts::header::{first_value, mirrored, step_by, step_of};
use crate::facts::liveness::Live;
use crate::facts::symbolic::widens;
use std::collections::BTreeSet;

/// Opens such loops of a form.
pub fn open(form: &mut Form<'_>, context: &mut Context<'_>) {
    if form.has_loop() {
        let live = form.live_behind(context);
        let mut varying = effects::assigned([&form.stmt]);
        varying.extend(effects::declared([&form.stmt]));
        inside(context.unit, (context.facts, &varying), (&live, &[]), &mut form.stmt);
    }
}

/// Facts of the function, and what the form sets or declares.
type Around<'a> = (&'a FunctionFacts<'a>, &'a BTreeSet<VarId>);

/// `live`: behind the statement. `counters`: of the loops around it.
fn inside(unit: &mut Unit, of: Around, (live, counters): (&Live, &[VarId]), s: &mut Stmt) {
    if let Some(steps) = Steps::of(unit, of, (live, counters), s) {
        steps.open(unit, s);
    }
    let own = if let StmtKind::For { init: Some(init), .. } = &s.kind { effects::header_counter(init) } else { None };
    let counters: Vec<VarId> = counters.iter().copied().chain(own).collect();
    let below = live.behind_children(s);
    s.stmts_mut().into_iter().zip(&below).for_each(|(s, live)| inside(unit, of, (live, &counters), s));
}

/// A loop that moves its counter by a size.
struct Steps {
    counter: VarId,
    first: Expr,
    is_up: bool,
    /// Limit that the counter is compared with, and a flag: it may come to be that.
    limit: Expr,
    or_equal: bool,
    /// Step of the counter, in the direction that the condition ends.
    step: Expr,
    /// Least number that is added to the counter in a subscript.
    offset: i64,
    /// Flag: an unsigned counter of 32 bits, which may wrap behind its limit.
    is_short: bool,
}

impl Steps {
    fn of(unit: &Unit, (facts, varying): Around, (live, counters): (&Live, &[VarId]), s: &Stmt) -> Option<Steps> {
        let StmtKind::For { init: Some(init), cond: Some(cond), step: Some(step), body } = &s.kind else { return None };
        let (counter, first) = first_value(init)?;
        let (sign, by) = step_by(step, counter).filter(|_| step_of(step, counter).is_none())?;
        let ExprKind::Binary(op, a, b) = &cond.kind else { return None };
        let (op, limit) = match (a.is_var(counter), b.is_var(counter)) {
            (true, false) => (*op, &**b),
            (false, true) => (mirrored(*op), &**a),
            _ => return None,
        };
        let is_up = match op {
            BinOp::Lt | BinOp::Le => true,
            BinOp::Gt | BinOp::Ge => false,
            _ => return None,
        };
        let var = unit.var(counter);
        let kind = counted_in(&var.ty).filter(|kind| is_up || !kind.is_unsigned())?;
        let is_own = matches!(var.storage, Storage::Local | Storage::Param)
            && !var.is_volatile
            && !facts.seen.contains(&counter)
            && !live.contains(counter)
            && !effects::assigned([&**body]).contains(&counter);
        let is_size = |e: &Expr| is_size(unit, varying, e);
        let fits = |e: &Expr| kind != IntKind::Int || e.ty == Type::Int(kind);
        // Beside an unsigned limit a counter below zero would be a large one.
        let turns = !kind.is_unsigned() && counted_in(&limit.ty)?.is_unsigned() && !widens(&limit.ty, &var.ty);
        if !is_own || turns || ![first, by, limit].into_iter().all(is_size) || ![first, by].into_iter().all(fits) {
            return None;
        }
        let offset = Uses::of(body, counter, by, counters)?.offset.unwrap_or(0);
        let step = if (sign == BinOp::Add) == is_up { by.clone() } else { negated(by) };
        let (first, limit) = (first.clone(), limit.clone());
        let is_short = kind == IntKind::UInt;
        let step = if is_short { converted(&step, &Type::Int(IntKind::Int)) } else { step };
        let limit = if is_short { converted(&limit, &Type::Int(IntKind::Int)) } else { limit };
        let or_equal = matches!(op, BinOp::Le | BinOp::Ge);
        Some(Steps { counter, first, is_up, limit, or_equal, step, offset, is_short })
    }

    fn open(self, unit: &mut Unit, s: &mut Stmt) {
        let StmtKind::For { init, cond, step, body } = &mut s.kind else { return };
        let (span, ty) = (body.span, unit.var(self.counter).ty.clone());
        let is_unsigned = matches!(ty, Type::Int(kind) if kind.is_unsigned());
        let own = if is_unsigned { Type::Int(IntKind::Long) } else { ty.clone() };
        let counter = unit.add(Var::new(unit.var(self.counter).name.clone(), own.clone(), Storage::Local, span));
        let value = Expr { kind: ExprKind::Var(counter), ty: own.clone(), span };
        let by = converted(&self.step, &own);
        let mut place = binary(BinOp::Mul, value.clone(), by.clone());
        let mut begin = integer(0, span);
        let first = added(converted(&self.first, &own), self.offset);
        if !is_zero(&first) {
            begin = binary(BinOp::Div, first.clone(), by.clone());
            place = binary(BinOp::Add, place, binary(BinOp::Rem, first, by));
        }
        body.replace(self.counter, &converted(&added(place, -self.offset), &ty));
        let long = Type::Int(IntKind::Long);
        let n_iterations = converted(&self.n_iterations(), &long);
        let (compared, moved) = if self.is_up { (BinOp::Lt, BinOp::Add) } else { (BinOp::Gt, BinOp::Sub) };
        let end = match self.is_up && is_zero(&begin) {
            true => n_iterations,
            false => binary(moved, converted(&begin, &long), n_iterations),
        };
        *init = Some(Box::new(declared(counter, converted(&begin, &own))));
        *cond = Some(binary(compared, value.clone(), end));
        let kind = ExprKind::IncDec { inc: self.is_up, prefix: false, target: Box::new(value) };
        *step = Some(Expr { kind, ty: own, span });
    }

    /// `(way > 0 ? way : 0 + (step - 1)) / step`, with the way from the first value to the limit.
    fn n_iterations(&self) -> Expr {
        let (long, unsigned) = (Type::Int(IntKind::Long), Type::Int(IntKind::ULong));
        let (first, limit) = (converted(&self.first, &long), converted(&self.limit, &long));
        let (from, to) = if self.is_up { (first, limit) } else { (limit, first) };
        let way = if is_zero(&from) { to } else { binary(BinOp::Sub, to, from) };
        let way = added(way, i64::from(self.or_equal));
        let span = way.span;
        let none = converted(&integer(0, span), &unsigned);
        let is_some = binary(BinOp::Gt, way.clone(), integer(0, span));
        let kind = ExprKind::Cond(Box::new(is_some), Box::new(converted(&way, &unsigned)), Box::new(none));
        // Where the limit has to fit, so that no sum wraps, that is said of the way itself.
        let way = if self.is_short { converted(&way, &unsigned) } else { Expr { kind, ty: unsigned.clone(), span } };
        let rest = converted(&added(self.step.clone(), -1), &unsigned);
        binary(BinOp::Div, binary(BinOp::Add, way, rest), converted(&self.step, &unsigned))
    }
}

/// The type of a counter, if it has 32 bits at least.
fn counted_in(ty: &Type) -> Option<IntKind> {
    let Type::Int(kind) = ty else { return None };
    (kind.bits() >= 32).then_some(*kind)
}

fn is_zero(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Cast(of) => is_zero(of),
        kind => *kind == ExprKind::Int(0),
    }
}

/// `e + by`
fn added(e: Expr, by: i64) -> Expr {
    let span = e.span;
    if is_zero(&e) {
        return converted(&integer(by, span), &e.ty);
    }
    match by {
        0 => e,
        1.. => binary(BinOp::Add, e, integer(by, span)),
        _ => binary(BinOp::Sub, e, integer(by.saturating_neg(), span)),
    }
}

fn negated(e: &Expr) -> Expr {
    match &e.kind {
        ExprKind::Unary(UnOp::Neg, of) => (**of).clone(),
        _ => Expr { kind: ExprKind::Unary(UnOp::Neg, Box::new(e.clone())), ..e.clone() },
    }
}

/// Test for an integer that is the same all through the statement, of numbers and members of structures.
fn is_size(unit: &Unit, varying: &BTreeSet<VarId>, e: &Expr) -> bool {
    let mut is_size = counted_in(&e.ty).is_some();
    e.walk(&mut |e| {
        is_size &= match &e.kind {
            ExprKind::Var(v) => !varying.contains(v) && !unit.var(*v).is_volatile,
            ExprKind::Binary(BinOp::Mul, a, b) => [a, b].iter().all(|x| matches!(x.ty, Type::Int(_))),
            ExprKind::Binary(op, ..) => matches!(op, BinOp::Add | BinOp::Sub),
            ExprKind::Unary(op, _) => matches!(op, UnOp::Neg | UnOp::Plus),
            ExprKind::Int(_) | ExprKind::Cast(_) | ExprKind::Member { .. } => true,
            _ => false,
        };
    });
    is_size
}

/// Where a counter is used in the body of its loop.
#[derive(Default)]
struct Uses {
    offset: Option<i64>,
    is_column: bool,
    is_in_head: bool,
}

impl Uses {
    /// `None` where it is a column, of a matrix or of rows that the counters of loops around it tell, or where it or what it
    /// moves by is in the head of a loop.
    fn of(body: &Stmt, v: VarId, by: &Expr, counters: &[VarId]) -> Option<Uses> {
        let mut out = Uses::default();
        let mut of_tiles = BTreeSet::from([v]);
        by.walk(&mut |e| of_tiles.extend(if let ExprKind::Var(v) = e.kind { Some(v) } else { None }));
        let is_of_tiles = |e: &Expr| of_tiles.iter().any(|v| e.mentions(*v));
        body.walk(&mut |piece| match piece {
            Piece::Stmt(Stmt { kind: StmtKind::For { init, cond, step, .. }, .. }) => {
                init.iter().for_each(|s| s.exprs(&mut |e| out.is_in_head |= is_of_tiles(e)));
                out.is_in_head |= cond.iter().chain(step).any(is_of_tiles);
            }
            Piece::Stmt(Stmt { kind: StmtKind::While { cond, .. } | StmtKind::DoWhile { cond, .. }, .. }) => {
                out.is_in_head |= is_of_tiles(cond);
            }
            Piece::Expr(Expr { kind: ExprKind::Index(base, at), .. }) => {
                let is_behind = matches!(base.kind, ExprKind::Index(..)) || counters.iter().any(|c| at.mentions(*c));
                out.is_column |= is_behind && at.mentions(v);
                let offset = offset_of(at, v);
                out.offset = [out.offset, offset].into_iter().flatten().min();
            }
            Piece::Expr(_) | Piece::Stmt(_) => {}
        });
        (!out.is_column && !out.is_in_head).then_some(out)
    }
}

/// The number that is added to a variable.
fn offset_of(e: &Expr, v: VarId) -> Option<i64> {
    let number = |e: &Expr| if let ExprKind::Int(n) = e.kind { Some(n) } else { None };
    match &e.kind {
        ExprKind::Var(x) => (*x == v).then_some(0),
        ExprKind::Cast(of) => offset_of(of, v),
        ExprKind::Binary(BinOp::Add, a, b) => match number(a) {
            Some(n) => offset_of(b, v)?.checked_add(n),
            None => offset_of(a, v)?.checked_add(number(b)?),
        },
        ExprKind::Binary(BinOp::Sub, a, b) => offset_of(a, v)?.checked_sub(number(b)?),
        _ => None,
    }
}
