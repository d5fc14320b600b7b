//! A PTX module as data: functions, registers, variables, instructions with their source lines.
//!
//! Numbers of things that stand in lists are plain `usize`: registers and variables of a function, instructions of its
//! code. Vector operands are flattened: `ld.v4` writes four registers, `st.v4` reads an address and four values.

use super::op::Op;
use super::types::{Scalar, Space, Special};
use std::collections::BTreeMap;
use std::ops::Range;

/// Declarations of a PTX file.
#[derive(Debug, Clone, Default)]
pub struct Module {
    /// `sm_90`.
    pub target: String,
    /// Source files, by the number that `.loc` has for them.
    pub files: BTreeMap<u32, String>,
    /// Variables outside functions.
    pub variables: Vec<Variable>,
    /// Kernels and functions that have a body, in their order.
    pub functions: Vec<Function>,
}

/// A variable in memory, or a parameter.
#[derive(Debug, Clone, PartialEq)]
pub struct Variable {
    pub name: String,
    pub space: Space,
    /// Type of an element.
    pub ty: Scalar,
    /// Form of an array; its extent may be open (`.extern .shared`), which is 0 bytes.
    pub is_array: bool,
    pub bytes: u64,
    pub align: u64,
    /// The bytes that it begins with; the rest is zero.
    pub init: Vec<u8>,
    /// Addresses that its bytes hold: where, of which variable, how far in it.
    pub addresses: Vec<(usize, String, i64)>,
    /// Place elsewhere: dynamic shared memory.
    pub is_extern: bool,
}

/// Bounds of a launch that a kernel is compiled for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LaunchBounds {
    /// `.maxntid`: the most threads a block, as x, y, z.
    pub most: Option<[u32; 3]>,
    /// `.reqntid`: the block that a launch has to have.
    pub required: Option<[u32; 3]>,
    /// `.minnctapersm`: blocks a multiprocessor.
    pub blocks: Option<u32>,
    /// `.maxnreg`: the most registers a thread.
    pub registers: Option<u32>,
}

/// A kernel or a function.
#[derive(Debug, Clone, Default)]
pub struct Function {
    pub name: String,
    pub is_kernel: bool,
    /// Its results and parameters, which stand first among its variables, in this order.
    pub results: usize,
    pub parameters: usize,
    /// Variables of shared, local and parameter space, in scopes of it, too.
    pub variables: Vec<Variable>,
    /// Registers that it names.
    pub registers: Vec<Register>,
    pub code: Vec<Instruction>,
    pub bounds: LaunchBounds,
    /// Targets of `brx.idx`, by table.
    pub tables: Vec<Vec<usize>>,
    /// Parameters that calls pass.
    pub calls: Vec<Call>,
    /// Instructions that the reader does not know.
    pub unknown: Vec<Unknown>,
    /// Line of the PTX text.
    pub line: u32,
    /// Bytes of the text between parameters and body: launch bounds.
    pub directives: Range<usize>,
    /// Byte of the text behind the brace that opens its body.
    pub body: usize,
    /// Bytes of the text: all of it, with its linkage.
    pub span: Range<usize>,
}

impl Function {
    /// Its parameters.
    pub fn parameters(&self) -> &[Variable] {
        &self.variables[self.results..self.results + self.parameters]
    }

    /// The name in the source, where the mangled one tells it: `_Z4rowsPKfPfi` is `rows`.
    pub fn source_name(&self) -> &str {
        source_name(&self.name).unwrap_or(&self.name)
    }
}

/// The last part of the name that a mangled one begins with.
fn source_name(name: &str) -> Option<&str> {
    let rest = name.strip_prefix("_Z")?;
    let (mut rest, is_nested) = rest.strip_prefix('N').map_or((rest, false), |rest| (rest, true));
    rest = rest.trim_start_matches('L');
    let mut last = None;
    loop {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let Some(length) = rest[..digits].parse::<usize>().ok().filter(|&length| length > 0) else { return last };
        last = Some(rest.get(digits..digits.checked_add(length)?)?);
        rest = &rest[digits + length..];
        if !is_nested {
            return last;
        }
    }
}

/// A register of a function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Register {
    pub name: String,
    pub ty: Scalar,
    /// Declaration in braces within the body: outside of them the name means nothing, or another register.
    pub is_inner: bool,
}

impl Register {
    /// 32-bit registers of the machine that a value takes; predicates have their own.
    pub fn words(&self) -> u32 {
        match self.ty {
            Scalar::Pred => 0,
            ty => ty.bits().div_ceil(32),
        }
    }
}

/// A call of a function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    pub callee: String,
    /// Variables of the caller's parameter space.
    pub results: Vec<usize>,
    pub arguments: Vec<usize>,
}

/// An instruction that is not known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unknown {
    /// Its opcode, as written.
    pub opcode: String,
    /// Line of the PTX text.
    pub line: u32,
}

/// A place in the source, by `.loc`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Loc {
    /// Number of the file.
    pub file: u32,
    pub line: u32,
}

/// An instruction.
#[derive(Debug, Clone, PartialEq)]
pub struct Instruction {
    /// The predicate under which a lane takes part, and whether it has to be false.
    pub guard: Option<(usize, bool)>,
    pub op: Op,
    /// Registers that it writes; `None` is the sink `_`.
    pub writes: Vec<Option<usize>>,
    pub reads: Vec<Operand>,
    /// Line of the PTX text.
    pub line: u32,
    /// The source line that it belongs to.
    pub loc: Option<Loc>,
    /// Of inlined code, the line of the function whose body holds all of it that the call stands on.
    pub inlined_at: Option<Loc>,
    /// Of inlined code, until its files are known: the lines that it may belong to, the innermost first.
    pub within: Vec<Loc>,
    /// Bytes of the text: from its guard or opcode to behind its `;`. A label before it is no part of it.
    pub span: Range<usize>,
}

/// Operand that is read.
#[derive(Debug, Clone, PartialEq)]
pub enum Operand {
    Register(usize),
    /// The opposite of a predicate.
    Not(usize),
    /// The bits of a number, of the type that the instruction reads.
    Bits(u64),
    Special(Special),
    /// The address of a variable, and bytes beyond it.
    Symbol(Symbol, i64),
    /// The address in a register, and bytes beyond it; without a register, a number.
    Address(Option<usize>, i64),
}

/// A variable that is named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Symbol {
    /// Of the module.
    Module(usize),
    /// Of the function.
    Function(usize),
}

impl Instruction {
    /// Registers that it reads, its guard too; one may come twice.
    pub fn registers_read(&self) -> impl Iterator<Item = usize> {
        let read = self.reads.iter().filter_map(|operand| match operand {
            Operand::Register(r) | Operand::Not(r) | Operand::Address(Some(r), _) => Some(*r),
            _ => None,
        });
        read.chain(self.guard.map(|(register, _)| register))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_the_source() {
        for (mangled, plain) in [
            ("_Z4rowsPKfPfi", Some("rows")),
            ("_ZN2my5spaceEv", Some("space")),
            ("_ZL4rowsv", Some("rows")),
            ("rows", None),
            ("_Z99rows", None),
            ("_Z", None),
            ("_Z18446744073709551615a", None),
        ] {
            assert_eq!(source_name(mangled), plain, "{mangled}");
        }
    }
}
