//! Calls in which a thread for each element serves better than lanes: the elements alone fill a device, and neighbours
//! among them lie side by side in memory, or their loops are so short that most lanes would find no iteration.

use super::pieces::{By, Piece, Sum, leaves};
use crate::ast::VarId;
use crate::cost::enough;
use crate::kernel::Expr;
use crate::poly::Failure;
use crate::region::LoopId;
use crate::schedule::map::{Mapper, stride};
use crate::schedule::mapping::When;
use crate::schedule::parallel::Analysis;
use crate::schedule::{Nest, extent, index};
use crate::target::WARP;

/// Iterations of a loop that leave half of a warp of lanes idle. (Rows of 6 doubles by a vector: see RESULTS.md.)
const SHORT: i64 = WARP as i64 / 2;

/// The same where there are also kernels with a few lanes: what neighbours among the elements load then lies in a few sectors.
const SHORT_OF_FEW: i64 = 8;

impl Mapper<'_> {
    /// When a thread for each element serves better than the lanes of these pieces; `None` where it never does.
    pub(super) fn when_short(
        &mut self,
        a: &Analysis,
        nest: &Nest,
        pieces: &[Piece],
        may_be_few: bool,
    ) -> Result<Option<When>, Failure> {
        let (elements, longest) = match self.lengths(a, nest, pieces) {
            Ok(lengths) => lengths,
            Err(Failure::Declined(_)) => return Ok(None),
            Err(failure) => return Err(failure),
        };
        // Where loops are as long as there are elements, both are short or neither is.
        if index::without_constant(&elements) == index::without_constant(&longest) {
            return Ok(None);
        }
        let side_by_side = self.lie_side_by_side(a, nest, pieces);
        let iterations = (!side_by_side).then_some(if may_be_few { SHORT_OF_FEW } else { SHORT });
        let least = if side_by_side { enough::threads_that_fill() } else { enough::threads_that_load() };
        let axes: Vec<LoopId> = nest.axes.iter().map(|x| x[0]).collect();
        let is_never = extent::most_points(a, &axes).is_some_and(|n| n < least)
            || iterations.is_some_and(|most| matches!(longest, Expr::Int(n) if n > most));
        Ok((!is_never).then_some(When::Short { iterations, elements: least }))
    }

    /// Test that neighbours among the elements, which are those along the last axis, read neighbours in memory, or the same.
    fn lie_side_by_side(&self, a: &Analysis, nest: &Nest, pieces: &[Piece]) -> bool {
        let axis: Vec<VarId> = nest.axes.iter().last().into_iter().flatten().map(|l| a.part.get_loop(*l).var).collect();
        let sums: Vec<&Sum> = leaves(pieces).into_iter().flat_map(Piece::sums).collect();
        let shared = leaves(pieces).into_iter().filter(|p| matches!(p.by, By::Lanes(..)));
        shared.flat_map(|p| p.tree.stmts()).all(|s| {
            let is_target = |v| sums.iter().any(|x| x.data == v && x.updates.contains(&s));
            let accesses = a.part.stmt(s).accesses.iter();
            let mut read = accesses.filter(|x| !self.private.contains(&x.data) && !is_target(x.data));
            read.all(|x| stride(x, &axis) >= 0)
        })
    }
}
