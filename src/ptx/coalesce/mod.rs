//! Coalescing of a kernel's accesses to global memory, from a traced launch: the tables of Fauzia, Pouchet and Sadayappan,
//! "Characterizing and Enhancing Global Memory Data Coalescing on GPUs" (CGO 2015), and sectors of 32 bytes beside the least.
//!
//! The paper calls an access uncoalesced where the sorted addresses of a warp leave gaps. What that costs today is told by
//! the sectors that a request moves.

mod adjacent;
mod counters;
pub mod forbid;
pub mod geometry;
pub mod integer;
mod sectors;
pub mod symbolic;
pub mod text;

use super::module::Loc;
use super::run::memory::Memory;
use super::run::watch::{Does, Request, Watch};
use super::run::{Launch, program};
use super::source::Unit;
use super::trace::Sample;
use crate::config::seen::Seen;
use adjacent::Adjacent;
use geometry::{Candidate, Records};
use integer::Solution;
use sectors::Figures;
pub use sectors::Stride;
use serde::Serialize;
use std::collections::BTreeMap;

/// Other orders, and other shapes, that are told.
const SHOWN: usize = 3;

/// Observer that counts what accesses move, and keeps them for other geometries.
pub struct Counter<'a> {
    sample: &'a Sample,
    figures: Vec<Figures>,
    records: Records,
    names: Vec<String>,
    /// Accesses that may be one, each with the figures that it has then.
    adjacent: Vec<(Adjacent, Figures)>,
    /// By access: those that it is the first of.
    begins: Vec<Option<usize>>,
}

/// An access of the kernel's text.
#[derive(Debug, Clone, Serialize)]
pub struct Access {
    /// Source file and line; 0: not known.
    pub file: String,
    pub line: u32,
    /// Line of the call, where it stands in a function that is inlined; of another file, with its name.
    pub inlined_at: Option<String>,
    /// C line that an emitted file names for it.
    pub origin: Option<String>,
    /// Line of the PTX.
    pub ptx_line: u32,
    pub does: Does,
    /// Instructions of a thread that are taken as one, as they access bytes in a row.
    pub instructions: usize,
    pub arrays: Vec<String>,
    /// Bytes of a thread.
    pub bytes: u64,
    /// Instructions of warps, and accesses of threads.
    pub requests: u64,
    pub accesses: u64,
    /// Accesses in requests whose lanes leave gaps.
    pub uncoalesced: u64,
    pub is_coalesced: bool,
    /// How most requests lie.
    pub stride: Option<Stride>,
    /// Bytes from an access of a thread to its next one here, where at least half of them are so far apart.
    pub step: Option<i64>,
    /// Sectors of a request, in the mean, and the least for the bytes that it uses.
    pub sectors: f64,
    pub least: f64,
    /// Share of the bytes moved that lanes use.
    pub used: f64,
    /// Share of the sectors that the kernel moves.
    pub share: f64,
    /// Contiguity of the addresses of all threads, without gaps; `None`: not looked at.
    pub is_dense: Option<bool>,
}

/// All accesses of a source line.
#[derive(Debug, Clone, Serialize)]
pub struct Line {
    pub file: String,
    pub line: u32,
    pub origin: Option<String>,
    pub accesses: u64,
    pub uncoalesced: u64,
    pub sectors: u64,
    pub least: u64,
    pub share: f64,
}

/// Report on a kernel's launch.
#[derive(Debug, Clone, Serialize)]
pub struct Report {
    pub kernel: String,
    pub grid: [u32; 3],
    pub block: [u32; 3],
    /// Warps that were looked at, where not all were.
    pub sampled_warps: Option<usize>,
    pub accesses: Vec<Access>,
    pub lines: Vec<Line>,
    /// Of all threads, as the paper's table 2 has them.
    pub total: u64,
    pub uncoalesced: u64,
    pub sectors: u64,
    pub least: u64,
    pub geometry: Geometry,
    /// Of a kernel of converted C, its accesses by the user's loops.
    pub seen: Vec<Seen>,
}

/// Other orders of the threads.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Geometry {
    /// Sectors of the blocks that were priced, as launched.
    pub sectors: u64,
    /// Other geometries, the fewest sectors first.
    pub candidates: Vec<Candidate>,
    /// Geometries that were not priced, for the many accesses that they have.
    pub left_out: usize,
    /// Reasons that forbid another order: why, file, line.
    pub forbidden: Vec<Forbidden>,
    /// Why nothing was priced.
    pub not_priced: Option<String>,
    /// Optimum of the integer program; `None`: there is but one dimension, or too many accesses to be kept.
    pub program: Option<Solution>,
}

/// A reason against another order.
#[derive(Debug, Clone, Serialize)]
pub struct Forbidden {
    pub why: String,
    pub file: String,
    pub line: u32,
}

impl<'a> Counter<'a> {
    /// One that counts the warps of a sample.
    pub fn new(unit: &Unit, kernel: usize, sample: &'a Sample) -> Self {
        let accesses = program::accesses(&unit.module, kernel).len();
        let figures = vec![Figures::default(); accesses];
        let adjacent = adjacent::adjacent(&unit.module, kernel);
        let mut begins = vec![None; accesses];
        adjacent.iter().enumerate().for_each(|(n, a)| begins[a.members[0]] = Some(n));
        let adjacent = adjacent.into_iter().map(|a| (a, Figures::default())).collect();
        Counter { sample, figures, records: Records::default(), names: Vec::new(), adjacent, begins }
    }

    /// The same with each instruction by itself, as the counters of a GPU have it.
    pub fn by_instruction(mut self) -> Self {
        self.adjacent.clear();
        self.begins.fill(None);
        self
    }

    /// Takes adjacent accesses as one; gives how many stand behind each.
    fn join(&mut self) -> Vec<usize> {
        let mut instructions = vec![1; self.figures.len()];
        for (Adjacent { members, bytes }, figures) in self.adjacent.drain(..) {
            let requests = self.figures[members[0]].requests;
            let walks = self.figures[members[0]].step_of_most().is_some_and(|step| step.unsigned_abs() == bytes);
            if walks || members.iter().any(|&member| self.figures[member].requests != requests) {
                continue;
            }
            self.records.join(&members, bytes);
            members.iter().for_each(|&member| self.figures[member] = Figures::default());
            (self.figures[members[0]], instructions[members[0]]) = (figures, members.len());
        }
        instructions
    }

    /// Report of the launch.
    pub fn report(mut self, unit: &Unit, kernel: usize, launch: &Launch) -> Report {
        let n_joined = self.join();
        let instructions = program::accesses(&unit.module, kernel);
        let sum = |f: &dyn Fn(&Figures) -> u64| self.figures.iter().map(f).sum::<u64>();
        let sectors = sum(&|f| f.sectors);
        // A sample leaves out threads that may fill the gaps.
        let is_whole = !self.records.is_full() && self.sample.blocks().is_none();
        let dense = is_whole.then(|| self.records.dense(self.figures.len()));
        let mut accesses = Vec::new();
        let mut lines: Vec<Line> = Vec::new();
        for (number, f) in self.figures.iter().enumerate().filter(|(_, f)| f.requests > 0) {
            let (function, at) = instructions[number];
            let instruction = &unit.module.functions[function].code[at];
            let file = instruction.loc.map_or("", |loc| unit.file(loc)).to_owned();
            let line = instruction.loc.map_or(0, |loc| loc.line);
            let origin = unit.origin(&file, line).map(str::to_owned);
            let share = ratio(f.sectors, sectors);
            accesses.push(Access {
                file: file.clone(),
                line,
                inlined_at: instruction.inlined_at.map(|at| called(unit, at, &file)),
                origin: origin.clone(),
                ptx_line: instruction.line,
                does: f.does.unwrap_or(Does::Load),
                instructions: n_joined[number],
                arrays: f.arrays.iter().map(|&array| self.names[array].clone()).collect(),
                bytes: f.bytes,
                requests: f.requests,
                accesses: f.lanes,
                uncoalesced: f.uncoalesced_lanes,
                is_coalesced: f.uncoalesced_requests == 0,
                stride: f.stride(),
                step: f.step_of_most(),
                sectors: ratio(f.sectors, f.requests),
                least: ratio(f.least, f.requests),
                used: ratio(f.used, f.sectors * crate::cost::access::SECTOR as u64),
                share,
                is_dense: dense.as_ref().map(|dense| dense[number]),
            });
            let same = lines.iter_mut().find(|other| (&other.file, other.line) == (&file, line));
            let into = match same {
                Some(same) => same,
                None => {
                    lines.push(Line {
                        file,
                        line,
                        origin,
                        accesses: 0,
                        uncoalesced: 0,
                        sectors: 0,
                        least: 0,
                        share: 0.0,
                    });
                    lines.last_mut().expect("one was added")
                }
            };
            into.accesses += f.lanes;
            into.uncoalesced += f.uncoalesced_lanes;
            into.sectors += f.sectors;
            into.least += f.least;
            into.share += share;
        }
        let geometry = self.geometry(unit, kernel, launch);
        let name = unit.module.functions[kernel].source_name();
        let numbers = self.figures.iter().enumerate().filter(|(_, f)| f.requests > 0).map(|(number, _)| number);
        let made = numbers.zip(&accesses).map(|(number, a)| (number, a.origin.as_deref(), &a.arrays[..]));
        let made: Vec<counters::Made> = made.collect();
        let seen = unit.mappings.get(name).zip(geometry.program.as_ref());
        let seen = seen.map_or_else(Vec::new, |(mapping, program)| counters::seen(mapping, program, &made));
        Report {
            kernel: name.into(),
            grid: launch.grid,
            block: launch.block,
            sampled_warps: self.sample.warps(),
            accesses,
            lines,
            total: sum(&|f| f.lanes),
            uncoalesced: sum(&|f| f.uncoalesced_lanes),
            sectors,
            least: sum(&|f| f.least),
            geometry,
            seen,
        }
    }

    fn geometry(&self, unit: &Unit, kernel: usize, launch: &Launch) -> Geometry {
        let reasons = forbid::reasons(&unit.module, kernel).into_iter().map(|reason| Forbidden {
            why: reason.why,
            file: reason.loc.map_or(unit.name.as_str(), |loc| unit.file(loc)).to_owned(),
            line: reason.loc.map_or(reason.line, |loc| loc.line),
        });
        let forbidden: Vec<Forbidden> = reasons.collect();
        if self.records.is_full() {
            let why = "the launch makes more accesses than are kept: give a smaller one, or fewer warps by --warps";
            return Geometry { forbidden, not_priced: Some(why.into()), ..Geometry::default() };
        }
        // Blocks of another shape take threads of blocks that a sample leaves out.
        let may_reshape = self.sample.blocks().is_none() && forbid::has_global_positions_only(&unit.module, kernel);
        let (sectors, mut candidates, left_out) = self.records.candidates(launch, may_reshape);
        // Orders alone are the smaller change to a kernel: they stay beside better shapes.
        let mut left = [SHOWN; 2];
        candidates.retain(|candidate| {
            let left = &mut left[usize::from(candidate.is_reshaped)];
            let is_told = *left > 0;
            *left = left.saturating_sub(1);
            is_told
        });
        let not_priced = candidates.is_empty().then(|| "blocks of one dimension have no other order".to_owned());
        let program = integer::solve(&self.records, launch, &self.groups(unit, kernel));
        Geometry { sectors, candidates, left_out, forbidden, not_priced, program }
    }

    /// Source line of each access, and the number of its group: the same array, done the same by the same line.
    fn groups(&self, unit: &Unit, kernel: usize) -> Vec<(u32, usize)> {
        let instructions = program::accesses(&unit.module, kernel);
        let mut known = BTreeMap::new();
        let group = |((function, at), f): (&(usize, usize), &Figures)| {
            let instruction = &unit.module.functions[*function].code[*at];
            let (loc, called) = (instruction.loc, instruction.inlined_at);
            let apart = if loc.is_none() { Some((*function, *at)) } else { None };
            let next = known.len();
            (
                loc.map_or(0, |loc| loc.line),
                *known.entry((loc, called, apart, f.does, f.arrays.clone())).or_insert(next),
            )
        };
        instructions.iter().zip(&self.figures).map(group).collect()
    }
}

/// The line of a call, as it is shown beside a line of a file.
fn called(unit: &Unit, at: Loc, file: &str) -> String {
    let other = unit.file(at);
    if other == file { at.line.to_string() } else { format!("{other}:{}", at.line) }
}

fn ratio(a: u64, b: u64) -> f64 {
    if b == 0 { 0.0 } else { a as f64 / b as f64 }
}

impl Watch for Counter<'_> {
    fn blocks(&self) -> Option<Vec<u64>> {
        self.sample.blocks()
    }

    fn request(&mut self, memory: &Memory, request: &Request) {
        if self.names.is_empty() {
            self.names = memory.arrays.iter().map(|array| array.name.clone()).collect();
        }
        self.records.add(request);
        if self.sample.has(request.block, request.warp) {
            let located = request.lanes().filter_map(|lane| memory.locate(request.addresses[lane], request.bytes).ok());
            let arrays: Vec<usize> = located.map(|(array, _)| array).collect();
            if let Some(n) = self.begins[request.access] {
                let (Adjacent { bytes, .. }, figures) = &mut self.adjacent[n];
                figures.add(&Request { bytes: *bytes, ..*request }, arrays.iter().copied());
            }
            self.figures[request.access].add(request, arrays.into_iter());
        }
    }
}
