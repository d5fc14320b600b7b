//! The report on registers, for a person.

use super::Report;
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
