//! The time of a launch: the slowest of what it asks of the device, and what a launch takes by itself.

use super::access::{self, AccessCost, Requests, SECTOR};
use super::assumption::Assumption;
use super::machine::Device;
use super::registers;
use super::sizes::Sizes;
use super::trace::{self, Space, Trace, Use};
use super::traffic::{Level, Traffic};
use super::value::{Lanes, Origin, SAMPLES, Symbol};
use crate::kernel::{Function, Kernel, Tunable};
use crate::target::Occupancy;
use serde::Serialize;
use std::collections::BTreeSet;
use std::fmt::{self, Display, Formatter};

/// Cycles from an instruction of a warp to its next, where half of them wait for the one before.
const CYCLES: f64 = 2.0;
/// Bytes of a pass through shared memory or L1.
const PASS: f64 = 128.0;

/// Parts of a launch, each of which may limit it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Part {
    /// Bytes of device memory.
    Memory,
    /// Bytes between the L2 cache and the SMs.
    L2,
    /// Passes through shared memory and L1.
    Shared,
    /// Instructions: a pipe, or all of them, and what of shared memory they wait for.
    Arithmetic,
    /// Waiting: for memory and barriers, with the warps that are resident.
    Latency,
    /// Starting blocks.
    Blocks,
    /// Atomic updates of the same elements.
    Atomics,
    /// Barriers of the whole grid.
    GridBarriers,
}

impl Display for Part {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        f.write_str(match self {
            Part::Memory => "memory",
            Part::L2 => "L2 cache",
            Part::Shared => "shared memory and L1",
            Part::Arithmetic => "arithmetic",
            Part::Latency => "latency",
            Part::Blocks => "starting blocks",
            Part::Atomics => "atomic updates",
            Part::GridBarriers => "barriers of the grid",
        })
    }
}

/// How long a launch takes, and why.
#[derive(Debug, Clone)]
pub struct Estimate<'k> {
    /// In all, with the launch; infinite where the kernel cannot be launched.
    pub seconds: f64,
    /// Time of each part alone, the slowest first.
    pub parts: Vec<(Part, f64)>,
    /// Bytes of device memory, and between L2 and the SMs.
    pub memory_bytes: f64,
    pub l2_bytes: f64,
    pub blocks: f64,
    /// Registers of a thread, guessed, within what it may have; bytes of shared memory of a block.
    pub registers: u32,
    pub shared_bytes: i64,
    pub occupancy: Occupancy,
    /// How often the resident blocks are exchanged.
    pub waves: f64,
    pub accesses: Vec<AccessCost<'k>>,
    pub assumed: BTreeSet<Assumption>,
}

impl Estimate<'_> {
    /// The slowest part.
    pub fn limit(&self) -> Option<Part> {
        self.parts.first().map(|(part, _)| *part)
    }

    /// Seconds of a part alone.
    pub fn part(&self, part: Part) -> f64 {
        self.parts.iter().find(|(p, _)| *p == part).map_or(0.0, |(_, seconds)| *seconds)
    }
}

/// Time of blocks of a kernel beside those of another size.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Beside {
    /// Time of the others, as a factor, where processors share both well.
    pub times: f64,
    /// Blocks that a processor runs at once, in the time of one of them.
    pub at_once: i64,
}

/// The larger blocks of a kernel beside the usual ones (the tables of `src/schedule/tile/size.rs`). Those that multiply matrices keep a
/// processor busy with four of two warps each.
pub fn larger_beside_usual(kernel: &Kernel) -> Beside {
    Beside { times: 1.07, at_once: if kernel.multiplies_matrices() { 4 } else { 1 } }
}

/// The usual blocks of a kernel beside its smaller ones: those that multiply matrices lose little.
pub fn usual_beside_smaller(kernel: &Kernel) -> Beside {
    Beside { times: if kernel.multiplies_matrices() { 1.4 } else { 1.7 }, at_once: 1 }
}

/// Blocks of a processor that have more or less to do each, from which on they level out.
const UNEVEN_BLOCKS: f64 = 5.0;

/// The kernel with the sizes that a call picks: the largest that processors share well enough (`fills` of
/// `templates/runtime/rt_positions.h`).
pub fn picked(kernel: &Kernel, device: &Device, sizes: &Sizes) -> Kernel {
    let sms = f64::from(device.sms);
    let blocks = |tunables: &[Tunable]| estimate(&kernel.with(tunables), &[], device, sizes).blocks;
    let unbalanced_by = |blocks: f64, n: f64| if blocks > 0.0 { n * (blocks / n).ceil() / blocks } else { 1.0 };
    let fills = |tunables: &[Tunable], others: &[Tunable], Beside { times, at_once }: Beside| {
        unbalanced_by(blocks(tunables), at_once as f64 * sms) <= times * unbalanced_by(blocks(others), sms)
    };
    let Kernel { larger, tunables, smaller, is_uneven, .. } = kernel;
    let is_larger = !larger.is_empty() && fills(larger, tunables, larger_beside_usual(kernel));
    let is_usual = smaller.is_empty()
        || if *is_uneven {
            blocks(tunables) >= UNEVEN_BLOCKS * sms
        } else {
            fills(tunables, smaller, usual_beside_smaller(kernel))
        };
    kernel.with(if is_larger {
        larger
    } else if is_usual {
        tunables
    } else {
        smaller
    })
}

/// Estimates a launch of a kernel of these sizes. `functions` are those that it may call.
pub fn estimate<'k>(kernel: &'k Kernel, functions: &'k [Function], device: &Device, sizes: &'k Sizes) -> Estimate<'k> {
    let wanted = registers::of_kernel(kernel);
    let registers = |threads: i64| wanted.min(registers::bound(kernel, &device.machine, threads));
    // A resident kernel has as many blocks as fit: all of them, as if they took no registers, if that is not known yet.
    let fits = |threads: i64, shared: i64| {
        let shared = u32::try_from(shared).unwrap_or(u32::MAX);
        device.machine.occupancy(registers(threads), shared, u32::try_from(threads).unwrap_or(u32::MAX))
    };
    let mut trace = trace::follow(kernel, functions, sizes, None);
    if kernel.resident.is_some() {
        let resident = fits(trace.block_threads, trace.shared_bytes).blocks.max(1) * device.sms;
        trace = trace::follow(kernel, functions, sizes, Some(i64::from(resident)));
    }
    let occupancy = fits(trace.block_threads, trace.shared_bytes);
    let spilled = wanted - registers(trace.block_threads);
    if spilled > 0 {
        trace.assumed.insert(Assumption::Spills);
    }
    let addresses: Vec<Lanes> = (0..trace.accesses.len()).map(|k| lanes(&mut trace, k)).collect();
    let requests: Vec<Requests> =
        trace.accesses.iter().zip(&addresses).map(|(x, at)| access::requests(x, at, device.unit)).collect();
    let launch = Launch { device, trace: &trace, requests: &requests, occupancy, spilled };
    let (mut parts, l2_bytes, memory_bytes) = launch.parts();
    parts.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    let slowest = parts.first().map_or(0.0, |(_, seconds)| *seconds);
    let barriers = trace.grid_barriers * device.grid_barrier_ns * 1e-9;
    let seconds = match occupancy.blocks {
        0 => f64::INFINITY,
        // Barriers of the grid stand between what the other parts are.
        _ if slowest == barriers => device.launch_ns * 1e-9 + slowest,
        _ => device.launch_ns * 1e-9 + slowest + barriers,
    };
    let warps = trace.blocks() * trace.warps();
    let costs = trace.accesses.iter().enumerate();
    let accesses = costs.map(|(k, x)| access::cost(&trace, x, &addresses[k], &requests[k], warps)).collect();
    Estimate {
        seconds,
        parts,
        memory_bytes,
        l2_bytes,
        blocks: trace.blocks(),
        registers: wanted - spilled,
        shared_bytes: trace.shared_bytes,
        occupancy,
        waves: launch.waves(),
        accesses,
        assumed: trace.assumed.clone(),
    }
}

/// The addresses of an access in the sampled warps. Those that only the data know lie within the array; rows that each
/// lane walks along follow each other.
fn lanes(trace: &mut Trace, k: usize) -> Lanes {
    let x = &trace.accesses[k];
    let symbols = &trace.symbols;
    let walks =
        |(s, c): &&(Symbol, i64)| matches!(symbols.origin(*s), Origin::Loop(_)) && c.unsigned_abs() == x.width as u64;
    if let Some((s, _)) = x.address.terms.iter().find(walks).filter(|_| symbols.is_data(&x.address)) {
        let row = symbols.count(*s) * x.width;
        return [std::array::from_fn(|lane| lane as i64 * row); SAMPLES];
    }
    let within = x.bytes.filter(|_| trace.symbols.is_data(&x.address));
    let width = x.width;
    let form = x.address.clone();
    let mut lanes = trace.symbols.lanes(&form);
    if let Some(bytes) = within {
        lanes.iter_mut().flatten().for_each(|a| *a = a.rem_euclid(bytes.max(width)));
    }
    lanes
}

struct Launch<'a, 'k> {
    device: &'a Device,
    trace: &'a Trace<'k>,
    requests: &'a [Requests],
    occupancy: Occupancy,
    /// Registers that a thread wants and has not: each is stored once and loaded once, through L1.
    spilled: u32,
}

impl Launch<'_, '_> {
    fn resident(&self) -> f64 {
        f64::from(self.occupancy.blocks.max(1)) * f64::from(self.device.sms)
    }

    fn waves(&self) -> f64 {
        (self.trace.blocks() / self.resident()).ceil().max(1.0)
    }

    /// Blocks of the SM that has most.
    fn blocks_of_sm(&self) -> f64 {
        (self.trace.blocks() / f64::from(self.device.sms)).ceil()
    }

    /// Seconds of so many cycles.
    fn cycles(&self, n: f64) -> f64 {
        n / self.device.clock
    }

    /// Every part, bytes of L2 and of memory.
    fn parts(&self) -> (Vec<(Part, f64)>, f64, f64) {
        let (loads, stores) = self.l2_bytes();
        let (l2, memory) = (loads + stores, self.memory_bytes(loads));
        let d = self.device;
        let by_sm = l2 / self.trace.blocks() * self.blocks_of_sm() / d.sm_l2_rate;
        let shared =
            (self.sum(|_, r| r.passes) + 2.0 * f64::from(self.spilled)) * self.trace.warps() * PASS / d.shared_rate;
        // Between two barriers threads load first and compute then: half of the loads are not hidden.
        let before = if self.trace.barriers > 0.0 { shared / 2.0 } else { 0.0 };
        let arithmetic = self.block_arithmetic() + before;
        let parts = vec![
            (Part::Memory, memory / d.copy_rate),
            (Part::L2, (l2 / d.l2_rate).max(self.cycles(by_sm))),
            (Part::Shared, self.cycles(shared * self.blocks_of_sm())),
            (Part::Arithmetic, self.cycles(arithmetic * self.blocks_of_sm())),
            (Part::Latency, self.cycles(self.latency(l2, memory))),
            (Part::Blocks, self.trace.blocks() * d.block_start_ns * 1e-9),
            (Part::Atomics, self.atomics()),
            (Part::GridBarriers, self.trace.grid_barriers * d.grid_barrier_ns * 1e-9),
        ];
        (parts, l2, memory)
    }

    /// Of a warp, over all accesses.
    fn sum(&self, f: impl Fn(&trace::Traced, &Requests) -> f64) -> f64 {
        self.trace.accesses.iter().zip(self.requests).fold(0.0, |sum, (x, r)| sum + f(x, r))
    }

    /// Cycles that the pipes of an SM take for a block.
    fn block_arithmetic(&self) -> f64 {
        let (w, d) = (&self.trace.work, self.device);
        let pipes = [w.f32 / d.f32_rate, w.f64 / d.f64_rate, w.int / d.int_rate, w.instructions() / d.issue_rate];
        let slowest = pipes.into_iter().fold(0.0, f64::max);
        slowest * self.trace.warps() * f64::from(crate::target::WARP)
    }

    /// Bytes that all requests of each access move.
    fn requested(&self, warps: f64) -> Vec<f64> {
        self.requests.iter().map(|r| r.bytes * warps).collect()
    }

    /// Loads that a block does not find in L1, and all stores: L1 writes through.
    fn l2_bytes(&self) -> (f64, f64) {
        let (d, trace) = (self.device, self.trace);
        let symbols = &trace.symbols;
        let at_once = |s: Symbol| if matches!(symbols.origin(s), Origin::Thread) { symbols.count(s) } else { 1 };
        let blocks = f64::from(self.occupancy.blocks.max(1));
        let left = (d.l1_bytes / blocks - trace.shared_bytes as f64).max(0.0);
        let level =
            Level { at_once: &at_once, capacity: left / 2.0, waves: 1.0, unit: SECTOR as f64, is_memory: false };
        let traffic = Traffic { trace, requested: &self.requested(trace.warps()), device: d, level };
        let loads = traffic.bytes(false) * trace.blocks();
        let stored = |x: &trace::Traced| x.space == Space::Global && x.use_ != Use::Load;
        let stores = self.sum(|x, r| match stored(x) {
            true => r.sectors * SECTOR as f64 + if self.is_filled(x) { 0.0 } else { (d.partial - 1.0) * r.partial },
            false => 0.0,
        });
        (loads, stores * trace.warps() * trace.blocks())
    }

    /// Test that a warp's stores beside this one leave no gaps between its lanes: parts of a structure, each stored by
    /// itself, meet in L2.
    fn is_filled(&self, x: &trace::Traced) -> bool {
        let is_beside = |y: &&trace::Traced| {
            y.use_ == Use::Store
                && y.access.array == x.access.array
                && y.node == x.node
                && y.address.terms == x.address.terms
        };
        let beside = || self.trace.accesses.iter().filter(is_beside);
        let near = beside().filter(|y| (y.address.constant - x.address.constant).abs() < SECTOR);
        let lanes = self.trace.thread_symbols.last();
        let step = lanes.and_then(|s| x.address.terms.iter().find(|(t, _)| t == s)).map_or(i64::MAX, |(_, c)| c.abs());
        near.map(|y| y.width).sum::<i64>() >= step
    }

    /// Bytes that L2 does not hold, of so many that are loaded from it.
    fn memory_bytes(&self, loaded: f64) -> f64 {
        let trace = self.trace;
        let symbols = &trace.symbols;
        // The last dimension of the grid counts fastest.
        let mut left = self.resident() as i64;
        let mut at_once: Vec<(Symbol, i64)> = vec![];
        for (s, n) in trace.grid_symbols.iter().zip(&trace.grid).rev() {
            at_once.push((*s, left.clamp(1, *n)));
            left = (left as f64 / *n as f64).ceil() as i64;
        }
        let extent = |s: Symbol| match symbols.origin(s) {
            Origin::Block => at_once.iter().find(|(b, _)| *b == s).map_or(1, |(_, n)| *n),
            Origin::Thread => symbols.count(s),
            _ => 1,
        };
        let waves = (trace.blocks() / self.resident()).max(1.0);
        let level = Level {
            at_once: &extent,
            capacity: self.device.l2_bytes / 2.0,
            waves,
            unit: self.device.unit,
            is_memory: true,
        };
        let requested = self.requested(trace.warps() * trace.blocks());
        let traffic = Traffic { trace, requested: &requested, device: self.device, level };
        // Of a unit, one sector may have been asked for; what lies scattered takes longer.
        let most = loaded * self.device.unit / SECTOR as f64 * self.device.scattered;
        traffic.bytes(false).min(most) + traffic.bytes(true)
    }

    /// Cycles from the beginning to the end of a block that has an SM for itself, for every wave of them; or those of the
    /// warp that takes longest.
    fn latency(&self, l2: f64, memory: f64) -> f64 {
        let d = self.device;
        let from_memory = if l2 > 0.0 { (memory / l2).min(1.0) } else { 0.0 };
        let wait = d.l2_latency + from_memory * (d.memory_latency - d.l2_latency);
        let issued = CYCLES * self.trace.work.instructions();
        let barriers = self.trace.barriers * (d.block_barrier + d.shared_latency);
        let block = self.trace.rounds * wait + barriers + issued.max(self.block_arithmetic());
        let own = self.trace.own_rounds.iter().zip(&self.trace.own_instructions);
        let longest = own.map(|(rounds, n)| rounds * wait + CYCLES * n).fold(0.0, f64::max);
        (self.waves() * block).max(longest)
    }

    /// Atomic updates of global memory: as many at once as there are lines that they fall on.
    fn atomics(&self) -> f64 {
        let d = self.device;
        let atomics = self.trace.accesses.iter().zip(self.requests).filter(|(x, _)| x.use_ == Use::Atomic);
        let each = atomics.filter(|(x, _)| x.space == Space::Global).map(|(x, r)| {
            let updates = r.lanes * self.trace.warps() * self.trace.blocks();
            let values = |s: &Symbol| self.trace.symbols.values(*s, &|b| self.trace.symbols.count(b));
            let elements: f64 = x.address.terms.iter().map(|(s, _)| values(s)).product();
            let bytes = x.bytes.map_or(f64::MAX, |n| n as f64).min(elements * x.width as f64);
            let lines = (bytes / 128.0).max(1.0);
            updates / (d.atomic_line * lines).clamp(d.atomic_same, d.atomic_most)
        });
        each.fold(0.0, |sum, seconds| sum + seconds)
    }
}
