//! Updates of elements that the data choose, in copies of a block (see [`histogram`](crate::schedule::histogram)).

use super::{Proposal, Strategy};
use crate::poly::Failure;
use crate::schedule::map::Mapper;
use crate::schedule::parallel::Analysis;
use crate::schedule::{Mode, Nest};

pub const STRATEGY: Strategy = Strategy { name: "histogram", propose };

fn propose(m: &mut Mapper, a: &Analysis, nest: &Nest) -> Result<Proposal, Failure> {
    if nest.mode != Mode::Reduce {
        return Ok(Proposal::No(None));
    }
    Ok(match m.histogram_mapping(a, nest, STRATEGY.name)? {
        Ok(mapping) => Proposal::Mapping(Box::new(mapping)),
        Err(why) => Proposal::No(why),
    })
}
