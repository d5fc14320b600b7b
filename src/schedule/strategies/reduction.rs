//! Accumulations over a whole band, in two stages (see [`reduce`](crate::schedule::reduce)).

use super::{Proposal, Strategy};
use crate::poly::Failure;
use crate::schedule::map::Mapper;
use crate::schedule::mapping::{Axis, Mapping, Place};
use crate::schedule::parallel::Analysis;
use crate::schedule::{Mode, Nest};

pub const STRATEGY: Strategy = Strategy { name: "reduction", propose };

fn propose(m: &mut Mapper, a: &Analysis, nest: &Nest) -> Result<Proposal, Failure> {
    if nest.mode != Mode::Reduce {
        return Ok(Proposal::No(None));
    }
    Ok(Proposal::Mapping(Box::new(mapping(m, a, nest))))
}

/// The mapping where all threads of the grid share out the points in turns.
pub fn mapping(m: &Mapper, a: &Analysis, nest: &Nest) -> Mapping {
    let merge = m.request.merge.one();
    let place = Place::Flat { threads: m.request.block.threads(), merge, skew: None };
    let axes = nest.axes.iter().map(|x| Axis { name: m.name_of(a, x[0]), place }).collect();
    Mapping { axes, ..Mapping::of(STRATEGY.name) }
}
