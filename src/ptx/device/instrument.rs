//! Kernels instrumented to record their accesses to global memory themselves, and the records read back.
//!
//! Before each access a call hands its number and its address to a function of PTX. The lanes that come there together for one access
//! take one place of the buffer: the lane that is first counts it up, and hands it to the others by a shuffle. (Lanes that called from
//! two places in the text may come together, too: a GPU lets them meet wherever they run the same instruction.)
//!
//! ```text
//! place   access u32 | mask u32 | block u64 | warp u32 | unused | 32 addresses u64      280 bytes
//! ```
//! Places that the buffer does not have are counted, and left out. A thread's accesses stand in their order, since each takes its place
//! before the next is made: so executions are counted when the buffer is read. The text runs on a GPU as it does in
//! [`super::super::run`].

use crate::ptx::module::{Function, Instruction, Module, Operand, Symbol};
use crate::ptx::op::Op;
use crate::ptx::read;
use crate::ptx::registers::edit::Edits;
use crate::ptx::registers::passes::alone;
use crate::ptx::run::memory::{Memory, load};
use crate::ptx::run::program::accesses;
use crate::ptx::run::watch::{Does, LANES, Request, Watch, lanes};
use crate::ptx::source::Unit;
use std::collections::{BTreeMap, BTreeSet};

/// Variables of the module: the places, and the number of those that were wanted.
pub const PLACES: &str = "rt_trace_places";
pub const COUNT: &str = "rt_trace_count";
/// Bytes of a place, and of what stands before its addresses.
pub const PLACE: usize = HEAD + 8 * LANES;
const HEAD: usize = 24;

/// The PTX of a kernel alone, which records up to so many requests of warps. `None`: the kernel alone is not read.
pub fn instrumented(unit: &Unit, kernel: usize, places: u64) -> Option<String> {
    let name = &unit.module.functions[kernel].name;
    let text = alone(&unit.text, &unit.module, name);
    let module = read::read(&text).ok()?;
    let kernel = module.functions.iter().position(|function| function.name == *name)?;
    let mut edits = Edits::default();
    edits.insert(module.functions.iter().map(|function| function.span.start).min()?, recorder(places));
    for (number, &(function, at)) in accesses(&module, kernel).iter().enumerate() {
        let function = &module.functions[function];
        let instruction = &function.code[at];
        edits.insert(instruction.span.start, call(&module, function, instruction, number)?);
    }
    Some(edits.apply(&text))
}

/// A call before an access.
fn call(module: &Module, function: &Function, instruction: &Instruction, number: usize) -> Option<String> {
    let is_copy = matches!(instruction.op, Op::AsyncCopy { .. });
    let register = |register: usize| &function.registers[register].name;
    let (base, offset) = match *instruction.reads.get(usize::from(is_copy))? {
        Operand::Address(Some(base), offset) => (register(base).clone(), offset),
        Operand::Address(None, offset) => ("0".into(), offset),
        Operand::Symbol(Symbol::Module(variable), offset) => (module.variables[variable].name.clone(), offset),
        Operand::Symbol(Symbol::Function(variable), offset) => (function.variables[variable].name.clone(), offset),
        _ => return None,
    };
    let guard = instruction.guard.map_or(String::new(), |(predicate, is_negated)| {
        format!("@{}{} ", if is_negated { "!" } else { "" }, register(predicate))
    });
    // A copy of no bytes reads nothing: address 0 is no array's.
    let unread = match instruction.reads.get(3).filter(|_| is_copy) {
        Some(Operand::Register(size)) => format!(
            "\t.reg .pred %rt_reads;\n\tsetp.ne.u32 %rt_reads, {}, 0;\n\tselp.b64 %rt_address, %rt_address, 0, %rt_reads;\n",
            register(*size)
        ),
        Some(Operand::Bits(0)) => "\tmov.u64 %rt_address, 0;\n".into(),
        _ => String::new(),
    };
    Some(format!(
        "{{\n\t.reg .b64 %rt_address;\n\tmov.u64 %rt_address, {base};\n\tadd.s64 %rt_address, %rt_address, {offset};\n{unread}\
         \t.param .b32 rt_access_of_call;\n\tst.param.b32 [rt_access_of_call], {number};\n\
         \t.param .b64 rt_address_of_call;\n\tst.param.b64 [rt_address_of_call], %rt_address;\n\
         \t{guard}call rt_trace, (rt_access_of_call, rt_address_of_call);\n\t}}\n\t"
    ))
}

/// The function that records, and its buffer.
fn recorder(places: u64) -> String {
    let bytes = places * PLACE as u64;
    format!(
        "
.visible .global .align 8 .b8 {PLACES}[{bytes}];
.visible .global .align 8 .u64 {COUNT};
.func rt_trace(.param .b32 rt_access, .param .b64 rt_address)
{{
	.reg .pred %is_first, %is_full;
	.reg .b32 %access, %active, %mask, %below, %first, %low, %high, %lane, %n, %m, %k, %thread, %warp;
	.reg .b64 %at, %count, %address, %offset, %block, %grid, %wide;
	ld.param.u32 %access, [rt_access];
	ld.param.u64 %address, [rt_address];
	activemask.b32 %active;
	match.any.sync.b32 %mask, %access, %active;
	mov.u32 %below, %lanemask_lt;
	and.b32 %below, %below, %mask;
	setp.eq.u32 %is_first, %below, 0;
	brev.b32 %first, %mask;
	clz.b32 %first, %first;
	mov.u64 %count, 0;
	@%is_first atom.global.add.u64 %count, [{COUNT}], 1;
	mov.b64 {{%low, %high}}, %count;
	shfl.sync.idx.b32 %low, %low, %first, 31, %mask;
	shfl.sync.idx.b32 %high, %high, %first, 31, %mask;
	mov.b64 %count, {{%low, %high}};
	setp.ge.u64 %is_full, %count, {places};
	@%is_full bra DONE;
	mov.u64 %at, {PLACES};
	mul.lo.u64 %count, %count, {PLACE};
	add.u64 %at, %at, %count;
	mov.u32 %lane, %laneid;
	mul.wide.u32 %offset, %lane, 8;
	add.u64 %offset, %offset, %at;
	st.global.u64 [%offset+{HEAD}], %address;
	@!%is_first bra DONE;
	mov.u32 %n, %ctaid.z;
	mov.u32 %m, %nctaid.y;
	mov.u32 %k, %ctaid.y;
	mad.lo.u32 %n, %n, %m, %k;
	mov.u32 %m, %nctaid.x;
	mul.wide.u32 %block, %n, %m;
	mov.u32 %k, %ctaid.x;
	cvt.u64.u32 %wide, %k;
	add.u64 %block, %block, %wide;
	mov.u32 %thread, %tid.z;
	mov.u32 %m, %ntid.y;
	mov.u32 %k, %tid.y;
	mad.lo.u32 %thread, %thread, %m, %k;
	mov.u32 %m, %ntid.x;
	mov.u32 %k, %tid.x;
	mad.lo.u32 %thread, %thread, %m, %k;
	shr.u32 %warp, %thread, 5;
	st.global.u32 [%at], %access;
	st.global.u32 [%at+4], %mask;
	st.global.u64 [%at+8], %block;
	st.global.u32 [%at+16], %warp;
DONE:
	ret;
}}
"
    )
}

/// Array of a launch, where the run had it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Placed {
    /// Number in the launch's memory.
    pub array: usize,
    /// Address of its first byte.
    pub address: u64,
    pub bytes: u64,
}

/// Tells an observer of the requests that places hold, as if the launch ran now: of lanes that lie in an array.
pub fn tell(unit: &Unit, kernel: usize, places: &[u8], arrays: &[Placed], memory: &Memory, watch: &mut dyn Watch) {
    let ops: Vec<Op> =
        accesses(&unit.module, kernel).iter().map(|&(f, at)| unit.module.functions[f].code[at].op).collect();
    let wanted: Option<BTreeSet<u64>> = watch.blocks().map(|blocks| blocks.into_iter().collect());
    let mut sorted = arrays.to_vec();
    sorted.sort_unstable_by_key(|placed| placed.address);
    let mut executions: BTreeMap<(usize, u64, u32), [u32; LANES]> = BTreeMap::new();
    for place in places.chunks_exact(PLACE) {
        let word = |from: usize, bytes: usize| load(&place[from..from + bytes]);
        let (access, active, block, warp) = (word(0, 4) as usize, word(4, 4) as u32, word(8, 8), word(16, 4) as u32);
        let Some(&op) = ops.get(access) else { continue };
        if wanted.as_ref().is_some_and(|wanted| !wanted.contains(&block)) {
            continue;
        }
        let (mut addresses, mut mask) = ([0; LANES], 0);
        for lane in lanes(active) {
            let address = word(HEAD + 8 * lane, 8);
            let before = sorted.partition_point(|placed| placed.address <= address);
            let Some(placed) = before.checked_sub(1).map(|found| sorted[found]) else { continue };
            if address + op.bytes() <= placed.address + placed.bytes {
                addresses[lane] = Memory::address(placed.array) + (address - placed.address);
                mask |= 1 << lane;
            }
        }
        if mask == 0 {
            continue;
        }
        let made = executions.entry((access, block, warp)).or_insert([0; LANES]);
        let (does, bytes) = (Does::of(op), op.bytes());
        watch.request(
            memory,
            &Request { access, does, block, warp, mask, addresses: &addresses, executions: made, bytes },
        );
        lanes(mask).for_each(|lane| made[lane] += 1);
    }
}
