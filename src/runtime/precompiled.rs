//! The runtime's headers, parsed once for many simulated programs, and their functions, compiled once.
//!
//! A third of what compiling a small simulated program takes goes to `rt_runtime.h` and the standard headers below it, and as
//! much to functions of the runtime that the compiler does not put in line. g++ takes the headers from a precompiled one, and leaves to
//! one object the functions of classes of a header that says `#pragma interface`. Both are kept in a folder: that of `RTCUDA_PRECOMPILED`,
//! where the tests of one build folder share it, or a temporary one where `rtcuda verify` has several programs.
//!
//! ```text
//! FOLDER/KEY/opening.h      what stands before the first include of the file, and `#include "rt_runtime.h"`
//! FOLDER/KEY/opening.h.gch  the same, precompiled; missing where the compiler cannot use it
//! FOLDER/KEY/opening.o      the functions of its classes, for the link, where files share them
//! FOLDER/KEY/rt_*.h         the headers that it was made of; those that every file reads are interfaces then
//! ```
//!
//! The compiler reads `opening.h` before the file (`-include`); the file's own includes of the same headers are then empty,
//! because of `#pragma once`. For that they must be those of the folder: the file is compiled from where no others lie beside it. Whatever
//! compiler refuses a trial goes on without.

use super::toolchain;
use crate::emit::RUNTIME;
use crate::source::digest::digest;
use std::collections::BTreeSet;
use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::Duration;
use tempfile::TempDir;

/// The name of the header that the compiler reads first, and of the object with what it leaves out of others.
const OPENING: &str = "opening.h";
const REST: &str = "opening.o";

/// Programs for which it is worth while to make one.
const SEVERAL: usize = 4;

/// Headers that are older are removed when others are made.
const KEPT: Duration = Duration::from_secs(24 * 60 * 60);

/// Where the functions of the runtime's classes go that the compiler does not put in line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Functions {
    /// Into one object for all files, which the link takes.
    Shared,
    /// Into the object of each file.
    InEach,
}

/// A folder of precompiled headers.
#[derive(Debug)]
pub enum Headers {
    /// One that stays.
    Named(PathBuf),
    /// One that goes with the value.
    Temporary(TempDir),
}

impl Headers {
    /// The folder of the environment, if it names one.
    pub fn named() -> Option<Headers> {
        let folder = env::var_os("RTCUDA_PRECOMPILED").filter(|value| !value.is_empty())?;
        Some(Headers::Named(folder.into()))
    }

    /// The folder of the environment, or a temporary one for so many programs; none where that would not pay.
    pub fn for_programs(n: usize) -> Option<Headers> {
        let temporary = || tempfile::tempdir().ok().filter(|_| n >= SEVERAL).map(Headers::Temporary);
        Headers::named().or_else(temporary)
    }

    fn folder(&self) -> &Path {
        match self {
            Headers::Named(folder) => folder,
            Headers::Temporary(folder) => folder.path(),
        }
    }

    /// An emitted file as a compiler (a program and its flags) takes it with the headers as they were parsed once; `None` where
    /// it cannot, or where something else stands before them in the file.
    pub fn take(&self, compiler: &[OsString], source: &Path, functions: Functions) -> Option<Taken> {
        let header = self.header(compiler, &opening(source)?, functions).ok()??;
        Taken::new(source, &header, functions).ok()
    }

    /// The header with an opening, made where there is none yet; `None` where the compiler cannot use it.
    fn header(&self, compiler: &[OsString], opening: &str, functions: Functions) -> io::Result<Option<PathBuf>> {
        /// Makers: two threads would both take the time to make the same.
        static MAKING: Mutex<()> = Mutex::new(());
        let _making = MAKING.lock().unwrap_or_else(|e| e.into_inner());
        let place = self.folder().join(key(compiler, opening, functions));
        if !place.is_dir() {
            fs::create_dir_all(self.folder())?;
            remove_old(self.folder());
            let making = tempfile::Builder::new().prefix(".making-").tempdir_in(self.folder())?;
            let made = making.path().join("made");
            make(compiler, opening, functions, &made)?;
            // Where another process was faster, its header is as good.
            let _ = fs::rename(&made, &place);
        }
        let header = place.join(OPENING);
        Ok(precompiled(&header).is_file().then_some(header))
    }
}

/// A file to compile with precompiled headers.
#[derive(Debug)]
pub struct Taken {
    /// Words for the compiler: the headers, and the file.
    pub arguments: Vec<OsString>,
    /// An object that the link takes beside the file's.
    pub rest: Option<PathBuf>,
    /// The place that the file is compiled from, without other headers beside it.
    _place: TempDir,
}

impl Taken {
    fn new(source: &Path, header: &Path, functions: Functions) -> io::Result<Taken> {
        let place = tempfile::tempdir()?;
        let there = place.path().join(source.file_name().unwrap_or_default());
        fs::copy(source, &there)?;
        let folder = header.parent().unwrap_or(Path::new("."));
        // Its name for itself is where it lies: findings are looked up there.
        let mut said = OsString::from("-fmacro-prefix-map=");
        said.push(place.path());
        said.push("=");
        said.push(source.parent().unwrap_or(Path::new(".")));
        let arguments = [
            said.as_os_str(),
            "-iquote".as_ref(),
            folder.as_os_str(),
            "-include".as_ref(),
            header.as_os_str(),
            there.as_os_str(),
        ];
        let arguments = arguments.map(OsStr::to_owned).to_vec();
        let rest = (functions == Functions::Shared).then(|| folder.join(REST));
        Ok(Taken { arguments, rest, _place: place })
    }
}

/// Whatever stands in a file before it includes the runtime, where that is no more than lines for the preprocessor that
/// include nothing, and the headers beside it are this tool's own.
fn opening(source: &Path) -> Option<String> {
    let text = fs::read_to_string(source).ok()?;
    let includes_runtime = |line: &str| RUNTIME.iter().any(|(name, _)| line == format!("#include \"{name}\""));
    let before = text.lines().take_while(|line| !includes_runtime(line));
    let lines: Vec<&str> = before.filter(|line| !line.is_empty() && !line.starts_with("//")).collect();
    let is_plain = |line: &&str| line.starts_with('#') && !line.contains("include");
    let folder = source.parent()?;
    let is_own = |(name, text): &(&str, &str)| fs::read(folder.join(name)).is_ok_and(|found| found == text.as_bytes());
    let fits = text.lines().any(includes_runtime) && lines.iter().all(is_plain) && RUNTIME.iter().all(is_own);
    fits.then(|| lines.iter().map(|line| format!("{line}\n")).collect())
}

/// A name for what the precompiled header depends on.
fn key(compiler: &[OsString], opening: &str, functions: Functions) -> String {
    let words: Vec<String> = compiler.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let version = toolchain::version(&words).unwrap_or_default();
    let functions = if functions == Functions::Shared { "shared" } else { "in each" };
    let headers = RUNTIME.iter().flat_map(|(name, text)| [*name, *text]);
    let parts = words.iter().map(String::as_str).chain([version.as_str(), opening, functions]).chain(headers);
    digest(parts.map(str::as_bytes))
}

fn precompiled(header: &Path) -> PathBuf {
    let mut name = header.as_os_str().to_owned();
    name.push(".gch");
    name.into()
}

/// Makes a folder with the header and what else there is; the precompiled one only stays where a trial takes it.
fn make(compiler: &[OsString], opening: &str, functions: Functions, folder: &Path) -> io::Result<()> {
    let trial = folder.join("trial");
    fs::create_dir_all(&trial)?;
    let is_shared = functions == Functions::Shared;
    let interfaces = if is_shared { below("rt_runtime.h") } else { BTreeSet::new() };
    for (name, text) in RUNTIME {
        let once = if interfaces.contains(name) { "#pragma once\n#pragma interface\n" } else { "#pragma once\n" };
        fs::write(folder.join(name), text.replacen("#pragma once\n", once, 1))?;
    }
    let header = folder.join(OPENING);
    let text = format!("{opening}#include \"rt_runtime.h\"\n");
    fs::write(&header, &text)?;
    let made = precompiled(&header);
    let flag = |word: &str| OsString::from(word);
    // A header as one more language; without `-c` it would be linked, too.
    let words = [flag("-c"), flag("-x"), flag("c++-header"), header.clone().into(), flag("-o"), made.clone().into()];
    let is_made = runs(compiler, &words)
        && (!is_shared || rest(compiler, &text, &interfaces, (folder, &trial))?)
        && is_taken(compiler, &text, functions, (&header, &trial))?;
    if !is_made {
        // Where it was not made, there is nothing to remove.
        let _ = fs::remove_file(&made);
    }
    fs::remove_dir_all(trial)
}

/// A header of the runtime and those that it includes. Others are included by few files, which have their functions.
fn below(name: &'static str) -> BTreeSet<&'static str> {
    let mut found = BTreeSet::new();
    let mut next = vec![name];
    while let Some(name) = next.pop() {
        let header = RUNTIME.iter().find(|(known, _)| *known == name).filter(|_| found.insert(name));
        let lines = header.into_iter().flat_map(|(_, text)| text.lines());
        next.extend(lines.filter_map(|line| line.strip_prefix("#include \"")?.split('"').next()));
    }
    found
}

/// Compiles the functions of the runtime's classes; false where the compiler refuses it.
fn rest(
    compiler: &[OsString],
    opening: &str,
    interfaces: &BTreeSet<&str>,
    (folder, trial): (&Path, &Path),
) -> io::Result<bool> {
    let all: String = interfaces.iter().map(|name| format!("#pragma implementation \"{name}\"\n")).collect();
    let source = trial.join("rest.cu");
    fs::write(&source, format!("{all}{opening}"))?;
    let words = ["-iquote".as_ref(), folder.as_os_str(), "-c".as_ref(), source.as_os_str(), "-o".as_ref()];
    let words = words.into_iter().map(OsStr::to_owned).chain([folder.join(REST).into()]);
    Ok(runs(compiler, &words.collect::<Vec<_>>()))
}

/// Test that a file compiles with the header, and links with the rest, where there is one.
fn is_taken(
    compiler: &[OsString],
    opening: &str,
    functions: Functions,
    (header, trial): (&Path, &Path),
) -> io::Result<bool> {
    let (source, object) = (trial.join("trial.cu"), trial.join("trial.o"));
    fs::write(&source, format!("{opening}int main() {{ rt::list<int> all; return (int)all.size(); }}\n"))?;
    let taken = Taken::new(&source, header, functions)?;
    let strict = ["-Winvalid-pch", "-Werror=invalid-pch", "-c", "-o"].map(OsString::from);
    if !runs(compiler, &[&strict[..], &[object.clone().into()], &taken.arguments].concat()) {
        return Ok(false);
    }
    let Some(rest) = taken.rest else { return Ok(true) };
    // Objects are in no language.
    let words = ["-x", "none", "-o"].map(OsString::from);
    Ok(runs(compiler, &[&words[..], &[trial.join("trial").into(), object.into(), rest.into()]].concat()))
}

fn runs<S: AsRef<OsStr>>(compiler: &[OsString], arguments: &[S]) -> bool {
    let mut command = Command::new(&compiler[0]);
    command.args(&compiler[1..]).args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// Removes headers of other compilers and other versions of this tool, which are few and large.
fn remove_old(folder: &Path) {
    let is_own = |path: &Path| path.join(OPENING).is_file() || path.join("made").join(OPENING).is_file();
    let is_old = |path: &Path| {
        let made = path.metadata().and_then(|found| found.modified()).ok();
        made.and_then(|made| made.elapsed().ok()).is_some_and(|age| age > KEPT)
    };
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if is_own(&path) && is_old(&path) {
            // Another process may be quicker.
            let _ = fs::remove_dir_all(path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compiler() -> Vec<OsString> {
        let words = toolchain::cxx_compiler().expect("there is one").into_iter();
        words.chain(["-x", "c++", "-std=c++20", "-DRT_SIM"].map(str::to_owned)).map(OsString::from).collect()
    }

    /// A folder with the runtime and a file `a.cu`.
    fn folder(text: &str) -> TempDir {
        let folder = tempfile::tempdir().unwrap();
        RUNTIME.iter().for_each(|(name, text)| fs::write(folder.path().join(name), text).unwrap());
        fs::write(folder.path().join("a.cu"), text).unwrap();
        folder
    }

    #[test]
    fn a_header_serves_all_files_that_open_alike() {
        let shared = tempfile::tempdir().unwrap();
        let headers = Headers::Named(shared.path().to_owned());
        let first = folder("// First.\n#undef A\n#define RT_FAST inline\n#include \"rt_runtime.h\"\nint a = RT_SIM;\n");
        let second = folder("#undef A\n#define RT_FAST inline\n\n#include \"rt_sparse.h\"\n");
        let of_both = [&first, &second].map(|folder| {
            let taken =
                headers.take(&compiler(), &folder.path().join("a.cu"), Functions::Shared).expect("it can be taken");
            let object = folder.path().join("a.o");
            assert!(runs(&compiler(), &[&taken.arguments[..], &["-c".into(), "-o".into(), object.into()]].concat()));
            taken.rest.clone().expect("functions are shared")
        });
        assert_eq!(of_both[0], of_both[1]);
        assert!(of_both[0].is_file());
        assert_eq!(fs::read_dir(shared.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_file_that_opens_otherwise_goes_without() {
        let headers = Headers::Temporary(tempfile::tempdir().unwrap());
        for text in ["", "int a;\n#include \"rt_runtime.h\"\n", "#include <cmath>\n#include \"rt_runtime.h\"\n"] {
            assert!(
                headers.take(&compiler(), &folder(text).path().join("a.cu"), Functions::Shared).is_none(),
                "{text}"
            );
        }
        let changed = folder("#include \"rt_runtime.h\"\n");
        fs::write(changed.path().join("rt_math.h"), "#pragma once\n").unwrap();
        assert!(headers.take(&compiler(), &changed.path().join("a.cu"), Functions::Shared).is_none());
    }

    #[test]
    fn a_compiler_that_cannot_goes_without() {
        let headers = Headers::Temporary(tempfile::tempdir().unwrap());
        let own = folder("#include \"rt_runtime.h\"\n");
        assert!(headers.take(&["false".into()], &own.path().join("a.cu"), Functions::Shared).is_none());
    }

    #[test]
    fn only_old_headers_go() {
        let folder = tempfile::tempdir().unwrap();
        let long_ago = std::time::SystemTime::now() - 2 * KEPT;
        for (name, is_old, file) in [("old", true, OPENING), ("new", false, OPENING), ("other", true, "a.txt")] {
            let path = folder.path().join(name);
            fs::create_dir(&path).unwrap();
            fs::write(path.join(file), "").unwrap();
            if is_old {
                fs::File::open(path).unwrap().set_modified(long_ago).unwrap();
            }
        }
        remove_old(folder.path());
        assert_eq!(["old", "new", "other"].map(|name| folder.path().join(name).is_dir()), [false, true, true]);
    }
}
