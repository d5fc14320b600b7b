//! Regions as the page shows them.

use super::{Access, Copy, Kept, Kernel, LoopOfRegion, Moved, Region, beside, graph};
use crate::report::words::{time, times};
use crate::report::{self, BetweenCalls, Side, cost::Unit};
use crate::runtime::written::{self, RegionTimes};
use crate::sparse::memory::bytes_text;

/// Accesses of a kernel that are shown, those that move most first.
const MOST_ACCESSES: usize = 24;

/// A region with its lines; `cuda`: the text of the emitted file that has its kernels.
pub fn region(region: &report::Region, c: &str, cuda: &str, ran: Option<&RegionTimes>) -> Region {
    Region {
        name: region.name.clone(),
        place: format!("{}:{}-{}", region.file, region.lines.0, region.lines.1),
        function: region.function.clone(),
        calls: ran.map(calls),
        loops: region.loops.iter().map(one_loop).collect(),
        kernels: region.kernels.iter().map(kernel).collect(),
        graph: graph::svg(region),
        copies: region.transfers.iter().map(copy).collect(),
        moved: ran.into_iter().flat_map(|ran| ran.moves.iter().map(|x| moved(x, ran))).collect(),
        kept: region.kept.iter().map(kept).collect(),
        guards: region.guards.clone(),
        notes: region.notes.clone(),
        c: beside::c_lines(c, region),
        cuda: beside::cuda_lines(cuda, region),
    }
}

fn calls(ran: &RegionTimes) -> String {
    let converted = format!("ran converted {}, {} in all", times(ran.calls), time(ran.total_s));
    match ran.left {
        0 => converted,
        left => format!("{converted}; {} too small, on the host", times(left)),
    }
}

fn one_loop(l: &report::Loop) -> LoopOfRegion {
    LoopOfRegion {
        head: l.head.clone(),
        line: l.line,
        depth: l.depth,
        runs: l.runs,
        runs_text: l.runs.words(),
        why: l.why.clone(),
        mapping: l.mapping.clone(),
        remedy: l.remedy.clone(),
    }
}

fn kernel(kernel: &report::Kernel) -> Kernel {
    let launch = format!("{} blocks of {} threads", kernel.grid.join(" x "), kernel.block.join(" x "));
    let mut accesses: Vec<Access> = kernel.cost.accesses.iter().map(access).collect();
    accesses.sort_by(|a, b| b.share.total_cmp(&a.share));
    accesses.truncate(MOST_ACCESSES);
    Kernel {
        name: kernel.name.clone(),
        line: kernel.line,
        launch,
        notes: kernel.notes.clone(),
        limit: kernel.cost.limit.clone(),
        accesses,
    }
}

fn access(x: &report::cost::Access) -> Access {
    let unit = if x.unit == Unit::Passes { " passes" } else { "" };
    let share = x.share * 100.0;
    Access {
        line: x.line,
        what: format!("{} of {}", x.does, x.array()),
        pattern: x.pattern.clone(),
        sectors: format!("{}{unit}", x.sectors),
        least: format!("{}{unit}", x.least),
        is_wasteful: x.sectors > x.least,
        share: if share.is_finite() { share } else { 0.0 },
        share_text: format!("{share:.0} %"),
    }
}

fn way(to_host: bool) -> &'static str {
    if to_host { "to the host" } else { "to the GPU" }
}

fn copy(x: &report::Transfer) -> Copy {
    let (array, way) = (x.array.clone(), way(x.to == Side::Host));
    Copy { array, way, elements: x.elements.clone(), when: x.when.clone() }
}

fn moved(x: &written::Moved, ran: &RegionTimes) -> Moved {
    let (array, way, times) = (x.array.clone(), way(x.to_host), times(x.copies));
    Moved { array, way, bytes: bytes_text(x.bytes as u64), times, line: x.wanted_by(ran) }
}

fn kept(x: &report::Kept) -> Kept {
    let place = match x.between_calls {
        BetweenCalls::Announced => "kept on the GPU",
        BetweenCalls::Guarded => "kept on the GPU, the host's accesses caught",
        BetweenCalls::Home => "copied home at each call",
    };
    Kept { arrays: x.arrays.join(", "), r#where: place, why: x.reason.as_ref().map(report::Reason::text) }
}
