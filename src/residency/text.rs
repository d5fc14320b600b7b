//! Decisions as text for people.

use super::needs::{Need, Place, Touch};
use crate::report::{BetweenCalls, Kept};
use crate::source::Span;
use std::fmt::Write;

/// Decisions for a file, for people.
pub fn text<'a>(
    regions: impl Iterator<Item = (&'a str, &'a [Kept])>,
    needs: impl Iterator<Item = &'a Need>,
    line: &dyn Fn(Span) -> u32,
) -> String {
    let mut out = String::new();
    for (name, kept) in regions {
        let _ = writeln!(out, "region {name}{}", if kept.is_empty() { " moves no arrays" } else { "" });
        for Kept { arrays, between_calls, reason } in kept {
            let place = match between_calls {
                BetweenCalls::Announced => "announced",
                BetweenCalls::Guarded => "guarded",
                BetweenCalls::Home => "at home",
            };
            let why = reason.as_ref().map_or(String::new(), |reason| format!(": {}", reason.text()));
            let _ = writeln!(out, "  {} {place}{why}", arrays.join(", "));
        }
    }
    for need in needs {
        let place = match &need.place {
            Place::Before { span, .. } => format!("before line {}", line(*span)),
            Place::Each { at, .. } => format!("before each test on line {}", line(*at)),
            Place::Value(at) => format!("behind the call on line {}", line(*at)),
            Place::Region(_) => "before a region".to_string(),
            Place::Start(body) => format!("at the beginning on line {}", line(*body)),
            Place::End(body) => format!("at the end on line {}", line(Span { lo: body.hi - 1, hi: body.hi })),
        };
        let touch = match &need.touch {
            Touch::Anything(used) => format!("the host {} anything", used.verb()),
            Touch::Elements(all) => {
                let all: Vec<String> = all.iter().map(|(e, used)| format!("{} {e}", used.verb())).collect();
                format!("the host {}", all.join(", "))
            }
        };
        let _ = writeln!(out, "{place}: {touch}");
    }
    out
}
