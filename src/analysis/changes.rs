//! Gives the parts of a region other orders and other data, where their own leave too much in sequence.

use super::analysed::{Analysed, Static, statics_mut};
use crate::ast::Unit;
use crate::poly::Failure;
use crate::poly::names::Names;
use crate::schedule::body_wavefront::reorder_bodies;
use crate::schedule::expand::{Expanded, Outcome, Outside};
use crate::schedule::parallel::Analysis;
use crate::schedule::reorder::{Orders, SCHEDULE_WORK, reorder, wanting};
use crate::schedule::scheduler::Scheduler;
use crate::schedule::together::load_together;
use std::borrow::Cow;

/// Gives every part of a region another order where its own leaves too much in sequence.
///
/// # Errors
/// A fault of isl's.
pub fn reorder_parts(unit: &Unit, region: &mut Analysed, scheduler: &mut Scheduler) -> Result<(), Failure> {
    let search = |a: &Analysis, names: &mut Names| {
        let Some(own) = wanting(a)? else { return Ok((None, None)) };
        let found = scheduler.search(&a.scop.ctx, |scheduler| {
            let order = reorder(a, own, names, scheduler, SCHEDULE_WORK)?;
            let of_bodies = if order.is_none() { reorder_bodies(a, own, names, scheduler)? } else { None };
            Ok((order, of_bodies))
        });
        Ok(found?.unwrap_or_default())
    };
    let found = for_each_part(unit, region, &|s| !s.known.is_certain, search)?;
    let mut found = found.into_iter();
    statics_mut(&mut region.nodes, &mut |s| (s.reordered, s.of_bodies) = found.next().flatten().unwrap_or_default());
    Ok(())
}

/// Gives every part that is still in its own order one of whole bodies, where there is one that leaves less in sequence.
///
/// # Errors
/// A fault of isl's.
pub fn reorder_bodies_of_parts(unit: &Unit, region: &mut Analysed, scheduler: &mut Scheduler) -> Result<(), Failure> {
    statics_mut(&mut region.nodes, &mut |s| s.reordered = s.reordered.take().or(s.of_bodies.take()));
    let search = |a: &Analysis, names: &mut Names| match wanting(a)? {
        Some(own) => {
            let search = |scheduler: &mut Scheduler| reorder_bodies(a, own, names, scheduler);
            Ok(scheduler.search(&a.scop.ctx, search)?.flatten())
        }
        None => Ok(None),
    };
    // Of one over its own data, all is known.
    let is_new = |s: &Static| s.reordered.is_none() && !s.expansions.is_empty();
    let mut found = for_each_part(unit, region, &is_new, search)?.into_iter();
    statics_mut(&mut region.nodes, &mut |s| s.reordered = s.reordered.take().or(found.next().flatten().flatten()));
    Ok(())
}

/// Has every part, in each of its orders, load together what lies together.
pub fn load_together_in_parts(region: &mut Analysed) {
    statics_mut(&mut region.nodes, &mut |s| {
        load_together(&mut s.part);
        s.reordered.iter_mut().for_each(|other| load_together(&mut other.part));
    });
}

/// Findings of `search` in the parts that `is_searched` names, in order.
fn for_each_part<T>(
    unit: &Unit,
    region: &mut Analysed,
    is_searched: &dyn Fn(&Static) -> bool,
    mut search: impl FnMut(&Analysis, &mut Names) -> Result<T, Failure>,
) -> Result<Vec<Option<T>>, Failure> {
    let mut names = std::mem::take(&mut region.names);
    let statics = region.statics().into_iter();
    let found = statics.map(|s| match is_searched(s) {
        true => search(&s.as_written(unit, &region.live_out(s)), &mut names).map(Some),
        false => Ok(None),
    });
    let found = found.collect();
    region.names = names;
    found
}

/// Change of a part's data by which less of it is left in sequence: [`split_nodes`](crate::schedule::node_splitting::split_nodes) or
/// [`expand`](crate::schedule::expand::expand).
pub type Change = fn(&Analysis, Orders, &Outside, &mut Names, &mut Scheduler) -> Result<Outcome, Failure>;

/// Changes the data of every part of a region that keep its iterations in order without need. The program that comes back
/// has the variables that take their places.
///
/// # Errors
/// A fault of isl's.
pub fn change_parts<'a>(
    unit: &'a Unit,
    region: &mut Analysed,
    scheduler: &mut Scheduler,
    change: Change,
) -> Result<Cow<'a, Unit>, Failure> {
    let mut names = std::mem::take(&mut region.names);
    let mut unit = Cow::Borrowed(unit);
    let mut outcomes = vec![];
    for s in region.statics() {
        if s.known.is_certain {
            outcomes.push((None, vec![]));
            continue;
        }
        let live_out = region.live_out(s);
        let outside = region.outside(&unit, s);
        let a = s.as_written(&unit, &live_out);
        let search = |scheduler: &mut Scheduler| change(&a, s.orders(), &outside, &mut names, scheduler);
        let found = scheduler.search(&region.ctx, search)?;
        let Some(Outcome { expanded, said }) = found else {
            outcomes.push((None, vec![]));
            continue;
        };
        outcomes.push((
            expanded.map(|(new, with)| {
                unit = Cow::Owned(with);
                new
            }),
            said,
        ));
    }
    region.names = names;
    for (_, said) in &outcomes {
        region.declared.extend(said.iter().filter_map(|x| x.copy));
    }
    let mut outcomes = outcomes.into_iter();
    statics_mut(&mut region.nodes, &mut |s| {
        let Some((expanded, said)) = outcomes.next() else { return };
        s.expansions.extend(said);
        if let Some(Expanded { part, scop, deps, reordered, .. }) = expanded {
            (s.part, s.scop, s.deps, s.reordered) = (part, scop, deps, reordered);
            s.of_bodies = None;
        }
    });
    Ok(unit)
}
