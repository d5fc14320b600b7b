//! What a configuration or a directive chooses between the device and the host acts, is told, and is verified honestly.

use rtcuda::config::{Backend, Config};
use rtcuda::pipeline::{self, ConvertOptions, Converted};
use rtcuda::runtime::programs::Program;
use rtcuda::runtime::verify::{self, Options, Verdict, Verification};
use std::path::PathBuf;
use std::time::Duration;

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
    pipeline::convert(&[file], &options).unwrap_or_else(|stop| panic!("{stop:?}"))
}

fn verified(c: &str, toml: &str) -> Verification {
    let (_folder, file) = written(c);
    let program = Program { files: vec![file], config: config(toml), config_file: None };
    let options = Options { convert: pipeline::convert, cflags: Vec::new(), limit: Duration::from_secs(60) };
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

#[test]
fn a_region_that_is_too_small_for_any_gpu_is_told() {
    let small = "double x[640];\nvoid f(void) {\n    for (int i = 0; i < 640; i++)\n        x[i] = 2 * x[i];\n}\n";
    let told = notes(&converted(small, ""));
    assert!(
        told.contains("too small for any GPU: 640 statement instances") && told.contains("min-work = 641"),
        "{told}"
    );
    let large = small.replace("640", "64000");
    assert_eq!(notes(&converted(&large, "")), "[]");
    let kept = converted(small, "[defaults]\nmin-work = 641\n");
    assert!(kept.report["regions"].as_array().is_some_and(Vec::is_empty), "{}", kept.report);
    let why: Vec<&str> = kept.diagnostics.iter().map(|d| d.message.as_str()).collect();
    assert_eq!(why, ["its work, 640 statement instances, is less than min-work = 641"]);
}
