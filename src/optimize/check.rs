//! Comparison of the optimised kernels with the loops that they come from, on random data.
//!
//! A driver calls each kernel's C function twice, with sizes that differ from one another and with sizes that are all the
//! same, and the program goes the way of `rtcuda verify`: simulated in three orders of threads where there is no GPU.

use super::kernels::Outcome;
use super::run::Optimized;
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

/// Sizes that differ from one another, none a multiple of a block's; and one for all.
const APART: [i64; 6] = [37, 45, 53, 29, 61, 41];
const SAME: i64 = 64;

/// Runs both versions of each kernel, and compares them.
///
/// # Errors
/// A size that is no parameter of any kernel; what stops a program from being written.
pub fn check(path: &Path, optimized: &Optimized, options: &Options, check: &Check) -> Result<Verification, Stop> {
    let of_any = |name: &String| {
        let has = |o: &Outcome| {
            let extra = o.kernel.extra.iter().map(|(name, _)| name);
            o.kernel
                .parameters
                .iter()
                .filter(|p| !p.is_pointer)
                .map(|p| &p.name)
                .chain(extra)
                .any(|known| known == name)
        };
        optimized.kernels.iter().any(has)
    };
    if let Some((name, _)) = check.sizes.iter().find(|(name, _)| !of_any(name)) {
        let message = format!("--size {name}: no kernel that was optimised has a number `{name}` as its parameter");
        return Err(Diagnostic::error("unknown-size", message, None).into());
    }
    let kernels: Vec<Value> = optimized.kernels.iter().map(|o| driver(o, &check.sizes)).collect();
    let text = optimized.file.c.clone() + &spell::build_file("optimize/driver", &json!({ "kernels": kernels }))?;
    let work = Work::new(path, &optimized.file, &text)?;
    let mut config = work::config(optimized.kernels.iter().map(|o| &o.kernel), options)?;
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
    let given = |name: &str| sizes.iter().find(|(known, _)| known == name).map(|(_, n)| n.to_string());
    let mut numbers = vec![];
    let extra = kernel.extra.iter().map(|(name, _)| (name.clone(), "int".to_owned()));
    let scalars = kernel.parameters.iter().filter(|p| !p.is_pointer).map(|p| (p.name.clone(), type_of(p)));
    for (at, (name, ty)) in scalars.chain(extra).enumerate() {
        let is_real = ["float", "double"].iter().any(|word| ty.contains(word));
        let usual = match name.split('_').next() {
            _ if is_real => format!("0.75 + {at}"),
            Some("blockDim") => "32".to_owned(),
            Some("gridDim") => "3".to_owned(),
            _ => format!("rt_round ? {SAME} : {}", APART[at % APART.len()]),
        };
        numbers.push(json!({ "type": ty, "name": name, "value": given(&name).unwrap_or(usual) }));
    }
    // Numbers that the entry is given and the kernel has not by that name.
    for (text, argument) in entry.parameters.iter().zip(&entry.arguments).filter(|(text, _)| !text.contains('*')) {
        let (ty, name) = text.rsplit_once(' ').unwrap_or(("long", text));
        if numbers.iter().all(|n| n["name"] != name) {
            numbers.push(json!({ "type": ty, "name": name, "value": argument }));
        }
    }
    let arrays: Vec<Value> = entry
        .arrays
        .iter()
        .map(|a| {
            let random = match a.r#type.contains("float") || a.r#type.contains("double") {
                true => "0.5 + rt_random()",
                false => "(int)(8 * rt_random())",
            };
            json!({ "name": a.name, "type": a.r#type, "elements": a.elements, "random": random })
        })
        .collect();
    let argument = |p: &Parameter| match entry.arrays.iter().any(|a| a.name == p.name) {
        true => format!("(void *)rt_{}", p.name),
        false if p.is_pointer => "NULL".to_owned(),
        false => p.name.clone(),
    };
    let arguments = kernel.parameters.iter().map(argument).chain(kernel.extra.iter().map(|(name, _)| name.clone()));
    json!({
        "name": kernel.name,
        "numbers": numbers,
        "arrays": arrays,
        "arguments": arguments.collect::<Vec<_>>().join(", "),
    })
}

/// The type of a number.
fn type_of(p: &Parameter) -> String {
    let ty = p.text.strip_suffix(p.name.as_str()).unwrap_or(&p.text).trim();
    ty.strip_prefix("const ").unwrap_or(ty).to_owned()
}
