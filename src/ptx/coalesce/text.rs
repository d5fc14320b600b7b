//! The report on coalescing, for a person.

use super::integer::{Dimension, Solution};
use super::{Access, Report, Stride};
use crate::ptx::run::watch::Does;
use crate::ptx::source::Unit;
use crate::report::table::Table;

/// Characters of a source line that are shown.
const WIDTH: usize = 50;

/// The report as text.
pub fn text(report: &Report, unit: &Unit) -> String {
    let [x, y, z] = report.block;
    let [gx, gy, gz] = report.grid;
    let sampled = report.sampled_warps.map_or(String::new(), |n| format!(", {n} sampled warps"));
    let mut text = format!("{}: grid ({gx}, {gy}, {gz}), block ({x}, {y}, {z}){sampled}\n", report.kernel);
    if report.accesses.is_empty() {
        return text + "  no access to global memory\n";
    }
    text += &accesses(report).text(2);
    text += &format!(
        "  accesses of threads: {}, uncoalesced: {}; sectors: {}, the least for the bytes used: {}\n",
        report.total, report.uncoalesced, report.sectors, report.least
    );
    text += &lines(report, unit);
    text += &hints(report);
    text + &geometry(report)
}

/// A row for each access; those of a line that look the same, as of a loop that was unrolled, are one.
fn accesses(report: &Report) -> Table {
    let mut rows: Vec<([String; 8], u32, f64)> = Vec::new();
    for access in &report.accesses {
        let row = [
            access.origin.as_ref().map_or(access.line.to_string(), |origin| format!("{} ({origin})", access.line)),
            access.does.name().into(),
            access.arrays.join(", "),
            coalesced(access),
            stride(access),
            format!("{:.2}", access.sectors),
            format!("{:.2}", access.least),
            format!("{:.0} %", 100.0 * access.used),
        ];
        match rows.iter_mut().find(|(other, ..)| *other == row) {
            Some((_, count, share)) => (*count, *share) = (*count + 1, *share + access.share),
            None => rows.push((row, 1, access.share)),
        }
    }
    let mut table = Table::default();
    table.row(["line", "does", "array", "coalesced", "stride", "sectors a request", "least", "bytes used", "share"]);
    for (row, count, share) in rows {
        let times = if count > 1 { format!("  of {count} alike") } else { String::new() };
        table.row(row.into_iter().chain([format!("{:.0} %{times}", 100.0 * share)]));
    }
    table
}

fn coalesced(access: &Access) -> String {
    match access.uncoalesced {
        0 => "yes".into(),
        n if n == access.accesses => "no".into(),
        n => format!("{:.0} %", 100.0 * (access.accesses - n) as f64 / access.accesses as f64),
    }
}

fn stride(access: &Access) -> String {
    let elements = |n: i64| match n % access.bytes as i64 {
        0 => (n / access.bytes as i64).to_string(),
        _ => format!("{n} bytes"),
    };
    match access.stride {
        None | Some(Stride::Single) => "one lane".into(),
        Some(Stride::Zero) => "0".into(),
        Some(Stride::One) => "1".into(),
        Some(Stride::Constant(n)) => elements(n),
        Some(Stride::Runs { lanes, apart, between }) => {
            let between = between.map_or("anywhere".into(), |n| format!("{} apart", elements(n)));
            format!("{} in runs of {lanes}, {between}", elements(apart))
        }
        // The step of a thread is affine all the same.
        Some(Stride::Other) => access.step.map_or("other".into(), |n| format!("other; {} along its loop", elements(n))),
    }
}

/// Source lines that move most, with their text.
fn lines(report: &Report, unit: &Unit) -> String {
    let mut sorted: Vec<_> = report.lines.iter().filter(|line| line.sectors > line.least).collect();
    sorted.sort_by(|a, b| b.sectors.cmp(&a.sectors).then(a.line.cmp(&b.line)));
    let mut table = Table::default();
    for line in sorted.iter().take(8) {
        let shown: String = unit.shown(&line.file, line.line).chars().take(WIDTH).collect();
        table.row([
            format!("{}:{}", line.file, line.line),
            format!("{} sectors for {}", line.sectors, line.least),
            shown,
        ]);
    }
    if sorted.is_empty() { String::new() } else { format!("  lines that move more than they use:\n{}", table.text(4)) }
}

/// Remarks of Algorithm 1 on uncoalesced accesses.
fn hints(report: &Report) -> String {
    let mut text = String::new();
    for access in report.accesses.iter().filter(|access| !access.is_coalesced) {
        let what = match access.is_dense {
            Some(true) if access.does == Does::Load => {
                "all threads together leave no gaps: another order of threads, or shared memory, could coalesce it"
            }
            Some(true) => "all threads together leave no gaps: another order of threads could coalesce it",
            Some(false) => "the addresses of all threads together leave gaps: no order of threads coalesces all of it",
            None => continue,
        };
        let hint = format!("  line {}, {} of {}: {what}\n", access.line, access.does.name(), access.arrays.join(", "));
        if !text.contains(&hint) {
            text += &hint;
        }
    }
    text
}

fn geometry(report: &Report) -> String {
    let geometry = &report.geometry;
    let mut text = String::new();
    if let Some(why) = &geometry.not_priced {
        text += &format!("  other geometries: {why}\n");
    }
    let fewer: Vec<_> = geometry.candidates.iter().filter(|c| c.sectors < geometry.sectors).collect();
    if geometry.not_priced.is_none() && fewer.is_empty() {
        text += &format!("  other geometries: none takes fewer sectors than the {} of this one\n", geometry.sectors);
    }
    if !fewer.is_empty() {
        text += &format!(
            "  other geometries, for the same accesses, which take {} sectors as launched:\n",
            geometry.sectors
        );
        let mut table = Table::default();
        for candidate in fewer {
            let [x, y, z] = candidate.block;
            let [gx, gy, gz] = candidate.grid;
            let how = match (candidate.order.as_str(), candidate.is_reshaped) {
                ("xyz", _) => "blocks of another shape".to_owned(),
                (order, false) => format!("x, y, z become {}", spread(order)),
                (order, true) => format!("blocks of another shape, and x, y, z become {}", spread(order)),
            };
            table.row([
                format!("{} sectors", candidate.sectors),
                format!("block ({x}, {y}, {z}), grid ({gx}, {gy}, {gz})"),
                how,
            ]);
        }
        text += &table.text(4);
        text += "    counted, not timed; the kernel's threadIdx and blockIdx change with it\n";
    }
    if geometry.left_out > 0 {
        text += &format!("    {} more were not priced: a smaller launch, or --warps, prices all\n", geometry.left_out);
    }
    text += &geometry.program.as_ref().map_or(String::new(), program);
    let is_possible = geometry.not_priced.is_none();
    for reason in geometry.forbidden.iter().filter(|_| is_possible) {
        text += &format!("  forbids another order: {}:{}: {}\n", reason.file, reason.line, reason.why);
    }
    text
}

/// Optimum of the integer program.
fn program(solution: &Solution) -> String {
    let Solution { first, cost, launched, apart, .. } = solution;
    if cost == launched {
        return format!("  integer program: the lanes lie as well as they can, at a cost of {cost}\n");
    }
    let lines: Vec<String> = solution.mended().iter().map(u32::to_string).collect();
    let lines = lines.join(", ");
    let along = match first {
        Dimension::Loop => format!(
            "the loop that each thread runs through alone (line {lines}), if its iterations are independent or make one sum"
        ),
        axis => format!("{} (line {lines})", axis.name()),
    };
    format!(
        "  integer program: lanes along {along}\n    costs {cost}, as launched {launched}: an access costs 1 where its neighbours share or adjoin, \
         {apart} where they are apart\n"
    )
}

fn spread(order: &str) -> String {
    order.chars().map(String::from).collect::<Vec<_>>().join(", ")
}
