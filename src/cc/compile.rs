//! A C file with regions becomes an object: the preprocessed text with its calls by the C compiler, the kernels by nvcc
//! or for the simulation, and both in one.

use super::arguments::{Arguments, Part, Word};
use super::settings::{Settings, refused};
use crate::diag::Stop;
use crate::emit;
use crate::pipeline::{self, ConvertOptions, Converted};
use crate::runtime::build::{self, Refused, Target};
use crate::runtime::call::{Call, Failure};
use crate::runtime::fallback::{self, Attempt};
use crate::runtime::toolchain;
use crate::source::digest::digest;
use std::path::{Path, PathBuf};
use std::thread::{self, JoinHandle};

/// As much as the main thread of a process has on most systems.
const STACK: usize = 8 << 20;

/// What speaks to the preprocessor and to the compiler alike.
const FOR_TEXT: &[Part] = &[Part::Preprocessor, Part::Compile];

/// The conversion of a C file.
pub struct Conversion {
    /// The number of its word on the command line.
    pub at: usize,
    /// What was made of it.
    pub result: Result<Converted, Stop>,
    /// How it can be made again.
    pub again: Again,
}

/// A file, and the options of its conversion.
pub struct Again {
    /// The file.
    pub path: PathBuf,
    /// See `path`.
    pub options: ConvertOptions,
}

/// Begins to convert every C file of a command line, beside the compiler, in a thread that writes nothing.
///
/// # Errors
/// [`Stop::Bug`] where there is no thread to be had.
pub fn start(arguments: &Arguments, settings: &Settings) -> Result<JoinHandle<Vec<Conversion>>, Stop> {
    let mut work = Vec::new();
    for (at, word) in arguments.words.iter().enumerate() {
        let Some(path) = word.c_file() else { continue };
        let mut cflags = arguments.all(FOR_TEXT);
        if let Some(language) = &word.language {
            cflags.extend(["-x".to_owned(), language.clone()]);
        }
        let options = ConvertOptions {
            cflags,
            check: settings.check,
            config: settings.config.clone(),
            object: Some(identity(arguments, word)),
            ..ConvertOptions::default()
        };
        work.push((at, path.to_owned(), options));
    }
    let one = |(at, path, options): (usize, PathBuf, ConvertOptions)| {
        let result = pipeline::convert(std::slice::from_ref(&path), &options);
        Conversion { at, result, again: Again { path, options } }
    };
    let convert = move || work.into_iter().map(one).collect();
    thread::Builder::new()
        .stack_size(STACK)
        .spawn(convert)
        .map_err(|e| Stop::Bug(format!("cc: no thread to convert in: {e}")))
}

/// What an object is made of, and where.
fn identity(arguments: &Arguments, word: &Word) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    let object = object_path(arguments, word);
    let words = arguments.words.iter().flat_map(|word| &word.text);
    [here.display().to_string(), object.display().to_string(), word.text[0].clone()]
        .iter()
        .chain(words)
        .map(|part| format!("{part}\0"))
        .collect()
}

/// The object of a C file that is compiled and not linked.
pub fn object_path(arguments: &Arguments, word: &Word) -> PathBuf {
    let beside = || Path::new(&word.text[0]).with_extension("o").file_name().map(PathBuf::from).unwrap_or_default();
    arguments.output().unwrap_or_else(beside)
}

/// Compiles a converted C file in new folders below one, without the regions that do not compile; gives the conversion and
/// the path of its object, where a region is left.
///
/// # Errors
/// A missing compiler as [`Stop::Input`]; what does not compile, although the C did, as [`Stop::Bug`].
pub fn object(
    converted: Converted,
    again: Again,
    arguments: &Arguments,
    settings: &Settings,
    target: &Target,
    folder: &Path,
) -> Result<(Converted, Option<PathBuf>), Stop> {
    let Again { path, mut options } = again;
    let mut first = Some(converted);
    let mut n_made = 0;
    fallback::built(&mut options, |options| {
        let converted = match first.take() {
            Some(converted) => converted,
            None => pipeline::convert(std::slice::from_ref(&path), options)?,
        };
        if n_regions(&converted) == 0 {
            return Ok(Attempt::Built((converted, None)));
        }
        n_made += 1;
        let folder = PathBuf::from(format!("{}-{n_made}", folder.display()));
        Ok(match attempt(&converted, arguments, settings, target, &folder)? {
            Ok(object) => Attempt::Built((converted, Some(object))),
            Err(refused) => Attempt::Refused(converted.into(), refused),
        })
    })
}

/// Regions of a conversion.
pub fn n_regions(converted: &Converted) -> usize {
    converted.report["regions"].as_array().map_or(0, Vec::len)
}

/// The object of a conversion in a new folder, or the file that does not compile.
fn attempt(
    converted: &Converted,
    arguments: &Arguments,
    settings: &Settings,
    target: &Target,
    folder: &Path,
) -> Result<Result<PathBuf, Refused>, Stop> {
    std::fs::create_dir(folder).map_err(|e| Stop::Bug(format!("cc: no folder {}: {e}", folder.display())))?;
    let emitted = match &settings.keep {
        None => folder.join("emitted"),
        Some(keep) => kept(keep, converted)?,
    };
    emit::write(&converted.files, &emitted)?;
    let with_extension = |extension: &str| {
        let mut paths = converted.files.iter().map(|file| &file.path);
        let found = paths.find(|path| path.extension().is_some_and(|found| found == extension));
        found.ok_or_else(|| Stop::Bug(format!("cc: a conversion without a .{extension} file")))
    };
    let (text, kernels) = (emitted.join(with_extension("c")?), with_extension("cu")?);
    // The object names its source, in which the simulation looks up C lines. One that is not kept has no folder that
    // is worth naming: the same C gives the same object.
    let kernels = if settings.keep.is_some() { emitted.join(kernels) } else { kernels.clone() };
    let (c_object, cuda_object, object) = (folder.join("c.o"), folder.join("cu.o"), folder.join("object.o"));
    let compiler = toolchain::c_compiler()?;
    let compile_c = || -> Result<Result<(), Refused>, Stop> {
        let mut call = Call::new(&compiler);
        call.args(arguments.all(&[Part::Compile])).args(["-w", "-x", "cpp-output", "-c"]);
        call.args(["-o".as_ref(), c_object.as_path(), &text]);
        match call.run() {
            Ok(()) => Ok(Ok(())),
            Err(Failure::Start(stop)) => Err(stop),
            Err(Failure::Refused(words)) => Ok(Err(Refused { file: text.clone(), words })),
        }
    };
    let panicked = |_| Err(Stop::Bug("cc: a compiling thread panicked".into()));
    let compiled = thread::scope(|scope| {
        let c = scope.spawn(compile_c);
        let cuda = build::cuda_object(&emitted, &kernels, &cuda_object, target)?;
        Ok::<_, Stop>(c.join().unwrap_or_else(panicked)?.and(cuda))
    })?;
    if let Err(refused) = compiled {
        return Ok(Err(refused));
    }
    let mut call = Call::new(&compiler);
    call.args(["-r", "-nostdlib", "-o"]).args([&object, &c_object, &cuda_object]);
    call.run().map_err(refused("the objects of the C and of its kernels do not become one"))?;
    Ok(Ok(object))
}

/// The folder in which the files of a conversion are kept: one for each object, by what it holds.
fn kept(keep: &Path, converted: &Converted) -> Result<PathBuf, Stop> {
    let c_files = || converted.files.iter().filter(|file| file.path.extension().is_some_and(|e| e == "c"));
    let name = c_files().next_back().and_then(|file| file.path.file_stem()).unwrap_or_default().display().to_string();
    let folder = std::path::absolute(keep).map_err(|e| Stop::Bug(format!("cc: {}: {e}", keep.display())))?;
    Ok(folder.join(format!("{name}-{}", digest(c_files().map(|file| &*file.contents)))))
}
