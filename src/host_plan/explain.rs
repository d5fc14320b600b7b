//! The report of a planned region.

use super::graph;
use super::guard::{Condition, Guard, Touched};
use super::ir::{HostStmt, Param, Region};
use super::written::condition;
use crate::kernel::{self, Kernel, RESIDENT};
use crate::region::candidates::Candidate;
use crate::report::{self, Side};
use crate::schedule::mapping::{Mapping, domain, row_of};
use crate::source::Span;

/// The report of a planned region.
pub fn region(
    plan: &Region,
    loops: Vec<report::Loop>,
    notes: Vec<String>,
    candidate: &Candidate,
    file: &str,
    line: &dyn Fn(Span) -> u32,
) -> report::Region {
    let span = candidate.span();
    let last = Span { lo: span.hi.saturating_sub(1), hi: span.hi };
    let mut transfers = vec![];
    copies(plan, &plan.body, "once", &mut transfers);
    transfers.iter_mut().for_each(|t| t.elements = in_c(plan, &t.elements));
    let tested = plan.guards.iter().filter_map(|guard| in_words(plan, guard));
    let choices = |k: &Kernel| plan.choices.get(&k.name).into_iter();
    let fits = plan.original_if_too_large.then(|| "the arrays fit on the device".to_string());
    let around = candidate.around.as_ref().map(|d| report::Around {
        line: line(d.whole),
        why: d.reason.message.clone(),
        because_of: line(d.reason.span),
        remedy: d.reason.help.as_ref().map(ToString::to_string),
    });
    report::Region {
        name: plan.name.clone(),
        function: plan.function.clone(),
        file: file.to_string(),
        lines: (line(span), line(last)),
        loops,
        kernels: plan
            .kernels
            .iter()
            .map(|k| report::Kernel {
                name: k.name.clone(),
                line: k.body.iter().map(|s| s.line).find(|l| *l > 0).unwrap_or(0),
                grid: k.grid.iter().map(|e| in_c(plan, &usual(k, e))).collect(),
                block: k.block.iter().map(|e| usual(k, e)).collect(),
                index_bits: k.index_bits,
                never_waits: k.never_waits(),
                short_positions: kernel::positions::most(k).map(|most| in_c(plan, &most.to_string())),
                mapping: plan.mappings.get(&k.name).map_or(vec![], Mapping::lines),
                strategies: choices(k).flat_map(|c| &c.strategies).map(|s| s.to_string()).collect(),
                extents: choices(k).flat_map(|c| &c.extents).cloned().collect(),
                rows: plan.mappings.get(&k.name).map_or(vec![], |mapping| rows(k, mapping)),
                tunables: tunables(k, plan.mappings.get(&k.name)),
                notes: k.notes.clone(),
                cost: report::cost::of(k, &plan.functions),
            })
            .collect(),
        edges: graph::edges(plan),
        transfers,
        kept: vec![],
        guards: plan.only_if.iter().cloned().chain(tested).chain(fits).collect(),
        around,
        notes,
    }
}

/// A guard for the user; `None`: another says it, too.
fn in_words(plan: &Region, guard: &Guard) -> Option<String> {
    let held = |array: &str| plan.arrays.iter().any(|a| a.name == array && a.held().is_some());
    Some(match &guard.condition {
        Condition::MayPay | Condition::RowsAreThere { .. } => return None,
        Condition::Pays | Condition::RunsOften => "one core would take longer than the way to the device".into(),
        Condition::Holds(e) => in_c(plan, &condition(plan, e).to_string()),
        Condition::IsThere { array } if held(array) => {
            format!("subscripts of `{array}` stay in the block behind it, all of which is copied")
        }
        Condition::IsThere { array } | Condition::IsOnDevice { array } => {
            format!("the memory behind `{array}` goes as far as what may be touched")
        }
        Condition::Apart(touched) => {
            let place = |x: &Touched| plan.params.iter().find(|p| p.name() == x.name()).map(Param::c_expr);
            let names: Vec<String> = touched.iter().filter_map(place).map(|place| format!("`{place}`")).collect();
            format!("{} lie apart where they are written", names.join(", "))
        }
    })
}

/// The kernels that stand in for a kernel at some calls, as the configuration says.
fn rows(kernel: &Kernel, mapping: &Mapping) -> Vec<report::Row> {
    let rows = mapping.rows.iter().enumerate();
    rows.map(|(at, row)| report::Row { calls: row.calls.to_string(), kernel: row_of(&kernel.name, at) }).collect()
}

/// The sizes of a kernel, each with what else it may be. The registers of one that realises a mapping of loops can be
/// bounded, if they are not yet.
fn tunables(kernel: &Kernel, mapping: Option<&Mapping>) -> Vec<report::Tunable> {
    let with_domain =
        |name: &str, value: i64| report::Tunable { name: name.into(), value, domain: domain(name, value) };
    let mut out: Vec<_> = kernel.tunables.iter().map(|t| with_domain(&t.name, t.value)).collect();
    if mapping.is_some_and(|m| !m.axes.is_empty()) && out.iter().all(|t| t.name != RESIDENT) {
        out.push(with_domain(RESIDENT, 0));
    }
    out
}

/// An expression of a kernel with the values that its tunables have when nobody tunes them.
fn usual(kernel: &Kernel, e: &kernel::Expr) -> String {
    kernel.tunables.iter().fold(e.to_string(), |text, t| with_word(&text, &t.name, &t.value.to_string()))
}

/// A text with the user's C in the place of names that the tool made for it.
fn in_c(plan: &Region, text: &str) -> String {
    plan.params.iter().fold(text.to_string(), |text, param| match param {
        Param::Scalar { name, written, .. } if name != written => {
            let is_atom = written.chars().all(|c| c.is_ascii_alphanumeric() || "_[].>-".contains(c));
            with_word(&text, name, &if is_atom { written.clone() } else { format!("({written})") })
        }
        _ => text,
    })
}

/// A text in which each `word` is another.
fn with_word(text: &str, word: &str, other: &str) -> String {
    let in_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(word) {
        let (before, after) = (&rest[..at], &rest[at + word.len()..]);
        let whole = !before.ends_with(in_word) && !after.starts_with(in_word);
        out += before;
        out += if whole { other } else { word };
        rest = after;
    }
    out + rest
}

fn copies(plan: &Region, body: &[HostStmt], when: &str, out: &mut Vec<report::Transfer>) {
    let mut copy = |array: &String, to: Side| {
        let a = plan.arrays.iter().find(|a| a.name == *array);
        let range = a.and_then(|a| if to == Side::Device { a.live_in.clone() } else { a.live_out.clone() });
        let elements = range.map_or("1".to_string(), |(x, y)| format!("[{x}, {y})"));
        out.push(report::Transfer { array: array.clone(), to, elements, when: when.to_string() });
    };
    for s in body {
        match s {
            HostStmt::CopyIn { array } => copy(array, Side::Device),
            HostStmt::CopyOut { array } => copy(array, Side::Host),
            _ => {}
        }
    }
    for s in body {
        let is_loop = !matches!(s, HostStmt::If { .. } | HostStmt::Select(_));
        let when = if is_loop { "in each iteration of the host's loop" } else { when };
        s.bodies().into_iter().for_each(|body| copies(plan, body, when, out));
    }
}
