//! The command line: reads arguments, calls the library, prints, and ends with the status that scripts rely on.

mod cli;

use clap::Parser;
use cli::Fault;
use cli::args::Arguments;
use rtcuda::diag::render::{self, Style};
use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

/// The input or the command is at fault.
const INPUT: u8 = 2;
/// This tool is at fault.
const BUG: u8 = 3;

fn main() -> ExitCode {
    let arguments = Arguments::parse_from(command_line());
    let is_json = arguments.command.is_json();
    // A panic has already been reported by its hook.
    let result = std::panic::catch_unwind(|| cli::run(arguments.command))
        .unwrap_or_else(|_| Err(Fault::Bug("a part of it panicked, as said above".into())));
    let status = match result {
        Ok(done) => print(&done.text).map_or(BUG, |()| done.status),
        Err(fault) => report(&fault, is_json),
    };
    ExitCode::from(status)
}

/// The command line. What follows `cc` is another program's to the letter, its `--` and `--help` too.
fn command_line() -> Vec<OsString> {
    let mut words: Vec<OsString> = std::env::args_os().collect();
    if words.get(1).is_some_and(|word| word == "cc") {
        words.insert(2, "--".into());
    }
    words
}

fn report(fault: &Fault, is_json: bool) -> u8 {
    let (status, json) = match fault {
        Fault::Input(diagnostics) => (INPUT, serde_json::json!({ "diagnostics": diagnostics })),
        Fault::Bug(what) => (BUG, serde_json::json!({ "bug": what })),
    };
    if is_json {
        return print(&format!("{json:#}\n")).map_or(BUG, |()| status);
    }
    match fault {
        Fault::Input(diagnostics) => {
            let style = Style::of(&io::stderr());
            diagnostics.iter().for_each(|diagnostic| cli::say(&render::text(diagnostic, style)));
        }
        Fault::Bug(what) => cli::say(&format!(
            "rtcuda {}: this is a fault of rtcuda, not of your program: {what}\n",
            env!("CARGO_PKG_VERSION")
        )),
    }
    status
}

/// Writes to the standard output. A reader that has seen enough (`| head`) is no fault.
fn print(text: &str) -> Option<()> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => Some(()),
        Err(e) if e.kind() == io::ErrorKind::BrokenPipe => Some(()),
        Err(e) => {
            cli::say(&format!("rtcuda: the output cannot be written: {e}\n"));
            None
        }
    }
}
