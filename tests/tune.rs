//! `rtcuda tune`, as a user runs it: without a GPU, and with one where there is one; and the sizes of kernels that a
//! configuration gives.

#[path = "support/command.rs"]
mod command;

use command::{rtcuda, text};
use rtcuda::runtime::device::Gpu;
use rtcuda::runtime::toolchain;
use rtcuda::tune::Chosen;
use rtcuda::tune::cache::{Cache, Entry, Key, Outcome};
use serde_json::Value;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

const PROGRAM: &str = "\
#include <stdlib.h>
static void add(int n, int m, float a[n][m], float b[n][m], float c[n][m]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            c[i][j] = a[i][j] + b[i][j];
}
int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 64;
    float *a = calloc(n * n, 4), *b = calloc(n * n, 4), *c = calloc(n * n, 4);
    for (int i = 0; i < n * n; i++)
        a[i] = i, b[i] = 2 * i;
    if (n > 0)
        add(n, n, (void *)a, (void *)b, (void *)c);
    return c[n] != 3 * n;
}
";

const CONFIG: &str = "[[region]]\nfunction = \"add\"\n";

/// A folder with the program, and with a configuration that speaks of its region and of what else is said.
fn program(more: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("add.c"), PROGRAM).unwrap();
    fs::write(folder.path().join("c.toml"), format!("{CONFIG}{more}")).unwrap();
    folder
}

#[test]
fn without_a_gpu_the_model_ranks_and_says_so() {
    let folder = program("");
    let words = ["tune", "add.c", "--config", "c.toml", "--backend", "cpu", "--arg", "2048", "--write"];
    let out = rtcuda(folder.path(), &[&words[..], &["--json"]].concat());
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    let answer: Value = serde_json::from_slice(&out.stdout).unwrap();
    let region = &answer["regions"][0];
    assert_eq!((&region["region"], &region["is_measured"]), (&Value::from("add_0"), &Value::from(false)));
    // The program ran to the call, and what it was called with is what the model is asked about.
    assert_eq!(region["call"]["n"], 2048);
    let ranking = region["kernels"][0]["ranking"].as_array().unwrap();
    assert!(ranking.len() > 8 && ranking.iter().any(|r| r["sizes"].as_object().unwrap().is_empty()));
    let seconds: Vec<f64> = ranking.iter().map(|r| r["seconds"].as_f64().unwrap()).collect();
    assert!(seconds.is_sorted());
    // Predictions are told, and neither written nor remembered.
    assert_eq!(answer["written"], Value::Null);
    assert_eq!(fs::read_to_string(folder.path().join("c.toml")).unwrap(), CONFIG);
    assert!(!folder.path().join("target").exists());
    let out = rtcuda(folder.path(), &[&words[..], &["--plot", "add.svg"]].concat());
    let picture = fs::read_to_string(folder.path().join("add.svg")).unwrap();
    assert!(picture.contains("predicted, not measured") && picture.matches("<circle").count() > 8, "{picture}");
    let told = text(&out.stdout);
    assert!(told.contains("predicted: ") && told.contains("nothing is written: predictions"), "{told}");
}

#[test]
fn what_cannot_be_tuned_is_said_in_a_line() {
    let folder = program("");
    let fault = |words: &[&str]| {
        let out =
            rtcuda(folder.path(), &[&["tune", "add.c", "--config", "c.toml", "--backend", "cpu"], words].concat());
        assert_eq!(out.status.code(), Some(2), "{words:?}");
        text(&out.stderr)
    };
    let none = fault(&["--region", "mul"]);
    assert!(none.contains("error[no-such-region]") && none.contains("there are add_0"), "{none}");
    let never = fault(&["--arg", "0"]);
    assert!(never.contains("error[not-called]") && never.contains("rt_add_0"), "{never}");
    let import = fault(&["--import", "add.c"]);
    assert!(import.contains("error[t4-import]: add.c cannot be imported: this is not JSON"), "{import}");
    fs::write(folder.path().join("cache.json"), "{").unwrap();
    let cache = fault(&["--cache", "cache.json"]);
    assert!(cache.contains("error[tune-cache]") && cache.contains("move it away"), "{cache}");
    let energy = fault(&["--objective", "energy"]);
    assert!(energy.contains("error[no-meter]") && energy.contains("--objective time"), "{energy}");
    let budget = rtcuda(folder.path(), &["tune", "add.c", "--budget", "60"]);
    assert!(text(&budget.stderr).contains("a number and a unit"), "{}", text(&budget.stderr));
}

#[test]
fn sizes_of_the_configuration_are_acted_on() {
    let convert = |more: &str| {
        let folder = program(more);
        let out = rtcuda(folder.path(), &["convert", "add.c", "--config", "c.toml", "-o", "out"]);
        let cu = fs::read_to_string(folder.path().join("out/add.cu")).unwrap_or_default();
        (cu, out.status.code(), text(&out.stderr))
    };
    let (cu, status, said) = convert("[kernels.rt_add_0_k0]\nBLOCK_0 = 2\nBLOCK_1 = 64\n");
    assert_eq!((status, said.contains("warning")), (Some(0), false), "{said}");
    assert!(cu.contains("rt_add_0_k0<int, 2, 64"), "{cu}");
    // The registers of any kernel are bounded, by the blocks that they leave room for.
    assert!(cu.contains("RT_THREADS(BLOCK_0 * BLOCK_1, RESIDENT)"), "{cu}");
    let (cu, ..) = convert("[kernels.rt_add_0_k0]\nRESIDENT = 6\n");
    assert!(cu.contains("rt_add_0_k0<int, 8, 32, 2, 6>"), "{cu}");
    let (cu, ..) = convert("[kernels.rt_add_0_k0]\nRESIDENT = 0\n");
    assert!(cu.contains("rt_add_0_k0<int, 8, 32, 2>") && !cu.contains("RT_THREADS"), "{cu}");
    let (_, status, said) = convert("[kernels.rt_add_0_k7]\nBLOCK_0 = 2\n");
    assert_eq!(status, Some(0));
    assert!(said.contains("warning[no-such-kernel]") && said.contains("did you mean `rt_add_0_k0`?"), "{said}");
    let (cu, ..) = convert("[kernels.rt_add_0_k0]\nstrategy = \"pointwise\"\nBLOCK_1 = 64\n");
    assert!(cu.contains("rt_add_0_k0<int, 8, 64"), "{cu}");
    for (sizes, why) in [
        ("strategy = \"rows\"", "it has no strategy `rows`, but pointwise"),
        ("STAGES = 3", "it has no size `STAGES`"),
        ("RESIDENT = 17", "so many blocks"),
        ("BLOCK_0 = 0", "out of place"),
        ("BLOCK_0 = 512\nBLOCK_1 = 64", "a block has 32768 threads"),
    ] {
        let (_, status, said) = convert(&format!("[kernels.rt_add_0_k0]\n{sizes}\n"));
        assert_eq!(status, Some(2), "{said}");
        assert!(said.contains("error[kernel-sizes]") && said.contains(why), "{said}");
    }
}

fn entry(k: u64) -> Entry {
    Entry {
        kernel: "rt_f_0_k0".into(),
        chosen: Chosen::sizes([("BLOCK_0".to_owned(), k as i64)].into()),
        device: "none".into(),
        call: [("n".to_owned(), 4096)].into(),
        outcome: Outcome::Ok { samples: vec![k as f64; 5] },
    }
}

fn key(k: u64) -> Key {
    Key::of(&["text", &k.to_string()])
}

/// Run by the test below in a process of its own: measurements without end, each told when it is remembered.
#[test]
fn measures_until_it_is_killed() {
    let Some(path) = std::env::var_os("RTCUDA_TEST_CACHE") else { return };
    let mut cache = Cache::open(Path::new(&path)).unwrap();
    for k in cache.entries().count() as u64.. {
        cache.put(&key(k), entry(k));
        assert_eq!(cache.unwritten(), None);
        println!("remembered {k}");
    }
}

#[test]
fn killed_at_any_moment_the_cache_loads_and_has_what_was_measured() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cache.json");
    let mut n_known = 0;
    for round in 0..20u64 {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "measures_until_it_is_killed", "--nocapture"])
            .env("RTCUDA_TEST_CACHE", &path)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        // Odd steps of microseconds: another moment of the writing each time.
        std::thread::sleep(Duration::from_micros(20_000 + 1_733 * round));
        child.kill().unwrap();
        let said = text(&child.wait_with_output().unwrap().stdout);
        let last = said.lines().filter_map(|line| line.strip_prefix("remembered ")).filter_map(|k| k.parse().ok());
        let n_told = last.max().map_or(0, |k: u64| k + 1);
        let cache = Cache::open(&path).unwrap_or_else(|e| panic!("round {round}: {e:?}"));
        n_known = cache.entries().count() as u64;
        // Of the last line only a part may have been read.
        assert!(n_known + 1 >= n_told, "round {round}: {n_told} were told, {n_known} are there");
        assert!((0..n_known).all(|k| cache.get(&key(k)) == Some(&entry(k))));
    }
    assert!(n_known > 20, "{n_known} in all");
}

/// Run by the test below in processes of their own.
#[test]
fn measures_some() {
    let Some(path) = std::env::var_os("RTCUDA_TEST_SHARED") else { return };
    let first: u64 = std::env::var("RTCUDA_TEST_FIRST").unwrap().parse().unwrap();
    let mut cache = Cache::open(Path::new(&path)).unwrap();
    for k in first..first + 50 {
        cache.put(&key(k), entry(k));
        assert_eq!(cache.unwritten(), None);
    }
}

#[test]
fn runs_at_the_same_time_lose_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cache.json");
    let run = |first: u64| {
        Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "measures_some"])
            .env("RTCUDA_TEST_SHARED", &path)
            .env("RTCUDA_TEST_FIRST", first.to_string())
            .stdout(Stdio::null())
            .spawn()
            .unwrap()
    };
    let runs: Vec<_> = [0, 50, 100].map(run).into();
    runs.into_iter().for_each(|mut run| assert!(run.wait().unwrap().success()));
    let cache = Cache::open(&path).unwrap();
    assert!((0..150).all(|k| cache.get(&key(k)) == Some(&entry(k))));
    assert_eq!((cache.entries().count(), fs::read_dir(folder.path()).unwrap().count()), (150, 1));
}

#[test]
fn on_a_gpu_the_winner_is_measured_and_acted_on() {
    if let Some(missing) = Gpu::first().err().or(toolchain::nvcc().err()) {
        let what = "[SKIP] on_a_gpu_the_winner_is_measured_and_acted_on";
        let _ = writeln!(std::io::stderr(), "{what}: {}; src/tune/tests.rs does the same simulated", missing.message);
        return;
    }
    let folder = program("");
    let words = ["tune", "add.c", "--config", "c.toml", "--budget", "40s", "--most", "12", "--arg", "4096", "--write"];
    let out = rtcuda(folder.path(), &[&words[..], &["--json", "--export", "t4.json"]].concat());
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    let answer: Value = serde_json::from_slice(&out.stdout).unwrap();
    let region = &answer["regions"][0];
    assert_eq!(region["is_measured"], true);
    assert_eq!(region["judgement"], "the original loops compute the same");
    let n = region["kernels"][0]["evaluations"].as_u64().unwrap();
    assert!(n > 0 && n <= 12);
    let remembered = Cache::open(&folder.path().join("target/rtcuda-tune.json")).unwrap();
    assert!(remembered.entries().count() > 0);
    let t4 = fs::read_to_string(folder.path().join("t4.json")).unwrap();
    assert_eq!(rtcuda::tune::t4::import(&t4).unwrap().len(), remembered.entries().count());
    let out = rtcuda(folder.path(), &["convert", "add.c", "--config", "c.toml", "-o", "out"]);
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
}
