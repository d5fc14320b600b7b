//! The share of each step in what a kernel gains: the steps switched on one after the other, each measured beside the user's kernel
//! (Yang et al., PLDI 2010, Fig. 12).
//!
//! A step that changes nothing of a kernel is measured once, with the step before it. Without a GPU the cost model's sectors
//! stand for the times, and are said to be predictions.

use super::beside::{self, Beside};
use super::kernels::Outcome;
use super::run::{self, Optimized};
use super::switched::{Switched, Upto};
use super::whole;
use super::work::Options;
use crate::diag::render::Style;
use crate::diag::{Diagnostic, Severity, Stop};
use crate::report::Kernel;
use crate::report::cost::Unit;
use crate::report::table::Table;
use crate::runtime::build::Target;
use rayon::prelude::*;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A kernel with its steps.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Dissected {
    pub kernel: String,
    /// In the order in which they are switched on.
    pub rows: Vec<Row>,
    /// The step that nothing is switched on for, and why.
    pub never: String,
}

/// A kernel with the steps up to one.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    pub step: &'static str,
    /// The names of the steps in `explain` that it stands for.
    pub steps: &'static [&'static str],
    /// The mapping of its kernels, a line each; empty where `refused` says why there is none.
    pub mapping: Vec<String>,
    /// Flag: the mapping for usual calls is another than with the steps before.
    pub is_changed: bool,
    pub refused: Option<String>,
    /// Sectors of global memory that a launch moves, by the cost model, which takes sizes that it does not know for 1024.
    pub predicted_sectors: Option<f64>,
    /// The fewest that could hold the bytes that are used.
    pub predicted_least: Option<f64>,
    /// The kernel beside the user's, where there is a GPU.
    pub measured: Option<Beside>,
}

impl Dissected {
    /// Flag: what was run computed the same as the user's kernel, whatever the steps.
    pub fn is_same(&self) -> bool {
        self.rows.iter().filter_map(|row| row.measured.as_ref()).all(Beside::is_same)
    }
}

/// A kernel, the names of those that it consists of, and what of the method is never done.
struct Whole {
    name: String,
    parts: Vec<String>,
    never: String,
}

/// A file with the steps switched on one after the other.
pub struct Dissection {
    path: PathBuf,
    kernels: Vec<Whole>,
    levels: Vec<(Upto, Result<Optimized, String>)>,
}

/// Optimises a file, whose outcome with all steps is known, with fewer of them.
pub fn steps(path: &Path, optimized: &Optimized, options: &Options) -> Dissection {
    let level = |upto: Upto| {
        let switched = Switched::new(upto, optimized.kernels.iter().map(|o| &o.region));
        let held = Options { switched: Some(switched), ..options.clone() };
        (upto, run::optimize(path, &held).map_err(|stop| told(&stop)))
    };
    let never = |o: &Outcome| {
        let step = o.steps.iter().find(|step| step.name == "partition camping");
        step.map_or(String::new(), |step| format!("{} ({}): {}", step.name, step.section, step.what))
    };
    let phased = &optimized.file.phased;
    let alone = optimized.kernels.iter().filter(|o| !whole::is_part(phased, &o.kernel.name));
    let alone = alone.map(|o| (o.kernel.name.clone(), vec![o]));
    let wholes = optimized.wholes().into_iter().map(|w| (w.phased.name.clone(), w.parts));
    let of = |(name, parts): (String, Vec<&Outcome>)| Whole {
        name,
        parts: parts.iter().map(|o| o.kernel.name.clone()).collect(),
        never: parts.first().map_or(String::new(), |o| never(o)),
    };
    let kernels = alone.chain(wholes).map(of).collect();
    Dissection { path: path.to_owned(), kernels, levels: Upto::ALL.map(level).into() }
}

fn told(stop: &Stop) -> String {
    match stop {
        Stop::Input(d) => d.message.clone(),
        Stop::Bug(what) => what.clone(),
    }
}

impl Dissection {
    /// The kernels with each step, and what is predicted of them.
    pub fn told(&self) -> Vec<Dissected> {
        self.kernels.iter().map(|kernel| self.of_kernel(kernel)).collect()
    }

    /// The same, with times.
    ///
    /// # Errors
    /// As [`beside::build`] and [`beside::run`].
    pub fn measured(&self, sizes: &[(String, i64)], target: &Target, limit: Duration) -> Result<Vec<Dissected>, Stop> {
        // Kernels that are the same as with fewer steps are built and run once.
        let same = |at: usize| {
            let text = |at: usize| self.levels[at].1.as_ref().ok()?.files.first().map(|file| &file.contents);
            (0..at).find(|before| text(*before) == text(at))
        };
        let is_new = |at: usize, level: &Optimized| same(at).is_none() && !level.kernels.is_empty();
        let build = |(at, (_, level)): (usize, &(Upto, Result<Optimized, String>))| {
            let new = level.as_ref().ok().filter(|level| is_new(at, level));
            new.map(|level| beside::build(&self.path, level, sizes, target)).transpose()
        };
        let built = self.levels.par_iter().enumerate().map(build).collect::<Result<Vec<_>, Stop>>()?;
        let mut found: Vec<Vec<Beside>> = vec![];
        for (at, built) in built.iter().enumerate() {
            found.push(match (built, same(at)) {
                (Some(built), _) => beside::run(&self.path, built, limit)?,
                (None, Some(before)) => found[before].clone(),
                (None, None) => vec![],
            });
        }
        let mut all = self.told();
        for dissected in &mut all {
            for (row, found) in dissected.rows.iter_mut().zip(&found) {
                row.measured = found.iter().find(|b| b.name == dissected.kernel).cloned();
            }
        }
        Ok(all)
    }

    fn of_kernel(&self, kernel: &Whole) -> Dissected {
        let mut rows: Vec<Row> = vec![];
        for (upto, level) in &self.levels {
            let parts = kernel.parts.iter().map(|part| outcome(level, part)).collect::<Result<Vec<_>, String>>();
            let mut row = Row::new(*upto, parts);
            let before = rows.iter().rev().find(|row| row.refused.is_none());
            row.is_changed &= before.is_none_or(|before| before.short() != row.short());
            rows.push(row);
        }
        Dissected { kernel: kernel.name.clone(), rows, never: kernel.never.clone() }
    }
}

/// Outcome of a kernel, or why it has none.
fn outcome<'l>(level: &'l Result<Optimized, String>, kernel: &str) -> Result<&'l Outcome, String> {
    let level = level.as_ref().map_err(String::clone)?;
    let said = |d: &&Diagnostic| d.severity != Severity::Warning && d.message.contains(kernel);
    let why = || level.diagnostics.iter().find(said).or(level.diagnostics.first()).map(|d| d.message.clone());
    let outcome = level.kernels.iter().find(|o| o.kernel.name == kernel);
    outcome.ok_or_else(|| why().unwrap_or_else(|| "it is not converted".to_owned()))
}

impl Row {
    fn new(upto: Upto, parts: Result<Vec<&Outcome>, String>) -> Row {
        let kernels: Vec<&Kernel> = parts.iter().flatten().flat_map(|o| &o.region.kernels).collect();
        let mapped = || kernels.iter().filter(|k| !k.mapping.is_empty());
        let accesses = || mapped().flat_map(|k| &k.cost.accesses).filter(|x| matches!(x.unit, Unit::Sectors));
        let is_there = parts.is_ok();
        Row {
            step: upto.name(),
            steps: upto.steps(),
            mapping: mapped().flat_map(|k| k.mapping.clone()).collect(),
            is_changed: is_there,
            predicted_sectors: is_there.then(|| accesses().map(|x| x.requests * x.sectors).sum()),
            predicted_least: is_there.then(|| accesses().map(|x| x.requests * x.least).sum()),
            refused: parts.err(),
            measured: None,
        }
    }

    /// The figure that steps are compared by: seconds, or predicted sectors.
    fn figure(&self) -> Option<f64> {
        self.measured.as_ref().map(|b| b.optimized_seconds).or(self.predicted_sectors)
    }

    /// The mapping in a line, without those for other calls, and without sizes of one point.
    fn short(&self) -> String {
        let many = |line: &String| {
            let sizes = line.trim().split(", ").filter(|size| !["merge 1", "skew 1"].contains(size));
            sizes.collect::<Vec<_>>().join(", ")
        };
        let is_usual = |line: &&String| !["larger", "smaller"].iter().any(|word| line.trim().starts_with(word));
        let lines = self.mapping.iter().take_while(|line| !line.trim().starts_with("where ")).filter(is_usual);
        lines.map(many).collect::<Vec<_>>().join("; ")
    }
}

/// The tables for a person, and over several kernels what each step gives in the geometric mean.
pub fn text(found: &[Dissected], style: Style) -> String {
    let mut out = String::new();
    for d in found {
        out += &table(d, style);
    }
    if found.len() > 1 {
        out += &style.bold("geometric means of what each step gives");
        out += "\n";
        let mut means = Table::default();
        for (at, upto) in Upto::ALL.iter().enumerate().skip(1) {
            let gains: Vec<f64> = found.iter().filter_map(|d| gain(d, at)).collect();
            let mean = (gains.iter().map(|x| x.ln()).sum::<f64>() / gains.len().max(1) as f64).exp();
            means.row([upto.name().to_owned(), format!("{mean:.2}")]);
        }
        out += &means.text(2);
    }
    out
}

/// The factor that a step gives over those before it.
fn gain(d: &Dissected, at: usize) -> Option<f64> {
    let before = d.rows[..at].iter().rev().find_map(Row::figure)?;
    d.rows[at].figure().map(|after| before / after)
}

fn table(d: &Dissected, style: Style) -> String {
    let measured = d.rows.iter().rev().find_map(|row| row.measured.as_ref());
    let (what, factor, digits, times) = match measured {
        Some(_) => ("us", 1e6, 1, "times the kernel"),
        None => ("sectors", 1.0, 0, "times the first"),
    };
    let mut table = Table::default();
    table.row(["", what, times, "times the step before", "mapping"].map(|title| style.bold(title)));
    let first = match measured {
        Some(b) => {
            table.row(["the kernel as it is".to_owned(), format!("{:.1}", 1e6 * b.kernel_seconds)]);
            Some(b.kernel_seconds)
        }
        None => d.rows.iter().find_map(Row::figure),
    };
    for (at, row) in d.rows.iter().enumerate() {
        let mapping = match (&row.refused, row.is_changed, row.measured.as_ref().is_some_and(|b| !b.is_same())) {
            (Some(why), ..) => format!("not to be had alone: {why}"),
            (None, _, true) => style.bad("differs from the kernel"),
            (None, true, _) => row.short(),
            (None, false, _) => "changes nothing".to_owned(),
        };
        let times = |x: Option<f64>| x.map_or(String::new(), |x| format!("{x:.2}"));
        table.row([
            row.step.to_owned(),
            row.figure().map_or(String::new(), |x| format!("{:.digits$}", factor * x)),
            times(first.zip(row.figure()).map(|(first, now)| first / now)),
            times(gain(d, at).filter(|_| at > 0)),
            mapping,
        ]);
    }
    let head = match measured {
        Some(b) => {
            let sizes: Vec<String> = b.sizes.iter().map(|(name, n)| format!("{name}={n}")).collect();
            let [x, y, z] = b.block;
            format!("{}  {}  blocks of {x} x {y} x {z}", style.bold(&d.kernel), sizes.join(" "))
        }
        None => format!(
            "{}  no GPU: sectors of memory are predicted by the cost model, which takes unknown sizes for 1024",
            style.bold(&d.kernel)
        ),
    };
    format!("{head}\n{}  {}\n", table.text(2), d.never)
}
