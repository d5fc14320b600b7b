//! Traces: each access to global memory by each thread, as a record, and the warps that are sampled.
//!
//! The record is the input of Algorithm 1 of Fauzia, Pouchet and Sadayappan, "Characterizing and Enhancing Global Memory Data
//! Coalescing on GPUs" (CGO 2015), with the block, the launch and the width that the paper's lacks.

use super::module::Module;
use super::run::memory::Memory;
use super::run::watch::{Does, Request, Watch};
use super::run::{Launch, machine};
use super::source::Unit;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

/// Warps whose accesses are told.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sample {
    /// By block and number in it; `None`: all.
    chosen: Option<BTreeSet<(u64, u32)>>,
}

impl Sample {
    /// That many warps of a launch, spread evenly; without a number, all.
    pub fn of(launch: &Launch, warps: Option<u64>) -> Sample {
        let of_block = u64::from(launch.threads().div_ceil(32)).max(1);
        let all = launch.blocks().saturating_mul(of_block);
        let Some(wanted) = warps.filter(|&wanted| wanted < all) else { return Sample::default() };
        let at = |k: u64| (u128::from(k) * u128::from(all) / u128::from(wanted.max(1))) as u64;
        Sample { chosen: Some((0..wanted).map(|k| (at(k) / of_block, (at(k) % of_block) as u32)).collect()) }
    }

    /// Test that a warp is among them.
    pub fn has(&self, block: u64, warp: u32) -> bool {
        self.chosen.as_ref().is_none_or(|chosen| chosen.contains(&(block, warp)))
    }

    /// The blocks that have to run, where not all do.
    pub fn blocks(&self) -> Option<Vec<u64>> {
        let chosen = self.chosen.as_ref()?;
        Some(chosen.iter().map(|&(block, _)| block).collect::<BTreeSet<u64>>().into_iter().collect())
    }

    /// How many there are, where not all are.
    pub fn warps(&self) -> Option<usize> {
        self.chosen.as_ref().map(BTreeSet::len)
    }
}

/// An access of a thread.
#[derive(Debug, Clone, Serialize)]
pub struct Record<'a> {
    pub kernel: &'a str,
    /// Number of the launch.
    pub launch: u32,
    pub block: [u32; 3],
    pub thread: [u32; 3],
    /// Place of the instruction in its function's code, from 0.
    pub instruction: usize,
    /// Function and source line of the instruction; 0: not known.
    pub function: &'a str,
    pub line: u32,
    pub does: Does,
    /// How often the thread made this access before.
    pub execution: u32,
    pub array: &'a str,
    /// Byte of the array.
    pub offset: u64,
    /// Bytes that are accessed.
    pub bytes: u64,
}

/// Counts of a trace.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Accesses of threads.
    pub loads: u64,
    pub stores: u64,
    pub atomics: u64,
    /// Instructions of warps that made them.
    pub requests: u64,
    /// Accesses by array.
    pub arrays: BTreeMap<String, u64>,
}

/// Observer that writes a record of each access.
pub struct Tracer<'a, W: Write> {
    module: &'a Module,
    kernel: usize,
    launch: &'a Launch,
    sample: &'a Sample,
    /// Instructions that accesses have.
    accesses: Vec<(usize, usize)>,
    out: Option<W>,
    /// The first write that failed.
    failure: Option<io::Error>,
    pub counts: Counts,
}

impl<'a, W: Write> Tracer<'a, W> {
    /// One that writes there, or only counts.
    pub fn new(unit: &'a Unit, kernel: usize, launch: &'a Launch, sample: &'a Sample, out: Option<W>) -> Self {
        let accesses = super::run::program::accesses(&unit.module, kernel);
        Tracer { module: &unit.module, kernel, launch, sample, accesses, out, failure: None, counts: Counts::default() }
    }

    /// Counts so far.
    ///
    /// # Errors
    /// The first record that could not be written.
    pub fn finish(mut self) -> io::Result<Counts> {
        match (self.failure, &mut self.out) {
            (Some(failure), _) => return Err(failure),
            (None, Some(out)) => out.flush()?,
            _ => {}
        }
        Ok(self.counts)
    }

    fn record(&mut self, memory: &Memory, request: &Request, lane: usize) {
        let Ok((array, offset)) = memory.locate(request.addresses[lane], request.bytes) else { return };
        let array = memory.arrays[array].name.as_str();
        match self.counts.arrays.get_mut(array) {
            Some(count) => *count += 1,
            None => _ = self.counts.arrays.insert(array.into(), 1),
        }
        if self.failure.is_some() {
            return;
        }
        let Some(out) = &mut self.out else { return };
        let (function, instruction) = self.accesses[request.access];
        let made_by = &self.module.functions[function];
        let record = Record {
            kernel: self.module.functions[self.kernel].source_name(),
            launch: 0,
            block: machine::block_position(self.launch, request.block),
            thread: machine::thread_position(self.launch, request.warp, lane),
            instruction,
            function: made_by.source_name(),
            line: made_by.code[instruction].loc.map_or(0, |loc| loc.line),
            does: request.does,
            execution: request.executions[lane],
            array,
            offset: offset as u64,
            bytes: request.bytes,
        };
        let written = serde_json::to_writer(&mut *out, &record).map_err(io::Error::from);
        if let Err(failure) = written.and_then(|()| out.write_all(b"\n")) {
            self.failure = Some(failure);
        }
    }
}

impl<W: Write> Watch for Tracer<'_, W> {
    fn blocks(&self) -> Option<Vec<u64>> {
        self.sample.blocks()
    }

    fn request(&mut self, memory: &Memory, request: &Request) {
        if !self.sample.has(request.block, request.warp) {
            return;
        }
        self.counts.requests += 1;
        let lanes = u64::from(request.mask.count_ones());
        match request.does {
            Does::Load => self.counts.loads += lanes,
            Does::Store => self.counts.stores += lanes,
            Does::Atomic => self.counts.atomics += lanes,
        }
        request.lanes().for_each(|lane| self.record(memory, request, lane));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn warps_are_spread_over_a_launch() {
        let launch = Launch { grid: [10, 1, 1], block: [64, 1, 1], shared: 0, arguments: Vec::new(), limit: 1 };
        let sample = Sample::of(&launch, Some(4));
        assert_eq!(sample.blocks(), Some(vec![0, 2, 5, 7]));
        assert!(sample.has(2, 1) && !sample.has(2, 0));
        assert_eq!(Sample::of(&launch, Some(20)), Sample::default());
        assert_eq!(Sample::of(&launch, None).blocks(), None);
    }
}
