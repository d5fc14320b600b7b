//! `rtcuda bench loops`: nests of `rtcuda bench kernels` in loops over time, spelled in several ways, beside the same nests alone
//! and the rate at which this device copies.
//!
//! ```text
//! rows::ROWS of two arrays ─┬─ a program each (text): how long a step takes, by its own clock, all that it waits for in it ─┬─ Figure
//!                           ├─ the program of its row: how long the kernel takes alone                                      │
//!                           └─ peers: the copy rate ────────────────────────────────────────────────────────────────────────┘
//! ```

pub mod text;

use super::built::{Programs, in_a_line};
use super::rows::Row;
use super::{Options, Outcome, answers, peers, program, time};
use crate::bench::{LIMIT, run_well, written_to};
use crate::config::{Backend, Config, Given, Library};
use crate::diag::{Stop, no_temporary_folder};
use crate::pipeline::{self, ConvertOptions};
use crate::runtime::backend;
use crate::runtime::build::{self, Target};
use crate::runtime::programs::Program;
use crate::runtime::run;
use rayon::prelude::*;
use serde::Serialize;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use text::SPELLINGS;

/// The rows whose nests read one array and write another.
const NESTS: [&str; 9] = [
    "five_point_f32",
    "five_point_f64",
    "nine_point_f32",
    "nine_point_f64",
    "seven_point_f32",
    "seven_point_f64",
    "lattice_boltzmann",
    "regional_maximum",
    "life",
];

/// A nest at a size.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Figure {
    pub kernel: &'static str,
    /// `8192 x 8192`
    pub size: String,
    /// The nest by itself, one kernel.
    pub alone: Outcome,
    /// Seconds that its bytes take at the copy rate.
    pub copy_s: Option<f64>,
    /// A step of each of [`SPELLINGS`].
    pub steps: Vec<(&'static str, Outcome)>,
}

impl Figure {
    /// The slowest step in times of the nest alone, but for those that copy back, which do more.
    pub fn worst(&self) -> Option<f64> {
        let alone = self.alone.seconds()?;
        let steps = self.steps.iter().filter(|(spelling, _)| *spelling != "copied");
        steps.filter_map(|(_, step)| Some(step.seconds()? / alone)).max_by(f64::total_cmp)
    }
}

/// The nests that are wanted, by parts of their names.
pub fn nests(only: &[String]) -> impl Iterator<Item = &'static Row> {
    super::wanted(only).filter(|row| NESTS.contains(&row.kernel))
}

/// Sizes of a nest, and for how many steps: large, within the L2 cache, small.
fn sizes(row: &Row) -> [(Vec<i64>, u32); 3] {
    let (cached, small) = match (row.tiny.len(), row.kernel) {
        (1, _) => (vec![160], vec![40]),
        (_, "lattice_boltzmann") => (vec![704, 704], vec![96, 96]),
        _ => (vec![2048, 2048], vec![256, 256]),
    };
    [(row.sizes[0].to_vec(), 60), (cached, 400), (small, 2000)]
}

/// Measures the nests that are wanted, on this machine's GPU; `told` hears how far it is.
///
/// # Errors
/// A missing GPU or compiler.
pub fn measure(only: &[String], told: &(dyn Fn(&str) + Sync)) -> Result<Vec<Figure>, Stop> {
    let folder = tempfile::tempdir().map_err(|e| no_temporary_folder(&e))?;
    let rows: Vec<&'static Row> = nests(only).collect();
    let options = Options { only: rows.iter().map(|row| row.kernel.to_owned()).collect(), ..Options::default() };
    let asked = BTreeSet::from(["copy".to_owned()]);
    let alone = Programs::build(&options, &[(String::new(), None)], &asked, folder.path(), told)?;
    let (answers, _) = answers(&alone, &asked);
    let target = backend::choose(&Config::default().target)?;
    let loops: Vec<(&Row, Result<PathBuf, String>)> = rows
        .into_par_iter()
        .map(|row| {
            told(&format!("building {} in loops", row.kernel));
            (row, built(row, &target, folder.path()).map_err(|stop| in_a_line(&stop)))
        })
        .collect();
    let mut figures = vec![];
    for (row, built) in loops {
        for (size, steps) in sizes(row) {
            let size_text = size.iter().map(i64::to_string).collect::<Vec<_>>().join(" x ");
            told(&format!("{} {size_text}", row.kernel));
            let step = |spelling: &'static str| {
                let outcome = match &built {
                    Ok(path) => step(path, spelling, &size, steps),
                    Err(why) => Outcome::Failed(why.clone()),
                };
                (spelling, outcome)
            };
            figures.push(Figure {
                kernel: row.kernel,
                size: size_text,
                steps: SPELLINGS.into_iter().map(step).collect(),
                alone: match alone.of(row, 0) {
                    Ok(built) => time(row, &size, built, folder.path()),
                    Err(why) => Outcome::Failed(why),
                },
                copy_s: peers::baseline(row, &size, &answers).map(|b| b.seconds),
            });
        }
    }
    Ok(figures)
}

/// A step of a loop, as its program says.
fn step(path: &Path, spelling: &str, size: &[i64], steps: u32) -> Outcome {
    let given = Given { args: arguments(spelling, size, steps), stdin: None };
    let asked = [("RTCUDA_CHOICE", "device".into())];
    let ran = run::quietly(path, &given, &asked, LIMIT).and_then(|outcome| run_well(path, outcome));
    let ns = |said: String| said.lines().find_map(|line| line.strip_prefix("step ")?.parse::<f64>().ok());
    match ran.map(ns) {
        Ok(Some(ns)) if ns > 0.0 => Outcome::Seconds(1e-9 * ns),
        Ok(_) => Outcome::Failed("no time for a step".into()),
        Err(stop) => Outcome::Failed(in_a_line(&stop)),
    }
}

fn arguments(spelling: &str, size: &[i64], steps: u32) -> Vec<OsString> {
    let numbers = std::iter::once(i64::from(steps)).chain(size.iter().copied());
    std::iter::once(spelling.into()).chain(numbers.map(|n| n.to_string().into())).collect()
}

/// Writes the C files of a nest's loops; those that are compiled.
fn written(row: &Row, folder: &Path) -> Result<Vec<PathBuf>, Stop> {
    let source = row.source().ok_or_else(|| Stop::Bug(format!("bench loops: {} has no C file", row.kernel)))?;
    let texts = text::files(row, source)?;
    let texts = texts.iter().map(|(name, text)| (name.as_str(), text.as_str()));
    let mut files = written_to(&folder.join(row.kernel), &texts.chain([program::HEADER]).collect::<Vec<_>>())?;
    files.truncate(2);
    Ok(files)
}

fn without_library(backend: Backend) -> Config {
    let mut config = Config::default();
    config.target.backend = backend;
    config.defaults.library = Library::Never;
    config
}

fn built(row: &Row, target: &Target, folder: &Path) -> Result<PathBuf, Stop> {
    let files = written(row, folder)?;
    let config = without_library(Backend::Cuda);
    let options = ConvertOptions { cflags: vec!["-O2".into()], config, ..ConvertOptions::default() };
    let converted = pipeline::convert(&files, &options)?;
    let out = folder.join(row.kernel).join("converted");
    build::executable(&build::Program { folder: &out, files: &converted.files, cflags: &[], headers: None }, target)
}

/// Programs of the wanted nests in loops of two steps at their tiny sizes, in every spelling.
///
/// # Errors
/// A folder that cannot be written.
pub fn tiny(only: &[String], backend: Backend, folder: &Path) -> Result<Vec<Program>, Stop> {
    let program = |row: &'static Row| {
        let mut config = without_library(backend);
        config.input.given.args = arguments("all", row.tiny, 2);
        Ok(Program { files: written(row, folder)?, config, config_file: None })
    };
    nests(only).map(program).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::kernels::rows::ROWS;

    #[test]
    fn each_nest_is_a_row() {
        assert!(NESTS.iter().all(|name| ROWS.iter().any(|row| row.kernel == *name)));
    }
}
