//! Spills to shared memory: values that only pass through the regions of highest pressure wait in shared memory meanwhile.
//!
//! You and Tsai, "Compiler-Assisted Resource Management for CUDA Programs", section 2.3, Algorithm 2. Their slots lie
//! thread by thread (equation 3), so that lanes share banks; here they lie slot by slot, a word of each thread beside
//! the next one's: 32 lanes, 32 banks. A value of 64 bits takes two slots. Each value is stored behind each of its
//! definitions that is read behind the regions, and loaded before uses behind the regions, so that a slot holds what
//! the register does on all paths. The accesses are volatile, since ptxas would forward the stored value in a register
//! otherwise (section 2.4).

use super::choice::{self, Candidate, Reason, Refused};
use super::edit::{Edits, Names};
use super::ranges::{Ranges, Region};
use crate::ptx::module::{Function, Module, Operand, Symbol};
use crate::ptx::op::Op;
use crate::ptx::types::{Scalar, Space, Special};
use std::collections::{BTreeMap, BTreeSet};

/// Bytes of a slot of a thread.
pub const SLOT: u32 = 4;
/// Bytes of shared memory that a block may declare, on every machine so far.
const MOST_STATIC: u64 = 48 * 1024;

/// Slots in shared memory of one kernel, as far as they are taken.
#[derive(Debug, Clone)]
pub struct Slots {
    /// Threads of a block at most.
    pub threads: u32,
    /// Slots that there is room for.
    pub most: u32,
    pub taken: u32,
    /// Their variable, and the register with the address of the thread's first slot.
    names: Option<(String, String)>,
}

impl Slots {
    /// Slots for blocks of so many threads, within some bytes of shared memory that the launch leaves for them.
    pub fn new(threads: u32, bytes: u32) -> Slots {
        Slots { threads, most: bytes / SLOT / threads.max(1), taken: 0, names: None }
    }

    fn declaration(&self, variable: &str) -> String {
        format!(".shared .align 16 .b8 {variable}[{}];", u64::from(self.taken * SLOT) * u64::from(self.threads))
    }
}

/// Obstacle to spills in a kernel, and a remedy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Declined {
    pub why: String,
    pub help: String,
}

/// Bytes of shared memory that slots of a kernel may take while so many bytes of it are left to a block.
///
/// # Errors
/// A kernel whose shared memory is not known, or that depends on how much of it there is.
pub fn room(module: &Module, function: &Function, dynamic: u32, left: u32) -> Result<u32, Declined> {
    let declined = |why: String, help: &str| Err(Declined { why, help: help.into() });
    let mut variables: BTreeSet<usize> = BTreeSet::new();
    for instruction in &function.code {
        for operand in &instruction.reads {
            match operand {
                Operand::Symbol(Symbol::Module(variable), _) => drop(variables.insert(*variable)),
                Operand::Special(Special::TotalShared) => {
                    return declined(
                        "it reads how much shared memory it has".into(),
                        "such a kernel can be bounded, but not be spilled to shared memory",
                    );
                }
                Operand::Address(None, _) if is_shared(instruction.op) => {
                    return declined(
                        "it names a place in shared memory by a number".into(),
                        "declare an array in shared memory instead",
                    );
                }
                _ => {}
            }
        }
    }
    let mut used: u64 = function.variables.iter().filter(|v| v.space == Space::Shared).map(|v| v.bytes).sum();
    for variable in variables.into_iter().map(|variable| &module.variables[variable]) {
        if variable.space != Space::Shared {
            continue;
        }
        if variable.is_extern && dynamic == 0 {
            return declined(
                format!("its dynamic shared memory `{}` has an unknown size", variable.name),
                "--shared says how many bytes the launch asks for",
            );
        }
        used += variable.bytes;
    }
    let room = MOST_STATIC.saturating_sub(used.next_multiple_of(16)).min(u64::from(left));
    Ok(u32::try_from(room).unwrap_or(0))
}

fn is_shared(op: Op) -> bool {
    match op {
        Op::Load { space, .. } | Op::Store { space, .. } | Op::Atomic { space, .. } => space == Space::Shared,
        Op::AsyncCopy { .. } => true,
        _ => false,
    }
}

/// The edits by which the best candidate that is not among `tried` leaves the regions, with its name and the slots that are
/// taken then.
///
/// # Errors
/// Values that do not qualify, by reason.
pub fn step(
    text: &str,
    ranges: &Ranges,
    slots: &Slots,
    tried: &BTreeSet<String>,
) -> Result<(String, Edits, Slots), Refused> {
    let test = |register: usize, regions: &[Region]| tested(ranges, register, regions);
    let (candidates, refused) = choice::candidates(ranges, tried, &test);
    let words = |candidate: &Candidate| ranges.function.registers[candidate.register].words();
    let best = candidates.iter().find(|candidate| slots.taken + words(candidate) <= slots.most).ok_or(refused)?;
    let mut after = slots.clone();
    after.taken += words(best);
    let name = ranges.function.registers[best.register].name.clone();
    let edits = edits(text, ranges, best, (slots, &mut after));
    Ok((name, edits, after))
}

fn tested(ranges: &Ranges, register: usize, regions: &[Region]) -> Result<Candidate, Reason> {
    let function = ranges.function;
    if !matches!(function.registers[register].ty.bits(), 16 | 32 | 64) {
        return Err(Reason::Width);
    }
    let definitions = &ranges.definitions[register];
    if definitions.is_empty() || definitions.iter().any(|&at| function.code[at].guard.is_some()) {
        return Err(Reason::Several);
    }
    let groups = choice::uses(ranges, register, regions)?;
    let definitions = stored(ranges, register, &groups);
    let depth = regions.iter().map(|region| ranges.depth(region.first)).min().unwrap_or(0);
    if definitions.iter().any(|&at| ranges.depth(at) > depth) {
        return Err(Reason::InnerLoop);
    }
    let places = definitions.iter().chain(groups.iter().map(|group| &group[0]));
    let words = u64::from(function.registers[register].words());
    let cost = places.map(|&at| ranges.weight(at) * words).sum();
    Ok(Candidate { register, groups, cost })
}

/// Definitions of a register that a use of these groups may read.
fn stored(ranges: &Ranges, register: usize, groups: &[Vec<usize>]) -> Vec<usize> {
    let is_read = |&&at: &&usize| {
        let uses = ranges.uses_behind(register, &[Region { first: at, last: at }]);
        groups.iter().flatten().any(|at| uses.contains(at))
    };
    ranges.definitions[register].iter().filter(is_read).copied().collect()
}

/// Stores a value behind its definitions, and loads it before each group of its uses.
fn edits(text: &str, ranges: &Ranges, candidate: &Candidate, (before, slots): (&Slots, &mut Slots)) -> Edits {
    let function = ranges.function;
    let register = &function.registers[candidate.register];
    let (mut names, mut edits) = (Names::new(text), Edits::default());
    let (address, prologue) = address(text, &mut names, &mut edits, function, (before, slots));
    for at in stored(ranges, candidate.register, &candidate.groups) {
        let line = accesses(&mut names, "st", &register.name, register.ty, (&address, before));
        edits.insert(function.code[at].span.end, format!("\n\t{line}"));
    }
    for group in &candidate.groups {
        let name = names.register(register.ty);
        let line = accesses(&mut names, "ld", &name, register.ty, (&address, before));
        edits.insert(function.code[group[0]].span.start, format!("{line}\n\t"));
        edits.read_from(function, text, group, &BTreeMap::from([(candidate.register, name)]));
    }
    edits.insert(function.body, names.declarations() + &prologue);
    edits
}

/// Instructions that store or load a value at the next slot that is free.
fn accesses(names: &mut Names, does: &str, value: &str, ty: Scalar, (address, slots): (&str, &Slots)) -> String {
    let at = |slot: u32| u64::from((slots.taken + slot) * SLOT) * u64::from(slots.threads);
    let access = |bits: u32, value: &str, slot: u32| match does {
        "st" => format!("st.volatile.shared.b{bits} [{address}+{}], {value};", at(slot)),
        _ => format!("ld.volatile.shared.b{bits} {value}, [{address}+{}];", at(slot)),
    };
    if ty.bits() < 64 {
        return access(ty.bits(), value, 0);
    }
    let (low, high) = (names.register(Scalar::B32), names.register(Scalar::B32));
    let both = format!("{} {}", access(32, &low, 0), access(32, &high, 1));
    match does {
        "st" => format!("mov.b64 {{{low}, {high}}}, {value}; {both}"),
        _ => format!("{both} mov.b64 {value}, {{{low}, {high}}};"),
    }
}

/// The register with the address of the thread's first slot, and what computes it at the beginning of the body the first time, behind
/// the declaration of the slots. Threads count as `tid.x + ntid.x * (tid.y + ntid.y * tid.z)`.
fn address(
    text: &str,
    names: &mut Names,
    edits: &mut Edits,
    function: &Function,
    (before, slots): (&Slots, &mut Slots),
) -> (String, String) {
    if let Some((variable, address)) = &before.names {
        let declaration = before.declaration(variable);
        if let Some(at) = text.get(function.body..).and_then(|body| body.find(&declaration)) {
            let at = function.body + at;
            edits.replace(at..at + declaration.len(), slots.declaration(variable));
        }
        return (address.clone(), String::new());
    }
    let variable =
        (0..).map(|n| format!("rt_spill_{n}")).find(|name| !text.contains(name.as_str())).unwrap_or_default();
    let mut register = || names.register(Scalar::B32);
    let (address, extent, position) = (register(), register(), register());
    let lines = [
        slots.declaration(&variable),
        format!("mov.u32 {address}, %tid.z; mov.u32 {extent}, %ntid.y; mov.u32 {position}, %tid.y;"),
        format!("mad.lo.u32 {address}, {address}, {extent}, {position};"),
        format!("mov.u32 {extent}, %ntid.x; mov.u32 {position}, %tid.x;"),
        format!("mad.lo.u32 {address}, {address}, {extent}, {position}; shl.b32 {address}, {address}, 2;"),
        format!("mov.u32 {extent}, {variable}; add.u32 {address}, {address}, {extent};"),
    ];
    slots.names = Some((variable, address.clone()));
    (address, lines.map(|line| format!("\n\t{line}")).concat())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ptx::read;

    const PEAK: &str = "mov.u32 %r10, 1; mov.u32 %r11, 2; mov.u32 %r12, 3; mov.u32 %r13, 4; add.u32 %r10, %r10, %r11; \
                        add.u32 %r10, %r10, %r12; add.u32 %r10, %r10, %r13;";

    fn kernel(before: &str, behind: &str) -> String {
        let registers = ".reg .pred %p<9>; .reg .b32 %r<20>; .reg .b16 %h; .reg .b64 %rd<9>;";
        format!(
            ".version 8.0\n.target sm_90\n.address_size 64\n.extern .shared .align 16 .b8 dynamic[];\n\
             .entry k(.param .u64 a) {{ {registers}\nld.param.u64 %rd1, [a]; {before}\n{PEAK}\n{behind}\n\
             st.global.u32 [%rd1], %r10; ret; }}"
        )
    }

    fn step_of(before: &str, behind: &str) -> Result<(String, Slots), Refused> {
        let text = kernel(before, behind);
        let module = read::read(&text).unwrap();
        let ranges = Ranges::new(&module.functions[0]).unwrap();
        let tried = ["%rd1", "%r10", "%r11", "%r12", "%r13"].map(str::to_owned).into();
        let (_, edits, slots) = step(&text, &ranges, &Slots::new(64, 1024), &tried)?;
        let after = edits.apply(&text);
        assert!(read::read(&after).is_ok(), "{after}");
        Ok((after, slots))
    }

    #[test]
    fn values_wait_in_slots_of_a_word_for_each_thread() {
        let cases = [
            (
                "ld.global.u32 %r2, [%rd1];",
                "add.u32 %r10, %r10, %r2;",
                1,
                "ld.global.u32 %r2, [%rd1];\n\tst.volatile.shared.b32 [%rt_0+0], %r2;",
                "ld.volatile.shared.b32 %rt_3, [%rt_0+0];\n\tadd.u32 %r10, %r10, %rt_3;",
            ),
            (
                "ld.global.u64 %rd2, [%rd1];",
                "st.global.u64 [%rd1], %rd2;",
                2,
                "mov.b64 {%rt_3, %rt_4}, %rd2; st.volatile.shared.b32 [%rt_0+0], %rt_3; st.volatile.shared.b32 [%rt_0+256], %rt_4;",
                "mov.b64 %rt_5, {%rt_6, %rt_7};\n\tst.global.u64 [%rd1], %rt_5;",
            ),
            (
                "ld.global.u16 %h, [%rd1];",
                "st.global.u16 [%rd1], %h;",
                1,
                "st.volatile.shared.b16 [%rt_0+0], %h;",
                "ld.volatile.shared.b16 %rt_3, [%rt_0+0];",
            ),
        ];
        for (before, behind, taken, stored, loaded) in cases {
            let (after, slots) = step_of(before, behind).unwrap_or_else(|refused| panic!("{before}: {refused:?}"));
            assert!(after.contains(stored) && after.contains(loaded) && slots.taken == taken, "{before}\n{after}");
            assert!(after.contains(&format!(".b8 rt_spill_0[{}];", 256 * taken)), "{after}");
        }
    }

    #[test]
    fn values_that_stay_are_told_of() {
        let cases = [
            (
                "mov.u32 %r2, 7; setp.eq.u64 %p1, %rd1, 0; @%p1 mov.u32 %r2, 6;",
                "add.u32 %r10, %r10, %r2;",
                Reason::Several,
            ),
            (
                "ld.global.u32 %r2, [%rd1];",
                "L: add.u32 %r10, %r10, %r2; setp.lt.u32 %p2, %r10, 99; @%p2 bra L;",
                Reason::InnerLoop,
            ),
            (
                "mov.u32 %r2, 0; L: add.u32 %r2, %r2, 3; setp.lt.u32 %p2, %r2, 99; @%p2 bra L;",
                "add.u32 %r10, %r10, %r2;",
                Reason::InnerLoop,
            ),
        ];
        for (before, behind, reason) in cases {
            let refused = step_of(before, behind).expect_err(before);
            assert!(refused.contains_key(&reason), "{before}: {refused:?}");
        }
    }

    #[test]
    fn kernels_whose_shared_memory_is_not_known_are_declined() {
        let told = |before: &str, dynamic| {
            let module = read::read(&kernel(before, "")).unwrap();
            room(&module, &module.functions[0], dynamic, 1 << 20).map_err(|declined| declined.why)
        };
        assert_eq!(told("", 0), Ok(48 << 10));
        let uses = "mov.u32 %r1, dynamic;";
        assert!(told(uses, 0).is_err_and(|why| why.contains("`dynamic` has an unknown size")));
        assert_eq!(told(uses, 512), Ok(48 << 10));
        assert_eq!(told(".shared .align 4 .b8 own[1000]; mov.u32 %r1, own;", 0), Ok((48 << 10) - 1008));
        assert!(told("mov.u32 %r1, %total_smem_size;", 0).is_err_and(|why| why.contains("how much shared memory")));
        assert!(told("ld.shared.u32 %r1, [16];", 0).is_err_and(|why| why.contains("by a number")));
    }
}
