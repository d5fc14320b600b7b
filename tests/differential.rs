//! Random loop nests: what the tool makes of them computes the same as the original, element for element.
//!
//! `RTCUDA_NESTS` sets how many functions are drawn (by default 1,000, each 0.4 to 0.6 s of one core: half of that is
//! isl's, a quarter g++'s, a fifth ours), `RTCUDA_SEED` from which seed on: `.ci/run` takes it from the commit, so that
//! each one draws others. What fails says with which of both it is drawn again. Every batch with a failure prints the C of one
//! function, with the statements dropped that it fails without. 20,000 functions are best drawn in parts, so that each
//! says what it found when it ends. The executable of this test needs a C and a C++ compiler and nothing else of the
//! machine it runs on; each part keeps two cores busy:
//!
//! ```text
//! cargo test --release --no-run --test differential       prints its path
//! seq 1 500 20000 | xargs -P 8 -I{} sh -c \
//!     'RTCUDA_SEED={} RTCUDA_NESTS=500 ./differential-* random --nocapture >part-{}.txt 2>&1 || echo "from {} on"'
//! ```

mod support;
#[path = "support/unoptimised.rs"]
mod unoptimised;

use rtcuda::config::Config;
use rtcuda::diag::Stop;
use rtcuda::pipeline::{self, ConvertOptions, Converted};
use rtcuda::report::{Report, Runs};
use rtcuda::runtime::build::{self, Target};
use rtcuda::runtime::programs::Program;
use rtcuda::runtime::verify::{self, Options, Verdict, Verification};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::time::Duration;
use support::{draw, nests::Function, render, shrink};
use unoptimised::unoptimised;

/// Functions in one C file.
const BATCH: usize = 25;

/// Trials of shrinking; each is a conversion, a build and its runs.
const SHRINKING: usize = 60;

/// How many functions are drawn when nobody says.
const NESTS: u64 = 1000;

/// From so many functions on, of a hundred this many have a region that is converted ...
const FLOOR_FUNCTIONS: usize = 55;

/// ... of a hundred loops, this many run in parallel ...
const FLOOR_LOOPS: usize = 25;

/// ... and of a hundred calls of a region, this many run the converted version.
const FLOOR_CALLS: u64 = 75;

fn from_env(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(default)
}

/// The functions of so many seeds, in batches of one C file each.
fn batches(count: u64) -> Vec<Vec<Function>> {
    let seed = from_env("RTCUDA_SEED", 1);
    println!("{count} functions from seed {seed}");
    let functions: Vec<Function> = (seed..seed + count).map(|seed| draw::function(&format!("f{seed}"), seed)).collect();
    functions.chunks(BATCH).map(<[Function]>::to_vec).collect()
}

/// The environment that draws these functions again.
fn drawn_by(functions: &[Function]) -> String {
    let first = functions.first().map_or("", |f| f.name.trim_start_matches('f'));
    format!("RTCUDA_SEED={first} RTCUDA_NESTS={}", functions.len())
}

/// Compiles with the C compiler's checks on, runs, and gives what the program printed.
fn run(dir: &Path, source: &str) -> String {
    let (file, exe) = (dir.join("nests.c"), dir.join("nests"));
    std::fs::write(&file, source).expect("the folder is writable");
    // The flag of what is invalid says nothing: a comparison with NaN, which is drawn, raises it too.
    let checks =
        "-fsanitize=address,undefined,float-cast-overflow,float-divide-by-zero -fno-sanitize-recover=all -DCHECK_EXACT";
    let mut gcc = Command::new("gcc");
    gcc.args(["-std=c99", "-O1"]).args(checks.split(' ')).arg(&file).arg("-o").arg(&exe).arg("-lm");
    let built = gcc.output().expect("gcc runs");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let out = Command::new(&exe).output().expect("the program runs");
    let text = String::from_utf8_lossy(&out.stdout).into_owned();
    assert!(out.status.success(), "after {text}: {}", String::from_utf8_lossy(&out.stderr));
    text
}

/// The generator keeps its promises: no access out of bounds, no overflow, nothing rounded.
#[test]
fn the_drawn_functions_are_valid_and_exact() {
    let dir = tempfile::tempdir().expect("a temporary folder");
    for batch in batches(from_env("RTCUDA_NESTS", NESTS).div_ceil(4)) {
        println!("{}", drawn_by(&batch));
        let printed = run(dir.path(), &render::program(&batch));
        for (line, f) in printed.lines().zip(&batch) {
            let again = drawn_by(std::slice::from_ref(f));
            assert!(!line.contains("inexact"), "{line} ({again} draws it)\n{}", render::function(f));
        }
        assert_eq!(printed.lines().count(), batch.len());
    }
}

/// Shrinking ends at a function that still fails, and that is C.
#[test]
fn shrinking_keeps_the_failure_and_little_else() {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let fails = |f: &Function| render::function(f).contains("*=");
    let is_large = |f: &Function| fails(f) && render::function(f).lines().count() > 30;
    let large = (1..).map(|seed| draw::function("f", seed)).find(is_large).expect("one of many functions multiplies");
    let small = shrink::shrink(&large, 1000, fails);
    assert!(fails(&small));
    assert!(render::function(&small).lines().count() < 15, "{}", render::function(&small));
    run(dir.path(), &render::program(&[small]));
}

/// Converted and simulated in several orders of threads, no function differs from its original in any element, and the
/// simulation finds no fault. Most functions, loops and calls are converted, so that this says something.
#[test]
fn random_nests_compute_what_the_original_does() {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let batches = batches(from_env("RTCUDA_NESTS", NESTS));
    let programs: Vec<Program> =
        batches.iter().enumerate().map(|(k, batch)| program(dir.path(), &format!("batch{k}"), batch)).collect();
    let verifications = verify::all(&programs, &options(), &|_| {});
    let faults = batches.iter().zip(&verifications).filter_map(|(batch, v)| Some((batch, fault(v)?)));
    let reports: Vec<String> = faults.map(|(batch, fault)| report(dir.path(), batch, &fault)).collect();
    assert!(reports.is_empty(), "{}", reports.join("\n\n"));
    let mut share = Share::default();
    for (batch, (program, verification)) in batches.iter().zip(programs.iter().zip(&verifications)) {
        share.count(batch, program, verification);
    }
    share.check();
}

/// Converted for good, they print what their originals print: what their regions leave on the device is there for the next ones,
/// and comes home for what the host does in between. Of the batches, every eighth.
#[test]
fn random_nests_print_what_their_originals_print() {
    let dir = tempfile::tempdir().expect("a temporary folder");
    for (k, batch) in batches(from_env("RTCUDA_NESTS", NESTS)).iter().enumerate().step_by(8) {
        let program = program(dir.path(), &format!("printing{k}"), batch);
        let cflags = options().cflags;
        let asked = ConvertOptions { cflags: cflags.clone(), config: program.config, ..ConvertOptions::default() };
        let files = convert(&program.files, &asked).expect("what is drawn converts").files;
        let folder = dir.path().join(format!("plain{k}"));
        let emitted = build::Program { folder: &folder, files: &files, cflags: &cflags, headers: None };
        let simulated = build::executable(&emitted, &Target::Simulation).expect("what is emitted compiles");
        let out = Command::new(simulated).output().expect("the program runs");
        let printed = String::from_utf8_lossy(&out.stdout);
        let expected = run(dir.path(), &render::program(batch));
        assert_eq!(printed, expected, "{} draws this batch", drawn_by(batch));
    }
}

/// What showed a fault once stays right: the programs of `tests/nests`, as they were drawn then.
#[test]
fn what_was_found_once_stays_right() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/nests");
    let files = std::fs::read_dir(folder).expect("the folder is there");
    let mut files: Vec<PathBuf> = files.map(|entry| entry.expect("the folder can be read").path()).collect();
    files.retain(|file| file.is_file());
    files.sort();
    // However little there is to do.
    let text = "[target]\nbackend = \"cpu\"\n[defaults]\nmin-work = 0\n";
    let config = Config::parse("nests.toml", text).expect("the configuration is valid");
    let program = |file| Program { files: vec![file], config: config.clone(), config_file: None };
    let programs: Vec<Program> = files.into_iter().map(program).collect();
    assert!(!programs.is_empty());
    for verification in verify::all(&programs, &options(), &|_| {}) {
        assert_eq!(fault(&verification), None, "{}", verification.program);
    }
}

/// The functions as a program whose regions are searched for in them alone. What a directive asks of a mapping that cannot
/// be is left out.
fn program(dir: &Path, name: &str, functions: &[Function]) -> Program {
    let mut functions = functions.to_vec();
    for f in functions.iter_mut().filter(|f| f.asked.directive.is_some()) {
        let alone = written(dir, &format!("{name}_{}", f.name), std::slice::from_ref(f));
        let asked = ConvertOptions { config: alone.config, ..ConvertOptions::default() };
        if let Err(Stop::Input(error)) = convert(&alone.files, &asked)
            && error.code == "mapping"
        {
            f.asked.directive = None;
        }
    }
    written(dir, name, &functions)
}

fn written(dir: &Path, name: &str, functions: &[Function]) -> Program {
    let file = dir.join(format!("{name}.c"));
    std::fs::write(&file, render::program(functions)).expect("the folder is writable");
    let region = |f: &Function| format!("[[region]]\nfunction = \"{}\"\n{}", f.name, f.asked.config);
    let regions: String = functions.iter().map(region).collect();
    let text = format!("[target]\nbackend = \"cpu\"\n[defaults]\nmin-work = 0\n{regions}");
    let config = Config::parse("nests.toml", &text).expect("the configuration is valid");
    Program { files: vec![file], config, config_file: None }
}

/// What the conversion of a file decided.
static REPORTS: Mutex<BTreeMap<PathBuf, serde_json::Value>> = Mutex::new(BTreeMap::new());

/// Converts; the kernels are compiled as they are.
fn convert(files: &[PathBuf], options: &ConvertOptions) -> Result<Converted, Stop> {
    // A panic is a fault of one batch, and the others are still of interest.
    let converted = std::panic::catch_unwind(|| pipeline::convert(files, options));
    let converted = converted.unwrap_or_else(|_| Err(Stop::Bug("the conversion panicked, as said above".into())))?;
    REPORTS.lock().expect("no test panics with the lock").insert(files[0].clone(), converted.report.clone());
    Ok(unoptimised(converted))
}

fn options() -> Options {
    Options { cflags: vec!["-std=c99".into(), "-O0".into()], ..Options::new(convert, Duration::from_secs(60)) }
}

/// What is wrong, if something is. Values are exact, so that no tolerance applies.
fn fault(v: &Verification) -> Option<String> {
    if !matches!(v.verdict, Verdict::Verified | Verdict::NothingConverted | Verdict::NothingCompared(_)) {
        let said: Vec<&str> = v.runs.iter().map(|r| r.stderr.as_str()).collect();
        return Some(format!("{:?}: {:?}\n{:#?}\n{}", v.verdict, v.diagnostics.first(), v.runs, said.join("\n")));
    }
    let regions = v.runs.iter().flat_map(|r| &r.comparisons).flat_map(|c| &c.regions);
    let mut arrays = regions.flat_map(|r| r.arrays.iter().map(move |a| (r, a)));
    arrays.find(|(_, a)| a.worst_abs != 0.0).map(|(r, a)| format!("{}: {a:#?}", r.region))
}

/// The functions of a batch that fail alone, the first of them made smaller.
fn report(dir: &Path, batch: &[Function], fault_of_batch: &str) -> String {
    let alone = |f: &Function| fault(&verify::one(&program(dir, "alone", std::slice::from_ref(f)), &options()));
    let failing: Vec<&Function> = batch.iter().filter(|f| alone(f).is_some()).collect();
    let names: BTreeSet<&str> = failing.iter().map(|f| f.name.as_str()).collect();
    let Some(first) = failing.first() else {
        let names: BTreeSet<&str> = batch.iter().map(|f| f.name.as_str()).collect();
        let again = drawn_by(batch);
        return format!("{names:?} fail together ({again} draws them), none alone: {fault_of_batch}");
    };
    let small = shrink::shrink(first, SHRINKING, |f| alone(f).is_some());
    format!(
        "{names:?} fail ({} draws the first alone); made smaller, called with n = {}, m = \
         {}:\n{}{}\n{}",
        drawn_by(std::slice::from_ref(first)),
        small.n,
        small.m,
        small.asked.config,
        render::function(&small),
        alone(&small).unwrap_or_default()
    )
}

/// How much of what was drawn is converted.
#[derive(Default)]
struct Share {
    functions: usize,
    converted: usize,
    loops: usize,
    parallel: usize,
    calls: u64,
    compared: u64,
}

impl Share {
    fn count(&mut self, batch: &[Function], program: &Program, verification: &Verification) {
        let reports = REPORTS.lock().expect("no test panics with the lock");
        let report = reports.get(&program.files[0]).expect("it was converted").clone();
        let report: Report = serde_json::from_value(report).expect("the report has its own form");
        self.functions += batch.len();
        self.converted += report.regions.iter().map(|r| &r.function).collect::<BTreeSet<_>>().len();
        self.loops += batch.iter().map(Function::loops).sum::<usize>();
        let loops = report.regions.iter().flat_map(|r| &r.loops);
        self.parallel += loops.filter(|l| matches!(l.runs, Runs::Parallel | Runs::Reduction)).count();
        for region in verification.runs.iter().take(1).flat_map(|r| &r.comparisons).flat_map(|c| &c.regions) {
            self.calls += region.calls;
            self.compared += region.calls - region.not_converted.iter().map(|n| n.calls).sum::<u64>();
        }
    }

    fn check(&self) {
        println!(
            "{} of {} functions have a converted region, {} of {} loops run in parallel, {} of {} calls were converted",
            self.converted, self.functions, self.parallel, self.loops, self.compared, self.calls
        );
        if self.functions < NESTS as usize {
            return;
        }
        assert!(self.converted * 100 >= self.functions * FLOOR_FUNCTIONS, "too few functions are converted");
        assert!(self.parallel * 100 >= self.loops * FLOOR_LOOPS, "too few loops run in parallel");
        assert!(self.compared * 100 >= self.calls * FLOOR_CALLS, "too many calls fall back to the original");
    }
}
