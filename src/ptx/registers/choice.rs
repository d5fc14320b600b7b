//! Choice of the value that a pass takes out of the regions of highest pressure, and what keeps the others.

use super::ranges::{Ranges, Region};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// Reason that a value stays in its register. The first four are You and Tsai's conditions (section 2.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// Condition 1: not a long instruction.
    Long,
    /// Condition 2: a range that covers the region, in which it is not accessed.
    Accessed,
    /// Condition 3: operands that are needed behind the region anyway.
    OperandsEnd,
    /// Condition 4: an explicit definition.
    Several,
    /// An operand, or the value, is written between definition and use.
    Written,
    /// A use that runs more often than the region.
    InnerLoop,
    /// A register of braces within the body, or one whose name another has, too.
    Scope,
    /// No slot of its width.
    Width,
    /// No lower pressure in the text that it gave.
    NoGain,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Reason::Long => "come of memory, a division or another long instruction",
            Reason::Accessed => "are accessed where the pressure is highest",
            Reason::OperandsEnd => "have operands that are needed no longer behind it",
            Reason::Several => "have several definitions, or one under a predicate",
            Reason::Written => "have an operand that is written again before a use",
            Reason::InnerLoop => "are used in a loop further in",
            Reason::Scope => "are declared in braces within the body",
            Reason::Width => "have no width that a slot has",
            Reason::NoGain => "would lower nothing",
        })
    }
}

/// A value that a pass may take out of regions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    pub register: usize,
    /// Uses behind the regions, as one new value serves them.
    pub groups: Vec<Vec<usize>>,
    /// Instructions that are put in, by how often they run.
    pub cost: u64,
}

/// Question of a pass about a value: the groups of its uses, and the cost, or why not.
pub type Test<'t> = dyn Fn(usize, &[Region]) -> Result<Candidate, Reason> + 't;

/// Values that failed, by reason.
pub type Refused = BTreeMap<Reason, usize>;

/// Instructions of the shortest part of a region that is looked at: a shorter one gains nothing over the load that it takes.
const SHORTEST: usize = 3;

/// The candidates of the first region, best first: those whose range covers most regions, then those that cost least, then
/// the longest. You and Tsai, Algorithms 1 and 2, who weigh no costs. Where none covers the region, those of its halves, quarters,
/// ... are looked at, which makes the region shorter.
pub fn candidates(ranges: &Ranges, tried: &BTreeSet<String>, test: &Test) -> (Vec<Candidate>, Refused) {
    let Some(&first) = ranges.regions.first() else { return (Vec::new(), Refused::new()) };
    let (found, refused) = of_part(ranges, first, tried, test);
    let mut length = first.last + 1 - first.first;
    while found.is_empty() && length >= 2 * SHORTEST {
        length = length.div_ceil(2);
        for start in (first.first..=first.last).step_by(length) {
            let part = Region { first: start, last: first.last.min(start + length - 1) };
            let (found, _) = of_part(ranges, part, tried, test);
            if !found.is_empty() {
                return (found, refused);
            }
        }
    }
    (found, refused)
}

/// The candidates of a region, or of a part of one.
fn of_part(ranges: &Ranges, part: Region, tried: &BTreeSet<String>, test: &Test) -> (Vec<Candidate>, Refused) {
    let mut found = Vec::new();
    let mut refused = Refused::new();
    for register in ranges.live_at(part.first) {
        let named = &ranges.function.registers[register];
        if named.words() == 0 {
            continue;
        }
        let covered = || -> Vec<Region> {
            let others = ranges.regions[1..].iter().copied();
            std::iter::once(part).chain(others.filter(|&region| ranges.covers(register, region))).collect()
        };
        let result = match () {
            () if tried.contains(&named.name) => Err(Reason::NoGain),
            () if !ranges.covers(register, part) => Err(Reason::Accessed),
            () if !ranges.is_plain[register] => Err(Reason::Scope),
            () => {
                let covered = covered();
                test(register, &covered).map(|candidate| (covered.len(), ranges.length(register), candidate))
            }
        };
        match result {
            Ok(candidate) => found.push(candidate),
            Err(reason) => *refused.entry(reason).or_default() += 1,
        }
    }
    found.sort_by_key(|(covered, length, candidate)| {
        (Reverse(*covered), candidate.cost, Reverse(*length), candidate.register)
    });
    (found.into_iter().map(|(.., candidate)| candidate).collect(), refused)
}

/// The uses of a register behind regions, where none runs more often than the regions.
///
/// # Errors
/// [`Reason::InnerLoop`].
pub fn uses(ranges: &Ranges, register: usize, regions: &[Region]) -> Result<Vec<Vec<usize>>, Reason> {
    let uses = ranges.uses_behind(register, regions);
    let depth = regions.iter().map(|region| ranges.depth(region.first)).min().unwrap_or(0);
    if uses.iter().any(|&at| ranges.depth(at) > depth) {
        return Err(Reason::InnerLoop);
    }
    Ok(ranges.groups(register, &uses))
}
