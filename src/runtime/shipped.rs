//! The way from a program that this tool ships to an executable: its C files and the text of its configuration, converted
//! and built as a user's are.
//!
//! ```text
//! cg.c, driver.c + configs/cg.toml ─ config ─ backend::choose ─ build ─ FOLDER/converted/program
//! ```

use super::build::{self, Target};
use crate::config::{Backend, Config};
use crate::diag::Stop;
use crate::pipeline::{self, ConvertOptions};
use std::path::{Path, PathBuf};

/// The configuration of a shipped program, for a backend that the user chose.
///
/// # Errors
/// What is wrong with it is this tool's fault.
pub fn config(name: &str, text: &str, backend: Backend) -> Result<Config, Stop> {
    let mut config =
        Config::parse(name, text).map_err(|faults| Stop::Bug(format!("the configuration of {name}: {faults:?}")))?;
    config.target.backend = backend;
    Ok(config)
}

/// Converts and builds the program within `folder`.
///
/// # Errors
/// As [`pipeline::convert`] and [`build::executable`].
pub fn build(
    files: &[PathBuf],
    config: Config,
    cflags: Vec<String>,
    target: &Target,
    folder: &Path,
) -> Result<PathBuf, Stop> {
    let options = ConvertOptions { cflags, config, ..ConvertOptions::default() };
    let converted = pipeline::convert(files, &options)?;
    let out = folder.join("converted");
    build::executable(
        &build::Program { folder: &out, files: &converted.files, cflags: &options.cflags, headers: None },
        target,
    )
}
