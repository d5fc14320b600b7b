//! `rtcuda completions` and `rtcuda man`: what shells and `man` know of the commands.

use super::args::Arguments;
use super::outcome::{Done, Fault};
use clap::CommandFactory;
use clap_complete::Shell;
use rtcuda::diag::Diagnostic;
use std::fs;
use std::path::Path;

/// Completions for a shell.
pub fn completions(shell: Shell) -> Result<Done, Fault> {
    let mut text = vec![];
    clap_complete::generate(shell, &mut Arguments::command(), "rtcuda", &mut text);
    Done::well(String::from_utf8_lossy(&text).into_owned())
}

/// Man pages in a folder.
pub fn man(folder: &Path) -> Result<Done, Fault> {
    let written = fs::create_dir_all(folder).and_then(|()| clap_mangen::generate_to(Arguments::command(), folder));
    written.map_err(|e| {
        let message = format!("man pages cannot be written to {}: {e}", folder.display());
        Diagnostic::error("unwritable-output", message, None).help("name another folder with -o")
    })?;
    Done::well(format!("{}: rtcuda.1, and one for each command\n", folder.display()))
}
