//! Reduced variants of a program's kernels, kept where they are measured faster in the user's own call of the program.
//!
//! ```text
//! as it is ─ run: kernels, their blocks ─ ways to fewer registers ─ a program for each way
//!            runs of all of them in turns ─ the quickest way of each kernel ─ the program, held to it again
//! ```
//! A way counts where the program computes with it what it computes as it is: what it prints, and what it fetches from the
//! device, as far as that is the same in each run. You and Tsai never compare with bounds alone; here these are ways like the
//! others.

mod decision;
mod observed;
pub mod text;

pub use decision::{GAIN, Kernel, Tried};
pub use observed::{Launches, Observed, Steady};

use super::build;
use super::registers::edit::Edits;
use super::registers::variant::{Reduction, Way};
use super::registers::{self, Question, controller};
use super::source::Unit;
use crate::config::Given;
use crate::diag::{Diagnostic, Stop, no_temporary_folder};
use crate::target::Machine;
use decision::Runs;
use rayon::prelude::*;
use serde::Serialize;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tempfile::TempDir;

/// Question for the variants of a program's kernels that are faster.
pub struct Ask<'a> {
    pub machine: &'a Machine,
    /// The program's file, and flags for nvcc, without its output.
    pub flags: &'a [OsString],
    pub output: &'a Path,
    /// A part of the kernels' names, where not all are meant.
    pub kernel: Option<&'a str>,
    pub given: Given,
    /// Runs of each program, two at least.
    pub rounds: u32,
    /// The time that one run may take.
    pub limit: Duration,
}

/// Answer with the program built.
#[derive(Debug, Clone, Serialize)]
pub struct Answer {
    pub kernels: Vec<Kernel>,
    pub rounds: u32,
    /// Lines of output that variants were held to, and those that are others in each run; the same of copies to the host.
    pub printed: (usize, usize),
    pub fetched: (usize, usize),
    /// Reason for which nothing is kept, whatever was measured.
    pub undecided: Option<String>,
}

/// Texts of kernels in the place of their own, by name.
type Choice = BTreeMap<String, String>;

/// Builds a program with the variants that are measured faster.
///
/// # Errors
/// nvcc or ptxas refuse what they are given; the program does not run as it is, or launches no kernel that is meant.
pub fn keep_faster(ask: &Ask) -> Result<Answer, Stop> {
    let work = Work::new(ask)?;
    let mut units = vec![];
    let plain = work.program("original", &mut |unit, _| {
        units.push((unit.name.clone(), unit.text.clone()));
        Ok(unit.text.clone())
    })?;
    let first = work.run(&plain)?.map_err(|how| fails(ask, &how))?;
    let reductions = reductions(ask, &units, &first)?;
    let ways: Vec<Way> =
        Way::ALL.into_iter().filter(|way| reductions.iter().any(|r| r.variant(*way).is_some())).collect();
    let choices = ways.iter().map(|way| (way.name(), of_way(&reductions, *way))).collect();
    let programs = work.programs(choices)?;
    let (original, mut runs) = rounds(&work, &plain, &ways.iter().copied().zip(programs).collect())?;
    let steady = Steady::of(&original);
    for found in runs.values_mut() {
        if found.as_ref().is_ok_and(|found| !found.iter().all(|run| steady.is_kept_by(run))) {
            *found = Err("the program prints or fetches something else with it".into());
        }
    }
    let mut kernels: Vec<Kernel> = reductions.iter().map(|r| Kernel::decided(r, &original, &runs)).collect();
    let undecided = match steady.is_any() {
        true => held_again(&work, &reductions, &kernels, &steady)?,
        false => {
            Some("nothing that the program prints or fetches from the device is the same in two runs of it".to_owned())
        }
    };
    if undecided.is_some() {
        kernels.iter_mut().for_each(|kernel| kernel.kept = None);
    }
    let choice = of_kept(&reductions, &kernels);
    let flags = ["-o".into(), ask.output.into()].into_iter().chain(ask.flags.iter().cloned()).collect::<Vec<_>>();
    build::build(&flags, &mut |unit, _| Ok(with(unit, &choice)))?;
    let [printed, fetched] = steady.counts();
    Ok(Answer { kernels, rounds: ask.rounds, printed, fetched, undecided })
}

/// The programs' folder, and how they are built and run.
struct Work<'a> {
    ask: &'a Ask<'a>,
    folder: TempDir,
    linked: Vec<OsString>,
}

impl<'a> Work<'a> {
    fn new(ask: &'a Ask<'a>) -> Result<Work<'a>, Stop> {
        let folder = tempfile::tempdir().map_err(|e| no_temporary_folder(&e))?;
        let linked = observed::linked(folder.path(), &ask.machine.arch())?;
        Ok(Work { ask, folder, linked })
    }

    /// A program that tells of its launches.
    fn program(&self, name: &str, rewrite: &mut build::Rewrite) -> Result<PathBuf, Stop> {
        let path = self.folder.path().join(name);
        let mut flags: Vec<OsString> = vec!["-o".into(), path.clone().into()];
        flags.extend(self.linked.iter().chain(self.ask.flags).cloned());
        build::build(&flags, rewrite)?;
        Ok(path)
    }

    /// A program for each choice, all built at once.
    fn programs(&self, choices: Vec<(&'static str, Choice)>) -> Result<Vec<PathBuf>, Stop> {
        let build = |(name, choice): (&str, Choice)| self.program(name, &mut |unit, _| Ok(with(unit, &choice)));
        choices.into_par_iter().map(build).collect()
    }

    fn run(&self, program: &Path) -> Result<Result<Observed, String>, Stop> {
        observed::run(program, self.ask.output, &self.ask.given, self.ask.limit)
    }
}

fn fails(ask: &Ask, how: &str) -> Stop {
    let message = format!("the program as it is cannot be measured: it ended with {how}");
    let help = format!("`--arg` and `--stdin` say what it is run with; {} is not written", ask.output.display());
    Diagnostic::error("ptx-measure", message, None).help(help).into()
}

/// The ways of each kernel that a run launches, for its blocks.
fn reductions(ask: &Ask, units: &[(String, String)], run: &Observed) -> Result<Vec<Reduction>, Stop> {
    let mut found: Vec<Reduction> = vec![];
    let mut seen = vec![];
    for (name, text) in units {
        let unit = Unit::read(name, text, None)?;
        for (number, function) in unit.module.functions.iter().enumerate().filter(|(_, f)| f.is_kernel) {
            seen.push(function.source_name().to_owned());
            let is_meant = ask.kernel.is_none_or(|part| function.name.contains(part) || function.source_name() == part);
            let is_known = found.iter().any(|other| other.kernel == function.name);
            let Some(launches) = run.kernels.get(&function.name).filter(|_| is_meant && !is_known) else { continue };
            let (block, shared) = (Some(launches.threads), launches.shared);
            let question = Question { machine: ask.machine, block, shared, bounds: false };
            for report in registers::reports(&unit, &[number], &question)? {
                found.push(controller::reduce(&unit, &report, &question, (None, true))?);
            }
        }
    }
    if found.is_empty() {
        let message = "the program launches no kernel that is meant".to_owned();
        let help = format!(
            "its kernels are {}; `--arg` says what it is run with, `--kernel` which are meant",
            seen.join(", ")
        );
        return Err(Diagnostic::error("ptx-measure", message, None).help(help).into());
    }
    Ok(found)
}

/// The PTX of a unit with kernels exchanged.
fn with(unit: &Unit, choice: &Choice) -> String {
    let mut edits = Edits::default();
    for function in unit.module.functions.iter().filter(|f| f.is_kernel) {
        if let Some(text) = choice.get(&function.name) {
            edits.replace(function.span.clone(), text.clone());
        }
    }
    edits.apply(&unit.text)
}

/// All kernels that a way serves, with it.
fn of_way(reductions: &[Reduction], way: Way) -> Choice {
    reductions.iter().filter_map(|r| Some((r.kernel.clone(), r.variant(way)?.text.clone()))).collect()
}

/// Each kernel with the way that is kept.
fn of_kept(reductions: &[Reduction], kernels: &[Kernel]) -> Choice {
    let pairs = reductions.iter().zip(kernels);
    pairs.filter_map(|(r, k)| Some((r.kernel.clone(), r.variant(k.kept?)?.text.clone()))).collect()
}

/// Runs of the program as it is, and with each way, in turns.
fn rounds(
    work: &Work,
    plain: &Path,
    programs: &BTreeMap<Way, PathBuf>,
) -> Result<(Vec<Observed>, BTreeMap<Way, Runs>), Stop> {
    let mut original = vec![];
    let mut runs: BTreeMap<Way, Runs> = programs.keys().map(|way| (*way, Ok(vec![]))).collect();
    for _ in 0..work.ask.rounds.max(2) {
        original.push(work.run(plain)?.map_err(|how| fails(work.ask, &how))?);
        for (way, program) in programs {
            let Some(Ok(found)) = runs.get_mut(way) else { continue };
            match work.run(program)? {
                Ok(run) => found.push(run),
                Err(how) => drop(runs.insert(*way, Err(format!("the program ended with {how}")))),
            }
        }
    }
    Ok((original, runs))
}

/// Runs the program with all variants that are to be kept together: the reason for which they are not, if there is one.
fn held_again(
    work: &Work,
    reductions: &[Reduction],
    kernels: &[Kernel],
    steady: &Steady,
) -> Result<Option<String>, Stop> {
    let choice = of_kept(reductions, kernels);
    if choice.is_empty() {
        return Ok(None);
    }
    let program = work.program("kept", &mut |unit, _| Ok(with(unit, &choice)))?;
    Ok(match work.run(&program)? {
        Ok(run) if steady.is_kept_by(&run) => None,
        Ok(_) => Some("with all of them together the program prints or fetches something else".into()),
        Err(how) => Some(format!("with all of them together the program ended with {how}")),
    })
}
