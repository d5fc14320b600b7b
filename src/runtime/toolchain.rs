//! The compilers: where they are, and what to do where they are not.

use crate::diag::Diagnostic;
use crate::source::preprocess;
use crate::source::which::{is_program, which};
use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// nvcc, and what its output is linked with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Nvcc {
    /// The program.
    pub path: PathBuf,
    /// The folder of the CUDA runtime library, where nvcc would not find it by itself.
    pub libraries: Option<PathBuf>,
}

impl Nvcc {
    /// What `make` in an output folder is told of it: nothing where it is the one on the `PATH`.
    pub fn make_arguments(&self) -> String {
        if which("nvcc").is_some_and(|found| found == self.path) {
            return String::new();
        }
        let libraries = self.libraries.iter().map(|folder| format!(" LDFLAGS=-L{}", folder.display()));
        format!(" NVCC={}{}", self.path.display(), libraries.collect::<String>())
    }
}

/// The command of the C compiler: `$RTCUDA_CC`, else `$CC`, else `cc`.
///
/// # Errors
/// `no-c-compiler` where it cannot be found.
pub fn c_compiler() -> Result<Vec<String>, Diagnostic> {
    found(preprocess::compiler(), "no-c-compiler", "C", "CC")
}

/// The command of the C++ compiler, which compiles simulated kernels: `$CXX`, else `c++`.
///
/// # Errors
/// `no-cxx-compiler` where it cannot be found.
pub fn cxx_compiler() -> Result<Vec<String>, Diagnostic> {
    let named = env::var("CXX").unwrap_or_default();
    let words: Vec<String> = named.split_whitespace().map(str::to_owned).collect();
    found(if words.is_empty() { vec!["c++".into()] } else { words }, "no-cxx-compiler", "C++", "CXX")
}

fn found(command: Vec<String>, code: &'static str, language: &str, variable: &str) -> Result<Vec<String>, Diagnostic> {
    if which(&command[0]).is_some() {
        return Ok(command);
    }
    let message = format!("there is no {language} compiler `{}`", command[0]);
    let help =
        format!("install g++ (`apt-get install g++`) or clang, or name one in the environment variable {variable}");
    Err(Diagnostic::error(code, message, None).help(help))
}

/// Finds nvcc: `$RTCUDA_NVCC`, the `PATH`, `$CUDA_HOME`, `$CUDA_PATH`, `/usr/local/cuda`, and the compiler that
/// `make setup` installs into `target/cuda` (of the current folder, or of the one this executable was built in).
///
/// # Errors
/// `no-nvcc` where none of these has it.
pub fn nvcc() -> Result<Nvcc, Diagnostic> {
    if let Some(path) = env::var_os("RTCUDA_NVCC").filter(|value| !value.is_empty()).map(PathBuf::from) {
        return which(&path.to_string_lossy()).map(with_libraries).ok_or_else(|| {
            let message = format!("RTCUDA_NVCC is {}, which is not a program", path.display());
            Diagnostic::error("no-nvcc", message, None).help("set it to the path of nvcc, or unset it")
        });
    }
    let toolkits = ["CUDA_HOME", "CUDA_PATH"].into_iter().filter_map(env::var_os).map(PathBuf::from);
    let folders = toolkits.chain([PathBuf::from("/usr/local/cuda")]).chain(wheels());
    which("nvcc")
        .or_else(|| folders.map(|folder| folder.join("bin/nvcc")).find(|path| is_program(path)))
        .map(with_libraries)
        .ok_or_else(|| {
            Diagnostic::error("no-nvcc", "there is no CUDA compiler (nvcc)", None).help(
                "`make setup` in rtcuda's folder installs one into target/cuda, without a GPU or root; an installed \
                 one is found on the PATH, or by CUDA_HOME or RTCUDA_NVCC",
            )
        })
}

/// Where pip's wheels put CUDA 13 below a `target/cuda` environment.
fn wheels() -> Vec<PathBuf> {
    let mut targets: Vec<PathBuf> = vec!["target".into()];
    if let Ok(exe) = env::current_exe() {
        targets.extend(exe.ancestors().skip(1).take(3).map(Path::to_owned));
    }
    let pythons = targets.iter().filter_map(|target| std::fs::read_dir(target.join("cuda/lib")).ok()).flatten();
    pythons.flatten().map(|python| python.path().join("site-packages/nvidia/cu13")).collect()
}

fn with_libraries(path: PathBuf) -> Nvcc {
    let path = std::path::absolute(&path).unwrap_or(path);
    let toolkit = path.parent().and_then(Path::parent);
    let libraries = toolkit.map(|toolkit| toolkit.join("lib")).filter(|lib| lib.join("libcudart_static.a").exists());
    Nvcc { path, libraries }
}

/// What a compiler says of its version: the line of `--version` that names a number.
pub fn version(command: &[String]) -> Option<String> {
    let output = Command::new(&command[0]).args(&command[1..]).arg("--version").stdin(Stdio::null()).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let line = text.lines().find(|line| line.contains("release")).or_else(|| text.lines().next());
    line.filter(|_| output.status.success()).map(str::to_owned)
}
