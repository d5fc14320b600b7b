//! Faults of a kernel's text, with their places: tokens and rules report the same way.

use std::fmt::{self, Display, Formatter};

/// Fault of a text, and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseError {
    /// From 1.
    pub line: u32,
    /// In characters, from 1.
    pub column: u32,
    pub message: String,
}

impl Display for ParseError {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for ParseError {}
