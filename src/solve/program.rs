//! From a shipped solver to an executable: converted and built for a GPU, or compiled as the C that it is. Each is built once,
//! however many systems it solves.
//!
//! ```text
//! cg none, cg ic0, sor none, ... ─ Programs::build: all at once ─ FOLDER/0/solver, FOLDER/1/converted/program, ...
//! ```

use super::method::Program;
use super::{Precision, Settings};
use crate::config::{Backend, Sync};
use crate::diag::{Diagnostic, Stop, no_temporary_folder};
use crate::runtime::build::Target;
use crate::runtime::call::{Call, Failure};
use crate::runtime::{backend, shipped, toolchain};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use tempfile::TempDir;

/// What reads the system and calls the solver.
const DRIVER: &str = include_str!("../../templates/solve/driver.c");

/// Flag for threads that share out what is made of a matrix before.
const OPENMP: &str = "-fopenmp";

/// Executables of solvers, each built when it is first asked for.
#[derive(Debug)]
pub struct Programs {
    folder: TempDir,
    /// Builds that were begun: each has a folder of its own.
    n_begun: AtomicUsize,
    built: Mutex<Vec<(Key, Built)>>,
}

/// What an executable depends on.
#[derive(Debug, Clone, Copy)]
struct Key {
    program: &'static Program,
    is_single: bool,
    sync: Option<Sync>,
    backend: Backend,
    is_interruptible: bool,
}

impl Key {
    fn new(program: &'static Program, settings: &Settings) -> Key {
        let is_single = settings.precision == Precision::Single;
        let Settings { sync, backend, is_interruptible, .. } = *settings;
        Key { program, is_single, sync, backend, is_interruptible }
    }

    fn is(&self, other: &Key) -> bool {
        let rest = |key: &Key| (key.is_single, key.sync, key.backend, key.is_interruptible);
        std::ptr::eq(self.program, other.program) && rest(self) == rest(other)
    }
}

impl Programs {
    /// None yet.
    ///
    /// # Errors
    /// A temporary folder that cannot be made.
    pub fn new() -> Result<Programs, Stop> {
        let folder = tempfile::tempdir().map_err(|e| no_temporary_folder(&e))?;
        Ok(Programs { folder, n_begun: AtomicUsize::new(0), built: Mutex::new(vec![]) })
    }

    /// The executable of a solver.
    ///
    /// # Errors
    /// A missing compiler, or GPU where one is asked for; anything else that fails is a fault of this tool.
    pub fn get(&self, program: &'static Program, settings: &Settings) -> Result<Built, Stop> {
        self.build(&[(program, *settings)])?;
        self.find(&Key::new(program, settings)).ok_or_else(|| Stop::Bug(format!("{} is lost", program.function)))
    }

    /// Builds those that are not there yet, all at once.
    ///
    /// # Errors
    /// As [`Programs::get`].
    pub fn build(&self, all: &[(&'static Program, Settings)]) -> Result<(), Stop> {
        let mut missing: Vec<(Key, Settings)> = vec![];
        for (program, settings) in all {
            let key = Key::new(program, settings);
            if self.find(&key).is_none() && !missing.iter().any(|(other, _)| other.is(&key)) {
                missing.push((key, *settings));
            }
        }
        let done: Vec<Result<Built, Stop>> = std::thread::scope(|scope| {
            let one = |(key, settings): &(Key, Settings)| {
                let (key, settings) = (*key, *settings);
                let folder = self.folder.path().join(self.n_begun.fetch_add(1, Ordering::Relaxed).to_string());
                scope.spawn(move || build(key.program, &settings, &folder))
            };
            let threads: Vec<_> = missing.iter().map(one).collect();
            let panicked = |_| Err(Stop::Bug("solve: a building thread panicked".into()));
            threads.into_iter().map(|thread| thread.join().unwrap_or_else(panicked)).collect()
        });
        for ((key, _), built) in missing.into_iter().zip(done) {
            self.lock().push((key, built?));
        }
        Ok(())
    }

    fn find(&self, key: &Key) -> Option<Built> {
        self.lock().iter().find(|(other, _)| other.is(key)).map(|(_, built)| built.clone())
    }

    fn lock(&self) -> MutexGuard<'_, Vec<(Key, Built)>> {
        self.built.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An executable.
#[derive(Debug, Clone)]
pub struct Built {
    /// Where it is.
    pub path: PathBuf,
    /// Flag: it runs on a GPU.
    pub is_gpu: bool,
}

/// Builds a solver within `folder`, which is new.
fn build(program: &Program, settings: &Settings, folder: &Path) -> Result<Built, Stop> {
    fs::create_dir(folder).map_err(|e| Stop::Bug(format!("{} cannot be made: {e}", folder.display())))?;
    let mut config = shipped::config(program.function, program.config, settings.backend)?;
    for region in &mut config.regions {
        region.settings.sync = settings.sync.unwrap_or(region.settings.sync);
        region.settings.interruptible = settings.is_interruptible;
    }
    let target = backend::choose(&config.target).map_err(|missing| match missing.code {
        "no-gpu" => missing.help("`--backend cpu` runs the same C on the CPU; `rtcuda device` shows what is missing"),
        _ => missing,
    })?;
    let files = [format!("{}.c", program.function), "driver.c".into()].map(|name| folder.join(name));
    write(&files[0], program.solver())?;
    write(&files[1], &driver(program, settings, &target))?;
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

fn driver(program: &Program, settings: &Settings, target: &Target) -> String {
    let (parameters, arguments) = program.extra;
    let name = program.function;
    let names = if program.is_prepared {
        format!("#define SOLVER {name}_solve\n#define PREPARE {name}_prepare\n#define FREE {name}_free\n")
    } else {
        format!("#define SOLVER {name}\n")
    };
    let place = match target {
        Target::Simulation => "#define ON_HOST\n",
        Target::Gpu { .. } if settings.is_interruptible => "#define INTERRUPTIBLE\n",
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
