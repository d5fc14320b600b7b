//! Distance between iterations of two nests that touch the same element, whatever the loops around them count.
//!
//! ```text
//! for t { for i: b[i] = a[i-1] + a[i+1];  for i: a[i] = b[i]; }      the nests: at most 1 apart along i
//! ```
//! Blocks that run these iterations, step after step, need to wait for those alone that have iterations within that distance
//! (point to point synchronisation, as in rt-cuda's relaxed form, section 3.3).

use super::Mapped;
use super::mapping::Place;
use super::parallel::Analysis;
use crate::facts::symbolic::Sym;
use crate::isl::{Dim, Map};
use crate::poly::Failure;
use crate::poly::dependence::level_of;
use crate::poly::scop::is_write;
use crate::region::{LoopId, StmtId};

/// Operations that isl may spend on a pair of nests.
const OPERATIONS: u64 = 300_000;

/// A nest whose axes each have a dimension of the grid to themselves.
pub struct Spread<'a> {
    mapped: &'a Mapped,
    /// The loops of each dimension.
    dims: Vec<&'a [LoopId]>,
}

impl<'a> Spread<'a> {
    /// A nest as its mapping spreads it; `None` where an axis is shared out in another way, or is a loop of the thread.
    pub fn new(mapped: &'a Mapped) -> Option<Spread<'a>> {
        let mut dims: Vec<&[LoopId]> = vec![&[]; mapped.nest.axes.len()];
        for (loops, axis) in mapped.nest.axes.iter().zip(&mapped.mapping.axes) {
            let Place::Grid { dimension, .. } = axis.place else { return None };
            *dims.get_mut(dimension)? = loops;
        }
        dims.iter().all(|loops| !loops.is_empty()).then_some(Spread { mapped, dims })
    }

    /// The loop of a dimension around a statement.
    fn loop_of(&self, a: &Analysis, s: StmtId, dim: usize) -> Option<(LoopId, usize)> {
        self.dims[dim].iter().find_map(|l| Some((*l, level_of(a.part, s, *l)?)))
    }
}

impl Analysis<'_> {
    /// Greatest distance between iterations of two nests along each dimension, counted from the first one of each; `None`
    /// where nobody knows.
    ///
    /// # Errors
    /// A fault of isl's, but for its limit.
    pub fn apart(&self, x: &Spread, y: &Spread) -> Result<Option<Vec<i64>>, Failure> {
        if x.dims.len() != y.dims.len() {
            return Ok(None);
        }
        match self.scop.ctx.within(OPERATIONS, || self.at_most_apart(x, y)) {
            Err(Failure::TooHard) => Ok(None),
            found => found,
        }
    }

    fn at_most_apart(&self, x: &Spread, y: &Spread) -> Result<Option<Vec<i64>>, Failure> {
        let mut most = vec![0; x.dims.len()];
        for s in x.mapped.nest.stmts() {
            for t in y.mapped.nest.stmts() {
                for map in self.meetings((x, s), (y, t))? {
                    for (dim, most) in most.iter_mut().enumerate() {
                        let Some(apart) = self.along(&map, (x, s), (y, t), dim)? else { return Ok(None) };
                        *most = apart.max(*most);
                    }
                }
            }
        }
        Ok(Some(most))
    }

    /// Instances of two statements that touch the same element, which one of them writes.
    fn meetings(&self, (x, s): (&Spread, StmtId), (y, t): (&Spread, StmtId)) -> Result<Vec<Map>, Failure> {
        let mut out = vec![];
        let of = |s: StmtId| self.part.stmt(s).accesses.iter().zip(&self.scop.accesses[s.0]);
        let is_own = |v| x.mapped.private.contains(&v) || y.mapped.private.contains(&v);
        for (one, of_x) in of(s).filter(|(access, _)| !is_own(access.data)) {
            for (other, of_y) in of(t).filter(|(other, _)| one.data == other.data) {
                if !is_write(one) && !is_write(other) {
                    continue;
                }
                let from = of_x.intersect_domain(&self.scop.domains[s.0])?;
                let to = of_y.intersect_domain(&self.scop.domains[t.0])?;
                let map = from.apply_range(&to.reverse()?)?;
                if !map.is_empty()? {
                    out.push(map);
                }
            }
        }
        Ok(out)
    }

    fn along(
        &self,
        map: &Map,
        (x, s): (&Spread, StmtId),
        (y, t): (&Spread, StmtId),
        dim: usize,
    ) -> Result<Option<i64>, Failure> {
        let (Some((of_x, at_x)), Some((of_y, at_y))) = (x.loop_of(self, s, dim), y.loop_of(self, t, dim)) else {
            return Ok(None);
        };
        let (of_x, of_y) = (self.part.get_loop(of_x), self.part.get_loop(of_y));
        let is_counted = |l: &crate::region::Loop| l.step == 1 && !l.first.any(&|s| matches!(s, Sym::Counter(_)));
        let shift = of_y.first.plus(&of_x.first, -1).and_then(|d| d.as_constant());
        let Some(shift) = shift.filter(|_| is_counted(of_x) && is_counted(of_y)) else { return Ok(None) };
        let only = |map: &Map, side: Dim, at: usize| -> Result<Map, Failure> {
            let n = map.dim(side)?;
            Ok(map.project_out(side, at + 1, n - at - 1)?.project_out(side, 0, at)?.reset_tuple_name(side)?)
        };
        let deltas = only(&only(map, Dim::In, at_x)?, Dim::Out, at_y)?.deltas()?.project_out_all_params()?;
        let bound = |v: crate::isl::Result<crate::isl::Val>| v.ok().and_then(|v| v.to_i64());
        let (Some(lo), Some(hi)) = (bound(deltas.dim_min_val(0)), bound(deltas.dim_max_val(0))) else {
            return Ok(None);
        };
        Ok(Some((lo - shift).abs().max((hi - shift).abs())))
    }
}
