//! A call of a compiler: an argument vector, never a shell's line; quiet, and its words kept for where it refuses.

use crate::diag::{Diagnostic, Stop};
use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Stdio};

/// A call under construction.
pub struct Call {
    command: Command,
    name: String,
}

/// Why a call failed.
pub enum Failure {
    /// It could not be started.
    Start(Stop),
    /// It refused its input, with these words.
    Refused(String),
}

impl Call {
    /// A call of a command: a program and its first arguments.
    pub fn new<S: AsRef<OsStr>>(command: &[S]) -> Call {
        let name = command[0].as_ref().display().to_string();
        let mut call = Call { command: Command::new(&command[0]), name };
        call.args(&command[1..]);
        call
    }

    /// Adds arguments.
    pub fn args<S: AsRef<OsStr>>(&mut self, args: impl IntoIterator<Item = S>) -> &mut Self {
        self.command.args(args);
        self
    }

    /// Runs it in a folder.
    pub fn folder(&mut self, folder: &Path) -> &mut Self {
        self.command.current_dir(folder);
        self
    }

    /// Runs it.
    ///
    /// # Errors
    /// See [`Failure`].
    pub fn run(&mut self) -> Result<(), Failure> {
        self.words().map(drop)
    }

    /// Runs it, and gives what it said.
    ///
    /// # Errors
    /// See [`Failure`].
    pub fn words(&mut self) -> Result<String, Failure> {
        let output = self.command.stdin(Stdio::null()).output().map_err(|e| {
            let message = format!("the compiler {} cannot be started: {e}", self.name);
            Failure::Start(Diagnostic::error("compiler-start", message, None).help("`rtcuda device` checks it").into())
        })?;
        let words = [output.stderr, output.stdout].concat();
        let words = String::from_utf8_lossy(&words).trim_end().to_owned();
        if output.status.success() { Ok(words) } else { Err(Failure::Refused(words)) }
    }
}
