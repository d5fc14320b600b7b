//! Live ranges of a kernel: where the pressure is greatest, which values only pass through, where these are needed behind.
//!
//! The regions of highest register pressure and the ranges that cover them are those of You and Tsai, section 2.2, on the
//! control flow graph: a region is a run of instructions of one block.

use crate::ptx::liveness::{Liveness, Set, has};
use crate::ptx::module::{Function, Register};
use std::collections::{BTreeMap, BTreeSet};

/// Words of the live sets of all instructions, beyond which a kernel is not looked at.
const MOST_WORDS: usize = 1 << 24;
/// Times that a loop is taken to run its body, and the deepest nesting that counts.
const TRIPS: u64 = 8;
const DEEPEST: u32 = 6;

/// A run of instructions of one block with the highest pressure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Region {
    pub first: usize,
    pub last: usize,
}

/// Live ranges of a kernel.
pub struct Ranges<'f> {
    pub function: &'f Function,
    pub liveness: Liveness,
    /// The highest pressure, in registers of 32 bits.
    pub peak: u32,
    /// Runs in which it is reached, in the order of the text.
    pub regions: Vec<Region>,
    /// Instructions that write each register, and that read it.
    pub definitions: Vec<Vec<usize>>,
    pub uses: Vec<Vec<usize>>,
    /// Registers of the whole body whose names no other register has: they mean the same everywhere.
    pub is_plain: Vec<bool>,
    pressure: Vec<u32>,
    /// Live registers before each instruction.
    live: Vec<Set>,
    /// Instructions at which each register is needed.
    lengths: Vec<usize>,
    /// Loops around each block.
    depth: Vec<u32>,
}

impl<'f> Ranges<'f> {
    /// Live ranges of a kernel; `None` where it is too large.
    pub fn new(function: &'f Function) -> Option<Ranges<'f>> {
        let words = function.registers.len().div_ceil(64);
        if function.code.len().saturating_mul(words) > MOST_WORDS {
            return None;
        }
        let liveness = Liveness::new(function)?;
        let pressure: Vec<u32> = liveness.pressure(function).iter().map(|found| found.registers).collect();
        let peak = pressure.iter().copied().max().unwrap_or(0);
        let mut live = vec![Set::new(); function.code.len()];
        liveness.walk(function, |at, before, _| live[at].clone_from(before));
        let mut definitions = vec![Vec::new(); function.registers.len()];
        let mut uses = vec![Vec::new(); function.registers.len()];
        for (at, instruction) in function.code.iter().enumerate() {
            instruction.writes.iter().flatten().for_each(|&register| definitions[register].push(at));
            let read: BTreeSet<usize> = instruction.registers_read().collect();
            read.into_iter().for_each(|register| uses[register].push(at));
        }
        let mut named: BTreeMap<&str, u32> = BTreeMap::new();
        function.registers.iter().for_each(|register| *named.entry(&register.name).or_default() += 1);
        let is_plain = |register: &Register| !register.is_inner && named[register.name.as_str()] == 1;
        let mut found = Ranges {
            function,
            peak,
            regions: Vec::new(),
            definitions,
            uses,
            is_plain: function.registers.iter().map(is_plain).collect(),
            pressure,
            lengths: lengths(&live, function.registers.len()),
            live,
            depth: depths(&liveness),
            liveness,
        };
        found.regions = found.runs();
        Some(found)
    }

    /// Runs of instructions with the highest pressure.
    fn runs(&self) -> Vec<Region> {
        let mut found: Vec<Region> = Vec::new();
        for block in &self.liveness.graph.blocks {
            let mut last = None;
            for at in (block.start..block.end).filter(|&at| self.pressure[at] == self.peak && self.peak > 0) {
                match (last.replace(at), found.last_mut()) {
                    (Some(before), Some(region)) if before + 1 == at => region.last = at,
                    _ => found.push(Region { first: at, last: at }),
                }
            }
        }
        found
    }

    /// Instructions with the highest pressure.
    pub fn width(&self) -> usize {
        self.regions.iter().map(|region| region.last + 1 - region.first).sum()
    }

    /// Test that a register is needed before an instruction.
    pub fn is_live(&self, register: usize, at: usize) -> bool {
        has(&self.live[at], register)
    }

    /// Registers that are needed before an instruction.
    pub fn live_at(&self, at: usize) -> impl Iterator<Item = usize> {
        members(&self.live[at])
    }

    /// Test that a register is needed throughout a region, and not accessed there.
    pub fn covers(&self, register: usize, region: Region) -> bool {
        let is_within = |all: &[usize]| {
            let next = all.partition_point(|&at| at < region.first);
            all.get(next).is_some_and(|&at| at <= region.last)
        };
        self.is_live(register, region.first)
            && !is_within(&self.uses[register])
            && !is_within(&self.definitions[register])
    }

    /// Instructions that read a register after a region, before it is written again.
    pub fn uses_behind(&self, register: usize, regions: &[Region]) -> Vec<usize> {
        let graph = &self.liveness.graph;
        let mut found = BTreeSet::new();
        let mut is_seen = vec![false; graph.blocks.len()];
        let mut waiting: Vec<(usize, usize)> =
            regions.iter().map(|region| (graph.block_of[region.last], region.last + 1)).collect();
        while let Some((number, from)) = waiting.pop() {
            let block = &graph.blocks[number];
            let first_in = |all: &[usize]| all[all.partition_point(|&at| at < from)..].first().copied();
            let end = first_in(&self.definitions[register]).filter(|&at| at < block.end);
            let until = end.map_or(block.end, |at| at + 1);
            let uses = &self.uses[register];
            found.extend(uses[uses.partition_point(|&at| at < from)..].iter().take_while(|&&at| at < until));
            if end.is_some() {
                continue;
            }
            for &next in &block.successors {
                if self.is_live(register, graph.blocks[next].start) && !std::mem::replace(&mut is_seen[next], true) {
                    waiting.push((next, graph.blocks[next].start));
                }
            }
        }
        found.into_iter().collect()
    }

    /// Uses that one new value serves: those of a block with neither a definition nor the highest pressure between.
    pub fn groups(&self, register: usize, uses: &[usize]) -> Vec<Vec<usize>> {
        let block_of = &self.liveness.graph.block_of;
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for &at in uses {
            let fits = |&last: &usize| {
                block_of[last] == block_of[at]
                    && !self.definitions[register].iter().any(|definition| (last..at).contains(definition))
                    && !(last + 1..at).any(|between| self.pressure[between] == self.peak)
            };
            match groups.last_mut() {
                Some(group) if group.last().is_some_and(fits) => group.push(at),
                _ => groups.push(vec![at]),
            }
        }
        groups
    }

    /// Loops around an instruction.
    pub fn depth(&self, at: usize) -> u32 {
        self.depth[self.liveness.graph.block_of[at]]
    }

    /// Times that an instruction is taken to run.
    pub fn weight(&self, at: usize) -> u64 {
        TRIPS.pow(self.depth(at).min(DEEPEST))
    }

    /// Instructions at which a register is needed.
    pub fn length(&self, register: usize) -> usize {
        self.lengths[register]
    }
}

/// Registers of a set.
fn members(set: &Set) -> impl Iterator<Item = usize> {
    let ones = |bits: u64| {
        std::iter::successors(Some(bits), |&bits| Some(bits & bits.wrapping_sub(1))).take_while(|&bits| bits != 0)
    };
    set.iter()
        .enumerate()
        .flat_map(move |(word, &bits)| ones(bits).map(move |bits| 64 * word + bits.trailing_zeros() as usize))
}

/// Number of sets that each register is in.
fn lengths(live: &[Set], registers: usize) -> Vec<usize> {
    let mut found = vec![0; registers];
    live.iter().flat_map(members).for_each(|register| found[register] += 1);
    found
}

/// Loops around each block: runs of the text from the target of a branch backwards to the last such branch, as compilers lay
/// loops out. An estimate, by which only costs are weighed.
fn depths(liveness: &Liveness) -> Vec<u32> {
    let blocks = &liveness.graph.blocks;
    let mut last = vec![None; blocks.len()];
    for (number, block) in blocks.iter().enumerate() {
        block.successors.iter().filter(|&&next| next <= number).for_each(|&next| last[next] = Some(number));
    }
    let mut depth = vec![0; blocks.len()];
    for (head, last) in last.iter().enumerate().filter_map(|(head, last)| Some((head, (*last)?))) {
        depth[head..=last].iter_mut().for_each(|depth| *depth += 1);
    }
    depth
}

/// Availability of what an instruction computes: where computing it again gives what its register holds.
///
/// It holds where each path from the beginning runs the instruction, and writes neither an operand nor the register after it.
/// Also You and Tsai's fourth condition, an explicit definition: where two definitions meet, neither is available.
pub struct Available<'r, 'f> {
    ranges: &'r Ranges<'f>,
    /// Instructions that end it, in their order; and the one that begins it.
    ends: Vec<usize>,
    begins: usize,
    /// Blocks at whose beginning it is not there.
    is_missing: Vec<bool>,
}

impl<'r, 'f> Available<'r, 'f> {
    /// Availability of an instruction that has one result and does not read it.
    pub fn new(ranges: &'r Ranges<'f>, definition: usize) -> Self {
        let instruction = &ranges.function.code[definition];
        let written = instruction.writes.iter().flatten().copied().chain(instruction.registers_read());
        let ends: BTreeSet<usize> = written.flat_map(|register| ranges.definitions[register].iter().copied()).collect();
        let ends: Vec<usize> = ends.into_iter().filter(|&at| at != definition).collect();
        let blocks = &ranges.liveness.graph.blocks;
        let mut found = Available { ranges, ends, begins: definition, is_missing: vec![false; blocks.len()] };
        let mut waiting: Vec<usize> = (0..blocks.len().min(1)).collect();
        waiting.iter().for_each(|&entry| found.is_missing[entry] = true);
        waiting.extend((0..blocks.len()).filter(|&number| !found.holds_before(blocks[number].end, number)));
        while let Some(number) = waiting.pop() {
            if found.holds_before(blocks[number].end, number) {
                continue;
            }
            for &next in &blocks[number].successors {
                if !std::mem::replace(&mut found.is_missing[next], true) {
                    waiting.push(next);
                }
            }
        }
        found
    }

    /// Test that it is there before an instruction.
    pub fn at(&self, at: usize) -> bool {
        self.holds_before(at, self.ranges.liveness.graph.block_of[at])
    }

    fn holds_before(&self, at: usize, block: usize) -> bool {
        let start = self.ranges.liveness.graph.blocks[block].start;
        let end = self.ends[..self.ends.partition_point(|&end| end < at)].last().copied().filter(|&end| end >= start);
        let begin = Some(self.begins).filter(|begin| (start..at).contains(begin));
        match (begin, end) {
            (None, None) => !self.is_missing[block],
            (begin, end) => begin > end,
        }
    }
}
