//! The runtime's headers, parsed once for many simulated programs.
//!
//! A third of what compiling a small simulated program takes goes to `rt_runtime.h` and the standard headers below it. g++
//! takes them from a precompiled header, which is kept in a folder of its own: that of `RTCUDA_PRECOMPILED`, where the tests of
//! one build folder share it, or a temporary one where `rtcuda verify` has several programs.
//!
//! ```text
//! FOLDER/KEY/opening.h      what stands before the first include of the file, and `#include "rt_runtime.h"`
//! FOLDER/KEY/opening.h.gch  the same, precompiled; missing where the compiler cannot use it
//! FOLDER/KEY/rt_*.h         the headers that it was made of
//! ```
//!
//! The compiler reads `opening.h` before the file (`-include`); the file's own includes of the same headers are then empty,
//! because g++ knows a `#pragma once` header of a precompiled one by its contents. clang knows it by its inode, and goes on
//! without: so does whatever compiler refuses a trial.

use super::toolchain;
use crate::emit::RUNTIME;
use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::Duration;
use tempfile::TempDir;

/// The name of the header that the compiler reads first.
const OPENING: &str = "opening.h";

/// Programs for which it is worth while to make one.
const SEVERAL: usize = 4;

/// Headers that are older are removed when others are made.
const KEPT: Duration = Duration::from_secs(24 * 60 * 60);

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

    /// Arguments by which a compiler (a program and its flags) takes the headers of an emitted file as they were parsed once;
    /// none where it cannot, or where something else stands before them in the file.
    pub fn arguments(&self, compiler: &[OsString], source: &Path) -> Vec<OsString> {
        let found = opening(source).and_then(|opening| self.header(compiler, &opening).ok()?);
        found.into_iter().flat_map(|header| ["-include".into(), header.into()]).collect()
    }

    /// The header with an opening, made where there is none yet; `None` where the compiler cannot use it.
    fn header(&self, compiler: &[OsString], opening: &str) -> io::Result<Option<PathBuf>> {
        /// Makers: two threads would both take the time to make the same.
        static MAKING: Mutex<()> = Mutex::new(());
        let _making = MAKING.lock().unwrap_or_else(|e| e.into_inner());
        let place = self.folder().join(key(compiler, opening));
        if !place.is_dir() {
            fs::create_dir_all(self.folder())?;
            remove_old(self.folder());
            let making = tempfile::Builder::new().prefix(".making-").tempdir_in(self.folder())?;
            let made = making.path().join("made");
            make(compiler, opening, &made)?;
            // Where another process was faster, its header is as good.
            let _ = fs::rename(&made, &place);
        }
        let header = place.join(OPENING);
        Ok(precompiled(&header).is_file().then_some(header))
    }
}

/// Whatever stands in a file before it includes the runtime, where that is no more than lines for the preprocessor and the
/// headers beside it are this tool's own.
fn opening(source: &Path) -> Option<String> {
    let text = fs::read_to_string(source).ok()?;
    let includes_runtime = |line: &str| RUNTIME.iter().any(|(name, _)| line == format!("#include \"{name}\""));
    let before = text.lines().take_while(|line| !includes_runtime(line));
    let lines: Vec<&str> = before.filter(|line| !line.is_empty() && !line.starts_with("//")).collect();
    let is_plain = |line: &&str| ["#define ", "#pragma "].iter().any(|word| line.starts_with(word));
    let folder = source.parent()?;
    let is_own = |(name, text): &(&str, &str)| fs::read(folder.join(name)).is_ok_and(|found| found == text.as_bytes());
    let fits = text.lines().any(includes_runtime) && lines.iter().all(is_plain) && RUNTIME.iter().all(is_own);
    fits.then(|| lines.iter().map(|line| format!("{line}\n")).collect())
}

/// A name for what the precompiled header depends on.
fn key(compiler: &[OsString], opening: &str) -> String {
    let mut hasher = DefaultHasher::new();
    let words: Vec<String> = compiler.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    (toolchain::version(&words), words, opening, RUNTIME).hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

fn precompiled(header: &Path) -> PathBuf {
    let mut name = header.as_os_str().to_owned();
    name.push(".gch");
    name.into()
}

/// Makes a folder with the header; the precompiled one only stays where a trial takes it.
fn make(compiler: &[OsString], opening: &str, folder: &Path) -> io::Result<()> {
    let trial = folder.join("trial");
    fs::create_dir_all(&trial)?;
    let text = format!("{opening}#include \"rt_runtime.h\"\n");
    let write = |folder: &Path| RUNTIME.iter().try_for_each(|(name, text)| fs::write(folder.join(name), text));
    write(folder).and_then(|()| write(&trial))?;
    let (header, source) = (folder.join(OPENING), trial.join("trial.cu"));
    fs::write(&header, &text)?;
    fs::write(&source, &text)?;
    let made = precompiled(&header);
    let flag = |word: &str| OsString::from(word);
    // A header as one more language; without `-c` it would be linked, too.
    let is_made = runs(
        compiler,
        &[flag("-c"), flag("-x"), flag("c++-header"), header.clone().into(), flag("-o"), made.clone().into()],
    );
    let words = ["-Winvalid-pch", "-Werror=invalid-pch", "-fsyntax-only", "-include"].map(flag);
    if !is_made || !runs(compiler, &[&words[..], &[header.into(), source.into()]].concat()) {
        // Where it was not made, there is nothing to remove.
        let _ = fs::remove_file(&made);
    }
    fs::remove_dir_all(trial)
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
        let first = folder("// First.\n#define RT_FAST inline\n#include \"rt_runtime.h\"\nint a = RT_SIM;\n");
        let second = folder("#define RT_FAST inline\n\n#include \"rt_sparse.h\"\n");
        let of_both = [&first, &second].map(|folder| {
            let source = folder.path().join("a.cu");
            let arguments = headers.arguments(&compiler(), &source);
            let object = folder.path().join("a.o");
            assert!(runs(
                &compiler(),
                &[&arguments[..], &["-c".into(), source.into(), "-o".into(), object.into()]].concat()
            ));
            arguments
        });
        assert_eq!(of_both[0], of_both[1]);
        assert_eq!(fs::read_dir(shared.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_file_that_opens_otherwise_goes_without() {
        let headers = Headers::Temporary(tempfile::tempdir().unwrap());
        for text in ["", "int a;\n#include \"rt_runtime.h\"\n", "#include <cmath>\n#include \"rt_runtime.h\"\n"] {
            assert!(headers.arguments(&compiler(), &folder(text).path().join("a.cu")).is_empty(), "{text}");
        }
        let changed = folder("#include \"rt_runtime.h\"\n");
        fs::write(changed.path().join("rt_math.h"), "#pragma once\n").unwrap();
        assert!(headers.arguments(&compiler(), &changed.path().join("a.cu")).is_empty());
    }

    #[test]
    fn a_compiler_that_cannot_goes_without() {
        let headers = Headers::Temporary(tempfile::tempdir().unwrap());
        let own = folder("#include \"rt_runtime.h\"\n");
        assert!(headers.arguments(&["false".into()], &own.path().join("a.cu")).is_empty());
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
