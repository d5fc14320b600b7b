//! What the user says beside the C acts, or is refused where it stands: shapes, selections, mappings, assertions.

use rtcuda::config::{Backend, Config};
use rtcuda::diag::render::{self, Style};
use rtcuda::diag::{Diagnostic, Severity, Stop};
use rtcuda::pipeline::{self, ConvertOptions, Converted};
use rtcuda::runtime::programs::Program;
use rtcuda::runtime::verify::{self, Options, Verdict, Verification};
use std::time::Duration;

fn config(toml: &str) -> Config {
    Config::parse("p.toml", toml).unwrap_or_else(|faults| panic!("{faults:?}"))
}

fn convert(c: &str, toml: &str) -> Result<Converted, Diagnostic> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("p.c");
    std::fs::write(&file, c).expect("the folder is writable");
    let options = ConvertOptions { config: config(toml), ..ConvertOptions::default() };
    pipeline::convert(&[file], &options).map_err(|stop| match stop {
        Stop::Input(diagnostic) => *diagnostic,
        Stop::Bug(what) => panic!("{what}"),
    })
}

fn converted(c: &str, toml: &str) -> Converted {
    convert(c, toml).unwrap_or_else(|d| panic!("{}", render::text(&d, Style::Plain)))
}

/// The error, its place as (file, line, underlined text), and its help.
fn refused(c: &str, toml: &str) -> (String, String, String) {
    let d = convert(c, toml).expect_err("it is wrong");
    let place = d.place.expect("an error of the input has a place");
    let underlined: String = place.text.chars().skip(place.column as usize - 1).take(place.length as usize).collect();
    let file = place.file.rsplit('/').next().unwrap_or_default().to_owned();
    (format!("{file}:{}: {}", place.line, d.message), underlined, d.help.unwrap_or_default())
}

fn file(converted: &Converted, name: &str) -> String {
    let found = converted.files.iter().find(|f| f.path.ends_with(name)).expect("it is emitted");
    String::from_utf8_lossy(&found.contents).into_owned()
}

fn warnings(converted: &Converted) -> Vec<&str> {
    let warnings = converted.diagnostics.iter().filter(|d| d.severity == Severity::Warning);
    warnings.map(|d| d.message.as_str()).collect()
}

fn verified(c: &str) -> Verification {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("p.c");
    std::fs::write(&file, c).expect("the folder is writable");
    let mut config = config("[[region]]\nfunction = \"f\"\n");
    config.target.backend = Backend::Cpu;
    let program = Program { files: vec![file], config, config_file: None };
    let options = Options::new(pipeline::convert, Duration::from_secs(60));
    verify::one(&program, &options)
}

/// A scatter that the user says never writes an element twice; `p[i]` is `subscript`.
fn scatter(subscript: &str) -> String {
    format!(
        "#include <stdio.h>
static int p[100];
static double x[100], y[100];
static void f(int n) {{
#pragma omp parallel for
    for (int i = 0; i < n; i++)
        y[p[i]] = x[i];
}}
int main(void) {{
    for (int i = 0; i < 100; i++) {{ p[i] = {subscript}; x[i] = i; }}
    f(100);
    printf(\"%g %g\\n\", y[0], y[7]);
    return 0;
}}
"
    )
}

#[test]
fn an_asserted_scatter_is_converted_and_the_report_says_who_answers_for_it() {
    let c = scatter("i * 37 % 100");
    let report = converted(&c, "[[region]]\nfunction = \"f\"\n").report;
    let the_loop = &report["regions"][0]["loops"][0];
    assert_eq!(the_loop["runs"], "parallel");
    let why = the_loop["why"].as_str().unwrap_or_default();
    assert!(why.contains("a directive says so") && why.contains("`y`"), "{why}");
    let verification = verified(&c);
    assert_eq!(verification.verdict, Verdict::Verified, "{:#?}", verification.runs);
}

#[test]
fn a_wrong_assertion_is_found_as_a_race() {
    let verification = verified(&scatter("i / 2"));
    assert_eq!(verification.verdict, Verdict::Findings, "{:#?}", verification.runs);
    for run in &verification.runs {
        let race = run.findings.iter().find(|f| f.kind == "race").unwrap_or_else(|| panic!("{run:#?}"));
        assert_eq!((race.array.as_str(), race.here.c_line), ("y", 7), "{race:#?}");
    }
}

#[test]
fn private_clauses_give_each_iteration_its_own() {
    let c = "#include <stdio.h>
static double a[40][40], y[40], t;
static void f(int n) {
    double row[4];
#pragma omp parallel for private(t, row)
    for (int i = 0; i < n; i++) {
        t = 0;
        for (int k = 0; k < 4; k++) row[k] = a[i][k];
        for (int j = 0; j < n; j++) t += a[i][j] * row[j % 4];
        y[i] = t;
    }
    t = n;
}
int main(void) {
    for (int i = 0; i < 40; i++) for (int j = 0; j < 40; j++) a[i][j] = i ^ j;
    f(40);
    printf(\"%g %g\\n\", y[3], y[39]);
    return 0;
}
";
    let report = converted(c, "[[region]]\nfunction = \"f\"\n").report;
    assert_eq!(report["regions"][0]["loops"][0]["runs"], "parallel", "{report:#}");
    let verification = verified(c);
    assert_eq!(verification.verdict, Verdict::Verified, "{:#?}", verification.runs);
}

#[test]
fn a_reduction_that_is_none_is_declined() {
    let c = "double f(int n, double *x) {
    double s = 0;
#pragma acc parallel loop reduction(+:s)
    for (int i = 0; i < n; i++)
        s = 2 * s + x[i];
    return s;
}
";
    let converted = converted(c, "");
    let d = &converted.diagnostics[0];
    assert_eq!((d.code, d.place.as_ref().map(|p| p.line)), ("reduction", Some(5)), "{d:?}");
}

#[test]
fn block_sizes_reach_the_kernels() {
    let c = "void f(int n, double a[n][n]) {
#pragma rt block(64, 4)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i][j] = i + j;
}
void g(int n, double a[n][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i][j] = i - j;
}
";
    let cu = file(&converted(c, "[[region]]\nfunction = \"g\"\nblock = 128\n[[region]]\nname = \"f_0\"\n"), "p.cu");
    for launch in ["rt_f_0_k0<int, 4, 64>", "rt_f_0_k0<long, 4, 64>", "rt_g_0_k0<int, 4, 32>", "rt_g_0_k0<long, 4, 32>"]
    {
        assert!(cu.contains(launch), "{launch} in\n{cu}");
    }
    let whole =
        converted("void f(int n, double *a) {\n#pragma rt block(8, 8)\nfor (int i = 0; i < n; i++) a[i] = 0; }", "");
    assert_eq!(warnings(&whole), ["this block has 2 extents, a kernel that it is for 1"]);
}

#[test]
fn pieces_that_a_loop_has_not_are_refused() {
    let nest = |update: &str| {
        format!(
            "void f(int n, double a[n][n], double b[n][n], double c[n][n]) {{\n#pragma rt prefetch(2)\n\
             for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) {update}\n}}\n"
        )
    };
    let product = nest("for (int k = 0; k < n; k++) c[i][j] += a[i][k] * b[k][j];");
    let never = "[defaults]\nlibrary = \"never\"\n";
    assert!(file(&converted(&product, never), "p.cu").contains("rt_copy_async<1>"));
    let (message, at, help) = refused(&nest("c[i][j] = a[i][j] + b[i][j];"), never);
    assert_eq!(
        (message.as_str(), at.as_str()),
        (
            "p.c:2: the nest on line 3 cannot have this mapping: no loop of a thread runs in pieces that shared memory holds",
            "#pragma rt prefetch(2)"
        )
    );
    assert!(help.contains("leave `prefetch` out"), "{help}");
    let toml = format!("{never}optimize = [\"collapse\", \"fuse\", \"merge\"]\n");
    let (message, ..) = refused(&product, &toml);
    assert!(message.contains("cannot have this mapping"), "{message}");
}

#[test]
fn what_has_no_effect_yet_says_so() {
    let c = "void f(int n, double *a) {
#pragma rt block(32)
    for (int i = 0; i < n; i++)
        a[i] = 0;
}
";
    let toml = "[defaults]\noptimize = [\"collapse\", \"read-only\"]\n";
    let converted = converted(c, toml);
    let said = warnings(&converted).join("\n");
    assert!(said.contains("`optimize: read-only` has no effect"), "{said}");
    assert!(["collapse", "merge", "skew", "block"].iter().all(|word| !said.contains(word)), "{said}");
    assert!(converted.diagnostics.iter().all(|d| d.place.is_some()));
    assert!(converted_silently("[defaults]\noptimize = [\"collapse\", \"fuse\"]\nsync = \"relaunch\"\n"));
}

/// A directive that asks for a library where there is nothing to call says why not.
#[test]
fn what_a_library_has_not_is_said() {
    let sum = "void f(int n, double *a) {
#pragma rt library(gemm)
    for (int i = 0; i < n; i++)
        a[i] = 0;
}
";
    assert_eq!(warnings(&converted(sum, "")), ["a loop here is no operator that is recognised"]);
    let near = "void f(int n, double a[n][n][2], double b[n][n], double c[n][n]) {
#pragma rt library(gemm)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                c[i][j] += a[i][k][1] * b[k][j];
}
";
    let said = warnings(&converted(near, "")).join("");
    assert!(said.contains("neither rows nor columns of `a` are contiguous"), "{said}");
    let asked = near.replace("[k][1]", "[k]").replace("[n][2]", "[n]").replace("gemm", "always");
    assert!(file(&converted(&asked, "[defaults]\nlibrary = \"never\"\n"), "p.cu").contains("rt::product("));
    let vector = "void f(int n, double *x, double *y) {
#pragma rt library(axpy)
    for (int i = 0; i < n; i++)
        y[i] += 2 * x[i];
}
";
    assert!(file(&converted(vector, ""), "p.cu").contains("rt::axpy("));
    // Where nobody asks, a kernel is as fast.
    assert!(!file(&converted(&vector.replace("library(axpy)", "library(auto)"), ""), "p.cu").contains("rt::axpy("));
    let root = vector.replace("axpy", "nrm2").replace("y[i] += 2 * x[i]", "y[0] += x[i] * x[i]");
    let converted = converted(&root, "");
    assert!(file(&converted, "p.cu").contains("rt::dot("));
    assert!(converted.report.to_string().contains("nrm2 of BLAS scales"), "{}", converted.report);
}

fn converted_silently(toml: &str) -> bool {
    converted("void f(int n, double *a) { for (int i = 0; i < n; i++) a[i] = 0; }", toml).diagnostics.is_empty()
}

#[test]
fn transformations_can_be_left_out() {
    let c = "void f(int n, double a[n][n], double b[n][n]) {
    for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) a[i][j] = i + j;
    for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) b[i][j] = a[i][j];
}
";
    let kernels = |toml: &str| {
        let report = converted(c, toml).report;
        let kernels = report["regions"][0]["kernels"].as_array().expect("kernels").clone();
        (kernels.len(), kernels[0]["block"].as_array().map_or(0, Vec::len))
    };
    assert_eq!(kernels(""), (1, 2));
    assert_eq!(kernels("[defaults]\noptimize = [\"collapse\"]\n"), (2, 2));
    assert_eq!(kernels("[defaults]\nschedule = \"min-fusion\"\n"), (2, 2));
    assert_eq!(kernels("[defaults]\noptimize = []\n"), (2, 1));
}

const TWO: &str = "void smooth(int n, double *a) { for (int i = 0; i < n; i++) a[i] = 0; }
void sharpen(int n, double *a) {
#pragma rt host
    for (int i = 0; i < n; i++) a[i] = 1;
    for (int i = 0; i < n; i++) a[i] = 2;
}
";

#[test]
fn regions_are_selected_by_function_and_by_name() {
    let names = |toml: &str| {
        let report = converted(TWO, toml).report;
        let regions = report["regions"].as_array().expect("regions").clone();
        regions
            .iter()
            .map(|r| format!("{}:{}", r["name"].as_str().unwrap_or_default(), r["lines"][0]))
            .collect::<Vec<_>>()
    };
    assert_eq!(names(""), ["smooth_0:1", "sharpen_0:5"]);
    assert_eq!(names("[[region]]\nfunction = \"sharpen\"\n"), ["sharpen_0:5"]);
    assert_eq!(names("[[region]]\nname = \"sharpen_0\"\nblock = 64\n"), ["smooth_0:1", "sharpen_0:5"]);
    let expected =
        ("p.toml:2: the program has no function `smoth`".into(), "\"smoth\"".into(), "did you mean `smooth`?".into());
    assert_eq!(refused(TWO, "[[region]]\nfunction = \"smoth\"\n"), expected);
    let (message, _, help) = refused(TWO, "[[region]]\nname = \"sharpen_1\"\n");
    assert_eq!(
        (message.as_str(), help.as_str()),
        ("p.toml:2: the program has no region `sharpen_1`", "did you mean `sharpen_0`?")
    );
}

#[test]
fn an_assertion_that_cannot_hold_is_told() {
    let c = "void f(int n, const double *x, double *y) {
    double t = 0;
#pragma rt parallel
    for (int i = 0; i < n; i++) {
        t = 2 * t + x[i];
        y[i] = t;
    }
    for (int i = 0; i < n; i++)
        y[i] += 1;
}
";
    let converted = converted(c, "");
    let said = warnings(&converted).join("\n");
    assert!(said.contains("calls this loop's iterations independent, but `t` is written on line 5"), "{said}");
}

#[test]
fn an_assertion_against_a_certain_dependence_has_no_effect() {
    let c = "void f(int n, int m, double *x, double *y) {
#pragma rt parallel
    for (int i = 1; i < n; i++)
        x[i] = x[i] - x[i - 1];
#pragma rt parallel
    for (int i = 0; i < n; i++)
        y[i] = y[i + m];
}
";
    let said = warnings(&converted(c, "")).join("\n");
    assert!(said.contains("independent, but `x` is written on line 4") && !said.contains("`y`"), "{said}");
}

#[test]
fn an_assertion_speaks_of_memory_that_the_function_allocates() {
    let c = "void *malloc(unsigned long size);
void f(int n, int w, int levels, const int *start, const int *column, const int *order, const int *first, double *x) {
    double *y = malloc(n * sizeof *y);
    for (int i = 0; i < n; i++)
        y[i] = 0;
    for (int l = 0; l < levels; l++)
#pragma rt parallel
        for (int m = 0; m < w; m++)
            if (m < first[l + 1] - first[l]) {
                int i = order[first[l] + m];
                double sum = x[i];
                for (int k = start[i]; k < start[i + 1]; k++)
                    sum -= y[column[k]];
                y[i] = sum;
            }
    for (int i = 0; i < n; i++)
        x[i] = y[i];
}
";
    assert_eq!(warnings(&converted(c, "")), <[String; 0]>::default());
}

#[test]
fn a_shape_of_nothing_is_told() {
    let c = "void f(int n, double *x, double *y) {
#pragma rt shape(y: n)
    for (int i = 0; i < n; i++)
        x[i] = 0;
}
";
    let said = converted(c, "");
    assert_eq!(warnings(&said), ["this shape has no effect: no region that is converted uses the array"]);
}

#[test]
fn two_regions_of_one_name_are_refused() {
    let region = "#pragma rt region name(r)\nfor (int i = 0; i < n; i++) a[i] = 0;\n#pragma rt end\n";
    let (message, _, help) = refused(&format!("void f(int n, double *a) {{\n{region}{region}}}\n"), "");
    assert_eq!((message.as_str(), help.as_str()), ("p.c:5: a second region has the name `r`", "give it another name"));
}

#[test]
fn a_shape_makes_an_indirect_read_convertible() {
    let c = "#define K 8
enum { ROWS = 4 };
void f(int n, const int *p, const double *x, double *y) {
    for (int i = 0; i < n; i++)
        y[i] = x[p[i]];
}
";
    // Without it, each call asks how much there is, and kernels hold back what leads further.
    let asks = |c: &str, toml: &str| {
        let files = converted(c, toml).files;
        let cuda = files.iter().find(|f| f.path.ends_with("p.cu")).expect("the loop is converted");
        String::from_utf8_lossy(&cuda.contents).contains("rt::reach::whole(x_host")
    };
    assert!(asks(c, ""));
    let second = c.replace(
        "{\n    for",
        "{\n    for (int i = 0; i < n; i++)\n        y[i] = 1;\n#pragma rt shape(x: n)\n    for",
    );
    assert!(!asks(&second, ""));
    assert!(converted(&second, "").diagnostics.is_empty());
    for extent in ["n", "2 * n + ROWS", "p[n - 1] + 1"] {
        let from_toml = converted(c, &format!("[[region]]\nfunction = \"f\"\nshape = {{ x = [\"{extent}\"] }}\n"));
        assert!(from_toml.diagnostics.is_empty(), "{extent}: {:?}", from_toml.diagnostics);
        let directive = format!("#pragma rt shape(x: {extent})\nvoid f");
        assert!(converted(&c.replace("void f", &directive), "").diagnostics.is_empty(), "{extent}");
    }
    assert_eq!(
        refused(&c.replace("void f", "#pragma rt shape(x: K)\nvoid f"), ""),
        (
            "p.c:3: the extent `K` of `x` holds `K`, which is not declared".into(),
            "K".into(),
            "an extent is a whole number in C, of variables declared before it; macros have no meaning here".into()
        )
    );
}

/// A scatter into an array that a structure has, `shape` before it.
fn into_a_member(shape: &str) -> String {
    format!(
        "#include <stdio.h>
struct matrix {{ double *val; int n; }};
static double v[50], x[40];
static int p[40];
static void f(int n, struct matrix *A) {{
{shape}#pragma rt parallel
    for (int i = 0; i < n; i++)
        if (x[i] > 0) A->val[p[i]] = x[i];
}}
int main(void) {{
    struct matrix A = {{ v, 50 }};
    for (int i = 0; i < 40; i++) {{ p[i] = i + 10; x[i] = i % 3 - 1; }}
    f(40, &A);
    for (int i = 0; i < 50; i++) printf(\"%g \", v[i]);
    return 0;
}}
"
    )
}

#[test]
fn an_array_of_a_structure_takes_a_shape() {
    let asks = |c: &str, toml: &str| file(&converted(c, toml), "p.cu").contains("rt::reach::whole(");
    assert!(asks(&into_a_member(""), "[[region]]\nfunction = \"f\"\n"));
    let shaped = into_a_member("#pragma rt shape(A->val: 50)\n");
    assert!(!asks(&shaped, "[[region]]\nfunction = \"f\"\n"));
    let toml = "[[region]]\nfunction = \"f\"\nshape = { \"A->val\" = [\"50\"] }\n";
    assert!(!asks(&into_a_member(""), toml));
    let verification = verified(&shaped);
    assert_eq!(verification.verdict, Verdict::Verified, "{:#?}", verification.runs);
    for (shape, message) in [
        ("A->vak: 50", "p.c:6: `A->vak` is no array, so it has no shape"),
        ("A->n: 50", "p.c:6: `A->n` is no array, so it has no shape"),
        ("B->val: 50", "p.c:6: no variable `B` is declared here"),
        ("A->val[0]: 50", "p.c:6: `A->val[0]` is no array, so it has no shape"),
    ] {
        assert_eq!(refused(&into_a_member(&format!("#pragma rt shape({shape})\n")), "").0, message);
    }
}

#[test]
fn a_shape_that_contradicts_an_access_is_refused() {
    let c = "void f(int n, double *a) {\n    for (int i = 0; i < n; i++)\n        a[i + 1] = 0;\n}\n";
    let toml = |shape: &str| format!("[[region]]\nfunction = \"f\"\nshape = {{ a = [{shape}] }}\n");
    let contradiction = "p.toml:3: this shape of `a` contradicts the code: subscript 1 leaves its extent";
    assert_eq!(refused(c, &toml("\"n\"")).0, contradiction);
    assert!(convert(c, &toml("\"n + 1\"")).is_ok());
    let matrix = c.replace("*a", "(*a)[8]").replace("a[i + 1]", "a[i][2]");
    assert_eq!(refused(&matrix, &toml("\"n\"")).0, "p.toml:3: the shape of `a` has 1 extents, but the array has 2");
    assert_eq!(refused(c, &toml("\"n + + \"")).0, "p.toml:3: the extent `n + + ` of `a` is not a C expression");
    assert_eq!(
        refused(c, "[[region]]\nfunction = \"f\"\nshape = { aa = [\"n\"] }\n").0,
        "p.toml:3: `f` has no array `aa`"
    );
}

#[test]
fn a_shape_that_an_access_leaves_only_for_some_sizes_is_left_to_the_original_for_them() {
    let c = |body: &str| format!("#pragma rt shape(d: n)\nvoid f(int n, int m, double *d, double *e) {{\n{body}}}\n");
    let all = "    for (int i = 0; i < n; i++)\n        e[i] += d[i];\n";
    let later = "    for (int i = 9; i < m; i++)\n        e[i] += d[i - m];\n";
    let message =
        "whenever this runs, subscript 1 leaves the shape that is stated for `d`, so that the original loops do it";
    let both = converted(&c(&format!("{all}{later}")), "");
    assert_eq!(warnings(&both), [message]);
    assert!(file(&both, "p.cu").contains("rt.holds(m <= 9, \"a subscript leaves its row or its stated shape"));
    let alone = converted(&c(later), "");
    assert_eq!(alone.report["regions"].as_array().map(Vec::len), Some(0));
    let [declined] = alone.diagnostics.as_slice() else { panic!("{:?}", alone.diagnostics) };
    assert_eq!((declined.severity, declined.message.as_str()), (Severity::Declined, message));
    // Whenever there is an element, it is left; but no call may come to the loop.
    let always = "    for (int i = 0; i < n; i++)\n        e[i] += d[n + i];\n";
    let contradiction = "p.c:1: this shape of `d` contradicts the code: subscript 1 leaves its extent";
    assert_eq!(refused(&c(always), "").0, contradiction);
    assert_eq!(refused(&c(&format!("{all}{always}")), "").0, contradiction);
    for around in ["    if (m > 3)\n", "    for (int t = 0; t < m; t++)\n", "    if (m > 3)\n        return;\n"] {
        assert_eq!(converted(&c(&format!("{around}{always}")), "").diagnostics[0].message, message, "{around}");
    }
}

#[test]
fn a_shape_is_not_held_to_other_rows_than_its_own() {
    // Strides with constant factors are split otherwise than the user does: the third subscript seen is not the user's.
    let c = "void f(int n, int m, float *d) {
#pragma rt shape(d: n + 1, 2 * m + 1, 2 * n + 1)
    for (int t = 0; t < m; t++) {
        for (int i = 0; i < m; i++)
            for (int j = 2; j < n - 2; j++)
                d[((j - 1) * (2 * m + 1) + i) * (2 * n + 1) + 2 * j + 1] = i;
        d[(0 * (2 * m + 1) + 1) * (2 * n + 1) + 0] = t;
    }
}
";
    assert!(convert(c, "").is_ok());
}

#[test]
fn fmad_and_arch_reach_the_build_files() {
    let converted = converted(TWO, "[target]\nfmad = false\narch = \"sm_80\"\n");
    for name in ["Makefile", "CMakeLists.txt"] {
        let text = file(&converted, name);
        assert!(text.contains("-fmad=false") && text.contains("80"), "{text}");
    }
}
