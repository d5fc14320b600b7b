//! The report on coalescing, for a person.

use super::integer::{Dimension, Solution};
use super::{Access, Report, Stride};
use crate::ptx::run::watch::Does;
use crate::ptx::source::Unit;
use crate::report::table::Table;

/// Characters of a source line that are shown.
const WIDTH: usize = 50;

/// Share of a kernel's sectors below which nothing is advised for it.
const WORTH: f64 = 0.02;

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
            line(access),
            match access.instructions {
                1 => access.does.name().into(),
                n => format!("{n} {}s, as one", access.does.name()),
            },
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

/// The line of an access, with that of C which it comes from, or that of the call which it is inlined at.
fn line(access: &Access) -> String {
    match (&access.origin, &access.inlined_at) {
        (Some(origin), _) => format!("{} ({origin})", access.line),
        (None, Some(at)) => format!("{}, inlined at {at}", access.line),
        (None, None) => access.line.to_string(),
    }
}

/// Test that so many sectors are a share of the kernel's that is worth words.
fn is_worth(sectors: f64, report: &Report) -> bool {
    sectors >= WORTH * report.sectors as f64 && sectors > 0.0
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
    let mut sorted: Vec<_> =
        report.lines.iter().filter(|line| is_worth(line.sectors.saturating_sub(line.least) as f64, report)).collect();
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
    let gain = |access: &Access| access.requests as f64 * (access.sectors - access.least);
    for access in report.accesses.iter().filter(|access| !access.is_coalesced && is_worth(gain(access), report)) {
        let what = match access.is_dense {
            Some(true) if access.does == Does::Load => {
                "all threads together leave no gaps: another order of threads, or shared memory, could coalesce it"
            }
            Some(true) => "all threads together leave no gaps: another order of threads could coalesce it",
            Some(false) => "the addresses of all threads together leave gaps: no order of threads coalesces all of it",
            None => continue,
        };
        let hint = format!("  line {}, {} of {}: {what}\n", line(access), access.does.name(), access.arrays.join(", "));
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
    let enough = (1.0 - WORTH) * geometry.sectors as f64;
    let fewer: Vec<_> = geometry.candidates.iter().filter(|c| c.sectors as f64 <= enough).collect();
    let has_none = fewer.is_empty();
    if geometry.not_priced.is_none() && has_none {
        let some = geometry.candidates.iter().any(|c| c.sectors < geometry.sectors);
        let than = if some { "2 % fewer sectors" } else { "fewer sectors" };
        text += &format!("  other geometries: none takes {than} than the {} of this one\n", geometry.sectors);
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
    let is_axis = |solution: &Solution| solution.first != Dimension::Loop && geometry.not_priced.is_none();
    let is_priced_low = geometry.program.as_ref().is_some_and(is_axis) && has_none;
    let may_gain = is_worth(report.sectors.saturating_sub(report.least) as f64, report) && !is_priced_low;
    text += &geometry.program.as_ref().map_or(String::new(), |solution| program(solution, may_gain));
    let is_possible = geometry.not_priced.is_none();
    for reason in geometry.forbidden.iter().filter(|_| is_possible) {
        text += &format!("  forbids another order: {}:{}: {}\n", reason.file, reason.line, reason.why);
    }
    text
}

/// Optimum of the integer program; `is_worth`: fewer sectors could be worth words.
fn program(solution: &Solution, is_worth: bool) -> String {
    let Solution { first, cost, launched, apart, .. } = solution;
    if cost == launched {
        return format!("  integer program: the lanes lie as well as they can, at a cost of {cost}\n");
    }
    if !is_worth || *cost as f64 > (1.0 - WORTH) * *launched as f64 {
        return "  integer program: the lanes lie within 2 % of as well as they can\n".to_owned();
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
