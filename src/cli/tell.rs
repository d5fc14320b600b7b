//! Remarks to a person while a command runs.

use rtcuda::diag::render::{self, Style};
use rtcuda::diag::{Diagnostic, Severity};
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

/// Diagnostics of a conversion, for a person: what has no effect, and in a line how much runs on the host, or all of it.
pub fn say_of_conversion(diagnostics: &[Diagnostic], is_all: bool) {
    if is_all {
        return say_all(diagnostics);
    }
    let (declined, others): (Vec<Diagnostic>, _) =
        diagnostics.iter().cloned().partition(|d| d.severity == Severity::Declined);
    say_all(&others);
    let what = match declined.len() {
        0 => return,
        1 => "1 loop or statement runs".to_owned(),
        n => format!("{n} loops and statements run"),
    };
    say(&format!("{what} on the host, unchanged: `rtcuda explain` says why, `rtcuda profile` how much that is\n"));
}

/// How the standard output looks.
pub fn style() -> Style {
    Style::of(&io::stdout())
}

/// Tells a person how far a command is.
#[derive(Clone, Copy)]
pub struct Progress {
    shown: Shown,
}

/// Ways in which a line is shown.
#[derive(Clone, Copy, PartialEq)]
enum Shown {
    Not,
    /// The next one replaces it.
    InPlace,
    EachOnItsOwn,
}

impl Progress {
    /// Nothing where there is no terminal, or the answer is for a machine.
    pub fn new(json: bool) -> Progress {
        Progress { shown: if !json && io::stderr().is_terminal() { Shown::InPlace } else { Shown::Not } }
    }

    /// Lines one below the other, where that is wished for.
    pub fn in_lines(self, is_wished: bool) -> Progress {
        if is_wished { Progress { shown: Shown::EachOnItsOwn } } else { self }
    }

    /// A line that the next one replaces.
    pub fn line(self, line: &str) {
        match self.shown {
            Shown::InPlace => say(&format!("\r\u{1b}[K{line}")),
            Shown::EachOnItsOwn if !line.is_empty() => say(&format!("{line}\n")),
            _ => (),
        }
    }
}
