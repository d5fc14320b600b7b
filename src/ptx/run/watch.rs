//! Accesses to global memory, as a run tells of them while they are made.

use super::memory::Memory;
use crate::ptx::op::Op;
use serde::Serialize;

/// Threads of a warp.
pub const LANES: usize = 32;

/// Kind of an access.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Does {
    Load,
    Store,
    /// Both, by one instruction.
    Atomic,
}

impl Does {
    /// Its name.
    pub fn name(self) -> &'static str {
        ["load", "store", "atomic"][self as usize]
    }

    /// Kind of an instruction's access.
    pub fn of(op: Op) -> Does {
        match op {
            Op::Store { .. } => Does::Store,
            Op::Atomic { .. } => Does::Atomic,
            _ => Does::Load,
        }
    }
}

/// One instruction of one warp: an access of those lanes that take part.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// Number of the instruction among those that may access global memory.
    pub access: usize,
    pub does: Does,
    /// Number of the block, x fastest, and of the warp in it.
    pub block: u64,
    pub warp: u32,
    /// Lanes that take part, by bit.
    pub mask: u32,
    pub addresses: &'a [u64; LANES],
    /// How often each thread made this access before.
    pub executions: &'a [u32; LANES],
    /// Bytes of a lane.
    pub bytes: u64,
}

impl Request<'_> {
    /// The lanes that take part.
    pub fn lanes(&self) -> impl Iterator<Item = usize> {
        lanes(self.mask)
    }
}

/// The lanes of a mask.
pub fn lanes(mask: u32) -> impl Iterator<Item = usize> {
    (0..LANES).filter(move |lane| mask >> lane & 1 == 1)
}

/// Observer of accesses.
pub trait Watch {
    /// The blocks whose accesses are wanted, in their order: no others are run. `None`: all of them.
    fn blocks(&self) -> Option<Vec<u64>>;
    /// An access, of an array in global memory.
    fn request(&mut self, memory: &Memory, request: &Request);
}

/// Observer of nothing, for whom all blocks are run.
pub struct Nobody;

impl Watch for Nobody {
    fn blocks(&self) -> Option<Vec<u64>> {
        None
    }

    fn request(&mut self, _: &Memory, _: &Request) {}
}
