//! Outcome of each kernel, for a person and for a machine.

use super::kernels::Outcome;
use super::run::Optimized;
use super::steps;
use super::whole::{self, Whole};
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
    for whole in optimized.wholes() {
        let names: Vec<&str> = whole.parts.iter().map(|o| o.kernel.name.as_str()).collect();
        let (name, line) = (style.bold(&whole.phased.name), whole.phased.line);
        let parts = format!("the parts between its barriers among all threads ({})", names.join(", "));
        let path = &optimized.file.path;
        let _ = writeln!(out, "{name}  {path}:{line}  {parts}, {}", how(&whole, optimized));
        let guards = whole.together.iter().flat_map(|together| &together.region.guards);
        // This tool hands over only what holds.
        guards.filter(|test| !test.contains("rt_")).for_each(|test| out += &format!("    {test}\n"));
        out.push('\n');
    }
    out
}

/// Ways in which the parts of a kernel with barriers run.
fn how(whole: &Whole, optimized: &Optimized) -> String {
    if whole.is_one_kernel() {
        let as_it_is = whole.as_it_is().map_or(String::new(), |of| {
            format!(
                "\n  the kernel itself runs where a step has work for more than {} threads, and its largest array up to {} elements, about \
                 one for each thread: there it is no slower",
                of.above, of.upto
            )
        });
        return format!(
            "as one kernel, in which blocks wait for each other{as_it_is}\n  tested at each launch; otherwise {}",
            if whole.may_run_itself() { "the kernel itself runs" } else { "they are launched one by one" }
        );
    }
    let [launch, wait] = whole::crossings();
    let why = optimized.apart.get(&whole.phased.name).map_or(String::new(), |why| format!(" ({why})"));
    format!(
        "launched one by one{why}\n  slower where they are short: a launch is estimated at {launch:.1} us, where a barrier of the kernel as \
         it is takes {wait:.1} us; --check measures both"
    )
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
    let wholes = optimized.wholes();
    let in_parts = |whole: &Whole| {
        let parts: Vec<&str> = whole.parts.iter().map(|o| o.kernel.name.as_str()).collect();
        let name = &whole.phased.name;
        json!({
            "name": name,
            "line": whole.phased.line,
            "function": format!("{name}_optimized"),
            "parts": parts,
            "is_one_kernel": whole.is_one_kernel(),
            "as_it_is": whole.as_it_is(),
            "region": whole.together.map(|together| &together.region),
            "apart": optimized.apart.get(name),
        })
    };
    json!({
        "file": optimized.file.path,
        "kernels": optimized.kernels.iter().map(kernel).collect::<Vec<_>>(),
        "wholes": wholes.iter().map(in_parts).collect::<Vec<_>>(),
        "diagnostics": optimized.diagnostics,
    })
}
