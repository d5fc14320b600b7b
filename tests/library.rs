//! Operators that a library has, in disguise, and what is only nearly one: `tests/library/operators.c` is replaced function by
//! function by what is said before each, and computes the same; of `tests/library/near.c` nothing is replaced, and it is
//! said what differs.

#[path = "support/unoptimised.rs"]
mod unoptimised;

use rtcuda::config::{Backend, Config, Library};
use rtcuda::diag::render::Style;
use rtcuda::pipeline::{self, ConvertOptions};
use rtcuda::report::Report;
use rtcuda::runtime::programs::Program;
use rtcuda::runtime::verify::{self, Options, Verdict};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;
use unoptimised::unoptimised;

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

/// The cases of a file, and a program that calls them all: its `main`, but for the end.
fn program(folder: &Path, file: &str, main: fn(&[Case]) -> String) -> (Vec<Case>, PathBuf) {
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
    let main = main(&cases);
    let path = folder.join(file);
    std::fs::write(&path, format!("{c}\n{main}    return 0;\n}}\n")).expect("the folder is writable");
    (cases, path)
}

/// Calls with three arrays of numbers.
fn of_dense(cases: &[Case]) -> String {
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
    for case in cases {
        let types: Vec<String> = case.elements.iter().map(|ty| format!("{ty} *")).collect();
        let names: Vec<String> =
            ["x", "y", "z"].iter().zip(&case.elements).map(|(name, ty)| format!("rt_{name}_{ty}")).collect();
        let ty = format!("void (*)(int, int, int, double, double, {})", types.join(", "));
        let _ = writeln!(main, "    rt_fill();\n    (({ty}){})(9, 11, 7, 1.5, 0.5, {});", case.name, names.join(", "));
    }
    main
}

/// Calls with a matrix of 60 rows: short ones, an empty one, and one of 2,100 entries.
fn of_sparse(cases: &[Case]) -> String {
    let mut main = String::from(
        "static double rt_value[4096], rt_x[4096], rt_y[4096];
static int rt_start[61], rt_start1[61], rt_index[4096], rt_index1[4096], rt_row[4096];
static long rt_wide[61];
int main(void) {
    int rt_nnz = 0;
    for (int i = 0; i < 60; i++) {
        for (int k = 0; k < (i == 33 ? 2100 : i % 6); k++, rt_nnz++) {
            rt_index[rt_nnz] = (i * 7 + k * 11) % 50, rt_index1[rt_nnz] = rt_index[rt_nnz] + 1;
            rt_row[rt_nnz] = i;
        }
        rt_start[i + 1] = rt_nnz, rt_start1[i + 1] = rt_nnz + 1, rt_wide[i + 1] = rt_nnz;
    }
    rt_start1[0] = 1;
    for (int i = 0; i < 4096; i++) { rt_value[i] = i % 7 - 3; rt_x[i] = i % 5 - 2; rt_y[i] = i % 3 + 1; }
",
    );
    for case in cases {
        let ty = "void (*)(int, int, int, double, double, const int *, const int *, const int *, const long *, \
                  const int *, const int *, double *, double *, double *)";
        let arguments = "60, 50, rt_nnz, 1.5, 0.5, rt_start, rt_index, rt_row, rt_wide, rt_start1, rt_index1, rt_value, \
                         rt_x, rt_y";
        let _ = writeln!(main, "    (({ty}){})({arguments});", case.name);
    }
    main
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
    let convert = |files: &[PathBuf], options: &ConvertOptions| Ok(unoptimised(pipeline::convert(files, options)?));
    let options = Options::new(convert, Duration::from_secs(60));
    let program = Program { files: vec![path], config: config(), config_file: None };
    let verifications = verify::all(&[program], &options, &|_| {});
    let text = verify::text::text(&verifications, Style::Plain);
    assert_eq!(verifications[0].verdict, Verdict::Verified, "{text}");
}

/// The functions of a file are the operators that are said before them, and compute the same.
fn are_operators(file: &str, main: fn(&[Case]) -> String) {
    let folder = tempfile::tempdir().expect("a folder");
    let (cases, path) = program(folder.path(), file, main);
    let converted = converted(&path);
    let mut faults = vec![];
    for case in &cases {
        let noun = match case.says.as_str() {
            "batched" => "(gemmStridedBatched)".to_string(),
            sparse if sparse.starts_with("spm") => {
                let (name, form) = sparse.split_once(' ').expect("it says how the entries lie");
                let by = if name == "spmv" { "a vector" } else { "a dense one" };
                format!("by {form}, and {by} ({name})")
            }
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
    are_operators("operators.c", of_dense);
}

#[test]
fn operators_with_a_triangle_are_called() {
    are_operators("triangles.c", of_dense);
}

/// Of a file nothing is replaced, and it is said what differs.
fn are_nearly_operators(file: &str, main: fn(&[Case]) -> String) {
    let folder = tempfile::tempdir().expect("a folder");
    let (cases, path) = program(folder.path(), file, main);
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
fn what_is_nearly_an_operator_is_not_called() {
    are_nearly_operators("near.c", of_dense);
}

#[test]
fn what_has_nearly_a_triangle_is_not_called() {
    are_nearly_operators("near_triangles.c", of_dense);
}

#[test]
fn sparse_operators_in_disguise_are_called() {
    are_operators("sparse_operators.c", of_sparse);
}

#[test]
fn what_is_nearly_a_sparse_operator_is_not_called() {
    are_nearly_operators("sparse_near.c", of_sparse);
}

#[test]
fn operators_on_vectors_are_called() {
    are_operators("vectors.c", of_dense);
}

#[test]
fn what_is_nearly_an_operator_on_vectors_is_not_called() {
    are_nearly_operators("near_vectors.c", of_dense);
}

/// Calls that are the same at each step of a loop are recorded in a graph; those that are not are made step by step.
#[test]
fn calls_are_replayed_as_a_graph() {
    let c = "void powers(int t, int n, double a[n][n], double b[n][n], double c[n][n]) {
    for (int s = 0; s < t; s++) {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                b[i][j] = 0;
                for (int k = 0; k < n; k++)
                    b[i][j] += a[i][k] * c[k][j];
            }
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                c[i][j] = 0;
                for (int k = 0; k < n; k++)
                    c[i][j] += 0.5 * a[i][k] * b[k][j];
            }
        for (int i = 0; i < n; i++)
            c[i][i] = c[i][i] * 0.5 + VALUE;
    }
}
static double x[100], y[100], z[100];
int main(void) {
    for (int i = 0; i < 100; i++) { x[i] = (i % 7) * 0.03; z[i] = i % 5; }
    powers(8, 10, (void *)x, (void *)y, (void *)z);
    return 0;
}
";
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("powers.c");
    let options = ConvertOptions { config: config(), ..ConvertOptions::default() };
    for (value, is_replayed) in [("0.25", true), ("s", false)] {
        std::fs::write(&path, c.replace("VALUE", value)).expect("the folder is writable");
        let converted = pipeline::convert(std::slice::from_ref(&path), &options).expect("it converts");
        let cu = converted.files.iter().find(|f| f.path.ends_with("powers.cu")).expect("there is one");
        let cu = String::from_utf8_lossy(&cu.contents);
        assert_eq!(cu.contains("rt::library_ready(") && cu.contains("rt.replay("), is_replayed, "{cu}");
        assert_eq!(cu.matches("rt::product(").count(), 2, "{cu}");
        verified(path.clone());
    }
}
