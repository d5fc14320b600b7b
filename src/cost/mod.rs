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
//! loop of the host runs ([`crossing`], by the tables of machines), which calls stay on the host and when a device begins ([`host`], from which
//! `templates/runtime/rt_costs.h` is written for `templates/runtime/rt_work.h`; what sizes alone decide stands in the user's C,
//! `src/emit/inline_text.rs`).
//!
//! Limits of the model: no cycle is simulated. Caches keep what fits in half of them between neighbouring iterations, and
//! begin empty; subscripts that only the data know are spread evenly over their array; instructions are counted as they stand in the kernel, after what the compiler surely does.

pub mod access;
mod assumption;
pub mod crossing;
pub mod enough;
pub mod estimate;
mod figures;
pub mod host;
pub mod machine;
mod registers;
mod sizes;
mod trace;
mod traffic;
mod value;
mod work;

pub use access::{AccessCost, Pattern};
pub use assumption::Assumption;
pub use crossing::{Crossing, Step};
pub use estimate::{Beside, Estimate, Part, estimate, picked};
pub use figures::{Known, known};
pub use machine::Device;
pub use sizes::Sizes;

#[cfg(test)]
mod tests;
