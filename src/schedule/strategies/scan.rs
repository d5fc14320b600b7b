//! Iterations that take over what those before them join to, in one pass (see [`scan`](crate::schedule::scan)).

use super::{Proposal, Strategy};
use crate::poly::Failure;
use crate::schedule::map::Mapper;
use crate::schedule::mapping::{Axis, Mapping, Place};
use crate::schedule::parallel::Analysis;
use crate::schedule::{Mode, Nest};
use crate::target::WARP;

/// Rows of a warp whose loads are under way at once. Sums of 5e7 `float` on an H200: 4 rows 161 us, 8 rows 151 (CUB 132).
const UNROLL: i64 = 8;

pub const STRATEGY: Strategy = Strategy { name: "scan", propose };

fn propose(m: &mut Mapper, a: &Analysis, nest: &Nest) -> Result<Proposal, Failure> {
    if nest.mode != Mode::Scan {
        return Ok(Proposal::No(None));
    }
    let warp = i64::from(WARP);
    let threads = (m.request.block.threads() + warp - 1) / warp * warp;
    let place = Place::Flat { threads, merge: m.request.merge.one(), skew: None };
    let axes = nest.axes.iter().map(|x| Axis { name: m.name_of(a, x[0]), place }).collect();
    let unroll = m.unroll().map(|n| n.min(UNROLL));
    Ok(Proposal::Mapping(Box::new(Mapping { axes, unroll, ..Mapping::of(STRATEGY.name) })))
}
