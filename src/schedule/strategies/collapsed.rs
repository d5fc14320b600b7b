//! Several axes of a band in one dimension of the grid.
//!
//! ```text
//! for i < n: for d < 3: b[i][d] = 2 * a[i][d]
//! ->
//! let at = g0 * BLOCK_0 + t0;
//! if (at < n * 3) { let i = at / 3; let d = at % 3; b[i, d] = 2 * a[i, d] }
//! ```
//! A dimension of its own for an axis of three iterations would leave most threads of a block without a point, and one that
//! has no dimension left would be a loop of the thread, whose neighbours then lie apart in memory. Collapsed, the axes run
//! as one loop does, the last of them fastest. (OpenMP's `collapse`; Polychronopoulos, "Loop coalescing: a compiler
//! transformation for parallel machines", ICPP 1987.)

use super::{Proposal, Strategy};
use crate::poly::Failure;
use crate::region::LoopId;
use crate::schedule::block::Block;
use crate::schedule::map::{Mapper, in_order_of_memory};
use crate::schedule::mapping::{Axis, Mapping, Place};
use crate::schedule::parallel::{Analysis, loops_in};
use crate::schedule::{Mode, Nest, extent};
use crate::target::WARP;

/// Most dimensions of a grid.
const DIMENSIONS: usize = 3;

pub const STRATEGY: Strategy = Strategy { name: "collapsed", propose };

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
    Ok(Proposal::Mapping(Box::new(mapping(m, a, nest, (&groups, &block)))))
}

/// The mapping of a band some of whose axes share a dimension, in blocks of these extents.
pub fn mapping(m: &Mapper, a: &Analysis, nest: &Nest, (groups, block): (&[Vec<usize>], &[i64])) -> Mapping {
    let place = |i: usize| {
        let (dimension, rank) = groups
            .iter()
            .enumerate()
            .find_map(|(d, group)| Some((d, group.iter().position(|x| *x == i)?)))
            .expect("each axis is in a group");
        match rank {
            0 => Place::Grid { dimension, threads: block[dimension], merge: None, skew: None },
            rank => Place::Collapsed { dimension, rank },
        }
    };
    let axis = |(i, x): (usize, &Vec<LoopId>)| Axis { name: m.name_of(a, x[0]), place: place(i) };
    Mapping { axes: nest.axes.iter().enumerate().map(axis).collect(), ..Mapping::of(STRATEGY.name) }
}

/// The axes of a band by dimension of the grid, each with those that run faster behind it, where some share one; `None`
/// where each has its own. Positions in the band are given.
fn groups(a: &Analysis, nest: &Nest) -> Option<Vec<Vec<usize>>> {
    let loops: Vec<LoopId> = nest.axes.iter().map(|x| x[0]).collect();
    if !extent::is_box(a, &loops) {
        return None;
    }
    let mut groups: Vec<Vec<usize>> = in_order_of_memory(a, nest).into_iter().map(|i| vec![i]).collect();
    let n_axes = groups.len();
    let count = |group: &[usize]| {
        let counts = group.iter().map(|i| a.part.get_loop(loops[*i]).most_iterations());
        counts.reduce(|all, n| all?.checked_mul(n?)).flatten()
    };
    while let [.., _, last] = groups.as_slice()
        && count(last).is_some_and(|n| n < i64::from(WARP))
    {
        join_last(&mut groups);
    }
    while groups.len() > DIMENSIONS {
        let first = groups.remove(0);
        groups[0].splice(0..0, first);
    }
    (groups.len() < n_axes).then_some(groups)
}

fn join_last(groups: &mut Vec<Vec<usize>>) {
    let last = groups.pop().expect("a group");
    groups.last_mut().expect("a group before it").extend(last);
}
