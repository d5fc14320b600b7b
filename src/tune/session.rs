//! The user's program, standing still at a region's call: what it was called with, and candidates that run there.
//!
//! `templates/tune/rt_tune.h` is the other side. The process never touches a GPU; each candidate runs in a copy of it, so
//! that traps, hangs and memory that is written at random end with the copy.

use super::cache::Outcome;
use crate::config::Given;
use crate::diag::{Diagnostic, Stop};
use crate::runtime::energy::{Metering, Span, TooShort};
use crate::runtime::run::in_words;
use crate::runtime::written::{self, Comparisons, Times};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader, ErrorKind, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Runs of a candidate whose median is its time; of those that are held against each other in the end.
pub const SAMPLES: u32 = 3;
pub const LAST_SAMPLES: u32 = 7;
/// Rounds of that, in turns: what a device does at other times, it does to all.
pub const ROUNDS: usize = 2;

/// A program at a region's call.
pub struct Session<'m> {
    process: Child,
    stream: BufReader<UnixStream>,
    report: PathBuf,
    /// The whole numbers that the region was called with, by name.
    pub call: BTreeMap<String, i64>,
    /// The kernels that the last candidate ran.
    pub kernels: Vec<String>,
    /// The time that it took to run it.
    pub took: Duration,
    /// The meter of the device, where energy is asked for.
    pub meter: Option<&'m Metering>,
}

/// The verdict of the original loops on the reference.
#[derive(Debug, Clone, PartialEq)]
pub enum Judgement {
    /// They compute the same, to the tolerance of check mode.
    Agrees,
    /// They compute something else.
    Differs(String),
    /// They have not come to their end.
    Running,
    /// They did not come to their end, for this reason.
    Ended(String),
}

/// An answer of the program.
#[derive(Deserialize)]
struct Answer {
    status: String,
    #[serde(default)]
    why: String,
    #[serde(default)]
    samples: Vec<f64>,
    #[serde(default)]
    kernels: Vec<Times>,
    #[serde(default)]
    code: i32,
    /// Launches of each kernel for the meter, and when they ran.
    #[serde(default)]
    times: u64,
    #[serde(default)]
    spans: Vec<Span>,
}

impl Answer {
    fn outcome(&self) -> Outcome {
        let (samples, why) = (self.samples.clone(), self.why.clone());
        match self.status.as_str() {
            "ok" => Outcome::Ok { samples },
            "differs" => Outcome::Differs { why },
            "declined" => Outcome::Declined { why },
            "hangs" => Outcome::Hangs { why },
            _ => Outcome::Failed { why },
        }
    }
}

/// Longer than the meter takes to resolve something, so that a twentieth of it is uncertain at most.
const RESOLVED: f64 = 2.0;
/// Attempts to run something long enough for the meter.
const ATTEMPTS: usize = 3;

impl<'m> Session<'m> {
    /// Starts a program and waits until it comes to the region of that entry.
    ///
    /// # Errors
    /// `not-called` where it ends before, or takes longer than `limit`.
    pub fn start(
        program: &Path,
        entry: &str,
        given: &Given,
        folder: &Path,
        limit: Duration,
    ) -> Result<Session<'m>, Stop> {
        let bug = |e: std::io::Error| Stop::Bug(format!("tune: {} cannot be run: {e}", program.display()));
        let path = folder.join("socket");
        let listener = UnixListener::bind(&path).map_err(bug)?;
        listener.set_nonblocking(true).map_err(bug)?;
        let (errors, report) = (folder.join("stderr"), folder.join("report.json"));
        let input = match &given.stdin {
            None => Stdio::null(),
            Some(path) => File::open(path).map(Stdio::from).map_err(|e| {
                let message = format!("{}, which the program is to read, cannot be opened: {e}", path.display());
                Diagnostic::error("unreadable-input", message, None)
            })?,
        };
        let mut process = Command::new(program)
            .args(&given.args)
            .env("RTCUDA_TUNE", &path)
            .env("RTCUDA_TUNE_ENTRY", entry)
            .env("RTCUDA_REPORT", &report)
            .stdin(input)
            .stdout(Stdio::null())
            .stderr(File::create(&errors).map_err(bug)?)
            .spawn()
            .map_err(bug)?;
        let end = Instant::now() + limit;
        let stream = loop {
            match listener.accept() {
                Ok((stream, _)) => break stream,
                Err(e) if e.kind() == ErrorKind::WouldBlock => {}
                Err(e) => return Err(bug(e)),
            }
            let status = process.try_wait().map_err(bug)?;
            if let Some(how) = status
                .map(in_words)
                .or_else(|| (Instant::now() >= end).then(|| format!("no call within {:.0} s", limit.as_secs_f64())))
            {
                let _ = process.kill();
                let _ = process.wait();
                return Err(not_called(entry, &how, &errors));
            }
            std::thread::sleep(Duration::from_millis(2));
        };
        stream.set_nonblocking(false).map_err(bug)?;
        let (stream, call) = (BufReader::new(stream), BTreeMap::new());
        let (kernels, took) = (vec![], Duration::ZERO);
        let mut session = Session { process, stream, report, call, kernels, took, meter: None };
        let hello = session.hear(limit)?;
        let numbers = hello.split_whitespace().skip(1).filter_map(|word| word.split_once('='));
        session.call = numbers.filter_map(|(name, n)| Some((name.to_owned(), n.parse().ok()?))).collect();
        Ok(session)
    }

    /// Runs a candidate, for `limit` at most, up to `samples` times; one much slower than `best` once. Where there is a meter,
    /// its kernels are run until that resolves what they take.
    ///
    /// # Errors
    /// The program does not answer any more.
    pub fn run(&mut self, object: &Path, samples: u32, limit: Duration, best: Option<f64>) -> Result<Outcome, Stop> {
        let start = Instant::now();
        let outcome = self.metered(object, samples, limit, best);
        self.took = start.elapsed();
        outcome
    }

    fn metered(&mut self, object: &Path, samples: u32, limit: Duration, best: Option<f64>) -> Result<Outcome, Stop> {
        let mut least = self.meter.map_or(0.0, |meter| RESOLVED * meter.least_seconds());
        let (mut all, mut why) = (vec![], String::new());
        for _ in 0..ATTEMPTS {
            let seconds = limit.as_secs_f64() + 4.0 * least;
            let best = best.unwrap_or(0.0);
            let line = format!("run {} {samples} {seconds} {best:e} {least}\n", object.display());
            let answer = self.ask(&line, limit + Duration::from_secs_f64(20.0 + 4.0 * least))?;
            self.kernels = answer.kernels.iter().map(|k| k.name.clone()).collect();
            let outcome = answer.outcome();
            let Some((meter, seconds)) = self.meter.zip(outcome.seconds()) else { return Ok(outcome) };
            match meter.so_far().during(&answer.spans, answer.times) {
                Ok(energy) if energy.joules > 0.0 => {
                    let joules = energy.without_gaps(seconds);
                    return Ok(Outcome::Metered { samples: answer.samples, joules });
                }
                Ok(_) => why = "the meter of the device stands still".into(),
                Err(TooShort { seconds, least: needed }) => {
                    why = format!("its kernels ran {seconds:.2} s on end, and the meter resolves {needed:.2} s");
                    least *= RESOLVED * needed / seconds.max(1e-3);
                }
            }
            all = answer.samples;
            if least > limit.as_secs_f64() {
                break;
            }
        }
        Ok(Outcome::Unmetered { samples: all, why })
    }

    /// Has the original loops run, beside everything else, and compared with the reference.
    ///
    /// # Errors
    /// As [`run`](Session::run).
    pub fn start_original(&mut self) -> Result<(), Stop> {
        self.ask("original\n", Duration::from_secs(20)).map(drop)
    }

    /// How far that is.
    ///
    /// # Errors
    /// As [`run`](Session::run).
    pub fn judgement(&mut self) -> Result<Judgement, Stop> {
        let answer = self.ask("ended\n", Duration::from_secs(20))?;
        if answer.status == "running" {
            return Ok(Judgement::Running);
        }
        let Some(report) = written::read::<Comparisons>(&self.report)? else {
            return Ok(Judgement::Ended(format!("the original ended with status {}", answer.code)));
        };
        let arrays = report.regions.iter().flat_map(|r| &r.arrays);
        let wrong = arrays.clone().find(|a| a.differing > 0 || a.changed_outside > 0);
        Ok(match wrong {
            Some(a) => Judgement::Differs(format!("{} differs in {} of {} elements", a.name, a.differing, a.elements)),
            None if arrays.count() == 0 => Judgement::Ended("nothing was compared".into()),
            None => Judgement::Agrees,
        })
    }

    fn ask(&mut self, line: &str, limit: Duration) -> Result<Answer, Stop> {
        let gone = |e: std::io::Error| Stop::from(lost(&e.to_string()));
        self.stream.get_mut().write_all(line.as_bytes()).map_err(gone)?;
        let text = self.hear(limit)?;
        serde_json::from_str(&text).map_err(|e| Stop::Bug(format!("tune: an answer cannot be read: {e}: {text}")))
    }

    fn hear(&mut self, limit: Duration) -> Result<String, Stop> {
        let gone = |why: String| Stop::from(lost(&why));
        self.stream.get_mut().set_read_timeout(Some(limit)).map_err(|e| gone(e.to_string()))?;
        let mut line = String::new();
        match self.stream.read_line(&mut line) {
            Ok(0) => Err(gone(self.process.wait().map_or_else(|e| e.to_string(), in_words))),
            Ok(_) => Ok(line.trim_end().to_owned()),
            Err(e) => Err(gone(e.to_string())),
        }
    }
}

impl Drop for Session<'_> {
    fn drop(&mut self) {
        // It ends by itself where nobody asks any more; the original loops would not.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn not_called(entry: &str, how: &str, errors: &Path) -> Stop {
    let said = std::fs::read_to_string(errors).unwrap_or_default();
    let last = said.lines().last().map(str::to_owned);
    let message = format!("the program came to no call of {entry} that could be tuned: {how}");
    let fault = Diagnostic::error("not-called", message, None)
        .help("--arg and --stdin give the program what it needs; --budget gives it more time");
    match last {
        Some(last) => fault.note(None, last).into(),
        None => fault.into(),
    }
}

fn lost(how: &str) -> Diagnostic {
    Diagnostic::error("tune-lost", format!("the program that candidates run in has ended: {how}"), None)
        .help("what was measured is in the cache; the same command goes on from there")
}
