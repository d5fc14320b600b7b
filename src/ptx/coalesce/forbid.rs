//! Reasons in a kernel that forbid that its threads are ordered otherwise.
//!
//! The paper has any permutation of a block's dimensions legal. It is not where threads know the warp that they are in.

use crate::ptx::module::{Function, Instruction, Loc, Module, Operand};
use crate::ptx::op::Op;
use crate::ptx::run::program::reached;
use crate::ptx::types::{Axis, Space, Special};
use std::collections::BTreeSet;

/// A reason, and the source line that gives it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reason {
    pub why: String,
    pub loc: Option<Loc>,
    /// Line of the PTX.
    pub line: u32,
}

/// All reasons of a kernel, each kind once.
pub fn reasons(module: &Module, kernel: usize) -> Vec<Reason> {
    let mut found: Vec<Reason> = Vec::new();
    let mut add = |why: &str, instruction: Option<&Instruction>| {
        if !found.iter().any(|reason| reason.why == why) {
            let (loc, line) = instruction.map_or((None, module.functions[kernel].line), |i| (i.loc, i.line));
            found.push(Reason { why: why.into(), loc, line });
        }
    };
    if module.functions[kernel].bounds.required.is_some() {
        add("the kernel is compiled for blocks of one shape (.reqntid)", None);
    }
    for number in reached(module, kernel) {
        let function = &module.functions[number];
        for instruction in &function.code {
            if instruction.op.is_of_warp() {
                add(
                    "lanes of a warp exchange values, and would be others (shuffle, vote, match, mma)",
                    Some(instruction),
                );
            }
            let special = instruction.reads.iter().find_map(|operand| match operand {
                Operand::Special(Special::Laneid | Special::Lanemask(_)) => Some("the number of the lane is read"),
                Operand::Special(Special::Warpid) => Some("the number of the warp is read"),
                _ => None,
            });
            special.into_iter().for_each(|why| add(why, Some(instruction)));
        }
        if let Some(at) = unguarded_exchange(function) {
            let why = "shared memory is read after a write with no barrier between: threads of a warp may rely on running \
                       together";
            add(why, Some(&function.code[at]));
        }
        if !function.unknown.is_empty() {
            add("it has instructions that are not known here", None);
        }
    }
    found
}

/// A load from shared memory that a store there reaches without a barrier between. It may well be the thread's own element;
/// that is not told apart.
fn unguarded_exchange(function: &Function) -> Option<usize> {
    let code = &function.code;
    let mut is_seen = vec![false; code.len()];
    let stores = code.iter().enumerate().filter(|(_, i)| matches!(i.op, Op::Store { space: Space::Shared, .. }));
    let mut waiting: Vec<usize> = stores.map(|(at, _)| at + 1).collect();
    while let Some(mut at) = waiting.pop() {
        while at < code.len() && !std::mem::replace(&mut is_seen[at], true) {
            match code[at].op {
                Op::Load { space: Space::Shared, .. } => return Some(at),
                Op::Barrier => break,
                Op::Branch(target) => waiting.push(target),
                Op::BranchTable(table) => waiting.extend(&function.tables[table]),
                _ => {}
            }
            if code[at].op.ends_block() && code[at].guard.is_none() {
                break;
            }
            at += 1;
        }
    }
    None
}

/// Test that positions of threads and blocks are used only as `blockIdx * blockDim + threadIdx` of one dimension, and threads
/// of a block share nothing: then blocks may have another shape.
pub fn has_global_positions_only(module: &Module, kernel: usize) -> bool {
    let functions = reached(module, kernel);
    functions.len() == 1 && functions.iter().all(|&number| is_global_only(&module.functions[number]))
}

fn is_global_only(function: &Function) -> bool {
    let special_of = |register: usize| {
        let mut writers = function.code.iter().filter(|i| i.writes.contains(&Some(register)));
        let writer = writers.next().filter(|_| writers.next().is_none())?;
        match (writer.guard, &writer.reads[..]) {
            (None, [Operand::Special(special)]) => Some(*special),
            _ => None,
        }
    };
    let positions: BTreeSet<usize> = function
        .code
        .iter()
        .filter(|i| i.reads.iter().any(|operand| matches!(operand, Operand::Special(s) if is_position(*s))))
        .flat_map(|i| i.writes.iter().flatten().copied())
        .collect();
    function.code.iter().all(|instruction| {
        let shares = match instruction.op {
            Op::Load { space, .. } | Op::Store { space, .. } | Op::Atomic { space, .. } => space == Space::Shared,
            Op::AsyncCopy { .. } | Op::Barrier => true,
            _ => false,
        };
        if shares || instruction.op.is_of_warp() {
            return false;
        }
        if !instruction.registers_read().any(|register| positions.contains(&register)) {
            return true;
        }
        let of = |operand: &Operand| match operand {
            Operand::Register(register) => special_of(*register),
            _ => None,
        };
        match (instruction.op, &instruction.reads[..]) {
            (Op::Pure(p), [a, b, c]) if p.function == crate::ptx::op::Function::MultiplyAdd => {
                let axes = (of(a), of(b), of(c));
                [Axis::X, Axis::Y, Axis::Z].into_iter().any(|axis| {
                    let (block, extent, thread) =
                        (Some(Special::Ctaid(axis)), Some(Special::Ntid(axis)), Some(Special::Tid(axis)));
                    axes == (block, extent, thread) || axes == (extent, block, thread)
                })
            }
            _ => false,
        }
    })
}

fn is_position(special: Special) -> bool {
    matches!(special, Special::Tid(_) | Special::Ctaid(_) | Special::Ntid(_) | Special::Nctaid(_))
}
