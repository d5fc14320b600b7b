//! Fewer lanes than a warp for elements with short loops.
//!
//! A warp for an element whose loops have 32 iterations loads one line, joins it in five steps, and ends: most of its time is what
//! each thread computes of where its element lies. Fewer lanes have more iterations each, whose loads are under way together, and a
//! warp holds several elements. A lane that loads its neighbours in turn still finds all of a sector in L1. Microseconds on an H200,
//! 2^26 floats in rows of these lengths:
//!
//! | nest | a warp | 8 lanes | 4 lanes | a thread |
//! | --- | --- | --- | --- | --- |
//! | sums of rows of 8 | | 260 | 148 | 86 |
//! | of 16 | | 156 | 88 | 140 |
//! | of 32 | 265 | 87 | 84 | 267 |
//! | of 64 | 180 | 69 | 81 | 268 |
//! | of 128 | 84 | 70 | 82 | 271 |
//! | sums of rows of 32, two loops around | 381 | 106 | 84 | 270 |
//! | matrices of 32 x 32 by vectors | 377 | 107 | 90 | 272 |
//! | softmax of rows of 16 (2^25 floats) | | 230 | 186 | 711 |
//! | softmax of rows of 64 (2^25 floats) | 250 | 183 | 391 | 1368 |
//! | softmax of rows of 1000: rows no longer stay in L1 | 465 | 1693 | 1679 | 1160 |
//! | cosine of rows of 300 (not taken) | 70 | 88 | 100 | 149 |
//!
//! Calls with few elements keep a warp for each, the sooner the longer a lane would take: 512 rows of 128 take 6 us so, and 9 with 8
//! lanes, 16,384 pairs of such rows 9 and 12; but 16,384 triples of rows of 64 take 11, and 7 with 8 lanes.

use crate::cost::enough;
use crate::kernel::Expr;
use crate::poly::Failure;
use crate::schedule::block::Block;
use crate::schedule::map::Mapper;
use crate::schedule::mapping::{Mapping, Place, Variant, When};
use crate::schedule::parallel::Analysis;
use crate::schedule::{Mode, Nest, extent};
use crate::target::WARP;

/// Lanes, and the most iterations of a loop that they suffice for.
const NARROW: [(i64, i64); 2] = [(8, 128), (4, 32)];

/// The most iterations of all.
const MOST: i64 = NARROW[0].1;

/// Known iterations for which a warp is too much at every size of a call.
const ALWAYS: i64 = 2 * WARP as i64 - 1;

/// Test that a mapping may have fewer lanes: they lie along memory, and what they join is an element's own.
pub fn serves(m: &Mapper, nest: &Nest, mapping: &Mapping) -> bool {
    let is_free = m.request.block == Block::Usual && (!m.is_phase || m.tiles.vary);
    let is_along = mapping.lanes.as_ref().is_some_and(|lanes| lanes.dimension == 1);
    is_free && is_along && nest.mode == Mode::Parallel
}

/// The variants with fewer lanes, for calls with short loops: the fewest last, which is asked first.
///
/// # Errors
/// The limit on isl's work.
pub fn variants(m: &mut Mapper, a: &Analysis, nest: &Nest, mapping: &Mapping) -> Result<Vec<Variant>, Failure> {
    if !serves(m, nest, mapping) || mapping.lanes.as_ref().is_some_and(|lanes| lanes.threads < i64::from(WARP)) {
        return Ok(vec![]);
    }
    let Some(longest) = known_or_not(m, a, nest)? else { return Ok(vec![]) };
    let axes: Vec<_> = nest.axes.iter().map(|x| x[0]).collect();
    let most = extent::most_points(a, &axes);
    let mut out = vec![];
    for (lanes, iterations) in NARROW {
        let elements = enough::threads_that_fill() / (MOST * lanes);
        let is_never = most.is_some_and(|n| n < elements)
            || matches!(longest, Expr::Int(n) if n > iterations || most.is_some_and(|most| most < elements * n));
        if !is_never {
            out.push(Variant { when: When::Narrow { lanes, iterations, elements }, mapping: with(mapping, lanes) });
        }
    }
    Ok(out)
}

/// The mapping with fewer lanes, where known iterations ask for that at every size of a call; `None` where it may not have them.
///
/// # Errors
/// The limit on isl's work.
pub fn settled(m: &mut Mapper, a: &Analysis, nest: &Nest, mapping: Mapping) -> Result<Option<Mapping>, Failure> {
    let Some(Expr::Int(n @ ..=ALWAYS)) = known_or_not(m, a, nest)? else { return Ok(Some(mapping)) };
    let (lanes, _) = *NARROW.iter().rev().find(|(_, most)| n <= *most).expect("so few iterations have lanes");
    Ok((serves(m, nest, &mapping) && !m.is_phase).then(|| with(&mapping, lanes)))
}

/// The iterations of the longest loop that lanes share; `None` where nothing bounds them.
fn known_or_not(m: &mut Mapper, a: &Analysis, nest: &Nest) -> Result<Option<Expr>, Failure> {
    match m.lengths_of_rows(a, nest) {
        Ok((_, longest)) => Ok(Some(longest)),
        Err(Failure::Declined(_)) => Ok(None),
        Err(failure) => Err(failure),
    }
}

/// The mapping with so many lanes, in blocks of as many threads.
fn with(mapping: &Mapping, lanes: i64) -> Mapping {
    let threads = mapping.threads();
    let mut other = mapping.clone().alone();
    other.lanes.iter_mut().for_each(|x| x.threads = lanes);
    for axis in &mut other.axes {
        if let Place::Grid { threads: elements, .. } = &mut axis.place {
            *elements = threads / lanes;
        }
    }
    other
}
