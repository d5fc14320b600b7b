//! One instruction of a warp.

use super::access;
use super::exchange;
use super::float;
use super::program::{Callee, NEVER};
use super::pure;
use super::trouble::Trouble;
use super::values::{Surroundings, fetch, write};
use super::warp::{State, Warp, copy};
use super::watch::{LANES, lanes};
use crate::ptx::module::Instruction;
use crate::ptx::op::{Function, Op};
use crate::ptx::types::{Combine, Compare, Scalar, Space};

/// Runs the next instruction of a warp that is ready.
pub fn step(warp: &mut Warp, around: &mut Surroundings) -> Result<(), Trouble> {
    let Some(frame) = warp.frames.last_mut() else {
        warp.state = State::Done;
        return Ok(());
    };
    let Some(path) = frame.path() else {
        warp.leave(around.program);
        return Ok(());
    };
    let function = frame.function;
    let module = around.program.module;
    let Some(instruction) = module.functions[function].code.get(path.at) else {
        returns(warp, path.mask);
        return Ok(());
    };
    let taken = match instruction.guard {
        None => path.mask,
        Some((register, is_negated)) => {
            let values = &frame.registers[register];
            lanes(path.mask).filter(|&l| (values[l] & 1 == 1) != is_negated).fold(0, |mask, l| mask | 1 << l)
        }
    };
    let rest = path.mask & !taken;
    let meeting = around.program.parts[function].as_ref().map_or(NEVER, |part| part.meeting[path.at]);
    match instruction.op {
        Op::Branch(target) if rest == 0 => {
            if let Some(top) = frame.paths.last_mut() {
                top.at = target;
            }
            Ok(())
        }
        _ if taken == 0 => {
            frame.advance();
            Ok(())
        }
        Op::Branch(target) => frame.part(&[(path.at + 1, rest), (target, taken)], meeting),
        Op::BranchTable(table) => {
            let targets = &module.functions[function].tables[table];
            let index = fetch(warp, around, &instruction.reads[0]);
            let mut ways = vec![(path.at + 1, rest)];
            for lane in lanes(taken) {
                let Some(&target) = targets.get(index[lane] as usize) else {
                    let message = format!("target {} of a table of {}", index[lane], targets.len());
                    return Err(Trouble::of_lane("ptx-branch", lane as u32, message));
                };
                match ways.iter_mut().find(|(at, _)| *at == target) {
                    Some((_, mask)) => *mask |= 1 << lane,
                    None => ways.push((target, 1 << lane)),
                }
            }
            warp.frames.last_mut().map_or(Ok(()), |frame| frame.part(&ways, meeting))
        }
        Op::Return => {
            frame.advance();
            returns(warp, taken);
            Ok(())
        }
        Op::Exit => {
            frame.advance();
            warp.exit(taken);
            Ok(())
        }
        Op::Call(call) => {
            frame.advance();
            calls(warp, around, function, call, taken)
        }
        _ => {
            frame.advance();
            run(warp, around, instruction, taken, path.at)
        }
    }
}

/// Lanes return from the function; from the kernel, they leave it.
fn returns(warp: &mut Warp, mask: u32) {
    if warp.frames.len() == 1 {
        warp.exit(mask);
    } else if let Some(frame) = warp.frames.last_mut() {
        frame.paths.iter_mut().for_each(|path| path.mask &= !mask);
    }
}

fn calls(warp: &mut Warp, around: &mut Surroundings, caller: usize, call: usize, mask: u32) -> Result<(), Trouble> {
    let program = around.program;
    let Some(part) = &program.parts[caller] else { return Ok(()) };
    let described = &program.module.functions[caller].calls[call];
    match part.calls[call] {
        Callee::Print => Ok(()),
        Callee::Assert => {
            let lane = mask.trailing_zeros();
            Err(Trouble::of_lane("ptx-assertion", lane, "an assertion of the kernel fails"))
        }
        Callee::Missing => {
            let message = format!("the function `{}` has no body in this file", described.callee);
            Err(Trouble::of_warp("ptx-call", message).help("compile what the kernel calls into the same file"))
        }
        Callee::Function(callee) => {
            warp.enter(program, callee, call, mask)?;
            let parameters = program.module.functions[callee].results..;
            let mut frames = warp.frames.iter_mut().rev();
            if let (Some(entered), Some(caller)) = (frames.next(), frames.next()) {
                for (into, &from) in parameters.zip(&described.arguments) {
                    if into < program.module.functions[callee].results + program.module.functions[callee].parameters {
                        copy(program, caller, from, entered, into, mask);
                    }
                }
            }
            Ok(())
        }
    }
}

/// Runs an instruction that goes on to the next.
fn run(
    warp: &mut Warp,
    around: &mut Surroundings,
    instruction: &Instruction,
    mask: u32,
    at: usize,
) -> Result<(), Trouble> {
    match instruction.op {
        Op::Pure(p) => {
            let mut sources = [[0; LANES]; 4];
            for (source, operand) in sources.iter_mut().zip(&instruction.reads) {
                *source = fetch(warp, around, operand);
            }
            if p.function == Function::ToGeneric(Space::Param) && warp.frames.len() > 1 {
                return Err(Trouble::of_warp("ptx-call", "the address of a function's parameter is not run here"));
            }
            let carry = warp.frames.last().map_or(0, |frame| frame.carry);
            let (mut found, mut left) = ([0; LANES], carry);
            for lane in lanes(mask) {
                let of_lane = [sources[0][lane], sources[1][lane], sources[2][lane], sources[3][lane]];
                let (value, out) = pure::value(&p, of_lane, carry >> lane & 1 == 1);
                found[lane] = value;
                left = left & !(1 << lane) | u32::from(out) << lane;
            }
            if let Some(frame) = warp.frames.last_mut() {
                frame.carry = left;
            }
            write(warp, around, instruction.writes[0], &found, mask);
            Ok(())
        }
        Op::SetPredicate { compare, combine, ty, ftz } => {
            set_predicate(warp, around, instruction, mask, (compare, combine, ty, ftz));
            Ok(())
        }
        Op::Pack { bits } => {
            let parts: Vec<_> = instruction.reads.iter().map(|part| fetch(warp, around, part)).collect();
            let join = |lane: usize| {
                let of =
                    |(k, part): (usize, &[u64; LANES])| (part[lane] & (u64::MAX >> (64 - bits))) << (bits * k as u32);
                parts.iter().enumerate().map(of).fold(0, |all, part| all | part)
            };
            write(warp, around, instruction.writes[0], &std::array::from_fn(join), mask);
            Ok(())
        }
        Op::Unpack { bits } => {
            let whole = fetch(warp, around, &instruction.reads[0]);
            for (k, &register) in instruction.writes.iter().enumerate() {
                let part = whole.map(|value| value >> (bits * k as u32) & (u64::MAX >> (64 - bits)));
                write(warp, around, register, &part, mask);
            }
            Ok(())
        }
        Op::Load { .. } | Op::Store { .. } | Op::Atomic { .. } | Op::AsyncCopy { .. } => {
            access::run(warp, around, instruction, mask, at)
        }
        Op::Barrier => waits(warp, around, instruction, mask),
        Op::Nothing => Ok(()),
        Op::Trap => Err(Trouble::of_lane("ptx-trap", mask.trailing_zeros(), "the kernel stops itself (trap)")),
        Op::Unknown => {
            let function = warp.frames.last().map_or(0, |frame| frame.function);
            let unknown = &around.program.module.functions[function].unknown;
            let name = unknown.iter().find(|unknown| unknown.line == instruction.line);
            let name = name.map_or("?", |unknown| unknown.opcode.as_str());
            Err(Trouble::of_warp("ptx-unknown", format!("`{name}` is not known")).help(
                "rtcuda runs what nvcc makes of plain kernels: no textures, no tensor cores but f64, no clusters",
            ))
        }
        _ => of_warp(warp, around, instruction, mask),
    }
}

fn set_predicate(
    warp: &mut Warp,
    around: &Surroundings,
    instruction: &Instruction,
    mask: u32,
    (compare, combine, ty, ftz): (Compare, Option<Combine>, Scalar, bool),
) {
    let reads: Vec<_> = instruction.reads.iter().map(|operand| fetch(warp, around, operand)).collect();
    let with = |holds: bool, lane: usize| {
        let other = reads.get(2).is_some_and(|values| values[lane] & 1 == 1);
        u64::from(match combine {
            None => holds,
            Some(Combine::And) => holds && other,
            Some(Combine::Or) => holds || other,
            Some(Combine::Xor) => holds != other,
        })
    };
    let value = |bits: u64| if ftz { float::flushed_bits(bits) } else { bits };
    let holds = |lane: usize| float::compared(compare, ty, value(reads[0][lane]), value(reads[1][lane]));
    let first = std::array::from_fn(|lane| with(holds(lane), lane));
    let second = std::array::from_fn(|lane| with(!holds(lane), lane));
    write(warp, around, instruction.writes[0], &first, mask);
    write(warp, around, instruction.writes.get(1).copied().flatten(), &second, mask);
}

fn waits(warp: &mut Warp, around: &mut Surroundings, instruction: &Instruction, mask: u32) -> Result<(), Trouble> {
    if mask != warp.live {
        let missing = (warp.live & !mask).trailing_zeros();
        let message = "a barrier is reached by some lanes of a warp, and not by this one";
        return Err(Trouble::of_lane("ptx-barrier", missing, message)
            .help("every thread of the block has to reach a barrier: move it out of the condition"));
    }
    let first = mask.trailing_zeros() as usize % LANES;
    let barrier = fetch(warp, around, &instruction.reads[0])[first];
    let threads = instruction.reads.get(1).map(|operand| fetch(warp, around, operand)[first]);
    warp.state = State::Waits { barrier, threads };
    Ok(())
}

fn of_warp(warp: &mut Warp, around: &mut Surroundings, instruction: &Instruction, mask: u32) -> Result<(), Trouble> {
    let reads: Vec<_> = instruction.reads.iter().map(|operand| fetch(warp, around, operand)).collect();
    let first = mask.trailing_zeros() as usize % LANES;
    let members = |at: usize| reads.get(at).map_or(mask, |values| values[first] as u32);
    let named = match instruction.op {
        Op::Shuffle(_) => members(3),
        Op::Vote(_) | Op::Match { .. } | Op::Reduce { .. } => members(1),
        Op::WarpBarrier => members(0),
        Op::Matrix { .. } => u32::MAX,
        _ => mask,
    };
    let elsewhere = named & warp.live & !mask;
    if elsewhere != 0 {
        let lane = elsewhere.trailing_zeros();
        return Err(Trouble::of_lane(
            "ptx-members",
            lane,
            "lanes of a warp have to be here together, and this one is not",
        )
        .help(
            "the lanes of a warp run together here, where hardware may let some wait: move it out of the condition",
        ));
    }
    match instruction.op {
        Op::Shuffle(mode) => {
            let (values, valid) = exchange::shuffled(mode, [&reads[0], &reads[1], &reads[2]], mask, warp.live)?;
            write(warp, around, instruction.writes[0], &values, mask);
            let valid = std::array::from_fn(|lane| u64::from(valid >> lane & 1));
            write(warp, around, instruction.writes.get(1).copied().flatten(), &valid, mask);
        }
        Op::Vote(vote) => {
            let yes = lanes(mask).filter(|&lane| reads[0][lane] & 1 == 1).fold(0, |all, lane| all | 1 << lane);
            let answer = exchange::voted(vote, yes, mask);
            write(warp, around, instruction.writes[0], &[answer; LANES], mask);
        }
        Op::Match { all, .. } => {
            let same = exchange::matched(&reads[0], mask);
            let agree = same[first] as u32 == mask;
            let found = if all { [if agree { u64::from(mask) } else { 0 }; LANES] } else { same };
            write(warp, around, instruction.writes[0], &found, mask);
            write(warp, around, instruction.writes.get(1).copied().flatten(), &[u64::from(agree); LANES], mask);
        }
        Op::Reduce { update, ty } => {
            let all = exchange::reduced(update, ty, &reads[0], mask);
            write(warp, around, instruction.writes[0], &[all; LANES], mask);
        }
        Op::ActiveMask => write(warp, around, instruction.writes[0], &[u64::from(mask); LANES], mask),
        Op::Matrix { rows, depth } => {
            if mask != u32::MAX {
                return Err(Trouble::of_warp("ptx-members", "a matrix is multiplied by fewer than 32 lanes"));
            }
            let found = exchange::multiplied(rows, depth, &reads);
            for (&register, values) in instruction.writes.iter().zip(&found) {
                write(warp, around, register, values, mask);
            }
        }
        _ => {}
    }
    Ok(())
}
