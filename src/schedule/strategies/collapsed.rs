//! Axes that share a dimension of the grid, where one of their own would leave threads without a point (see
//! [`collapse`](crate::schedule::collapse)).

use super::{Lowered, Lowers, Proposal, Strategy};
use crate::poly::Failure;
use crate::schedule::block::Block;
use crate::schedule::collapse::groups;
use crate::schedule::map::Mapper;
use crate::schedule::mapping::Mapping;
use crate::schedule::parallel::{Analysis, loops_in};
use crate::schedule::{Mode, Nest};

pub const STRATEGY: Strategy = Strategy { name: "collapsed", propose, lower };

fn propose(m: &mut Mapper, a: &Analysis, nest: &Nest) -> Result<Proposal, Failure> {
    // Who asks for points, or for extents of blocks, names the axes one by one.
    let is_free = !m.request.wants_points() && !matches!(m.request.block, Block::Extents(_));
    if nest.mode != Mode::Parallel || !is_free {
        return Ok(Proposal::No(None));
    }
    let Some(groups) = groups(a, nest) else { return Ok(Proposal::No(None)) };
    let is_long = nest.body.iter().any(|t| !loops_in(t).is_empty());
    let block = if is_long && m.request.block == Block::Usual { &Block::UsualLong } else { &m.request.block };
    let block = block.extents(groups.len());
    Ok(Proposal::Mapping(Box::new(m.collapsed_mapping(a, nest, STRATEGY.name, (&groups, &block)))))
}

fn lower(m: &mut Mapper, a: &Analysis, nest: &Nest, mapping: &Mapping, name: &str) -> Lowers {
    Ok(m.collapsed(a, nest, mapping, name)?.map(Lowered::from))
}
