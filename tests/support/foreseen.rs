//! Declines that a C file foresees: `// decline: <part of the message>` stands on each line that is declined, and on
//! no other.

use rtcuda::diag::render::{self, Style};
use rtcuda::diag::{Diagnostic, Severity};

const MARK: &str = "// decline:";

/// What of the foreseen does not happen, and what happens unforeseen.
pub fn faults(c: &str, diagnostics: &[Diagnostic]) -> Vec<String> {
    let mut wanted: Vec<(u32, &str)> = Vec::new();
    for (line, number) in c.lines().zip(1..) {
        wanted.extend(line.split(MARK).skip(1).map(|part| (number, part.trim())));
    }
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
