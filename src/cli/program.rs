//! The program that a command is about, and where it runs.

use super::outcome::Fault;
use super::tell::say;
use clap::Args;
use clap::builder::PossibleValuesParser;
use rtcuda::config::seen::Seen;
use rtcuda::config::{Backend, Choice, Config};
use rtcuda::diag::Diagnostic;
use rtcuda::pipeline::ConvertOptions;
use rtcuda::runtime::programs::Program;
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// The C files of one program.
#[derive(Args)]
pub struct Input {
    /// The C files of the program; by default those that the configuration lists
    #[arg(value_name = "FILE.c", required_unless_present = "config")]
    pub files: Vec<PathBuf>,
    /// The configuration; by default configs/<name of the first file>.toml beside or above that file
    #[arg(long, value_name = "C.toml")]
    pub config: Option<PathBuf>,
    /// Findings of `rtcuda ptx coalesce FILE.c --json` on a kernel: of places that the data choose, mappings take it
    #[arg(long, value_name = "SEEN.json")]
    pub profile: Vec<PathBuf>,
    /// Flags for the C compiler, after those of the configuration
    #[arg(last = true, value_name = "CFLAGS")]
    pub cflags: Vec<String>,
}

/// Where programs run.
#[derive(Args)]
pub struct On {
    /// Where it runs: on a GPU (cuda), simulated (cpu), or as this machine can (auto)
    #[arg(long, value_parser = PossibleValuesParser::new(Backend::ALL.iter().map(|&(name, _)| name)))]
    pub backend: Option<String>,
}

impl On {
    /// The backend that was named.
    pub fn backend(&self) -> Option<Backend> {
        self.backend.as_deref().and_then(Backend::named)
    }
}

/// Where a conversion is written when the user names no folder: `out/<name of the first file>`.
pub fn default_folder(files: &[PathBuf]) -> PathBuf {
    let stem = files.first().and_then(|file| file.file_stem());
    Path::new("out").join(stem.unwrap_or("program".as_ref()))
}

/// Refuses to write over a file of the program. An earlier output may be replaced, what is read never.
///
/// # Errors
/// `output-is-input`, in these words.
pub fn refuse_sources(
    sources: &[PathBuf],
    written: impl IntoIterator<Item = PathBuf>,
    message: &str,
    help: &str,
) -> Result<(), Diagnostic> {
    let sources: Vec<PathBuf> = sources.iter().filter_map(|source| source.canonicalize().ok()).collect();
    let is_source = |path: &PathBuf| path.canonicalize().is_ok_and(|path| sources.contains(&path));
    match written.into_iter().find(is_source) {
        None => Ok(()),
        Some(path) => {
            let message = format!("{message} {}", path.display());
            Err(Diagnostic::error("output-is-input", message, None).help(help))
        }
    }
}

/// The program that the arguments name, with the flags of the command line after its own.
pub fn program(input: &Input) -> Result<(Program, ConvertOptions), Fault> {
    let program = Program::new(&input.files, input.config.as_deref())?;
    if let (None, Some(found)) = (&input.config, &program.config_file) {
        say(&format!("configuration: {}\n", found.display()));
    }
    let options = ConvertOptions {
        cflags: [program.config.input.cflags.clone(), input.cflags.clone()].concat(),
        config: Config { profile: profile(&input.profile)?, ..program.config.clone() },
        ..ConvertOptions::default()
    };
    Ok((program, options))
}

/// Part of a report on a kernel's accesses that a conversion takes.
#[derive(Deserialize)]
struct Report {
    seen: Vec<Seen>,
}

/// The entries of profiles.
fn profile(paths: &[PathBuf]) -> Result<Vec<Seen>, Diagnostic> {
    let read = |path: &PathBuf| {
        let text = std::fs::read_to_string(path).map_err(|e| e.to_string());
        let report = text.and_then(|text| serde_json::from_str::<Report>(&text).map_err(|e| e.to_string()));
        report.map(|report| report.seen).map_err(|why| {
            let message = format!("{} is no profile: {why}", path.display());
            Diagnostic::error("profile", message, None)
                .help("--profile takes what `rtcuda ptx coalesce FILE.c --kernel K ... --json` prints")
        })
    };
    Ok(paths.iter().map(read).collect::<Result<Vec<_>, _>>()?.concat())
}
