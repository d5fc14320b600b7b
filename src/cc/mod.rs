//! Stands in for the C compiler in any build (`make CC="rtcuda cc"`): the same arguments, outputs and exit status, and
//! CUDA in the objects of C files that have regions.
//!
//! The compiler always runs first, with the very words it was given, while the C is analysed beside it. So its
//! diagnostics, its dependency files and its exit status are its own, and an object is there whatever becomes of the
//! conversion. Where regions were converted, that object is then replaced:
//! ```text
//! cc -O2 -c a.c -o a.o -MMD          the compiler's own: a.o, a.d, warnings
//! cc -O2 -w -c a.i                   the preprocessed text with a call around each region: names, lines, macros kept
//! nvcc -c a.cu  (or g++ -DRT_SIM)    the kernels and entries
//! cc -r a.i.o a.cu.o -o a.o          one object again, so that archives and the rules of a Makefile work as before
//! ```
//! A link gets the libraries of the runtime where one of its inputs has a region. The runtime's state is `inline`
//! variables of its headers: all objects of a program share one device context. Entries have names that no other
//! object has, and everything else in a `.cu` file is `static`.
//!
//! Threads that come to regions at the same time take turns.

pub mod arguments;
pub mod compile;
pub mod link;
pub mod response;
mod settings;

pub use settings::Settings;

use crate::diag::{Diagnostic, Stop, no_temporary_folder};
use crate::runtime::backend;
use crate::runtime::build::Target;
use crate::runtime::interrupt::{Listening, Signal, listen};
use crate::runtime::toolchain;
use arguments::{Arguments, Stage, Word};
use compile::{Conversion, n_regions};
use std::ffi::OsString;
use std::fs;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};
use tempfile::TempDir;

/// What came of a command.
#[derive(Debug)]
pub struct Made {
    /// The compiler's own.
    pub status: ExitStatus,
    /// What came of each C file that was looked at.
    pub files: Vec<File>,
}

/// What came of a C file.
#[derive(Debug)]
pub struct File {
    /// Its path on the command line.
    pub path: String,
    /// What was declined or deserves a warning.
    pub diagnostics: Vec<Diagnostic>,
    /// What its object holds now.
    pub outcome: Outcome,
}

/// What an object holds.
#[derive(Debug)]
pub enum Outcome {
    /// What the compiler made of it: there is nothing to convert.
    Plain,
    /// So many regions for that target.
    Converted(usize, Target),
    /// What the compiler made of it, for this reason.
    Failed(Stop),
}

/// Runs the compiler in place of this process. Returns only where it cannot be started.
pub fn compiler_alone(words: &[OsString], libraries: &[String]) -> Stop {
    match toolchain::c_compiler() {
        Err(missing) => missing.into(),
        Ok(command) => {
            cannot_start(&command[0], &Command::new(&command[0]).args(&command[1..]).args(words).args(libraries).exec())
        }
    }
}

fn cannot_start(compiler: &str, e: &std::io::Error) -> Stop {
    Diagnostic::error("compiler-start", format!("the compiler {compiler} cannot be started: {e}"), None)
        .help("RTCUDA_CC names the C compiler; `rtcuda device` checks it")
        .into()
}

/// Test that a command makes what may be replaced: of C files, and no device or pipe.
pub fn can_convert(arguments: &Arguments) -> bool {
    let is_file = |path: PathBuf| fs::metadata(path).map_or(true, |found| found.is_file());
    arguments.words.iter().any(|word| word.c_file().is_some()) && arguments.output().is_none_or(is_file)
}

/// Runs the compiler as `words` say, then converts.
///
/// # Errors
/// [`Stop::Input`] where a compiler is missing, the objects cannot be linked together or written.
pub fn make(words: &[String], arguments: &Arguments, settings: &Settings) -> Result<Made, Stop> {
    let compiler = toolchain::c_compiler()?;
    let libraries = link::libraries(arguments, None)?;
    let mut child = Command::new(&compiler[0])
        .args(&compiler[1..])
        .args(words)
        .args(libraries)
        .spawn()
        .map_err(|e| cannot_start(&compiler[0], &e))?;
    let listening = listen(&[Signal::SIGHUP, Signal::SIGINT, Signal::SIGTERM]);
    let conversion = compile::start(arguments, settings)?;
    let status = child.wait().map_err(|e| Stop::Bug(format!("cc: waiting for the compiler: {e}")))?;
    if !status.success() {
        // Nobody waits for the conversion: it writes nothing.
        return Ok(Made { status, files: Vec::new() });
    }
    let conversions = conversion.join().map_err(|_| Stop::Bug("cc: a conversion panicked".into()));
    let files = match conversions {
        Ok(conversions) => {
            replace(arguments, settings, conversions, &listening).inspect_err(|_| remove_outputs(arguments))?
        }
        Err(stop) => vec![File { path: first_c_file(arguments), diagnostics: vec![], outcome: Outcome::Failed(stop) }],
    };
    match listening.seen() {
        None => Ok(Made { status, files }),
        Some(signal) => {
            remove_outputs(arguments);
            Ok(Made { status: ExitStatus::from_raw(signal as i32), files: Vec::new() })
        }
    }
}

/// Removes what a command made of its C files, so that a build does not take it for finished.
fn remove_outputs(arguments: &Arguments) {
    let words = arguments.words.iter().filter(|word| word.c_file().is_some());
    let outputs: Vec<PathBuf> = match arguments.stage {
        Stage::Object => words.map(|word| compile::object_path(arguments, word)).collect(),
        Stage::Link => vec![program_path(arguments)],
    };
    // What is not there need not go.
    outputs.into_iter().for_each(|path| drop(fs::remove_file(path)));
}

fn program_path(arguments: &Arguments) -> PathBuf {
    arguments.output().unwrap_or_else(|| "a.out".into())
}

fn first_c_file(arguments: &Arguments) -> String {
    arguments.words.iter().find_map(Word::c_file).map(|path| path.display().to_string()).unwrap_or_default()
}

/// Replaces what the compiler made wherever there are regions. A fault of the machine or the command ends it; one of this
/// tool leaves the file as the C that it is.
fn replace(
    arguments: &Arguments,
    settings: &Settings,
    conversions: Vec<Conversion>,
    listening: &Listening,
) -> Result<Vec<File>, Stop> {
    let is_wanted = |conversion: &Conversion| conversion.result.as_ref().is_ok_and(|c| n_regions(c) > 0);
    let target = match conversions.iter().any(is_wanted) {
        true => Some(backend::choose_for_objects(&settings.config.target)?),
        false => None,
    };
    let folder = match target.is_some() {
        true => Some(TempDir::with_prefix("rtcuda-cc-").map_err(|e| no_temporary_folder(&e))?),
        false => None,
    };
    let mut files = Vec::new();
    let mut objects = Vec::new();
    for Conversion { at, result, again } in conversions {
        let word = &arguments.words[at];
        let mut file = File { path: word.text[0].clone(), diagnostics: vec![], outcome: Outcome::Plain };
        match (result, &target, &folder) {
            (Err(stop), ..) => file.outcome = Outcome::Failed(stop),
            (Ok(converted), Some(target), Some(folder)) if n_regions(&converted) > 0 && listening.seen().is_none() => {
                let folder = folder.path().join(at.to_string());
                match compile::object(converted, again, arguments, settings, target, &folder) {
                    Err(Stop::Input(fault)) => return Err(Stop::Input(fault)),
                    Err(stop) => file.outcome = Outcome::Failed(stop),
                    Ok((converted, object)) => {
                        if let Some(object) = object {
                            objects.push((at, object));
                            file.outcome = Outcome::Converted(n_regions(&converted), target.clone());
                        }
                        file.diagnostics = converted.diagnostics;
                    }
                }
            }
            (Ok(converted), ..) => file.diagnostics = converted.diagnostics,
        }
        files.push(file);
    }
    let installed = match (&target, &folder) {
        (Some(target), Some(folder)) if !objects.is_empty() => install(arguments, &objects, target, folder.path()),
        _ => Ok(()),
    };
    if let Err(Stop::Bug(what)) = installed {
        for file in files.iter_mut().filter(|file| matches!(file.outcome, Outcome::Converted(..))) {
            file.outcome = Outcome::Failed(Stop::Bug(what.clone()));
        }
        return Ok(files);
    }
    installed.map(|()| files)
}

/// Puts the converted objects, or the program that is linked with them, in the place of the plain ones.
fn install(arguments: &Arguments, objects: &[(usize, PathBuf)], target: &Target, folder: &Path) -> Result<(), Stop> {
    match arguments.stage {
        Stage::Object => objects
            .iter()
            .try_for_each(|(at, object)| put(object, &compile::object_path(arguments, &arguments.words[*at]))),
        Stage::Link => {
            let program = folder.join("program");
            link::again(arguments, objects, target, folder, &program)?;
            put(&program, &program_path(arguments))
        }
    }
}

/// Moves a file to its place, whole.
fn put(from: &Path, to: &Path) -> Result<(), Stop> {
    // Between file systems it is copied, to a new file: an old one, where there is one, may be a program that runs.
    let copy = |_| {
        let _ = fs::remove_file(to);
        fs::copy(from, to).map(|_| ())
    };
    fs::rename(from, to)
        .or_else(copy)
        .map_err(|e| Diagnostic::error("output", format!("{} cannot be written: {e}", to.display()), None).into())
}
