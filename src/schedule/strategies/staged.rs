//! Windows in shared memory around the points of a block, where some array lies across the order of its threads (see
//! [`tile`](crate::schedule::tile)).
//!
//! A block has 64 x 32 points, a thread eight of them: a row of the tile is a line of memory of 128 bytes or more, whichever
//! way it runs. Microseconds on an H200, with 32 x 32 and with 64 x 32 points: a transposition of 16384² floats 664 and 572, of
//! 16381² 715 and 652, of 12288² doubles 586 and 585, of 16384² bytes 381 and 361.

use super::{Lowered, Lowers, Proposal, Strategy};
use crate::poly::Failure;
use crate::poly::scop::is_write;
use crate::region::{Access, Tree};
use crate::schedule::block::Block;
use crate::schedule::map::{Mapper, dimensions, in_grid, stride};
use crate::schedule::mapping::Mapping;
use crate::schedule::parallel::Analysis;
use crate::schedule::{Mode, Nest};

/// Threads of a block along memory, rows of them, and points of a thread across these.
const THREADS: i64 = 32;
const ROWS: i64 = 8;
const POINTS: i64 = 8;

pub const STRATEGY: Strategy = Strategy { name: "staged", propose, lower };

fn propose(m: &mut Mapper, a: &Analysis, nest: &Nest) -> Result<Proposal, Failure> {
    let is_free = m.tiles.stage && m.tiles.merge && m.request.block == Block::Usual && !m.request.says_points();
    if nest.mode != Mode::Parallel || !is_free {
        return Ok(Proposal::No(None));
    }
    let Some(d) = across(a, nest) else { return Ok(Proposal::No(None)) };
    let n = in_grid(&dimensions(a, nest)).len();
    let extents = (0..n).map(|k| {
        if k + 1 == n {
            THREADS
        } else if k == d {
            ROWS
        } else {
            1
        }
    });
    let block = Block::Extents(extents.rev().collect());
    let points = (0..n).map(|k| [(k == d).then_some(POINTS), None]).collect();
    Ok(match m.staged_mapping(a, nest, STRATEGY.name, (block, points))? {
        // With as few registers as the compiler thinks of, a transposition of 16381² floats takes 1,063 us, not 930.
        Ok(mapping) => Proposal::Mapping(Box::new(Mapping { resident: Some(1), ..mapping })),
        Err(why) => Proposal::No(why.0),
    })
}

/// The dimension of the grid, but for the last, along which most reads have their neighbours.
fn across(a: &Analysis, nest: &Nest) -> Option<usize> {
    let axes = dimensions(a, nest);
    let axes = in_grid(&axes);
    let (last, others) = axes.split_last()?;
    let direct = nest.body.iter().filter_map(|t| if let Tree::Stmt(s) = t { Some(*s) } else { None });
    let reads: Vec<&Access> = direct.flat_map(|s| &a.part.stmt(s).accesses).filter(|x| !is_write(x)).collect();
    let is_across = |x: &&&Access, d: usize| stride(x, &last.counters(a)) < 0 && stride(x, &others[d].counters(a)) == 1;
    let count = |d: &usize| reads.iter().filter(|x| is_across(x, *d)).count();
    (0..others.len()).filter(|d| count(d) > 0).max_by_key(count)
}

fn lower(m: &mut Mapper, a: &Analysis, nest: &Nest, mapping: &Mapping, name: &str) -> Lowers {
    Ok(m.tiled(a, nest, mapping, name)?.map(Lowered::from))
}
