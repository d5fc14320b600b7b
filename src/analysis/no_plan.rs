//! Why a candidate has no plan.

use crate::diag::{Diagnostic, Stop};
use crate::facts::Reason;
use crate::poly::Failure;
use crate::source::Span;

/// Why a candidate has no plan.
pub enum NoPlan {
    /// It stays on the host.
    Declined(Reason),
    /// The user states what is not so: the error, and the code that shows it.
    Contradiction(Box<(Diagnostic, Span)>),
    /// The user asks for what cannot be.
    Refused(Reason),
    Stop(Stop),
}

impl From<Failure> for NoPlan {
    fn from(f: Failure) -> Self {
        match f {
            Failure::TooHard => {
                let message = "the dependences of this region are too hard to compute exactly";
                NoPlan::Declined(Reason::new("too-hard", message, Span::default()))
            }
            Failure::Contradiction(what) => NoPlan::Contradiction(what),
            Failure::Declined(reason) => NoPlan::Declined(*reason),
            Failure::Bug(stop) => NoPlan::Stop(stop),
        }
    }
}

impl From<Reason> for NoPlan {
    fn from(r: Reason) -> Self {
        NoPlan::Declined(r)
    }
}
