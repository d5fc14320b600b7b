//! Other mappings of a nest, for calls whose sizes its own does not suit.
//!
//! | mapping | where | other mapping |
//! | --- | --- | --- |
//! | with lanes | loops are short, or elements lie side by side and alone fill a device | `pointwise`: a thread each |
//! | the same, lanes along memory | elements are few, and their loops long | a whole block for each |
//! | the same | elements are many, and their loops shorter than a few warps (see [`narrow`]) | 8 lanes for each, or 4 |
//! | of one axis, with loops in pieces | its loops in pieces are much shorter than these | `pointwise`: a thread each |
//! | the same, pieces waited for | there are few threads (see [`waiting`]) | `pointwise`: a thread each, with many loads under way |
//! | with threads in several dimensions, and no more | fewer than half of the threads would have a point | `collapsed` into one |
//! | without loops of the block | there are many elements, with long loops over neighbours | `sliding` |
//!
//! All are kernels of the launch, which takes one by the extents of the call.

use super::{collapsed, narrow, pointwise, reduction, sliding, waiting};
use crate::ast::BinOp;
use crate::cost::enough;
use crate::kernel::{Expr, simplify};
use crate::poly::Failure;
use crate::region::LoopId;
use crate::schedule::block::Block;
use crate::schedule::map::{Mapper, in_order_of_memory};
use crate::schedule::mapping::{Lanes, Mapping, Place, Run, Variant, When};
use crate::schedule::parallel::{Analysis, loops_in};
use crate::schedule::{Mode, Nest, extent, index};
use crate::target::WARP;

/// Known iterations of an axis that are many where another has few.
const LONG: i64 = 1024;

/// Iterations of a loop that leave half of a piece empty.
const SHORT_PIECE: i64 = 16;

/// Iterations that a thread has under way where there are threads enough: more of them take registers that other threads
/// would have. An update of 2.1 million elements by 1 to 30 vectors each (`solvers/gmres.c`) takes an H200 100 us with 16,
/// 71 us with 4.
const UNROLL_OF_MANY: i64 = 4;

/// The variants of a nest's mapping, beside it.
///
/// # Errors
/// The limit on isl's work.
pub fn usual(m: &mut Mapper, a: &Analysis, nest: &Nest, mapping: &Mapping) -> Result<Vec<Variant>, Failure> {
    let is_free = m.tiles.merge && m.request.block == Block::Usual && !m.request.says_points();
    let has_variants = nest.mode == Mode::Parallel || mapping.lanes.is_some();
    if !has_variants || !is_free || m.is_phase && !m.tiles.vary {
        return Ok(vec![]);
    }
    let may_slide = mapping.loops.is_empty() && nest.mode == Mode::Parallel;
    let long = if may_slide { sliding::variant(m, a, nest)? } else { None };
    let (mut waiting, mut blockwise) = (None, None);
    let mut few_lanes = vec![];
    let variant = if mapping.lanes.is_some() {
        blockwise = whole_block(m, a, nest, mapping)?;
        few_lanes = narrow::variants(m, a, nest, mapping)?;
        let may_be_few = narrow::serves(m, nest, mapping);
        let own = of_threads(m, a, nest);
        let mapping = Mapping { unroll: own.unroll.map(|n| n.min(UNROLL_OF_MANY)), ..own };
        m.when_short_rows(a, nest, may_be_few)?.map(|when| Variant { when, mapping })
    } else if mapping.loops.iter().any(|x| matches!(x.run, Run::Pieces(_))) {
        waiting = waiting::variant(m, a, nest, mapping);
        match when_pieces_are_short(m, a, nest, mapping)? {
            Some(when) => Some(Variant { when, mapping: pointwise::mapping(m, a, nest) }),
            None if has_batch(mapping) && may_be_idle(m, a, nest, mapping) => Some(flat(m, a, nest)),
            None => None,
        }
    } else if has_threads_by_axis(mapping) && may_be_idle(m, a, nest, mapping) {
        Some(flat(m, a, nest))
    } else {
        None
    };
    Ok(few_lanes.into_iter().chain(variant).chain(long).chain(waiting).chain(blockwise).collect())
}

/// A block for each element, in the place of a warp, for calls with fewer blocks of warps than there are processors. (Softmax over
/// 256 rows of 50,257 floats takes an H200 1,061 us by 8 warps a block, and 190 so.)
fn whole_block(m: &mut Mapper, a: &Analysis, nest: &Nest, mapping: &Mapping) -> Result<Option<Variant>, Failure> {
    let is_warp = |lanes: &&Lanes| lanes.dimension == 1 && lanes.threads >= i64::from(WARP);
    let Some(lanes) = mapping.lanes.as_ref().filter(|lanes| is_warp(lanes) && mapping.divided.is_none()) else {
        return Ok(None);
    };
    let of_block = mapping.sizes(0)[0];
    let (elements, iterations) = (enough::processors() * of_block, lanes.threads * lanes.threads);
    let (n, longest) = match m.lengths_of_rows(a, nest) {
        Ok(lengths) => lengths,
        Err(Failure::Declined(_)) => return Ok(None),
        Err(failure) => return Err(failure),
    };
    let is_never = matches!(n, Expr::Int(n) if n >= elements) || matches!(longest, Expr::Int(n) if n < iterations);
    if is_never || of_block == 1 {
        return Ok(None);
    }
    let mut other = mapping.clone().alone();
    for axis in &mut other.axes {
        if let Place::Grid { threads, .. } = &mut axis.place {
            *threads = 1;
        }
    }
    other.lanes.iter_mut().for_each(|lanes| lanes.threads *= of_block);
    Ok(Some(Variant { when: When::Blockwise { iterations, elements }, mapping: other }))
}

/// A thread for each point, in one dimension, for calls in which most threads of other blocks would have none.
fn flat(m: &Mapper, a: &Analysis, nest: &Nest) -> Variant {
    let all = in_order_of_memory(a, nest);
    let block = m.request.block.extents(1);
    Variant { when: When::Idle, mapping: collapsed::mapping(m, a, nest, (&[all], &block)) }
}

/// A thread for each element, or for some of them in turns where they meet in their updates.
fn of_threads(m: &Mapper, a: &Analysis, nest: &Nest) -> Mapping {
    match (nest.mode, nest.axes.len()) {
        (Mode::Reduce, _) => reduction::mapping(m, a, nest),
        (_, 1) => pointwise::mapping(m, a, nest),
        _ => collapsed::mapping(m, a, nest, (&[in_order_of_memory(a, nest)], &m.request.block.extents(1))),
    }
}

/// When a thread for each element of one axis serves better than pieces of its loops in shared memory, most of which would
/// be empty; `None` where it never does.
fn when_pieces_are_short(
    m: &mut Mapper,
    a: &Analysis,
    nest: &Nest,
    mapping: &Mapping,
) -> Result<Option<When>, Failure> {
    if nest.axes.len() != 1 || mapping.loops.iter().all(|x| !matches!(x.run, Run::Pieces(_))) {
        return Ok(None);
    }
    let (elements, longest) = match lengths_of_pieces(m, a, nest, mapping) {
        Ok(lengths) => lengths,
        Err(Failure::Declined(_)) => return Ok(None),
        Err(failure) => return Err(failure),
    };
    let least = enough::threads_that_load();
    let is_never = index::without_constant(&elements) == index::without_constant(&longest)
        || matches!(longest, Expr::Int(n) if n > SHORT_PIECE)
        || extent::most_points(a, nest.axes.iter().map(|x| &x[0])).is_some_and(|n| n < least);
    Ok((!is_never).then_some(When::Short { iterations: Some(SHORT_PIECE), elements: least }))
}

/// How many elements a band has, and the iterations of the longest loop that runs in pieces.
fn lengths_of_pieces(m: &mut Mapper, a: &Analysis, nest: &Nest, mapping: &Mapping) -> Result<(Expr, Expr), Failure> {
    let mut in_pieces = |l: &LoopId| {
        let name = m.names.of(m.unit, a.part.get_loop(*l).var);
        mapping.loops.iter().any(|x| x.name == name && matches!(x.run, Run::Pieces(_)))
    };
    let loops: Vec<LoopId> = nest.body.iter().flat_map(loops_in).filter(&mut in_pieces).collect();
    let (host, stmts) = (m.host.clone(), nest.stmts());
    let mut around: Vec<LoopId> = nest.axes.iter().flatten().copied().collect();
    around.extend(nest.body.iter().flat_map(loops_in));
    let mut l = m.lowering(a);
    let mut counts = vec![];
    for id in loops {
        let of = a.part.get_loop(id);
        counts.push(match around.iter().all(|x| extent::is_free(of, a.part.get_loop(*x).var)) {
            true => extent::count(of, &mut l),
            false => {
                let below: Vec<_> = stmts.iter().copied().filter(|s| a.part.stmt(*s).loops.contains(&id)).collect();
                extent::bounding_count(a, id, &below, &host, &mut l)?
            }
        });
    }
    counts.dedup();
    let axes: Vec<&[LoopId]> = nest.axes.iter().map(Vec::as_slice).collect();
    let lengths = (l.n_points(a, &axes), index::max(counts).expect("a loop runs in pieces"));
    let used = std::mem::take(&mut l.used);
    m.used.absorb(used);
    Ok(lengths)
}

/// Test that each block has points of one iteration of some axis: there may be any number of small tiles.
fn has_batch(mapping: &Mapping) -> bool {
    mapping.n_dimensions() > 1 && (0..mapping.n_dimensions()).any(|d| mapping.sizes(d) == [1; 3])
}

/// Points that the tiles of a batch cover for each that there is, from which on threads that load for themselves are sooner done. (25,000
/// products of matrices of 32 x 32 floats take an H200 832 us by tiles of 64 x 64, and 603 so; of 16 x 16, 100,000 of them, 2,207 and
/// 643; of 8 x 8, 400,000, 7,536 and 220.)
const IDLE_OF_TILES: i64 = 4;

/// Test that tiles of a batch have at most so few points in every call.
pub fn is_always_idle(a: &Analysis, nest: &Nest, mapping: &Mapping) -> bool {
    let of_tile = |(d, group): (usize, &Vec<usize>)| {
        let count = match group.as_slice() {
            [i] => a.part.get_loop(nest.axes[*i][0]).most_iterations()?,
            _ => return None,
        };
        let side: i64 = mapping.sizes(d).iter().product();
        Some((side, count.clamp(1, side)))
    };
    let known = mapping.collapsed();
    let sides = known.iter().enumerate().filter_map(of_tile);
    let (tile, points) = sides.fold((1, 1), |(tile, points), (side, n)| (tile * side, points * n));
    has_batch(mapping) && tile >= IDLE_OF_TILES * points
}

fn has_threads_by_axis(mapping: &Mapping) -> bool {
    mapping.loops.is_empty() && mapping.staged.is_empty() && mapping.n_dimensions() > 1
}

/// Test that the blocks of a mapping in several dimensions may be mostly without points: their extents are unknown, and not
/// the same. Blocks fit those that are known.
fn may_be_idle(m: &mut Mapper, a: &Analysis, nest: &Nest, mapping: &Mapping) -> bool {
    let loops: Vec<LoopId> = nest.axes.iter().map(|x| x[0]).collect();
    if extent::most_points(a, &loops).is_some_and(|n| n < enough::points_of_launches()) {
        return false;
    }
    if mapping.axes.iter().any(|x| x.place == Place::Thread) || !extent::is_box(a, &loops) {
        return false;
    }
    let mut l = m.lowering(a);
    let mut sides: Vec<Vec<Expr>> = vec![];
    let (groups, last) = (mapping.collapsed(), mapping.n_dimensions() - 1);
    for (d, group) in groups.iter().enumerate() {
        let counts = group.iter().map(|i| extent::count(a.part.get_loop(loops[*i]), &mut l));
        let (known, unknown): (Vec<Expr>, Vec<Expr>) = counts.partition(|n| matches!(n, Expr::Int(_)));
        let is_many = known.iter().any(|n| matches!(n, Expr::Int(n) if *n >= LONG));
        let is_few = unknown.is_empty() && (!is_many || d == last);
        if !is_few {
            sides.push(unknown.iter().map(|n| index::without_constant(n).clone()).collect());
        }
    }
    sides.iter().any(|x| *x != sides[0])
}

/// The condition of a variant of `mapping` on the sizes of a call.
///
/// # Errors
/// The limit on isl's work.
pub fn taken_when(
    m: &mut Mapper,
    a: &Analysis,
    nest: &Nest,
    mapping: &Mapping,
    Variant { when, mapping: other }: &Variant,
) -> Result<Expr, Failure> {
    let mut cond = match *when {
        When::Short { iterations, elements } => {
            let (n, longest) = match mapping.lanes {
                Some(_) => m.lengths_of_rows(a, nest)?,
                None => lengths_of_pieces(m, a, nest, mapping)?,
            };
            let many = index::binary(BinOp::Ge, n, Expr::Int(elements));
            match iterations {
                Some(most) => index::binary(BinOp::And, index::binary(BinOp::Le, longest, Expr::Int(most)), many),
                None => many,
            }
        }
        When::Long { iterations, elements } => {
            return Ok(sliding::condition(m, a, nest, other, (iterations, elements)));
        }
        When::Blockwise { iterations, elements } => {
            let (n, longest) = m.lengths_of_rows(a, nest)?;
            let few = index::binary(BinOp::Lt, n, Expr::Int(elements));
            index::binary(BinOp::And, few, index::binary(BinOp::Ge, longest, Expr::Int(iterations)))
        }
        When::Narrow { iterations, elements, .. } => {
            let (n, longest) = m.lengths_of_rows(a, nest)?;
            let short = index::binary(BinOp::Le, longest.clone(), Expr::Int(iterations));
            let many = index::binary(BinOp::Ge, n, index::mul(longest, Expr::Int(elements)));
            index::binary(BinOp::And, short, many)
        }
        When::Waiting { elements } => {
            let axes: Vec<&[LoopId]> = nest.axes.iter().map(Vec::as_slice).collect();
            let mut l = m.lowering(a);
            let count = l.n_points(a, &axes);
            let used = std::mem::take(&mut l.used);
            m.used.absorb(used);
            index::binary(BinOp::Lt, count, Expr::Int(elements))
        }
        When::Idle => {
            let mut l = m.lowering(a);
            let is_tiled = !mapping.loops.is_empty();
            let (mut points, mut covered) = (Expr::Int(if is_tiled { IDLE_OF_TILES } else { 2 }), Expr::Int(1));
            for (d, group) in mapping.collapsed().iter().enumerate() {
                let axes: Vec<&[LoopId]> = group.iter().map(|i| nest.axes[*i].as_slice()).collect();
                let count = l.n_points(a, &axes);
                let side = Expr::Int(mapping.sizes(d).iter().product());
                covered = index::mul(covered, index::mul(index::ceil_div(count.clone(), side.clone()), side));
                points = index::mul(points, count);
            }
            let used = std::mem::take(&mut l.used);
            m.used.absorb(used);
            index::binary(if is_tiled { BinOp::Ge } else { BinOp::Gt }, covered, points)
        }
    };
    simplify::index_expr(&mut cond);
    Ok(cond)
}
