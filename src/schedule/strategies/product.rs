//! Tiles of registers and shared memory around a loop of the thread whose reads a block shares (see
//! [`tile`](crate::schedule::tile)).

use super::{Proposal, Strategy, variants};
use crate::poly::Failure;
use crate::schedule::map::Mapper;
use crate::schedule::parallel::Analysis;
use crate::schedule::{Mode, Nest};

pub const STRATEGY: Strategy = Strategy { name: "product", propose };

fn propose(m: &mut Mapper, a: &Analysis, nest: &Nest) -> Result<Proposal, Failure> {
    if nest.mode != Mode::Parallel {
        return Ok(Proposal::No(None));
    }
    Ok(match m.tile_mapping(a, nest, STRATEGY.name)? {
        Ok(mapping) if variants::is_always_idle(a, nest, &mapping) => Proposal::No(None),
        Ok(mapping) => Proposal::Mapping(Box::new(mapping)),
        Err(why) => Proposal::No(why.0),
    })
}
