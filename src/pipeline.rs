//! From C files and a configuration to the files of a CUDA program.
//!
//! The passes are rows of tables (`passes`), and one runner times, verifies and dumps each of them (`runner`). Passes
//! work at four levels, each with a state that they fill in: a file and the search for candidates in it (`file`), one
//! candidate (`region`), and the whole program (`program`). What is in these modules beside the states brings the
//! levels together: which candidates are tried, and what becomes of those that do not convert.

mod context;
mod file;
mod passes;
mod program;
mod region;
mod runner;
mod selectors;

use crate::config::Config;
use crate::diag::{Diagnostic, Stop};
use crate::emit;
use context::Context;
use program::ProgramState;
use std::path::PathBuf;
use std::sync::LazyLock;

/// Name of each pass and what it does, in the order of the tables.
pub fn described() -> impl Iterator<Item = (&'static str, &'static str)> {
    fn rows<L: runner::Level>(table: &'static [runner::Pass<L>]) -> impl Iterator<Item = (&'static str, &'static str)> {
        table.iter().map(|pass| (pass.name, pass.about))
    }
    let of_region = rows(passes::SEARCH).chain(rows(passes::REGION));
    rows(passes::FILE).chain(of_region).chain(rows(passes::PROGRAM))
}

/// The passes that can be named, in the order they run: `--dump-after` shows what they leave.
pub static PASSES: LazyLock<Vec<&'static str>> = LazyLock::new(|| described().map(|(name, _)| name).collect());

/// What a conversion is asked to do, beside the files.
#[derive(Debug, Clone, Default)]
pub struct ConvertOptions {
    /// Flags for the C preprocessor and compiler, as the user gave them.
    pub cflags: Vec<String>,
    /// Emit both versions of each region, and the code that compares them.
    pub check: bool,
    /// The configuration.
    pub config: Config,
    /// Print the representation after the pass of this name.
    pub dump_after: Option<String>,
    /// Time the passes.
    pub time_passes: bool,
    /// Set for a file that becomes one object of a larger program: what the object is made of, in words that no other
    /// object has. The text that is emitted is then the preprocessed one, and the configuration may speak of regions
    /// that other files have.
    pub object: Option<String>,
}

/// What a conversion gives.
#[derive(Debug, Clone)]
pub struct Converted {
    /// Every file of the output folder.
    pub files: Vec<emit::File>,
    /// What was declined or deserves a warning.
    pub diagnostics: Vec<Diagnostic>,
    /// Every decision taken, per region: name, function, lines, kernels, loops (parallel or not, and why), transfers.
    pub report: serde_json::Value,
    /// What `dump_after` and `time_passes` asked for.
    pub dumps: String,
}

/// Converts C files into one CUDA program.
///
/// # Errors
/// [`Stop::Input`] where a file cannot be read or preprocessed, [`Stop::Bug`] where the tool contradicts itself.
pub fn convert(files: &[PathBuf], options: &ConvertOptions) -> Result<Converted, Stop> {
    let mut context = Context::new(options);
    context.diagnostics.extend(options.config.warnings.iter().cloned());
    context.files = file::all(files, options).into();
    let mut program = ProgramState::default();
    for path in files {
        program.files.push(file::convert(path, &mut context)?);
    }
    if options.object.is_none() {
        selectors::check_selectors(&context)?;
    }
    runner::run(passes::PROGRAM, &mut program, &mut context)?;
    if options.object.is_none() {
        context.diagnostics.extend(selectors::unknown_kernels(&context, &program.report));
    }
    let mut dumps = context.log.dumps;
    if options.time_passes {
        dumps += &runner::times(&context.log.times);
    }
    Ok(Converted { files: program.emitted, diagnostics: context.diagnostics, report: program.report, dumps })
}
