//! `rtcuda explain`: the report as text for a person, each loop with how it runs and why.

use super::cost::{Access, Unit};
use super::table::Table;
use super::{BetweenCalls, Kept, Loop, Region, Report, Side, Transfer, by_array};
use crate::diag::render::{self, Style};
use crate::diag::{Diagnostic, Severity};
use indexmap::IndexMap;

/// The whole text: converted regions, then what stays on the host and what would change that.
pub fn text(report: &Report, diagnostics: &[Diagnostic], style: Style) -> String {
    let mut parts: Vec<String> = report.regions.iter().map(|r| region(r, style)).collect();
    let declined: Vec<_> = diagnostics.iter().filter(|d| d.severity == Severity::Declined).collect();
    if !declined.is_empty() {
        let heading = style.bold("Stays on the host, as it was:");
        let each: Vec<String> = declined.iter().map(|d| render::text(d, style)).collect();
        parts.push(format!("{heading}\n\n{}", each.join("\n")));
    }
    let warnings: Vec<_> = diagnostics.iter().filter(|d| d.severity == Severity::Warning).collect();
    if !warnings.is_empty() {
        let each: Vec<String> = warnings.iter().map(|d| render::text(d, style)).collect();
        parts.push(format!("{}\n\n{}", style.bold("Has no effect, or not the one it seems to:"), each.join("\n")));
    }
    if let Some(reason) = &report.nothing_kept {
        parts.push(format!("{}\n", reason.nothing_kept()));
    }
    if parts.is_empty() {
        parts.push("No loops were found.\n".into());
    }
    parts.join("\n")
}

fn region(region: &Region, style: Style) -> String {
    let (first, last) = region.lines;
    let mut text = format!("{}  {}:{first}-{last}, in {}()\n", style.bold(&region.name), region.file, region.function);
    let mut section = |title: &str, body: String| {
        if !body.is_empty() {
            text += &format!("  {title}\n{body}");
        }
    };
    section("loops", loops(&region.loops, style));
    section("what would free a loop that runs in order", remedies(&region.loops));
    section("kernels", kernels(region));
    section("data", transfers(&region.transfers));
    section("between calls", kept(&region.kept));
    section("tested at each call; otherwise the original loops run", lines(&region.guards));
    let around = region.around.iter().map(ToString::to_string);
    section("also", lines(&around.chain(region.notes.iter().cloned()).collect::<Vec<_>>()));
    text
}

fn loops(loops: &[Loop], style: Style) -> String {
    let mut table = Table::default();
    for Loop { head, line, depth, runs, why, mapping, .. } in loops {
        let head = format!("{}{head}", "  ".repeat(*depth as usize));
        table.row([head, format!("line {line}"), runs.shown(style), mapping.clone(), why.clone()]);
    }
    table.text(4)
}

fn remedies(loops: &[Loop]) -> String {
    let mut table = Table::default();
    for l in loops {
        if let Some(remedy) = &l.remedy {
            table.row([l.head.clone(), format!("line {}", l.line), remedy.clone()]);
        }
    }
    table.text(4)
}

fn kernels(region: &Region) -> String {
    let mut text = String::new();
    for kernel in &region.kernels {
        let (grid, block) = (kernel.grid.join(" x "), kernel.block.join(" x "));
        let plural = |word: &str, count: &str| if count == "1" { word.to_string() } else { format!("{word}s") };
        let (blocks, threads) = (plural("block", &grid), plural("thread", &block));
        text += &format!("    {}\n", kernel.name);
        text.extend(kernel.notes.iter().map(|note| format!("      {note}\n")));
        let positions = match &kernel.short_positions {
            Some(most) if !most.is_empty() => {
                format!("32-bit positions where {most} fits, else {}-bit", kernel.index_bits)
            }
            Some(_) => "32-bit positions".into(),
            None => format!("{}-bit positions", kernel.index_bits),
        };
        text += &format!("      {grid} {blocks} of {block} {threads}, {positions}\n");
        text.extend(kernel.rows.iter().map(|row| format!("      where {}: {} in its place\n", row.calls, row.kernel)));
        let mapping = without_rows(&kernel.mapping);
        if let Some((strategy, lines)) = mapping.split_first() {
            text += &format!("      mapping {strategy}: {}\n", lines.join("; "));
        }
        text += &accesses(&kernel.cost.accesses);
    }
    text
}

/// The lines of a mapping but those of other kernels that a configuration gives.
fn without_rows(mapping: &[String]) -> Vec<&str> {
    let mut is_row = false;
    let mut own = vec![];
    for line in mapping {
        // A mapping's own lines are two characters in, and those of another stand further in behind its first.
        is_row = line.starts_with("  at ") || is_row && line.starts_with("    ");
        own.extend((!is_row).then(|| line.trim()));
    }
    own
}

/// Traffic of a warp at once, for each C line and array; of shared memory only where its banks are in the way.
fn accesses(accesses: &[Access]) -> String {
    let mut groups: IndexMap<_, (f64, u32)> = IndexMap::new();
    for x in accesses.iter().filter(|x| x.unit == Unit::Sectors || x.sectors > x.least) {
        let array = x.array();
        let unit = match x.unit {
            Unit::Sectors => "sectors a warp",
            Unit::Passes => "passes a warp",
        };
        let moves = match x.sectors > x.least {
            true => format!("{} {unit}, {} would do", x.sectors, x.least),
            false => format!("{} {unit}", x.sectors),
        };
        let (share, times) = groups.entry((x.line, array, &x.does, &x.pattern, moves)).or_default();
        (*share, *times) = (*share + x.share, *times + 1);
    }
    let mut table = Table::default();
    for ((line, array, does, pattern, moves), (share, times)) in groups {
        let does = if times == 1 { does.clone() } else { format!("{times} {does}s") };
        let share = format!("{:.0} %", share * 100.0);
        table.row([format!("line {line}"), format!("{does} of {array}"), pattern.clone(), moves, share]);
    }
    table.text(6)
}

fn transfers(transfers: &[Transfer]) -> String {
    let mut table = Table::default();
    for (array, transfers) in by_array(transfers) {
        for (at, transfer) in transfers.iter().enumerate() {
            let way = match transfer.to {
                Side::Device => "to the device",
                Side::Host => "to the host",
            };
            let name = if at == 0 { array } else { "" };
            let elements = match transfer.elements.as_str() {
                "1" => "1 element".into(),
                range => format!("elements {range}"),
            };
            table.row([name, way, &transfer.when, &elements]);
        }
    }
    table.text(4)
}

fn kept(kept: &[Kept]) -> String {
    let mut table = Table::default();
    for Kept { arrays, between_calls, reason } in kept {
        let place = match between_calls {
            BetweenCalls::Announced => "kept on the GPU, announced",
            BetweenCalls::Guarded => "kept on the GPU, pages closed",
            BetweenCalls::Home => "home at each call",
        };
        let reason = match (reason, between_calls) {
            (Some(reason), _) => reason.text(),
            (None, _) => "the program's text says where the host touches it".into(),
        };
        table.row([arrays.join(", "), place.into(), reason]);
    }
    table.text(4)
}

fn lines(lines: &[String]) -> String {
    lines.iter().map(|line| format!("    {line}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::super::{Kernel, Reason, Runs};
    use super::*;
    use crate::diag::Place;
    use expect_test::expect;

    fn example() -> Report {
        let each_loop = |head: &str, line, depth, runs, why: &str, mapping: &str| Loop {
            head: head.into(),
            line,
            depth,
            runs,
            why: why.into(),
            mapping: mapping.into(),
            remedy: (runs == Runs::Sequential).then(|| "only another algorithm is parallel".into()),
        };
        let transfer = |array: &str, to, elements: &str, when: &str| Transfer {
            array: array.into(),
            to,
            elements: elements.into(),
            when: when.into(),
        };
        let region = Region {
            name: "jacobi_0".into(),
            function: "jacobi".into(),
            file: "jacobi.c".into(),
            lines: (18, 31),
            loops: vec![
                each_loop("while", 19, 0, Runs::Host, "its condition needs `err`", "launches"),
                each_loop("for i", 20, 1, Runs::Parallel, "no dependence is carried", "blocks and threads"),
                each_loop("for j", 22, 2, Runs::Sequential, "`s` is carried", "a loop in the thread"),
            ],
            around: None,
            kernels: vec![Kernel {
                name: "jacobi_0_sweep".into(),
                line: 20,
                grid: vec!["ceildiv(n, 256)".into()],
                block: vec!["256".into()],
                index_bits: 64,
                never_waits: false,
                short_positions: Some("n * n + 512".into()),
                mapping: vec!["pointwise".into(), "  axis i: grid 0, threads 256".into()],
                strategies: vec!["pointwise".into()],
                extents: vec!["n".into()],
                rows: vec![],
                tunables: vec![],
                notes: vec!["x_new[i]: one thread an element".into()],
                cost: Default::default(),
            }],
            edges: vec![],
            transfers: vec![
                transfer("a", Side::Device, "[0, n * n)", "before the region"),
                transfer("x", Side::Device, "[0, n)", "before the region"),
                transfer("x", Side::Host, "[0, n)", "after the region"),
            ],
            kept: vec![
                Kept { arrays: vec!["a".into()], between_calls: BetweenCalls::Announced, reason: None },
                Kept {
                    arrays: vec!["x".into(), "y".into()],
                    between_calls: BetweenCalls::Guarded,
                    reason: Some(Reason {
                        why: "`show` is called, which no file here has and no list knows".into(),
                        file: Some("jacobi.c".into()),
                        line: Some(44),
                    }),
                },
            ],
            guards: vec!["n is not negative".into()],
            notes: vec![],
        };
        Report { regions: vec![region], nothing_kept: None }
    }

    #[test]
    fn a_region_and_what_stays() {
        let text_of_line = "    for (i = 0; i < n; i++) p[q[i]] = i;";
        let place = Place { file: "jacobi.c".into(), line: 40, column: 29, length: 7, text: text_of_line.into() };
        let declined = Diagnostic::declined("indirect-write", "iterations may write the same element", Some(place))
            .help("#pragma rt parallel before the loop, if no two do");
        expect![[r#"
            jacobi_0  jacobi.c:18-31, in jacobi()
              loops
                while      line 19  on the host  launches              its condition needs `err`
                  for i    line 20  in parallel  blocks and threads    no dependence is carried
                    for j  line 22  in sequence  a loop in the thread  `s` is carried
              what would free a loop that runs in order
                for j  line 22  only another algorithm is parallel
              kernels
                jacobi_0_sweep
                  x_new[i]: one thread an element
                  ceildiv(n, 256) blocks of 256 threads, 32-bit positions where n * n + 512 fits, else 64-bit
                  mapping pointwise: axis i: grid 0, threads 256
              data
                a  to the device  before the region  elements [0, n * n)
                x  to the device  before the region  elements [0, n)
                   to the host    after the region   elements [0, n)
              between calls
                a     kept on the GPU, announced     the program's text says where the host touches it
                x, y  kept on the GPU, pages closed  `show` is called, which no file here has and no list knows (jacobi.c:44)
              tested at each call; otherwise the original loops run
                n is not negative

            Stays on the host, as it was:

            declined[indirect-write]: iterations may write the same element
              --> jacobi.c:40:29
               |
            40 |     for (i = 0; i < n; i++) p[q[i]] = i;
               |                             ^^^^^^^
               |
               = help: #pragma rt parallel before the loop, if no two do
        "#]]
        .assert_eq(&text(&example(), &[declined], Style::Plain));
    }

    #[test]
    fn json_reads_back() {
        let json = serde_json::to_value(example()).unwrap();
        assert_eq!(json["regions"][0]["loops"][1]["runs"], "parallel");
        assert_eq!(json["regions"][0]["kept"][0], serde_json::json!({ "arrays": ["a"], "between_calls": "announced" }));
        let kept = &json["regions"][0]["kept"][1];
        assert_eq!((&kept["between_calls"], &kept["line"]), (&"guarded".into(), &44.into()));
        assert_eq!(serde_json::from_value::<Report>(json).unwrap(), example());
    }
}
