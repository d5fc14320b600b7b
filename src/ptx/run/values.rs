//! Values of operands, in each lane of a warp, and what they depend on.

use super::launch::Launch;
use super::memory::Memory;
use super::program::Program;
use super::warp::Warp;
use super::watch::{LANES, Watch, lanes};
use crate::ptx::module::{Operand, Symbol};
use crate::ptx::types::{Axis, Scalar, Space, Special};

/// All that an instruction may touch beside its warp.
pub struct Surroundings<'a, 'm> {
    pub program: &'a Program<'m>,
    pub launch: &'a Launch,
    pub memory: &'a mut Memory,
    /// Shared memory of the block.
    pub shared: &'a mut [u8],
    /// Position of the block, and its number.
    pub block: [u32; 3],
    pub number: u64,
    /// Instructions that were run.
    pub clock: u64,
    pub watch: &'a mut dyn Watch,
}

/// The value of an operand in each lane. Of an address in brackets it is the address.
pub fn fetch(warp: &Warp, around: &Surroundings, operand: &Operand) -> [u64; LANES] {
    let Some(frame) = warp.frames.last() else { return [0; LANES] };
    match *operand {
        Operand::Register(register) => frame.registers[register],
        Operand::Not(register) => frame.registers[register].map(|value| !value & 1),
        Operand::Bits(bits) => [bits; LANES],
        Operand::Special(special) => std::array::from_fn(|lane| special_value(warp, around, special, lane as u32)),
        Operand::Address(None, offset) => [offset as u64; LANES],
        // An address of 32 bits, as of shared memory, wraps at their end: what begins before an array may go on within it.
        Operand::Address(Some(register), offset) => {
            let kept = around.program.module.functions[frame.function].registers[register].ty.mask();
            frame.registers[register].map(|value| value.wrapping_add(offset as u64) & kept)
        }
        Operand::Symbol(symbol, offset) => {
            let address = match symbol {
                Symbol::Module(variable) => around.program.addresses[variable],
                Symbol::Function(variable) => {
                    let part = around.program.parts[frame.function].as_ref();
                    let at = part.map_or(0, |part| part.offsets[variable]);
                    let is_local =
                        around.program.module.functions[frame.function].variables[variable].space == Space::Local;
                    at + if is_local { frame.local as u64 } else { 0 }
                }
            };
            [address.wrapping_add(offset as u64); LANES]
        }
    }
}

fn special_value(warp: &Warp, around: &Surroundings, special: Special, lane: u32) -> u64 {
    let of = |extents: [u32; 3], axis: Axis| u64::from(extents[axis as usize]);
    let block = around.launch.block;
    match special {
        Special::Tid(axis) => of(position(block, warp.number * LANES as u32 + lane), axis),
        Special::Ntid(axis) => of(block, axis),
        Special::Ctaid(axis) => of(around.block, axis),
        Special::Nctaid(axis) => of(around.launch.grid, axis),
        Special::Laneid => u64::from(lane),
        Special::Warpid => u64::from(warp.number),
        Special::Nwarpid => u64::from(around.launch.threads().div_ceil(LANES as u32)),
        Special::Lanemask(compare) => {
            let stands = |other: &usize| super::float::compared(compare, Scalar::U32, *other as u64, u64::from(lane));
            (0..LANES).filter(stands).fold(0, |mask, other| mask | 1 << other)
        }
        Special::Clock => around.clock,
        Special::Zero => 0,
        Special::Nsmid => 1,
        Special::GridMemory { is_high } => (around.program.grid_memory >> if is_high { 32 } else { 0 }) & 0xffff_ffff,
        Special::DynamicShared => around.launch.shared,
        Special::TotalShared => around.program.shared,
    }
}

/// Position of a thread in a block of these extents.
pub fn position(block: [u32; 3], thread: u32) -> [u32; 3] {
    [thread % block[0], thread / block[0] % block[1], thread / block[0] / block[1]]
}

/// Writes a result in some lanes.
pub fn write(warp: &mut Warp, around: &Surroundings, register: Option<usize>, values: &[u64; LANES], mask: u32) {
    let (Some(register), Some(frame)) = (register, warp.frames.last_mut()) else { return };
    let kept = around.program.module.functions[frame.function].registers[register].ty.mask();
    let into = &mut frame.registers[register];
    lanes(mask).for_each(|lane| into[lane] = values[lane] & kept);
}
