//! What a C file foresees: `// decline: <part of the message>` stands on each line that is declined, and on no other. A header,
//! which other programs have too, is held to what it foresees in the same way; not all of that happens in each of them.

use rtcuda::diag::render::{self, Style};
use rtcuda::diag::{Diagnostic, Severity};

const DECLINE: &str = "// decline:";

/// What of the foreseen does not happen, and what happens unforeseen.
pub fn faults(c: &str, diagnostics: &[Diagnostic]) -> Vec<String> {
    let wanted = marked(c, DECLINE);
    let declined = diagnostics.iter().filter(|d| d.severity == Severity::Declined && !foreseen_in_header(d));
    let said: Vec<(u32, &Diagnostic)> = declined.map(|d| (d.place.as_ref().map_or(0, |place| place.line), d)).collect();
    let fits = |want: &(u32, &str), said: &(u32, &Diagnostic)| want.0 == said.0 && said.1.message.contains(want.1);
    let missing = wanted.iter().filter(|want| !said.iter().any(|said| fits(want, said)));
    let surplus = said.iter().filter(|said| !wanted.iter().any(|want| fits(want, said)));
    missing
        .map(|(line, part)| format!("line {line}: nothing is declined with `{part}`"))
        .chain(surplus.map(|(_, d)| format!("no comment foresees\n{}", render::text(d, Style::Plain))))
        .collect()
}

/// Test for what a header foresees on the line where it is said.
fn foreseen_in_header(d: &Diagnostic) -> bool {
    let Some(place) = d.place.as_ref().filter(|place| place.file.ends_with(".h")) else { return false };
    let text = std::fs::read_to_string(&place.file).expect("it was read before");
    marked(&text, DECLINE).iter().any(|(line, part)| *line == place.line && d.message.contains(part))
}

/// What stands behind a mark, up to another comment, with the line.
pub fn marked<'c>(c: &'c str, mark: &str) -> Vec<(u32, &'c str)> {
    let parts = |(line, number): (&'c str, u32)| {
        line.split(mark)
            .skip(1)
            .map(move |part| (number, part.split("//").next().unwrap_or(part).trim()))
            .collect::<Vec<_>>()
    };
    c.lines().zip(1..).flat_map(parts).collect()
}
