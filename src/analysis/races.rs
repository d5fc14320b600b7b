//! Races between threads: dependences between the iterations of loops that stand for the threads of a kernel.
//!
//! Threads of a launch run in no order. Where the loops over them (`crate::frontend`) depend on one another's iterations, in
//! the order in which they are written and before any change of it, two threads meet in an element and one of them
//! writes: a race, unless both add to it atomically. What the analysis cannot see apart counts as met.

use super::analysed::{Analysed, Node, Static};
use super::no_plan::NoPlan;
use crate::ast::{BinOp, ExprKind, StmtKind, Unit, VarId};
use crate::facts::{Reason, Remedy, remedy};
use crate::poly::dependence::Kind;
use crate::poly::order::n_shared;
use crate::region::candidates::Candidate;
use crate::region::{LoopId, Statement, StmtId, Tree};
use crate::schedule::parallel::{Analysis, Verdict};
use crate::source::Span;
use std::collections::BTreeSet;

/// The loops of a function that stand for threads.
#[derive(Debug, Clone, Default)]
pub struct ThreadLoops {
    /// Their counters, outermost first; none where the loops are those of functions that it calls.
    pub counters: Vec<String>,
    /// Arrays that threads add to atomically.
    pub atomics: BTreeSet<String>,
}

/// Finds whether threads meet.
///
/// # Errors
/// [`NoPlan::Declined`]: they do, or it cannot be seen that they do not; limits of the analysis.
pub fn no_races(
    unit: &Unit,
    region: &Analysed,
    candidate: &Candidate,
    threads: &ThreadLoops,
    line: &dyn Fn(Span) -> u32,
) -> Result<(), NoPlan> {
    let not_read = || {
        let message = "what its threads do is not loops over arrays, as far as can be seen here";
        Reason::new("not-understood", message, candidate.span()).help(remedy!(
            "subscripts and bounds that are sums of indices and sizes are understood, and branches on them or on data"
        ))
    };
    if threads.counters.is_empty() {
        return Ok(());
    }
    let [Node::Static(part)] = region.nodes.as_slice() else { return Err(not_read().into()) };
    let live_out = region.wanted.clone();
    let a = part.as_written(unit, &live_out);
    let (mut trees, mut outer) = (part.part.tree.as_slice(), vec![]);
    for counter in &threads.counters.iter().flat_map(|counter| parts(&a, counter)).collect::<Vec<_>>() {
        let Some((id, body)) = find(&a, trees, counter, &mut outer) else { return Err(not_read().into()) };
        let stmts: Vec<StmtId> = body.iter().flat_map(Tree::stmts).collect();
        match a.verdict(id, &stmts, &outer)? {
            Verdict::Parallel | Verdict::Asserted(_) => {}
            Verdict::Sequential(deps) => return Err(race(&a, part, &deps, line)?.into()),
            Verdict::Reduction(sums, _) => {
                let is_plain = |v: &&VarId| !threads.atomics.contains(&unit.var(**v).name);
                if let Some(v) = sums.keys().find(is_plain) {
                    return Err(added(&a, part, *v).into());
                }
            }
        }
        outer.push(id);
        trees = body;
    }
    Ok(())
}

/// The counters that a counter of threads is seen as, outermost first: itself, where it is not taken apart.
pub fn parts(a: &Analysis, counter: &str) -> Vec<String> {
    let splits = a.unit.split_counters.iter().filter(|(of, ..)| a.unit.var(*of).name == counter);
    let mut found = splits.filter_map(|(of, ..)| counted(a, *of));
    let names = found.next().map(|all| all.into_iter().map(|v| a.unit.var(v).name.clone()).collect());
    names.unwrap_or_else(|| vec![counter.to_owned()])
}

/// The counters of loops that a counter is: its own, or those of its parts.
fn counted(a: &Analysis, v: VarId) -> Option<Vec<VarId>> {
    if a.part.loops.iter().any(|l| l.var == v) {
        return Some(vec![v]);
    }
    let mut splits = a.unit.split_counters.iter().filter(|(of, ..)| *of == v);
    splits.find_map(|(_, parts, _)| {
        let [rows, columns] = parts.map(|part| counted(a, part));
        Some([rows?, columns?].concat())
    })
}

/// The loop of a counter, and what is in it; loops around it are added to `outer`.
fn find<'t>(a: &Analysis, trees: &'t [Tree], counter: &str, outer: &mut Vec<LoopId>) -> Option<(LoopId, &'t [Tree])> {
    for tree in trees {
        let (id, body) = match tree {
            Tree::Loop(id, body) if a.unit.var(a.part.get_loop(*id).var).name == counter => return Some((*id, body)),
            Tree::Loop(id, body) => (Some(*id), body),
            Tree::If { body, .. } => (None, body),
            Tree::Stmt(_) => continue,
        };
        let n = outer.len();
        outer.extend(id);
        if let Some(found) = find(a, body, counter, outer) {
            return Some(found);
        }
        outer.truncate(n);
    }
    None
}

/// Help where only the user knows that threads do not meet.
fn apart() -> Remedy {
    remedy!(
        "if no two threads meet in an element, say so in front of the kernel's first statement, or of the first behind a barrier: #pragma \
                     rt parallel"
    )
}

/// Two threads that meet.
fn race(a: &Analysis, part: &Static, deps: &[usize], line: &dyn Fn(Span) -> u32) -> Result<Reason, NoPlan> {
    let d = &a.deps.list[deps[0]];
    let name = &a.unit.var(d.data).name;
    let ends = [d.src, d.dst].map(|s| part.part.stmt(s));
    let place = ends[0].body.span;
    let is_seen = ends.iter().flat_map(|s| &s.accesses).all(|x| x.data != d.data || x.index.is_some());
    let (from, to) = match d.kind {
        Kind::Flow => ("writes", "reads"),
        Kind::Anti => ("reads", "writes"),
        Kind::Output => ("writes", "writes"),
    };
    let (first, second) = (line(place), line(ends[1].body.span));
    if !is_seen {
        let message = format!(
            "threads may race: which element of `{name}` a thread {from} on line {first}, only the data say, and another \
             {to} it on line {second}"
        );
        return Ok(Reason::new("race", message, place).help(apart()));
    }
    if let Some(only) = ends.iter().find(|s| is_by_condition(s)) {
        let message = format!(
            "threads may race: a thread {from} an element of `{name}` on line {first} that another {to} on line {second}, if both \
             come that far, which the condition on line {} decides, and that is no bound of an index",
            line(only.body.span)
        );
        let help = match by_remainder(only) {
            true => {
                remedy!(
                    "let threads that follow each other do it, by a bound: a sum by halves, `for (int s = n / 2; s > 0; s /= 2)` around \
                 `if (i < s) a[i] += a[i + s];`; or, if no two threads meet, say so in front of the condition: #pragma rt parallel"
                )
            }
            false => apart(),
        };
        return Ok(Reason::new("race", message, only.body.span).help(help));
    }
    let n = n_shared(a.part, d.src, d.dst);
    let distance = a.deps.distance(&a.scop.ctx, deps[0], n)?;
    let message = format!(
        "a race: a thread {from} an element of `{name}` on line {first} that another {to} on line {second}, {distance} apart"
    );
    let help =
        remedy!("let each thread write elements that no other touches, add by `atomicAdd`, or make two kernels of it");
    Ok(Reason::new("race", message, place).help(help))
}

/// Test that a statement is a condition that the analysis does not follow, with what is done under it.
fn is_by_condition(s: &Statement) -> bool {
    matches!(s.body.kind, StmtKind::If { .. })
}

/// Test that its condition is over a remainder.
fn by_remainder(s: &Statement) -> bool {
    let StmtKind::If { cond, .. } = &s.body.kind else { return false };
    let mut found = false;
    cond.walk(&mut |e| found |= matches!(e.kind, ExprKind::Binary(BinOp::Rem, ..)));
    found
}

/// Threads that add to an element without an atomic.
fn added(a: &Analysis, part: &Static, v: VarId) -> Reason {
    let name = &a.unit.var(v).name;
    let meets = |s: &&crate::region::Statement| s.accesses.iter().any(|x| x.data == v);
    let place = part.part.stmts.iter().find(meets).map_or(Span::default(), |s| s.body.span);
    let message = format!("a race: threads add to the same element of `{name}`, and not atomically");
    Reason::new("race", message, place).help(remedy!("write it as `atomicAdd(&{name}[...], x);`"))
}
