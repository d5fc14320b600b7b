//! Bounds of a set of numbers that depends on sizes, said as shortly as they can be.
//!
//! ```text
//! n >= 3 ? 0 : n - 2                      for n >= 2        0
//! n >= m ? n - 1 : m - 1                                    max(n - 1, m - 1)
//! a case for each order of n, m and k                       max(m >= 1 ? n : 0, k >= 1 ? m : 0) - 1
//! ```
//! isl's parametric optimum has a piece for each case. Most of them only say which of a few expressions is the greatest,
//! or which loops have no iterations at all.

use super::extent::{End, condition, expr};
use super::index;
use super::lower::Lowering;
use super::parallel::Analysis;
use crate::isl::{self, Dim, PwAff, Set};
use crate::kernel::Expr;
use crate::poly::Failure;

/// The most pieces of a function in which its expressions are compared.
const MAX_PIECES: usize = 16;

/// The most expressions of which an end is tried to be the least or the greatest.
const MAX_EXPRESSIONS: usize = 4;

/// The most parts that are told apart.
const MAX_PARTS: usize = 8;

/// The end of a set of numbers, as an expression over the sizes.
pub struct Bound {
    /// The first number, or one past the last.
    pub at: Expr,
    /// Without numbers, `at` is 0; else it says anything.
    pub is_zero_without: bool,
}

/// The first of a set of numbers, or one past the last, for sizes of which a context is known.
///
/// # Errors
/// As [`End::of`].
pub fn bound(a: &Analysis, known: &Set, end: End, numbers: &Set, lower: &mut Lowering) -> Result<Bound, Failure> {
    let exactly = |at| Bound { at, is_zero_without: false };
    let one_past = |e: Expr| match end {
        End::First => e,
        End::Last => index::add(e, Expr::Int(1)),
    };
    // What the context says beside would be told again in every piece.
    let whole = match numbers.dim_is_bounded(Dim::Out, 0)? {
        true => end.of(a, numbers)?,
        false => end.of(a, &numbers.intersect_params(known)?.coalesce()?)?,
    };
    if let Some((extreme, all)) = extreme_of(&whole.intersect_params(known)?)? {
        let each = all.iter().map(|e| Ok(one_past(expr(a, known, e, lower)?))).collect::<Result<Vec<_>, Failure>>()?;
        let at = match extreme {
            End::First => index::min(each),
            End::Last => index::max(each),
        };
        return Ok(exactly(at.unwrap_or(Expr::Int(0))));
    }
    let plain = exactly(one_past(expr(a, known, &whole, lower)?));
    Ok(match by_parts(a, known, end, numbers, lower)? {
        Some(parts) if parts.at.n_nodes() < plain.at.n_nodes() => parts,
        _ => plain,
    })
}

/// The few expressions of which a function is the least, or the greatest, wherever it has a value.
fn extreme_of(whole: &PwAff) -> Result<Option<(End, Vec<PwAff>)>, Failure> {
    let Some(pieces) = Pieces::of(whole)?.filter(|pieces| pieces.all.len() <= MAX_EXPRESSIONS) else { return Ok(None) };
    for (end, beyond) in [(End::Last, PwAff::lt_set as Beyond), (End::First, PwAff::gt_set as Beyond)] {
        if pieces.never(beyond)? {
            return Ok(Some((end, pieces.all)));
        }
    }
    Ok(None)
}

/// Where another expression is beyond a piece's own.
type Beyond = fn(&PwAff, &PwAff) -> isl::Result<Set>;

/// The pieces of a function: where, and which of some expressions it is there.
struct Pieces {
    each: Vec<(Set, usize)>,
    all: Vec<PwAff>,
}

impl Pieces {
    /// Without expressions that others can stand for: `0` for `n - 1` where `n` is 1. `None` if there are too many pieces.
    fn of(whole: &PwAff) -> Result<Option<Pieces>, Failure> {
        let mut out = Pieces { each: vec![], all: vec![] };
        for (sizes, e) in whole.pieces()? {
            for sizes in sizes.basic_sets()? {
                out.each.push((sizes.to_set()?, out.all.len()));
                out.all.push(e.to_pw_aff()?);
            }
        }
        if out.each.len() > MAX_PIECES {
            return Ok(None);
        }
        for k in (0..out.all.len()).rev() {
            if let Some(each) = out.without(k)? {
                out.each = each;
                out.all.remove(k);
            }
        }
        Ok(Some(out))
    }

    /// The pieces if expression `k` is left out, where others can stand for it.
    fn without(&self, k: usize) -> Result<Option<Vec<(Set, usize)>>, Failure> {
        let mut out = self.each.clone();
        for (sizes, own) in &mut out {
            let mut others = (0..self.all.len()).filter(|other| *other != k);
            while *own == k {
                let Some(other) = others.next() else { return Ok(None) };
                if sizes.is_disjoint(&self.all[other].ne_set(&self.all[k])?)? {
                    *own = other;
                }
            }
            *own -= usize::from(*own > k);
        }
        Ok(Some(out))
    }

    /// Test that in no piece another expression is beyond its own.
    fn never(&self, beyond: Beyond) -> Result<bool, Failure> {
        for (sizes, own) in &self.each {
            for other in &self.all {
                if !sizes.is_disjoint(&beyond(&self.all[*own], other)?)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }
}

/// The greatest over the parts of a set of what each reaches where it is there at all: `max(m >= 1 ? n : 0, ...)`. The
/// least where that is one of a few constants: `m >= 1 ? 0 : 1`.
fn by_parts(
    a: &Analysis,
    known: &Set,
    end: End,
    numbers: &Set,
    lower: &mut Lowering,
) -> Result<Option<Bound>, Failure> {
    let below = Set::parse(&a.scop.ctx, "{ [x] : x < 0 }")?;
    let parts = numbers.coalesce()?.basic_sets()?;
    if parts.len() > MAX_PARTS || !numbers.intersect_params(known)?.is_disjoint(&below)? {
        return Ok(None);
    }
    let mut found: Vec<(Expr, Set)> = vec![];
    for part in parts {
        let part = part.to_set()?;
        let sizes = part.params()?;
        if sizes.is_disjoint(known)? {
            continue;
        }
        let at = end.of(a, &part)?.gist_params(&known.intersect(&sizes)?)?;
        let at = expr(a, known, &at, lower)?;
        match found.iter_mut().find(|(same, _)| *same == at) {
            Some((_, where_)) => *where_ = where_.union(&sizes)?.coalesce()?,
            None => found.push((at, sizes)),
        }
    }
    let mut cases = vec![];
    for (at, sizes) in found {
        let sizes = sizes.gist(known)?.coalesce()?;
        let holds = if sizes.is_universe()? { None } else { Some(condition(a, &sizes, lower)?) };
        cases.push((at, holds));
    }
    Ok(match end {
        End::First => least(cases).map(|at| Bound { at, is_zero_without: false }),
        End::Last => {
            let is_zero_without = cases.iter().all(|(_, holds)| holds.is_some());
            let reached = cases.into_iter().map(|(at, holds)| {
                let after = index::add(at, Expr::Int(1));
                match holds {
                    Some(holds) => Expr::Cond(Box::new(holds), Box::new(after), Box::new(Expr::Int(0))),
                    None => after,
                }
            });
            index::max(reached).map(|at| Bound { at, is_zero_without })
        }
    })
}

/// The least of some constants, each there under a condition; one of them is.
fn least(cases: Vec<(Expr, Option<Expr>)>) -> Option<Expr> {
    let mut constants: Vec<(i64, Option<Expr>)> = vec![];
    for (at, holds) in cases {
        let Expr::Int(c) = at else { return None };
        constants.push((c, holds));
    }
    constants.sort_by_key(|(c, _)| *c);
    let (last, rest) = constants.split_last()?;
    Some(rest.iter().rev().fold(Expr::Int(last.0), |other, (c, holds)| match holds {
        Some(holds) => Expr::Cond(Box::new(holds.clone()), Box::new(Expr::Int(*c)), Box::new(other)),
        None => Expr::Int(*c),
    }))
}
