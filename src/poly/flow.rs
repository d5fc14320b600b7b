//! Last writes before each read: the flow through one array, by isl, as far as it may be believed.
//!
//! isl looks, for each statement that reads, in each loop around it for the last instance of every writer. So a read is
//! asked about with those writers alone that share an element with it.

use super::Failure;
use super::order::in_order;
use super::scop::{Scop, union};
use crate::isl::{Ctx, Dim, Flow, Map, Schedule, UMap, flow};
use crate::region::StaticPart;
use std::collections::{BTreeMap, BTreeSet};

/// Operations that isl may spend on the flow through one array: a third of a second, and half as much again as what the
/// hardest array of PolyBench needs. Many strided loops over one array cost any amount.
const FLOW_OPERATIONS: u64 = 500_000;

/// The flow to `reads` from `writes`, of which `may` hide nothing and `sources` hide what was there before; `None` where isl
/// does not see all of it. Where the accesses `are_dense`, it does.
///
/// # Errors
/// The limit on isl's work.
pub fn last_writes(
    part: &StaticPart,
    scop: &Scop,
    order: &Schedule,
    [reads, writes, may, sources]: [&UMap; 4],
    are_dense: bool,
) -> Result<Option<Flow>, Failure> {
    let seen = scop.ctx.within(FLOW_OPERATIONS, || by_writers(&scop.ctx, reads, [may, sources], order))?;
    let is_sure = are_dense || is_whole(part, scop, &seen, [writes, sources, reads])?;
    Ok(is_sure.then_some(seen))
}

/// The flow, for the reads that share elements with the same writers together.
fn by_writers(ctx: &Ctx, reads: &UMap, [may, sources]: [&UMap; 2], order: &Schedule) -> Result<Flow, Failure> {
    let mut writers: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for map in reads.maps()? {
        writers.insert(name(&map, Dim::In)?, BTreeSet::new());
    }
    for pair in reads.apply_range(&may.union(sources)?.reverse()?)?.maps()? {
        writers.entry(name(&pair, Dim::In)?).or_default().insert(name(&pair, Dim::Out)?);
    }
    let mut together: BTreeMap<&BTreeSet<String>, BTreeSet<String>> = BTreeMap::new();
    for (read, of) in &writers {
        together.entry(of).or_default().insert(read.clone());
    }
    let of = |accesses: &UMap, names: &BTreeSet<String>| {
        let mut maps = accesses.maps()?;
        maps.retain(|map| name(map, Dim::In).is_ok_and(|name| names.contains(&name)));
        union(ctx, &maps)
    };
    let none = UMap::empty(ctx)?;
    let mut all = Flow { must: none.clone(), may: none.clone(), may_no_source: none };
    for (writers, readers) in together {
        let reads = of(reads, &readers)?;
        if writers.is_empty() {
            all.may_no_source = all.may_no_source.union(&reads)?;
            continue;
        }
        let found = flow(&reads, &of(may, writers)?, &of(sources, writers)?, order)?;
        all.must = all.must.union(&found.must)?;
        all.may = all.may.union(&found.may)?;
        all.may_no_source = all.may_no_source.union(&found.may_no_source)?;
    }
    Ok(all)
}

fn name(map: &Map, dim: Dim) -> Result<String, Failure> {
    Ok(map.tuple_name(dim)?.unwrap_or_default())
}

/// Test for a flow with every write that a read may be of: all earlier ones but those that a later sure one hides, and what
/// was there before where no sure one is earlier. Asked where isl (0.27) may be wrong about the last write: what it takes
/// for the bounds of a remainder is at times none (one in 500 of the functions that `tests/differential.rs` draws).
fn is_whole(part: &StaticPart, scop: &Scop, seen: &Flow, among: [&UMap; 3]) -> Result<bool, Failure> {
    let [writes, sources, reads] = among;
    let pairs = |from, to| union(&scop.ctx, in_order(part, from, to)?.iter());
    let work = || {
        let sure = pairs(sources, reads)?;
        let hidden = pairs(writes, sources)?.apply_range(&sure)?;
        let has_writes = pairs(writes, reads)?.is_subset(&seen.may.union(&hidden)?)?;
        Ok(has_writes && reads.subtract_domain(&sure.range()?)?.is_subset(&seen.may_no_source)?)
    };
    scop.ctx.within(FLOW_OPERATIONS, work)
}
