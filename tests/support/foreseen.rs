//! What a C file foresees: `// decline: <part of the message>` stands on each line that is declined, and on no other.

use rtcuda::diag::render::{self, Style};
use rtcuda::diag::{Diagnostic, Severity};

const DECLINE: &str = "// decline:";

/// What of the foreseen does not happen, and what happens unforeseen.
pub fn faults(c: &str, diagnostics: &[Diagnostic]) -> Vec<String> {
    let wanted = marked(c, DECLINE);
    let declined = diagnostics.iter().filter(|d| d.severity == Severity::Declined);
    let said: Vec<(u32, &Diagnostic)> = declined.map(|d| (d.place.as_ref().map_or(0, |place| place.line), d)).collect();
    let fits = |want: &(u32, &str), said: &(u32, &Diagnostic)| want.0 == said.0 && said.1.message.contains(want.1);
    let missing = wanted.iter().filter(|want| !said.iter().any(|said| fits(want, said)));
    let surplus = said.iter().filter(|said| !wanted.iter().any(|want| fits(want, said)));
    missing
        .map(|(line, part)| format!("line {line}: nothing is declined with `{part}`"))
        .chain(surplus.map(|(_, d)| format!("no comment foresees\n{}", render::text(d, Style::Plain))))
        .collect()
}

/// What stands behind a mark, with the line.
pub fn marked<'c>(c: &'c str, mark: &str) -> Vec<(u32, &'c str)> {
    let parts = |(line, number): (&'c str, u32)| {
        line.split(mark).skip(1).map(move |part| (number, part.trim())).collect::<Vec<_>>()
    };
    c.lines().zip(1..).flat_map(parts).collect()
}
