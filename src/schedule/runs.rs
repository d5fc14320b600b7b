//! Under what condition a statement runs at all for an element: only then may its target be touched.
//!
//! `for j < n: if (j != i) y[i] += a[i][j]` updates `y[i]` for `n >= 2`, or for `n == 1` and another `i` than 0: the
//! projection of the statement's domain on the counters around the loop, simplified by what is known there. What joins
//! the partial results of a reduction asks the same: `for i < n: for j < m: s[0] += a[i][j]` updates `s[0]` for `m >= 1`,
//! where some `i` runs.

use super::extent;
use super::lower::Lowering;
use super::parallel::Analysis;
use crate::isl::Set;
use crate::kernel::Expr;
use crate::poly::Failure;
use crate::poly::dependence::level_of;
use crate::region::{LoopId, StmtId};

/// The condition, over parameters and the counters of `around`, on which any of `stmts` runs inside those loops; `None`
/// where one of them always does, given that each of the loops `inside` has an iteration.
pub(super) fn condition(
    a: &Analysis,
    stmts: &[StmtId],
    around: &[LoopId],
    inside: &[LoopId],
    lower: &mut Lowering,
) -> Result<Option<Expr>, Failure> {
    let (mut runs, mut known): (Option<Set>, Option<Set>) = (None, None);
    let or = |all: Option<Set>, one: Set| all.map_or(Ok(one.clone()), |all| all.union(&one));
    for &s in stmts {
        let tuple = a.scop.spelling.tuple(a.part, s);
        let bounds: Vec<String> = around
            .iter()
            .chain(inside)
            .filter(|l| level_of(a.part, s, **l).is_some())
            .map(|l| a.scop.spelling.bounds(a.part.get_loop(*l)))
            .collect();
        let bounds = if bounds.is_empty() { "true".to_string() } else { bounds.join(" and ") };
        let text = format!("{}{{ {tuple} : {bounds} }}", a.scop.spelling.prefix());
        runs = Some(or(runs, over_counters(a, &a.scop.domains[s.0], s, around)?)?);
        known = Some(or(known, over_counters(a, &Set::parse(&a.scop.ctx, &text)?, s, around)?)?);
    }
    let (Some(runs), Some(known)) = (runs, known) else { return Ok(None) };
    let left = runs.gist(&known.intersect(&a.scop.context)?)?.coalesce()?;
    Ok(if left.is_universe()? { None } else { Some(extent::condition(a, &left, lower)?) })
}

/// The values of parameters and of the counters of `around`, as parameters, that a set of instances has.
fn over_counters(a: &Analysis, instances: &Set, s: StmtId, around: &[LoopId]) -> Result<Set, Failure> {
    let mut set = instances.clone();
    for l in around {
        if let Some(level) = level_of(a.part, s, *l) {
            set = extent::with_counter(&set, level, &a.scop.spelling.counters[&a.part.get_loop(*l).var])?;
        }
    }
    Ok(set.params()?)
}
