//! Builds an emitted folder: C by the C compiler with the user's flags, `.cu` by nvcc for a GPU or by the C++
//! compiler for the simulation, all files at once, then linked.

use super::call::{Call, Failure};
use super::precompiled::{Functions, Headers};
use super::toolchain::{self, Nvcc};
use crate::api;
use crate::diag::{Diagnostic, Stop};
use crate::emit::{self, build_files};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// What the program is built for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// The simulation on the CPU.
    Simulation,
    /// A GPU.
    Gpu {
        /// The compiler.
        nvcc: Nvcc,
        /// What `nvcc -arch` takes: `sm_90`.
        arch: String,
        /// Flag: a multiplication and an addition may become one rounding.
        fmad: bool,
    },
}

/// An emitted program to build.
#[derive(Debug)]
pub struct Program<'a> {
    /// The folder that it is written to.
    pub folder: &'a Path,
    /// What is written.
    pub files: &'a [emit::File],
    /// The user's flags, of which the link takes its own; the C files have theirs in response files beside them.
    pub cflags: &'a [String],
    /// Precompiled headers of the simulation; those of the environment, if it has some, where there are none.
    pub headers: Option<&'a Headers>,
}

/// An emitted file that a compiler refuses.
#[derive(Debug, Clone)]
pub struct Refused {
    /// The file.
    pub file: PathBuf,
    /// The compiler's words.
    pub words: String,
}

impl Refused {
    /// The line of the compiler's that has its first error.
    pub fn first_error(&self) -> String {
        let mut lines = self.words.lines();
        let first = lines.clone().find(|line| line.contains("error")).or_else(|| lines.next()).unwrap_or_default();
        let message = first.split_once("error").map_or(first, |(_, message)| message);
        message.trim_start_matches([':', ' ']).trim_end().to_owned()
    }
}

impl From<Refused> for Stop {
    fn from(Refused { file, words }: Refused) -> Stop {
        let name = file.file_name().unwrap_or_default().display();
        if has_extension(&file, "cu") {
            return Stop::Bug(format!("the emitted file {name} does not compile:\n{words}"));
        }
        Diagnostic::error("compile-failed", format!("the converted {name} does not compile"), None)
            .note(None, words)
            .help("see whether the original compiles with the same flags; they go after `--`")
            .into()
    }
}

/// Writes, compiles and links; gives the path of the executable.
///
/// # Errors
/// A folder that cannot be written, a missing compiler, C that does not compile or link, as [`Stop::Input`]; a `.cu` file that does not compile is
/// this tool's fault, [`Stop::Bug`].
pub fn executable(program: &Program, target: &Target) -> Result<PathBuf, Stop> {
    attempt(program, target)?.map_err(Stop::from)
}

/// The same, or the first file that does not compile.
///
/// # Errors
/// As [`executable`], but for files that do not compile.
pub fn attempt(program: &Program, target: &Target) -> Result<Result<PathBuf, Refused>, Stop> {
    emit::write(program.files, program.folder)?;
    let objects = match objects(program, target)? {
        Ok(objects) => objects,
        Err(refused) => return Ok(Err(refused)),
    };
    let path = program.folder.join("program");
    let here = std::env::current_dir().unwrap_or_default();
    let mut link = Call::new(&linker(target)?);
    link.args(&objects).args(["-o".into(), path.clone()]);
    link.args(build_files::link_flags(program.cflags, &here)).args(["-lm"]);
    link.args(program.files.iter().any(|file| file.path.ends_with(api::HEADER)).then_some("-ldl"));
    link.run().map_err(|failure| match failure {
        Failure::Start(stop) => stop,
        Failure::Refused(words) => Diagnostic::error("link-failed", "the converted program does not link", None)
            .note(None, words)
            .help("name every C file of the program, and its libraries after `--`, as in `-- -lfftw3`")
            .into(),
    })?;
    Ok(Ok(path))
}

/// Compiles every C and CUDA file, all at once; gives the paths of the objects, and of what these need, or the first file
/// that does not compile.
fn objects(program: &Program, target: &Target) -> Result<Result<Vec<PathBuf>, Refused>, Stop> {
    let sources: Vec<PathBuf> = program.files.iter().map(|file| program.folder.join(&file.path)).collect();
    let sources = sources.iter().filter(|source| has_extension(source, "c") || has_extension(source, "cu"));
    let done: Vec<Result<Vec<PathBuf>, Failed>> = std::thread::scope(|scope| {
        let threads: Vec<_> =
            sources.map(|source| scope.spawn(move || compile(source, target, program.headers))).collect();
        let panicked = |_| Err(Stop::Bug("build: a compiling thread panicked".into()).into());
        threads.into_iter().map(|thread| thread.join().unwrap_or_else(panicked)).collect()
    });
    let all: Vec<Vec<PathBuf>> = match done.into_iter().collect::<Result<_, _>>() {
        Ok(all) => all,
        Err(Failed::Refused(refused)) => return Ok(Err(refused)),
        Err(Failed::Stop(stop)) => return Err(stop),
    };
    let mut objects: Vec<PathBuf> = all.concat();
    let mut seen = BTreeSet::new();
    objects.retain(|object| seen.insert(object.clone()));
    Ok(Ok(objects))
}

/// Why a file was not compiled.
enum Failed {
    Stop(Stop),
    Refused(Refused),
}

impl Failed {
    /// Failure of a compiler's call for a file.
    fn of(failure: Failure, source: &Path) -> Failed {
        match failure {
            Failure::Start(stop) => Failed::Stop(stop),
            Failure::Refused(words) => Failed::Refused(Refused { file: source.to_owned(), words }),
        }
    }
}

impl From<Stop> for Failed {
    fn from(stop: Stop) -> Failed {
        Failed::Stop(stop)
    }
}

impl From<Failed> for Stop {
    fn from(failed: Failed) -> Stop {
        match failed {
            Failed::Stop(stop) => stop,
            Failed::Refused(refused) => refused.into(),
        }
    }
}

fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|found| found == extension)
}

fn compile(source: &Path, target: &Target, headers: Option<&Headers>) -> Result<Vec<PathBuf>, Failed> {
    if has_extension(source, "cu") {
        return compile_cuda(source, target, headers);
    }
    let object = source.with_extension("o");
    let mut call = Call::new(&toolchain::c_compiler().map_err(Stop::from)?);
    // Lines of the user's, for a profile: they change no code. Flags of the user's own count.
    call.args(["-g1".into(), format!("@{}", source.with_extension("cflags").display()), "-w".into()]);
    // Where the API's header is, for files that lie elsewhere and are included.
    call.args(source.parent().map(|folder| ["-idirafter".as_ref(), folder]).into_iter().flatten());
    call.args(["-c".as_ref(), source, "-o".as_ref(), &object]);
    call.run().map(|()| vec![object]).map_err(|failure| Failed::of(failure, source))
}

fn compile_cuda(source: &Path, target: &Target, headers: Option<&Headers>) -> Result<Vec<PathBuf>, Failed> {
    let object = source.with_extension("cu.o");
    let compiler = cuda_compiler(target)?;
    let call = |arguments: &[OsString]| {
        let mut call = Call::new(&compiler);
        call.args(arguments).args(["-c".as_ref(), "-o".as_ref(), object.as_os_str()]).run()
    };
    let named = headers.is_none().then(Headers::named).flatten();
    let taken = match (target, headers.or(named.as_ref())) {
        (Target::Simulation, Some(headers)) => headers.take(&compiler, source, Functions::Shared),
        _ => None,
    };
    if let Some(taken) = taken.filter(|taken| call(&taken.arguments).is_ok()) {
        return Ok([object].into_iter().chain(taken.rest).collect());
    }
    // Where it fails with them, what it says without them counts.
    call(&[source.into()]).map_err(|failure| Failed::of(failure, source))?;
    Ok(vec![object])
}

/// Compiles an emitted `.cu` file into an object that a shared library may take too. Messages and the object name the
/// file as it is named here, from `folder`.
///
/// # Errors
/// A missing compiler.
pub fn cuda_object(folder: &Path, source: &Path, object: &Path, target: &Target) -> Result<Result<(), Refused>, Stop> {
    let mut call = Call::new(&cuda_compiler(target)?);
    call.args(matches!(target, Target::Gpu { .. }).then_some("-Xcompiler")).args(["-fPIC"]);
    call.folder(folder).args(["-c".as_ref(), source, "-o".as_ref(), object]);
    match call.run().map_err(|failure| Failed::of(failure, source)) {
        Ok(()) => Ok(Ok(())),
        Err(Failed::Refused(refused)) => Ok(Err(refused)),
        Err(Failed::Stop(stop)) => Err(stop),
    }
}

/// Compiles and links an emitted `.cu` file of a folder into a library that a program can load, until nobody waits for it. Code of
/// the host, half of what compiling takes, is hardly optimised: it launches kernels, whose code is the same.
///
/// # Errors
/// A missing compiler as [`Stop::Input`]; a file that does not compile as [`Stop::Bug`].
pub fn shared(
    folder: &Path,
    source: &Path,
    library: &Path,
    target: &Target,
    is_over: Option<&Arc<AtomicBool>>,
) -> Result<(), Stop> {
    let mut call = Call::new(&cuda_compiler_with(target, "-O1")?);
    call.until(is_over);
    call.args(matches!(target, Target::Gpu { .. }).then_some("-Xcompiler")).args(["-fPIC", "-shared"]);
    call.folder(folder).args([source, "-o".as_ref(), library]).args(folders_of_libraries(target));
    run_cuda(&mut call, source)
}

/// The words of ptxas on the kernels of an emitted `.cu` file of a folder, for a GPU: registers, spills, shared memory.
///
/// # Errors
/// As [`shared`].
pub fn told_by_ptxas(folder: &Path, source: &Path, target: &Target) -> Result<String, Stop> {
    let mut call = Call::new(&cuda_compiler(target)?);
    call.folder(folder).args(["-Xptxas", "-v", "-cubin", "-o", "/dev/null"]).args([source]);
    call.words().map_err(|failure| in_cuda(failure, source))
}

/// Compiles the kernels of an emitted `.cu` file of a folder to PTX that tells its source lines.
///
/// # Errors
/// As [`shared`].
pub fn ptx(folder: &Path, source: &Path, ptx: &Path, target: &Target) -> Result<(), Stop> {
    let mut call = Call::new(&cuda_compiler(target)?);
    call.folder(folder).args(["-ptx", "-lineinfo", "-o"]).args([ptx, source]);
    run_cuda(&mut call, source)
}

fn run_cuda(call: &mut Call, source: &Path) -> Result<(), Stop> {
    call.run().map_err(|failure| in_cuda(failure, source))
}

fn in_cuda(failure: Failure, source: &Path) -> Stop {
    Failed::of(failure, source).into()
}

/// Compiles and links CUDA that is not emitted, with the flags of what is.
///
/// # Errors
/// See [`Failure`]; what is refused is as often a library that is not installed.
pub fn by_hand(source: &Path, libraries: &[&str], path: &Path, target: &Target) -> Result<(), Failure> {
    let mut call = Call::new(&cuda_compiler(target).map_err(Failure::Start)?);
    call.args(["-o".as_ref(), path, source]).args(folders_of_libraries(target));
    call.args(libraries.iter().map(|name| format!("-l{name}"))).run()
}

fn cuda_compiler(target: &Target) -> Result<Vec<OsString>, Stop> {
    cuda_compiler_with(target, "-O3")
}

/// The compiler with a level at which code of the host is optimised.
pub(super) fn cuda_compiler_with(target: &Target, host: &str) -> Result<Vec<OsString>, Stop> {
    let words = |words: &[&str]| -> Vec<OsString> { words.iter().map(OsString::from).collect() };
    Ok(match target {
        Target::Simulation => {
            let mut command: Vec<OsString> = toolchain::cxx_compiler()?.into_iter().map(OsString::from).collect();
            command.extend(words(&["-x", "c++", "-std=c++20", "-O1", "-ffp-contract=off", "-DRT_SIM"]));
            command
        }
        Target::Gpu { nvcc, arch, fmad } => {
            let fmad = format!("-fmad={fmad}");
            let mut command = vec![nvcc.path.clone().into_os_string()];
            command.extend(words(&["-std=c++20", host, "-arch", arch, &fmad, "-Xcompiler", "-ffp-contract=off"]));
            command
        }
    })
}

fn linker(target: &Target) -> Result<Vec<OsString>, Stop> {
    Ok(match target {
        Target::Simulation => toolchain::cxx_compiler()?.into_iter().map(OsString::from).collect(),
        Target::Gpu { nvcc, arch, .. } => {
            let mut command: Vec<OsString> = vec![nvcc.path.clone().into(), "-arch".into(), arch.into()];
            command.extend(folders_of_libraries(target));
            command
        }
    })
}

pub(super) fn folders_of_libraries(target: &Target) -> Vec<OsString> {
    let folder = match target {
        Target::Simulation => None,
        Target::Gpu { nvcc, .. } => nvcc.libraries.as_ref(),
    };
    folder.into_iter().flat_map(|folder| ["-L".into(), folder.into()]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::io::Write;
    use std::process::Command;

    fn build(c: &str, cu: &str, cflags: &[&str]) -> Result<i32, Stop> {
        build_for(&Target::Simulation, c, cu, cflags)
    }

    fn build_for(target: &Target, c: &str, cu: &str, cflags: &[&str]) -> Result<i32, Stop> {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, text: &str| emit::File { path: name.into(), contents: text.into() };
        let files = [file("a.c", c), file("a.cu", cu), file("a.cflags", &cflags.join(" ")), file("notes.txt", "")];
        let cflags: Vec<String> = cflags.iter().map(|flag| flag.to_string()).collect();
        let program = Program { folder: folder.path(), files: &files, cflags: &cflags, headers: None };
        let executable = executable(&program, target)?;
        Ok(Command::new(executable).status().unwrap().code().unwrap())
    }

    const CU: &str = "extern \"C\" int f() { return RT_SIM; }\n";

    #[test]
    fn c_and_cuda_become_one_program() {
        let c = "extern int f(void); int main(void) { return f() + N; }\n";
        assert_eq!(build(c, CU, &["-DN=41"]).unwrap(), 42);
    }

    #[test]
    fn nvcc_needs_no_gpu() {
        let Ok(nvcc) = toolchain::nvcc() else {
            // Past the harness, which shows nothing of a test that passes.
            let _ = writeln!(std::io::stderr(), "[SKIP] nvcc_needs_no_gpu: there is no nvcc");
            return;
        };
        let gpu = Target::Gpu { nvcc, arch: "sm_90".into(), fmad: false };
        let cu =
            "__global__ void k() {}\nextern \"C\" int f() { k<<<1, 1>>>(); return cudaDeviceSynchronize() < 0; }\n";
        assert_eq!(build_for(&gpu, "int f(void); int main(void) { return f(); }\n", cu, &["-Wl,-O1"]).unwrap(), 0);
        let folder = tempfile::tempdir().unwrap();
        let (source, path) = (folder.path().join("a.cu"), folder.path().join("a"));
        fs::write(&source, "__global__ void k() {}\nint main() { return sin(0.0); }\n").unwrap();
        assert!(by_hand(&source, &["m"], &path, &gpu).is_ok());
        assert!(Command::new(path).status().unwrap().success());
        assert!(matches!(by_hand(&source, &["none-such"], &folder.path().join("b"), &gpu), Err(Failure::Refused(_))));
    }

    #[test]
    fn faults_are_told_apart() {
        let code = |result: Result<i32, Stop>| match result {
            Err(Stop::Input(d)) => d.code,
            Err(Stop::Bug(_)) => "bug",
            Ok(_) => "ok",
        };
        assert_eq!(code(build("int main(void) { return x; }\n", CU, &[])), "compile-failed");
        assert_eq!(code(build("int g(void); int main(void) { return g(); }\n", CU, &[])), "link-failed");
        assert_eq!(code(build("int main(void) { return 0; }\n", "no C++", &[])), "bug");
    }
}
