//! The tool as a user calls it.

use std::path::Path;
use std::process::{Command, Output};

/// rtcuda, in a folder.
pub fn rtcuda(folder: &Path, words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_rtcuda")).args(words).current_dir(folder).output().unwrap()
}

/// Text that it wrote.
pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
