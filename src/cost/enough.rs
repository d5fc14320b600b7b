//! Sizes from which on something pays, computed from a device's figures: threads that fill it, points that are more than
//! launches, iterations that one thread runs sooner than kernels begin.
//!
//! They stand in the conditions of emitted launches, and tell magnitudes: each is the nearest power of two. They are
//! those of an H100, whatever `arch` says, so that the same program gives the same kernels.

use super::crossing::Crossing;
use super::machine::Device;
use crate::target::machine;

/// Bytes of a usual element, and loads that a thread has under way without an effort: an unrolled loop's.
const ELEMENT: f64 = 4.0;
const UNDER_WAY: f64 = 4.0;
/// Cycles of an iteration of a loop in pieces that nothing hides: its loads, and two barriers for each piece. (512 iterations of a loop
/// over rows of 2 bytes take 23 us on an H200 with up to 4,096 threads, a launch among them.)
const WAIT_OF_PIECES: f64 = 67.0;
/// A few launches: less work than theirs is no matter, however it is shared out.
const A_FEW: f64 = 4.0;
/// Kernels of a scan.
const OF_SCAN: i64 = 2;
/// Blocks of a histogram for each processor, which hide each other's waiting.
const OF_HISTOGRAM: i64 = 3;

/// The device whose figures are taken.
fn device() -> Device {
    Device::of(&machine(90).expect("a described machine"))
}

/// The power of two that is nearest by ratio.
fn rounded(n: f64) -> i64 {
    1 << n.max(1.0).log2().round() as u32
}

/// Threads that a device holds at once: so many elements fill it, a thread each.
pub fn threads_that_fill() -> i64 {
    let d = device();
    rounded(f64::from(d.sms) * f64::from(d.machine.threads()))
}

/// Processors of a device: fewer blocks leave some without work.
pub fn processors() -> i64 {
    i64::from(device().sms)
}

/// Threads whose loads together keep its memory busy: bytes under way are rate times latency (Little's law).
pub fn threads_that_load() -> i64 {
    let d = device();
    rounded(d.copy_rate * d.memory_latency / d.clock / (UNDER_WAY * ELEMENT))
}

/// Threads that wait for pieces of a loop longer than L1 takes to load each thread's own row, a pass for each in each iteration.
pub fn threads_that_wait() -> i64 {
    let d = device();
    rounded(f64::from(d.sms) * WAIT_OF_PIECES)
}

/// Points, an element read and one written each, that memory moves in the time of a few launches.
pub fn points_of_launches() -> i64 {
    rounded(A_FEW * Crossing::launch() as f64 * 1e-9 * device().copy_rate / (2.0 * ELEMENT))
}

/// Iterations that one thread runs in so many nanoseconds, operands in the L2 cache.
fn iterations_of_thread(ns: i64) -> i64 {
    let d = device();
    rounded(ns as f64 * 1e-9 * d.clock / (d.l2_latency / UNDER_WAY))
}

/// Iterations that one thread runs in the time of a launch.
pub fn iterations_of_launch() -> i64 {
    iterations_of_thread(Crossing::launch())
}

/// Iterations that one thread runs in the time in which the kernels of a scan begin.
pub fn iterations_of_scan() -> i64 {
    iterations_of_thread(OF_SCAN * Crossing::launch())
}

/// Most blocks of a histogram.
pub fn blocks_of_histogram() -> i64 {
    OF_HISTOGRAM * i64::from(device().sms)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_fill_an_h100_and_fewer_keep_its_memory_busy() {
        assert_eq!(threads_that_fill(), 1 << 18);
        assert_eq!(threads_that_load(), 1 << 16);
        assert_eq!(threads_that_wait(), 1 << 13);
    }

    #[test]
    fn launches_are_worth_points_and_iterations() {
        assert_eq!(points_of_launches(), 1 << 22);
        assert_eq!((iterations_of_launch(), iterations_of_scan()), (64, 128));
    }

    #[test]
    fn histograms_have_three_blocks_a_processor() {
        assert_eq!(blocks_of_histogram(), 396);
    }

    #[test]
    fn powers_are_nearest_by_ratio() {
        assert_eq!([0.0, 1.0, 1.4, 1.5, 5.0, 6.0].map(rounded), [1, 1, 1, 2, 4, 8]);
    }
}
