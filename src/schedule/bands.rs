//! Cuts the tree into steps: parallel bands become nests, what must stay in order becomes a loop of the host.
//!
//! For each loop, from the outside: parallel, it opens a band that takes in perfectly nested parallel loops (collapse);
//! not parallel, it is distributed when that frees a piece, or an inner parallel loop is swapped outwards; failing both,
//! the host runs it around whatever is parallel inside. When nothing is, it is a scan, or one thread of the device runs it.

use super::distribute::{distribute, distributed_inside};
use super::parallel::{Analysis, Verdict};
use super::scan;
use super::swap::swap;
use super::{Mode, Nest, Step};
use crate::cost::enough;
use crate::poly::Failure;
use crate::region::{LoopId, Tree};

/// The steps of a part.
pub fn bands(a: &Analysis) -> Result<Vec<Step>, Failure> {
    place(a, &pruned(a, &a.part.tree)?, &[])
}

/// The trees without statements that never run, and without loops and conditions around nothing.
pub fn pruned(a: &Analysis, trees: &[Tree]) -> Result<Vec<Tree>, Failure> {
    let mut out = vec![];
    for t in trees {
        let rest = match t {
            Tree::Stmt(s) if a.scop.sizes.never_any(&a.scop.domains[s.0])? => continue,
            Tree::Stmt(_) => t.clone(),
            Tree::Loop(id, body) => Tree::Loop(*id, pruned(a, body)?),
            Tree::If { cond, expr, negated, body } => {
                Tree::If { cond: cond.clone(), expr: expr.clone(), negated: *negated, body: pruned(a, body)? }
            }
        };
        if !rest.stmts().is_empty() {
            out.push(rest);
        }
    }
    Ok(out)
}

/// Leaves of each band the outermost loop; the others run in the thread: what `collapse` puts together, taken apart.
pub fn split(steps: Vec<Step>) -> Vec<Step> {
    steps
        .into_iter()
        .map(|step| match step {
            Step::Nest(Nest { mut axes, body, mode }) if axes.len() > 1 => {
                let inner = axes.split_off(1);
                let body = inner.iter().rev().fold(body, |body, axis| vec![Tree::Loop(axis[0], body)]);
                Step::Nest(Nest { axes, body, mode })
            }
            Step::Loop { id, body } => Step::Loop { id, body: split(body) },
            Step::If { cond, expr, negated, body } => Step::If { cond, expr, negated, body: split(body) },
            nest => nest,
        })
        .collect()
}

fn place(a: &Analysis, trees: &[Tree], outer: &[LoopId]) -> Result<Vec<Step>, Failure> {
    let mut out: Vec<Step> = vec![];
    for tree in trees {
        match tree {
            Tree::Stmt(_) => one_thread(&mut out, tree.clone()),
            Tree::Loop(id, body) => {
                for step in place_loop(a, *id, body, outer)? {
                    match step {
                        Step::Nest(Nest { mode: Mode::OneThread, body, .. }) => {
                            body.into_iter().for_each(|t| one_thread(&mut out, t));
                        }
                        step => out.push(step),
                    }
                }
            }
            Tree::If { cond, expr, negated, body } => {
                let steps = place(a, body, outer)?;
                if steps.iter().any(has_parallel) {
                    out.push(Step::If { cond: cond.clone(), expr: expr.clone(), negated: *negated, body: steps });
                } else {
                    one_thread(&mut out, tree.clone());
                }
            }
        }
    }
    Ok(out)
}

/// Adds work for one thread, to the kernel before if that is one thread's too.
fn one_thread(out: &mut Vec<Step>, tree: Tree) {
    match out.last_mut() {
        Some(Step::Nest(Nest { mode: Mode::OneThread, body, .. })) => body.push(tree),
        _ => out.push(Step::Nest(Nest { axes: vec![], body: vec![tree], mode: Mode::OneThread })),
    }
}

fn has_parallel(step: &Step) -> bool {
    match step {
        Step::Nest(n) => n.mode != Mode::OneThread,
        Step::Loop { body, .. } | Step::If { body, .. } => body.iter().any(has_parallel),
    }
}

fn place_loop(a: &Analysis, l: LoopId, body: &[Tree], outer: &[LoopId]) -> Result<Vec<Step>, Failure> {
    let stmts: Vec<_> = body.iter().flat_map(Tree::stmts).collect();
    let verdict = a.verdict(l, &stmts, outer)?;
    let around = with(outer, l);
    if verdict.is_parallel() && a.repeats(l, &stmts, outer)? {
        let pieces = distribute(a, l, body, outer)?;
        if pieces.len() > 1 && deepens(a, &pieces, &around)? {
            return place_pieces(a, l, pieces, outer);
        }
        let mut axes = vec![vec![l]];
        let inner = grow(body.to_vec(), &mut axes, outer, |l, inner, around| joins_parallel(a, l, inner, around))?;
        if axes.len() == 1 {
            if pieces.len() > 1 && any(&pieces, |piece| Ok(sink(a, l, piece, outer)?.is_some()))? {
                return place_pieces(a, l, pieces, outer);
            }
            if let Some(steps) = sink(a, l, body, outer)? {
                return Ok(steps);
            }
        }
        return Ok(vec![Step::Nest(Nest { axes, body: inner, mode: Mode::Parallel })]);
    }
    let pieces = distribute(a, l, body, outer)?;
    // A loop that only accumulates is parallel as it is: cut it up only for more than that.
    let better = match verdict {
        Verdict::Reduction(..) => swaps(a, l, &pieces, outer)? || deepens(a, &pieces, &around)?,
        _ => frees(a, l, &pieces, outer)?,
    };
    if pieces.len() > 1 && better {
        return place_pieces(a, l, pieces, outer);
    }
    if let Verdict::Reduction(..) = verdict {
        // What accumulates along another loop than this stands apart from what does not.
        let fine = distribute(a, l, &distributed_inside(a, body, &around)?, outer)?;
        if fine.len() > pieces.len() && !any(&fine, |piece| Ok(!runs_parallel(a, l, piece, outer)?))? {
            return place_pieces(a, l, fine, outer);
        }
    }
    if let Some((p, inner)) = swap(a, l, body, outer)? {
        return place_loop(a, p, &inner, outer);
    }
    if let Verdict::Reduction(..) = verdict
        && a.repeats(l, &stmts, outer)?
    {
        let mut axes = vec![vec![l]];
        let body = grow(body.to_vec(), &mut axes, outer, |l, inner, around| joins_reduction(a, l, inner, around))?;
        return Ok(vec![Step::Nest(Nest { axes, body, mode: Mode::Reduce })]);
    }
    let steps = place(a, body, &around)?;
    if steps.iter().any(has_parallel) {
        return Ok(vec![Step::Loop { id: l, body: steps }]);
    }
    if scan::find(a, l, body, outer)?.is_some() {
        return Ok(vec![Step::Nest(Nest { axes: vec![vec![l]], body: body.to_vec(), mode: Mode::Scan })]);
    }
    Ok(vec![Step::Nest(Nest { axes: vec![], body: vec![Tree::Loop(l, body.to_vec())], mode: Mode::OneThread })])
}

fn any<T>(all: &[T], mut f: impl FnMut(&T) -> Result<bool, Failure>) -> Result<bool, Failure> {
    for x in all {
        if f(x)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// A parallel loop `l` around a sequential one around a parallel one: with the sequential loop on the host, the other
/// two are one band. `None` where there is no such nest, or only a few iterations inside.
fn sink(a: &Analysis, l: LoopId, body: &[Tree], outer: &[LoopId]) -> Result<Option<Vec<Step>>, Failure> {
    let [Tree::Loop(k, inner)] = body else { return Ok(None) };
    let stmts: Vec<_> = inner.iter().flat_map(Tree::stmts).collect();
    let (own, var) = (a.part.get_loop(*k), a.part.get_loop(l).var);
    let is_rectangular = !own.first.uses(var) && own.limits.iter().all(|p| !p.uses(var));
    // Not even a variable that each iteration has for itself may tie iterations of `l` together.
    let moves = |i: usize| {
        let d = &a.deps.list[i];
        Ok(stmts.contains(&d.src) && stmts.contains(&d.dst) && a.carried(i, l, outer)?)
    };
    let all: Vec<usize> = (0..a.deps.list.len()).collect();
    if !is_rectangular || any(&all, |i| moves(*i))? {
        return Ok(None);
    }
    let steps = place(a, &[Tree::Loop(l, inner.clone())], &with(outer, *k))?;
    let gains = steps.iter().all(|s| matches!(s, Step::Nest(n) if n.mode == Mode::Parallel))
        && steps.iter().any(|s| matches!(s, Step::Nest(n) if n.axes.len() > 1 && !is_short(a, n)));
    Ok(gains.then(|| vec![Step::Loop { id: *k, body: steps }]))
}

/// Test that an axis of a nest has so few iterations that a thread runs them in the time of a launch.
fn is_short(a: &Analysis, nest: &Nest) -> bool {
    nest.axes
        .iter()
        .any(|axis| a.part.get_loop(axis[0]).most_iterations().is_some_and(|n| n < enough::iterations_of_launch()))
}

fn with(outer: &[LoopId], l: LoopId) -> Vec<LoopId> {
    outer.iter().copied().chain([l]).collect()
}

fn place_pieces(a: &Analysis, l: LoopId, pieces: Vec<Vec<Tree>>, outer: &[LoopId]) -> Result<Vec<Step>, Failure> {
    let mut out = vec![];
    for piece in pieces {
        out.extend(place_loop(a, l, &piece, outer)?);
    }
    Ok(out)
}

/// Test that distribution of a parallel loop lets a piece have a deeper band.
fn deepens(a: &Analysis, pieces: &[Vec<Tree>], outer: &[LoopId]) -> Result<bool, Failure> {
    for piece in pieces {
        if let [Tree::Loop(id, body)] = piece.as_slice() {
            let stmts: Vec<_> = body.iter().flat_map(Tree::stmts).collect();
            if a.is_axis(*id, &stmts, outer)? || swap(a, *id, body, outer)?.is_some() {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// Test that a piece has a parallel loop inside that can go around it.
fn swaps(a: &Analysis, l: LoopId, pieces: &[Vec<Tree>], outer: &[LoopId]) -> Result<bool, Failure> {
    for piece in pieces {
        if piece.iter().any(|t| !matches!(t, Tree::Stmt(_))) && swap(a, l, piece, outer)?.is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Test that a piece of a loop is parallel, or a loop in it that can go around it.
fn runs_parallel(a: &Analysis, l: LoopId, piece: &[Tree], outer: &[LoopId]) -> Result<bool, Failure> {
    let stmts: Vec<_> = piece.iter().flat_map(Tree::stmts).collect();
    Ok(a.is_axis(l, &stmts, outer)? || swap(a, l, piece, outer)?.is_some())
}

/// Test that distribution of a loop that is not parallel makes a piece parallel, or a scan.
fn frees(a: &Analysis, l: LoopId, pieces: &[Vec<Tree>], outer: &[LoopId]) -> Result<bool, Failure> {
    for piece in pieces {
        let stmts: Vec<_> = piece.iter().flat_map(Tree::stmts).collect();
        if a.is_axis(l, &stmts, outer)? || pieces.len() > 1 && scan::find(a, l, piece, outer)?.is_some() {
            return Ok(true);
        }
    }
    swaps(a, l, pieces, outer)
}

/// Takes perfectly nested loops into the band; returns what is left inside. `joins` gives the loop that joins, with what
/// is inside it then, if a loop (its body given, below the loops given) does.
fn grow(
    mut body: Vec<Tree>,
    axes: &mut Vec<Vec<LoopId>>,
    outer: &[LoopId],
    joins: impl Fn(LoopId, &[Tree], &[LoopId]) -> Result<Option<(LoopId, Vec<Tree>)>, Failure>,
) -> Result<Vec<Tree>, Failure> {
    loop {
        body = sink_condition(body);
        let [Tree::Loop(id, inner)] = body.as_slice() else { return Ok(body) };
        let around: Vec<LoopId> = outer.iter().chain(axes.iter().flatten()).copied().collect();
        let Some((id, inner)) = joins(*id, inner, &around)? else { return Ok(body) };
        axes.push(vec![id]);
        body = inner;
    }
}

/// Into a parallel band go parallel loops, or others once a parallel one is swapped around them.
fn joins_parallel(
    a: &Analysis,
    l: LoopId,
    inner: &[Tree],
    around: &[LoopId],
) -> Result<Option<(LoopId, Vec<Tree>)>, Failure> {
    let stmts: Vec<_> = inner.iter().flat_map(Tree::stmts).collect();
    if a.is_axis(l, &stmts, around)? { Ok(Some((l, inner.to_vec()))) } else { swap(a, l, inner, around) }
}

/// Into a band that accumulates goes any loop that is parallel but for accumulations.
fn joins_reduction(
    a: &Analysis,
    l: LoopId,
    inner: &[Tree],
    around: &[LoopId],
) -> Result<Option<(LoopId, Vec<Tree>)>, Failure> {
    let stmts: Vec<_> = inner.iter().flat_map(Tree::stmts).collect();
    let in_order = matches!(a.verdict(l, &stmts, around)?, Verdict::Sequential(_));
    Ok((!in_order).then(|| (l, inner.to_vec())))
}

/// `if (c) for ...` as `for ... if (c)`: the loop can then join the band around it.
fn sink_condition(body: Vec<Tree>) -> Vec<Tree> {
    let [Tree::If { cond, expr, negated, body: inner }] = body.as_slice() else { return body };
    let [Tree::Loop(id, below)] = inner.as_slice() else { return body };
    let guarded = Tree::If { cond: cond.clone(), expr: expr.clone(), negated: *negated, body: below.clone() };
    vec![Tree::Loop(*id, vec![guarded])]
}
