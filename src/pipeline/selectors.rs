//! Names of regions: each is given once, and the configuration speaks of what there is.

use super::context::Context;
use super::file::FileState;
use crate::config::Selector;
use crate::diag::{Diagnostic, Stop, nearest};
use crate::region::candidates;
use crate::source::Span;

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
    match candidates::marks(&file.unit).iter().find(|(name, _)| context.names.iter().any(|n| n == *name)) {
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
        let (what, known) = match &region.selector {
            Selector::Function(_) => ("function", &context.functions),
            Selector::Name(_) => ("region", &context.names),
        };
        let name = region.selector.name();
        if known.iter().any(|k| k == name) {
            continue;
        }
        let known: Vec<&str> = known.iter().map(String::as_str).collect();
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
