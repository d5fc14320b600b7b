//! The commands, one function each: from arguments to the text that is printed and the exit status.

mod api;
pub mod args;
mod bench;
mod cc;
mod convert;
mod device;
mod matrix;
mod run;
pub mod solve;
mod verify;

use args::{Command, Input};
use rtcuda::diag::render::{self, Style};
use rtcuda::diag::{Diagnostic, Stop};
use rtcuda::pipeline::ConvertOptions;
use rtcuda::runtime::programs::Program;
use std::io::{self, IsTerminal, Write};

/// What a command that came to an answer prints, and its exit status.
pub struct Done {
    /// For the standard output.
    pub text: String,
    /// 0, or 1 where the answer is no.
    pub status: u8,
}

impl Done {
    fn well(text: String) -> Result<Done, Fault> {
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

/// Runs a command.
pub fn run(command: Command) -> Result<Done, Fault> {
    match command {
        Command::Convert(arguments) => convert::convert(&arguments),
        Command::Explain(arguments) => convert::explain(&arguments),
        Command::Verify(arguments) => verify::verify(&arguments),
        Command::Run(arguments) => run::run(&arguments),
        Command::Cc { words } => cc::cc(&words),
        Command::Api(arguments) => api::api(&arguments),
        Command::Solve(arguments) => solve::solve(&arguments),
        Command::Matrix(command) => matrix::matrix(&command),
        Command::Bench(arguments) => bench::bench(&arguments),
        Command::Device { json } => device::device(json),
    }
}

/// Writes to the standard error stream; where that is closed, nobody wants to hear it.
pub fn say(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// The program that the arguments name, with the flags of the command line after its own.
fn program(input: &Input) -> Result<(Program, ConvertOptions), Fault> {
    let program = Program::new(&input.files, input.config.as_deref())?;
    if let (None, Some(found)) = (&input.config, &program.config_file) {
        say(&format!("configuration: {}\n", found.display()));
    }
    let options = ConvertOptions {
        cflags: [program.config.input.cflags.clone(), input.cflags.clone()].concat(),
        config: program.config.clone(),
        ..ConvertOptions::default()
    };
    Ok((program, options))
}

/// Diagnostics, for a person.
fn say_all(diagnostics: &[Diagnostic]) {
    let style = Style::of(&io::stderr());
    diagnostics.iter().for_each(|diagnostic| say(&(render::text(diagnostic, style) + "\n")));
}

/// How the standard output looks.
fn style() -> Style {
    Style::of(&io::stdout())
}

/// Tells a person how far a command is.
#[derive(Clone, Copy)]
struct Progress {
    is_shown: bool,
}

impl Progress {
    /// Nothing where there is no terminal, or the answer is for a machine.
    fn new(json: bool) -> Progress {
        Progress { is_shown: !json && io::stderr().is_terminal() }
    }

    /// A line that the next one replaces.
    fn line(self, line: &str) {
        if self.is_shown {
            say(&format!("\r\u{1b}[K{line}"));
        }
    }
}
