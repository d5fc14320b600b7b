//! The waiting program and its candidates, in the simulation; the search with a bench of its own.

use super::Chosen;
use super::build::{Candidate, Tuned, regions};
use super::cache::Outcome;
use super::session::{Judgement, Session};
use crate::config::{Config, Given};
use crate::runtime::build::Target;
use crate::runtime::energy::{self, Meter};
use std::fs;
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
