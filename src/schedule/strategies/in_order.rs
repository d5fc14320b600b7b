//! One thread that runs everything in the order of the program.

use super::{Proposal, Strategy};
use crate::poly::Failure;
use crate::schedule::map::Mapper;
use crate::schedule::mapping::Mapping;
use crate::schedule::parallel::Analysis;
use crate::schedule::{Mode, Nest};

pub const STRATEGY: Strategy = Strategy { name: "in order", propose };

fn propose(m: &mut Mapper, _: &Analysis, nest: &Nest) -> Result<Proposal, Failure> {
    if nest.mode != Mode::OneThread {
        return Ok(Proposal::No(None));
    }
    Ok(Proposal::Mapping(Box::new(Mapping { unroll: m.unroll(), ..Mapping::of(STRATEGY.name) })))
}
