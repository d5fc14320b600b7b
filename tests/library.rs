//! Operators that a library has, in disguise, and what is only nearly one: `tests/library/operators.c` is replaced function by
//! function by what is said before each, and computes the same; of `tests/library/near.c` nothing is replaced, and it is
//! said what differs.

use rtcuda::config::{Backend, Config, Library};
use rtcuda::diag::render::Style;
use rtcuda::pipeline::{self, ConvertOptions};
use rtcuda::report::Report;
use rtcuda::runtime::programs::Program;
use rtcuda::runtime::verify::{self, Options, Verdict};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A function, and what is said before it.
struct Case {
    name: String,
    says: String,
    /// What each of its three arrays holds.
    elements: Vec<&'static str>,
}

/// What the arrays of a function hold, whose parameters follow.
fn elements(parameters: &str) -> Vec<&'static str> {
    let parameters = parameters.split(')').next().expect("it ends");
    let of = |p: &str| ["float", "int"].into_iter().find(|ty| p.trim().starts_with(ty)).unwrap_or("double");
    parameters.split(',').skip(5).map(of).collect()
}

/// The cases of a file, and a program that calls them all.
fn program(folder: &Path, file: &str) -> (Vec<Case>, PathBuf) {
    let c = std::fs::read_to_string(Path::new("tests/library").join(file)).expect("it is there");
    let mut cases: Vec<Case> = vec![];
    let mut said = None;
    for (at, line) in c.lines().enumerate() {
        let name = line.strip_prefix("void ").and_then(|l| l.split_once('(')).map(|(name, _)| name);
        match (said.take(), name) {
            (Some(says), Some(name)) => {
                let text: Vec<&str> = c.lines().skip(at).collect();
                let elements = elements(&text.join(" "));
                cases.push(Case { name: name.to_string(), says, elements });
            }
            (_, None) => said = line.strip_prefix("// ").map(str::to_string),
            (None, Some(name)) => panic!("nothing is said of {name}"),
        }
    }
    let mut main = String::new();
    for ty in ["float", "double", "int"] {
        let _ = writeln!(main, "static {ty} rt_x_{ty}[4096], rt_y_{ty}[4096], rt_z_{ty}[4096];");
    }
    main += "static void rt_fill(void) {\n    for (int i = 0; i < 4096; i++) {\n";
    for ty in ["float", "double", "int"] {
        // None is zero but for integers: some are divided by.
        let _ =
            writeln!(main, "        rt_x_{ty}[i] = i % 7 - 2.5; rt_y_{ty}[i] = i % 5 - 1.5; rt_z_{ty}[i] = i % 3 + 1;");
    }
    main += "    }\n}\nint main(void) {\n";
    for case in &cases {
        let types: Vec<String> = case.elements.iter().map(|ty| format!("{ty} *")).collect();
        let names: Vec<String> =
            ["x", "y", "z"].iter().zip(&case.elements).map(|(name, ty)| format!("rt_{name}_{ty}")).collect();
        let ty = format!("void (*)(int, int, int, double, double, {})", types.join(", "));
        let _ = writeln!(main, "    rt_fill();\n    (({ty}){})(9, 11, 7, 1.5, 0.5, {});", case.name, names.join(", "));
    }
    let path = folder.join(file);
    std::fs::write(&path, format!("{c}\n{main}    return 0;\n}}\n")).expect("the folder is writable");
    (cases, path)
}

fn converted(path: &Path) -> Report {
    let options = ConvertOptions { config: config(), ..ConvertOptions::default() };
    let converted = pipeline::convert(&[path.to_path_buf()], &options).expect("it converts");
    serde_json::from_value(converted.report).expect("it is a report")
}

/// Calls wherever there is an operator, in a simulation.
fn config() -> Config {
    let mut config = Config::default();
    config.defaults.library = Library::Always;
    config.target.backend = Backend::Cpu;
    config
}

/// What is said of the regions of a function.
fn notes(report: &Report, function: &str) -> String {
    let regions = report.regions.iter().filter(|r| r.function == function);
    regions.flat_map(|r| r.notes.clone()).collect::<Vec<_>>().join("\n")
}

fn verified(path: PathBuf) {
    let options = Options { convert: pipeline::convert, cflags: Vec::new(), limit: Duration::from_secs(60) };
    let program = Program { files: vec![path], config: config(), config_file: None };
    let verifications = verify::all(&[program], &options, &|_| {});
    let text = verify::text::text(&verifications, Style::Plain);
    assert_eq!(verifications[0].verdict, Verdict::Verified, "{text}");
}

/// The functions of a file are the operators that are said before them, and compute the same.
fn are_operators(file: &str) {
    let folder = tempfile::tempdir().expect("a folder");
    let (cases, path) = program(folder.path(), file);
    let converted = converted(&path);
    let mut faults = vec![];
    for case in &cases {
        let noun = match case.says.as_str() {
            "batched" => "(gemmStridedBatched)".to_string(),
            name => format!("({name})"),
        };
        let notes = notes(&converted, &case.name);
        if !notes.contains(&noun) {
            faults.push(format!("{} is not {noun}: {notes}", case.name));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    verified(path);
}

#[test]
fn operators_in_disguise_are_called() {
    are_operators("operators.c");
}

#[test]
fn operators_with_a_triangle_are_called() {
    are_operators("triangles.c");
}

/// Of a file nothing is replaced, and it is said what differs.
fn are_nearly_operators(file: &str) {
    let folder = tempfile::tempdir().expect("a folder");
    let (cases, path) = program(folder.path(), file);
    let converted = converted(&path);
    let mut faults = vec![];
    for case in &cases {
        let notes = notes(&converted, &case.name);
        let near = notes.lines().find(|l| l.contains("nearly"));
        let is_as_said = match case.says.strip_prefix("near: ") {
            Some(part) => near.is_some_and(|l| l.contains(part)),
            None => case.says == "nothing" && near.is_none(),
        };
        if !is_as_said || notes.contains("by cuBLAS") {
            faults.push(format!("{}: {} expected, but {notes}", case.name, case.says));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    verified(path);
}

#[test]
fn what_is_nearly_an_operator_is_not_called() {
    are_nearly_operators("near.c");
}

#[test]
fn what_has_nearly_a_triangle_is_not_called() {
    are_nearly_operators("near_triangles.c");
}

#[test]
fn operators_on_vectors_are_called() {
    are_operators("vectors.c");
}

#[test]
fn what_is_nearly_an_operator_on_vectors_is_not_called() {
    are_nearly_operators("near_vectors.c");
}
