//! Verification: a program in check mode, built and run, and what its comparisons and the simulation say.
//!
//! The user's own program is the test driver. On the CPU it runs once for each order of threads in [`ORDERS`]; what
//! depends on the order, a GPU would show only sometimes.
//!
//! On a GPU it runs once more, without fused operations, where the versions differ.

use super::backend;
use super::build::{self, Refused, Target};
use super::fallback::{self, Attempt};
use super::precompiled::Headers;
use super::programs::Program;
use super::run::{self, Outcome};
use super::written::{self, Comparisons, Finding, Findings};
use crate::config::Given;
use crate::diag::{Diagnostic, Severity, Stop, no_temporary_folder};
use crate::emit::File;
use crate::pipeline::{ConvertOptions, Converted};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

pub mod text;

/// The orders in which simulated blocks and threads run.
pub const ORDERS: [&str; 3] = ["forward", "reverse", "shuffle:1"];

/// The exit status of a program in which the simulation found a fault.
const FINDINGS_STATUS: i32 = 4;

/// Programs that are verified at the same time.
const AT_ONCE: usize = 2;

/// A conversion: [`pipeline::convert`](crate::pipeline::convert), or what stands for it in a test.
pub type Convert = fn(&[PathBuf], &ConvertOptions) -> Result<Converted, Stop>;

/// What to verify with.
#[derive(Debug, Clone)]
pub struct Options {
    /// Converts.
    pub convert: Convert,
    /// Flags of the command line, which follow those of the configuration.
    pub cflags: Vec<String>,
    /// Arguments and input of the command line, before those of the configuration.
    pub given: Given,
    /// The time that one run may take.
    pub limit: Duration,
}

impl Options {
    /// Nothing from a command line: what the configurations say.
    pub fn new(convert: Convert, limit: Duration) -> Options {
        Options { convert, cflags: vec![], given: Given::default(), limit }
    }
}

/// What was found about a program.
#[derive(Debug, Clone, Serialize)]
pub struct Verification {
    /// Its name: the path of its first file.
    pub program: String,
    /// The answer.
    pub verdict: Verdict,
    /// Regions converted, and regions or loops that stay on the host.
    pub converted: usize,
    /// See `converted`.
    pub declined: usize,
    /// Each run of the program that the verdict is of.
    pub runs: Vec<Run>,
    /// A run before them in which the two versions differed, because a GPU joins a multiplication and an addition to one
    /// operation with one rounding: in `runs` it does not.
    pub fused: Option<Run>,
    /// From the first file read to the last run ended.
    pub seconds: f64,
    /// What was declined or stopped it.
    pub diagnostics: Vec<Diagnostic>,
}

/// The answer about a program.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Both versions agree in every call, and nothing was found.
    Verified,
    /// They differ.
    Differs,
    /// The simulation found a fault.
    Findings,
    /// The program did not get to its end, for this reason.
    Failed(String),
    /// No region of it was converted.
    NothingConverted,
    /// Regions were converted, but no call of one was compared, for this reason.
    NothingCompared(String),
    /// The input is at fault: it was not converted or not built.
    Input,
    /// This tool is at fault.
    Bug(String),
}

impl Verdict {
    /// The exit status of the command: 0 done, 1 the answer is no, 2 the input is at fault, 3 this tool is.
    pub fn status(&self) -> u8 {
        match self {
            Verdict::Verified | Verdict::NothingConverted => 0,
            Verdict::Differs | Verdict::Findings | Verdict::Failed(_) | Verdict::NothingCompared(_) => 1,
            Verdict::Input => 2,
            Verdict::Bug(_) => 3,
        }
    }
}

/// One run.
#[derive(Debug, Clone, Serialize)]
pub struct Run {
    /// The order of threads; empty on a GPU.
    pub order: String,
    /// How the program ended, where it was not with success.
    pub ended: Option<String>,
    /// Flag: its status is the one by which the runtime says that the simulation found a fault.
    pub has_findings: bool,
    /// How long it took.
    pub seconds: f64,
    /// What was compared.
    pub comparisons: Option<Comparisons>,
    /// What the simulation found.
    pub findings: Vec<Finding>,
    /// The end of what the program wrote to the error stream, where it failed.
    pub stderr: String,
}

/// Verifies programs, several at once; `done` hears of each one as it ends. The results are in the programs' order.
pub fn all(programs: &[Program], options: &Options, done: &(dyn Fn(&Verification) + Sync)) -> Vec<Verification> {
    let next = AtomicUsize::new(0);
    let headers = Headers::for_programs(programs.len());
    let work = || {
        let mut mine = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(program) = programs.get(at) else { return mine };
            let verification = with(program, options, headers.as_ref());
            done(&verification);
            mine.push((at, verification));
        }
    };
    let mut results: Vec<(usize, Verification)> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..AT_ONCE).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap_or_else(|e| std::panic::resume_unwind(e))).collect()
    });
    results.sort_by_key(|&(at, _)| at);
    results.into_iter().map(|(_, verification)| verification).collect()
}

/// Verifies a program.
pub fn one(program: &Program, options: &Options) -> Verification {
    with(program, options, None)
}

fn with(program: &Program, options: &Options, headers: Option<&Headers>) -> Verification {
    let start = Instant::now();
    let mut verification = Verification {
        program: program.name(),
        verdict: Verdict::NothingConverted,
        converted: 0,
        declined: 0,
        runs: Vec::new(),
        fused: None,
        seconds: 0.0,
        diagnostics: Vec::new(),
    };
    verification.verdict = match verify(program, options, headers, &mut verification) {
        Ok(verdict) => verdict,
        Err(Stop::Bug(what)) => Verdict::Bug(what),
        Err(Stop::Input(diagnostic)) => {
            verification.diagnostics.push(*diagnostic);
            Verdict::Input
        }
    };
    verification.seconds = start.elapsed().as_secs_f64();
    verification
}

fn verify(
    program: &Program,
    options: &Options,
    headers: Option<&Headers>,
    found: &mut Verification,
) -> Result<Verdict, Stop> {
    let target = backend::choose(&program.config.target)?;
    let mut convert = ConvertOptions {
        cflags: [program.config.input.cflags.clone(), options.cflags.clone()].concat(),
        check: true,
        config: program.config.clone(),
        ..ConvertOptions::default()
    };
    fallback::built(&mut convert, |convert| verified(program, options, convert, &target, headers, found))
}

/// The answer about a program that is converted with some options, or the emitted file that does not compile.
fn verified(
    program: &Program,
    options: &Options,
    convert: &ConvertOptions,
    target: &Target,
    headers: Option<&Headers>,
    found: &mut Verification,
) -> Result<Attempt<Verdict>, Stop> {
    let converted = (options.convert)(&program.files, convert)?;
    found.converted = converted.report["regions"].as_array().map_or(0, Vec::len);
    found.declined = converted.diagnostics.iter().filter(|d| d.severity == Severity::Declined).count();
    found.diagnostics.clone_from(&converted.diagnostics);
    if found.converted == 0 {
        return Ok(Attempt::Built(Verdict::NothingConverted));
    }
    if *target != Target::Simulation
        && let Some(region) = asynchronous(&converted.report)
    {
        return Ok(Attempt::Built(Verdict::NothingCompared(format!(
            "blocks of region {region} do not wait for each other (sync = \"asynchronous\"), so that its values differ from \
             run to run on a GPU: its residual tells whether it is right; --backend cpu, where blocks keep step, or another \
             `sync` compares values"
        ))));
    }
    let given = program.config.input.given.or_of(&options.given);
    let (files, cflags) = (&converted.files, &convert.cflags);
    let run = |target: &Target| runs(files, cflags, headers, target, &given, options.limit);
    found.runs = match run(target)? {
        Ok(runs) => runs,
        Err(refused) => return Ok(Attempt::Refused(converted.into(), refused)),
    };
    let answer = verdict(&found.runs);
    let Target::Gpu { nvcc, arch, fmad: true } = target else { return Ok(Attempt::Built(answer)) };
    if answer != Verdict::Differs {
        return Ok(Attempt::Built(answer));
    }
    // The same program with each rounding of the original: what is wrong with it is wrong here, too.
    let exact = Target::Gpu { nvcc: nvcc.clone(), arch: arch.clone(), fmad: false };
    let runs = run(&exact)??;
    if verdict(&runs) != Verdict::Verified {
        return Ok(Attempt::Built(answer));
    }
    found.fused = std::mem::replace(&mut found.runs, runs).pop();
    Ok(Attempt::Built(Verdict::Verified))
}

/// A region of a report with a kernel whose blocks do not wait for each other: its values differ from run to run on a GPU.
pub fn asynchronous(report: &serde_json::Value) -> Option<&str> {
    let has_one = |region: &&serde_json::Value| {
        region["kernels"].as_array().is_some_and(|kernels| kernels.iter().any(|k| k["never_waits"] == true))
    };
    report["regions"].as_array()?.iter().find(has_one)?["name"].as_str()
}

/// Builds a program and runs it as often as the target asks for; or the emitted file that does not compile.
fn runs(
    files: &[File],
    cflags: &[String],
    headers: Option<&Headers>,
    target: &Target,
    given: &Given,
    limit: Duration,
) -> Result<Result<Vec<Run>, Refused>, Stop> {
    let top = tempfile::tempdir().map_err(|e| no_temporary_folder(&e))?;
    let folder = top.path().join("program");
    let executable = match build::attempt(&build::Program { folder: &folder, files, cflags, headers }, target)? {
        Ok(executable) => executable,
        Err(refused) => return Ok(Err(refused)),
    };
    let orders: &[&str] = if *target == Target::Simulation { &ORDERS } else { &[""] };
    let mut runs = Vec::new();
    for order in orders {
        let run = run_once(&executable, given, top.path(), order, limit)?;
        let has_failed = run.comparisons.is_none();
        runs.push(run);
        if has_failed {
            break;
        }
    }
    Ok(Ok(runs))
}

fn run_once(executable: &Path, given: &Given, folder: &Path, order: &str, limit: Duration) -> Result<Run, Stop> {
    let report = folder.join("report.json");
    let findings = folder.join("findings.json");
    for old in [&report, &findings] {
        // Where there is none, there is nothing to remove.
        let _ = std::fs::remove_file(old);
    }
    // A program that calls a region a million times shows as much in half the time.
    let half = format!("{}", limit.as_secs_f64() / 2.0);
    let mut env = vec![
        ("RTCUDA_REPORT", report.clone().into()),
        ("RTCUDA_FINDINGS", findings.clone().into()),
        ("RTCUDA_CHECK_FOR", half.into()),
    ];
    if !order.is_empty() {
        env.push(("RT_SIM_ORDER", order.into()));
    }
    // What is small enough to be simulated has positions of 32 bits: one of the orders sees to those of 64.
    if order == ORDERS[1] {
        env.push(("RTCUDA_POSITIONS", "64".into()));
    }
    let Outcome { status, stderr, time, .. } = run::quietly(executable, given, &env, limit)?;
    let comparisons = written::read::<Comparisons>(&report)?;
    let ended = match status {
        None => Some(format!(
            "stopped after {} s: a smaller problem shows as much, or --limit allows more",
            limit.as_secs()
        )),
        Some(status) if status.success() => None,
        Some(status) if status.code().is_some() && comparisons.is_none() => Some(format!(
            "{}, before it came to a converted region; --arg and --stdin give it what it needs",
            run::in_words(status)
        )),
        Some(status) => Some(run::in_words(status)),
    };
    Ok(Run {
        order: order.to_owned(),
        stderr: if ended.is_some() { last_lines(&stderr, 20) } else { String::new() },
        ended,
        seconds: time.as_secs_f64(),
        has_findings: status.and_then(|status| status.code()) == Some(FINDINGS_STATUS),
        comparisons,
        findings: written::read::<Findings>(&findings)?.unwrap_or_default().findings,
    })
}

fn last_lines(text: &str, n: usize) -> String {
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(n)..].join("\n")
}

/// Test that a run's comparisons found the two versions apart.
fn differs(run: &Run) -> bool {
    let arrays = run.comparisons.iter().flat_map(|c| &c.regions).flat_map(|region| &region.arrays);
    arrays.into_iter().any(|array| array.differing > 0 || array.changed_outside > 0)
}

fn verdict(runs: &[Run]) -> Verdict {
    if runs.iter().any(|run| run.has_findings || !run.findings.is_empty()) {
        return Verdict::Findings;
    }
    if runs.iter().any(differs) {
        return Verdict::Differs;
    }
    for run in runs {
        match (&run.comparisons, &run.ended) {
            (None, Some(ended)) => return Verdict::Failed(ended.clone()),
            (Some(c), Some(ended)) if c.has_failed => return Verdict::Failed(ended.clone()),
            (None, None) => return Verdict::NothingCompared("the program never comes to a converted region".into()),
            _ => {}
        }
    }
    match runs.first().map(Totals::of) {
        Some(totals) if totals.compared_calls == 0 => {
            let reasons = runs[0].comparisons.iter().flat_map(|c| &c.regions).flat_map(|r| &r.not_converted);
            let reasons: Vec<&str> = reasons.map(|n| n.reason.as_str()).collect();
            Verdict::NothingCompared(format!("in every call the original ran: {}", reasons.join("; ")))
        }
        _ => Verdict::Verified,
    }
}

/// Sums over the regions of a run.
#[derive(Debug, Clone, Copy, Default)]
pub struct Totals {
    /// Calls of regions, and those of them in which the converted version ran.
    pub calls: u64,
    /// See `calls`.
    pub compared_calls: u64,
    /// Elements compared.
    pub elements: u64,
    /// The largest relative difference.
    pub worst: f64,
}

impl Totals {
    /// Those of a run.
    pub fn of(run: &Run) -> Totals {
        let mut totals = Totals::default();
        for region in run.comparisons.iter().flat_map(|c| &c.regions) {
            totals.calls += region.calls;
            totals.compared_calls += region.calls - region.not_converted.iter().map(|n| n.calls).sum::<u64>();
            for array in &region.arrays {
                totals.elements += array.elements;
                // NaN is the worst of all.
                totals.worst = if array.worst_rel > totals.worst || array.worst_rel.is_nan() {
                    array.worst_rel
                } else {
                    totals.worst
                };
            }
        }
        totals
    }
}

#[cfg(test)]
mod tests;
