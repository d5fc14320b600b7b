//! Arguments of the programs that commands run, and the time that these may take.

use clap::Args;
use rtcuda::config::Given;
use rtcuda::diag::Diagnostic;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// Input that programs are run with.
#[derive(Args)]
pub struct GivenArguments {
    /// An argument of the program; may stand several times, and replaces those of the configuration
    #[arg(long = "arg", value_name = "ARG", allow_hyphen_values = true)]
    pub args: Vec<OsString>,
    /// A file that the program reads as its standard input
    #[arg(long, value_name = "FILE")]
    pub stdin: Option<PathBuf>,
}

impl GivenArguments {
    /// As what a program is run with.
    pub fn given(&self) -> Given {
        Given { args: self.args.clone(), stdin: self.stdin.clone() }
    }
}

/// Refuses what stands among the C files of a program that runs and is none: an argument of the program, as it would be
/// behind the program's own name.
///
/// # Errors
/// `no-such-file`, with how an argument is given.
pub fn refuse_arguments(paths: &[PathBuf]) -> Result<(), Diagnostic> {
    let is_argument = |path: &&PathBuf| !path.exists() && path.extension().is_none_or(|e| e != "c");
    // The first path is the program.
    match paths.iter().skip(1).find(is_argument) {
        None => Ok(()),
        Some(path) => {
            let path = path.display();
            let message = format!("{path} does not exist: it is taken for a C file of the program");
            let help = format!("an argument of the program is given as `--arg {path}`");
            Err(Diagnostic::error("no-such-file", message, None).help(help))
        }
    }
}

/// Seconds as a user writes them.
pub fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse::<f64>().ok().filter(|seconds| *seconds > 0.0 && *seconds <= 1e6);
    seconds.map(Duration::from_secs_f64).ok_or_else(|| "a number of seconds, above 0 and up to a million".into())
}
