//! Names of regions: each is given once, and the configuration speaks of what there is.

use super::context::Context;
use super::file::FileState;
use crate::config::Selector;
use crate::diag::{Diagnostic, Severity, Stop, nearest};
use crate::region::candidates;
use crate::source::Span;
use serde_json::Value;

/// Refuses a name that two directives give.
///
/// # Errors
/// The second directive, with a note on the first.
pub fn check_names(file: &FileState, context: &Context) -> Result<(), Stop> {
    let twice = |name: &str, span: Span| {
        let message = format!("a second region has the name `{name}`");
        Diagnostic::error("duplicate-name", message, Some(file.source.place(span))).help("give it another name")
    };
    if let Some((name, second, first)) = candidates::named_twice(&file.unit) {
        return Err(twice(name, second.span).note(Some(file.source.place(first.span)), "the first is here").into());
    }
    match candidates::marks(&file.unit).iter().find(|(name, _)| context.names.contains(name)) {
        Some((name, d)) => Err(twice(name, d.span).note(None, "the first is in another file").into()),
        None => Ok(()),
    }
}

/// Refuses a `[[region]]` that speaks of nothing.
///
/// # Errors
/// The first such, with the nearest name that there is.
pub fn check_selectors(context: &Context) -> Result<(), Stop> {
    for region in &context.options.config.regions {
        let (what, known): (_, Vec<&str>) = match &region.selector {
            Selector::Function(_) => ("function", context.functions.iter().map(String::as_str).collect()),
            Selector::Name(_) => ("region", context.names.iter().map(String::as_str).collect()),
        };
        let name = region.selector.name();
        // Of a kernel that the preprocessor leaves out there is a region in no configuration of the user's.
        if context.options.launches.contains_key(name) {
            continue;
        }
        if known.contains(&name) {
            continue;
        }
        let help = match (nearest(name, &known), known.is_empty()) {
            (Some(near), _) => format!("did you mean `{near}`?"),
            (None, true) => format!("there is no {what} at all"),
            (None, false) => format!("there are {}", known.join(", ")),
        };
        let message = format!("the program has no {what} `{name}`");
        return Err(Diagnostic::error("no-such-region", message, Some(region.place.clone())).help(help).into());
    }
    Ok(())
}

/// Warnings of sizes for kernels that there are not: the program has changed since they were found.
pub fn unknown_kernels(context: &Context, report: &Value) -> Vec<Diagnostic> {
    let regions = report["regions"].as_array().into_iter().flatten();
    let kernels: Vec<&Value> = regions.flat_map(|r| r["kernels"].as_array().into_iter().flatten()).collect();
    // Those of rows have their settings there.
    let rows = kernels.iter().flat_map(|k| k["rows"].as_array().into_iter().flatten());
    let of_rows: Vec<&str> = rows.filter_map(|row| row["kernel"].as_str()).collect();
    let known: Vec<&str> =
        kernels.iter().filter_map(|k| k["name"].as_str()).filter(|name| !of_rows.contains(name)).collect();
    // A loop of the host that runs on the device has the kernels in it.
    let is_within = |name: &str| {
        let all = known.iter().filter_map(|k| k.strip_suffix("_steps"));
        all.into_iter().any(|region| name.strip_prefix(region).is_some_and(|rest| rest.starts_with("_k")))
    };
    let sizes = context.options.config.kernels.iter();
    sizes
        .filter(|(name, _)| !known.contains(&name.as_str()) && !is_within(name))
        .map(|(name, sizes)| {
            let message = format!("[kernels.{name}] has no effect: the program has no kernel of that name");
            let help = match nearest(name, &known) {
                Some(near) => format!("did you mean `{near}`? `rtcuda tune --write` finds the sizes anew"),
                None => "take the table out; `rtcuda.json` lists the kernels that there are".into(),
            };
            Diagnostic::new(Severity::Warning, "no-such-kernel", message, Some(sizes.place.clone())).help(help)
        })
        .collect()
}
