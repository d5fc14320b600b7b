//! The polyhedral view of a static control part: domains, accesses and order as isl objects; dependences; what is live
//! on entry and written.
//!
//! Where subscripts or loops have strides, flow dependences are all pairs, too: isl's optimum errs there at times. What
//! an iteration declares carries nothing to another, however much is said to be read of it. A part with more than some
//! thousands of dependences is declined.

use crate::diag::{Diagnostic, Stop};
use crate::facts::Reason;
use crate::isl;
use crate::source::Span;

pub mod budget;
pub mod dependence;
mod flow;
pub mod names;
pub mod order;
pub mod scop;

/// Operations that isl may spend on one region before its analysis is given up: some seconds.
pub const MAX_OPERATIONS: u64 = 40_000_000;

/// How an analysis fails: a limit that the user's code reached, or a fault of ours.
#[derive(Debug)]
pub enum Failure {
    /// Too hard within [`MAX_OPERATIONS`], or for isl at all: it has cases in which it stops with a fault of its own.
    TooHard,
    /// A shape that the user states is not that of the array: what is wrong, and the access that shows it.
    Contradiction(Box<(Diagnostic, Span)>),
    /// What the part says cannot be modelled as it stands, for no sizes at all.
    Declined(Box<Reason>),
    /// Everything else isl says no to.
    Bug(Stop),
}

impl From<isl::Error> for Failure {
    fn from(e: isl::Error) -> Self {
        match e.kind {
            isl::ErrorKind::Limit | isl::ErrorKind::Internal => Failure::TooHard,
            _ => Failure::Bug(e.into()),
        }
    }
}
