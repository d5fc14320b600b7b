//! Nests that are seen without the tiles that the program runs them in: the dependences must be indifferent to tiles.
//!
//! Tiles run one after the other keep an order where no dependence goes back along a loop of the nest: then none leads
//! into a tile before its own (Wolf and Lam, "A data locality optimizing algorithm", PLDI 1991, section 3: fully
//! permutable nests). The same is true the other way round.

use super::analysed::{Analysed, Node, Static};
use crate::ast::{Expr, Tiling, Unit, VarId};
use crate::poly::Failure;
use crate::poly::dependence::level_of;
use crate::region::{LoopId, Reason, StmtId, effects};
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
    Ok(())
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
            if s.deps.goes_back(at, level, &outside)? && !a.is_private(dep.data, &stmts, &loops)? {
                let name = &unit.var(dep.data).name;
                let message =
                    format!("tile after tile, iterations depend on each other through `{name}` in both directions");
                return declined(message, s.part.stmt(dep.dst).body.span);
            }
        }
    }
    Ok(())
}
