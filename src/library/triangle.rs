//! Over which indices a statement runs: a box, or a box of which two loops go over a triangle of a square.
//!
//! ```text
//! for i in 0 .. n: for k in 0 .. i        k < i of 0 .. n
//! for k in 0 .. n: for i in k + 1 .. n    the same
//! for i in 1 .. n: for k in 0 .. i        the same
//! ```

use super::Range;
use crate::ast::VarId;
use crate::facts::symbolic::{Poly, Sym};
use crate::region::{LoopId, StaticPart};

/// What the loops around a statement run over.
#[derive(Debug, Clone)]
pub struct Domain {
    /// Every loop, with its counters whatever the others count.
    pub loops: Vec<(LoopId, Range)>,
    pub triangle: Option<Triangle>,
}

/// `greater > lesser`, or `>=`: two loops over the same range.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Triangle {
    pub greater: LoopId,
    pub lesser: LoopId,
    pub is_strict: bool,
}

impl Domain {
    /// The domain of those loops, outermost first.
    ///
    /// # Errors
    /// What differs from a box and a triangle.
    pub fn of(part: &StaticPart, loops: &[LoopId], name: impl Fn(VarId) -> String) -> Result<Domain, String> {
        let vars: Vec<VarId> = loops.iter().map(|l| part.get_loop(*l).var).collect();
        let mut out = Domain { loops: vec![], triangle: None };
        for id in loops {
            let range = bounds(part, *id).ok_or_else(|| {
                let l = part.get_loop(*id);
                format!("the loop of `{}` goes by {} or has more than one bound", name(l.var), l.step)
            })?;
            let others = |p: &Poly| vars.iter().position(|v| p.uses(*v));
            match (others(&range.first), others(&range.end)) {
                (None, None) => out.loops.push((*id, range)),
                (first, end) => {
                    let differs = || {
                        let var = part.get_loop(*id).var;
                        format!("the bounds of the loop of `{}` depend on another loop", name(var))
                    };
                    let around = first.or(end).filter(|at| *at < out.loops.len() && out.triangle.is_none());
                    let around = around.filter(|_| first.is_none() || end.is_none()).ok_or_else(differs)?;
                    let (own, outer, triangle) =
                        half((*id, &range), (&out.loops[around], vars[around])).ok_or_else(differs)?;
                    out.loops[around].1 = outer;
                    out.loops.push((*id, own));
                    out.triangle = Some(triangle);
                }
            }
        }
        Ok(out)
    }

    /// The range of a loop.
    pub fn range(&self, l: LoopId) -> &Range {
        &self.loops.iter().find(|(x, _)| *x == l).expect("a loop of the domain").1
    }
}

/// The counters of a loop, whichever way it goes.
fn bounds(part: &StaticPart, id: LoopId) -> Option<Range> {
    let l = part.get_loop(id);
    let [limit] = l.limits.as_slice() else { return None };
    match l.step {
        1 => Some(Range { first: l.first.clone(), end: limit.clone() }),
        -1 => {
            let one = Poly::constant(1);
            Some(Range { first: limit.plus(&one, 1)?, end: l.first.plus(&one, 1)? })
        }
        _ => None,
    }
}

/// A loop that begins or ends where the counter of another is, as half of a square: both ranges of that, and the order.
fn half(
    (inner, own): (LoopId, &Range),
    (&(outer, ref around), v): (&(LoopId, Range), VarId),
) -> Option<(Range, Range, Triangle)> {
    let distance = |p: &Poly| p.plus(&Poly::sym(Sym::Counter(v)), -1)?.as_constant();
    let one = Poly::constant(1);
    if own.end.uses(v) {
        // first <= inner < outer + d
        let is_strict = match distance(&own.end)? {
            0 => true,
            1 => false,
            _ => return None,
        };
        let starts_later = is_strict && own.first.plus(&one, 1)? == around.first;
        (own.first == around.first || starts_later).then_some(())?;
        let square = Range { first: own.first.clone(), end: around.end.clone() };
        return Some((square.clone(), square, Triangle { greater: outer, lesser: inner, is_strict }));
    }
    // outer + d <= inner < end
    let is_strict = match distance(&own.first)? {
        0 => false,
        1 => true,
        _ => return None,
    };
    let ends_earlier = is_strict && around.end.plus(&one, 1)? == own.end;
    (own.end == around.end || ends_earlier).then_some(())?;
    let square = Range { first: around.first.clone(), end: own.end.clone() };
    Some((square.clone(), square, Triangle { greater: inner, lesser: outer, is_strict }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::symbolic::{ParamId, Sym};

    #[test]
    fn halves_of_one_square() {
        let (v, n) = (VarId(0), Poly::sym(Sym::Param(ParamId(0))));
        let at = |d: i64| Poly::sym(Sym::Counter(v)).plus(&Poly::constant(d), 1).unwrap();
        let c = Poly::constant;
        let range = |first: Poly, end: Poly| Range { first, end };
        let (outer, inner) = (LoopId(0), LoopId(1));
        let of = |own: Range, around: Range| half((inner, &own), (&(outer, around), v));
        let square = range(c(0), n.clone());
        let below = of(range(c(0), at(0)), square.clone()).unwrap();
        assert_eq!(
            below,
            (square.clone(), square.clone(), Triangle { greater: outer, lesser: inner, is_strict: true })
        );
        assert_eq!(of(range(c(0), at(0)), range(c(1), n.clone())).unwrap(), below);
        let above = of(range(at(1), n.clone()), square.clone()).unwrap();
        assert_eq!(
            above,
            (square.clone(), square.clone(), Triangle { greater: inner, lesser: outer, is_strict: true })
        );
        let with_diagonal = of(range(at(0), n.clone()), square.clone()).unwrap();
        assert!(!with_diagonal.2.is_strict);
        assert_eq!(of(range(c(0), at(2)), square.clone()), None);
        assert_eq!(of(range(c(1), at(0)), square), None);
    }
}
