//! Vectors and asynchronous copies: the emitted kernels, to the letter; they compile without a warning, and simulated
//! they compute what plain loops do.

use expect_test::expect_file;
use rtcuda::emit::kernel_text;
use rtcuda::kernel::{Kernel, parse, verify};
use rtcuda::lower::{registers, unroll};
use rtcuda::runtime::toolchain;
use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output};

/// As a simulation of emitted kernels is compiled.
const SIMULATION: [&str; 9] =
    ["-x", "c++", "-std=c++20", "-O1", "-DRT_SIM", "-ffp-contract=off", "-Wall", "-Wextra", "-Werror"];

const KERNELS: &str = include_str!("wide.txt");

fn kernels() -> Vec<Kernel> {
    let (_, mut kernels) = parse::module(KERNELS).unwrap_or_else(|e| panic!("{e}"));
    registers::all(&mut kernels, &mut []);
    unroll::all(&mut kernels, &mut []);
    kernels
}

/// The kernels as CUDA text.
fn emitted() -> String {
    let kernels = kernels();
    for kernel in &kernels {
        assert_eq!(verify::kernel(kernel, &[]), [], "{}", kernel.name);
    }
    let texts = kernels.iter().map(|kernel| kernel_text::kernel(kernel, &[], &BTreeSet::new(), "wide.c").unwrap());
    texts.collect::<Vec<_>>().join("\n")
}

/// The bytes that the launch of `mirrored` asks for. `tests/gpu.sh` says them, too.
fn mirrored_bytes() -> i64 {
    kernels().iter().find_map(verify::launch_shared).unwrap()
}

/// Compiles the kernels and what calls them in `dir`, without a warning.
fn compile(dir: &Path, compiler: impl AsRef<std::ffi::OsStr>, args: &[&str], bytes: i64) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    std::fs::write(dir.join("wide.cu"), emitted()).unwrap();
    let mut command = Command::new(compiler);
    command
        .arg(format!("-DMIRRORED_BYTES={bytes}"))
        .args(args)
        .arg("-I")
        .arg(root.join("templates/runtime"))
        .arg("-I")
        .arg(dir);
    said_nothing(&command.arg("-o").arg(dir.join("wide")).arg(root.join("tests/emit/wide_main.cu")).output().unwrap());
}

fn said_nothing(out: &Output) {
    assert!(out.status.success() && out.stderr.is_empty(), "{}", String::from_utf8_lossy(&out.stderr));
}

#[test]
fn wide_kernels() {
    expect_file!["golden/wide.cu"].assert_eq(&emitted());
}

#[test]
fn wide_kernels_compute_what_plain_loops_do() {
    let dir = tempfile::tempdir().unwrap();
    assert!(include_str!("../gpu.sh").contains(&format!("-DMIRRORED_BYTES={} ", mirrored_bytes())));
    compile(dir.path(), "g++", &SIMULATION, mirrored_bytes());
    for order in ["forward", "reverse", "shuffle:7"] {
        let out = Command::new(dir.path().join("wide")).env("RT_SIM_ORDER", order).output().unwrap();
        said_nothing(&out);
        assert_eq!(String::from_utf8_lossy(&out.stdout), "0 wrong\n", "order {order}");
    }
}

#[test]
fn a_launch_that_asks_for_too_little_shared_memory_is_found() {
    let dir = tempfile::tempdir().unwrap();
    compile(dir.path(), "g++", &SIMULATION, mirrored_bytes() - 1);
    let out = Command::new(dir.path().join("wide")).output().unwrap();
    assert_eq!(out.status.code(), Some(4));
    let said = String::from_utf8_lossy(&out.stderr).into_owned();
    let bytes = mirrored_bytes();
    let (last, asked) = (bytes - 2, bytes - 1);
    assert!(said.contains(&format!("weight has elements 0 to {last} here, and {asked} is asked for")), "{said}");
}

#[test]
fn nvcc_compiles_wide_kernels_without_a_warning() {
    let nvcc = match toolchain::nvcc() {
        Ok(nvcc) => nvcc,
        Err(missing) => {
            let _ = writeln!(std::io::stderr(), "[SKIP] nvcc_compiles_wide_kernels: {}", missing.message);
            return;
        }
    };
    let dir = tempfile::tempdir().unwrap();
    let args = ["-std=c++20", "-O3", "-arch=sm_90", "-Xcompiler=-Wall,-Wextra", "-Werror=all-warnings", "-c"];
    compile(dir.path(), nvcc.path, &args, mirrored_bytes());
}
