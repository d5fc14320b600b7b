//! Holds a mapping to its nest and to the machine, before anything is lowered. A finding is a fault of this tool.
//!
//! - There is one axis for each loop of the band, under its name. Grid axes fill dimensions `0 .. n`, of which there are
//!   three at most; a block has 1 to 1024 threads, and a thread at least one point.
//! - A band in parallel has grid axes and loops of the thread, a reduction flat ones, what runs in order none.
//! - No axis carries a dependence: not at all in parallel, none but accumulations in a reduction. What a directive
//!   asserts holds.
//! - What is staged belongs to a loop in pieces, and depends on axes of the mapping.

use super::mapping::{Mapping, Place};
use super::parallel::{Analysis, Verdict};
use super::{Mapped, Mode};
use crate::poly::Failure;
use crate::region::{LoopId, StmtId};
use crate::target::MAX_BLOCK;

/// Faults of a mapping, below those loops of the host.
///
/// # Errors
/// The limit on isl's work.
pub fn findings(a: &Analysis, mapped: &Mapped, host: &[LoopId]) -> Result<Vec<String>, Failure> {
    let mut out = shape(mapped.nest.mode, &mapped.mapping);
    names(a, mapped, &mut out);
    order(a, mapped, host, &mut out)?;
    Ok(out)
}

fn shape(mode: Mode, mapping: &Mapping) -> Vec<String> {
    let mut out = vec![];
    let mut dimensions = vec![];
    for axis in &mapping.axes {
        let fits = match (axis.place, mode) {
            (Place::Grid { dimension, threads, merge, skew }, Mode::Parallel) => {
                dimensions.push(dimension);
                threads >= 1 && merge.unwrap_or(1) >= 1 && skew.unwrap_or(1) >= 1
            }
            (Place::Flat { threads, merge }, Mode::Reduce) => threads >= 1 && merge.unwrap_or(1) >= 1,
            (Place::Thread, Mode::Parallel) => true,
            _ => false,
        };
        if !fits {
            out.push(format!("axis {} is out of place", axis.name));
        }
    }
    dimensions.extend(mapping.lanes.as_ref().map(|lanes| lanes.dimension));
    dimensions.sort_unstable();
    if dimensions.len() > 3 || !dimensions.iter().copied().eq(0..dimensions.len()) {
        out.push("its dimensions are not the first of three".into());
    }
    if !(1..=i64::from(MAX_BLOCK)).contains(&mapping.threads()) {
        out.push(format!("a block has {} threads", mapping.threads()));
    }
    for x in &mapping.loops {
        if x.staged.is_empty() == x.depth.is_some() || x.depth.is_some_and(|n| n < 1) {
            out.push(format!("loop {} runs in pieces where it stages something, and only there", x.name));
        }
    }
    out
}

fn names(a: &Analysis, Mapped { nest, mapping, .. }: &Mapped, out: &mut Vec<String>) {
    let counters = nest.axes.iter().map(|x| &a.unit.var(a.part.get_loop(x[0]).var).name);
    if !mapping.axes.iter().map(|x| &x.name).eq(counters) {
        out.push("its axes are not those of the band".into());
    }
}

fn order(a: &Analysis, mapped: &Mapped, host: &[LoopId], out: &mut Vec<String>) -> Result<(), Failure> {
    let mut outer = host.to_vec();
    for axis in &mapped.nest.axes {
        for l in axis {
            let below = |s: &StmtId| a.part.stmt(*s).loops.contains(l);
            let stmts: Vec<StmtId> = mapped.nest.stmts().into_iter().filter(below).collect();
            let is_free = match a.verdict(*l, &stmts, &outer)? {
                Verdict::Parallel | Verdict::Asserted(_) => true,
                Verdict::Reduction(..) => mapped.nest.mode == Mode::Reduce,
                Verdict::Sequential(_) => false,
            };
            if !is_free {
                out.push(format!("axis {} carries a dependence", a.unit.var(a.part.get_loop(*l).var).name));
            }
        }
        outer.extend(axis);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(mode: Mode, text: &str) -> Vec<String> {
        shape(mode, &Mapping::parse(text, &["pointwise", "product", "reduction"]).expect("a mapping"))
    }

    #[test]
    fn what_is_planted_is_found() {
        let good = "pointwise\n axis i: grid 0, threads 8, merge 4\n axis j: grid 1, threads 32";
        assert!(found(Mode::Parallel, good).is_empty());
        assert_eq!(found(Mode::Reduce, good).len(), 2);
        let all = [
            ("pointwise\n axis i: grid 1, threads 8", "its dimensions are not the first of three"),
            ("pointwise\n axis i: grid 0, threads 2048", "a block has 2048 threads"),
            ("pointwise\n axis i: grid 0, threads 8, merge 0", "axis i is out of place"),
            ("pointwise\n axis i: flat, threads 8", "axis i is out of place"),
            (
                "product\n axis i: grid 0, threads 8\n loop k: around the points\n stage a[k] along nothing",
                "loop k runs in pieces where it stages something, and only there",
            ),
        ];
        for (text, finding) in all {
            assert_eq!(found(Mode::Parallel, text), [finding]);
        }
    }
}
