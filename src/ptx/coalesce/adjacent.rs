//! Adjacent accesses of one thread: the loads of a `float3`, by which it takes twelve bytes in a row.
//!
//! Each of them alone leaves gaps between the lanes of a warp, which the others fill: they are one access. So many bytes of a
//! thread, no more than a sector, that stand in one line of the source, at one address and distances from it, are taken as one;
//! not where the thread walks on by just these bytes: these are iterations of a loop that was unrolled, along a row of its own.

use crate::cost::access::SECTOR;
use crate::ptx::module::{Instruction, Loc, Module, Operand};
use crate::ptx::op::Op;
use crate::ptx::run::program;
use crate::ptx::run::watch::Does;
use std::collections::{BTreeMap, BTreeSet};

/// Accesses of a thread that are one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Adjacent {
    /// Their numbers among the kernel's accesses, by their place in memory.
    pub members: Vec<usize>,
    /// Bytes of all of them.
    pub bytes: u64,
}

/// An access at a distance from the address in a register.
#[derive(Clone, Copy)]
struct Member {
    number: usize,
    distance: i64,
    bytes: u64,
}

/// Properties that adjacent accesses have in common.
#[derive(PartialEq)]
struct Common {
    base: usize,
    guard: Option<(usize, bool)>,
    does: Does,
    lines: (Option<Loc>, Option<Loc>),
}

/// Runs of adjacent accesses in the straight lines of a kernel.
pub fn adjacent(module: &Module, kernel: usize) -> Vec<Adjacent> {
    let numbered = program::accesses(module, kernel).into_iter().enumerate();
    let numbers: BTreeMap<(usize, usize), usize> = numbered.map(|(n, access)| (access, n)).collect();
    let mut out = vec![];
    for number in program::reached(module, kernel) {
        let function = &module.functions[number];
        let branches = function.code.iter().filter_map(|i| if let Op::Branch(to) = i.op { Some(to) } else { None });
        let targets: BTreeSet<usize> = branches.chain(function.tables.iter().flatten().copied()).collect();
        let mut open: Vec<(Common, Vec<Member>)> = vec![];
        for (at, instruction) in function.code.iter().enumerate() {
            if targets.contains(&at) {
                close(&mut open, &mut out, |_| true);
            }
            if let Some((common, distance)) = based(instruction) {
                let number = numbers.get(&(number, at)).copied();
                let member = number.map(|number| Member { number, distance, bytes: instruction.op.bytes() });
                match open.iter_mut().find(|(other, _)| *other == common) {
                    Some((_, members)) => members.extend(member),
                    None => open.push((common, member.into_iter().collect())),
                }
            }
            let is_set = |common: &Common| instruction.writes.contains(&Some(common.base));
            let ends = instruction.op.ends_block() || matches!(instruction.op, Op::Barrier | Op::Call(_));
            close(&mut open, &mut out, |common| ends || is_set(common));
        }
        close(&mut open, &mut out, |_| true);
    }
    out
}

/// The register that the address of a load or store is in, with the distance from it.
fn based(instruction: &Instruction) -> Option<(Common, i64)> {
    if !matches!(instruction.op, Op::Load { .. } | Op::Store { .. }) {
        return None;
    }
    let address = instruction.reads.iter().find_map(|operand| match operand {
        Operand::Address(Some(base), distance) => Some((*base, *distance)),
        _ => None,
    });
    let (base, distance) = address?;
    let lines = (instruction.loc, instruction.inlined_at);
    Some((Common { base, guard: instruction.guard, does: Does::of(instruction.op), lines }, distance))
}

/// Takes the groups out that end here.
fn close(open: &mut Vec<(Common, Vec<Member>)>, out: &mut Vec<Adjacent>, ends: impl Fn(&Common) -> bool) {
    for (_, mut members) in open.extract_if(.., |(common, _)| ends(common)) {
        members.sort_by_key(|member| member.distance);
        let follows = |x: &Member, y: &Member| x.distance.checked_add(x.bytes as i64) == Some(y.distance);
        for run in members.chunk_by(follows).filter(|run| run.len() > 1) {
            let bytes = run.iter().map(|member| member.bytes).sum();
            if bytes <= SECTOR as u64 {
                out.push(Adjacent { members: run.iter().map(|member| member.number).collect(), bytes });
            }
        }
    }
}
