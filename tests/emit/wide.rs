//! Vectors and asynchronous copies: the emitted kernels, to the letter; they compile without a warning, and simulated
//! they compute what plain loops do.

use expect_test::expect_file;
use rtcuda::emit::kernel_text;
use rtcuda::kernel::{parse, verify};
use rtcuda::runtime::toolchain;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output};

const KERNELS: &str = include_str!("wide.txt");

/// The kernels as CUDA text.
fn emitted() -> String {
    let (_, kernels) = parse::module(KERNELS).unwrap_or_else(|e| panic!("{e}"));
    for kernel in &kernels {
        assert_eq!(verify::kernel(kernel, &[]), [], "{}", kernel.name);
    }
    let texts = kernels.iter().map(|kernel| kernel_text::kernel(kernel, &[], "wide.c").unwrap());
    texts.collect::<Vec<_>>().join("\n")
}

/// Compiles the kernels and what calls them in `dir`, without a warning.
fn compile(dir: &Path, compiler: impl AsRef<std::ffi::OsStr>, args: &[&str]) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    std::fs::write(dir.join("kernels.cu"), emitted()).unwrap();
    let mut command = Command::new(compiler);
    command.args(args).arg("-I").arg(root.join("templates/runtime")).arg("-I").arg(dir);
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
    let args = ["-x", "c++", "-std=c++20", "-O1", "-DRT_SIM", "-ffp-contract=off", "-Wall", "-Wextra", "-Werror"];
    compile(dir.path(), "g++", &args);
    for order in ["forward", "reverse", "shuffle:7"] {
        let out = Command::new(dir.path().join("wide")).env("RT_SIM_ORDER", order).output().unwrap();
        said_nothing(&out);
        assert_eq!(String::from_utf8_lossy(&out.stdout), "0 wrong\n", "order {order}");
    }
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
    compile(dir.path(), nvcc.path, &args);
}
