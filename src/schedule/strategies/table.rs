//! Table of the strategies, and what asks them for the mappings of a nest.

use super::strategy::{Proposal, Strategy};
use super::{collapsed, histogram, in_order, pointwise, product, reduction, rows, scan, sliding, staged, variants};
use crate::poly::Failure;
use crate::schedule::frame;
use crate::schedule::map::Mapper;
use crate::schedule::mapping::{Divided, Mapping};
use crate::schedule::parallel::Analysis;
use crate::schedule::{Mode, Nest};

/// The strategies: special ones before those that serve every nest of their mode.
pub const STRATEGIES: [Strategy; 12] = [
    in_order::STRATEGY,
    histogram::STRATEGY,
    rows::OF_UPDATES,
    reduction::STRATEGY,
    scan::STRATEGY,
    sliding::STRATEGY,
    rows::STRATEGY,
    product::STRATEGY,
    rows::OF_SEVERAL,
    collapsed::STRATEGY,
    staged::STRATEGY,
    pointwise::STRATEGY,
];

/// The mappings that strategies propose for a nest, in the order of the table; there is at least one.
///
/// # Errors
/// The limit on isl's work, where that ends before the first.
pub fn proposals(m: &mut Mapper, a: &Analysis, nest: &Nest) -> Result<Vec<Mapping>, Failure> {
    at_most(STRATEGIES.len(), m, a, nest)
}

/// The first of them.
///
/// # Errors
/// The limit on isl's work.
pub fn first(m: &mut Mapper, a: &Analysis, nest: &Nest) -> Result<Mapping, Failure> {
    Ok(at_most(1, m, a, nest)?.remove(0))
}

fn at_most(n: usize, m: &mut Mapper, a: &Analysis, nest: &Nest) -> Result<Vec<Mapping>, Failure> {
    m.name_loops(a, nest);
    let (mut out, mut notes): (Vec<Mapping>, _) = (vec![], vec![]);
    let mut divided = None;
    for strategy in &STRATEGIES {
        if out.len() == n {
            break;
        }
        // Names and values that others than the first would have are none of the region's.
        let before = (!out.is_empty()).then(|| (m.names.clone(), m.used.clone()));
        let proposed = proposal(m, a, nest, strategy, &mut divided);
        if let Some(before) = before {
            (*m.names, m.used) = before;
        }
        match proposed {
            Ok(Proposal::Mapping(mut mapping)) => {
                mapping.notes.splice(0..0, std::mem::take(&mut notes));
                out.push(*mapping);
            }
            Ok(Proposal::No(why)) => notes.extend(why),
            // What the others would be is not worth more work than there is.
            Err(Failure::TooHard | Failure::Declined(_)) if !out.is_empty() => break,
            Err(failure) => return Err(failure),
        }
    }
    assert!(!out.is_empty(), "a strategy serves every nest of each mode");
    Ok(out)
}

/// The mapping that a strategy proposes, with those for calls of other sizes. What divides the loops of elements among blocks is
/// the nest's, whatever the strategy, and found once.
fn proposal(
    m: &mut Mapper,
    a: &Analysis,
    nest: &Nest,
    strategy: &Strategy,
    divided: &mut Option<Option<Divided>>,
) -> Result<Proposal, Failure> {
    let mut proposed = (strategy.propose)(m, a, nest)?;
    if let Proposal::Mapping(mapping) = &mut proposed {
        let found = match *divided {
            Some(found) => found,
            None => *divided.insert(m.divided_mapping(a, nest)?),
        };
        // Elements that meet in their updates are divided where a thread has several of them.
        mapping.divided = found.filter(|_| nest.mode != Mode::Reduce || mapping.lanes.is_none());
        mapping.variants = variants::usual(m, a, nest, mapping)?;
        let variants = mapping.variants.iter_mut().map(|x| &mut x.mapping);
        variants.for_each(|x| x.aligned = !m.is_phase && frame::begins_before(a, nest, x));
        mapping.aligned = !m.is_phase && frame::begins_before(a, nest, mapping);
    }
    Ok(proposed)
}
