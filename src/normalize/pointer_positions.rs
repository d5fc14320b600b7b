//! Positions of pointers that walk: where they were set last, and how far they have come since, a sum of whole numbers that
//! the program computes.
//!
//! A sum is a constant and terms, each a value of 64 bits that is in it so many times: `p += w - 3` twice is `2 * (long)w - 6`.
//! Sums of signed numbers are taken apart, since C leaves open what they are where they overflow; of equal sums the terms are
//! the same.

use crate::ast::build::ast_builder::integer;
use crate::ast::{BinOp, Expr, ExprKind, IntKind, Type, UnOp};
use crate::facts::symbolic::same_expr;
use crate::source::Span;

const LONG: Type = Type::Int(IntKind::Long);

/// Position of a pointer whose variable stays what it was set to.
#[derive(Debug, Clone, Default)]
pub(super) struct Position {
    /// The place that the variable was set to, if that can be named here; else it is the variable's value.
    origin: Option<Expr>,
    constant: i64,
    terms: Vec<(Expr, i64)>,
    /// Numbers of iterations in the sum: where one is negative, its loop ran no iteration, and the sum is wrong.
    needs: Vec<Expr>,
    /// Nobody knows where it is: the pointer must be set before it is used.
    pub is_lost: bool,
}

impl Position {
    /// The position that is not known.
    pub fn lost() -> Position {
        Position { is_lost: true, ..Position::default() }
    }

    /// The position of a pointer that has just been set.
    pub fn at(origin: Option<Expr>) -> Position {
        Position { origin, ..Position::default() }
    }

    /// The place that it was set to, if that can be named.
    pub fn origin(&self) -> Option<&Expr> {
        self.origin.as_ref()
    }

    /// Forgets what changes, as `keeps` tells: the place alone, or all.
    pub fn forget(&mut self, keeps: &dyn Fn(&Expr) -> bool) {
        if !self.values().all(keeps) {
            *self = Position::lost();
        }
        self.origin = self.origin.take().filter(keeps);
    }

    /// The distance as a number, if it is one.
    pub fn number(&self) -> Option<i64> {
        (self.terms.is_empty() && !self.is_lost).then_some(self.constant)
    }

    /// Test for a pointer that has not been moved.
    pub fn is_none(&self) -> bool {
        self.number() == Some(0)
    }

    /// The values that the distance is computed from, and those that it is right by.
    pub fn values(&self) -> impl Iterator<Item = &Expr> {
        self.terms.iter().map(|(e, _)| e).chain(&self.needs)
    }

    /// Numbers of iterations of which none may be negative.
    pub fn needs(&self) -> &[Expr] {
        &self.needs
    }

    /// Notes a number of iterations that must not be negative.
    pub fn need(&mut self, times: Expr) {
        if !self.needs.iter().any(|e| same_expr(e, &times)) {
            self.needs.push(times);
        }
    }

    /// Adds a value, so many times.
    pub fn add(&mut self, e: &Expr, times: i64) -> Option<()> {
        match &e.kind {
            ExprKind::Int(n) => {
                self.constant = self.constant.checked_add(n.checked_mul(times)?)?;
                return Some(());
            }
            ExprKind::Binary(BinOp::Add, a, b) if is_signed(&e.ty) => {
                self.add(a, times)?;
                return self.add(b, times);
            }
            ExprKind::Binary(BinOp::Sub, a, b) if is_signed(&e.ty) => {
                self.add(a, times)?;
                return self.add(b, times.checked_neg()?);
            }
            ExprKind::Unary(UnOp::Neg, a) if is_signed(&e.ty) => return self.add(a, times.checked_neg()?),
            ExprKind::Cast(a) if e.ty == LONG && is_signed(&a.ty) => return self.add(a, times),
            ExprKind::Binary(BinOp::Mul, a, b) if is_signed(&e.ty) => return self.add_product(a, b, times),
            _ => {}
        }
        self.add_term(long(e.clone()), times)
    }

    /// Adds a product of signed numbers, so many times: of sums, each of their terms.
    fn add_product(&mut self, a: &Expr, b: &Expr, times: i64) -> Option<()> {
        for (x, y) in [(a, b), (b, a)] {
            match &narrow(x).kind {
                ExprKind::Int(n) => return self.add(y, times.checked_mul(*n)?),
                ExprKind::Binary(op @ (BinOp::Add | BinOp::Sub), first, second) if is_signed(&narrow(x).ty) => {
                    self.add_product(first, y, times)?;
                    let sign = if *op == BinOp::Add { 1 } else { -1 };
                    return self.add_product(second, y, times.checked_mul(sign)?);
                }
                ExprKind::Unary(UnOp::Neg, e) if is_signed(&narrow(x).ty) => {
                    return self.add_product(e, y, times.checked_neg()?);
                }
                _ => {}
            }
        }
        let mut all = factors(a);
        all.extend(factors(b));
        // In one order, so that equal products are the same.
        all.sort_by_key(|e| narrow(e).root());
        let product = all.into_iter().cloned().reduce(|a, b| number(BinOp::Mul, a, b))?;
        self.add_term(product, times)
    }

    fn add_term(&mut self, e: Expr, times: i64) -> Option<()> {
        match self.terms.iter_mut().find(|(known, _)| same_expr(known, &e)) {
            Some((_, n)) => *n = n.checked_add(times)?,
            None => self.terms.push((e, times)),
        }
        self.terms.retain(|(_, n)| *n != 0);
        Some(())
    }

    /// Adds the distance of another position, as often as a value says.
    pub fn add_times(&mut self, other: &Position, times: &Expr) -> Option<()> {
        other.needs.iter().for_each(|e| self.need(e.clone()));
        if let ExprKind::Int(n) = times.kind {
            other.terms.iter().try_for_each(|(e, k)| self.add(e, k.checked_mul(n)?))?;
            return self.add(&integer(other.constant, times.span), n);
        }
        if other.constant != 0 {
            self.add(times, other.constant)?;
        }
        other.terms.iter().try_for_each(|(e, k)| self.add(&number(BinOp::Mul, times.clone(), e.clone()), *k))
    }

    /// Position where two ways meet.
    pub fn joined(self, other: Position) -> Position {
        let has = |(e, n): &(Expr, i64)| other.terms.iter().any(|(x, k)| k == n && same_expr(e, x));
        let is_same = self.constant == other.constant
            && self.is_lost == other.is_lost
            && self.terms.len() == other.terms.len()
            && self.terms.iter().all(has);
        if !is_same {
            return Position::lost();
        }
        let mut out = self;
        out.origin = out.origin.filter(|a| other.origin.as_ref().is_some_and(|b| same_expr(a, b)));
        other.needs.into_iter().for_each(|e| out.need(e));
        out
    }

    /// The distance in C; `None` where it is zero.
    pub fn distance(&self, span: Span) -> Option<Expr> {
        let often = |e: &Expr, n: i64| if n == 1 { e.clone() } else { number(BinOp::Mul, integer(n, span), e.clone()) };
        let (ups, downs): (Vec<_>, Vec<_>) = self.terms.iter().partition(|(_, n)| *n > 0);
        let up = ups.into_iter().map(|(e, n)| often(e, *n)).reduce(more);
        let sum = downs.into_iter().fold(up, |sum, (e, n)| match sum {
            Some(sum) => Some(less(sum, often(e, n.checked_neg().unwrap_or(*n)))),
            None => Some(often(e, *n)),
        });
        let at = |n: i64| integer(n, span);
        match (sum, self.constant) {
            (sum, 0) => sum,
            (None, n) => Some(at(n)),
            (Some(sum), n) if n < 0 && n != i64::MIN => Some(less(sum, at(-n))),
            (Some(sum), n) => Some(more(sum, at(n))),
        }
    }
}

/// The factors of a product of signed numbers.
fn factors(e: &Expr) -> Vec<&Expr> {
    match &narrow(e).kind {
        ExprKind::Binary(BinOp::Mul, a, b) if is_signed(&narrow(e).ty) => [factors(a), factors(b)].concat(),
        _ => vec![e],
    }
}

/// A signed number that is taken for one of 64 bits, as it was before.
fn narrow(e: &Expr) -> &Expr {
    match &e.kind {
        ExprKind::Cast(a) if e.ty == LONG && is_signed(&a.ty) => narrow(a),
        _ => e,
    }
}

fn is_signed(ty: &Type) -> bool {
    matches!(ty, Type::Int(kind) if !kind.is_unsigned())
}

/// `a + b` of 64 bits.
pub(super) fn more(a: Expr, b: Expr) -> Expr {
    number(BinOp::Add, a, b)
}

/// `a - b` of 64 bits.
pub(super) fn less(a: Expr, b: Expr) -> Expr {
    number(BinOp::Sub, a, b)
}

/// A number in 64 bits.
fn long(e: Expr) -> Expr {
    match e.ty {
        Type::Int(IntKind::Long) => e,
        _ if matches!(e.kind, ExprKind::Int(_)) => Expr { ty: LONG, ..e },
        _ => Expr { span: e.span, kind: ExprKind::Cast(Box::new(e)), ty: LONG },
    }
}

/// An operation of numbers of 64 bits.
fn number(op: BinOp, a: Expr, b: Expr) -> Expr {
    let span = a.span;
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
