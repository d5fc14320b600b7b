//! A thread for each point of a band: what serves every parallel nest.

use super::{Proposal, Strategy, points};
use crate::poly::Failure;
use crate::schedule::block::Block;
use crate::schedule::map::{Mapper, dimensions};
use crate::schedule::mapping::{Axis, Mapping, Place};
use crate::schedule::parallel::{Analysis, loops_in};
use crate::schedule::{Mode, Nest};

pub const STRATEGY: Strategy = Strategy { name: "pointwise", propose };

fn propose(m: &mut Mapper, a: &Analysis, nest: &Nest) -> Result<Proposal, Failure> {
    if nest.mode != Mode::Parallel {
        return Ok(Proposal::No(None));
    }
    let mut notes = vec![];
    let is_asked = m.request.wants_points();
    let usual = if is_asked { None } else { points::usual(m, a, nest) };
    let (points, threads, is_dense) = match usual {
        Some(usual) => (Some(usual.points), usual.threads, usual.is_dense),
        None => (is_asked.then(|| m.points_asked(a, nest)), None, false),
    };
    if let Some(points) = points {
        match m.points_mapping(a, nest, STRATEGY.name, points)? {
            Ok(mut mapping) => {
                mapping.resident = points::resident(m, a, nest);
                if let Some(threads) = &threads {
                    let blocks = points::USUAL_THREADS / threads.iter().product::<i64>();
                    mapping.resident = mapping.resident.map(|n| n * blocks);
                    mapping = with_threads(mapping, threads);
                }
                mapping.smaller = if is_dense { single(&mapping) } else { mapping.smaller };
                return Ok(Proposal::Mapping(Box::new(fitted(m, a, nest, mapping))));
            }
            Err(why) => notes.extend(why.0.filter(|_| is_asked)),
        }
    }
    let mut mapping = mapping(m, a, nest);
    mapping.notes = notes;
    Ok(Proposal::Mapping(Box::new(mapping)))
}

/// The mapping where a thread has one point.
pub fn mapping(m: &Mapper, a: &Analysis, nest: &Nest) -> Mapping {
    let axes = dimensions(a, nest);
    let n_dims = axes.iter().filter(|x| x.dimension.is_some()).count();
    let is_long = nest.body.iter().any(|t| !loops_in(t).is_empty());
    let block = if is_long && m.request.block == Block::Usual { &Block::UsualLong } else { &m.request.block };
    let sizes = block.extents(n_dims);
    let axis = |x: &crate::schedule::map::Axis| Axis {
        name: m.name_of(a, x.id),
        place: match x.dimension {
            Some(d) => Place::Grid { dimension: d, threads: sizes[d], merge: None, skew: None },
            None => Place::Thread,
        },
    };
    let unroll = m.unroll().filter(|_| n_dims == 1);
    fitted(m, a, nest, Mapping { axes: axes.iter().map(axis).collect(), unroll, ..Mapping::of(STRATEGY.name) })
}

/// The mapping with so many threads of a block along each dimension.
fn with_threads(mut mapping: Mapping, by_dimension: &[i64]) -> Mapping {
    for axis in &mut mapping.axes {
        if let Place::Grid { dimension, threads, .. } = &mut axis.place {
            *threads = by_dimension[*dimension];
        }
    }
    mapping
}

/// The axes where a thread has one point.
fn single(mapping: &Mapping) -> Vec<Axis> {
    let of = |x: &Axis| {
        let place = match x.place {
            Place::Grid { dimension, threads, merge, skew } => {
                Place::Grid { dimension, threads, merge: merge.and(Some(1)), skew: skew.and(Some(1)) }
            }
            place => place,
        };
        Axis { name: x.name.clone(), place }
    };
    mapping.axes.iter().map(of).collect()
}

/// The mapping without threads of usual blocks that would have no point in any call: those beyond the few iterations of an
/// axis go to the last dimension.
fn fitted(m: &Mapper, a: &Analysis, nest: &Nest, mut mapping: Mapping) -> Mapping {
    if m.request.block != Block::Usual || m.is_phase {
        return mapping;
    }
    let last = mapping.n_dimensions() - 1;
    let mut freed = 1;
    for (axis, loops) in mapping.axes.iter_mut().zip(&nest.axes) {
        let Place::Grid { dimension, threads, merge, skew } = &mut axis.place else { continue };
        let Some(count) = a.part.get_loop(loops[0]).most_iterations().filter(|_| *dimension < last) else { continue };
        let points = merge.unwrap_or(1) * skew.unwrap_or(1);
        let wanted = u64::try_from(count.max(1)).map_or(1, |n| n.div_ceil(points.unsigned_abs()).next_power_of_two());
        let wanted = i64::try_from(wanted).unwrap_or(i64::MAX);
        if wanted < *threads && *threads % wanted == 0 {
            freed *= *threads / wanted;
            *threads = wanted;
        }
    }
    for axis in &mut mapping.axes {
        if let Place::Grid { dimension, threads, .. } = &mut axis.place
            && *dimension == last
        {
            *threads *= freed;
        }
    }
    mapping
}
