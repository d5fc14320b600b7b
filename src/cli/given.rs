//! Arguments of the programs that commands run, and the time that these may take.

use clap::Args;
use rtcuda::config::Given;
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

/// Seconds as a user writes them.
pub fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse::<f64>().ok().filter(|seconds| *seconds > 0.0 && *seconds <= 1e6);
    seconds.map(Duration::from_secs_f64).ok_or_else(|| "a number of seconds, above 0 and up to a million".into())
}
