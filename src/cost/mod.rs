//! How long a launch of a kernel takes on a device: one model, from the kernel's text and the sizes.
//!
//! ```text
//! kernel, sizes ─ trace: sampled warps follow the text ─┬─ access: sectors a request, bank conflicts ─┬─ Estimate
//! device ───────── machine: rates and latencies          ├─ traffic: bytes from L2 and from memory ────┤  the slowest part
//!                                                         └─ work: instructions a pipe, waits ──────────┘  and the launch
//! ```
//! An estimate is `launch + max(parts)`: each [`Part`] is the time that the launch would take if nothing else took any,
//! so that the greatest says what limits. What had to be assumed is named ([`Assumption`]). The same input gives the same
//! estimate.
//!
//! `rtcuda bench --model` holds estimates against a GPU, and the report tells which accesses move more than they use. Estimates
//! guide the tuner, and decide nothing else yet; the model's figures do: sizes from which on a variant pays ([`enough`]), how a
//! loop of the host runs ([`crossing`]), which calls stay on the host and when a device begins ([`host`], from which
//! `templates/runtime/rt_costs.h` is written for `templates/runtime/rt_work.h`; what sizes alone decide stands in the user's C,
//! `src/emit/inline_text.rs`).
//!
//! Limits of the model: no cycle is simulated. Caches keep what fits in half of them between neighbouring iterations, and
//! begin empty; instructions are counted as they stand in the kernel, after what the compiler surely does.

use std::collections::BTreeMap;

pub mod access;
pub mod crossing;
pub mod enough;
pub mod estimate;
pub mod host;
pub mod machine;
mod registers;
mod trace;
mod traffic;
mod value;
mod work;

pub use access::{AccessCost, Pattern};
pub use crossing::Crossing;
pub use estimate::{Estimate, Part, estimate, picked};
pub use machine::Device;

#[cfg(test)]
mod tests;

/// The numbers that a kernel is called with.
#[derive(Debug, Clone, Default)]
pub struct Sizes {
    /// Its integers, by name.
    pub scalars: BTreeMap<String, i64>,
    /// Elements of arrays, by name, where subscripts do not tell how many there are.
    pub elements: BTreeMap<String, i64>,
    /// Iterations of a loop that only the data know.
    pub trips: Option<f64>,
}

impl Sizes {
    /// Value of a size that is not known.
    pub const UNKNOWN: i64 = 1024;
    /// The greatest size, and the most iterations of a loop: what is beyond it counts as much.
    pub const MOST: i64 = 1 << 40;
    /// How often a loop is assumed to run that only the data know: a row of a sparse matrix.
    pub const TRIPS: f64 = 8.0;

    /// These integers.
    pub fn of<'a>(scalars: impl IntoIterator<Item = (&'a str, i64)>) -> Sizes {
        let scalars = scalars.into_iter().map(|(name, n)| (name.to_string(), n)).collect();
        Sizes { scalars, ..Sizes::default() }
    }
}

/// Assumptions that an estimate had to make.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Assumption {
    /// A size is not known: 1024.
    Size,
    /// How often a loop runs only the data know.
    Trips,
    /// Where an access lies only the data know: spread evenly.
    Address,
    /// A condition that only the data know: half of the threads, of comparisons for equality a tenth.
    Condition,
    /// A loop may end early: it does not.
    Exit,
    /// A branch that no sampled warp takes: one thread of the launch does.
    Unreached,
    /// Registers are counted from the text; more than a thread can have would be spilled.
    Spills,
}
