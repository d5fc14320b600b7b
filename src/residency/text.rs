//! Decisions as text for people.

use super::needs::{Need, Place, Touch};
use crate::host_plan::ir::Region;
use crate::source::Span;
use std::fmt::Write;

/// Remark to the user on a region that leaves something, announced by the program's text or not.
pub fn note(region: &Region) -> String {
    let names: Vec<String> = region.arrays.iter().filter(|a| a.may_stay).map(|a| format!("`{}`", a.name)).collect();
    let how = match region.closes_pages {
        false => "what is there already is not copied again",
        true => "its pages are closed to the host meanwhile, and what the host touches comes home",
    };
    format!("{} may stay on the device from region to region: {how}", names.join(", "))
}

/// Decisions for a file, for people.
pub fn text<'a>(
    regions: impl Iterator<Item = &'a Region>,
    needs: impl Iterator<Item = &'a Need>,
    line: &dyn Fn(Span) -> u32,
) -> String {
    let mut out = String::new();
    for r in regions {
        let names: Vec<&str> = r.arrays.iter().filter(|a| a.may_stay).map(|a| a.name.as_str()).collect();
        let what = match (r.leaves, r.closes_pages) {
            _ if names.is_empty() => "leaves nothing".into(),
            (_, true) => format!("leaves {} behind closed pages", names.join(", ")),
            (true, false) => format!("leaves {}", names.join(", ")),
            (false, false) => "leaves nothing".into(),
        };
        let _ = writeln!(out, "region {} {what}", r.name);
    }
    for need in needs {
        let place = match &need.place {
            Place::Before { span, .. } => format!("before line {}", line(*span)),
            Place::Each { at, .. } => format!("before each test on line {}", line(*at)),
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
