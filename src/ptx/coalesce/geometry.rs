//! Other orders of a block's threads, priced by the sectors that the traced accesses would take.
//!
//! A warp is 32 neighbours in a block, x fastest. Which threads are neighbours follows from the order of the dimensions, and
//! from the block's shape where the kernel knows threads only by their position in the grid. The accesses of a thread stay; it
//! is assumed that threads of a new warp make the same access together, as those of the traced warps did.

use super::sectors::touched;
use crate::ptx::run::Launch;
use crate::ptx::run::machine::block_position;
use crate::ptx::run::watch::Request;
use serde::Serialize;

/// Accesses of threads that are kept: beyond them nothing is priced.
const MOST_RECORDS: usize = 4_000_000;
/// Records that all candidates together price.
const MOST_PRICED: usize = 16_000_000;
/// Threads of the grid in y and z, by blocks, and of a block in z.
const MOST_GRID: u64 = 65_535;
const MOST_Z: u32 = 64;

/// An access of a thread, as it is priced.
#[derive(Debug, Clone, Copy)]
pub struct Record {
    pub access: u32,
    pub execution: u32,
    pub block: u64,
    pub thread: u32,
    pub bytes: u32,
    pub address: u64,
}

/// The accesses of all threads of the blocks that were run.
#[derive(Debug, Default)]
pub struct Records {
    pub all: Vec<Record>,
    pub is_full: bool,
}

/// A geometry, and what it takes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Candidate {
    /// The dimension of the kernel, `x`, `y` or `z`, that each of the new ones is, the fastest first.
    pub order: String,
    /// The new block and the new grid.
    pub block: [u32; 3],
    pub grid: [u32; 3],
    /// Sectors of the traced accesses.
    pub sectors: u64,
    /// Sameness of the order: only the block's shape is another.
    pub is_reshaped: bool,
}

impl Records {
    /// Keeps a request.
    pub fn add(&mut self, request: &Request) {
        if self.is_full || self.all.len() + 32 > MOST_RECORDS {
            self.is_full = true;
            return;
        }
        self.all.extend(request.lanes().map(|lane| Record {
            access: request.access as u32,
            execution: request.executions[lane],
            block: request.block,
            thread: request.warp * 32 + lane as u32,
            bytes: request.bytes as u32,
            address: request.addresses[lane],
        }));
    }

    /// Takes the accesses of these numbers, which lie in a row in memory, as one of so many bytes: the first.
    pub fn join(&mut self, accesses: &[usize], bytes: u64) {
        let (first, others) = accesses.split_first().expect("several are one");
        self.all.retain(|r| !others.contains(&(r.access as usize)));
        let of_first = self.all.iter_mut().filter(|r| r.access as usize == *first);
        of_first.for_each(|r| r.bytes = bytes as u32);
    }

    /// Test that there were too many.
    pub fn is_full(&self) -> bool {
        self.is_full
    }

    /// Accesses whose addresses, over all threads, leave no gaps: the others cannot be coalesced by any order (Algorithm 1).
    pub fn dense(&self, accesses: usize) -> Vec<bool> {
        let mut sorted: Vec<&Record> = self.all.iter().collect();
        sorted.sort_unstable_by_key(|r| (r.access, r.execution, r.address));
        let mut found = vec![true; accesses];
        for pair in sorted.windows(2) {
            let (a, b) = (pair[0], pair[1]);
            if (a.access, a.execution) == (b.access, b.execution) && b.address - a.address > u64::from(a.bytes) {
                found[a.access as usize] = false;
            }
        }
        found
    }

    /// Sectors under a geometry: `place` gives a thread its block and its number there.
    fn sectors(&self, place: impl Fn(&Record) -> (u64, u32)) -> u64 {
        let mut keyed: Vec<(u32, u32, u64, u32, u64, u32)> = self
            .all
            .iter()
            .map(|r| {
                let (block, thread) = place(r);
                (r.access, r.execution, block, thread / 32, r.address, r.bytes)
            })
            .collect();
        keyed.sort_unstable();
        let mut sectors = 0;
        let mut addresses = Vec::new();
        for request in keyed.chunk_by(|a, b| (a.0, a.1, a.2, a.3) == (b.0, b.1, b.2, b.3)) {
            addresses.clear();
            addresses.extend(request.iter().map(|r| r.4));
            sectors += touched(&mut addresses, u64::from(request[0].5)).0;
        }
        sectors
    }

    /// The geometry of the launch, priced, and others, those with the fewest sectors first; and how many more there would be.
    pub fn candidates(&self, launch: &Launch, may_reshape: bool) -> (u64, Vec<Candidate>, usize) {
        let now = self.sectors(|r| (r.block, r.thread));
        let (mut found, mut left_out) = (Vec::new(), 0);
        let mut shapes = vec![launch.block];
        if may_reshape {
            shapes.extend(reshaped(launch));
        }
        let orders = [[0, 1, 2], [1, 0, 2], [0, 2, 1], [2, 0, 1], [1, 2, 0], [2, 1, 0]];
        let all = shapes.iter().flat_map(|&shape| orders.iter().map(move |&order| (shape, order)));
        let mut seen: Vec<([u32; 3], [usize; 3])> = vec![(launch.block, [0, 1, 2])];
        for (shape, order) in all {
            let is_same = |&(other, kept): &([u32; 3], [usize; 3])| {
                other == shape && relevant(shape, order) == relevant(shape, kept)
            };
            if seen.iter().any(is_same) {
                continue;
            }
            seen.push((shape, order));
            if seen.len() * self.all.len() > MOST_PRICED {
                left_out += 1;
                continue;
            }
            let grid = regrid(launch, shape);
            let permuted = |extents: [u32; 3]| order.map(|axis| extents[axis]);
            let (block, new_grid) = (permuted(shape), permuted(grid));
            if block[2] > MOST_Z || u64::from(new_grid[1].max(new_grid[2])) > MOST_GRID {
                continue;
            }
            let is_reshaped = shape != launch.block;
            let sectors = self.sectors(|r| place(launch, shape, grid, order, r, is_reshaped));
            let order = order.iter().map(|&axis| ["x", "y", "z"][axis]).collect();
            found.push(Candidate { order, block, grid: new_grid, sectors, is_reshaped });
        }
        found.sort_by_key(|candidate| (candidate.sectors, candidate.is_reshaped));
        (now, found, left_out)
    }
}

/// The order of those dimensions that have more than one thread.
fn relevant(shape: [u32; 3], order: [usize; 3]) -> Vec<usize> {
    order.into_iter().filter(|&axis| shape[axis] > 1).collect()
}

/// Blocks of as many threads in other shapes, which divide the grid's threads as the launch's does.
fn reshaped(launch: &Launch) -> Vec<[u32; 3]> {
    let threads = launch.threads();
    let all = [0, 1, 2].map(|axis| u64::from(launch.block[axis]) * u64::from(launch.grid[axis]));
    let fits = |n: u32, axis: usize| all[axis].is_multiple_of(u64::from(n));
    let powers = || (0..=10).map(|k| 1u32 << k);
    let mut found = Vec::new();
    for x in powers().filter(|&x| threads.is_multiple_of(x) && fits(x, 0)) {
        for y in powers().filter(|&y| (threads / x).is_multiple_of(y) && fits(y, 1)) {
            let shape = [x, y, threads / x / y];
            if fits(shape[2], 2) && shape != launch.block {
                found.push(shape);
            }
        }
    }
    found
}

fn regrid(launch: &Launch, shape: [u32; 3]) -> [u32; 3] {
    [0, 1, 2].map(|axis| (u64::from(launch.block[axis]) * u64::from(launch.grid[axis]) / u64::from(shape[axis])) as u32)
}

/// The block and the number in it that a thread has under a shape and an order.
fn place(
    launch: &Launch,
    shape: [u32; 3],
    grid: [u32; 3],
    order: [usize; 3],
    r: &Record,
    is_reshaped: bool,
) -> (u64, u32) {
    let [x, y, _] = launch.block;
    let mut at = [r.thread % x, r.thread / x % y, r.thread / x / y];
    let mut block = r.block;
    if is_reshaped {
        let old = block_position(launch, r.block);
        let all = [0, 1, 2].map(|axis| u64::from(old[axis]) * u64::from(launch.block[axis]) + u64::from(at[axis]));
        let new = [0, 1, 2].map(|axis| all[axis] / u64::from(shape[axis]));
        at = [0, 1, 2].map(|axis| (all[axis] % u64::from(shape[axis])) as u32);
        block = (new[2] * u64::from(grid[1]) + new[1]) * u64::from(grid[0]) + new[0];
    }
    let [a, b, c] = order;
    (block, (at[c] * shape[b] + at[b]) * shape[a] + at[a])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ptx::run::watch::Does;

    /// Loads of `f(x, y)`, 4 bytes, by a block of threads.
    fn records(launch: &Launch, f: impl Fn(u32, u32) -> u64) -> Records {
        let mut records = Records::default();
        for warp in 0..launch.threads() / 32 {
            let thread = |lane: usize| warp * 32 + lane as u32;
            let addresses =
                std::array::from_fn(|lane| f(thread(lane) % launch.block[0], thread(lane) / launch.block[0]));
            records.add(&Request {
                access: 0,
                does: Does::Load,
                block: 0,
                warp,
                mask: u32::MAX,
                addresses: &addresses,
                executions: &[0; 32],
                bytes: 4,
            });
        }
        records
    }

    #[test]
    fn a_transposed_access_wants_the_other_order() {
        let launch = Launch { grid: [1, 1, 1], block: [16, 16, 1], shared: 0, arguments: Vec::new(), limit: 1 };
        let records = records(&launch, |x, y| u64::from(x * 1024 + y * 4));
        let (now, candidates, left_out) = records.candidates(&launch, false);
        assert_eq!(left_out, 0);
        assert_eq!(now, 8 * 16);
        assert_eq!(candidates.len(), 1);
        assert_eq!((candidates[0].order.as_str(), candidates[0].sectors), ("yxz", 8 * 4));
        assert!(!records.dense(1)[0]);
    }

    #[test]
    fn rows_want_wider_blocks() {
        let launch = Launch { grid: [4, 1, 1], block: [8, 32, 1], shared: 0, arguments: Vec::new(), limit: 1 };
        assert_eq!(regrid(&launch, [32, 8, 1]), [1, 4, 1]);
        assert!(reshaped(&launch).contains(&[32, 8, 1]));
        let r = Record { access: 0, execution: 0, block: 1, thread: 9, bytes: 4, address: 0 };
        // Thread (1, 1) of block 1 is (9, 1) of the grid.
        assert_eq!(place(&launch, [32, 8, 1], [1, 4, 1], [0, 1, 2], &r, true), (0, 41));
    }
}
