//! Faults of a PTX text, and their places.

use crate::diag::{Diagnostic, Place};

/// A fault of the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadError {
    /// Line, from 1.
    pub line: u32,
    pub message: String,
    /// Remedy, if not the usual one.
    pub help: Option<String>,
}

impl ReadError {
    /// A fault on a line.
    pub fn new(line: u32, message: impl Into<String>) -> ReadError {
        ReadError { line, message: message.into(), help: None }
    }

    /// The fault, with what can be done about it.
    pub fn with_help(line: u32, message: impl Into<String>, help: impl Into<String>) -> ReadError {
        ReadError { line, message: message.into(), help: Some(help.into()) }
    }

    /// The fault as a user sees it.
    pub fn told(self, file: &str, text: &str) -> Diagnostic {
        let help = self.help.unwrap_or_else(|| {
            "PTX as nvcc writes it (`nvcc -ptx -lineinfo`) is read; `ptxas` tells whether the text is right".into()
        });
        Diagnostic::error("ptx-syntax", self.message, Some(place(file, text, self.line))).help(help)
    }
}

/// A whole line of a text as a place.
pub fn place(file: &str, text: &str, line: u32) -> Place {
    let whole = text.lines().nth(line.saturating_sub(1) as usize).unwrap_or_default();
    let indent = whole.chars().take_while(|c| c.is_whitespace()).count();
    let length = whole.trim().chars().count().max(1);
    Place { file: file.into(), line, column: indent as u32 + 1, length: length as u32, text: whole.into() }
}
