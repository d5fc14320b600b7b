//! The waiting program and its candidates, in the simulation; the search with a bench of its own.

use super::answer::measured;
use super::beside::Beside;
use super::build::{Candidate, Tuned, regions};
use super::cache::{Cache, Outcome};
use super::session::{Judgement, Session};
use super::{Chosen, toml};
use crate::config::{Config, Given, Objective};
use crate::runtime::apart;
use crate::runtime::build::Target;
use crate::runtime::energy::{self, Meter};
use crate::runtime::precompiled::Headers;
use crate::runtime::toolchain;
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// A program with a region that adds to what is there, so that runs must begin from the same elements, and a scalar.
const PROGRAM: &str = "\
#include <stdio.h>
static float a[40][50], b[50][40];
static void f(int n, int m, float a[n][m], float b[m][n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            b[j][i] = b[j][i] + 2.0f * a[i][j];
}
int main(void) {
    for (int i = 0; i < 40; i++)
        for (int j = 0; j < 50; j++) {
            a[i][j] = i + 3 * j;
            b[j][i] = i - j;
        }
    f(40, 50, a, b);
    printf(\"%g\\n\", b[1][2]);
    return 0;
}
";

const LIMIT: Duration = Duration::from_secs(60);

struct Fixture {
    folder: tempfile::TempDir,
    tuned: Tuned,
    session: Session<'static>,
    n_candidates: usize,
}

impl Fixture {
    fn new() -> Fixture {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("f.c");
        fs::write(&path, PROGRAM).unwrap();
        let config = Config::parse("f.toml", "[[region]]\nfunction = \"f\"\n").unwrap();
        let files: Vec<PathBuf> = vec![path];
        let all = regions(&files, &config, &[]).unwrap();
        let tuned = Tuned::new(&files, &config, &[], &all[0]).unwrap();
        let program = tuned.waiting(&folder.path().join("waiting")).unwrap();
        let session = Session::start(&program, &tuned.entry(), &Given::default(), folder.path(), LIMIT).unwrap();
        Fixture { folder, tuned, session, n_candidates: 0 }
    }

    fn candidate(&self, sizes: &[(&str, i64)]) -> Candidate {
        let kernel = "rt_f_0_k0".to_owned();
        let chosen = Chosen::sizes(sizes.iter().map(|(name, n)| (name.to_string(), *n)).collect());
        self.tuned.candidate(&[(kernel, chosen.given())]).unwrap()
    }

    fn run(&mut self, candidate: &Candidate, limit: Duration) -> Outcome {
        self.n_candidates += 1;
        let folder = self.folder.path().join(format!("c{}", self.n_candidates));
        let object = candidate.compile(&folder, &Target::Simulation).unwrap();
        self.session.run(&object, 3, limit, None).unwrap()
    }
}

#[test]
fn candidates_run_at_the_call_and_what_is_wrong_is_no_candidate() {
    let mut f = Fixture::new();
    assert_eq!(f.session.call, [("n".to_owned(), 40), ("m".to_owned(), 50)].into());
    let usual = f.candidate(&[]);
    assert!(matches!(f.run(&usual, LIMIT), Outcome::Ok { samples } if samples.len() == 3));
    assert_eq!(f.session.kernels, ["rt_f_0_k0"]);
    f.session.start_original().unwrap();
    let other = f.candidate(&[("BLOCK_0", 4), ("BLOCK_1", 64)]);
    assert!(other.text().contains("<int, 4, 64"), "{}", other.text());
    assert!(matches!(f.run(&other, LIMIT), Outcome::Ok { .. }));
    let pointwise = Chosen { strategy: Some("pointwise".into()), ..Chosen::default() };
    let pointwise = f.tuned.candidate(&[("rt_f_0_k0".to_owned(), pointwise.given())]).unwrap();
    assert!(usual.text().contains("RT_SHARED") && !pointwise.text().contains("RT_SHARED"), "{}", pointwise.text());
    assert!(matches!(f.run(&pointwise, LIMIT), Outcome::Ok { .. }));

    // Planted faults: a wrong value, one in a corner alone, a crash, an endless loop. Those behind them run as if nothing
    // had been.
    let wrong = usual.with("2.0f * ", "2.5f * ");
    let Outcome::Differs { why } = f.run(&wrong, LIMIT) else { panic!("it computes something else") };
    assert!(why.starts_with("b[") && why.contains("by the default"), "{why}");
    let corner = usual.with("2.0f * ", "(i == 39 && j == 49 ? 1.0f : 2.0f) * ");
    assert!(matches!(f.run(&corner, LIMIT), Outcome::Differs { why } if why.starts_with("b[49][39] is ")));
    let crash = usual.with("rt::region rt(", "abort(); rt::region rt(");
    assert_eq!(f.run(&crash, LIMIT), Outcome::Failed { why: "killed by signal 6".into() });
    let start = Instant::now();
    let hang = usual.with("rt::region rt(", "for (volatile int x = 0;;) x = x + 1; rt::region rt(");
    assert!(matches!(f.run(&hang, Duration::from_millis(300)), Outcome::Hangs { .. }));
    assert!(start.elapsed() < LIMIT / 2);
    let outside = usual.with("rt::region rt(", "return 0; rt::region rt(");
    assert!(matches!(f.run(&outside, LIMIT), Outcome::Declined { .. }));
    assert!(matches!(f.run(&other, LIMIT), Outcome::Ok { .. }));

    let start = Instant::now();
    while f.session.judgement().unwrap() == Judgement::Running && start.elapsed() < LIMIT {}
    assert_eq!(f.session.judgement().unwrap(), Judgement::Agrees);
}

/// A counter of a device that takes 100 watts, in steps of 4 ms.
fn meter() -> Meter {
    let begin = Instant::now();
    Box::new(move || Ok(0.4 * (begin.elapsed().as_secs_f64() / 0.004).floor()))
}

#[test]
fn kernels_run_until_the_meter_resolves_them() {
    let metering = energy::begin(meter(), Duration::from_millis(100)).unwrap();
    let mut f = Fixture::new();
    f.session.meter = Some(Box::leak(Box::new(metering)));
    let usual = f.candidate(&[]);
    for _ in 0..2 {
        let Outcome::Metered { samples, joules } = f.run(&usual, LIMIT) else { panic!("it is right") };
        let seconds = Outcome::Ok { samples }.seconds().unwrap();
        // In the gaps between launches the device takes what it takes when it is idle.
        assert!(joules > 50.0 * seconds && joules < 200.0 * seconds, "{joules} J in {seconds} s");
    }
    // Arrays of kernels that were launched again and again are no result.
    f.session.start_original().unwrap();
    let wrong = usual.with("2.0f * ", "2.5f * ");
    assert!(matches!(f.run(&wrong, LIMIT), Outcome::Differs { .. }));
    let start = Instant::now();
    while f.session.judgement().unwrap() == Judgement::Running && start.elapsed() < LIMIT {}
    assert_eq!(f.session.judgement().unwrap(), Judgement::Agrees);
}

#[test]
fn a_reference_that_is_wrong_is_found_by_the_original_loops() {
    let mut f = Fixture::new();
    let wrong = f.candidate(&[]).with("2.0f * ", "2.5f * ");
    assert!(matches!(f.run(&wrong, LIMIT), Outcome::Ok { .. }), "there is nothing that it could be compared with yet");
    f.session.start_original().unwrap();
    let start = Instant::now();
    while f.session.judgement().unwrap() == Judgement::Running && start.elapsed() < LIMIT {}
    let judgement = f.session.judgement().unwrap();
    assert!(matches!(&judgement, Judgement::Differs(how) if how.starts_with("b differs in")), "{judgement:?}");
}

#[test]
fn calls_of_several_sizes_lead_to_rows_that_conversions_act_on() {
    let folder = tempfile::tempdir().unwrap();
    let (path, cache) = (folder.path().join("f.c"), folder.path().join("cache.json"));
    fs::write(&path, PROGRAM).unwrap();
    let files = vec![path];
    let config = |text: &str| Config::parse("f.toml", text).unwrap();
    // A run at some size, with a configuration that an earlier one has written.
    let run = |text: &str, n: i64, best: &[(&[(&str, i64)], f64)]| {
        let all = regions(&files, &config(text), &[]).unwrap();
        let tuned = Tuned::new(&files, &config(text), &[], &all[0]).unwrap();
        let call = [("n".to_owned(), n), ("m".to_owned(), 50)].into();
        let converted = tuned.converted(&[]).unwrap();
        let beside = Beside::of(&tuned, &converted, &Target::Simulation, ("NVIDIA <H100>", &call));
        let mut cache = Cache::open(&cache).unwrap();
        let winners = beside.winners("rt_f_0_k0", Objective::Time, &cache);
        let mut answer = measured(best);
        answer.kernels[0].list = beside.list(&answer.kernels[0], &mut cache).unwrap();
        assert_eq!(cache.unwritten(), None);
        (toml::with_winners(text, &[answer], "today"), winners.iter().map(Chosen::to_string).collect::<Vec<_>>())
    };
    let (text, winners) = run("", 400, &[(&[("BLOCK_0", 4)], 1e-3), (&[], 2e-3)]);
    assert!(winners.is_empty() && text.contains("BLOCK_0 = 4") && !text.contains(".at]]"), "{text}");
    let large: &[(&[(&str, i64)], f64)] = &[(&[("BLOCK_0", 2)], 1e-3), (&[("BLOCK_0", 4)], 1.1e-3), (&[], 2e-3)];
    let (text, winners) = run(&text, 1600, large);
    assert_eq!(winners, ["BLOCK_0 = 4"], "a search begins with what won elsewhere");
    let kernels = |text: &str| regions(&files, &config(text), &[]).unwrap().remove(0).kernels;
    let usual = kernels(&text).remove(0);
    let rows: Vec<(&str, &str)> = usual.rows.iter().map(|row| (row.calls.as_str(), row.kernel.as_str())).collect();
    assert_eq!((usual.tunables[0].value, rows), (2, vec![("n <= 800", "rt_f_0_k0_at0")]));
    assert!(kernels(&text).iter().any(|k| k.name == "rt_f_0_k0_at0" && k.tunables[0].value == 4));
    // Once more at the first size, where the other turns out to be as good: one setting for both.
    let small: &[(&[(&str, i64)], f64)] = &[(&[("BLOCK_0", 4)], 1e-3), (&[("BLOCK_0", 2)], 1.01e-3), (&[], 2e-3)];
    let (text, winners) = run(&text, 400, small);
    assert_eq!(
        (winners, kernels(&text)[0].rows.len(), kernels(&text)[0].tunables[0].value),
        (vec!["BLOCK_0 = 2".into()], 0, 2)
    );
    // Kernels that are another's are not of the same list.
    let (text, winners) = run("[[region]]\nfunction = \"f\"\nblock = 64\n", 1600, large);
    assert!(winners.is_empty() && text.contains("BLOCK_0 = 2") && !text.contains(".at]]"), "{text}");
}

#[test]
fn candidates_for_a_gpu_are_compiled_in_two_parts() {
    let Ok(nvcc) = toolchain::nvcc() else {
        let _ = writeln!(std::io::stderr(), "[SKIP] candidates_for_a_gpu_are_compiled_in_two_parts: there is no nvcc");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("f.c");
    fs::write(&path, PROGRAM).unwrap();
    let (files, config) = ([path], Config::default());
    let tuned = Tuned::new(&files, &config, &[], &regions(&files, &config, &[]).unwrap()[0]).unwrap();
    let target = Target::Gpu { nvcc, arch: "sm_90".into(), fmad: true };
    let headers = Headers::Named(folder.path().join("headers"));
    for (k, sizes) in [&[("BLOCK_0", 4)][..], &[("BLOCK_0", 2)]].into_iter().enumerate() {
        let sizes = Chosen::sizes(sizes.iter().map(|(name, n)| ((*name).to_owned(), *n)).collect());
        let candidate = tuned.candidate(&[("rt_f_0_k0".into(), sizes.given())]).unwrap();
        let own = folder.path().join(format!("c{k}"));
        candidate.write(&own).unwrap();
        let library = own.join("candidate.so");
        // The linker refuses kernels without code, and code without kernels' names would be no use.
        assert!(apart::shared(&own, candidate.name(), &library, &target, (&headers, None)).is_ok());
        let names = fs::read_to_string(own.join("names.s")).unwrap();
        assert!(names.contains("rt_f_0_k0Ii") && names.contains("rt_tune_ahead") && library.is_file(), "{names}");
    }
    assert_eq!(fs::read_dir(folder.path().join("headers")).unwrap().count(), 1, "parsed once");
}
