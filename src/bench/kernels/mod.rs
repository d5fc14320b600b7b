//! `rtcuda bench kernels`: plain C loops of many kinds, converted without calls of a library, beside the rates of this
//! device and the calls of NVIDIA's libraries that do the same.
//!
//! ```text
//! rows::ROWS ─┬─ their C files (program): converted, built, run under $RTCUDA_PROFILE ─┬─ Figure
//!             └─ peers::PEERS: built, asked for the rates and calls that rows name ────┘
//! ```
//! The kernels are those of two papers' tables, and what a table of today would add: RT-CUDA (Khan et al.), and the
//! GPGPU compiler (Yang et al., PLDI 2010), whose dissection (figure 12: one optimisation after the other) is
//! [`steps`].

mod built;
pub mod loops;
mod options;
pub mod peers;
pub mod program;
pub mod rows;

use super::{LIMIT, run_well, written_to};
use crate::config::{Backend, Given};
use crate::diag::{Stop, no_temporary_folder};
use crate::pipeline;
use crate::runtime::programs::Program;
use crate::runtime::verify::{self, Verification};
use crate::runtime::written::{self, Profile};
use crate::runtime::{backend, run};
pub use options::{Options, steps, wanted};

use built::{Built, Programs, in_a_line};
use options::sources;
use peers::{Answers, Baseline};
use rows::{Row, Source};
use serde::Serialize;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::Path;

/// Calls of each kernel, of which the quickest counts: the first warms up.
const RUNS: usize = 5;

/// The table, and which of the programs that it needs could not be built.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Measured {
    pub figures: Vec<Figure>,
    pub missing: Vec<String>,
}

/// A line of the table.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Figure {
    /// Which row.
    pub kernel: &'static str,
    /// The optimisations that were on, where they are taken apart: `+ merge`.
    pub step: String,
    /// `16384 x 16384`
    pub size: String,
    /// How the converted program did.
    pub outcome: Outcome,
    /// What it is compared with, where that could be measured.
    pub baseline: Option<Baseline>,
    /// Per cent of the baseline's speed that are wanted.
    pub target: f64,
}

/// How a converted program did.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// Seconds in kernels of one call.
    Seconds(f64),
    /// Loops that stayed on the host, and why.
    Declined(String),
    /// It was not built, or did not run to its end.
    Failed(String),
}

impl Outcome {
    /// Its time, where it has one.
    pub fn seconds(&self) -> Option<f64> {
        match self {
            Outcome::Seconds(seconds) => Some(*seconds),
            Outcome::Declined(_) | Outcome::Failed(_) => None,
        }
    }
}

impl Figure {
    /// Per cent of the baseline's speed.
    pub fn reach(&self) -> Option<f64> {
        Some(100.0 * self.baseline.as_ref()?.seconds / self.outcome.seconds()?)
    }

    /// `ok`, `misses`, or why there is no figure.
    pub fn verdict(&self) -> String {
        match (&self.outcome, self.reach()) {
            (Outcome::Declined(why), _) => format!("declined: {why}"),
            (Outcome::Failed(why), _) => format!("failed: {why}"),
            (Outcome::Seconds(_), None) => "no baseline".into(),
            (Outcome::Seconds(_), Some(reach)) if reach >= self.target => "ok".into(),
            (Outcome::Seconds(_), Some(_)) => "misses".into(),
        }
    }
}

/// How many times as fast as at the first step the rows are at each step, as geometric means over the lines that have a
/// time at every step (Yang et al., PLDI 2010, figure 12).
pub fn speedups(figures: &[Figure]) -> Vec<(&str, f64)> {
    let n_steps = figures.iter().take_while(|f| (f.kernel, &f.size) == (figures[0].kernel, &figures[0].size)).count();
    let lines: Vec<Vec<f64>> = figures
        .chunks(n_steps.max(1))
        .map(|line| line.iter().filter_map(|figure| figure.outcome.seconds()).collect())
        .filter(|line: &Vec<f64>| line.len() == n_steps)
        .collect();
    let mean = |at: usize| (lines.iter().map(|line| (line[0] / line[at]).ln()).sum::<f64>() / lines.len() as f64).exp();
    match lines.is_empty() {
        true => vec![],
        false => figures.iter().take(n_steps).enumerate().map(|(at, f)| (f.step.as_str(), mean(at))).collect(),
    }
}

/// Measures the rows that are wanted, on this machine's GPU; `told` hears how far it is.
///
/// # Errors
/// A missing GPU or compiler, a faulty configuration. A row that fails says so in its line.
pub fn measure(options: &Options, told: &(dyn Fn(&str) + Sync)) -> Result<Measured, Stop> {
    let folder = tempfile::tempdir().map_err(|e| no_temporary_folder(&e))?;
    let steps = if options.dissect { steps() } else { vec![(String::new(), None)] };
    let lines = lines(options);
    let asked: BTreeSet<String> = lines.iter().flat_map(|(row, size)| peers::requests(row, size)).collect();
    let programs = Programs::build(options, &steps, &asked, folder.path(), told)?;
    told("the rates of this device, and the calls of libraries");
    let (answers, unanswered) = answers(&programs, &asked);
    let mut figures: Vec<Figure> = vec![];
    for (row, size) in lines {
        let size_text = size.iter().map(i64::to_string).collect::<Vec<_>>().join(" x ");
        // A step that changes nothing of a program is the step before it.
        let mut before: Option<(&Built, Outcome)> = None;
        for (at, (step, _)) in steps.iter().enumerate() {
            told(&format!("{} {size_text} {step}", row.kernel));
            let outcome = match (programs.of(row, at), &before) {
                (Err(why), _) => Outcome::Failed(why),
                (Ok(built), Some((same, outcome))) if same.path == built.path => outcome.clone(),
                (Ok(built), _) => before.insert((built, time(row, size, built, folder.path()))).1.clone(),
            };
            figures.push(Figure {
                kernel: row.kernel,
                step: step.clone(),
                size: size_text.clone(),
                outcome,
                baseline: peers::baseline(row, size, &answers),
                target: row.target,
            });
        }
    }
    Ok(Measured { figures, missing: programs.missing().map(str::to_owned).chain(unanswered).collect() })
}

/// The lines of the table: rows, each with a size.
fn lines(options: &Options) -> Vec<(&'static Row, &'static [i64])> {
    let most = if options.quick { 1 } else { usize::MAX };
    wanted(&options.only).flat_map(|row| row.sizes.iter().take(most).map(move |size| (row, *size))).collect()
}

/// Asks each program that was built for what it knows; of what fails, why.
fn answers(programs: &Programs, asked: &BTreeSet<String>) -> (Answers, Vec<String>) {
    let (mut answers, mut faults) = (Answers::new(), vec![]);
    for (peer, path) in programs.peers() {
        // One at a time: a call for which memory runs out leaves the others their answers.
        for request in asked.iter().filter(|request| peer.answers(request)) {
            match answer(path, request) {
                Ok(Some(number)) => drop(answers.insert(request.clone(), number)),
                Ok(None) => faults.push(format!("{request}: no answer")),
                Err(stop) => faults.push(format!("{request}: {}", in_a_line(&stop))),
            }
        }
    }
    (answers, faults)
}

fn answer(path: &Path, request: &str) -> Result<Option<f64>, Stop> {
    let given = Given { args: vec![request.into()], stdin: None };
    let said = run_well(path, run::quietly(path, &given, &[], LIMIT)?)?;
    let number = said.lines().find_map(|line| line.split_once(' ').filter(|(_, name)| *name == request));
    Ok(number.and_then(|(number, _)| number.parse().ok()).filter(|number| *number > 0.0))
}

/// Runs a row's driver, and adds up what its kernels take.
fn time(row: &Row, size: &[i64], built: &Built, folder: &Path) -> Outcome {
    if let Some(why) = row.source().and_then(|source| built.declined(source, row)) {
        return Outcome::Declined(why);
    }
    let profile = folder.join("profile.json");
    // Where there is none, there is nothing to remove.
    let _ = std::fs::remove_file(&profile);
    let given = Given { args: arguments(RUNS, [(row, size)]), stdin: None };
    let asked = [("RTCUDA_PROFILE", profile.clone().into()), ("RTCUDA_CHOICE", "device".into())];
    let ran = run::quietly(&built.path, &given, &asked, LIMIT).and_then(|outcome| run_well(&built.path, outcome));
    let times = ran.and_then(|_| written::read::<Profile>(&profile));
    match times {
        Err(stop) => Outcome::Failed(in_a_line(&stop)),
        Ok(times) => match seconds(&times.unwrap_or_default()) {
            seconds if seconds > 0.0 => Outcome::Seconds(seconds),
            _ => Outcome::Failed("the original loops ran".into()),
        },
    }
}

/// Seconds of one call: of a kernel that it launches once the quickest launch, of one that it launches often (with other
/// sizes each time, perhaps) the mean of all calls.
fn seconds(profile: &Profile) -> f64 {
    let regions = profile.regions.iter().filter(|region| region.calls > 0);
    let kernels = regions.flat_map(|region| region.kernels.iter().map(|kernel| (kernel, region.calls)));
    let seconds = kernels.map(|(kernel, calls)| match kernel.calls {
        launches if launches <= calls => kernel.least_s * launches as f64 / calls as f64,
        _ => kernel.seconds / calls as f64,
    });
    seconds.sum()
}

/// Arguments of a program of C files: how often each row is called, and the rows.
fn arguments<'a>(runs: usize, rows: impl IntoIterator<Item = (&'a Row, &'a [i64])>) -> Vec<OsString> {
    let of_a_row = |(row, size): (&Row, &[i64])| {
        std::iter::once(row.kernel.into())
            .chain(size.iter().map(|number| number.to_string().into()))
            .collect::<Vec<_>>()
    };
    std::iter::once(runs.to_string().into()).chain(rows.into_iter().flat_map(of_a_row)).collect()
}

/// Programs that call the wanted rows at their tiny sizes, each of so many C files, written to `folder`.
///
/// # Errors
/// A faulty configuration, a folder that cannot be written.
pub fn tiny(options: &Options, n_files: usize, backend: Backend, folder: &Path) -> Result<Vec<Program>, Stop> {
    let program = |sources: &[&'static Source]| {
        let text = program::text(sources.iter().copied());
        let files = written_to(folder, &[(sources[0].name, text.as_str()), program::HEADER])?;
        let mut config = program::config(sources.iter().copied(), options.config.as_ref(), None, backend)?;
        let is_in = |row: &&Row| row.source().is_some_and(|source| sources.contains(&source));
        let rows = wanted(&options.only).filter(is_in).map(|row| (row, row.tiny));
        config.input.given.args = arguments(1, rows);
        Ok(Program { files: vec![files[0].clone()], config, config_file: None })
    };
    sources(&options.only).chunks(n_files).map(program).collect()
}

/// Compares the wanted rows at their tiny sizes with the C loops: on a GPU, or simulated.
///
/// # Errors
/// As [`tiny`]; a missing GPU or compiler.
pub fn check(
    options: &Options,
    backend: Backend,
    done: &(dyn Fn(&Verification) + Sync),
) -> Result<Vec<Verification>, Stop> {
    let folder = tempfile::tempdir().map_err(|e| no_temporary_folder(&e))?;
    let programs = tiny(options, 1, backend, folder.path())?;
    if let Some(program) = programs.first() {
        backend::choose(&program.config.target)?;
    }
    let mut verifications = verify::all(&programs, &verify::Options::new(pipeline::convert, LIMIT), done);
    // A user knows the file by its name, not by the folder that it was written to.
    for (verification, source) in verifications.iter_mut().zip(sources(&options.only)) {
        verification.program = source.name.to_owned();
    }
    Ok(verifications)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runtime::written::{RegionTimes, Times};
    use rows::ROWS;

    fn times(name: &str, calls: u64, seconds: f64, least_s: f64) -> Times {
        Times { name: name.into(), calls, seconds, least_s }
    }

    fn profile(calls: u64, kernels: Vec<Times>) -> Profile {
        let none = times("", 0, 0.0, 0.0);
        let region = RegionTimes {
            region: "f_0".into(),
            file: "f.c".into(),
            line: 1,
            calls,
            left: 0,
            total_s: 9.0,
            copy_in: none.clone(),
            kernels,
            copy_out: none,
            moves: vec![],
            spans: vec![],
        };
        Profile { regions: vec![region], ..Profile::default() }
    }

    #[test]
    fn a_kernel_counts_by_its_quickest_launch_and_a_row_of_launches_by_their_mean() {
        assert_eq!(seconds(&profile(5, vec![times("k", 5, 10.0, 1.0)])), 1.0);
        assert_eq!(seconds(&profile(5, vec![times("k", 5, 10.0, 1.0), times("row", 50, 20.0, 0.1)])), 1.0 + 4.0);
        assert_eq!(seconds(&profile(0, vec![])), 0.0);
    }

    #[test]
    fn a_row_is_held_against_the_quicker_of_call_and_ceiling() {
        let of = |name: &str| ROWS.iter().find(|row| row.kernel == name).expect("it is a row");
        let answers: Answers =
            [("copy", 4e12), ("fmaf", 60e12), ("sgemv:4096:65536", 200.0), ("sgemv:9:9", 1.0), ("reduce:100", 5.0)]
                .map(|(name, number)| (name.to_owned(), number))
                .into();
        let baseline = |name: &str, size: &[i64]| {
            peers::baseline(of(name), size, &answers).map(|b| (b.name, (1e9 * b.seconds).round()))
        };
        assert_eq!(baseline("mv_f32", &[4096, 65536]), Some(("sgemv".into(), 200_000.0)));
        assert_eq!(baseline("mv_f32", &[65536, 4096]), Some(("copy rate".into(), 268_435.0)));
        assert_eq!(baseline("sums_of_6", &[100]), Some(("reduce".into(), 30_000.0)));
        assert_eq!(baseline("convolution", &[1, 1, 32]).map(|(name, _)| name), Some("fmaf rate".into()));
        assert_eq!(baseline("mm_f32", &[4096]), None);
    }

    fn figure(outcome: Outcome, baseline: Option<f64>) -> Figure {
        Figure {
            kernel: "k",
            step: String::new(),
            size: "1".into(),
            outcome,
            baseline: baseline.map(|seconds| Baseline { name: "copy rate".into(), seconds }),
            target: 90.0,
        }
    }

    #[test]
    fn steps_are_compared_over_lines_that_have_every_time() {
        let line = |kernel, outcomes: [Outcome; 2]| {
            let steps = outcomes.into_iter().zip(["naive", "+ merge"]);
            steps.map(|(outcome, step)| Figure { kernel, step: step.into(), ..figure(outcome, None) }).collect()
        };
        let lines: [Vec<Figure>; 3] = [
            line("a", [Outcome::Seconds(8.0), Outcome::Seconds(2.0)]),
            line("b", [Outcome::Seconds(8.0), Outcome::Failed("no memory".into())]),
            line("c", [Outcome::Seconds(3.0), Outcome::Seconds(3.0)]),
        ];
        let figures = lines.concat();
        let rounded = speedups(&figures).into_iter().map(|(step, x)| (step, (1e9 * x).round() / 1e9));
        assert_eq!(rounded.collect::<Vec<_>>(), [("naive", 1.0), ("+ merge", 2.0)]);
        assert_eq!(speedups(&[]), []);
    }

    #[test]
    fn verdicts() {
        assert_eq!(figure(Outcome::Seconds(1.0), Some(0.9)).verdict(), "ok");
        assert_eq!(figure(Outcome::Seconds(1.0), Some(0.8)).verdict(), "misses");
        assert_eq!(figure(Outcome::Seconds(1.0), None).verdict(), "no baseline");
        let declined = figure(Outcome::Declined("no loop here is parallel".into()), Some(1.0));
        assert_eq!((declined.reach(), declined.verdict().as_str()), (None, "declined: no loop here is parallel"));
    }
}
