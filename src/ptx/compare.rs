//! Two traces of one launch, record by record: each of the two ways to one is the other's oracle.

use super::module::Module;
use super::run::Launch;
use super::run::machine::{block_position, thread_position};
use super::run::memory::Memory;
use super::run::program::accesses;
use super::run::watch::{Request, Watch};
use super::source::Unit;
use super::trace::Sample;
use serde::Serialize;

/// An access of a thread, as it is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Access {
    block: u64,
    warp: u32,
    lane: usize,
    access: usize,
    execution: u32,
    array: usize,
    offset: usize,
    bytes: u64,
}

/// Observer that keeps the accesses of a sample's warps.
pub struct Keeper<'a> {
    sample: &'a Sample,
    all: Vec<Access>,
    /// Requests of warps.
    requests: u64,
    /// Names of the arrays.
    names: Vec<String>,
}

impl<'a> Keeper<'a> {
    /// One that keeps the warps of a sample.
    pub fn new(sample: &'a Sample) -> Self {
        Keeper { sample, all: Vec::new(), requests: 0, names: Vec::new() }
    }
}

impl Watch for Keeper<'_> {
    fn blocks(&self) -> Option<Vec<u64>> {
        self.sample.blocks()
    }

    fn request(&mut self, memory: &Memory, request: &Request) {
        let &Request { access, block, warp, bytes, .. } = request;
        if !self.sample.has(block, warp) {
            return;
        }
        self.requests += 1;
        if self.names.is_empty() {
            self.names = memory.arrays.iter().map(|array| array.name.clone()).collect();
        }
        self.all.extend(request.lanes().filter_map(|lane| {
            let (array, offset) = memory.locate(request.addresses[lane], bytes).ok()?;
            let execution = request.executions[lane];
            Some(Access { block, warp, lane, access, execution, array, offset, bytes })
        }));
    }
}

/// Comparison of two traces.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Comparison {
    /// Records that both have.
    pub same: u64,
    /// Records that the first and the second have alone.
    pub alone: [u64; 2],
    /// Requests of warps: the ways may let other lanes run together.
    pub requests: [u64; 2],
    /// The first record that one has alone, and which of them.
    pub first: Option<(usize, String)>,
}

/// Compares what two observers kept of a launch.
pub fn compared(unit: &Unit, kernel: usize, launch: &Launch, mut both: [Keeper; 2]) -> Comparison {
    both.iter_mut().for_each(|kept| kept.all.sort_unstable());
    let requests = [both[0].requests, both[1].requests];
    let mut found = Comparison { same: 0, alone: [0; 2], requests, first: None };
    let names = both.iter().map(|kept| &kept.names).max_by_key(|names| names.len()).cloned().unwrap_or_default();
    let [mut a, mut b] = [both[0].all.iter().peekable(), both[1].all.iter().peekable()];
    loop {
        let (which, access) = match (a.peek().copied(), b.peek().copied()) {
            (None, None) => return found,
            (Some(x), Some(y)) if x == y => {
                a.next();
                b.next();
                found.same += 1;
                continue;
            }
            (Some(x), None) => (0, x),
            (Some(x), Some(y)) if x < y => (0, x),
            (_, Some(y)) => (1, y),
        };
        [&mut a, &mut b][which].next();
        found.alone[which] += 1;
        found.first.get_or_insert_with(|| {
            let array = names.get(access.array).map_or("?", String::as_str);
            (which, told(&unit.module, kernel, launch, access) + &format!("byte {} of `{array}`", access.offset))
        });
    }
}

fn told(module: &Module, kernel: usize, launch: &Launch, access: &Access) -> String {
    let [x, y, z] = block_position(launch, access.block);
    let [a, b, c] = thread_position(launch, access.warp, access.lane);
    let (function, at) = accesses(module, kernel)[access.access];
    let line = module.functions[function].code[at].line;
    format!("thread ({a}, {b}, {c}) of block ({x}, {y}, {z}), line {line} of the PTX, execution {}: ", access.execution)
}
