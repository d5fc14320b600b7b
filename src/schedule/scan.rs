//! Scans: loops in which each iteration takes over what those before it join to (prefix sums and the like).
//!
//! ```text
//! for (i) { s += a[i]; b[i] = s; }        by a scalar
//! for (i) b[i] = b[i - 1] + a[i];         by the element that the iteration before wrote
//! ```
//! [`find`](find::find) says which loops are scans, `kernels` what becomes of them.

pub mod find;
mod kernels;

pub use find::find;
