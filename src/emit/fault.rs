//! Faults of emission: whatever it cannot spell, a stage before should not have given it.

use crate::diag::Stop;

/// A broken contract of the stages before.
pub fn bug(what: impl std::fmt::Display) -> Stop {
    Stop::Bug(format!("emit: {what}"))
}
