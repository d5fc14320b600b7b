//! Nests that are seen without the tiles that the program runs them in: the dependences must be indifferent to tiles.
//!
//! Tiles run one after the other keep an order where no dependence goes back along a loop of the nest: then none leads
//! into a tile before its own (Wolf and Lam, "A data locality optimizing algorithm", PLDI 1991, section 3: fully
//! permutable nests). The same is true the other way round.

use super::analysed::{Analysed, Static};
use crate::ast::{Tiling, Unit};
use crate::poly::Failure;
use crate::poly::dependence::level_of;
use crate::region::{LoopId, Reason, StmtId};

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
            if s.deps.goes_back(at, level, &outside)? && !a.is_private(dep.data, &stmts, &loops)? {
                let name = &unit.var(dep.data).name;
                let message =
                    format!("tile after tile, iterations depend on each other through `{name}` in both directions");
                let at = s.part.stmt(dep.dst).body.span;
                return Err(Failure::Declined(Box::new(Reason::new("tiles", message, at))));
            }
        }
    }
    Ok(())
}
