//! Outcome of each kernel, for a person and for a machine.

use super::kernels::Outcome;
use super::run::Optimized;
use super::steps;
use super::whole;
use crate::diag::render::Style;
use crate::report::table::Table;
use serde_json::{Value, json};
use std::fmt::Write;

/// The kernels with their strategies and steps, as text.
pub fn text(optimized: &Optimized, style: Style) -> String {
    let mut out = String::new();
    for outcome in &optimized.kernels {
        let Outcome { kernel, region, .. } = outcome;
        let name = style.bold(&kernel.name);
        // Writing to a string cannot fail.
        let _ = writeln!(out, "{name}  {}:{}  strategy {}", optimized.file.path, kernel.line, steps::strategy(region));
        let mut table = Table::default();
        for step in &outcome.steps {
            let taken = if step.is_taken { style.good("taken") } else { "not taken".into() };
            table.row([step.name.to_owned(), taken, step.what.clone()]);
        }
        out += &table.text(2);
        let launch = kernel.launch.iter().map(|c| format!("{} ({})", c.holds(), c.reason));
        let tested: Vec<String> = launch.chain(region.guards.iter().cloned()).collect();
        out += "  tested at each launch; otherwise the kernel itself runs\n";
        tested.iter().for_each(|test| out += &format!("    {test}\n"));
        out.push('\n');
    }
    for whole in whole::wholes(&optimized.file.phased, &optimized.kernels) {
        let names: Vec<&str> = whole.parts.iter().map(|o| o.kernel.name.as_str()).collect();
        let (name, line) = (style.bold(&whole.phased.name), whole.phased.line);
        let _ = writeln!(
            out,
            "{name}  {}:{line}  the parts between its barriers among all threads, launched in turn: {}\n  where a part takes \
             less than the 5 us of a launch, a kernel that waits for all its blocks is faster: --check measures both\n",
            optimized.file.path,
            names.join(", ")
        );
    }
    out
}

/// The same as JSON.
pub fn in_json(optimized: &Optimized) -> Value {
    let kernel = |outcome: &Outcome| {
        let Outcome { kernel, region, steps, .. } = outcome;
        let launch: Vec<Value> =
            kernel.launch.iter().map(|c| json!({ "holds": c.holds(), "reason": c.reason })).collect();
        json!({
            "name": kernel.name,
            "line": kernel.line,
            "function": format!("{}_optimized", kernel.name),
            "strategy": steps::strategy(region),
            "steps": steps,
            "launch": launch,
            "region": region,
        })
    };
    let wholes = whole::wholes(&optimized.file.phased, &optimized.kernels);
    let in_parts = |whole: &whole::Whole| {
        let parts: Vec<&str> = whole.parts.iter().map(|o| o.kernel.name.as_str()).collect();
        let name = &whole.phased.name;
        json!({ "name": name, "line": whole.phased.line, "function": format!("{name}_optimized"), "parts": parts })
    };
    json!({
        "file": optimized.file.path,
        "kernels": optimized.kernels.iter().map(kernel).collect::<Vec<_>>(),
        "wholes": wholes.iter().map(in_parts).collect::<Vec<_>>(),
        "diagnostics": optimized.diagnostics,
    })
}
