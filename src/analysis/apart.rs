//! Sizes for which the iterations of a loop do not meet, of regions of which no loop is parallel whatever the sizes.
//!
//! ```text
//! for (j = 0; j < l; j += 2) {               parallel where l is even: else the last iteration stores
//!     x = a[j] - a[j + l];                   a[l], which is the first one's
//!     a[j + 1] += a[j + l + 1];
//!     a[j + l] = x;
//! }
//! ```
//! The dependences that forbid it are there for some values of the parameters alone. Where these leave the loop as many
//! iterations as it had, the region is held to the others, as it is to those for which its subscripts stay in their rows: the
//! entry tests them, and any other call runs the original. Method: Pugh and Wonnacott, "Eliminating false data dependences using
//! the Omega test", PLDI 1992; run-time conditions as in Doerfert, Grosser and Hack, "Optimistic loop optimization", CGO 2017.

use super::analysed::{Analysed, Static, statics_mut};
use super::no_plan::NoPlan;
use crate::ast::Unit;
use crate::facts::Reason;
use crate::isl::{Dim, Map, Set};
use crate::poly::Failure;
use crate::poly::dependence::analyse;
use crate::region::{LoopId, StmtId, Tree};
use crate::schedule::parallel::{Analysis, Verdict};
use crate::source::Span;

/// Pieces of such a condition at most: each is a test of every call, and makes what is asked of isl harder.
const MAX_PIECES: usize = 3;

/// Holds the parts of a region to sizes for which a loop of theirs is parallel.
///
/// # Errors
/// There are none for any of them; the limit on isl's work.
pub fn hold_apart(unit: &Unit, region: &mut Analysed, place: Span) -> Result<(), NoPlan> {
    let mut found = vec![];
    for s in region.statics() {
        let live_out = region.live_out(s);
        let a = s.as_written(unit, &live_out);
        let sizes = if has_parallel(&a, &s.part.tree, &mut vec![])? {
            None
        } else {
            sizes_apart(&a, &s.part.tree, &mut vec![])?
        };
        found.push(match sizes {
            Some(sizes) => {
                let scop = s.scop.held_to(unit, &s.part, &sizes)?;
                let deps = analyse(&s.part, &scop)?;
                Some((scop, deps))
            }
            None => None,
        });
    }
    if found.iter().all(Option::is_none) {
        return Err(Reason::new("sequential", "no loop here is parallel, whatever the sizes", place).into());
    }
    let mut found = found.into_iter();
    statics_mut(&mut region.nodes, &mut |s: &mut Static| {
        let Some((scop, deps)) = found.next().flatten() else { return };
        (s.scop, s.deps, s.is_held_apart) = (scop, deps, true);
    });
    Ok(())
}

/// Test for loops of which one is parallel, if only to a step that its iterations join in.
fn has_parallel(a: &Analysis, trees: &[Tree], outer: &mut Vec<LoopId>) -> Result<bool, Failure> {
    for tree in trees {
        let found = match tree {
            Tree::Stmt(_) => false,
            Tree::If { body, .. } => has_parallel(a, body, outer)?,
            Tree::Loop(l, body) => {
                outer.push(*l);
                let within = has_parallel(a, body, outer)?;
                outer.pop();
                within || !matches!(a.verdict(*l, &tree.stmts(), outer)?, Verdict::Sequential(_))
            }
        };
        if found {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The sizes for which the first of these loops that there are such sizes for is parallel, an outer one before those in it.
fn sizes_apart(a: &Analysis, trees: &[Tree], outer: &mut Vec<LoopId>) -> Result<Option<Set>, Failure> {
    for tree in trees {
        let inner = match tree {
            Tree::Stmt(_) => continue,
            Tree::If { body, .. } => sizes_apart(a, body, outer)?,
            Tree::Loop(l, body) => match sizes_of_loop(a, *l, &tree.stmts(), outer)? {
                Some(sizes) => Some(sizes),
                None => {
                    outer.push(*l);
                    let inner = sizes_apart(a, body, outer)?;
                    outer.pop();
                    inner
                }
            },
        };
        if inner.is_some() {
            return Ok(inner);
        }
    }
    Ok(None)
}

fn sizes_of_loop(a: &Analysis, l: LoopId, stmts: &[StmtId], outer: &[LoopId]) -> Result<Option<Set>, Failure> {
    let Verdict::Sequential(against) = a.verdict(l, stmts, outer)? else { return Ok(None) };
    if !against.iter().all(|dep| moves_with(a, *dep, l)) {
        return Ok(None);
    }
    let context = &a.scop.context;
    let mut apart = context.clone();
    for dep in against {
        apart = apart.subtract(&a.sizes_carried(dep, l, outer)?)?.coalesce()?;
        let Some(few) = in_few_pieces(apart)? else { return Ok(None) };
        apart = few;
    }
    let goes_on = most_iterations(a, l, stmts, outer, &apart)?;
    let is_as_long = goes_on.is_some() && goes_on == most_iterations(a, l, stmts, outer, context)?;
    Ok(is_as_long.then_some(apart))
}

/// A condition, without the single values among ranges (`m == 0` beside `m >= n`) where it has many pieces: of two copies
/// between rows of a grid, those at which one of them goes onto itself.
fn in_few_pieces(sizes: Set) -> Result<Option<Set>, Failure> {
    let pieces = sizes.basic_sets()?;
    if pieces.len() <= MAX_PIECES {
        return Ok(Some(sizes));
    }
    let mut few = sizes.clone();
    let mut n_ranges = 0;
    for piece in pieces {
        let mut is_range = true;
        for constraint in piece.constraints()? {
            is_range &= !constraint.is_equality()?;
        }
        n_ranges += usize::from(is_range);
        if !is_range {
            few = few.subtract(&piece.to_set()?)?;
        }
    }
    let few = few.coalesce()?;
    Ok(((1..=MAX_PIECES).contains(&n_ranges) && few.basic_sets()?.len() <= MAX_PIECES).then_some(few))
}

/// Test for a dependence between elements that the counter of a loop chooses at both ends. Where one end is fixed, as in
/// `a[i] /= a[m]`, it is there for the sizes that the program has.
fn moves_with(a: &Analysis, dep: usize, l: LoopId) -> bool {
    let d = &a.deps.list[dep];
    let counter = a.part.get_loop(l).var;
    let ends = [d.src, d.dst].map(|s| &a.part.stmt(s).accesses);
    let mut accesses = ends.into_iter().flatten().filter(|x| x.data == d.data);
    accesses.all(|x| x.index.as_ref().is_some_and(|index| index.iter().any(|p| p.uses(counter))))
}

/// Distance of the first and the last value of a loop's counter, at most, for some sizes; `None` of the inside where nothing
/// bounds it, and of the whole where no two iterations run.
fn most_iterations(
    a: &Analysis,
    l: LoopId,
    stmts: &[StmtId],
    outer: &[LoopId],
    sizes: &Set,
) -> Result<Option<Option<i64>>, Failure> {
    let mut most = None;
    for s in stmts {
        let loops = &a.part.stmt(*s).loops;
        let Some(level) = loops.iter().position(|x| *x == l) else { continue };
        let domain = a.scop.domains[s.0].intersect_params(sizes)?;
        let mut pairs = Map::from_domain_and_range(&domain, &domain)?;
        for k in (0..loops.len()).filter(|k| outer.contains(&loops[*k])) {
            pairs = pairs.equate(Dim::In, k, Dim::Out, k)?;
        }
        let distances = pairs.order_lt(Dim::In, level, Dim::Out, level)?.deltas()?;
        if !distances.is_empty()? {
            let far = distances.dim_max_val(level)?.to_i64();
            most = Some(most.map_or(far, |most: Option<i64>| Some(most?.max(far?))));
        }
    }
    Ok(most)
}
