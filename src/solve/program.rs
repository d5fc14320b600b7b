//! From a shipped solver to an executable: converted and built for a GPU, or compiled as the C that it is.

use super::method::Program;
use super::{Precision, Settings};
use crate::diag::{Diagnostic, Stop};
use crate::runtime::build::Target;
use crate::runtime::call::{Call, Failure};
use crate::runtime::{backend, shipped, toolchain};
use std::fs;
use std::path::{Path, PathBuf};

/// What reads the system and calls the solver.
const DRIVER: &str = include_str!("../../templates/solve/driver.c");

/// An executable.
#[derive(Debug)]
pub struct Built {
    /// Where it is.
    pub path: PathBuf,
    /// Whether it runs on a GPU.
    pub is_gpu: bool,
}

/// Builds a solver within `folder`.
///
/// # Errors
/// A missing compiler, or GPU where one is asked for; anything else that fails is a fault of this tool.
pub fn build(program: &Program, settings: &Settings, folder: &Path) -> Result<Built, Stop> {
    let config = shipped::config(program.function, program.config, settings.backend)?;
    let target = backend::choose(&config.target).map_err(|missing| match missing.code {
        "no-gpu" => missing.help("`--backend cpu` runs the same C on the CPU; `rtcuda device` shows what is missing"),
        _ => missing,
    })?;
    let files = [format!("{}.c", program.function), "driver.c".into()].map(|name| folder.join(name));
    write(&files[0], program.solver())?;
    write(&files[1], &driver(program))?;
    for (name, text) in program.headers {
        write(&folder.join(name), text)?;
    }
    match target {
        Target::Simulation => native(&files, settings, folder),
        Target::Gpu { .. } => {
            let path = shipped::build(&files, config, flags(settings, "-O2"), &target, folder)?;
            Ok(Built { path, is_gpu: true })
        }
    }
}

/// What both files are compiled with.
fn flags(settings: &Settings, optimize: &str) -> Vec<String> {
    let precision = (settings.precision == Precision::Single).then_some("-DSINGLE");
    [optimize].into_iter().chain(precision).map(str::to_owned).collect()
}

fn driver(program: &Program) -> String {
    let (parameters, arguments) = program.extra;
    let name = program.function;
    let names = if program.is_prepared {
        format!("#define SOLVER {name}_solve\n#define PREPARE {name}_prepare\n#define FREE {name}_free\n")
    } else {
        format!("#define SOLVER {name}\n")
    };
    format!("{names}#define EXTRA_PARAMETERS {parameters}\n#define EXTRA_ARGUMENTS {arguments}\n{DRIVER}")
}

fn write(path: &Path, text: &str) -> Result<(), Stop> {
    fs::write(path, text).map_err(|e| Stop::Bug(format!("{} cannot be written: {e}", path.display())))
}

/// The plain C, on the CPU.
fn native(files: &[PathBuf], settings: &Settings, folder: &Path) -> Result<Built, Stop> {
    let path = folder.join("solver");
    let mut cc = Call::new(&toolchain::c_compiler()?);
    cc.args(["-w"]).args(flags(settings, "-O3")).args(files).args(["-lm", "-o"]).args([&path]);
    cc.run().map_err(|failure| match failure {
        Failure::Start(stop) => stop,
        Failure::Refused(words) => Diagnostic::error("compile-failed", "the C compiler refuses a shipped solver", None)
            .note(None, words)
            .help("another compiler can be named in the environment variable CC")
            .into(),
    })?;
    Ok(Built { path, is_gpu: false })
}
