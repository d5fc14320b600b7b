//! Loads, stores and atomic updates: where an address leads, and who is told.

use super::exchange::updated;
use super::memory::{self, Memory, load, store};
use super::program::Program;
use super::trouble::Trouble;
use super::values::{Surroundings, fetch, write};
use super::warp::Warp;
use super::watch::{Does, LANES, Request, lanes};
use crate::ptx::module::Instruction;
use crate::ptx::op::{Op, Update};
use crate::ptx::types::{Scalar, Space};

/// Place of some bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// In an array, from that byte on.
    Array(usize, usize),
    Shared(usize),
    /// Of the lane.
    Local(usize),
    Parameter(usize),
}

/// An access that is under way.
#[derive(Clone, Copy)]
struct Access<'i> {
    instruction: &'i Instruction,
    space: Space,
    /// Bytes of an element, and of all that a lane accesses.
    width: usize,
    bytes: u64,
    mask: u32,
}

/// Runs an access.
pub fn run(
    warp: &mut Warp,
    around: &mut Surroundings,
    instruction: &Instruction,
    mask: u32,
    at: usize,
) -> Result<(), Trouble> {
    let (space, ty, count) = match instruction.op {
        Op::Load { space, ty, count } | Op::Store { space, ty, count } => (space, ty, count),
        Op::Atomic { space, ty, .. } => (space, ty, 1),
        _ => (Space::Global, Scalar::B8, 1),
    };
    let bytes = instruction.op.bytes();
    let access = Access { instruction, space, width: ty.bytes() as usize, bytes, mask };
    let is_copy = matches!(instruction.op, Op::AsyncCopy { .. });
    let addresses = fetch(warp, around, &instruction.reads[usize::from(is_copy)]);
    // A copy of no bytes only fills with zeros.
    let reads = match instruction.reads.get(3).filter(|_| is_copy) {
        Some(size) => {
            let sizes = fetch(warp, around, size);
            lanes(mask).filter(|&lane| sizes[lane] as u32 > 0).fold(0, |mask, lane| mask | 1 << lane)
        }
        None => mask,
    };
    tell(warp, around, &Access { mask: reads, ..access }, &addresses, at);
    match instruction.op {
        Op::Load { .. } => loads(warp, around, &access, &addresses, ty, count),
        Op::Store { .. } => stores(warp, around, &access, &addresses, count),
        Op::Atomic { update, .. } => updates(warp, around, &access, &addresses, ty, update),
        _ => copies(warp, around, &access, &addresses),
    }
}

/// Tells who watches of lanes that go to global memory.
fn tell(warp: &mut Warp, around: &mut Surroundings, access: &Access, addresses: &[u64; LANES], at: usize) {
    let function = warp.frames.last().map_or(0, |frame| frame.function);
    let Some(number) = around.program.parts[function].as_ref().and_then(|part| part.access[at]) else { return };
    let is_told = |lane: &usize| {
        let is_global = access.space == Space::Global || memory::space_of(addresses[*lane]) == Space::Global;
        let found = around.memory.locate(addresses[*lane], access.bytes);
        let is_of_barrier = |array: usize| Memory::address(array) == around.program.grid_memory;
        is_global && found.is_ok_and(|(array, _)| !around.memory.arrays[array].is_constant && !is_of_barrier(array))
    };
    let mask = lanes(access.mask).filter(is_told).fold(0, |mask, lane| mask | 1 << lane);
    if mask == 0 {
        return;
    }
    let executions = &mut warp.executions[number as usize];
    let request = Request {
        access: number as usize,
        does: Does::of(access.instruction.op),
        block: around.number,
        warp: warp.number,
        mask,
        addresses,
        executions,
        bytes: access.bytes,
    };
    around.watch.request(around.memory, &request);
    lanes(mask).for_each(|lane| executions[lane] = executions[lane].wrapping_add(1));
}

/// Place of a lane's bytes.
fn place(warp: &Warp, around: &Surroundings, access: &Access, lane: usize, address: u64) -> Result<Place, Trouble> {
    let n = access.bytes;
    if !address.is_multiple_of(n.next_power_of_two()) {
        let message = format!("{n} bytes are accessed at an address that is no multiple of {n}");
        let message = format!("{message}: {}", told(around.program, around.memory, access.space, address));
        return Err(Trouble::of_lane("ptx-misaligned", lane as u32, message));
    }
    let space = if access.space == Space::Generic { memory::space_of(address) } else { access.space };
    let offset = if access.space == Space::Generic { address.wrapping_sub(memory::window(space)) } else { address };
    let within = |end: usize| offset.checked_add(n).is_some_and(|last| last <= end as u64);
    let outside = || {
        let what = told(around.program, around.memory, space, offset);
        let message = format!("{n} bytes are accessed out of bounds: {what}");
        Trouble::of_lane("ptx-bounds", lane as u32, message)
            .help("see whether the arguments are as long as the kernel takes them to be, and the launch not larger")
    };
    match space {
        Space::Shared => within(around.shared.len()).then_some(Place::Shared(offset as usize)),
        Space::Local => within(warp.local[lane].len()).then_some(Place::Local(offset as usize)),
        Space::Param => {
            let end = warp.frames.last().map_or(0, |frame| frame.parameters.len() / LANES);
            within(end).then(|| Place::Parameter(lane * end + offset as usize))
        }
        _ => around.memory.locate(address, n).ok().map(|(array, at)| Place::Array(array, at)),
    }
    .ok_or_else(outside)
}

/// Description of an address: the variable or array that has it, or is near.
fn told(program: &Program, memory: &Memory, space: Space, address: u64) -> String {
    match space {
        Space::Shared => match program.shared_variables.iter().find(|(_, from, to)| (*from..*to).contains(&address)) {
            Some((name, from, to)) => {
                format!("byte {} of the {} of `{name}`, in shared memory", address - from, to - from)
            }
            None => format!("byte {address} of the {} of the block's shared memory", program.shared),
        },
        Space::Local => format!("byte {} of the thread's local memory", address as i64),
        Space::Param => format!("byte {} of the parameters", address as i64),
        _ => {
            let (array, offset) = match memory.locate(address, 1) {
                Ok((array, offset)) => (array, offset as i64),
                Err(memory::Outside { near: Some(near) }) => near,
                Err(memory::Outside { near: None }) => return format!("no array is near the address {address:#x}"),
            };
            let found = &memory.arrays[array];
            let (width, length) = (found.ty.bytes() as i64, found.bytes.len() as i64);
            format!("element {} of `{}`, which has {}", offset.div_euclid(width), found.name, length / width)
        }
    }
}

fn bytes_at<'b>(warp: &'b mut Warp, around: &'b mut Surroundings, lane: usize, place: Place, n: usize) -> &'b mut [u8] {
    match place {
        Place::Array(array, at) => &mut around.memory.arrays[array].bytes[at..at + n],
        Place::Shared(at) => &mut around.shared[at..at + n],
        Place::Local(at) => &mut warp.local[lane][at..at + n],
        Place::Parameter(at) => match warp.frames.last_mut() {
            Some(frame) => &mut frame.parameters[at..at + n],
            None => &mut [],
        },
    }
}

fn loads(
    warp: &mut Warp,
    around: &mut Surroundings,
    access: &Access,
    addresses: &[u64; LANES],
    ty: Scalar,
    count: usize,
) -> Result<(), Trouble> {
    let mut found = vec![[0; LANES]; count];
    for lane in lanes(access.mask) {
        let place = place(warp, around, access, lane, addresses[lane])?;
        let bytes = bytes_at(warp, around, lane, place, access.bytes as usize);
        for (element, bytes) in found.iter_mut().zip(bytes.chunks_exact(access.width)) {
            let value = load(bytes);
            element[lane] = if ty.is_signed() { super::float::signed(value, ty) as u64 } else { value };
        }
    }
    for (values, &register) in found.iter().zip(&access.instruction.writes) {
        write(warp, around, register, values, access.mask);
    }
    Ok(())
}

/// A place that may be written.
fn written(warp: &Warp, around: &Surroundings, access: &Access, lane: usize, address: u64) -> Result<Place, Trouble> {
    let found = place(warp, around, access, lane, address)?;
    match found {
        Place::Array(array, _) if around.memory.arrays[array].is_constant => {
            let message = format!("`{}` is written, which is in constant memory", around.memory.arrays[array].name);
            Err(Trouble::of_lane("ptx-constant", lane as u32, message))
        }
        _ => Ok(found),
    }
}

fn stores(
    warp: &mut Warp,
    around: &mut Surroundings,
    access: &Access,
    addresses: &[u64; LANES],
    count: usize,
) -> Result<(), Trouble> {
    let values: Vec<_> = access.instruction.reads[1..=count].iter().map(|value| fetch(warp, around, value)).collect();
    for lane in lanes(access.mask) {
        let place = written(warp, around, access, lane, addresses[lane])?;
        let bytes = bytes_at(warp, around, lane, place, access.bytes as usize);
        for (value, bytes) in values.iter().zip(bytes.chunks_exact_mut(access.width)) {
            store(bytes, value[lane]);
        }
    }
    Ok(())
}

fn updates(
    warp: &mut Warp,
    around: &mut Surroundings,
    access: &Access,
    addresses: &[u64; LANES],
    ty: Scalar,
    update: Update,
) -> Result<(), Trouble> {
    let value = fetch(warp, around, &access.instruction.reads[1]);
    let swap = access.instruction.reads.get(2).map_or([0; LANES], |swap| fetch(warp, around, swap));
    let mut found = [0; LANES];
    for lane in lanes(access.mask) {
        let place = written(warp, around, access, lane, addresses[lane])?;
        let bytes = bytes_at(warp, around, lane, place, access.width);
        found[lane] = load(bytes);
        store(bytes, updated(update, ty, found[lane], value[lane], swap[lane]));
    }
    write(warp, around, access.instruction.writes.first().copied().flatten(), &found, access.mask);
    Ok(())
}

/// From global to shared memory; where fewer bytes are to be read, the rest is zero.
fn copies(
    warp: &mut Warp,
    around: &mut Surroundings,
    access: &Access,
    addresses: &[u64; LANES],
) -> Result<(), Trouble> {
    let targets = fetch(warp, around, &access.instruction.reads[0]);
    let sizes = access.instruction.reads.get(3).map(|size| fetch(warp, around, size));
    let into = Access { space: Space::Shared, ..*access };
    for lane in lanes(access.mask) {
        let mut copied = [0u8; 16];
        let n = access.bytes as usize;
        let read = sizes.as_ref().map_or(n, |sizes| (sizes[lane] as u32 as usize).min(n));
        if read > 0 {
            let from = place(warp, around, access, lane, addresses[lane])?;
            copied[..read].copy_from_slice(&bytes_at(warp, around, lane, from, n)[..read]);
        }
        let place = place(warp, around, &into, lane, targets[lane])?;
        bytes_at(warp, around, lane, place, n).copy_from_slice(&copied[..n]);
    }
    Ok(())
}
