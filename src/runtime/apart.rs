//! An emitted CUDA file compiled in two parts at once, for who compiles many that are run but a few times.
//!
//! ```text
//! file ─┬─ nvcc -cubin ─────────────────────── code.cubin, names of its kernels ─┬─ library
//!       └─ kernels declared ─ g++, with headers that are parsed once ─ host.o ───┘
//! ```
//! As a whole, nvcc parses a file four times and leaves the host's part to g++ behind all that is compiled for the device. In
//! parts g++ takes the runtime's headers precompiled, and both go on at the same time. The code for the device is the same.
//!
//! A kernel's place is its name there, by which the runtime asks for its code (`templates/runtime/rt_code.h`). A file whose host's
//! part needs more of the device's than kernels cannot be parted: the compiler or the linker refuses it.

use super::build::{Target, cuda_compiler_with, folders_of_libraries};
use super::call::{Call, Failure};
use super::precompiled::{Functions, Headers};
use super::{ptxas, toolchain};
use crate::diag::Stop;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Tells the runtime's headers that a file is compiled in parts.
const APART: &str = "-DRT_APART";

/// The files that are made on the way.
const HOST: &str = "host_part.cu";
const CODE: &str = "code.cubin";
const NAMES: &str = "names.s";

/// Compiles an emitted `.cu` file of a folder into a library that a program can load, as
/// [`build::shared`](super::build::shared) does.
///
/// # Errors
/// A file that cannot be parted, or does not compile.
pub fn shared(
    folder: &Path,
    source: &Path,
    library: &Path,
    target: &Target,
    (headers, is_over): (&Headers, Option<&Arc<AtomicBool>>),
) -> Result<(), Failure> {
    let failed = |e: io::Error| Failure::Refused(e.to_string());
    let text = fs::read_to_string(folder.join(source)).map_err(failed)?;
    fs::write(folder.join(HOST), declared(&text)).map_err(failed)?;
    let (words, object) = std::thread::scope(|scope| {
        let host = scope.spawn(|| host(folder, target, headers, is_over));
        let words = code(folder, source, target, is_over);
        let panicked = |_| Err(Failure::Start(Stop::Bug("apart: a compiling thread panicked".into())));
        (words, host.join().unwrap_or_else(panicked))
    });
    let (words, object) = (words?, object?);
    fs::write(folder.join(NAMES), names(ptxas::read(&words).keys())).map_err(failed)?;
    let mut link = Call::new(&toolchain::cxx_compiler().map_err(|fault| Failure::Start(fault.into()))?);
    link.until(is_over).folder(folder).args(["-shared", "-Wl,-z,defs", "-o"]).args([library, &object]).args([NAMES]);
    link.args(folders_of_libraries(target)).args(toolkit(target).map(|root| in_folder("-L", &root.join("lib64"))));
    link.args(["-lcudart_static", "-lrt", "-lpthread", "-ldl"]).run()
}

/// Compiles the code for the device; gives the words of ptxas.
fn code(folder: &Path, source: &Path, target: &Target, is_over: Option<&Arc<AtomicBool>>) -> Result<String, Failure> {
    let mut call = Call::new(&cuda_compiler_with(target, "-O1").map_err(Failure::Start)?);
    call.until(is_over).folder(folder).args([APART, "-Xptxas", "-v", "-cubin", "-o", CODE]).args([source]);
    call.words()
}

/// Compiles the host's part; gives the path of its object. It is hardly optimised, as in
/// [`build::shared`](super::build::shared).
fn host(
    folder: &Path,
    target: &Target,
    headers: &Headers,
    is_over: Option<&Arc<AtomicBool>>,
) -> Result<PathBuf, Failure> {
    let compiler = toolchain::cxx_compiler().map_err(|fault| Failure::Start(fault.into()))?;
    let words = ["-x", "c++", "-std=c++20", "-Og", "-w", "-fPIC", "-ffp-contract=off", APART];
    let includes = toolkit(target).map(|root| in_folder("-I", &root.join("include")));
    let compiler: Vec<OsString> =
        compiler.into_iter().map(OsString::from).chain(words.map(OsString::from)).chain(includes).collect();
    let object = folder.join("host_part.o");
    let mut call = Call::new(&compiler);
    let taken = headers.take(&compiler, &folder.join(HOST), Functions::InEach);
    let arguments = taken.as_ref().map_or_else(|| vec![HOST.into()], |taken| taken.arguments.clone());
    call.until(is_over).folder(folder).args(arguments).args(["-c", "-o"]).args([&object]).run()?;
    Ok(object)
}

/// The folder of nvcc's toolkit.
fn toolkit(target: &Target) -> Option<PathBuf> {
    let Target::Gpu { nvcc, .. } = target else { return None };
    let path = nvcc.path.canonicalize().ok()?;
    path.parent().and_then(Path::parent).map(Path::to_owned)
}

fn in_folder(flag: &str, folder: &Path) -> OsString {
    let mut word = OsString::from(flag);
    word.push(folder);
    word
}

/// An emitted file with its kernels declared alone. A kernel begins with a line of its own, and its body with another.
fn declared(text: &str) -> String {
    let mut out = String::new();
    let (mut is_head, mut is_body) = (false, false);
    for line in text.lines() {
        is_head |= line.starts_with("RT_KERNEL ");
        if is_head && line == "{" {
            (is_head, is_body) = (false, true);
            out += ";\n";
        } else if is_body {
            is_body = line != "}";
        } else {
            out += line;
            out.push('\n');
        }
    }
    out
}

/// Assembler's text that has the code for the device, and at each kernel's place its name.
fn names<'n>(kernels: impl Iterator<Item = &'n String>) -> String {
    let one = |label: &str, what: String| format!("\t.globl {label}\n\t.hidden {label}\n{label}:\n\t{what}\n");
    let mut out = format!("\t.section .rodata\n\t.balign 64\n{}", one("rt_device_code", format!(".incbin \"{CODE}\"")));
    for name in kernels {
        out += &one(name, format!(".asciz \"{name}\""));
    }
    out + "\t.section .note.GNU-stack,\"\",@progbits\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_are_declared_alone() {
        let text = "// A kernel.\ntemplate <int BLOCK_0>\nRT_KERNEL void RT_THREADS(BLOCK_0) rt_f_0_k0(const int n,\n    \
                    const rt_in<float> a)\n{\n    if (n) {\n    }\n}\n\nint rt_f(void)\n{\n}\n";
        let expected = "// A kernel.\ntemplate <int BLOCK_0>\nRT_KERNEL void RT_THREADS(BLOCK_0) rt_f_0_k0(const int n,\n    \
                        const rt_in<float> a)\n;\n\nint rt_f(void)\n{\n}\n";
        assert_eq!(declared(text), expected);
    }

    #[test]
    fn the_place_of_a_kernel_is_its_name() {
        let text = names(["_Z1kPf".to_owned()].iter());
        assert!(text.contains("rt_device_code:\n\t.incbin \"code.cubin\"\n"), "{text}");
        assert!(text.contains("\t.globl _Z1kPf\n\t.hidden _Z1kPf\n_Z1kPf:\n\t.asciz \"_Z1kPf\"\n"), "{text}");
    }
}
