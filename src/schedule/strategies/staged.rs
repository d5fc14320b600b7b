//! Windows in shared memory around the points of a block, where some array lies across the order of its threads (see
//! [`tile`](crate::schedule::tile)).
//!
//! A block has 64 x 64 points, a thread eight of them: of floats a row of the tile is two lines of memory, whichever way it runs.
//! Registers leave room for three such blocks: with as many as the compiler likes, one of them waits where two would load.
//! Microseconds on an H200, of rows of 8192 and 8190 elements (floats but where others are named), with 64 x 32 points and all
//! registers, and with 64 x 64:
//!
//! | nest | 64 x 32 | | 64 x 64 | |
//! | --- | --- | --- | --- | --- |
//! | transposition | 147 | 166 | 138 | 153 |
//! | the same of 16384², 16381² | 572 | 654 | 528 | 608 |
//! | of bytes | 98 | 101 | 91 | 93 |
//! | of doubles (not taken) | 264 | 285 | 280 | 301 |
//! | `b[j][i] = 0.5 * b[j][i] + 2 * a[i][j]`, doubles | 464 | 650 | 441 | 616 |
//! | `c[i][j] = a[i][j] + b[j][i]` | 253 | 271 | 223 | 232 |
//! | two arrays across, one along | 542 | 555 | 382 | 403 |
//!
//! With 64 x 32 points and registers for five or six blocks, the transposition takes 530 of 16384², but 831 of 16381².

use super::{Proposal, Strategy};
use crate::poly::Failure;
use crate::poly::scop::is_write;
use crate::region::{Access, Tree};
use crate::schedule::block::Block;
use crate::schedule::lower::scalar_type;
use crate::schedule::map::{Mapper, dimensions, in_grid, stride};
use crate::schedule::mapping::Mapping;
use crate::schedule::parallel::Analysis;
use crate::schedule::{Mode, Nest};

/// Rows of threads of a block, and points of a thread across these.
const ROWS: i64 = 8;
const POINTS: i64 = 8;

/// Threads of a row, along memory, and blocks that registers leave room for; and where a thread only copies doubles, does more
/// than few registers suffice for, or shared memory has no room.
const USUAL: (i64, i64) = (64, 3);
const SMALL: (i64, i64) = (32, 1);

/// Accesses of a point for which few registers suffice: more were not measured.
const FEW_ACCESSES: usize = 8;

pub const STRATEGY: Strategy = Strategy { name: "staged", propose };

fn propose(m: &mut Mapper, a: &Analysis, nest: &Nest) -> Result<Proposal, Failure> {
    let is_free = m.tiles.stage && m.tiles.merge && m.request.block == Block::Usual && !m.request.says_points();
    if nest.mode != Mode::Parallel || !is_free {
        return Ok(Proposal::No(None));
    }
    let Some(d) = across(a, nest) else { return Ok(Proposal::No(None)) };
    let n = in_grid(&dimensions(a, nest)).len();
    let mut why = None;
    for (threads, resident) in [USUAL, SMALL].into_iter().skip(usize::from(!suits_usual(a, nest))) {
        let extents = (0..n).map(|k| {
            if k + 1 == n {
                threads
            } else if k == d {
                ROWS
            } else {
                1
            }
        });
        let block = Block::Extents(extents.rev().collect());
        let points = (0..n).map(|k| [(k == d).then_some(POINTS), None]).collect();
        match m.staged_mapping(a, nest, STRATEGY.name, (block, points))? {
            Ok(mapping) => return Ok(Proposal::Mapping(Box::new(Mapping { resident: Some(resident), ..mapping }))),
            Err(untiled) => why = untiled.0,
        }
    }
    Ok(Proposal::No(why))
}

/// Test that blocks of the usual size were faster where such nests were measured.
fn suits_usual(a: &Analysis, nest: &Nest) -> bool {
    let accesses: Vec<&Access> = nest.stmts().into_iter().flat_map(|s| &a.part.stmt(s).accesses).collect();
    let is_wide = |x: &&Access| scalar_type(&a.part.data[&x.data].elem).is_none_or(|ty| ty.size(64) > 4);
    let only_copies = accesses.len() <= 2 && accesses.iter().any(is_wide);
    accesses.len() <= FEW_ACCESSES && !only_copies
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
