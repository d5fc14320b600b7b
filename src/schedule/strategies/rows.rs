//! Several threads for each element of a band of one axis, whose threads would each run a long loop (see
//! [`lanes`](crate::schedule::lanes)).

use super::{Proposal, Strategy};
use crate::poly::Failure;
use crate::schedule::map::Mapper;
use crate::schedule::parallel::Analysis;
use crate::schedule::{Mode, Nest};

pub const STRATEGY: Strategy = Strategy { name: "rows", propose };

fn propose(m: &mut Mapper, a: &Analysis, nest: &Nest) -> Result<Proposal, Failure> {
    // Who asks for points, or for pieces of a thread's loop, has threads of their own in mind.
    if nest.mode != Mode::Parallel || !m.tiles.merge || m.request.wants_points() || m.request.wants_fetch() {
        return Ok(Proposal::No(None));
    }
    Ok(match m.rows_mapping(a, nest, STRATEGY.name)? {
        Some(mapping) => Proposal::Mapping(Box::new(mapping)),
        None => Proposal::No(None),
    })
}
