//! Outcome of a command.

use rtcuda::diag::{Diagnostic, Stop};

/// Output of a command that came to an answer, and its exit status.
pub struct Done {
    /// For the standard output.
    pub text: String,
    /// 0, or 1 where the answer is no.
    pub status: u8,
}

impl Done {
    /// A positive answer.
    pub fn well(text: String) -> Result<Done, Fault> {
        Ok(Done { text, status: 0 })
    }
}

/// Why a command came to none.
pub enum Fault {
    /// The input or the command is at fault.
    Input(Vec<Diagnostic>),
    /// This tool is.
    Bug(String),
}

impl From<Stop> for Fault {
    fn from(stop: Stop) -> Fault {
        match stop {
            Stop::Input(diagnostic) => Fault::Input(vec![*diagnostic]),
            Stop::Bug(what) => Fault::Bug(what),
        }
    }
}

impl From<Vec<Diagnostic>> for Fault {
    fn from(diagnostics: Vec<Diagnostic>) -> Fault {
        Fault::Input(diagnostics)
    }
}

impl From<Diagnostic> for Fault {
    fn from(diagnostic: Diagnostic) -> Fault {
        Fault::Input(vec![diagnostic])
    }
}
