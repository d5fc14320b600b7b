//! `rtcuda explain` in short: each loop with how it runs and why, what would be faster, where data are. The whole text is
//! [`explain`](super::explain)'s.

use super::cost::Unit;
use super::table::Table;
use super::{Around, BetweenCalls, Loop, Region, Report, Runs, Side, Transfer, by_array};
use crate::diag::render::Style;
use crate::diag::{Diagnostic, Severity};
use indexmap::IndexMap;
use std::collections::BTreeSet;

/// Share of what a kernel moves below which an access is not worth a line.
const LEAST_SHARE: f64 = 0.2;

/// The whole text: converted regions, then what runs on the host.
pub fn text(report: &Report, diagnostics: &[Diagnostic], style: Style) -> String {
    let mut text: String = report.regions.iter().map(|r| region(r, style) + "\n").collect();
    text += &around(&report.regions, style);
    let of = |severity| diagnostics.iter().filter(move |d| d.severity == severity);
    for (heading, severity) in [
        ("Runs on the host, as it was", Severity::Declined),
        ("Has no effect, or not the one it seems to", Severity::Warning),
    ] {
        if of(severity).next().is_some() {
            text +=
                &format!("{}\n{}\n", style.bold(heading), of(severity).map(|d| remark(d, style)).collect::<String>());
        }
    }
    if let Some(reason) = &report.nothing_kept {
        text += &format!("{}\n\n", reason.nothing_kept());
    }
    if text.is_empty() {
        return "No loops were found.\n".into();
    }
    let distance = "distance (0, 1): so many iterations later, one number for each loop around, the outermost first\n";
    text += if text.contains("distance (") { distance } else { "" };
    text + "rtcuda explain -v: kernels, mappings, accesses, copies, what is tested at each call\n"
}

/// Loops of the host around regions, each once, and why they are not part of them.
fn around(regions: &[Region], style: Style) -> String {
    let mut seen = BTreeSet::new();
    let mut text = String::new();
    for region in regions {
        let Some(Around { line, why, because_of, remedy }) = &region.around else { continue };
        if !seen.insert((&region.file, line)) {
            continue;
        }
        let place = if line == because_of { String::new() } else { format!(" (line {because_of})") };
        text += &lines(&format!("{}:{line}  {why}{place}", region.file), remedy.as_ref(), style);
    }
    if text.is_empty() {
        text
    } else {
        format!("{}\n{text}\n", style.bold("Loops on the host that call these at each step"))
    }
}

/// A diagnostic in two lines: where and what, and what to do about it.
fn remark(d: &Diagnostic, style: Style) -> String {
    let place = d.place.as_ref().map_or(String::new(), |place| format!("{}:{}  ", place.file, place.line));
    lines(&format!("{place}{}", d.message), d.help.as_ref(), style)
}

fn lines(what: &str, help: Option<&String>, style: Style) -> String {
    let help = help.map_or(String::new(), |help| format!("    {}\n", style.bold(help)));
    format!("  {what}\n{help}")
}

fn region(region: &Region, style: Style) -> String {
    let (first, last) = region.lines;
    let mut text = format!("{}  {}:{first}-{last}, in {}()\n", style.bold(&region.name), region.file, region.function);
    text += &loops(&region.loops, style);
    for (heading, body) in [("faster", advice(region)), ("data", data(region))] {
        text += &if body.is_empty() { body } else { format!("  {heading}\n{body}") };
    }
    text
}

fn loops(loops: &[Loop], style: Style) -> String {
    let mut table = Table::default();
    // One that is called in several places is there once for each.
    let mut seen = BTreeSet::new();
    for Loop { head, line, depth, runs, why, .. } in loops {
        if !seen.insert((line, depth, head, why)) {
            continue;
        }
        let head = format!("{}{head}", "  ".repeat(*depth as usize));
        table.row([head, format!("line {line}"), runs.shown(style), why.clone()]);
    }
    table.text(2)
}

/// Changes that would make it faster: loops that one would free, accesses that move more than they use.
fn advice(region: &Region) -> String {
    let mut lines: Vec<String> = vec![];
    let mut say = |line: String| lines.extend((!lines.contains(&line)).then_some(line));
    for l in &region.loops {
        l.remedy.iter().for_each(|remedy| say(format!("line {}  {}: {remedy}", l.line, l.head)));
    }
    for kernel in region.kernels.iter().filter(|kernel| kernel.mapping.first().is_some_and(|first| first == "in order"))
    {
        let of_loop = region.loops.iter().find(|l| l.line == kernel.line && l.runs == Runs::Sequential);
        of_loop
            .iter()
            .for_each(|l| say(format!("line {}  {} runs in sequence, by one thread of the GPU", l.line, l.head)));
    }
    let accesses = region.kernels.iter().flat_map(|kernel| &kernel.cost.accesses);
    let mut worst: IndexMap<(u32, String), (f64, f64)> = IndexMap::new();
    for x in accesses.filter(|x| x.unit == Unit::Sectors && x.sectors > x.least && x.share >= LEAST_SHARE) {
        let array = x.array();
        let (sectors, least) = worst.entry((x.line, format!("{} of {array}", x.does))).or_insert((x.sectors, x.least));
        if x.sectors / x.least > *sectors / *least {
            (*sectors, *least) = (x.sectors, x.least);
        }
    }
    for ((line, access), (sectors, least)) in worst {
        let times = sectors / least;
        say(format!(
            "line {line}  {access} moves {times:.1} times what it uses: neighbouring threads are apart in memory"
        ));
    }
    lines.iter().map(|line| format!("    {line}\n")).collect()
}

/// Copies, arrays with the same ones together, and where they are between calls.
fn data(region: &Region) -> String {
    let kept = |array: &str| {
        let kept = region.kept.iter().find(|kept| kept.arrays.iter().any(|name| name == array));
        match kept.map(|kept| kept.between_calls) {
            Some(BetweenCalls::Home) => "; home at each call",
            Some(_) => "; kept on the GPU",
            None => "",
        }
    };
    let mut groups: IndexMap<String, Vec<&str>> = IndexMap::new();
    for (array, transfers) in by_array(&region.transfers).into_iter().filter(|(array, _)| !array.starts_with("rt_")) {
        let one = |transfer: &&Transfer| match transfer.to {
            Side::Device => format!("to the GPU {}", transfer.when),
            Side::Host => format!("to the host {}", transfer.when),
        };
        let words: Vec<String> = transfers.iter().map(one).collect();
        groups.entry(words.join(", ") + kept(array)).or_default().push(array);
    }
    let mut table = Table::default();
    groups.into_iter().for_each(|(words, arrays)| table.row([arrays.join(", "), words]));
    table.text(4)
}

#[cfg(test)]
mod tests {
    use super::super::cost::{Access, Cost};
    use super::super::{Kept, Kernel};
    use super::*;

    #[test]
    fn a_region_in_a_few_lines() {
        let l = |head: &str, line, depth, runs, remedy: Option<&str>| Loop {
            head: head.into(),
            line,
            depth,
            runs,
            why: "`u` is written on line 7 and read on line 5 by a later iteration, distance (1)".into(),
            mapping: String::new(),
            remedy: remedy.map(str::to_owned),
        };
        let access = |access: &str, sectors| Access {
            access: access.into(),
            line: 7,
            does: "load".into(),
            pattern: "strided".into(),
            unit: Unit::Sectors,
            requests: 1.0,
            sectors,
            least: 4.0,
            share: 0.5,
        };
        let cost =
            Cost { limit: None, accesses: vec![access("a[i]", 32.0), access("a[i + 1]", 8.0), access("b[i]", 4.0)] };
        let copy = |array: &str, to| Transfer { array: array.into(), to, elements: "1".into(), when: "once".into() };
        let region = Region {
            name: "f_0".into(),
            function: "f".into(),
            file: "a.c".into(),
            lines: (3, 9),
            loops: vec![l("for t", 3, 0, Runs::Host, None), l("for i", 4, 1, Runs::Sequential, Some("split it"))],
            kernels: vec![Kernel { cost, ..Kernel::default() }],
            transfers: vec![
                copy("a", Side::Device),
                copy("b", Side::Device),
                copy("b", Side::Host),
                copy("c", Side::Device),
            ],
            kept: vec![Kept {
                arrays: vec!["a".into(), "c".into()],
                between_calls: BetweenCalls::Guarded,
                reason: None,
            }],
            around: Some(Around {
                line: 2,
                why: "`printf` is called here".into(),
                because_of: 10,
                remedy: Some("move the call out of the loop".into()),
            }),
            ..Region::default()
        };
        let report = Report { regions: vec![region], nothing_kept: None };
        let declined = Diagnostic::declined("call", "`f` cannot be called on the GPU", None).help("move the call");
        expect_test::expect![[r"
            f_0  a.c:3-9, in f()
              for t    line 3  on the host  `u` is written on line 7 and read on line 5 by a later iteration, distance (1)
                for i  line 4  in sequence  `u` is written on line 7 and read on line 5 by a later iteration, distance (1)
              faster
                line 4  for i: split it
                line 7  load of a moves 8.0 times what it uses: neighbouring threads are apart in memory
              data
                a, c  to the GPU once; kept on the GPU
                b     to the GPU once, to the host once

            Loops on the host that call these at each step
              a.c:2  `printf` is called here (line 10)
                move the call out of the loop

            Runs on the host, as it was
              `f` cannot be called on the GPU
                move the call

            distance (0, 1): so many iterations later, one number for each loop around, the outermost first
            rtcuda explain -v: kernels, mappings, accesses, copies, what is tested at each call
        "]]
        .assert_eq(&text(&report, &[declined], Style::Plain));
    }
}
