//! What a configuration or a directive chooses between the device and the host acts, is told, and is verified honestly.

#[path = "support/unoptimised.rs"]
mod unoptimised;

use rtcuda::config::{Backend, Config};
use rtcuda::pipeline::{self, ConvertOptions, Converted};
use rtcuda::runtime::build::{self, Target};
use rtcuda::runtime::programs::Program;
use rtcuda::runtime::verify::{self, Options, Verdict, Verification};
use std::path::PathBuf;
use std::time::Duration;
use unoptimised::unoptimised;

fn config(toml: &str) -> Config {
    let mut config = Config::parse("p.toml", toml).unwrap_or_else(|faults| panic!("{faults:?}"));
    config.target.backend = Backend::Cpu;
    config
}

fn written(c: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("p.c");
    std::fs::write(&file, c).expect("the folder is writable");
    (folder, file)
}

fn converted(c: &str, toml: &str) -> Converted {
    let (_folder, file) = written(c);
    let options = ConvertOptions { config: config(toml), ..ConvertOptions::default() };
    unoptimised(pipeline::convert(&[file], &options).unwrap_or_else(|stop| panic!("{stop:?}")))
}

/// The user's C with calls around its regions.
fn host_text(converted: &Converted) -> String {
    let host = converted.files.iter().find(|f| f.path.extension().is_some_and(|e| e == "c"));
    String::from_utf8(host.expect("the user's C").contents.clone()).expect("ASCII")
}

fn verified(c: &str, toml: &str) -> Verification {
    let (_folder, file) = written(c);
    let program = Program { files: vec![file], config: config(toml), config_file: None };
    let convert = |files: &[PathBuf], options: &ConvertOptions| Ok(unoptimised(pipeline::convert(files, options)?));
    let options = Options::new(convert, Duration::from_secs(60));
    verify::one(&program, &options)
}

/// The calls of all regions, and those of them in which the converted version ran.
fn calls(v: &Verification) -> (u64, u64) {
    let regions = v.runs.first().and_then(|run| run.comparisons.as_ref()).map_or(&[][..], |c| &c.regions);
    let calls = regions.iter().map(|r| r.calls).sum();
    let original: u64 = regions.iter().flat_map(|r| &r.not_converted).map(|n| n.calls).sum();
    (calls, calls - original)
}

/// The notes on the first region.
fn notes(converted: &Converted) -> String {
    converted.report["regions"][0]["notes"].to_string()
}

const SCALE: &str = "
static double x[4000];
static void f(int n, int m) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            x[i * m + j] += 1;
}
int main(void) {
    f(10, 20); f(60, 60); f(2000000000, 0); f(0, 0);
    return 0;
}
";

#[test]
fn a_call_with_too_little_work_runs_the_original() {
    let all = verified(SCALE, "[[region]]\nfunction = \"f\"\n");
    assert_eq!(calls(&all), (4, 4), "{:?}", all.verdict);
    let large = verified(SCALE, "[[region]]\nfunction = \"f\"\nmin-work = 3600\n");
    assert_eq!(calls(&large), (4, 1), "{:?}", large.verdict);
    let none = verified(SCALE, "[defaults]\nmin-work = 3601\n[[region]]\nfunction = \"f\"\n");
    let Verdict::NothingCompared(why) = none.verdict else { panic!("{:?}", none.verdict) };
    assert!(why.contains("its work is less than min-work = 3601 statement instances"), "{why}");
}

/// Blocks of an array, inside its borders, of which the test of sizes has many operators; the entry counts how often it is asked.
const WINDOWS: &str = r#"
#include <stdio.h>
#ifdef HOST
int rt_must_ask, rt_is_timed, asked;
void rt_is_done(const char *region) { (void)region; }
int rt_host_writes(const char *file, int line) { return (void)file, line; }
int rt_f_0(int n, int w, int at, const void *x, void *y) { asked++; return (void)n, (void)w, (void)at, (void)x, y == 0; }
#endif
static double x[4000000], y[4000000];
static int larger(int a, int b) { return a > b ? a : b; }
static int smaller(int a, int b) { return a < b ? a : b; }
void f(int n, int at, int w) {
    for (int i = larger(at - w, 1); i < smaller(at + w, n - 1); i++)
        for (int j = larger(at - w, 1); j < smaller(at + w, n - 1); j++)
            y[i * n + j] = 0.5 * (x[i * n + j] + x[i * n + j + 1]);
}
int main(int argc, char **argv) {
    (void)argv;
    for (int k = 0; k < 300; k++) f(2000, 10 * argc + k, 2);
    for (int k = 0; k < 40; k++) f(2000, 1000 * argc, 999);
#ifdef HOST
    printf("%d\n", asked);
#endif
    return 0;
}
"#;

#[test]
fn a_long_test_of_sizes_is_passed_over_while_calls_stay() {
    let converted = converted(WINDOWS, "[[region]]\nfunction = \"f\"\n");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (c, program) = (folder.path().join("host.c"), folder.path().join("host"));
    std::fs::write(&c, host_text(&converted)).expect("a file");
    let made = std::process::Command::new("cc").args(["-DHOST", "-O1", "-o"]).arg(&program).arg(&c).status();
    assert!(made.expect("a C compiler").success());
    let (_, asked, _) = run(&program, &[], None);
    // Once one has gone, all are asked.
    let asked: u32 = asked.trim().parse().expect("a number");
    assert!((24..=40).contains(&asked), "{asked}");
}

#[test]
fn small_functions_are_copied_into_their_callers_as_before() {
    let sum = "double s = 0;\n    for (int i = 0; i < n; i++)\n        s += x[i];\n    return s;\n}\n";
    let heads = [
        ("double plain(double *x, int n)", "extern inline double plain(double *x, int n)"),
        ("static double own(double *x, int n)", "static inline double own(double *x, int n)"),
        ("extern double known(double *x, int n)", "extern inline double known(double *x, int n)"),
        ("inline static double asked(double *x, int n)", "inline static double asked(double *x, int n)"),
        ("__attribute__((noinline)) double apart(double *x, int n)", "__attribute__((noinline)) double apart("),
    ];
    let c: String = heads.iter().map(|(head, _)| format!("{head} {{\n    {sum}")).collect();
    // What a compiler would not copy anyway is left as it is.
    let c = c + &format!("double large(double *x, int n) {{\n    {}{sum}", "n = n > 3 ? n - 1 : n;\n    ".repeat(12));
    let host = |cflags: &[&str]| {
        let (_folder, file) = written(&c);
        let cflags = cflags.iter().map(|flag| (*flag).to_owned()).collect();
        let options = ConvertOptions { config: config(""), cflags, ..ConvertOptions::default() };
        host_text(&pipeline::convert(&[file], &options).unwrap_or_else(|stop| panic!("{stop:?}")))
    };
    let today = host(&[]);
    for head in heads.iter().map(|(_, head)| *head).chain(["\ndouble large("]) {
        assert!(today.contains(head), "{head} in {today}");
    }
    assert!(today.contains("n < "), "the test of one size is of integers: {today}");
    // Before C99, `extern inline` defined nothing that another file finds.
    for flags in [["-ansi"], ["-std=gnu89"], ["-fgnu89-inline"]] {
        let old = host(&flags).replace("for (int i = 0", "for (i = 0");
        assert!(old.contains("\n__inline__ double plain(") || old.starts_with("__inline__ double plain("), "{old}");
        assert!(old.contains("static __inline__ double own(") && old.contains("extern double known("), "{old}");
    }
}

#[test]
fn variables_that_a_statement_expression_names_stay_in_registers() {
    let c = "void use(int *);\nvoid f(int n, int m, int **x) {\n    int i, j;\n    for (i = 0; i < n; i++)\n        \
             for (j = 0; j < m; j++)\n            x[i][j] = -1;\n    for (i = 1; i < n; i++)\n        \
             for (j = 0; j < m; j++)\n            x[i][j] = ({ int a = x[i - 1][j]; WAY a > j ? a : j; });\n}\n";
    let host = |way: &str| host_text(&converted(&c.replace("WAY", way), ""));
    let plain = host("");
    assert!(plain.contains("&rt_new_i") && plain.contains("&rt_new_j") && !plain.contains("&j"), "{plain}");
    let taken = host("use(&j);");
    assert!(taken.contains("&rt_new_i") && taken.contains("&j") && !taken.contains("rt_new_j"), "{taken}");
}

#[test]
fn a_region_that_is_too_small_for_any_gpu_is_told() {
    let small = "double x[640];\nvoid f(void) {\n    for (int i = 0; i < 640; i++)\n        x[i] = 2 * x[i];\n}\n";
    let told = notes(&converted(small, ""));
    let says = "too small for any GPU: 640 statement instances";
    assert!(told.contains(says) && told.contains("; calls run the original loops"), "{told}");
    let told = notes(&converted(small, "[defaults]\nmin-work = 0\n"));
    assert!(told.contains(says) && told.contains("`min-work = 641` in the configuration keeps this"), "{told}");
    let large = small.replace("640", "64000");
    assert!(!notes(&converted(&large, "")).contains("too small"));
    let kept = converted(small, "[defaults]\nmin-work = 641\n");
    assert!(kept.report["regions"].as_array().is_some_and(Vec::is_empty), "{}", kept.report);
    let why: Vec<&str> = kept.diagnostics.iter().map(|d| d.message.as_str()).collect();
    assert_eq!(why, ["its work, 640 statement instances, is less than min-work = 641"]);
}

/// Row sums of a matrix whose sizes the command line gives, of which the first rows are there.
const ROWS: &str = r#"
#include <stdio.h>
#include <stdlib.h>
static double data[4000];
static void f(int rows, long n, long m, int columns, double a[1][n][m], double s[n]) {
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            a[0][i][j] = 2 * a[0][i][j] + s[i];
}
int main(int argc, char **argv) {
    (void)argc;
    static double s[40];
    for (int i = 0; i < 4000; i++) data[i] = i;
    long n = atol(argv[1]), m = atol(argv[2]);
    f(atoi(argv[3]), n, m, 100, (void *)data, s);
    double sum = 0;
    for (int i = 0; i < 4000; i++) sum += data[i] * (i % 7);
    printf("%.17g\n", sum);
    return 0;
}
"#;

/// The exit status of a program that was built, and what it says.
fn run(program: &std::path::Path, arguments: &[&str], memory: Option<&str>) -> (Option<i32>, String, String) {
    let mut command = std::process::Command::new(program);
    command.args(arguments).envs(memory.map(|bytes| ("RT_SIM_MEMORY", bytes)));
    let out = command.output().expect("it runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (out.status.code(), text(&out.stdout), text(&out.stderr))
}

fn built(c: &str, toml: &str) -> (tempfile::TempDir, PathBuf) {
    let converted = converted(c, toml);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let program = build::Program { folder: folder.path(), files: &converted.files, cflags: &[], headers: None };
    let path = build::executable(&program, &Target::Simulation).unwrap_or_else(|stop| panic!("{stop:?}"));
    (folder, path)
}

#[test]
fn arrays_that_do_not_fit_are_an_error_or_the_original_runs_on_untouched_arrays() {
    let by_default = built(ROWS, "[[region]]\nfunction = \"f\"\n");
    let falls_back = built(ROWS, "[[region]]\nfunction = \"f\"\ntoo-large = \"original\"\n");
    let fits = ["40", "100", "40"];
    let (_, expected, _) = run(&by_default.1, &fits, None);
    assert_eq!(run(&falls_back.1, &fits, None), (Some(0), expected.clone(), String::new()));
    let (code, _, said) = run(&by_default.1, &fits, Some("1000"));
    assert_eq!(code, Some(3), "{said}");
    assert!(said.contains("out of (simulated) device memory: 32000 bytes asked, 1000 bytes free"), "{said}");
    assert!(said.contains("or set too-large = \"original\" in the configuration"), "{said}");
    let (code, printed, said) = run(&falls_back.1, &fits, Some("1000"));
    assert_eq!((code, printed), (Some(0), expected), "{said}");
    assert!(said.contains("the original loops run instead: array a: out of (simulated) device memory"), "{said}");
}

#[test]
fn sizes_whose_product_wraps_are_too_large() {
    let by_default = built(ROWS, "[[region]]\nfunction = \"f\"\n");
    let falls_back = built(ROWS, "[defaults]\ntoo-large = \"original\"\n[[region]]\nfunction = \"f\"\n");
    let (_, expected, _) = run(&by_default.1, &["1", "100", "1"], None);
    // 2^64 elements, 2^62 of 8 bytes each, and 70000 rows of 70000, which an int does not count.
    for sizes in [["4294967296", "4294967296"], ["2147483648", "2147483648"], ["70000", "70000"]] {
        let arguments = [sizes[0], sizes[1], "1"];
        let (code, _, said) = run(&by_default.1, &arguments, Some("1000000"));
        let why = if sizes[0] == "70000" { "39.20 GB asked" } else { "more bytes than can be addressed" };
        assert!(code == Some(3) && said.contains(why), "{sizes:?}: {said}");
        let (code, printed, said) = run(&falls_back.1, &arguments, Some("1000000"));
        assert_eq!((code, &printed), (Some(0), &expected), "{sizes:?}: {said}");
    }
}

#[test]
fn regions_that_do_not_compile_are_left_as_they_are() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("t.c");
    let c = "void f(int n, double *a) { for (int i = 0; i < n; i++) a[i] = 2 * a[i]; }\n\
             void g(int n, double *a) { for (int i = 0; i < n; i++) a[i] = 3 * a[i]; }\n";
    std::fs::write(&file, c).expect("the folder is writable");
    let left_out = [("f_0".to_owned(), "`x` was not declared".to_owned())].into();
    let options = ConvertOptions { left_out, ..ConvertOptions::default() };
    let converted = pipeline::convert(&[file], &options).unwrap_or_else(|stop| panic!("{stop:?}"));
    assert_eq!(converted.report["regions"].as_array().map(Vec::len), Some(1));
    assert_eq!(converted.report["regions"][0]["name"], "g_0");
    let said = converted.diagnostics.iter().find(|d| d.code == "emitted-refused").expect("it is said");
    assert_eq!(said.place.as_ref().map(|place| place.line), Some(1));
    assert!(
        said.message.contains("a fault of rtcuda") && said.message.contains("`x` was not declared"),
        "{}",
        said.message
    );
}

/// Halves all values until none is above a limit; what ends the loop is computed on the device.
fn converging(loop_head: &str, loop_tail: &str) -> String {
    format!(
        r#"
#include <stdio.h>
static double x[300];
static double f(int n, double tol, int most, int *steps) {{
    double change = 1;
    int t = 0;
    {loop_head}
        change = 0;
        for (int i = 0; i < n; i++) {{
            x[i] = x[i] / 2;
            change += x[i];
        }}
        t++;
    {loop_tail}
    *steps = t;
    return change;
}}
int main(void) {{
    int a, b, c;
    for (int i = 0; i < 300; i++) x[i] = 1;
    double first = f(300, 0.01, 100, &a);  /* 300 / 2^15 is the first below */
    double second = f(300, 1e-4, 3, &b);   /* ends by its count */
    double third = f(300, 1e9, 100, &c);
    printf("%d %d %d %.17g %.17g %.17g\n", a, b, c, first, second, third);
    return 0;
}}
"#
    )
}

#[test]
fn a_convergence_loop_fetches_what_ends_it_every_so_many_steps() {
    let forms = [
        ("while (change > tol && t < most) {", "}"),
        ("do {", "} while (change > tol && t < most);"),
        ("for (; t < most;) {", "if (change <= tol) break; }"),
    ];
    for (head, tail) in forms {
        let c = converging(head, tail);
        let toml = "[[region]]\nfunction = \"f\"\nsync = \"relaunch\"\n";
        let exact = built(&c, toml);
        let (code, expected, said) = run(&exact.1, &[], None);
        let third = if head.starts_with("while") { "0" } else { "1" };
        assert_eq!((code, said.as_str()), (Some(0), ""));
        assert!(expected.starts_with(&format!("15 3 {third} ")), "{head}: {expected}");
        // Looked at after the steps 1, 5, 9, 13, 17; the count ends the loop when it did.
        let late = format!("{toml}check-every = 4\n");
        let (code, printed, said) = run(&built(&c, &late).1, &[], None);
        assert_eq!((code, said.as_str()), (Some(0), ""));
        let sum = |t: i32| 300.0 / 2f64.powi(t);
        let words: Vec<&str> = printed.split_whitespace().collect();
        assert_eq!(words[..3], ["17", "3", third], "{head}: {printed}");
        let values: Vec<f64> = words[3..].iter().map(|w| w.parse().expect("a number")).collect();
        assert_eq!(values[..2], [sum(17), sum(20)], "{head}: {printed}");
        let told = notes(&converted(&c, &late));
        assert!(told.contains("it may run up to 3 steps further than the original"), "{told}");
        let checked = verified(&c, &late);
        assert_eq!(checked.verdict, Verdict::Verified);
        let text = verify::text::text(&[checked], rtcuda::diag::render::Style::Plain);
        assert!(text.contains("compared with a check at every step: with check-every = 4"), "{text}");
    }
}

#[test]
fn check_every_leaves_a_resident_loop_as_it_is() {
    let c = converging("while (change > tol && t < most) {", "}");
    // Left to the tool, large steps are launched, for which it has one; these are small.
    let auto = "[[region]]\nfunction = \"f\"\ncheck-every = 4\n";
    let cooperative = format!("{auto}sync = \"cooperative\"\n");
    for (toml, told) in [(auto, "it may run up to 3 steps further"), (&cooperative, "check-every has no effect")] {
        let notes = notes(&converted(&c, toml));
        assert!(notes.contains(told), "{notes}");
        let (code, printed, _) = run(&built(&c, toml).1, &[], None);
        assert!(code == Some(0) && printed.starts_with("15 3 0 "), "{printed}");
    }
}

/// Extremes of data in which values are not numbers: at the first, a middle and the last place, everywhere, nowhere, and
/// in what was there before; by threads over the whole, by the threads of a block for each row, and by atomics.
const EXTREMES: &str = r#"
#include <math.h>
#include <stdio.h>
#define N 700
static double x[N], rows[4][N], best[4], bins[4];
static float xf[N];
static int where[N];
static void f(double before, float beforef, double *out) {
    double a = before, b = before, c = before, d = before;
    float e = beforef;
    for (int i = 0; i < N; i++) {
        if (x[i] > a) a = x[i];
        b = x[i] <= b ? x[i] : b;
        c = fmax(c, x[i]);
        d = fmin(x[i], d);
        e = fmaxf(e, xf[i]);
    }
    for (int r = 0; r < 4; r++) {
        best[r] = before;
        for (int i = 0; i < N; i++)
            best[r] = best[r] < rows[r][i] ? rows[r][i] : best[r];
    }
    #pragma rt parallel
    for (int i = 0; i < N; i++)
        if (bins[where[i]] < x[i]) bins[where[i]] = x[i];
    out[0] = a; out[1] = b; out[2] = c; out[3] = d; out[4] = e;
}
static void fill(int which, double value) {
    for (int i = 0; i < N; i++) {
        const int is_set = which == 3 || (which == 0 && i == 0) || (which == 1 && i == N / 2) || (which == 2 && i == N - 1);
        x[i] = is_set ? value : (i * 37) % 101 - 50;
        xf[i] = (float)x[i];
        where[i] = i % 4;
        for (int r = 0; r < 4; r++) rows[r][i] = r % 2 ? x[i] : -x[i];
    }
}
int main(void) {
    const double values[] = {NAN, INFINITY, -INFINITY}, befores[] = {0, NAN, INFINITY, -INFINITY, 1e300};
    for (int which = 0; which < 5; which++)
        for (int v = 0; v < 3; v++)
            for (int s = 0; s < 5; s++) {
                double out[5];
                fill(which, values[v]);
                for (int k = 0; k < 4; k++) bins[k] = befores[s];
                f(befores[s], (float)befores[s], out);
                printf("%d %d %d:", which, v, s);
                for (int k = 0; k < 5; k++) isnan(out[k]) ? printf(" nan") : printf(" %g", out[k]);
                for (int k = 0; k < 4; k++) isnan(best[k]) ? printf(" nan") : printf(" %g", best[k]);
                for (int k = 0; k < 4; k++) isnan(bins[k]) ? printf(" nan") : printf(" %g", bins[k]);
                printf("\n");
            }
    return 0;
}
"#;

#[test]
fn extremes_are_those_of_c_also_among_values_that_are_not_numbers() {
    let (folder, file) = written(EXTREMES);
    let original = folder.path().join("original");
    let compiled = std::process::Command::new("cc").arg("-O1").arg(&file).arg("-lm").arg("-o").arg(&original).status();
    assert!(compiled.expect("a C compiler").success());
    let toml = "[[region]]\nfunction = \"f\"\n";
    let done = converted(EXTREMES, toml);
    let report = done.report.to_string();
    assert!(report.matches("\"reduction\"").count() >= 2 && done.diagnostics.is_empty(), "{report}");
    let (_, expected, _) = run(&original, &[], None);
    let (code, printed, said) = run(&built(EXTREMES, toml).1, &[], None);
    assert_eq!((code, printed, said.as_str()), (Some(0), expected, ""));
}

#[test]
fn a_maximum_that_takes_what_is_not_a_number_is_told() {
    let form = |update: &str| {
        let c = format!(
            "void f(int n, double *x, double *out) {{\n    double m = 0;\n    for (int i = 0; i < n; i++)\n        {update}\n    *out = m;\n}}\n"
        );
        converted(&c, "").report["regions"][0]["loops"][0]["why"].to_string()
    };
    let once = form("{ x[i] *= 2; m = m > x[i] ? m : x[i]; }");
    assert!(once.contains("`if (x > m) m = x` is the same in both"), "{once}");
    for same in ["m = x[i] > m ? x[i] : m;", "if (x[i] > m) m = x[i];", "m = m > x[i] ? m : x[i];"] {
        assert!(!form(same).contains("not a number"), "{same}");
    }
}

const SWEEPS: &str = "
static double x[5000], y[5000];
static void f(int steps) {
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < 4999; i++) y[i] = 0.5 * (x[i - 1] + x[i + 1]);
        for (int i = 1; i < 4999; i++) x[i] = y[i];
    }
}
int main(void) {
    x[0] = 1;
    f(30);
    return 0;
}
";

/// On a GPU their values differ from run to run, and nothing is compared; simulated blocks keep step.
#[test]
fn blocks_that_do_not_wait_are_known() {
    let of = |sync: &str| converted(SWEEPS, &format!("[defaults]\nsync = \"{sync}\"\n"));
    let asynchronous = of("asynchronous");
    assert_eq!(verify::asynchronous(&asynchronous.report), Some("f_0"), "{}", notes(&asynchronous));
    assert!(notes(&asynchronous).contains("do not wait for each other"), "{}", notes(&asynchronous));
    assert_eq!(verify::asynchronous(&of("cooperative").report), None);
    let simulated = verified(SWEEPS, "[defaults]\nsync = \"asynchronous\"\n");
    assert!(matches!(simulated.verdict, Verdict::Verified), "{:?}", simulated.verdict);
}

/// Adds 1 to all values until their sum is large, in rounds of 5 steps; the argument says when it is asked to end.
const ROUNDS: &str = r#"
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
void rt_interrupt(void);
static double x[300], y[300];
static void stop(int number) {
    (void)number;
    rt_interrupt();
}
static int f(int n, double most) {
    double sum = 0;
    int steps = 0;
    while (sum < most * n) {
        int inner = 0;
        while (sum < most * n && inner < 5) {
            for (int i = 0; i < n; i++)
                y[i] = x[i] + 1;
            sum = 0;
            for (int i = 0; i < n; i++) {
                x[i] = y[i];
                sum += y[i];
            }
            inner++;
        }
        steps += inner;
    }
    return steps;
}
int main(int argc, char **argv) {
    (void)argc;
    struct itimerval soon = {{0, 0}, {0, 30000}};
    if (!strcmp(argv[1], "before"))
        rt_interrupt();
    if (!strcmp(argv[1], "while")) {
        signal(SIGALRM, stop);
        setitimer(ITIMER_REAL, &soon, 0);
    }
    int steps = f(300, strcmp(argv[1], "never") ? 1e12 : 13);
    for (int i = 0; i < 300; i++)
        if (x[i] != steps)
            return 1;
    printf("%d\n", steps);
    return 0;
}
"#;

#[test]
fn an_interruptible_loop_ends_whole_when_the_program_asks_for_it() {
    for (sync, order) in [
        ("cooperative", "forward"),
        ("cooperative", "reverse"),
        ("lock-free", "shuffle:3"),
        ("relaxed", "forward"),
        ("relaunch", "forward"),
    ] {
        let toml = format!("[[region]]\nfunction = \"f\"\nsync = \"{sync}\"\nmin-work = 0\ninterruptible = true\n");
        let (_folder, program) = built(ROUNDS, &toml);
        let steps = |when: &str| {
            let mut command = std::process::Command::new(&program);
            let out = command.arg(when).env("RT_SIM_ORDER", order).output().expect("it runs");
            let said = String::from_utf8_lossy(&out.stderr);
            assert!(out.status.success() && said.is_empty(), "{sync}, {order}, {when}: {}: {said}", out.status);
            String::from_utf8_lossy(&out.stdout).trim().parse::<u64>().expect("a number")
        };
        assert_eq!(steps("never"), 13, "{sync}, {order}");
        assert!(steps("before") <= 1, "{sync}, {order}");
        assert!(steps("while") > 0, "{sync}, {order}");
    }
    let told = notes(&converted(SCALE, "[defaults]\ninterruptible = true\n"));
    assert!(told.contains("interruptible has no effect"), "{told}");
}

#[test]
fn what_a_thread_has_for_itself_stays_on_chip_unless_the_user_says_no() {
    let c = "void f(int n, int steps, double *u, double *v) {
        for (int t = 0; t < steps; t++) {
            for (int i = 1; i < n - 1; i++) v[i] += u[i - 1] - 2.0 * u[i] + u[i + 1];
            for (int i = 1; i < n - 1; i++) u[i] += v[i];
        }
    }\n";
    let told = |toml: &str| notes(&converted(c, toml));
    assert!(told("").contains("on chip"), "{}", told(""));
    let without = told("[defaults]\non-chip = false\n");
    assert!(!without.contains("on chip"), "{without}");
}
