//! From a shipped solver to an executable: converted and built for a GPU, or compiled as the C that it is.

use super::method::Program;
use super::{Precision, Settings};
use crate::diag::{Diagnostic, Stop};
use crate::runtime::build::Target;
use crate::runtime::call::{Call, Failure};
use crate::runtime::{backend, shipped, toolchain};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// What reads the system and calls the solver.
const DRIVER: &str = include_str!("../../templates/solve/driver.c");

/// Flag for threads that share out what is made of a matrix before.
const OPENMP: &str = "-fopenmp";

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
    let mut config = shipped::config(program.function, program.config, settings.backend)?;
    if let Some(sync) = settings.sync {
        config.regions.iter_mut().for_each(|region| region.settings.sync = sync);
    }
    let target = backend::choose(&config.target).map_err(|missing| match missing.code {
        "no-gpu" => missing.help("`--backend cpu` runs the same C on the CPU; `rtcuda device` shows what is missing"),
        _ => missing,
    })?;
    let files = [format!("{}.c", program.function), "driver.c".into()].map(|name| folder.join(name));
    write(&files[0], program.solver())?;
    write(&files[1], &driver(program, &target))?;
    for (name, text) in program.headers {
        write(&folder.join(name), text)?;
    }
    let threads = (program.is_prepared && has_openmp(folder)?).then(|| OPENMP.to_owned());
    let flags = |optimize| [flags(settings, optimize), threads.clone().into_iter().collect()].concat();
    match target {
        Target::Simulation => native(&files, flags("-O3"), folder),
        Target::Gpu { .. } => {
            let path = shipped::build(&files, config, flags("-O2"), &target, folder)?;
            Ok(Built { path, is_gpu: true })
        }
    }
}

/// What both files are compiled with.
fn flags(settings: &Settings, optimize: &str) -> Vec<String> {
    let precision = (settings.precision == Precision::Single).then_some("-DSINGLE");
    [optimize].into_iter().chain(precision).map(str::to_owned).collect()
}

/// Test that the C compiler has OpenMP with GCC's library, which the link with kernels takes. It is asked once, though each
/// preconditioner that is tried is a program of its own.
fn has_openmp(folder: &Path) -> Result<bool, Stop> {
    static FOUND: OnceLock<bool> = OnceLock::new();
    if let Some(found) = FOUND.get() {
        return Ok(*found);
    }
    let [source, object, program] = ["threads.c", "threads.o", "threads"].map(|name| folder.join(name));
    write(
        &source,
        "int main(void) {\n#pragma omp parallel for\n    for (int i = 0; i < 9; i++) {}\n    return 0;\n}\n",
    )?;
    let compiler = toolchain::c_compiler()?;
    let mut compile = Call::new(&compiler);
    compile.args(["-w", OPENMP, "-c"]).args([&source]).args(["-o"]).args([&object]);
    let mut link = Call::new(&compiler);
    link.args([&object]).args(["-lgomp", "-o"]).args([&program]);
    Ok(*FOUND.get_or_init(|| compile.run().is_ok() && link.run().is_ok()))
}

fn driver(program: &Program, target: &Target) -> String {
    let (parameters, arguments) = program.extra;
    let name = program.function;
    let names = if program.is_prepared {
        format!("#define SOLVER {name}_solve\n#define PREPARE {name}_prepare\n#define FREE {name}_free\n")
    } else {
        format!("#define SOLVER {name}\n")
    };
    let place = match target {
        Target::Simulation => "#define ON_HOST\n",
        Target::Gpu { .. } => "",
    };
    format!("{names}{place}#define EXTRA_PARAMETERS {parameters}\n#define EXTRA_ARGUMENTS {arguments}\n{DRIVER}")
}

fn write(path: &Path, text: &str) -> Result<(), Stop> {
    fs::write(path, text).map_err(|e| Stop::Bug(format!("{} cannot be written: {e}", path.display())))
}

/// The plain C, on the CPU.
fn native(files: &[PathBuf], flags: Vec<String>, folder: &Path) -> Result<Built, Stop> {
    let path = folder.join("solver");
    let mut cc = Call::new(&toolchain::c_compiler()?);
    cc.args(["-w"]).args(flags).args(files).args(["-lm", "-o"]).args([&path]);
    cc.run().map_err(|failure| match failure {
        Failure::Start(stop) => stop,
        Failure::Refused(words) => Diagnostic::error("compile-failed", "the C compiler refuses a shipped solver", None)
            .note(None, words)
            .help("another compiler can be named in the environment variable CC")
            .into(),
    })?;
    Ok(Built { path, is_gpu: false })
}
