//! Several threads for each element of a band, whose threads would each run a long loop (see [`lanes`](crate::schedule::lanes)).
//!
//! Bands of one axis come before tiles, which then have few threads. Those of several axes come behind: their elements share
//! rows, which tiles read once. Both have threads of their own where loops are short and elements many.

use super::{Proposal, Strategy, narrow};
use crate::poly::Failure;
use crate::schedule::map::Mapper;
use crate::schedule::parallel::Analysis;
use crate::schedule::{Mode, Nest};

pub const STRATEGY: Strategy = Strategy { name: "rows", propose };

/// Elements of several axes.
pub const OF_SEVERAL: Strategy = Strategy { name: "rows", propose: of_several };

/// Elements that update what others update, too, one by one.
pub const OF_UPDATES: Strategy = Strategy { name: "rows", propose: of_updates };

fn propose(m: &mut Mapper, a: &Analysis, nest: &Nest) -> Result<Proposal, Failure> {
    proposed(m, a, nest, nest.mode == Mode::Parallel && nest.axes.len() == 1)
}

fn of_several(m: &mut Mapper, a: &Analysis, nest: &Nest) -> Result<Proposal, Failure> {
    proposed(m, a, nest, nest.mode == Mode::Parallel && nest.axes.len() > 1)
}

fn of_updates(m: &mut Mapper, a: &Analysis, nest: &Nest) -> Result<Proposal, Failure> {
    proposed(m, a, nest, nest.mode == Mode::Reduce)
}

fn proposed(m: &mut Mapper, a: &Analysis, nest: &Nest, is_meant: bool) -> Result<Proposal, Failure> {
    // Who asks for points, or for pieces of a thread's loop, has threads of their own in mind.
    if !is_meant || !m.tiles.merge || m.request.wants_points() || m.request.wants_fetch() {
        return Ok(Proposal::No(None));
    }
    Ok(match m.rows_mapping(a, nest, STRATEGY.name)? {
        Some(mapping) => match narrow::settled(m, a, nest, mapping)? {
            Some(mapping) => Proposal::Mapping(Box::new(mapping)),
            None => Proposal::No(None),
        },
        None => Proposal::No(None),
    })
}
