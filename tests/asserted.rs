//! Assertions that fail in converted loops: the program ends as its original does, and says the same.

use rtcuda::config::Config;
use rtcuda::pipeline::{self, ConvertOptions};
use rtcuda::runtime::build::{self, Target};
use std::path::Path;
use std::process::{Command, Output};

/// Failures that a program is asked for by a number, each with the region in whose stead the original runs.
type Failures = [(&'static str, Option<&'static str>)];

const ASSERTIONS: &Failures = &[
    ("0", None),
    ("1", Some("affine_0")),
    ("2", Some("ends_0")),
    ("3", None),
    ("4", None),
    ("5", Some("called_0")),
    ("6", Some("data_0")),
    ("7", Some("steps_0")),
];

const ENDS: &Failures =
    &[("0", None), ("1", None), ("2", None), ("3", Some("ended_0")), ("4", Some("left_0")), ("5", Some("steps_0"))];

#[test]
fn a_failing_assertion_fails_as_in_the_original() {
    for (number, expected) in as_in_the_original("fails.c", ASSERTIONS) {
        assert_eq!(failure(&expected).is_empty(), number == "0", "{number}");
    }
}

#[test]
fn what_ends_the_program_does_so_as_in_the_original() {
    for (number, expected) in as_in_the_original("ends.c", ENDS) {
        assert_eq!(expected.status.success(), !["3", "5"].contains(&number), "{number}");
    }
}

/// Outputs of the original for each failure, after those of the converted program were found to be the same.
fn as_in_the_original(name: &str, failures: &Failures) -> Vec<(&'static str, Output)> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/asserted").join(name);
    let dir = tempfile::tempdir().expect("a temporary folder");
    let original = dir.path().join("original");
    let gcc = Command::new("gcc").arg("-o").arg(&original).arg(&source).arg("-lm").status().expect("gcc runs");
    assert!(gcc.success());

    let text = "[target]\nbackend = \"cpu\"\n[defaults]\nmin-work = 0\n";
    let config = Config::parse("fails.toml", text).expect("the configuration is valid");
    let options = ConvertOptions { config, ..ConvertOptions::default() };
    let converted = pipeline::convert(&[source], &options).expect("the program converts");
    assert!(converted.diagnostics.is_empty(), "{:?}", converted.diagnostics);
    let folder = dir.path().join("converted");
    let program = build::Program { folder: &folder, files: &converted.files, cflags: &[], headers: None };
    let simulated = build::executable(&program, &Target::Simulation).expect("what is emitted compiles");

    let check = |(number, region): &(&'static str, Option<&str>)| {
        let run = |exe: &Path| Command::new(exe).arg(number).output().expect("the program runs");
        let (expected, found) = (run(&original), run(&simulated));
        assert_eq!(found.status, expected.status, "{number}");
        assert_eq!(found.stdout, expected.stdout, "{number}");
        assert_eq!(failure(&found), failure(&expected), "{number}");
        let said = String::from_utf8_lossy(&found.stderr).into_owned();
        let given_up: Vec<&str> = said.lines().filter_map(|l| l.strip_prefix("rtcuda: region ")).collect();
        assert_eq!(given_up.len(), usize::from(region.is_some()), "{number}: {said}");
        assert!(region.is_none_or(|r| given_up[0].starts_with(r)), "{number}: {said}");
        (*number, expected)
    };
    failures.iter().map(check).collect()
}

/// The function and the text of a failed assertion: lines of a converted file have other numbers.
fn failure(out: &Output) -> String {
    let said = String::from_utf8_lossy(&out.stderr).into_owned();
    let line = said.lines().find(|l| l.contains("Assertion")).unwrap_or_default();
    line.splitn(4, ": ").skip(2).collect::<Vec<_>>().join(": ")
}
