//! Which format a matrix-vector product should have.
//!
//! Products of large sparse matrices wait for memory: what a format costs is what it moves, divided by how near to the
//! copy rate its kernel comes, at least as long as its longest thread takes, and never less than a launch. For the 7-point Laplacian, double
//! precision, on an H200 (n = 2.1M and 16.8M) sliced ELL was measured at the copy rate, 53 and 386 us; CSR with products
//! staged through shared memory took 68 and 473 us, one thread a row 69 and 497 us, the library 89 and 641 us. The
//! shares below are those figures, and where there are none, estimates that say so.

use super::facts::{Facts, Lengths};
use super::format::{Footprint, Format};
use serde::Serialize;

/// Of the copy rate, what a format's kernel comes to.
fn share_of_copy_rate(format: Format) -> f64 {
    match format {
        // Measured, as said above.
        Format::SlicedEll { window: 1, .. } => 1.0,
        Format::Csr => 0.86,
        // Estimated: results leave out of order, a block has a short loop of its own, sums need atomic updates.
        Format::SlicedEll { .. } => 0.95,
        Format::Bsr { .. } => 0.86,
        Format::Coo => 0.6,
        Format::Csc => 0.4,
    }
}

/// The time that a launch takes whatever it does, as the bytes copied meanwhile: 2.7 us, by which sliced ELL of n = 262K
/// was measured above its bytes at the copy rate (8.8 us).
const BYTES_OF_LAUNCH: f64 = 11.6e6;

/// Estimated: the time in which a thread gets from an entry of its row to the next, some 100 ns, as the bytes that are
/// copied meanwhile. It waits for the column and then for the vector, with a few entries under way at a time.
const BYTES_PER_STEP: f64 = 0.43e6;

/// CSR is what everything else works with: another format must be better by this much.
const WORTH_IT: f64 = 0.98;

/// The most entries that one thread takes one after the other. In sliced ELL it has a whole row; in the other formats
/// the lanes of a warp share a long one.
fn steps(format: Format, longest: usize) -> f64 {
    const SHARED_FROM: usize = 16;
    match format {
        Format::SlicedEll { .. } => longest as f64,
        _ => longest.min(SHARED_FROM + longest / 32) as f64,
    }
}

/// A format, and what it would cost.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Candidate {
    /// The format and its memory.
    #[serde(flatten)]
    pub footprint: Footprint,
    /// The time of a product as the bytes that are copied in that time.
    pub cost: f64,
}

/// The choice.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Choice {
    /// The format that is best.
    pub format: Format,
    /// Why, in one sentence without a full stop.
    pub why: String,
    /// All formats, in the order of their footprints.
    pub candidates: Vec<Candidate>,
}

/// Chooses among the footprints of a matrix. `value_bytes` is the size of one value.
pub fn choose(facts: &Facts, footprints: &[Footprint], value_bytes: usize) -> Choice {
    let vectors = (value_bytes * (facts.rows + facts.cols)) as f64;
    let candidates: Vec<Candidate> = footprints
        .iter()
        .map(|&footprint| {
            let moved = (footprint.bytes as f64 + vectors) / share_of_copy_rate(footprint.format);
            let longest = steps(footprint.format, facts.row_lengths.most) * BYTES_PER_STEP;
            Candidate { footprint, cost: BYTES_OF_LAUNCH + moved.max(longest) }
        })
        .collect();
    let csr = candidates.iter().find(|one| one.footprint.format == Format::Csr);
    let best = candidates.iter().filter(|one| csr.is_none_or(|csr| one.cost < csr.cost * WORTH_IT));
    let best = best.min_by(|a, b| a.cost.total_cmp(&b.cost)).or(csr);
    let format = best.map_or(Format::Csr, |best| best.footprint.format);
    let n_stored = best.map_or(0, |best| best.footprint.n_stored);
    let is_small = best.is_some_and(|best| best.cost < 2.0 * BYTES_OF_LAUNCH);
    Choice { format, why: why(format, facts, n_stored, is_small), candidates }
}

fn why(format: Format, facts: &Facts, n_stored: u64, is_small: bool) -> String {
    let Lengths { most, mean, .. } = facts.row_lengths;
    let padding = 100.0 * (n_stored as f64 / facts.nnz.max(1) as f64 - 1.0);
    match format {
        Format::SlicedEll { window: 1, .. } => format!(
            "rows are even (mean {mean:.1}, at most {most} entries): padding adds {padding:.1} %, and neighbouring threads read neighbouring values"
        ),
        Format::SlicedEll { window, .. } => format!(
            "rows differ (mean {mean:.1}, at most {most} entries), and sorted by length in windows of {window} they pad only {padding:.1} %"
        ),
        Format::Bsr { block } => format!(
            "the entries lie in dense blocks of {block} x {block}: {padding:.1} % of padding, and one index for {} values",
            block * block
        ),
        Format::Coo => {
            format!("most rows are empty (mean {mean:.2} entries): where rows start would take more than the entries")
        }
        Format::Csr if is_small => {
            "a product takes hardly longer than its launch, and no other format would gain on that".into()
        }
        Format::Csr | Format::Csc => {
            format!(
                "rows are uneven (mean {mean:.1}, at most {most} entries): padding them, or one thread for the longest, costs more"
            )
        }
    }
}
