//! The values of its parameters for which a part is analysed.

use crate::isl::{Dim, Map, Set};
use crate::poly::Failure;
use std::cell::Cell;

/// Pieces up to which a context is taken as it is.
const MAX_PIECES: usize = 3;

/// A context without cases that nobody would tell apart.
///
/// ```text
/// n <= 2 or m <= 2 or (n <= 14 and m <= 14) or ...         n <= 14 and m <= 14
/// ```
/// What is excluded from `all` is excluded whatever else the sizes are, if it is so where every statement runs: a loop
/// that no iteration enters excuses no other one's subscripts. If that still leaves many cases, only the sizes at which
/// every statement runs are kept.
pub(super) fn of_few_pieces(context: Set, all: &Set, domains: &[Set]) -> Result<Set, Failure> {
    if context.basic_sets()?.len() <= MAX_PIECES {
        return Ok(context);
    }
    let mut entered = all.clone();
    for domain in domains {
        entered = entered.intersect(&domain.params()?)?.coalesce()?;
    }
    if entered.is_disjoint(&context)? {
        return Ok(context);
    }
    let run = entered.remove_divs()?.simple_hull()?.to_set()?;
    let excluded = all.subtract(&context)?.coalesce()?;
    let mut fewer = all.clone();
    for piece in excluded.basic_sets()? {
        let piece = piece.to_set()?;
        if !piece.is_disjoint(&run)? {
            fewer = fewer.subtract(&piece.gist(&run)?)?.coalesce()?;
        }
    }
    fewer = fewer.subtract(&excluded)?.coalesce()?;
    if fewer.basic_sets()?.len() > MAX_PIECES {
        fewer = fewer.intersect(&entered)?.coalesce()?;
    }
    let is_kept = !fewer.is_disjoint(&entered)? && fewer.basic_sets()?.len() < context.basic_sets()?.len();
    Ok(if is_kept { fewer } else { context })
}

/// Values of parameters, in two steps. A context of several pieces (`n <= 2 or m >= n`) would make as many of every
/// domain, the square of that of every dependence and so on; so domains are held to a superset of one piece, and only a
/// question whose answer stands in the way is asked again for what the context says beside that. For each value within
/// the context, all sets and maps are the same either way.
#[derive(Clone)]
pub struct Sizes {
    /// A superset of the context of one piece, over the parameters that bounds, guards and subscripts mention, and
    /// without what the widths of unsigned types say: numbers beyond 32 bits are slow in isl.
    pub hull: Set,
    /// What the context says of these parameters beside that, piece by piece; none where it says no more.
    beside: Vec<Set>,
    /// The piece that held the last thing that was looked for: most things are in the same one.
    likely: Cell<usize>,
}

impl Sizes {
    pub(super) fn new(context: &Set, widths: &Set, domains: &[Set], accesses: &[Vec<Map>]) -> Result<Sizes, Failure> {
        // In the end all are over the same parameters: some of isl's functions take positions for names.
        let all = Set::universe(&context.space()?)?;
        let mut context = context.gist(widths)?;
        for at in (0..context.dim(Dim::Param)?).rev() {
            let Some(name) = context.dim_name(Dim::Param, at)? else { continue };
            if !mentions(&name, domains, accesses)? {
                context = context.project_out(Dim::Param, at, 1)?;
            }
        }
        let context = context.coalesce()?;
        if context.basic_sets()?.len() <= 1 {
            return Ok(Sizes { hull: all.intersect(&context)?, beside: vec![], likely: Cell::new(0) });
        }
        let hull = context.remove_divs()?.simple_hull()?.to_set()?;
        let beside = context.gist(&hull)?.basic_sets()?;
        let beside = beside.iter().map(|piece| Ok(all.intersect(&piece.to_set()?)?)).collect::<Result<_, Failure>>()?;
        Ok(Sizes { hull: all.intersect(&hull)?, beside, likely: Cell::new(0) })
    }

    /// Holds what is there whatever the sizes to the superset.
    pub(super) fn hold(&self, domains: &mut [Set], accesses: &mut [Vec<Map>]) -> Result<(), Failure> {
        for domain in domains {
            *domain = domain.intersect_params(&self.hull)?.coalesce()?;
        }
        for map in accesses.iter_mut().flatten() {
            *map = map.intersect_params(&self.hull)?;
        }
        Ok(())
    }

    /// The pairs that there are for sizes within the context.
    pub fn within(&self, pairs: &Map) -> Result<Map, Failure> {
        let Some((first, rest)) = self.beside.split_first() else { return Ok(pairs.clone()) };
        rest.iter()
            .try_fold(pairs.intersect_params(first)?, |all, piece| Ok(all.union(&pairs.intersect_params(piece)?)?))
    }

    /// Test that there is no pair for any sizes within the context.
    pub fn never(&self, pairs: &Map) -> Result<bool, Failure> {
        Ok(pairs.is_empty()? || self.no_piece(|piece| Ok(pairs.intersect_params(piece)?.is_empty() != Ok(true)))?)
    }

    /// Test that a set is empty for all sizes within the context.
    pub fn never_any(&self, set: &Set) -> Result<bool, Failure> {
        Ok(set.is_empty()? || self.no_piece(|piece| Ok(!set.intersect_params(piece)?.is_empty()?))?)
    }

    /// Test that nothing is found in any piece of what the context says beside the superset, if it says more.
    fn no_piece(&self, finds: impl Fn(&Set) -> Result<bool, Failure>) -> Result<bool, Failure> {
        let n = self.beside.len();
        for at in (0..n).map(|k| (self.likely.get() + k) % n) {
            if finds(&self.beside[at])? {
                self.likely.set(at);
                return Ok(false);
            }
        }
        Ok(n > 0)
    }
}

/// Test that a parameter occurs in any of these.
fn mentions(param: &str, domains: &[Set], accesses: &[Vec<Map>]) -> Result<bool, Failure> {
    for domain in domains {
        if let Some(at) = domain.find_dim(Dim::Param, param)?
            && domain.involves_dims(Dim::Param, at, 1)?
        {
            return Ok(true);
        }
    }
    for map in accesses.iter().flatten() {
        if let Some(at) = map.find_dim(Dim::Param, param)?
            && map.involves_dims(Dim::Param, at, 1)?
        {
            return Ok(true);
        }
    }
    Ok(false)
}
