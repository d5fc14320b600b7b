//! Facts of the typed C alone: what statements assign, which values live behind a place, how a loop counts, which integers
//! are polynomials, which statements accumulate.
//!
//! [`normalize`](crate::normalize) asks them of forms, and [`region`](crate::region) of what may become one: both need the same
//! answers, and neither needs the other for them. Nothing here knows of regions. What a function tells as a whole is found
//! once ([`function`]); where a question has no answer, there is a [`Reason`], which the user reads.

pub mod allocation;
pub mod arrays;
pub mod callable;
pub mod changes;
pub mod definite_assignment;
pub mod effects;
pub mod elements;
pub mod function;
pub mod header;
pub mod liveness;
pub mod loops;
pub mod monomial;
pub mod pointer_calls;
pub mod prints;
pub mod reason;
pub mod reduction;
pub mod scratch;
pub mod standard;
pub mod symbolic;
pub mod wanted;
pub mod zeros;

pub(crate) use reason::remedy;
pub use reason::{Reason, Remedy};
