//! Windows that slide over what neighbouring points share in the iterations of their loops (see
//! [`tile`](crate::schedule::tile)): convolutions and filters whose taps are many.
//!
//! Where sizes are known, and large, it serves from the beginning; else it is a variant of another mapping, for calls whose
//! sizes are.

use super::{Proposal, Strategy};
use crate::ast::BinOp;
use crate::kernel::{Expr, simplify};
use crate::poly::Failure;
use crate::region::LoopId;
use crate::schedule::block::Block;
use crate::schedule::map::Mapper;
use crate::schedule::mapping::{Mapping, Run, Variant, When};
use crate::schedule::parallel::{Analysis, loops_in};
use crate::schedule::{Mode, Nest, index};

/// Elements that give each processor a block: with 512² of them windows win, with fewer nobody has measured.
const ELEMENTS: i64 = 1 << 18;

/// Iterations for each element that are worth filling a window: of one loop (16 win) and of two (49 win, 25 lose); and of loops
/// whose iterations are known, for then points share registers without windows (121 win, 49 are left as they were).
const ITERATIONS: [i64; 2] = [16, 48];
const KNOWN: i64 = 80;

pub const STRATEGY: Strategy = Strategy { name: "sliding", propose };

fn propose(m: &mut Mapper, a: &Analysis, nest: &Nest) -> Result<Proposal, Failure> {
    Ok(match serving(m, a, nest)? {
        Some((mapping, _, Expr::Int(1))) => Proposal::Mapping(Box::new(mapping)),
        _ => Proposal::No(None),
    })
}

/// The variant for calls whose sizes are large, of a mapping that has other sizes in mind.
///
/// # Errors
/// The limit on isl's work.
pub fn variant(m: &mut Mapper, a: &Analysis, nest: &Nest) -> Result<Option<Variant>, Failure> {
    Ok(match serving(m, a, nest)? {
        None | Some((_, _, Expr::Int(_))) => None,
        Some((mapping, when, _)) => Some(Variant { when, mapping }),
    })
}

/// The mapping where it may serve, with the calls that it serves, and that as a condition on their sizes.
fn serving(m: &mut Mapper, a: &Analysis, nest: &Nest) -> Result<Option<(Mapping, When, Expr)>, Failure> {
    let is_free = m.tiles.stage
        && m.tiles.merge
        && m.tiles.skew
        && m.request.block == Block::Usual
        && !m.request.says_points()
        && !m.request.wants_fetch();
    let known =
        |all: &[LoopId]| all.iter().try_fold(1i64, |n, id| n.checked_mul(a.part.get_loop(*id).most_iterations()?));
    let axes: Vec<LoopId> = nest.axes.iter().map(|x| x[0]).collect();
    let loops: Vec<LoopId> = nest.body.iter().flat_map(loops_in).collect();
    let may_serve = is_free && nest.mode == Mode::Parallel && !m.is_phase;
    if !may_serve || known(&axes).is_some_and(|n| n < ELEMENTS) || known(&loops).is_some_and(|n| n < KNOWN) {
        return Ok(None);
    }
    let Some(mapping) = m.sliding_mapping(a, nest, STRATEGY.name)? else { return Ok(None) };
    let loops = with_windows(m, a, nest, &mapping);
    let iterations = match known(&loops) {
        Some(n) if n < KNOWN => return Ok(None),
        Some(_) => KNOWN,
        None => ITERATIONS[usize::from(loops.len() > 1)],
    };
    let when = When::Long { iterations, elements: ELEMENTS };
    let cond = condition(m, a, nest, &mapping, (iterations, ELEMENTS));
    Ok(Some((mapping, when, cond)))
}

/// The loops that have windows.
fn with_windows(m: &Mapper, a: &Analysis, nest: &Nest, mapping: &Mapping) -> Vec<LoopId> {
    let has_window = |l: &LoopId| {
        let name = m.name_of(a, *l);
        mapping.loops.iter().any(|x| x.name == name && matches!(x.run, Run::Window(_)))
    };
    nest.body.iter().flat_map(loops_in).filter(has_window).collect()
}

/// The condition that a call has so many elements, whose blocks are nearly full, and so many iterations of each.
pub fn condition(
    m: &mut Mapper,
    a: &Analysis,
    nest: &Nest,
    mapping: &Mapping,
    (iterations, elements): (i64, i64),
) -> Expr {
    let loops = with_windows(m, a, nest, mapping);
    let mut l = m.lowering(a);
    let axes: Vec<&[LoopId]> = nest.axes.iter().map(Vec::as_slice).collect();
    let loops: Vec<&[LoopId]> = loops.iter().map(std::slice::from_ref).collect();
    let (points, taps) = (l.n_points(a, &axes), l.n_points(a, &loops));
    let side = |(d, group): (usize, &Vec<usize>)| {
        let count = group.iter().map(|i| axes[*i]).collect::<Vec<_>>();
        let side = Expr::Int(mapping.sizes(d).iter().product());
        index::mul(index::ceil_div(l.n_points(a, &count), side.clone()), side)
    };
    let covered = mapping.collapsed().iter().enumerate().map(side).reduce(index::mul).expect("an axis");
    let used = std::mem::take(&mut l.used);
    m.used.absorb(used);
    let at_least = |x: Expr, n: i64| index::binary(BinOp::Ge, x, Expr::Int(n));
    let (three, two) = (index::mul(Expr::Int(3), points.clone()), index::mul(Expr::Int(2), covered));
    let is_full = index::binary(BinOp::Ge, three, two);
    let all = [at_least(points, elements), at_least(taps, iterations), is_full];
    let mut cond = index::all(all).expect("three conditions");
    simplify::index_expr(&mut cond);
    cond
}
