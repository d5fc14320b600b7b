//! Remarks to a person while a command runs.

use rtcuda::diag::Diagnostic;
use rtcuda::diag::render::{self, Style};
use std::io::{self, IsTerminal, Write};

/// Writes to the standard error stream; where that is closed, nobody wants to hear it.
pub fn say(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// Diagnostics, for a person.
pub fn say_all(diagnostics: &[Diagnostic]) {
    let style = Style::of(&io::stderr());
    diagnostics.iter().for_each(|diagnostic| say(&(render::text(diagnostic, style) + "\n")));
}

/// How the standard output looks.
pub fn style() -> Style {
    Style::of(&io::stdout())
}

/// Tells a person how far a command is.
#[derive(Clone, Copy)]
pub struct Progress {
    is_shown: bool,
}

impl Progress {
    /// Nothing where there is no terminal, or the answer is for a machine.
    pub fn new(json: bool) -> Progress {
        Progress { is_shown: !json && io::stderr().is_terminal() }
    }

    /// A line that the next one replaces.
    pub fn line(self, line: &str) {
        if self.is_shown {
            say(&format!("\r\u{1b}[K{line}"));
        }
    }
}
