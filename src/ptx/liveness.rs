//! Liveness of registers: which values are still needed where, counted in the machine's registers of 32 bits.
//!
//! These are PTX's registers, before ptxas allocates and schedules: what is needed at least where the text's order is kept.

use super::graph::Graph;
use super::module::Function;
use super::types::Scalar;

/// Words of all sets of blocks together, beyond which a function is not looked at.
const MOST_WORDS: usize = 1 << 25;

/// Values that are needed at an instruction: the more of before and behind it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Pressure {
    /// Registers of 32 bits.
    pub registers: u32,
    pub predicates: u32,
}

/// Registers, by bit.
pub type Set = Vec<u64>;

/// Live registers behind each block of a function.
#[derive(Debug)]
pub struct Liveness {
    pub graph: Graph,
    out: Vec<Set>,
}

impl Liveness {
    /// Liveness of a function; `None` where it is too large.
    pub fn new(function: &Function) -> Option<Liveness> {
        let graph = Graph::new(function);
        let words = function.registers.len().div_ceil(64);
        if graph.blocks.len().saturating_mul(words) > MOST_WORDS {
            return None;
        }
        let out = live_out(function, &graph, words);
        Some(Liveness { graph, out })
    }

    /// Walks all blocks backwards and shows, for each instruction, its number, what is live before it and what behind it.
    pub fn walk(&self, function: &Function, mut show: impl FnMut(usize, &Set, &Set)) {
        let mut nobody = Pressure::default();
        for (block, out) in self.graph.blocks.iter().zip(&self.out) {
            let mut live = out.clone();
            for at in (block.start..block.end).rev() {
                let behind = live.clone();
                step(function, at, &mut live, &mut nobody);
                show(at, &live, &behind);
            }
        }
    }

    /// The pressure at each instruction.
    pub fn pressure(&self, function: &Function) -> Vec<Pressure> {
        let mut found = vec![Pressure::default(); function.code.len()];
        for (block, out) in self.graph.blocks.iter().zip(&self.out) {
            let mut live = out.clone();
            let mut now = Pressure::default();
            (0..function.registers.len()).filter(|&r| has(&live, r)).for_each(|r| count(&mut now, function, r, true));
            for at in (block.start..block.end).rev() {
                let behind = with_results(function, at, &live, now);
                step(function, at, &mut live, &mut now);
                found[at] = Pressure {
                    registers: behind.registers.max(now.registers),
                    predicates: behind.predicates.max(now.predicates),
                };
            }
        }
        found
    }
}

/// The pressure at each instruction; `None` where the function is too large.
pub fn pressure(function: &Function) -> Option<Vec<Pressure>> {
    Some(Liveness::new(function)?.pressure(function))
}

/// Pressure behind an instruction, with its results where nobody needs them, too.
fn with_results(function: &Function, at: usize, live: &Set, mut now: Pressure) -> Pressure {
    let results = function.code[at].writes.iter().flatten();
    results.filter(|&&r| !has(live, r)).for_each(|&r| count(&mut now, function, r, true));
    now
}

/// Test that a register is in a set.
pub fn has(set: &Set, register: usize) -> bool {
    set[register / 64] >> (register % 64) & 1 == 1
}

fn count(pressure: &mut Pressure, function: &Function, register: usize, comes: bool) {
    let register = &function.registers[register];
    let (into, n) = if register.ty == Scalar::Pred {
        (&mut pressure.predicates, 1)
    } else {
        (&mut pressure.registers, register.words())
    };
    *into = if comes { *into + n } else { into.saturating_sub(n) };
}

/// Goes to before an instruction. What it writes under a guard stays live: the old value may stay.
fn step(function: &Function, at: usize, live: &mut Set, now: &mut Pressure) {
    let instruction = &function.code[at];
    if instruction.guard.is_none() {
        for &register in instruction.writes.iter().flatten() {
            if has(live, register) {
                live[register / 64] &= !(1 << (register % 64));
                count(now, function, register, false);
            }
        }
    }
    for register in instruction.registers_read() {
        if !has(live, register) {
            live[register / 64] |= 1 << (register % 64);
            count(now, function, register, true);
        }
    }
}

/// Registers that are live behind each block.
fn live_out(function: &Function, graph: &Graph, words: usize) -> Vec<Set> {
    let predecessors = graph.predecessors();
    let mut out = vec![vec![0u64; words]; graph.blocks.len()];
    let mut is_waiting = vec![true; graph.blocks.len()];
    let mut waiting: Vec<usize> = (0..graph.blocks.len()).collect();
    let mut nobody = Pressure::default();
    while let Some(number) = waiting.pop() {
        is_waiting[number] = false;
        let mut live = out[number].clone();
        let block = &graph.blocks[number];
        (block.start..block.end).rev().for_each(|at| step(function, at, &mut live, &mut nobody));
        for &before in &predecessors[number] {
            let mut changes = false;
            for (into, from) in out[before].iter_mut().zip(&live) {
                changes |= *into | from != *into;
                *into |= from;
            }
            if changes && !std::mem::replace(&mut is_waiting[before], true) {
                waiting.push(before);
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ptx::read;

    fn registers(body: &str) -> Vec<u32> {
        let head = ".version 8.0\n.target sm_90\n.address_size 64\n.entry k(.param .u64 a) {\n";
        let declared = ".reg .pred %p<9>; .reg .b32 %r<9>; .reg .b64 %rd<9>;\n";
        let module = read::read(&format!("{head}{declared}{body}}}")).unwrap();
        pressure(&module.functions[0]).unwrap().iter().map(|p| p.registers).collect()
    }

    #[test]
    fn values_take_registers_from_result_to_last_use() {
        let body = "mov.u32 %r1, 1; mov.u32 %r2, 2; add.u32 %r3, %r1, %r2; ld.param.u64 %rd1, [a]; st.global.u32 [%rd1], %r3; ret;";
        assert_eq!(registers(body), [1, 2, 2, 3, 3, 0]);
    }

    #[test]
    fn values_stay_live_round_a_loop_and_under_a_guard() {
        let body =
            "mov.u32 %r1, 9; mov.u32 %r2, 0; A: add.u32 %r2, %r2, %r1; setp.lt.u32 %p1, %r2, 99; @%p1 bra A; ret;";
        assert_eq!(registers(body), [1, 2, 2, 2, 2, 0]);
        let guarded = "mov.u32 %r1, 9; setp.lt.u32 %p1, %r1, 3; @%p1 mov.u32 %r1, 4; mov.u32 %r2, %r1; ret;";
        assert_eq!(registers(guarded), [1, 1, 1, 1, 0]);
    }
}
