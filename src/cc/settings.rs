//! Requests of the environment, and of these the ones that a compiler refuses.

use crate::config::Config;
use crate::diag::Stop;
use crate::runtime::call::Failure;
use std::path::PathBuf;

/// Requests of the environment.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// The configuration.
    pub config: Config,
    /// Both versions of each region run, and are compared.
    pub check: bool,
    /// The folder in which the emitted files are kept.
    pub keep: Option<PathBuf>,
}

/// A compiler's refusal of what this tool made.
pub(super) fn refused(what: &str) -> impl Fn(Failure) -> Stop {
    move |failure| match failure {
        Failure::Start(stop) => stop,
        Failure::Refused(words) => Stop::Bug(format!("{what}:\n{words}")),
    }
}
