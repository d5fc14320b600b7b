//! What the tool says: places in the user's text, diagnostics, and the two ways a stage can stop.
//!
//! A [`Diagnostic`] is data; rendering (a caret on a terminal, JSON for a machine) happens once, at the
//! command line, in [`render`].

use crate::isl;
use serde::Serialize;

pub mod render;

/// A place in a file the user wrote: what a person can open and look at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Place {
    /// The file as the user would name it (as given on the command line, or by a line marker).
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
    /// How many characters the caret underlines, at least 1.
    pub length: u32,
    /// The text of that line, without its end.
    pub text: String,
}

/// How grave a diagnostic is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The input or the command is at fault: nothing was converted.
    Error,
    /// A region or loop stays as it was on the host; the program is still correct.
    Declined,
    /// Converted, but the user should know something.
    Warning,
}

/// One thing said to the user: what, where, why, what to do.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Diagnostic {
    /// How grave it is.
    pub severity: Severity,
    /// A stable short name for machines, in kebab case: `not-affine`, `unknown-key`.
    pub code: &'static str,
    /// What happened, in one sentence without a full stop.
    pub message: String,
    /// Where, if it has a place.
    pub place: Option<Place>,
    /// Further places, each with what is to be seen there (the other access of a conflict, ...).
    pub notes: Vec<(Option<Place>, String)>,
    /// What the user can do about it.
    pub help: Option<String>,
}

impl Diagnostic {
    /// A diagnostic without notes or help.
    pub fn new(severity: Severity, code: &'static str, message: impl Into<String>, place: Option<Place>) -> Self {
        Diagnostic { severity, code, message: message.into(), place, notes: Vec::new(), help: None }
    }

    /// An error of the input.
    pub fn error(code: &'static str, message: impl Into<String>, place: Option<Place>) -> Self {
        Self::new(Severity::Error, code, message, place)
    }

    /// Something that stays on the host.
    pub fn declined(code: &'static str, message: impl Into<String>, place: Option<Place>) -> Self {
        Self::new(Severity::Declined, code, message, place)
    }

    /// Adds a note, with or without a place of its own.
    pub fn note(mut self, place: Option<Place>, text: impl Into<String>) -> Self {
        self.notes.push((place, text.into()));
        self
    }

    /// Adds what the user can do.
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help = Some(text.into());
        self
    }
}

/// A temporary folder that cannot be made or written to: what `TMPDIR` names is missing, full, or not the user's.
pub fn no_temporary_folder(e: &std::io::Error) -> Diagnostic {
    let folder = std::env::temp_dir();
    let message = format!("no temporary folder can be made in {}: {e}", folder.display());
    Diagnostic::error("no-temporary-folder", message, None)
        .help("set TMPDIR to a folder that is there, has room and may be written to")
}

/// Why a command stops.
#[derive(Debug)]
pub enum Stop {
    /// The user's input or command is at fault (exit status 2).
    Input(Box<Diagnostic>),
    /// A fault of this tool (exit status 3): what broke, and in which pass.
    Bug(String),
}

impl From<Diagnostic> for Stop {
    fn from(d: Diagnostic) -> Self {
        Stop::Input(Box::new(d))
    }
}

/// An error of isl that reaches the end of a pass is a fault of this tool: what the user's code may cause is handled where it
/// arises.
impl From<isl::Error> for Stop {
    fn from(e: isl::Error) -> Self {
        Stop::Bug(e.to_string())
    }
}

/// The candidate that a user may have meant, if one is near enough.
pub fn nearest<'c>(written: &str, candidates: &[&'c str]) -> Option<&'c str> {
    let written = written.to_lowercase();
    candidates
        .iter()
        .map(|candidate| (strsim::damerau_levenshtein(&written, candidate), *candidate))
        .min_by_key(|&(distance, _)| distance)
        .filter(|&(distance, candidate)| distance <= candidate.len().saturating_sub(1) / 3)
        .map(|(_, candidate)| candidate)
}
