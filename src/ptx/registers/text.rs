//! The report on registers, for a person.

use super::Report;
use super::variant::Reduction;
use crate::ptx::source::Unit;
use crate::report::table::Table;
use crate::target::Machine;

/// Lines of the greatest pressure that are shown, and characters of each.
const LINES: usize = 6;
const WIDTH: usize = 60;

/// The report as text.
pub fn text(report: &Report, unit: &Unit, machine: &Machine) -> String {
    let (r, fit) = (&report.resources, &report.fit);
    let mut text = format!("{} ({}, {}):\n", report.name, machine.arch(), machine.generation);
    if report.name != report.kernel {
        text += &format!("  {}\n", report.kernel);
    }
    text += &format!(
        "  ptxas: {} registers, {} bytes of stack, {} bytes spilled ({} loaded), {} bytes of static shared memory\n",
        r.registers, r.stack, r.spill_stores, r.spill_loads, r.shared
    );
    text += &format!(
        "  blocks of {} threads: {} on a multiprocessor, {} of {} warps ({:.0} %); limited by {}\n",
        fit.block,
        fit.blocks,
        fit.warps,
        machine.warps,
        100.0 * fit.occupancy,
        fit.limit
    );
    if let Some(next) = report.desired.first() {
        text += &format!("  one more block takes {} registers or fewer", next.registers);
        let more: Vec<String> =
            report.desired[1..].iter().map(|d| format!("{} for {}", d.registers, d.blocks)).collect();
        text += &if more.is_empty() { "\n".to_owned() } else { format!(" ({})\n", more.join(", ")) };
    }
    text += &bounded(report);
    text + &pressure(report, unit)
}

fn bounded(report: &Report) -> String {
    if report.bounded.is_empty() {
        return String::new();
    }
    let mut table = Table::default();
    for b in &report.bounded {
        table.row([
            format!("at most {}", b.bound),
            format!("{} registers", b.resources.registers),
            format!("{} bytes spilled, {} loaded", b.resources.spill_stores, b.resources.spill_loads),
            format!("{} blocks", b.blocks),
        ]);
    }
    format!("  predicted by ptxas under a bound (__maxnreg__, -maxrregcount), not timed:\n{}", table.text(4))
}

fn pressure(report: &Report, unit: &Unit) -> String {
    let Some(lines) = &report.pressure else {
        return match report.unknown.first() {
            Some(first) => format!("  pressure: not known, since {first} is not\n"),
            None => "  pressure: not looked at, the kernel is too large\n".into(),
        };
    };
    let mut sorted: Vec<_> = lines.iter().collect();
    sorted.sort_by_key(|line| (std::cmp::Reverse(line.registers), line.line));
    let Some(peak) = sorted.first() else { return String::new() };
    let predicates = lines.iter().map(|line| line.predicates).max().unwrap_or(0);
    let mut text = format!(
        "  values of PTX that are needed at once: {} registers at most, {} predicates\n",
        peak.registers, predicates
    );
    let mut table = Table::default();
    for line in sorted.iter().take(LINES) {
        let shown: String = unit.shown(&line.file, line.line).chars().take(WIDTH).collect();
        table.row([format!("{}:{}", line.file, line.line), format!("{}", line.registers), shown]);
    }
    text += &table.text(4);
    text
}

/// Variants of a kernel as text.
pub fn reduction(found: &Reduction, machine: &Machine) -> String {
    let (r, fit) = (&found.resources, &found.fit);
    let mut text =
        format!("{} ({}, {}), blocks of {} threads:\n", found.name, machine.arch(), machine.generation, fit.block);
    if let Some(goal) = found.goal {
        text += &format!(
            "  goal: {} blocks on a multiprocessor, with {} registers or fewer\n",
            goal.blocks, goal.registers
        );
    }
    let mut table = Table::default();
    table.row(["variant", "registers", "spilled, loaded", "shared", "blocks", "computed anew", "in shared memory"]);
    let spilt = |stores: u32, loads: u32| format!("{stores}, {loads}");
    let mut original = vec!["original".to_owned(), r.registers.to_string(), spilt(r.spill_stores, r.spill_loads)];
    original.extend([r.shared.to_string(), fit.blocks.to_string()]);
    table.row(original);
    for variant in &found.variants {
        let r = &variant.resources;
        let mark = if found.best == Some(variant.way) { " *" } else { "" };
        let values = |n: usize| if n == 0 { String::new() } else { n.to_string() };
        table.row([
            format!("{}{mark}", variant.way.name()),
            r.registers.to_string(),
            spilt(r.spill_stores, r.spill_loads),
            r.shared.to_string(),
            variant.blocks.to_string(),
            values(variant.rematerialised),
            values(variant.spilled),
        ]);
    }
    text += &table.text(4);
    text += &found.notes.iter().map(|note| format!("    {note}\n")).collect::<String>();
    match found.best {
        Some(_) => text + "  * predicted best: it spills least; predictions of ptxas, none was measured\n",
        None if found.variants.is_empty() => text,
        None => text + "  no variant lets as many blocks fit; predictions of ptxas, none was measured\n",
    }
}
