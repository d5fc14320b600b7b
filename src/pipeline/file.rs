//! State of a C file: what is known of it, and the search for candidates in it.

use super::runner::Level;
use crate::ast::Unit;
use crate::diag::Stop;
use crate::normalize::NormalForms;
use crate::region::candidates::Found;
use crate::region::hints::Hints;
use crate::source::{Source, Span};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// The level of one C file.
pub struct FileLevel;

impl Level for FileLevel {
    type State<'s> = FileState;
    type Error = Stop;
}

/// Everything known of a C file. Each part is empty until its pass ran.
#[derive(Debug, Default)]
pub struct FileState {
    pub path: PathBuf,
    pub source: Source,
    /// Loops that are to run in parts, by their first bytes in the preprocessed text.
    pub in_parts: BTreeSet<u32>,
    pub unit: Unit,
    pub hints: Hints,
    pub forms: NormalForms,
}

impl FileState {
    /// The C line of a place.
    pub fn line(&self, span: Span) -> u32 {
        self.source.line(span)
    }

    /// The C file that a place is in: this one, or one that it includes.
    pub fn name(&self, span: Span) -> &str {
        let origin = self.source.line_map.origin(span.lo);
        let is_users = span.lo < self.source.own_end();
        match origin.users {
            Some(line) => self.source.joined.origin(line).0,
            None if is_users => self.source.path.as_str(),
            None => origin.file,
        }
    }
}

/// The level of the search for candidates in a file.
pub struct SearchLevel;

impl Level for SearchLevel {
    type State<'s> = SearchState<'s>;
    type Error = Stop;
}

/// A file, and the candidates that were found in it.
pub struct SearchState<'a> {
    pub file: &'a FileState,
    pub found: Found<'a>,
}
