//! Comparison of the optimised kernels with the loops that they come from, on random data.
//!
//! A driver calls each kernel's C function twice, with sizes that differ from one another and with sizes that are all the
//! same, and the program goes the way of `rtcuda verify`: simulated in three orders of threads where there is no GPU.

use super::drawn::Drawn;
use super::kernels::Outcome;
use super::run::Optimized;
use super::whole::{self, Whole};
use super::work::{self, Options, Work};
use crate::config::Backend;
use crate::diag::{Diagnostic, Stop};
use crate::emit::spell;
use crate::frontend::names::Parameter;
use crate::runtime::programs::Program;
use crate::runtime::verify::{self, Convert, Verification};
use serde_json::{Value, json};
use std::path::Path;
use std::time::Duration;

/// Options of a check.
#[derive(Debug, Clone)]
pub struct Check {
    /// Converts.
    pub convert: Convert,
    pub backend: Backend,
    /// Values of parameters, by name.
    pub sizes: Vec<(String, i64)>,
    /// The time that a run may take.
    pub limit: Duration,
}

/// Holds the names of sizes to the kernels' numbers.
///
/// # Errors
/// A size that is no parameter of any kernel.
pub fn known(optimized: &Optimized, sizes: &[(String, i64)]) -> Result<(), Stop> {
    let has = |o: &Outcome, name: &String| {
        let extra = o.kernel.extra.iter().map(|(name, _)| name);
        o.kernel.parameters.iter().filter(|p| !p.is_pointer).map(|p| &p.name).chain(extra).any(|known| known == name)
    };
    let unknown = sizes.iter().find(|(name, _)| !optimized.kernels.iter().any(|o| has(o, name)));
    unknown.map_or(Ok(()), |(name, _)| {
        let message = format!("--size {name}: no kernel that was optimised has a number `{name}` as its parameter");
        Err(Diagnostic::error("unknown-size", message, None).into())
    })
}

/// Runs both versions of each kernel, and compares them.
///
/// # Errors
/// As [`known`]; what stops a program from being written.
pub fn check(path: &Path, optimized: &Optimized, options: &Options, check: &Check) -> Result<Verification, Stop> {
    known(optimized, &check.sizes)?;
    let phased = &optimized.file.phased;
    let alone = optimized.kernels.iter().filter(|o| !whole::is_part(phased, &o.kernel.name));
    let wholes = optimized.wholes();
    let together = wholes.iter().map(|whole| driver_of_whole(whole, &check.sizes));
    let kernels: Vec<Value> = alone.map(|o| driver(o, &check.sizes)).chain(together).collect();
    let wholes: String = wholes.iter().map(|whole| whole.as_region().0).collect();
    let text =
        optimized.file.c.clone() + &wholes + &spell::build_file("optimize/driver", &json!({ "kernels": kernels }))?;
    let work = Work::new(path, &optimized.file, &text)?;
    let mut config = work::config(optimized.kernels.iter().map(|o| &o.kernel), phased, options)?;
    config.target.backend = check.backend;
    let program = Program { files: vec![work.source.clone()], config, config_file: None };
    let cflags = work.cflags(options);
    let how = verify::Options { cflags, ..verify::Options::new(check.convert, check.limit) };
    let mut found = verify::one(&program, &how);
    found.program.clone_from(&optimized.file.path);
    found.diagnostics = found.diagnostics.into_iter().map(|d| work.as_users(d)).collect();
    Ok(found)
}

/// Text of the driver on a kernel, as values of its template.
fn driver(outcome: &Outcome, sizes: &[(String, i64)]) -> Value {
    let Outcome { kernel, entry, .. } = outcome;
    let drawn = Drawn::new(outcome, sizes);
    let numbers = [drawn.numbers, drawn.of_launch, drawn.of_entry].concat();
    let argument = |p: &Parameter| match entry.arrays.iter().any(|a| a.name == p.name) {
        true => format!("(void *)rt_{}", p.name),
        false if p.is_pointer => "NULL".to_owned(),
        false => p.name.clone(),
    };
    let arguments = kernel.parameters.iter().map(argument).chain(kernel.extra.iter().map(|(name, _)| name.clone()));
    json!({
        "name": kernel.name,
        "numbers": numbers,
        "before": "",
        "arrays": drawn.arrays,
        "arguments": arguments.collect::<Vec<_>>().join(", "),
    })
}

/// Text of the driver on a kernel with barriers among all threads.
fn driver_of_whole(whole: &Whole, sizes: &[(String, i64)]) -> Value {
    let (drawn, before) = whole.drawn(sizes);
    let argument = |p: &Parameter| match drawn.arrays.iter().any(|a| a.name == p.name) {
        true => format!("(void *)rt_{}", p.name),
        false if p.is_pointer => "NULL".to_owned(),
        false => p.name.clone(),
    };
    let arguments: Vec<String> = whole.phased.parameters.iter().map(argument).chain(whole.as_region().1).collect();
    let numbers = [drawn.numbers, drawn.of_launch].concat();
    json!({
        "name": whole.phased.name,
        "numbers": numbers,
        "before": before,
        "arrays": drawn.arrays,
        "arguments": arguments.join(", "),
    })
}
