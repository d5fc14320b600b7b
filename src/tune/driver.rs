//! The search itself: candidates are built several at once, and run one at a time.
//!
//! ```text
//! strategy ─ point ─ build (workers) ─ Built ─┬─ cache ───────────┬─ Evaluation ─ state ─ strategy
//!                                             └─ run (one at once) ┘
//! ```

use super::cache::{Cache, Entry, Key, Outcome};
use super::search::{State, Strategy};
use super::space::{Point, Space};
use crate::config::Objective;
use crate::diag::Stop;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

/// A builder of candidates, several at the same time.
pub trait Builder: Sync {
    /// Builds the candidate of a point; one that the cache knows need not be compiled.
    ///
    /// # Errors
    /// Why it cannot be built.
    fn build(&self, point: &Point, cache: &Mutex<Cache>) -> Result<Built, String>;

    /// Ends what is being built: nobody waits for it any more.
    fn end(&self);
}

/// Runs a candidate; the number is the fastest so far.
pub type Run<'r> = dyn FnMut(&Built, Option<f64>) -> Result<Outcome, Stop> + 'r;

/// A candidate that was converted and, where nothing is known of it, compiled.
#[derive(Debug, Clone)]
pub struct Built {
    pub key: Key,
    /// `None` where the cache knows it.
    pub object: Option<PathBuf>,
}

/// A measured point.
#[derive(Debug, Clone)]
pub struct Evaluation {
    pub point: Point,
    pub outcome: Outcome,
    /// The candidate that was run; `None` where it was known before, or could not be built.
    pub object: Option<PathBuf>,
    /// Test that it was known before.
    pub is_cached: bool,
}

/// Bounds of a search.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// When it ends.
    pub end: Instant,
    /// Candidates that are built at the same time.
    pub at_once: usize,
    /// Measurements at most.
    pub most: usize,
    /// The time that a run is expected to take, until one has been seen.
    pub run: Duration,
}

/// Facts that an evaluation is remembered with.
pub struct About<'a> {
    pub space: &'a Space,
    pub device: &'a str,
    pub call: &'a BTreeMap<String, i64>,
    /// The value that is made small.
    pub objective: Objective,
    /// Value of the untuned kernel, a point that is known from the start, where its strategy is that of the space.
    pub default: Option<f64>,
}

/// Searches until the strategy has nothing more to ask, or the bounds are reached. `told` hears of each evaluation.
///
/// # Errors
/// Nothing can be run any more.
pub fn search(
    about: &About,
    strategy: &mut dyn Strategy,
    (builder, run): (&dyn Builder, &mut Run),
    cache: &Mutex<Cache>,
    bounds: Bounds,
    told: &mut dyn FnMut(&Evaluation, &State),
) -> Result<Vec<Evaluation>, Stop> {
    let (to_workers, asked) = mpsc::channel::<Point>();
    let asked = Mutex::new(asked);
    let (done, built) = mpsc::channel::<(Point, Result<Built, String>, Duration)>();
    std::thread::scope(|scope| {
        for _ in 0..bounds.at_once {
            let (asked, done) = (&asked, done.clone());
            scope.spawn(move || {
                loop {
                    let next = asked.lock().ok().and_then(|asked| asked.recv().ok());
                    let Some(point) = next else { return };
                    let start = Instant::now();
                    let made = builder.build(&point, cache);
                    if done.send((point, made, start.elapsed())).is_err() {
                        return;
                    }
                }
            });
        }
        let known = about.default.map(|value| (about.space.default(), value));
        let state = State { measured: known.into_iter().collect(), ..State::default() };
        let mut search = Search { about, cache, bounds, state, out: vec![], slowest: Duration::ZERO, longest: None };
        let result = search.go(strategy, &to_workers, &built, run, told);
        // Workers end where nobody asks any more.
        drop(to_workers);
        builder.end();
        result.map(|()| search.out)
    })
}

struct Search<'a> {
    about: &'a About<'a>,
    cache: &'a Mutex<Cache>,
    bounds: Bounds,
    state: State,
    out: Vec<Evaluation>,
    /// The longest build so far, and the longest run, if there was one.
    slowest: Duration,
    longest: Option<Duration>,
}

impl Search<'_> {
    fn go(
        &mut self,
        strategy: &mut dyn Strategy,
        to_workers: &mpsc::Sender<Point>,
        built: &mpsc::Receiver<(Point, Result<Built, String>, Duration)>,
        run: &mut Run,
        told: &mut dyn FnMut(&Evaluation, &State),
    ) -> Result<(), Stop> {
        loop {
            while self.may_ask() {
                let Some(point) = strategy.next(&self.state) else { break };
                self.state.pending.insert(point.clone());
                if to_workers.send(point).is_err() {
                    return Err(Stop::Bug("tune: the building threads have ended".into()));
                }
            }
            if self.state.pending.is_empty() {
                return Ok(());
            }
            let left = self.bounds.end.saturating_duration_since(Instant::now());
            let (point, made, took) = match built.recv_timeout(left) {
                Ok(made) => made,
                Err(RecvTimeoutError::Timeout) => return Ok(()),
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(Stop::Bug("tune: a building thread panicked".into()));
                }
            };
            self.slowest = self.slowest.max(took);
            // Those that were built behind others may come too late.
            if Instant::now() + self.run() > self.bounds.end {
                return Ok(());
            }
            let evaluation = self.evaluate(point, made, run)?;
            told(&evaluation, &self.state);
            self.out.push(evaluation);
        }
    }

    /// Test that one more candidate would be built and run in time, behind those that are under way.
    fn may_ask(&self) -> bool {
        let n = self.out.len() + self.state.pending.len();
        let runs = self.run() * (self.state.pending.len() as u32 + 1);
        self.state.pending.len() < self.bounds.at_once
            && n < self.bounds.most
            && Instant::now() + self.slowest + runs < self.bounds.end
    }

    /// The time that a run takes at most.
    fn run(&self) -> Duration {
        self.longest.unwrap_or(self.bounds.run)
    }

    fn evaluate(&mut self, point: Point, made: Result<Built, String>, run: &mut Run) -> Result<Evaluation, Stop> {
        self.state.pending.remove(&point);
        let (outcome, object, is_cached) = match made {
            Err(why) => (Outcome::Unbuilt { why }, None, false),
            Ok(built) => {
                let objective = self.about.objective;
                let known = self.cache.lock().ok().and_then(|cache| cache.known(&built.key, objective).cloned());
                match known {
                    Some(outcome) => (outcome, built.object, true),
                    None => {
                        // One that is slower may take less.
                        let best = self.state.best().filter(|_| objective == Objective::Time);
                        let start = Instant::now();
                        let outcome = run(&built, best.map(|(_, seconds)| seconds))?;
                        self.longest = self.longest.max(Some(start.elapsed()));
                        self.remember(&built.key, &point, &outcome);
                        (outcome, built.object, false)
                    }
                }
            }
        };
        let value = outcome.value(self.about.objective);
        self.state.measured.insert(point.clone(), value.unwrap_or(f64::INFINITY));
        Ok(Evaluation { point, outcome, object, is_cached })
    }

    fn remember(&self, key: &Key, point: &Point, outcome: &Outcome) {
        let About { space, device, call, .. } = self.about;
        let entry = Entry {
            kernel: space.kernel.clone(),
            chosen: space.chosen(point),
            device: (*device).to_owned(),
            call: (*call).clone(),
            outcome: outcome.clone(),
        };
        if let Ok(mut cache) = self.cache.lock() {
            cache.put(key, entry);
        }
    }
}
