//! Estimate of a kernel as its user launches it: what an optimised one is held against.
//!
//! The loops that stand for threads (`crate::frontend`) are lowered as they are written, a thread for each point, x along the
//! lanes of a warp, nothing staged, merged or kept in a register, and the cost model estimates that kernel. The user's blocks are
//! not known where a kernel is converted: of the usual shapes, the one that takes least time counts.

use super::analysed::{Analysed, Node};
use super::races::{ThreadLoops, parts};
use crate::ast::Unit;
use crate::kernel::Kernel;
use crate::poly::Failure;
use crate::region::{LoopId, Tree};
use crate::report::cost::{self, BesideUsers, Launched};
use crate::schedule::frame;
use crate::schedule::map::Mapper;
use crate::schedule::mapping::{Axis, Mapping, Place};
use crate::schedule::parallel::{Analysis, loops_in};
use crate::schedule::request::{Allowed, Request};
use crate::schedule::{Mode, Nest, kernels};
use crate::source::Span;
use std::collections::BTreeSet;

/// Usual blocks by their dimensions, x last.
const BLOCKS: [&[&[i64]]; 3] = [&[&[256]], &[&[8, 32], &[16, 16]], &[&[1, 8, 32], &[1, 16, 16], &[8, 8, 8]]];

/// Nothing that makes a thread other than the user wrote it.
const AS_WRITTEN: Allowed =
    Allowed { merge: false, skew: false, vectorize: false, stage: false, register_promotion: false, vary: false };

/// Value of sizes that nobody knows, by the loops over threads: large enough for all of a device, whatever else a thread does.
const SIZES: [i64; 3] = [1 << 22, 1 << 13, 1 << 8];

/// The same of one such loop around others.
const SIZE_OF_ROWS: i64 = 1 << 14;

/// Estimate of the kernel, for the block that takes least. `None` where the region is more than loops over threads around what
/// each does, or is not lowered so.
///
/// # Errors
/// A broken contract of isl's.
pub fn estimate(
    unit: &Unit,
    region: &Analysed,
    threads: &ThreadLoops,
    line: &dyn Fn(Span) -> u32,
) -> Result<Option<BesideUsers>, Failure> {
    let [Node::Static(part)] = region.nodes.as_slice() else { return Ok(None) };
    if !threads.atomics.is_empty() {
        return Ok(None);
    }
    let a = part.as_written(unit, &region.wanted);
    let Some(nest) = nest(&a, threads) else { return Ok(None) };
    let n = nest.axes.len().min(BLOCKS.len());
    let is_long = nest.body.iter().any(|t| !loops_in(t).is_empty());
    let size = if n == 1 && is_long { SIZE_OF_ROWS } else { SIZES[n - 1] };
    let mut least: Option<Launched> = None;
    for block in BLOCKS[n - 1] {
        let kernel = match lowered(&a, &nest, block, region, line) {
            Ok(Some(kernel)) => kernel,
            Err(Failure::Bug(stop)) => return Err(Failure::Bug(stop)),
            Ok(None) | Err(_) => return Ok(None),
        };
        let Some(found) = cost::launched(&[kernel], &[], size) else { return Ok(None) };
        least = Some(least.filter(|least| least.seconds <= found.seconds).unwrap_or(found));
    }
    Ok(least.map(|users| BesideUsers { size, users, made: None }))
}

/// The loops over threads, which stand in each other alone, around what a thread does.
fn nest(a: &Analysis, threads: &ThreadLoops) -> Option<Nest> {
    let (mut axes, mut body): (Vec<Vec<LoopId>>, &[Tree]) = (vec![], &a.part.tree);
    for counter in threads.counters.iter().flat_map(|counter| parts(a, counter)) {
        let [Tree::Loop(id, inside)] = body else { return None };
        if a.unit.var(a.part.get_loop(*id).var).name != counter {
            return None;
        }
        axes.push(vec![*id]);
        body = inside;
    }
    (!axes.is_empty()).then(|| Nest { axes, body: body.to_vec(), mode: Mode::Parallel })
}

/// The kernel with a block of that shape; `None` where it takes more than one.
fn lowered(
    a: &Analysis,
    nest: &Nest,
    block: &[i64],
    region: &Analysed,
    line: &dyn Fn(Span) -> u32,
) -> Result<Option<Kernel>, Failure> {
    let mut names = region.names.clone();
    let mut mapper = Mapper {
        unit: a.unit,
        names: &mut names,
        line,
        host: vec![],
        is_phase: false,
        copies_ahead: false,
        multiplies_matrices: false,
        private: a.private_to_nest(nest)?,
        promoted: BTreeSet::new(),
        request: Request::NONE,
        tiles: AS_WRITTEN,
        used: Default::default(),
    };
    let n_around = nest.axes.len() - block.len();
    let axis = |(at, x): (usize, &Vec<LoopId>)| {
        let place = match at.checked_sub(n_around) {
            Some(dimension) => Place::Grid { dimension, threads: block[dimension], merge: None, skew: None },
            None => Place::Thread,
        };
        Axis { name: mapper.name_of(a, x[0]), place }
    };
    let axes = nest.axes.iter().enumerate().map(axis).collect();
    let mut mapping = Mapping { axes, ..Mapping::of("pointwise") };
    mapping.aligned = frame::begins_before(a, nest, &mapping);
    let lowered = kernels::lower(&mut mapper, a, nest, &mapping, "rt_as_launched")?;
    let Ok(mut lowered) = lowered else { return Ok(None) };
    let kernel = lowered.kernels.pop();
    Ok(kernel.filter(|_| lowered.kernels.is_empty()))
}
