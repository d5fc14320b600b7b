//! Predictions: how long a kernel takes at a point, by the cost model and its text, and what makes no sense to try.
//!
//! Pruning follows Algorithm 1 of RT-CUDA, with its faults mended: what arithmetic excludes is excluded before anything is
//! compiled; blocks of an SM have a limit of their own; a kernel without shared memory is limited by none.
//!
//! | level | the paper skips | here |
//! | --- | --- | --- |
//! | array block | `N mod BS != 0` | blocks more than half of which have no point: the rest is a branch, not a fault |
//! | kernel block | `N / BS / ML / SL = 0` | grids that leave processors idle which the default's keeps busy |
//! | active blocks | none by warps, shared memory or registers | the same, and by the most blocks of an SM |
//! | registers | | bounds under which no more blocks are active than without |

use super::ptxas::Resources;
use super::space::{Point, Space};
use crate::cost::{self, Device, Part, Sizes};
use crate::kernel::{Function, Kernel, Tunable};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::sync::Mutex;

/// The model of one kernel at the sizes of a call.
pub struct Model {
    space: Space,
    kernel: Kernel,
    functions: Vec<Function>,
    device: Device,
    sizes: Sizes,
    /// Registers that ptxas gives a thread of the kernel as nobody tunes it, beyond those that are guessed.
    beyond: i32,
    known: Mutex<BTreeMap<Point, Prediction>>,
}

/// The model's view of a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Prediction {
    /// Infinite where it cannot be launched.
    pub seconds: f64,
    pub blocks: f64,
    /// Registers of a thread, guessed; bytes of shared memory of a block.
    pub registers: u32,
    pub shared: i64,
    /// Blocks that an SM holds.
    pub active: u32,
    /// The limit of it, and how long its bytes of memory take at the rate of a copy.
    pub limit: Option<Part>,
    pub memory: f64,
}

impl Model {
    /// The model of a kernel, whose tunables are those of the space.
    pub fn new(space: &Space, kernel: Kernel, functions: Vec<Function>, device: Device, sizes: Sizes) -> Model {
        let (space, known) = (space.clone(), Mutex::default());
        Model { space, kernel, functions, device, sizes, beyond: 0, known }
    }

    /// The same, as ptxas has told the registers of the kernel as nobody tunes it.
    pub fn told(mut self, resources: Option<Resources>) -> Model {
        let guessed = self.predict(&self.space.default()).registers;
        if let Some(Resources { registers, .. }) = resources {
            self.beyond = registers.saturating_sub(guessed) as i32 - guessed.saturating_sub(registers) as i32;
        }
        self
    }

    /// The prediction for a point.
    pub fn predict(&self, point: &Point) -> Prediction {
        if let Some(known) = self.known.lock().ok().and_then(|known| known.get(point).copied()) {
            return known;
        }
        let is_sized = |t: &&Tunable| self.space.named(point).any(|(name, _)| name == t.name);
        let others = self.kernel.tunables.iter().filter(|t| !is_sized(t)).cloned();
        let sized = self.space.named(point).map(|(name, value)| Tunable { name: name.to_owned(), value });
        let kernel = self.kernel.with(&others.chain(sized).collect::<Vec<_>>());
        let e = cost::estimate(&kernel, &self.functions, &self.device, &self.sizes);
        let prediction = Prediction {
            seconds: e.seconds,
            blocks: e.blocks,
            registers: e.registers,
            shared: e.shared_bytes,
            active: e.occupancy.blocks,
            limit: e.limit(),
            memory: e.part(Part::Memory),
        };
        if let Ok(mut known) = self.known.lock() {
            known.insert(point.clone(), prediction);
        }
        prediction
    }

    /// Predicts many points, on all processors: their predictions are known from then on.
    pub fn predict_all(&self, points: &[Point]) {
        points.par_iter().for_each(|p| {
            self.predict(p);
        });
    }

    /// Why a point makes no sense, if it makes none. The default always does.
    pub fn pruned(&self, point: &Point) -> Option<Pruned> {
        let usual = self.space.default();
        if *point == usual {
            return None;
        }
        let threads = self.space.product(point, "BLOCK");
        if threads < i64::from(crate::target::WARP) && threads < self.space.product(&usual, "BLOCK") {
            return Some(Pruned::ArrayBlock);
        }
        let here = self.predict(point);
        if here.active == 0 {
            return Some(Pruned::ActiveBlocks);
        }
        let bound = self.space.resident(point).filter(|[n, default]| *n > 1 && n != default);
        if bound.is_some_and(|[blocks, _]| !self.makes_room(point, blocks, threads)) {
            return Some(Pruned::Registers);
        }
        let points = |point: &Point, blocks: f64| {
            let each = ["BLOCK", "MERGE", "SKEW"].map(|kind| self.space.product(point, kind)).iter().product::<i64>();
            each as f64 * blocks
        };
        let default = self.predict(&usual);
        // Twice the points that the default's blocks cover: at least half of the threads have none.
        if points(point, here.blocks) > 2.0 * points(&usual, default.blocks) {
            return Some(Pruned::ArrayBlock);
        }
        let sms = f64::from(self.device.sms);
        let is_idle = here.blocks < sms && here.blocks < default.blocks / 2.0;
        is_idle.then_some(Pruned::KernelBlock)
    }

    /// Test that an SM holds more blocks of a point where registers leave room for so many than where nobody bounds them, by
    /// what ptxas has said.
    fn makes_room(&self, point: &Point, blocks: i64, threads: i64) -> bool {
        let (machine, free) = (&self.device.machine, self.predict(&self.space.bounded(point, 0)));
        let number = |n: i64| u32::try_from(n).unwrap_or(u32::MAX);
        let active = |registers: u32| machine.occupancy(registers, number(free.shared), number(threads)).blocks;
        let wanted = free.registers.saturating_add_signed(self.beyond).clamp(1, machine.thread_registers);
        let bound = machine.registers_for(number(blocks), number(threads));
        bound.is_some_and(|bound| active(wanted.min(bound)) > active(wanted))
    }
}

/// A level of pruning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pruned {
    /// Blocks whose threads would mostly have no point.
    ArrayBlock,
    /// Grids that leave processors idle.
    KernelBlock,
    /// An SM cannot hold a block.
    ActiveBlocks,
    /// Fewer registers, without another block.
    Registers,
}
