//! The mapping of kernels, forced: the shipped programs with `merge`, `skew`, `block` and `prefetch` set for all their regions, so that
//! a thread has several points wherever it can. They still compute what their originals compute, and the simulation finds
//! no fault.
//!
//! Any two of the sizes meet in some row of [`ROWS`]. A usual run takes every so many programs, each with another row;
//! `RTCUDA_MAPPINGS=all` takes all programs with all rows (more than an hour of one core), `RTCUDA_MAPPINGS=3` all programs with that
//! row, `RTCUDA_MAPPINGS=converted` all with all but only converts them, which holds each kernel to its contract.

#[path = "support/unoptimised.rs"]
mod unoptimised;

use rtcuda::config::{Backend, Config, Region, Selector, Size, Sizes};
use rtcuda::diag::render::Style;
use rtcuda::diag::{Place, Stop};
use rtcuda::pipeline::{self, ConvertOptions, Converted};
use rtcuda::report::Report;
use rtcuda::runtime::programs::{self, Program};
use rtcuda::runtime::verify::{self, Options, Verdict, Verification};
use std::collections::BTreeSet;
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use unoptimised::unoptimised;

/// Settings for all regions; `None`: none.
#[derive(Debug, Clone, Copy)]
struct Row {
    merge: Option<u32>,
    skew: Option<u32>,
    block: Option<u32>,
    prefetch: Option<u32>,
}

const fn row(merge: u32, skew: u32, block: u32, prefetch: u32) -> Row {
    Row { merge: Some(merge), skew: Some(skew), block: Some(block), prefetch: Some(prefetch) }
}

/// Every pair of sizes, and each kind of points alone.
const ROWS: [Row; 11] = [
    row(2, 2, 64, 1),
    row(4, 4, 64, 3),
    row(2, 4, 128, 3),
    row(4, 2, 128, 1),
    row(2, 2, 256, 3),
    row(4, 4, 256, 1),
    row(2, 4, 1024, 1),
    row(4, 2, 1024, 3),
    Row { merge: Some(4), skew: None, block: None, prefetch: None },
    Row { merge: None, skew: Some(2), block: None, prefetch: None },
    Row { merge: None, skew: None, block: None, prefetch: Some(2) },
];

/// Of the programs, a usual run takes every so many.
const SHARE: usize = 7;

/// Kernels whose threads have several points, of those that were converted.
static MERGED: AtomicUsize = AtomicUsize::new(0);
static KERNELS: AtomicUsize = AtomicUsize::new(0);

fn convert(files: &[PathBuf], options: &ConvertOptions) -> Result<Converted, Stop> {
    let converted = unoptimised(pipeline::convert(files, options)?);
    let report = report(&converted);
    for kernel in report.regions.iter().flat_map(|r| &r.kernels) {
        let has_points = kernel.mapping.iter().any(|line| line.contains(", merge ") || line.contains(", skew "));
        MERGED.fetch_add(usize::from(has_points), Ordering::Relaxed);
        KERNELS.fetch_add(1, Ordering::Relaxed);
    }
    Ok(converted)
}

fn report(converted: &Converted) -> Report {
    serde_json::from_value(converted.report.clone()).expect("the report has its own form")
}

/// The functions of a program that have regions.
fn functions(program: &Program) -> BTreeSet<String> {
    let cflags = program.config.input.cflags.clone();
    let options = ConvertOptions { cflags, config: program.config.clone(), ..ConvertOptions::default() };
    let converted = pipeline::convert(&program.files, &options).expect("a shipped program converts");
    report(&converted).regions.into_iter().map(|r| r.function).collect()
}

/// The program, with a row said of all its regions.
fn forced(program: &Program, functions: &BTreeSet<String>, row: Row) -> Program {
    let mut program = program.clone();
    let config: &mut Config = &mut program.config;
    for function in functions {
        let selector = Selector::Function(function.clone());
        if config.regions.iter().all(|r| r.selector != selector) {
            let place = Place { file: "row".into(), line: 1, column: 1, length: 1, text: String::new() };
            let settings = config.defaults.clone();
            let shape = Default::default();
            config.regions.push(Region { selector, place, settings, sizes: Sizes::default(), shape });
        }
    }
    for region in &mut config.regions {
        let size = |n: Option<u32>| n.map(Size::Fixed);
        let [block, merge, skew, prefetch] = [row.block, row.merge, row.skew, row.prefetch].map(size);
        region.sizes = Sizes { block, merge, skew, prefetch };
    }
    program
}

/// Runs: a program with a row each.
fn chosen(n_programs: usize) -> Vec<(usize, usize)> {
    let asked = std::env::var("RTCUDA_MAPPINGS").unwrap_or_default();
    let every = |rows: std::ops::Range<usize>| {
        (0..n_programs).flat_map(|p| rows.clone().map(move |r| (p, r))).collect::<Vec<_>>()
    };
    match asked.as_str() {
        "all" | "converted" => every(0..ROWS.len()),
        "" => {
            let what = "[SKIP] all mappings of all programs: RTCUDA_MAPPINGS=all asks for them";
            let _ = writeln!(std::io::stderr(), "{what}");
            (0..n_programs).step_by(SHARE).enumerate().map(|(k, p)| (p, k % ROWS.len())).collect()
        }
        number => {
            let row: usize = number.parse().expect("RTCUDA_MAPPINGS is `all` or the number of a row");
            every(row..row + 1)
        }
    }
}

/// Faults of each program in the simulation.
fn unverified(programs: &[Program]) -> Vec<Option<String>> {
    let options = Options::new(convert, Duration::from_secs(120));
    let done = |v: &Verification| println!("{}: {:?}, {:.1} s", v.program, v.verdict, v.seconds);
    let fault = |v: &Verification| {
        let is_right = matches!(v.verdict, Verdict::Verified | Verdict::NothingConverted);
        (!is_right).then(|| verify::text::text(std::slice::from_ref(v), Style::Plain))
    };
    verify::all(programs, &options, &done).iter().map(fault).collect()
}

/// Why each program is not converted, if it is not.
fn unconverted(programs: &[Program]) -> Vec<Option<String>> {
    let fault = |program: &Program| {
        let cflags = program.config.input.cflags.clone();
        let options =
            ConvertOptions { cflags, config: program.config.clone(), check: true, ..ConvertOptions::default() };
        let fault = convert(&program.files, &options).err().map(|stop| format!("{stop:?}"));
        println!("{}: {fault:?}", program.name());
        fault
    };
    programs.iter().map(fault).collect()
}

#[test]
fn whatever_its_points_a_kernel_computes_the_same() {
    let mut shipped =
        programs::collect(&["tests/programs".into(), "solvers".into()], None, &[]).expect("they are valid");
    shipped.iter_mut().for_each(|program| program.config.target.backend = Backend::Cpu);
    let chosen = chosen(shipped.len());
    let functions: Vec<BTreeSet<String>> = (0..shipped.len())
        .map(|p| if chosen.iter().any(|(q, _)| p == *q) { functions(&shipped[p]) } else { BTreeSet::new() })
        .collect();
    let programs: Vec<Program> = chosen.iter().map(|(p, r)| forced(&shipped[*p], &functions[*p], ROWS[*r])).collect();
    let faults = match std::env::var("RTCUDA_MAPPINGS").as_deref() {
        Ok("converted") => unconverted(&programs),
        _ => unverified(&programs),
    };
    let faults: Vec<String> = chosen
        .iter()
        .zip(&faults)
        .filter_map(|((p, r), fault)| Some(format!("{}, {:?}: {}", shipped[*p].name(), ROWS[*r], fault.as_ref()?)))
        .collect();
    let (merged, kernels) = (MERGED.load(Ordering::Relaxed), KERNELS.load(Ordering::Relaxed));
    let n_right = chosen.len() - faults.len();
    println!("{n_right} of {} are right; {merged} of {kernels} kernels have several points", chosen.len());
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(merged * 3 > kernels, "of {kernels} kernels only {merged} have several points a thread");
}
