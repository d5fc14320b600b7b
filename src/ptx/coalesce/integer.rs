//! The integer program of Fauzia and others (CGO 2015, sections 4.2.2 and 4.3): the dimension whose neighbours become the lanes of
//! a warp, by what each access costs along it.
//!
//! A permutation matrix says which dimension of the launch, or the loop of a thread, comes first; only its first row is priced, so
//! that the least of the row is the optimum, and the other dimensions keep their order. An access costs 1 where
//! neighbours along the dimension share an address or adjoin, and N where they are apart, N above the number of accesses; each is
//! weighted by its executions.
//!
//! That is the paper's text. Its formula, c + z + N u, has z wherever the dimension is used at all: neighbours that share would cost
//! nothing and those that adjoin 2, and a dimension that no access uses would win over one that coalesces all of them. The
//! paper reads strides off the subscripts; here the trace tells them, so that subscripts of data count, too.

use super::geometry::{Record, Records};
use crate::config::seen::Neighbours;
use crate::ptx::run::Launch;
use serde::Serialize;
use std::cmp::Reverse;

/// Dimension that may run along the lanes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Dimension {
    X,
    Y,
    Z,
    /// The loop that each thread runs through alone.
    Loop,
}

impl Dimension {
    const ALL: [Dimension; 4] = [Dimension::X, Dimension::Y, Dimension::Z, Dimension::Loop];

    /// Its name.
    pub fn name(self) -> &'static str {
        ["x", "y", "z", "loop"][self as usize]
    }
}

/// An access of the program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Reference {
    /// Number of the access among those of the kernel.
    pub access: usize,
    /// Line of the source; 0: not known.
    pub line: u32,
    /// Executions by threads.
    pub weight: u64,
    /// Along x, y, z and the loop.
    pub along: [Neighbours; 4],
}

/// Optimum of the program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Solution {
    /// Dimension that comes first.
    pub first: Dimension,
    /// Its cost, and that of the launch.
    pub cost: u64,
    pub launched: u64,
    /// Cost of an access whose neighbours are apart: N.
    pub apart: u64,
    /// Dimensions with more than one thread or iteration.
    pub dimensions: Vec<Dimension>,
    pub references: Vec<Reference>,
}

impl Solution {
    /// Lines whose accesses the new lanes coalesce, and those of the launch do not.
    pub fn mended(&self) -> Vec<u32> {
        let launched = self.dimensions.first().map_or(0, |&first| first as usize);
        let is_mended =
            |r: &&Reference| r.along[self.first as usize] < Neighbours::Apart && r.along[launched] == Neighbours::Apart;
        let mut lines: Vec<u32> = self.references.iter().filter(is_mended).map(|r| r.line).collect();
        lines.sort_unstable();
        lines.dedup();
        lines
    }
}

/// Solves the program of a launch. An access has a source line, and the number of a group: accesses of one array by one line, which a
/// loop that was unrolled has several of. `None`: there is but one dimension, or no access.
pub fn solve(records: &Records, launch: &Launch, accesses: &[(u32, usize)]) -> Option<Solution> {
    let (of_loop, loops) = along_loop(records, accesses);
    let is_there = |dimension: &Dimension| match dimension {
        Dimension::Loop => loops,
        axis => launch.block[*axis as usize] > 1,
    };
    let dimensions: Vec<Dimension> = Dimension::ALL.into_iter().filter(is_there).collect();
    let weights = weights(records, accesses.len());
    let axes = [0, 1, 2].map(|axis| along_axis(records, launch, axis, accesses.len()));
    let reference = |(at, &(line, group)): (usize, &(u32, usize))| Reference {
        access: at,
        line,
        weight: weights[at],
        along: [axes[0][at], axes[1][at], axes[2][at], of_loop[group]],
    };
    let all = accesses.iter().enumerate().map(reference);
    let references: Vec<Reference> = all.filter(|reference| reference.weight > 0).collect();
    if dimensions.len() < 2 || references.is_empty() {
        return None;
    }
    let apart = references.len() as u64 + 1;
    let cost = |dimension: Dimension| -> u64 {
        let of = |r: &Reference| if r.along[dimension as usize] == Neighbours::Apart { apart } else { 1 };
        references.iter().map(|r| r.weight * of(r)).sum()
    };
    let adjoin = |dimension: Dimension| -> u64 {
        let all = references.iter().filter(|r| r.along[dimension as usize] == Neighbours::Adjoin);
        all.map(|r| r.weight).sum()
    };
    // Of equal costs the launch as it is, then lanes that do different work: those that share all of it repeat it.
    let key = |&dimension: &Dimension| (cost(dimension), dimension != dimensions[0], Reverse(adjoin(dimension)));
    let first = dimensions.iter().copied().min_by_key(key)?;
    Some(Solution { first, cost: cost(first), launched: cost(dimensions[0]), apart, dimensions, references })
}

fn weights(records: &Records, accesses: usize) -> Vec<u64> {
    let mut found = vec![0; accesses];
    records.all.iter().for_each(|r| found[r.access as usize] += 1);
    found
}

/// Neighbours in most pairs of them; of as many, those that cost more.
fn most(counts: [u64; 3]) -> Neighbours {
    let all = [Neighbours::Apart, Neighbours::Adjoin, Neighbours::Share];
    let found = all.into_iter().min_by_key(|&n| Reverse(counts[n as usize]));
    found.filter(|_| counts.iter().any(|&count| count > 0)).unwrap_or(Neighbours::Share)
}

/// Neighbours along a dimension of the block, of each access: threads that stand next to each other of those that make it.
fn along_axis(records: &Records, launch: &Launch, axis: usize, accesses: usize) -> Vec<Neighbours> {
    let [x, y, _] = launch.block;
    let place = |r: &Record| {
        let mut at = [r.thread % x, r.thread / x % y, r.thread / x / y];
        let along = std::mem::take(&mut at[axis]);
        (r.access, r.execution, r.block, at, along)
    };
    let mut sorted: Vec<&Record> = records.all.iter().collect();
    sorted.sort_unstable_by_key(|r| place(r));
    let mut counts = vec![[0; 3]; accesses];
    for pair in sorted.windows(2) {
        let ((access, execution, block, rest, from), b) = (place(pair[0]), place(pair[1]));
        if (access, execution, block, rest) != (b.0, b.1, b.2, b.3) {
            continue;
        }
        let apart = pair[1].address.abs_diff(pair[0].address);
        let found = match apart {
            0 => Neighbours::Share,
            _ if apart == u64::from(pair[0].bytes) * u64::from(b.4 - from) => Neighbours::Adjoin,
            _ => Neighbours::Apart,
        };
        counts[access as usize][found as usize] += 1;
    }
    counts.into_iter().map(most).collect()
}

/// Neighbours along the loop of a thread, of each group: addresses of one thread without gaps between them adjoin. And the
/// presence of a loop.
fn along_loop(records: &Records, accesses: &[(u32, usize)]) -> (Vec<Neighbours>, bool) {
    let groups = accesses.iter().map(|&(_, group)| group + 1).max().unwrap_or(0);
    let mut is_repeated = vec![false; groups];
    let group = |r: &Record| accesses[r.access as usize].1;
    records.all.iter().filter(|r| r.execution > 0).for_each(|r| is_repeated[group(r)] = true);
    let mut sorted: Vec<&Record> = records.all.iter().filter(|r| is_repeated[group(r)]).collect();
    sorted.sort_unstable_by_key(|r| (group(r), r.block, r.thread, r.address));
    let mut counts = vec![[0; 3]; groups];
    for of_thread in sorted.chunk_by(|a, b| (group(a), a.block, a.thread) == (group(b), b.block, b.thread)) {
        let gap = of_thread.windows(2).map(|pair| pair[1].address - pair[0].address).max();
        let found = match gap {
            // A thread that comes by once has no neighbours.
            None => continue,
            Some(0) => Neighbours::Share,
            Some(gap) if gap <= u64::from(of_thread[0].bytes) => Neighbours::Adjoin,
            Some(_) => Neighbours::Apart,
        };
        counts[group(of_thread[0])][found as usize] += of_thread.len() as u64;
    }
    (counts.into_iter().map(most).collect(), is_repeated.contains(&true))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Loads of `f(x, y, k)` by a block, of 4 bytes, of one line.
    fn records(block: [u32; 3], times: u32, f: impl Fn(u64, u64, u64) -> u64) -> (Records, Launch) {
        let launch = Launch { grid: [1, 1, 1], block, shared: 0, arguments: Vec::new(), limit: 1 };
        let all = (0..times).flat_map(|execution| {
            let record =
                move |thread: u32, address| Record { access: 0, execution, block: 0, thread, bytes: 4, address };
            let f = &f;
            (0..launch.threads()).map(move |thread| {
                record(thread, f(u64::from(thread % block[0]), u64::from(thread / block[0]), u64::from(execution)))
            })
        });
        let all = all.collect();
        (Records { all, ..Records::default() }, launch)
    }

    fn first(block: [u32; 3], times: u32, f: impl Fn(u64, u64, u64) -> u64) -> Option<(Dimension, u64, u64)> {
        let (records, launch) = records(block, times, f);
        solve(&records, &launch, &[(7, 0)]).map(|solution| (solution.first, solution.cost, solution.launched))
    }

    #[test]
    fn lanes_go_where_neighbours_adjoin() {
        assert_eq!(first([16, 16, 1], 1, |x, y, _| 1024 * x + 4 * y), Some((Dimension::Y, 256, 512)));
        assert_eq!(first([16, 16, 1], 1, |x, y, _| 4 * x + 1024 * y), Some((Dimension::X, 256, 256)));
        // A row of a thread: the loop, and no threads that repeat it.
        assert_eq!(first([32, 8, 1], 8, |x, _, k| 4096 * x + 4 * k), Some((Dimension::Loop, 2048, 4096)));
        assert_eq!(first([32, 1, 1], 8, |x, _, k| 4096 * x + 4 * k), Some((Dimension::Loop, 256, 512)));
        assert_eq!(first([32, 1, 1], 8, |x, _, k| 4 * x + 4096 * k), Some((Dimension::X, 256, 256)));
        assert_eq!(first([32, 1, 1], 1, |x, _, _| 4 * x), None);
    }

    #[test]
    fn what_neighbours_share_costs_as_little_as_what_they_adjoin() {
        // By the formula of the paper y would be better, which no address knows.
        assert_eq!(first([16, 16, 1], 1, |x, _, _| 4 * x), Some((Dimension::X, 256, 256)));
        assert_eq!(first([16, 16, 1], 1, |_, y, _| 4 * y), Some((Dimension::X, 256, 256)));
    }

    #[test]
    fn unrolled_loops_are_seen_as_one() {
        // Two accesses of a line, each of every second element; and one that no thread repeats.
        let (mut records, launch) = records([32, 1, 1], 8, |x, _, k| 4096 * x + 8 * k);
        let others: Vec<Record> =
            records.all.iter().map(|r| Record { access: 1, address: r.address + 4, ..*r }).collect();
        records.all.extend(others);
        records.all.extend((0..32).map(|thread| Record {
            access: 2,
            execution: 0,
            block: 0,
            thread,
            bytes: 4,
            address: 1 << 30,
        }));
        let solution = solve(&records, &launch, &[(7, 0), (7, 0), (9, 1)]).unwrap();
        assert_eq!((solution.first, solution.mended()), (Dimension::Loop, vec![7]));
        assert_eq!(solution.references[2].along, [Neighbours::Share; 4]);
        assert_eq!((solution.cost, solution.launched), (512 + 32, 4 * 512 + 32));
        let apart = solve(&records, &launch, &[(7, 0), (8, 2), (9, 1)]).unwrap();
        assert_eq!((apart.first, apart.mended()), (Dimension::X, vec![]));
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

        /// Whole warps lie along either dimension, and an access that is apart moves eight times what one that adjoins does: of
        /// up to seven accesses the fewest apart move the fewest sectors.
        #[test]
        fn the_search_finds_the_same_dimension(strides in prop::collection::vec((0..4usize, 0..4usize), 1..7)) {
            let bytes = [0, 4, 512, 4096];
            let launch = Launch { grid: [1, 1, 1], block: [32, 32, 1], shared: 0, arguments: Vec::new(), limit: 1 };
            let record = |access: usize, thread: u32| {
                let (x, y) = (u64::from(thread % 32), u64::from(thread / 32));
                let address = (1 << 30) * access as u64 + bytes[strides[access].0] * x + bytes[strides[access].1] * y;
                Record { access: access as u32, execution: 0, block: 0, thread, bytes: 4, address }
            };
            let all = (0..strides.len()).flat_map(|access| (0..1024).map(move |thread| (access, thread)));
            let records = Records { all: all.map(|(access, thread)| record(access, thread)).collect(), ..Records::default() };
            let accesses: Vec<(u32, usize)> = (0..strides.len()).map(|at| (at as u32, at)).collect();
            let solution = solve(&records, &launch, &accesses).expect("two dimensions");
            let (sectors, candidates, _) = records.candidates(&launch, false);
            if solution.cost < solution.launched {
                prop_assert_eq!(solution.first, Dimension::Y);
                prop_assert!(candidates[0].sectors < sectors);
            } else {
                prop_assert_eq!(solution.first, Dimension::X);
                let apart = |at: Dimension| solution.references.iter().filter(|r| r.along[at as usize] == Neighbours::Apart).count();
                prop_assert!(candidates[0].sectors >= sectors || apart(Dimension::X) == apart(Dimension::Y));
            }
        }
    }
}
