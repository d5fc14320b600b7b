//! Iterations that take over what those before them join to, in three stages (see [`scan`](crate::schedule::scan)).

use super::{Lowers, Proposal, Strategy};
use crate::poly::Failure;
use crate::schedule::map::Mapper;
use crate::schedule::mapping::{Axis, Mapping, Place};
use crate::schedule::parallel::Analysis;
use crate::schedule::{Mode, Nest};

pub const STRATEGY: Strategy = Strategy { name: "scan", propose, lower };

fn propose(m: &mut Mapper, a: &Analysis, nest: &Nest) -> Result<Proposal, Failure> {
    if nest.mode != Mode::Scan {
        return Ok(Proposal::No(None));
    }
    let place = Place::Flat { threads: m.request.block.threads(), merge: m.request.merge.one(), skew: None };
    let axes = nest.axes.iter().map(|x| Axis { name: m.name_of(a, x[0]), place }).collect();
    Ok(Proposal::Mapping(Box::new(Mapping { axes, ..Mapping::of(STRATEGY.name) })))
}

fn lower(m: &mut Mapper, a: &Analysis, nest: &Nest, mapping: &Mapping, name: &str) -> Lowers {
    m.scan(a, nest, mapping, name)
}
