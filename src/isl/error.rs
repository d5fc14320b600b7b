//! Errors of isl, by kind and in its own words.

use std::fmt;

/// Result of an isl call.
pub type Result<T> = std::result::Result<T, Error>;

/// Reasons for which an isl call fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// The limit of [`Ctx::set_limit`](super::Ctx::set_limit) was hit: the problem is too hard, not wrong.
    Limit,
    /// Arguments that do not fit each other, or text that does not parse.
    Invalid,
    /// Something isl does not do.
    Unsupported,
    /// No memory.
    Memory,
    /// A fault inside isl.
    Internal,
    /// isl says no more.
    Unknown,
}

/// A failed isl call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    /// Sort of failure.
    pub kind: ErrorKind,
    /// isl's own words.
    pub message: String,
}

impl Error {
    /// Arguments refused before isl saw them.
    pub(super) fn invalid(message: &str) -> Self {
        Error { kind: ErrorKind::Invalid, message: message.into() }
    }

    /// Test that the limit on operations was hit.
    pub fn is_limit(&self) -> bool {
        self.kind == ErrorKind::Limit
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "isl: {}", self.message)
    }
}

impl std::error::Error for Error {}
