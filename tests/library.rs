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
}

/// How the functions of a file are called: what stands before `main`, what it does first, their type, the arguments.
struct Calls {
    data: &'static str,
    fill: &'static str,
    ty: &'static str,
    arguments: &'static str,
}

const DENSE: Calls = Calls {
    data: "static double rt_x[4096], rt_y[4096], rt_z[4096];\n",
    fill: "    for (int i = 0; i < 4096; i++) { rt_x[i] = i % 7 - 3; rt_y[i] = i % 5 - 2; rt_z[i] = i % 3 + 1; }\n",
    ty: "void (*)(int, int, int, double, double, double *, double *, double *)",
    arguments: "9, 11, 7, 1.5, 0.5, rt_x, rt_y, rt_z",
};

/// A matrix of 60 rows: short ones, an empty one, and one of 2,100 entries.
const SPARSE: Calls = Calls {
    data: "static double rt_value[4096], rt_x[4096], rt_y[4096];\n\
           static int rt_start[61], rt_start1[61], rt_index[4096], rt_index1[4096], rt_row[4096];\n\
           static long rt_wide[61];\n",
    fill: "    int rt_nnz = 0;\n\
           \x20   for (int i = 0; i < 60; i++) {\n\
           \x20       for (int k = 0; k < (i == 33 ? 2100 : i % 6); k++, rt_nnz++) {\n\
           \x20           rt_index[rt_nnz] = (i * 7 + k * 11) % 50, rt_index1[rt_nnz] = rt_index[rt_nnz] + 1;\n\
           \x20           rt_row[rt_nnz] = i;\n\
           \x20       }\n\
           \x20       rt_start[i + 1] = rt_nnz, rt_start1[i + 1] = rt_nnz + 1, rt_wide[i + 1] = rt_nnz;\n\
           \x20   }\n\
           \x20   rt_start1[0] = 1;\n\
           \x20   for (int i = 0; i < 4096; i++) { rt_value[i] = i % 7 - 3; rt_x[i] = i % 5 - 2; rt_y[i] = i % 3 + 1; }\n",
    ty: "void (*)(int, int, int, double, double, const int *, const int *, const int *, const long *, const int *, \
         const int *, double *, double *, double *)",
    arguments: "60, 50, rt_nnz, 1.5, 0.5, rt_start, rt_index, rt_row, rt_wide, rt_start1, rt_index1, rt_value, rt_x, rt_y",
};

/// The cases of a file, and a program that calls them all.
fn program(folder: &Path, file: &str, calls: &Calls) -> (Vec<Case>, PathBuf) {
    let c = std::fs::read_to_string(Path::new("tests/library").join(file)).expect("it is there");
    let mut cases: Vec<Case> = vec![];
    let mut said = None;
    for line in c.lines() {
        let name = line.strip_prefix("void ").and_then(|l| l.split_once('(')).map(|(name, _)| name);
        match (said.take(), name) {
            (Some(says), Some(name)) => cases.push(Case { name: name.to_string(), says }),
            (_, None) => said = line.strip_prefix("// ").map(str::to_string),
            (None, Some(name)) => panic!("nothing is said of {name}"),
        }
    }
    let Calls { data, fill, ty, arguments } = calls;
    let mut main = format!("{data}int main(void) {{\n{fill}");
    for case in &cases {
        let _ = writeln!(main, "    (({ty}){})({arguments});", case.name);
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

/// Every function of a file is called as what is said before it (a noun for each saying), and computes the same.
fn are_called(file: &str, calls: &Calls, nouns: &[(&str, &str)]) {
    let folder = tempfile::tempdir().expect("a folder");
    let (cases, path) = program(folder.path(), file, calls);
    let converted = converted(&path);
    let mut faults = vec![];
    for case in &cases {
        let (_, noun) = nouns.iter().find(|(says, _)| case.says == *says).expect("an operator");
        let notes = notes(&converted, &case.name);
        if !notes.contains(noun) {
            faults.push(format!("{} is not {noun}: {notes}", case.name));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    verified(path);
}

/// No function of a file is called, and what is said before it is said of it.
fn are_not_called(file: &str, calls: &Calls) {
    let folder = tempfile::tempdir().expect("a folder");
    let (cases, path) = program(folder.path(), file, calls);
    let converted = converted(&path);
    let mut faults = vec![];
    for case in &cases {
        let notes = notes(&converted, &case.name);
        let near = notes.lines().find(|l| l.contains("nearly"));
        let is_as_said = match case.says.strip_prefix("near: ") {
            Some(part) => near.is_some_and(|l| l.contains(part)),
            None => case.says == "nothing" && near.is_none(),
        };
        if !is_as_said || notes.contains("by cu") {
            faults.push(format!("{}: {} expected, but {notes}", case.name, case.says));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    verified(path);
}

#[test]
fn operators_in_disguise_are_called() {
    let nouns = [("gemm", "(gemm)"), ("gemv", "(gemv)"), ("batched", "(gemmStridedBatched)")];
    are_called("operators.c", &DENSE, &nouns);
}

#[test]
fn what_is_nearly_an_operator_is_not_called() {
    are_not_called("near.c", &DENSE);
}

#[test]
fn sparse_operators_in_disguise_are_called() {
    let nouns = [
        ("spmv rows", "by rows, and a vector (spmv)"),
        ("spmv columns", "by columns, and a vector (spmv)"),
        ("spmv triplets", "by triplets, and a vector (spmv)"),
        ("spmm rows", "by rows, and a dense one (spmm)"),
        ("spmm columns", "by columns, and a dense one (spmm)"),
        ("spmm triplets", "by triplets, and a dense one (spmm)"),
    ];
    are_called("sparse_operators.c", &SPARSE, &nouns);
}

#[test]
fn what_is_nearly_a_sparse_operator_is_not_called() {
    are_not_called("sparse_near.c", &SPARSE);
}
