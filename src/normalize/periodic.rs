//! Subscripts that go around: remainders of what is a period or two away, as choices.
//!
//! ```text
//! for (i = 0; i < n; i++)
//!     a[(i + 1) % n]              a[i + 1 < n ? i + 1 : i + 1 - n]
//!     a[(i - 1 + n) % n]          a[i - 1 + n < n ? i - 1 + n : i - 1]
//!     r = (i - 1) % n, a[r < 0 ? r + n : r]      a[i - 1 < 0 ? i - 1 + n : i - 1]
//! ```
//! An assignment to such an element is one to each, under its condition. A remainder by a size that only the call knows is no affine expression; each of the choices is one. The bounds of the loops
//! around say between what a counter lies.

use super::form::{Context, Form};
use crate::ast::build::ast_builder::{binary, integer, plain};
use crate::ast::{BinOp, Expr, ExprKind, Stmt, StmtKind, Type, Unit, VarId};
use crate::facts::effects;
use crate::facts::header::{self, For};
use crate::facts::symbolic::{Params, Poly, Reader, Sym, same_expr};
use std::collections::{BTreeMap, BTreeSet};

/// The most periods that a value may reach: counters of neighbours, `(i + k + n) % n` with `k` from -1 to 1, come to the end of two.
const MAX_PERIODS: i64 = 3;

/// How many assignments one may become, and how many nodes they have together.
const MAX_WRITTEN: usize = 16;
const MAX_NODES: usize = 2000;

/// Writes the remainders in a form that way.
pub fn open(form: &mut Form, context: &mut Context) {
    let written = effects::assigned([&form.stmt]);
    let mut around = Around { unit: context.unit, written, params: Params::default(), counted: vec![] };
    around.within(&mut form.stmt);
}

/// Counter of a loop, its first value and its last.
struct Counted {
    var: VarId,
    first: Poly,
    last: Poly,
}

struct Around<'a> {
    unit: &'a Unit,
    /// Variables that the form sets.
    written: BTreeSet<VarId>,
    params: Params,
    /// Loops around what is looked at, the outermost first.
    counted: Vec<Counted>,
}

impl Around<'_> {
    fn within(&mut self, s: &mut Stmt) {
        let found = self.counted(s);
        let is_counted = found.is_some();
        self.counted.extend(found);
        match &mut s.kind {
            // The header is read by other rules.
            StmtKind::For { body, .. } => self.within(body),
            StmtKind::If { cond, then, other } => {
                self.put(cond);
                self.within(then);
                other.iter_mut().for_each(|s| self.within(s));
            }
            StmtKind::Expr(e) => {
                let before = e.clone();
                self.put(e);
                let is_new = target(e).zip(target(&before)).is_some_and(|(now, was)| !same_expr(now, was));
                if let Some(chosen) = written(e, MAX_WRITTEN).filter(|_| is_new) {
                    s.kind = chosen;
                }
            }
            StmtKind::Decl(ds) => ds.iter_mut().filter_map(|d| d.init.as_mut()).for_each(|e| self.put(e)),
            _ => s.stmts_mut().into_iter().for_each(|s| self.within(s)),
        }
        if is_counted {
            self.counted.pop();
        }
    }

    fn counted(&mut self, s: &Stmt) -> Option<Counted> {
        let StmtKind::For { init, cond, step, body } = &s.kind else { return None };
        let header = For { init: init.as_deref(), cond: cond.as_ref(), step: step.as_ref(), span: s.span };
        let h = header::read(&header, &mut self.reader()).ok()?;
        let (1, [limit]) = (h.step, h.limits.as_slice()) else { return None };
        let is_plain = h.also_from.is_empty() && !effects::assigned([&**body]).contains(&h.var);
        Some(Counted { var: h.var, first: h.first, last: limit.plus(&Poly::constant(1), -1)? }).filter(|_| is_plain)
    }

    fn reader(&mut self) -> Reader<'_> {
        let Around { unit, written, params, counted } = self;
        let counters = counted.iter().map(|c| c.var).collect();
        Reader { unit, counters, written, params, obligations: vec![] }
    }

    fn put(&mut self, e: &mut Expr) {
        // A choice that makes a remainder positive is looked at before the remainder in it.
        if let Some(made) = self.around(e) {
            *e = made;
            return;
        }
        e.children_mut().into_iter().for_each(|x| self.put(x));
        if let Some(made) = self.remainder(e) {
            *e = made;
        }
    }

    /// `e % n` of what is not negative.
    fn remainder(&mut self, e: &Expr) -> Option<Expr> {
        let (value, by) = remainder_of(e)?;
        self.chosen(value, by, false)
    }

    /// `e % n < 0 ? e % n + n : e % n`, `e % n >= 0 ? e % n : e % n + n` and `(e % n + n) % n`.
    fn around(&mut self, e: &Expr) -> Option<Expr> {
        let is_sum = |sum: &Expr, r: &Expr, by: &Expr| match &sum.kind {
            ExprKind::Binary(BinOp::Add, a, b) => {
                same_expr(a, r) && same_expr(b, by) || same_expr(a, by) && same_expr(b, r)
            }
            _ => false,
        };
        if let ExprKind::Cond(c, a, b) = &e.kind {
            let ExprKind::Binary(op, tested, zero) = &c.kind else { return None };
            let (negative, positive) = match op {
                BinOp::Lt => (a, b),
                BinOp::Ge => (b, a),
                _ => return None,
            };
            let (value, by) = remainder_of(tested)?;
            let is_it =
                matches!(zero.kind, ExprKind::Int(0)) && same_expr(positive, tested) && is_sum(negative, tested, by);
            return if is_it { self.chosen(value, by, true) } else { None };
        }
        let (sum, by) = remainder_of(e)?;
        let ExprKind::Binary(BinOp::Add, a, b) = &sum.kind else { return None };
        let inner = [a, b].into_iter().find(|x| remainder_of(x).is_some_and(|(_, n)| same_expr(n, by)))?;
        let (value, _) = remainder_of(inner)?;
        if is_sum(sum, inner, by) { self.chosen(value, by, true) } else { None }
    }

    /// The remainder of a value that is less than some periods, and not negative or, where that goes around, too, at most one below
    /// zero.
    fn chosen(&mut self, value: &Expr, by: &Expr, is_around: bool) -> Option<Expr> {
        let Type::Int(kind) = value.ty else { return None };
        if kind.bits() < 32 || value.ty != by.ty || matches!(by.kind, ExprKind::Int(_)) && !is_around {
            return None;
        }
        let mut reader = self.reader();
        let (of, period) = (reader.poly(value)?, reader.poly(by)?);
        let owed = std::mem::take(&mut reader.obligations);
        let (low, high) = (self.extreme(&of, false)?, self.extreme(&of, true)?);
        // Unsigned numbers of 32 bits may wrap on the way to two periods.
        let is_exact = !kind.is_unsigned() || kind.bits() == 64;
        let least = |p: &Poly| self.extreme(p, false).is_some_and(|p| self.is_natural(&p));
        if !is_exact || !owed.iter().all(least) || !self.is_natural(&period.plus(&Poly::constant(1), -1)?) {
            return None;
        }
        let is_natural = self.is_natural(&low);
        let is_around = is_around && !kind.is_unsigned();
        if !is_natural && (!is_around || !self.is_natural(&low.plus(&period, 1)?)) {
            return None;
        }
        let room = |periods: i64| period.times(&Poly::constant(periods))?.plus(&high, -1)?.plus(&Poly::constant(1), -1);
        let span = value.span;
        let choice = |c: Expr, a: Expr, b: Expr| {
            let kind = ExprKind::Cond(Box::new(c), Box::new(a), Box::new(b));
            Expr { kind, ty: value.ty.clone(), span }
        };
        let n_periods = (1..=MAX_PERIODS).find(|n| room(*n).is_some_and(|room| self.is_natural(&room)))?;
        let less = |n: i64| (0..n).fold(value.clone(), |e, _| binary(BinOp::Sub, e, by.clone()));
        let first = less(n_periods - 1);
        let mut made = (0..n_periods - 1)
            .rev()
            .fold(first, |made, n| choice(binary(BinOp::Lt, less(n), by.clone()), less(n), made));
        if !is_natural {
            let is_negative = binary(BinOp::Lt, value.clone(), integer(0, span));
            made = choice(is_negative, binary(BinOp::Add, value.clone(), by.clone()), made);
        }
        Some(made)
    }

    /// The least or the greatest value, of parameters.
    fn extreme(&self, p: &Poly, is_greatest: bool) -> Option<Poly> {
        let mut p = p.clone();
        for c in self.counted.iter().rev() {
            let times = p.coefficient(c.var);
            let end = if (times > 0) == is_greatest { &c.last } else { &c.first };
            p = p.with(&BTreeMap::from([(c.var, end.clone())]))?;
        }
        let is_plain = p.is_parametric() && !p.any(&|s| matches!(s, Sym::Floor(..)));
        is_plain.then_some(p)
    }

    /// Test that a polynomial of parameters is not negative in the loops around: these run, so that each has a last value that is not
    /// below its first.
    fn is_natural(&self, p: &Poly) -> bool {
        let is_constant = |p: &Poly| p.as_constant().is_some_and(|c| c >= 0);
        let lengths: Vec<Poly> = self.counted.iter().filter_map(|c| c.last.plus(&c.first, -1)).collect();
        let less = |p: &Poly| lengths.iter().filter_map(|l| p.plus(l, -1)).collect::<Vec<_>>();
        let once = less(p);
        is_constant(p) || once.iter().any(is_constant) || once.iter().flat_map(less).any(|p| is_constant(&p))
    }
}

fn target(e: &Expr) -> Option<&Expr> {
    match &e.kind {
        ExprKind::Assign { target, .. } => Some(target),
        _ => None,
    }
}

/// An assignment to an element that a condition chooses, as one to each under its condition: so many at most.
fn written(e: &Expr, most: usize) -> Option<StmtKind> {
    let cond = choice_of(target(e)?).filter(|_| most > 1 && e.n_nodes() * most <= MAX_NODES)?.clone();
    let on = |is_first: bool| {
        let mut one = e.clone();
        if let ExprKind::Assign { target, .. } = &mut one.kind {
            target.rewrite(&mut |x| {
                if let ExprKind::Cond(c, a, b) = &x.kind
                    && same_expr(c, &cond)
                {
                    *x = if is_first { (**a).clone() } else { (**b).clone() };
                }
            });
        }
        let kind = written(&one, most / 2).unwrap_or(StmtKind::Expr(one));
        Box::new(plain(kind, e.span))
    };
    let (then, other) = (on(true), on(false));
    Some(StmtKind::If { cond, then, other: Some(other) })
}

/// The condition of the first choice in the subscripts of an element.
fn choice_of(target: &Expr) -> Option<&Expr> {
    let mut found = None;
    target.walk(&mut |e| {
        if let ExprKind::Cond(c, ..) = &e.kind {
            found = found.or(Some(&**c));
        }
    });
    found.filter(|_| matches!(target.kind, ExprKind::Index(..)))
}

fn remainder_of(e: &Expr) -> Option<(&Expr, &Expr)> {
    match &e.kind {
        ExprKind::Binary(BinOp::Rem, a, b) => Some((a, b)),
        _ => None,
    }
}
