//! Functions of the program's other files: opened where loops call them, and only where every name in them means what it
//! does at home; no regions of their own where loops have all their calls.

#[path = "support/unoptimised.rs"]
mod unoptimised;

use rtcuda::config::Config;
use rtcuda::diag::Diagnostic;
use rtcuda::pipeline::{self, ConvertOptions};
use rtcuda::runtime::programs::Program;
use rtcuda::runtime::verify::{self, Options, Verdict};
use std::path::{Path, PathBuf};
use std::time::Duration;
use unoptimised::unoptimised;

fn files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/imports");
    ["main.c", "grid.c", "more.c", "rest.c"].map(|name| folder.join(name)).to_vec()
}

fn config() -> Config {
    let text = "[target]\nbackend = \"cpu\"\n[defaults]\nmin-work = 0\n";
    Config::parse("imports.toml", text).expect("the configuration is valid")
}

#[test]
fn loops_and_what_they_call_in_other_files_compute_the_same() {
    let convert = |files: &[PathBuf], options: &ConvertOptions| Ok(unoptimised(pipeline::convert(files, options)?));
    let program = Program { files: files(), config: config(), config_file: None };
    let v = verify::one(&program, &Options::new(convert, Duration::from_secs(60)));
    assert_eq!(v.verdict, Verdict::Verified, "{:#?}", v.runs);
    let regions = v.runs.iter().flat_map(|r| &r.comparisons).flat_map(|c| &c.regions);
    for region in regions {
        assert!(region.not_converted.is_empty(), "{}: {:?}", region.region, region.not_converted);
        assert!(region.arrays.iter().all(|a| a.worst_abs == 0.0), "{}: {:#?}", region.region, region.arrays);
    }
}

#[test]
fn a_function_stays_in_its_file_where_a_name_in_it_would_mean_something_else() {
    let options = ConvertOptions { config: config(), ..ConvertOptions::default() };
    let converted = pipeline::convert(&files(), &options).unwrap_or_else(|stop| panic!("{stop:?}"));
    let kept_out: Vec<_> = converted.diagnostics.iter().filter(|d| d.code != "subsumed").collect();
    let said: Vec<&str> = kept_out.iter().map(|d| d.message.as_str()).collect();
    let is_named = |d: &&&Diagnostic| d.help.as_ref().is_some_and(|help| help.contains("name the file"));
    assert!(!kept_out.iter().any(|d| is_named(&d)), "all files are named: {kept_out:#?}");
    for (name, why) in [
        ("shared", "calls a function whose name is another one's here"),
        ("limited", "calls a function whose name is another one's here"),
        ("scaled", "names a variable that this file does not share with it"),
        ("counted", "names a variable that this file does not share with it"),
        ("of_pair", "uses types or constants that are others in this file"),
        ("of_case", "uses types or constants that are others in this file"),
    ] {
        let expected = format!("`{name}` cannot be called on the device: its body, in another file, {why}");
        assert!(said.contains(&expected.as_str()), "{expected}\n{said:#?}");
    }
    let regions = converted.report["regions"].to_string();
    let opened =
        |name: &str| ["part of it: ", ", "].iter().any(|before| regions.contains(&format!("{before}`{name}`")));
    for name in ["step", "distance", "count_folded"] {
        assert!(opened(name), "{name}: {}", converted.report);
    }
    let of = |name: &str| said.iter().filter(|m| m.contains(&format!("`{name}`"))).count();
    assert_eq!([of("wrapped"), of("rate"), of("twice")], [0, 0, 0], "{said:#?}");
}

/// The regions of a program of two files: the second has `distance`, whose name the first has `with` as well.
fn regions(with: &str) -> Vec<String> {
    let distance = "float distance(const float *a, const float *b, int m) {
        float sum = 0;
        for (int j = 0; j < m; j++) sum += (a[j] - b[j]) * (a[j] - b[j]);
        return sum;
    }";
    let main = format!(
        "float distance(const float *, const float *, int);
         float x[100], y[100][100], d[100];
         int main(void) {{ for (int i = 0; i < 100; i++) d[i] = distance(x, y[i], 100); {with} }}"
    );
    regions_of(&main, distance)
}

/// The regions of a program of two files.
fn regions_of(main: &str, other: &str) -> Vec<String> {
    let folder = tempfile::tempdir().expect("a folder");
    let files = [("main.c", main), ("other.c", other)].map(|(name, text)| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("a file");
        path
    });
    let converted = pipeline::convert(&files, &ConvertOptions { config: config(), ..ConvertOptions::default() });
    let report = converted.unwrap_or_else(|stop| panic!("{stop:?}")).report;
    let regions = report["regions"].as_array().expect("regions").iter();
    regions.filter_map(|r| r["name"].as_str().map(str::to_owned)).collect()
}

#[test]
fn a_function_that_loops_of_another_file_call_is_no_region_of_its_own() {
    assert_eq!(regions(""), ["main_0"]);
    assert_eq!(regions("d[0] = distance(x, y[1], 50);"), ["main_0", "distance_0"]);
    assert_eq!(regions("float (*f)(const float *, const float *, int) = distance;"), ["main_0", "distance_0"]);
}

/// Of C's library it may call what the other file declares nothing of, and name the streams.
#[test]
fn a_function_that_allocates_and_reports_is_taken_over() {
    let main = "#include <stdio.h>
        int gather(const float *a, float *out, int i);
        float x[102], d[100];
        int main(void) { int failed = 0; for (int i = 0; i < 100; i++) failed = gather(x, d, i); return failed; }";
    let gather = "#include <stdlib.h>
        #include <stdio.h>
        int gather(const float *a, float *out, int i) {
            float *w = malloc(3 * sizeof(float));
            if (w == NULL) { fprintf(stderr, \"no memory\"); exit(1); }
            for (int k = 0; k < 3; k++) w[k] = a[i + k];
            out[i] = w[0] * w[2] - w[1];
            free(w);
            return 0;
        }";
    assert_eq!(regions_of(main, gather), ["main_0"]);
}

/// Loops that call through pointers, and the functions that these lead to, in three files.
const LED_TO: [(&str, &str); 3] = [
    (
        "loops.c",
        "typedef double (*law)(double, double);\n\
         __attribute__((noinline))\n\
         void held(int n, double *y, law f) { for (int i = 0; i < n; i++) y[i] = f(y[i], 2); }\n\
         // What it may lead to stands behind it, and elsewhere.\n\
         void all(int n, double *y, law f) { for (int i = 0; i < n; i++) y[i] = f(y[i], 0.5); }\n\
         static double behind(double x, double by) { return x - by; }\n\
         law own(void) { return behind; }\n",
    ),
    (
        "laws.c",
        "#include <math.h>\n\
         double spring(double x, double by) { return -by * x; }\n\
         static double last;\n\
         double kept(double x, double by) { return last = 0.5 * last + by * x; }\n\
         static double hidden(double x, double by) { return x / (by + 1); }\n\
         double (*find(void))(double, double) { return hidden; }\n",
    ),
    (
        "main.c",
        "#include <math.h>\n#include <stdio.h>\n\
         typedef double (*law)(double, double);\n\
         double spring(double, double), kept(double, double);\n\
         law own(void), find(void);\n\
         void held(int, double *, law), all(int, double *, law);\n\
         int main(void) {\n    \
             static double y[3000];\n    \
             law laws[] = {spring, kept, own(), find(), pow};\n    \
             for (int i = 0; i < 3000; i++) y[i] = 0.001 * i;\n    \
             for (int k = 0; k < 5; k++) { held(3000, y, laws[k]); all(3000, y, laws[k]); printf(\"%g %g\\n\", y[7], y[2999]); }\n    \
             return 0;\n}\n",
    ),
];

#[test]
fn pointers_lead_to_functions_of_other_files() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let files: Vec<PathBuf> = LED_TO.iter().map(|(name, _)| folder.path().join(name)).collect();
    files.iter().zip(LED_TO).for_each(|(file, (_, text))| std::fs::write(file, text).expect("a file"));
    let options = ConvertOptions { config: config(), ..ConvertOptions::default() };
    let converted = pipeline::convert(&files, &options).unwrap_or_else(|stop| panic!("{stop:?}"));
    let loops = converted.files.iter().find(|f| f.path.ends_with("loops.c")).expect("it is emitted");
    let text = String::from_utf8_lossy(&loops.contents).into_owned();
    // What is no function of a library, nor declared here, is; but not between attributes and what they belong to.
    let declared = "static double behind(double, double); double spring(double, double); extern inline void all(";
    assert!(text.contains(declared), "{text}");
    assert!(text.contains("(f == behind || f == spring) ? rt_all_0(f == behind, n, y)"), "{text}");
    assert!(text.contains("__attribute__((noinline))\nvoid held(int n"), "{text}");
    let convert = |files: &[PathBuf], options: &ConvertOptions| Ok(unoptimised(pipeline::convert(files, options)?));
    let program = Program { files, config: config(), config_file: None };
    let v = verify::one(&program, &Options::new(convert, Duration::from_secs(60)));
    assert_eq!(v.verdict, Verdict::Verified, "{:#?}", v.runs);
}
