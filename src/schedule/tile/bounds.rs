//! Bounds of a tile: what is known of all its points at once, and of one point.
//!
//! A bound is a polynomial that is not negative. Over a tile, whose counters each run through an interval, the bound of
//! one point becomes one of all of them by taking each counter at the end of its interval where the polynomial is
//! least, or of any of them where it is greatest:
//! ```text
//! j <= i, i in [I, I + 63], j in [J, J + 63]     all points: J + 63 <= I     any point: J <= I + 63
//! ```
//! What holds wherever some value of another counter leads is found by eliminating that counter (Fourier and Motzkin;
//! exact over the integers where one of the two coefficients is one).

use crate::ast::{BinOp, VarId};
use crate::facts::symbolic::{Poly, Sym};
use crate::kernel::Expr;
use crate::region::Loop;
use crate::schedule::index;
use crate::schedule::lower::Lowering;
use std::collections::BTreeMap;

/// The bounds of a loop of step 1: its counter is at least `first` and below every limit.
pub fn of_loop(l: &Loop, same: &BTreeMap<VarId, Poly>) -> Option<Vec<Poly>> {
    let counter = Poly::sym(Sym::Counter(l.var)).with(same)?;
    let mut out = vec![counter.plus(&l.first.with(same)?, -1)?];
    for limit in &l.limits {
        out.push(limit.with(same)?.plus(&counter, -1)?.plus(&Poly::constant(1), -1)?);
    }
    Some(out)
}

/// Test that each of those counters stands alone, with a number before it, wherever it stands.
pub fn is_linear(p: &Poly, counters: &[VarId]) -> bool {
    let is_one = |s: &Sym| matches!(s, Sym::Counter(v) if counters.contains(v));
    let hides = |s: &Sym| matches!(s, Sym::Floor(inner, _) if counters.iter().any(|v| inner.uses(*v)));
    p.terms.keys().all(|m| (m.len() == 1 || !m.iter().any(is_one)) && !m.iter().any(hides))
}

/// Which of those counters a polynomial uses.
pub fn uses_any(p: &Poly, counters: &[VarId]) -> bool {
    counters.iter().any(|v| p.uses(*v))
}

/// The bounds that hold where some value of the counter satisfies all of them; `None` where they cannot be told.
pub fn without(bounds: &[Poly], v: VarId) -> Option<Vec<Poly>> {
    let (with, mut out): (Vec<&Poly>, Vec<Poly>) =
        (bounds.iter().filter(|p| p.uses(v)).collect(), bounds.iter().filter(|p| !p.uses(v)).cloned().collect());
    for low in with.iter().filter(|p| p.coefficient(v) > 0) {
        for high in with.iter().filter(|p| p.coefficient(v) < 0) {
            let (a, b) = (low.coefficient(v), -high.coefficient(v));
            if a != 1 && b != 1 {
                return None;
            }
            out.push(Poly::default().plus(low, b)?.plus(high, a)?);
        }
    }
    Some(out)
}

/// The same for several counters.
pub fn without_all(bounds: &[Poly], counters: impl IntoIterator<Item = VarId>) -> Option<Vec<Poly>> {
    counters.into_iter().try_fold(bounds.to_vec(), |left, v| without(&left, v))
}

/// The interval that a counter of a tile runs through, both ends included.
#[derive(Debug, Clone)]
pub struct Interval {
    pub var: VarId,
    pub low: Expr,
    pub high: Expr,
}

/// Where a bound is looked at.
#[derive(Clone, Copy, PartialEq)]
pub enum Of {
    /// At the counters in scope.
    Point,
    /// Where it is least: it then holds at all points.
    All,
    /// Where it is greatest: it then may hold at some point.
    Any,
}

impl Lowering<'_> {
    /// Every bound at once; `None` where there is none.
    pub fn hold(&mut self, bounds: &[Poly], tile: &[Interval], of: Of) -> Option<Expr> {
        let all: Vec<Expr> = bounds.iter().map(|p| self.holds(p, tile, of)).collect();
        index::all(all)
    }

    /// That a polynomial is not negative, written as a person compares: `j < i + 1`, not `i - j >= 0`.
    fn holds(&mut self, p: &Poly, tile: &[Interval], of: Of) -> Expr {
        let (mut left, mut right) = (Poly::default(), Poly::default());
        for (m, c) in &p.terms {
            let side = if *c < 0 { &mut left } else { &mut right };
            side.terms.insert(m.clone(), c.saturating_abs());
        }
        let one = Poly::constant(1);
        let is_strict = left.terms.get(&Vec::new() as &Vec<Sym>) == Some(&1) && left.terms.len() > 1;
        if is_strict {
            left = left.plus(&one, -1).expect("taking one away from one");
        }
        let op = if is_strict { BinOp::Lt } else { BinOp::Le };
        let (of_left, of_right) = match of {
            Of::Point => (Of::Point, Of::Point),
            Of::All => (Of::Any, Of::All),
            Of::Any => (Of::All, Of::Any),
        };
        index::binary(op, self.extreme(&left, tile, of_left), self.extreme(&right, tile, of_right))
    }

    /// The least (`All`) or greatest (`Any`) value of a polynomial over a tile, or that at one point.
    pub fn extreme(&mut self, p: &Poly, tile: &[Interval], of: Of) -> Expr {
        let before = self.counters.clone();
        for x in tile.iter().filter(|_| of != Of::Point) {
            let grows = p.coefficient(x.var) > 0;
            let end = if grows == (of == Of::All) { &x.low } else { &x.high };
            self.counters.insert(x.var, end.clone());
        }
        let value = self.poly(p);
        self.counters = before;
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const I: VarId = VarId(0);
    const J: VarId = VarId(1);

    /// `a i + b j + c`
    fn poly(a: i64, b: i64, c: i64) -> Poly {
        let of = |v, c| Poly::term(vec![Sym::Counter(v)], c);
        of(I, a).plus(&of(J, b), 1).and_then(|p| p.plus(&Poly::constant(c), 1)).unwrap()
    }

    #[test]
    fn a_counter_is_eliminated() {
        // i <= j <= 9 - i: some j there is where 2 i <= 9.
        let bounds = [poly(-1, 1, 0), poly(-1, -1, 9), poly(1, 0, 0)];
        assert_eq!(without(&bounds, J), Some(vec![poly(1, 0, 0), poly(-2, 0, 9)]));
        // 2 j >= i and 3 j <= 9: whether a whole number lies between cannot be told from the ends.
        assert_eq!(without(&[poly(-1, 2, 0), poly(0, -3, 9)], J), None);
    }

    #[test]
    fn products_and_floors_of_counters_are_not_linear() {
        assert!(is_linear(&poly(2, -1, 7), &[I, J]));
        let product = poly(1, 0, 0).times(&poly(0, 1, 0)).unwrap();
        assert!(!is_linear(&product, &[I]) && is_linear(&product, &[]));
        let floor = Poly::sym(Sym::Floor(Box::new(poly(1, 0, 0)), 2));
        assert!(!is_linear(&floor, &[I]) && is_linear(&floor, &[J]));
    }
}
