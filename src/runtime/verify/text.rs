//! The table of `rtcuda verify`, and below it what is wrong with each program that is not verified.

use super::{Run, Totals, Verdict, Verification};
use crate::diag::Diagnostic;
use crate::diag::render::{self, Style};
use crate::report::table::Table;
use crate::runtime::written::{Access, Difference, Finding, Region};
use indexmap::IndexMap;
use std::fmt::Write;

/// The whole text.
pub fn text(verifications: &[Verification], style: Style) -> String {
    let mut text = table(verifications, style);
    for verification in verifications {
        let details = details(verification, style);
        if !details.is_empty() {
            text += &format!("\n{}\n{details}", style.bold(&verification.program));
        }
    }
    text
}

fn table(verifications: &[Verification], style: Style) -> String {
    let mut table = Table::default();
    let head = ["program", "regions", "calls", "elements", "worst error", "findings", "verdict", "time"];
    table.row(head.map(|title| style.bold(title)));
    for verification in verifications {
        table.row(row(verification, style));
    }
    table.text(0)
}

fn row(verification: &Verification, style: Style) -> Vec<String> {
    let Verification { program, verdict, converted, declined, runs, fused, seconds, .. } = verification;
    let regions = if *declined > 0 { format!("{converted}, {declined} declined") } else { converted.to_string() };
    let totals = runs.first().map(Totals::of).unwrap_or_default();
    let calls = match totals.calls - totals.compared_calls {
        0 => totals.calls.to_string(),
        original => format!("{}, {original} original", totals.calls),
    };
    let worst = runs
        .iter()
        .chain(fused)
        .map(|run| Totals::of(run).worst)
        .fold(0.0, |a: f64, b| if b.is_nan() { b } else { a.max(b) });
    let worst = if worst == 0.0 { "0".into() } else { format!("{worst:.1e}") };
    let findings: usize = runs.iter().map(|run| run.findings.len()).max().unwrap_or(0);
    let verdict = match verdict {
        Verdict::Verified => style.good("verified"),
        Verdict::NothingConverted => "nothing converted".into(),
        Verdict::Differs => style.bad("differs"),
        Verdict::Findings => style.bad("findings"),
        Verdict::Failed(_) => style.bad("failed"),
        Verdict::NothingCompared(_) => style.bad("nothing compared"),
        Verdict::Input => style.bad("not converted"),
        Verdict::Bug(_) => style.bad("fault of rtcuda"),
    };
    let elements = totals.elements.to_string();
    vec![program.clone(), regions, calls, elements, worst, findings.to_string(), verdict, format!("{seconds:.1} s")]
}

/// What a reader needs to go on from a bad verdict.
fn details(verification: &Verification, style: Style) -> String {
    // Where nothing was converted, all of them are written.
    let is_aside = |d: &&Diagnostic| match d.code {
        "emitted-refused" => verification.verdict != Verdict::NothingConverted,
        code => code == "check-every",
    };
    let aside = verification.diagnostics.iter().filter(is_aside);
    let at = |d: &Diagnostic| d.place.as_ref().map_or(String::new(), |p| format!("{}:{}: ", p.file, p.line));
    let mut text: String = aside.map(|d| format!("  {}{}\n", at(d), d.message)).collect();
    match &verification.verdict {
        Verdict::NothingConverted | Verdict::Input => {
            text.extend(verification.diagnostics.iter().map(|d| render::text(d, style)));
        }
        Verdict::Bug(what) => text += &format!("  {what}\n  This is a fault of rtcuda, not of the program.\n"),
        Verdict::NothingCompared(why) => text += &format!("  {why}\n"),
        Verdict::Failed(how) => {
            text += &format!("  the converted program failed: {how}\n");
            if how.starts_with("killed by signal") {
                text += "  see whether the original runs clean on the same input, built with -fsanitize=address,undefined\n";
            }
        }
        Verdict::Verified | Verdict::Differs | Verdict::Findings => {}
    }
    if let Some(fused) = &verification.fused {
        text += "  without fused multiplications and additions both agree (`fmad = false` in [target]); with them\n";
        text += &of_run(fused);
    }
    let mut orders_by_text: IndexMap<String, Vec<&str>> = IndexMap::new();
    for run in &verification.runs {
        orders_by_text.entry(of_run(run)).or_default().push(&run.order);
    }
    let is_of_order = orders_by_text.len() > 1;
    for (of_run, orders) in orders_by_text {
        if !of_run.is_empty() && is_of_order {
            text += &format!("  threads in the order {}\n", orders.join(", "));
        }
        text += &of_run;
    }
    text
}

fn of_run(run: &Run) -> String {
    let mut text = String::new();
    for region in run.comparisons.iter().flat_map(|c| &c.regions) {
        text += &of_region(region);
    }
    text.extend(run.findings.iter().map(of_finding));
    if run.findings.is_empty() && (run.has_findings || run.comparisons.is_none()) {
        text.extend(run.stderr.lines().map(|line| format!("    {line}\n")));
    }
    text
}

fn of_region(region: &Region) -> String {
    let mut text = String::new();
    let at = format!("    region {} ({}:{}): ", region.region, region.file, region.line);
    for array in &region.arrays {
        let name = &array.name;
        if array.differing > 0 {
            let (n, all) = (array.differing, array.elements);
            text += &format!("{at}{name} differs in {n} of {all} elements\n");
        }
        for first in &array.first {
            let Difference { call, index, original, converted } = first;
            let _ =
                writeln!(text, "      call {call}: {name}{index} is {original} in the original, {converted} converted");
        }
        if array.rounding > 0 {
            let (n, all) = (array.rounding, array.elements);
            let why = "another rounding mode changes the original as much";
            text += &format!("{at}{name} differs by rounding in {n} of {all} elements: {why}\n");
        }
        if array.changed_outside > 0 {
            let n = array.changed_outside;
            text += &format!("{at}{n} elements of {name} are changed that the region does not write\n");
        }
    }
    text
}

fn of_finding(finding: &Finding) -> String {
    let Finding { kind, kernel, message, here, other, count, .. } = finding;
    let times = if *count > 1 { format!(" ({count} times)") } else { String::new() };
    let mut text = format!("    {kind} in kernel {kernel}{times}: {message}\n      {}\n", of_access(here));
    if let Some(other) = other {
        text += &format!("      before it, {}\n", of_access(other));
    }
    text
}

fn of_access(access: &Access) -> String {
    let Access { access, block: [bz, by, bx], thread: [tz, ty, tx], c_file, c_line, .. } = access;
    format!("thread ({tz},{ty},{tx}) of block ({bz},{by},{bx}) {access} at {c_file}:{c_line}")
}
