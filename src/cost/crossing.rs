//! Waits between the phases of a computation, which decide how a loop of the host around kernels runs, and how long a
//! thread may run in order before a launch more would have been better.

use crate::target::MAX_BLOCK;

/// Nanoseconds that pass, beside the work itself, from one phase of a computation to the next that waits for all of it:
/// measured on an H200 with CUDA 13.0. Other machines differ by less than the ways do.
pub struct Crossing;

impl Crossing {
    /// A kernel launch, back to back on one stream.
    pub const LAUNCH: i64 = 3100;
    /// A barrier among the blocks of a resident kernel.
    pub const GRID_BARRIER: i64 = 990;
    /// Time that each thread of a full block takes to load, compute and store one element, and to wait for the block.
    pub const BLOCK_PASS: i64 = 250;
    /// A kernel of a graph that is replayed.
    pub const GRAPH_NODE: i64 = 930;
    /// Elements up to which a kernel with barriers of its own, a thread for each element, is at least as quick as one made of it: that
    /// one, too, waits at each barrier, and has positions to compute behind it. (Between 65,536 and 131,072 on an H200.)
    pub const OWN_THREADS: i64 = 98_304;
    /// Threads of which no device holds more at once.
    pub const MOST_THREADS: i64 = 1 << 19;

    /// The most elements in a phase that one block goes through sooner than many blocks could wait for each other.
    pub const fn one_block_work() -> i64 {
        Self::GRID_BARRIER / Self::BLOCK_PASS * MAX_BLOCK as i64 + MAX_BLOCK as i64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_block_goes_through_as_many_passes_as_a_barrier_takes() {
        assert_eq!(Crossing::one_block_work(), 4 * 1024);
        let passes = Crossing::one_block_work() / i64::from(MAX_BLOCK);
        assert!((passes - 1) * Crossing::BLOCK_PASS <= Crossing::GRID_BARRIER);
        assert!(Crossing::GRID_BARRIER < passes * Crossing::BLOCK_PASS);
    }
}
