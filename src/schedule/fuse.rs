//! Joins neighbouring nests over the same space, where no dependence between them leaves a thread.
//!
//! Fusing two parallel loops is legal when every dependence between the first and the second stays at equal counters
//! (Kennedy and McKinley 1993); it spares a launch, and a trip through memory for what one hands the other. Nests that share
//! nothing are joined too (RT-CUDA, section 3.2) where both have loops in a thread, or neither: two sweeps over 4,000,000 to
//! 64,000,000 doubles take 6 to 9 % less so, on an H200. Whoever asks may know nests that are worth more alone.

use super::extent::is_free;
use super::map::Lean;
use super::parallel::{Analysis, loops_in};
use super::{Mode, Nest, Step};
use crate::ast::VarId;
use crate::isl::Dim;
use crate::poly::Failure;
use crate::poly::dependence::level_of;
use crate::poly::order::n_shared;
use crate::region::{LoopId, StaticPart};
use std::collections::{BTreeMap, BTreeSet};

/// Fuses what may be fused, in every list of steps; `is_loss` says of two nests and what would become of them that they
/// are better apart.
pub fn fuse(a: &Analysis, steps: Vec<Step>, is_loss: &dyn Fn([&Nest; 2], &Nest) -> bool) -> Result<Vec<Step>, Failure> {
    let mut out: Vec<Step> = vec![];
    for step in steps {
        let step = match step {
            Step::Loop { id, body } => Step::Loop { id, body: fuse(a, body, is_loss)? },
            Step::If { cond, expr, negated, body } => Step::If { cond, expr, negated, body: fuse(a, body, is_loss)? },
            nest => nest,
        };
        if let (Some(Step::Nest(first)), Step::Nest(second)) = (out.last_mut(), &step)
            && may_fuse(a, first, second)?
        {
            let joined = joined(first, second);
            if !is_loss([first, second], &joined) {
                *first = joined;
                continue;
            }
        }
        out.push(step);
    }
    Ok(out)
}

fn joined(first: &Nest, second: &Nest) -> Nest {
    let mut out = first.clone();
    for (axis, more) in out.axes.iter_mut().zip(&second.axes) {
        axis.extend(more);
    }
    out.body.extend(second.body.iter().cloned());
    out
}

fn may_fuse(a: &Analysis, first: &Nest, second: &Nest) -> Result<bool, Failure> {
    let both_parallel = first.mode == Mode::Parallel && second.mode == Mode::Parallel;
    if !both_parallel
        || first.axes.len() != second.axes.len()
        || !(shares_data(a.part, first, second) || is_alike(first, second))
        || walk(a.part, first) * walk(a.part, second) < 0
    {
        return Ok(false);
    }
    let (here, there) = (places(a.part, first), places(a.part, second));
    if here.iter().any(|(counter, place)| there.get(counter).is_some_and(|other| other != place)) {
        return Ok(false);
    }
    let same_bounds = first.axes.iter().zip(&second.axes).all(|(x, y)| same_box(a.part, first, x[0], y[0]));
    if !same_bounds {
        return Ok(false);
    }
    let (before, after) = (first.stmts(), second.stmts());
    let own: BTreeSet<LoopId> = [first, second]
        .iter()
        .flat_map(|n| n.axes.concat().into_iter().chain(n.body.iter().flat_map(loops_in)))
        .collect();
    for d in &a.deps.list {
        // Updates of one accumulation, whose order is free, may have been put the other way round than in the program.
        let (forwards, backwards) =
            (before.contains(&d.src) && after.contains(&d.dst), after.contains(&d.src) && before.contains(&d.dst));
        if !forwards && !backwards {
            continue;
        }
        let n_shared = n_shared(a.part, d.src, d.dst);
        let mut here = d.map.clone();
        // At one iteration of the loops around both; a loop that was distributed over them is not around them.
        for k in (0..n_shared).filter(|k| !own.contains(&a.part.stmt(d.src).loops[*k])) {
            here = here.equate(Dim::In, k, Dim::Out, k)?;
        }
        let level = |axis: &[LoopId], s| axis.iter().find_map(|l| level_of(a.part, s, *l));
        let mut same = here.clone();
        for (x, y) in first.axes.iter().zip(&second.axes) {
            let (x, y) = if forwards { (x, y) } else { (y, x) };
            let (Some(i), Some(j)) = (level(x, d.src), level(y, d.dst)) else { return Ok(false) };
            same = same.equate(Dim::In, i, Dim::Out, j)?;
        }
        if !here.is_subset(&same)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// What each counter is in a nest: the axis that it counts, or `None` inside the threads. One that several loops have
/// (`int i, j;` before them all) may be another axis there, and so may one loop whose pieces were interchanged; in what
/// is joined it can only be one.
fn places(part: &StaticPart, n: &Nest) -> BTreeMap<VarId, Option<usize>> {
    let inside = n.body.iter().flat_map(loops_in).map(|l| (l, None));
    let axes = n.axes.iter().enumerate().flat_map(|(k, axis)| axis.iter().map(move |l| (*l, Some(k))));
    inside.chain(axes).map(|(l, place)| (part.get_loop(l).var, place)).collect()
}

/// Test that two loops run over the same values, written with no counter of the nest itself.
fn same_box(part: &StaticPart, nest: &Nest, x: LoopId, y: LoopId) -> bool {
    let (a, b) = (part.get_loop(x), part.get_loop(y));
    let own: BTreeSet<_> = nest.axes.iter().flatten().map(|l| part.get_loop(*l).var).collect();
    let is_box = own.iter().all(|v| is_free(a, *v));
    is_box && a.first == b.first && a.limits == b.limits && a.step == b.step
}

/// The way in which the threads of a band of one axis walk through memory: 1 where neighbours have neighbouring elements, -1 where each has
/// a row of its own, as most accesses are that both counters move; 0 where it is neither. Lanes lie along one of both: of a matrix
/// times a vector, and times another from the left, in one kernel, one half takes a sector for each element (MVT of 2,000 squared, an
/// H200: 30.2 us in one kernel, 23.6 in two).
fn walk(part: &StaticPart, nest: &Nest) -> i64 {
    let [axis] = nest.axes.as_slice() else { return 0 };
    let var = |l: &LoopId| part.get_loop(*l).var;
    let vars: Vec<VarId> = axis.iter().map(var).collect();
    let inside: BTreeSet<LoopId> = nest.body.iter().flat_map(loops_in).collect();
    let mut lean = Lean::default();
    for s in nest.stmts() {
        let Some(inner) = part.stmt(s).loops.iter().rfind(|l| inside.contains(l)) else { continue };
        for x in &part.stmt(s).accesses {
            lean.add(x, &vars, var(inner));
        }
    }
    lean.streams.signum()
}

fn shares_data(part: &StaticPart, a: &Nest, b: &Nest) -> bool {
    let touched =
        |n: &Nest| -> BTreeSet<_> { n.stmts().iter().flat_map(|s| &part.stmt(*s).accesses).map(|x| x.data).collect() };
    !touched(a).is_disjoint(&touched(b))
}

/// Test that what threads do is of one kind: a loop in one of them decides how threads lie, and the other would have to follow.
fn is_alike(a: &Nest, b: &Nest) -> bool {
    let has_loops = |n: &Nest| n.body.iter().any(|t| !loops_in(t).is_empty());
    has_loops(a) == has_loops(b)
}
