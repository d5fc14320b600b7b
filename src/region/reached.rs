//! How far subscripts go at most that no shape makes affine, as those of three matrices that lie in each other's rows:
//!
//! ```text
//! for (t < T) for (h < H) for (i < w)                          a from 0 to (T - 1) * m + (H - 1) * w + (w - 1) + 2 * c
//!     ... a[t*m + h*w + i] * a[t*m + h*w + i + 2*c] ...
//! ```
//! A sum of products of counters from zero on and sizes that are not negative is largest where each counter is. What has to hold
//! for that is tested at the call.

use super::{AccessKind, Loop, StaticPart};
use crate::ast::VarId;
use crate::facts::monomial::split;
use crate::facts::symbolic::{Poly, Sym};
use std::collections::BTreeMap;

/// The elements of an array from the first on that a part may reach.
pub(super) struct Reached {
    pub end: Poly,
    /// Polynomials that must not be negative for that.
    pub owed: Vec<Poly>,
}

impl Reached {
    /// The elements of an array that is only read; none where its subscripts are no such sums.
    pub fn of(part: &StaticPart, v: VarId) -> Option<Reached> {
        let mut out: Option<Reached> = None;
        for s in &part.stmts {
            let loops: Vec<&Loop> = s.loops.iter().map(|l| part.get_loop(*l)).collect();
            for a in s.accesses.iter().filter(|a| a.data == v) {
                let [index] = a.index.as_ref()?.as_slice() else { return None };
                if a.kind != AccessKind::Read || a.reach.is_some() {
                    return None;
                }
                let new = of_one(index, &loops)?;
                out = Some(match out {
                    Some(before) => before.joined(new)?,
                    None => new,
                });
            }
        }
        out
    }

    /// The further of two, where sizes that are not negative make one so.
    fn joined(self, other: Reached) -> Option<Reached> {
        let (further, nearer) = (other.end.plus(&self.end, -1)?, self.end.plus(&other.end, -1)?);
        let (end, more) = match (is_sum(&further), is_sum(&nearer)) {
            (true, _) => (other.end, further),
            (false, true) => (self.end, nearer),
            (false, false) => return None,
        };
        let owed = self.owed.into_iter().chain(other.owed).chain([more]).collect();
        Some(Reached { end, owed })
    }
}

/// Test that a polynomial adds products and subtracts none.
fn is_sum(p: &Poly) -> bool {
    p.is_parametric() && p.terms.values().all(|c| *c >= 0)
}

fn of_one(index: &Poly, loops: &[&Loop]) -> Option<Reached> {
    let mut most: BTreeMap<VarId, Poly> = BTreeMap::new();
    let mut owed = vec![];
    for l in loops {
        let is_counted = l.step == 1 && l.first.as_constant().is_some_and(|c| c >= 0);
        let [limit] = l.limits.as_slice() else { return None };
        if !is_counted {
            return None;
        }
        let last = largest(limit, &most, &mut owed)?.plus(&Poly::constant(1), -1)?;
        most.insert(l.var, last);
    }
    let last = largest(index, &most, &mut owed)?;
    // It begins at what no counter moves.
    let mut fixed = index.terms.iter().filter(|(m, _)| split(m).0.is_empty());
    let first = fixed.try_fold(Poly::default(), |sum, (m, c)| sum.plus(&Poly::term(m.clone(), *c), 1))?;
    owed.push(first);
    Some(Reached { end: last.plus(&Poly::constant(1), 1)?, owed })
}

/// The largest value, where counters have at most these; what must not be negative for it is owed.
fn largest(p: &Poly, most: &BTreeMap<VarId, Poly>, owed: &mut Vec<Poly>) -> Option<Poly> {
    let mut out = Poly::default();
    for (m, c) in &p.terms {
        let (counters, factor) = split(m);
        if !counters.iter().all(|s| matches!(s, Sym::Counter(v) if most.contains_key(v))) {
            return None;
        }
        if !counters.is_empty() {
            if *c < 0 {
                return None;
            }
            if !factor.is_empty() {
                owed.push(Poly::term(factor, 1));
            }
        }
        out = out.plus(&Poly::term(m.clone(), *c).with(most)?, 1)?;
    }
    out.is_parametric().then_some(out)
}
