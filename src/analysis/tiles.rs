//! Nests that are seen without the tiles that the program runs them in: the dependences must be indifferent to tiles.
//!
//! Tiles run one after the other keep an order where no dependence goes back along a loop of the nest: then none leads
//! into a tile before its own (Wolf and Lam, "A data locality optimizing algorithm", PLDI 1991, section 3: fully
//! permutable nests). The same is true the other way round. Of several nests in one loop over tiles each runs whole before
//! the next one: what one tile leaves to another's nest has to lead forward along the tiles.

use super::analysed::{Analysed, Node, Static};
use crate::ast::{Expr, TileSequence, Tiling, Unit, VarId};
use crate::facts::{Reason, effects};
use crate::poly::Failure;
use crate::poly::dependence::level_of;
use crate::region::{LoopId, StmtId};
use crate::source::Span;

/// Holds the parts of a region to the order that the program's tiles have.
///
/// # Errors
/// A dependence that goes back along a loop: the reason to decline. The limit on isl's work.
pub fn check(unit: &Unit, region: &Analysed) -> Result<(), Failure> {
    for s in region.statics() {
        for tiling in &unit.tilings {
            check_nest(unit, region, s, tiling)?;
        }
    }
    let mut by_host = vec![];
    counted_by_host(&region.nodes, &mut by_host);
    for tiling in &unit.tilings {
        let is_counted = |s: &Static, v: &VarId| s.part.loops.iter().any(|l| l.var == *v);
        let has_some = |s: &&Static| tiling.tiles.iter().any(|tile| is_counted(s, &tile.counter));
        let is_whole = |s: &Static| tiling.nest.iter().all(|v| is_counted(s, v));
        let are_whole = region.statics().into_iter().filter(has_some).all(is_whole);
        if !are_whole || tiling.tiles.iter().any(|tile| by_host.contains(&tile.counter)) {
            return declined("the host runs loops that the program runs tile after tile".into(), Span::default());
        }
    }
    unit.tile_sequences.iter().try_for_each(|sequence| check_sequence(unit, region, sequence))
}

/// Test that a region has a nest which the program runs in tiles.
pub fn are_in(unit: &Unit, region: &Analysed) -> bool {
    let statics = region.statics();
    let mut counters = statics.iter().flat_map(|s| s.part.loops.iter().map(|l| l.var));
    counters.any(|v| unit.tilings.iter().flat_map(|tiling| &tiling.tiles).any(|tile| tile.counter == v))
}

fn counted_by_host(nodes: &[Node], out: &mut Vec<VarId>) {
    for n in nodes {
        match n {
            Node::Loop { step, body, .. } => {
                let mut moved = |e: &Expr| e.walk(&mut |e| out.extend(effects::assigned_by(e)));
                step.iter().for_each(&mut moved);
                counted_by_host(body, out);
            }
            Node::If { then, other, .. } => [then, other].into_iter().for_each(|nodes| counted_by_host(nodes, out)),
            _ => {}
        }
    }
}

fn declined(message: String, at: Span) -> Result<(), Failure> {
    Err(Failure::Declined(Box::new(Reason::new("tiles", message, at))))
}

fn check_sequence(unit: &Unit, region: &Analysed, sequence: &TileSequence) -> Result<(), Failure> {
    let has = |s: &&Static, counters: &[VarId]| s.part.loops.iter().any(|l| counters.contains(&l.var));
    let firsts: Vec<&Static> = region.statics().into_iter().filter(|s| has(s, &sequence.first)).collect();
    let thens: Vec<&Static> = region.statics().into_iter().filter(|s| has(s, &sequence.then)).collect();
    let apart = || declined("nests in one loop over tiles are apart".into(), Span::default());
    let (s, loops) = match (&firsts[..], &thens[..]) {
        ([], []) => return Ok(()),
        ([s], [t]) if std::ptr::eq(*s, *t) => {
            let of = |v: &VarId| s.part.loops.iter().position(|l| l.var == *v).map(LoopId);
            let loops = sequence.first.iter().zip(&sequence.then).map(|(a, b)| Some((of(a)?, of(b)?)));
            (*s, loops.collect::<Option<Vec<_>>>())
        }
        _ => return apart(),
    };
    let Some(loops) = loops else { return apart() };
    for (at, dep) in s.deps.list.iter().enumerate() {
        for (first, then) in &loops {
            let level = |id: StmtId, l: LoopId| level_of(&s.part, id, l);
            let ends = (level(dep.src, *first).zip(level(dep.dst, *then)))
                .or_else(|| level(dep.src, *then).zip(level(dep.dst, *first)));
            let Some((src, dst)) = ends else { continue };
            let around = s.part.stmt(dep.src).loops.iter().zip(&s.part.stmt(dep.dst).loops);
            let outside: Vec<usize> = (0..around.take_while(|(a, b)| a == b).count()).collect();
            if s.deps.goes_back(at, (src, dst), &outside)? {
                let name = &unit.var(dep.data).name;
                let message = format!("a tile leaves `{name}` to one before it, in another nest");
                return declined(message, s.part.stmt(dep.dst).body.span);
            }
        }
    }
    Ok(())
}

fn check_nest(unit: &Unit, region: &Analysed, s: &Static, tiling: &Tiling) -> Result<(), Failure> {
    let in_nest = |counter| s.part.loops.iter().position(|l| l.var == counter).map(LoopId);
    let Some(loops) = tiling.nest.iter().map(|v| in_nest(*v)).collect::<Option<Vec<LoopId>>>() else { return Ok(()) };
    let is_in = |id: &StmtId| loops.iter().all(|l| level_of(&s.part, *id, *l).is_some());
    let stmts: Vec<StmtId> = (0..s.part.stmts.len()).map(StmtId).filter(is_in).collect();
    let a = s.as_written(unit, &region.wanted);
    for (at, dep) in s.deps.list.iter().enumerate() {
        if dep.reduction.is_some() || !stmts.contains(&dep.src) || !stmts.contains(&dep.dst) {
            continue;
        }
        let levels: Vec<usize> = loops.iter().filter_map(|l| level_of(&s.part, dep.src, *l)).collect();
        let outside: Vec<usize> = (0..levels[0]).collect();
        for level in levels {
            if s.deps.goes_back(at, (level, level), &outside)? && !a.is_private(dep.data, &stmts, &loops)? {
                let name = &unit.var(dep.data).name;
                let message =
                    format!("tile after tile, iterations depend on each other through `{name}` in both directions");
                return declined(message, s.part.stmt(dep.dst).body.span);
            }
        }
    }
    Ok(())
}
