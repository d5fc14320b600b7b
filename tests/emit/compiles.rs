//! The emitted program compiles without a warning, and simulated it prints what the original prints.

use crate::sample;
use rtcuda::emit::{emit, write};
use std::path::Path;
use std::process::{Command, Output};

/// Runs a command, which must succeed.
fn run(dir: &Path, program: &str, args: &[&str]) -> Output {
    let output = Command::new(program)
        .args(args)
        .current_dir(dir)
        .env_remove("MAKEFLAGS")
        .env("RTCUDA_REPORT", "report.json")
        .output()
        .expect(program);
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{program} {args:?}\n{out}{err}");
    output
}

/// What the original prints.
fn original(dir: &Path) -> Vec<u8> {
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/emit/sample.c");
    let options = sample::options(false);
    let mut args = vec!["-O2", source, "-o", "original"];
    args.extend(options.cflags.iter().map(String::as_str));
    run(dir, "cc", &args);
    run(dir, "./original", &[]).stdout
}

/// One call of the sample's passes an array as two: said once, and left to the original loops.
const TOLD: &str = "rtcuda: region histogram (sample.c:43): the original loops run instead: v and hist overlap, \
                    and one of them is written\n";

fn simulated(dir: &Path, check: bool) -> Output {
    let out = dir.join(if check { "check" } else { "plain" });
    let options = sample::options(check);
    write(&emit(&sample::program(), &options).unwrap(), &out).unwrap();
    run(&out, "make", &["sim", "-s", "SIMFLAGS=-O1 -Wextra -Werror"]);
    run(&out, "./sample_sim", &[])
}

#[test]
fn the_simulated_program_prints_what_the_original_prints() {
    let dir = tempfile::tempdir().unwrap();
    let output = simulated(dir.path(), false);
    let expected = String::from_utf8(original(dir.path())).unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), expected);
    assert_eq!(String::from_utf8(output.stderr).unwrap(), TOLD);
}

#[test]
fn check_mode_finds_nothing_and_changes_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let output = simulated(dir.path(), true);
    assert_eq!(output.stdout, original(dir.path()));
    let report = std::fs::read_to_string(dir.path().join("check/report.json")).unwrap();
    assert!(report.contains("jacobi") && report.contains("histogram"), "{report}");
    assert_eq!(String::from_utf8(output.stderr).unwrap(), TOLD);
}
