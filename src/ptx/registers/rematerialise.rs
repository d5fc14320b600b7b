//! Rematerialisation: values that only pass through the regions of highest pressure are computed anew behind them.
//!
//! You and Tsai, "Compiler-Assisted Resource Management for CUDA Programs", section 2.2, Algorithm 1. A value qualifies by
//! their four conditions: its instruction is not long; its range covers the region, in which it is not accessed; the operands
//! are needed behind the region anyway; its definition is explicit. Here the operands may be recomputed, too, as long as these
//! conditions hold of them. That a value computed anew is the same is held by [`Available`], on all paths.
//!
//! ```text
//! add.s32 %r3, %r1, %r2;                     (gone: no use is left)
//! ...  the region, without %r3          ->   ...
//! mul.lo.s32 %r7, %r3, %r1;                  add.s32 %rt_0, %r1, %r2;  mul.lo.s32 %r7, %rt_0, %r1;
//! ```

use super::choice::{self, Candidate, Reason, Refused};
use super::edit::{self, Edits, Names};
use super::ranges::{Available, Ranges, Region};
use crate::ptx::module::{Instruction, Operand, Symbol};
use crate::ptx::op::{Function as Of, Op};
use crate::ptx::types::{Space, Special};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// Instructions by which one value may be computed anew.
const MOST_INSTRUCTIONS: usize = 4;

/// The edits by which the best candidate that is not among `tried` leaves the regions, with its name; `None`: there is none, and
/// why.
///
/// # Errors
/// Values that do not qualify, by reason.
pub fn step(text: &str, ranges: &Ranges, tried: &BTreeSet<String>) -> Result<(String, Edits), Refused> {
    let known = RefCell::new(BTreeMap::new());
    let test = |register: usize, regions: &[Region]| tested(ranges, &known, register, regions);
    let (candidates, refused) = choice::candidates(ranges, tried, &test);
    let best = candidates.first().ok_or(refused)?;
    let recipes = Recipes { ranges, known: &known };
    Ok((ranges.function.registers[best.register].name.clone(), edits(text, &recipes, best)))
}

/// Recipes of values; what is known of definitions is kept.
struct Recipes<'r, 'f> {
    ranges: &'r Ranges<'f>,
    known: &'r RefCell<BTreeMap<usize, Available<'r, 'f>>>,
}

fn tested<'r, 'f>(
    ranges: &'r Ranges<'f>,
    known: &'r RefCell<BTreeMap<usize, Available<'r, 'f>>>,
    register: usize,
    regions: &[Region],
) -> Result<Candidate, Reason> {
    let recipes = Recipes { ranges, known };
    recipes.definition(register)?;
    let groups = choice::uses(ranges, register, regions)?;
    let mut cost = 0;
    for group in &groups {
        let mut made = Vec::new();
        recipes.of(register, group[0], &mut made)?;
        cost += made.len() as u64 * ranges.weight(group[0]);
    }
    Ok(Candidate { register, groups, cost })
}

impl Recipes<'_, '_> {
    /// The one instruction that defines a register, if it is worth running again.
    fn definition(&self, register: usize) -> Result<usize, Reason> {
        let [definition] = self.ranges.definitions[register][..] else { return Err(Reason::Several) };
        let instruction = &self.ranges.function.code[definition];
        if instruction.guard.is_some() || instruction.writes.len() != 1 {
            return Err(Reason::Several);
        }
        if !is_short(self.ranges, instruction) {
            return Err(Reason::Long);
        }
        if instruction.registers_read().any(|read| read == register) {
            return Err(Reason::Written);
        }
        Ok(definition)
    }

    /// Registers that are to be computed anew before an instruction, operands first, for one of them.
    fn of(&self, register: usize, at: usize, made: &mut Vec<usize>) -> Result<(), Reason> {
        let definition = self.definition(register)?;
        if !self.is_available(definition, at) {
            return Err(Reason::Written);
        }
        for read in self.ranges.function.code[definition].registers_read() {
            if made.contains(&read) {
                continue;
            }
            if !self.ranges.is_plain[read] {
                return Err(Reason::Scope);
            }
            if !self.ranges.is_live(read, at) {
                self.of(read, at, made).map_err(|_| Reason::OperandsEnd)?;
            }
        }
        made.push(register);
        if made.len() > MOST_INSTRUCTIONS { Err(Reason::OperandsEnd) } else { Ok(()) }
    }

    fn is_available(&self, definition: usize, at: usize) -> bool {
        let mut known = self.known.borrow_mut();
        known.entry(definition).or_insert_with(|| Available::new(self.ranges, definition)).at(at)
    }
}

/// Test that an instruction takes a few cycles, and depends on nothing but its operands and the thread.
fn is_short(ranges: &Ranges, instruction: &Instruction) -> bool {
    let function = ranges.function;
    let parameter = |variable: usize| {
        let is_named_once =
            function.variables.iter().filter(|other| other.name == function.variables[variable].name).count() == 1;
        function.is_kernel
            && variable >= function.results
            && variable < function.results + function.parameters
            && is_named_once
    };
    let is_steady = instruction.reads.iter().all(|operand| match operand {
        Operand::Special(special) => matches!(
            special,
            Special::Tid(_) | Special::Ntid(_) | Special::Ctaid(_) | Special::Nctaid(_) | Special::Laneid
        ),
        _ => true,
    });
    let is_operation = match instruction.op {
        Op::Pure(pure) => !pure.carry_in && !pure.carry_out && is_short_function(pure.function),
        Op::Pack { .. } => true,
        Op::Load { space: Space::Param, count: 1, .. } => {
            matches!(instruction.reads[..], [Operand::Symbol(Symbol::Function(variable), _)] if parameter(variable))
        }
        _ => false,
    };
    is_steady && is_operation
}

fn is_short_function(function: Of) -> bool {
    !matches!(
        function,
        Of::Divide
            | Of::Remainder
            | Of::Reciprocal
            | Of::SquareRoot
            | Of::ReciprocalRoot
            | Of::Sine
            | Of::Cosine
            | Of::Log2
            | Of::Exp2
            | Of::Tanh
    )
}

/// Computes a value anew before each group of its uses; its definition goes where no use is left.
fn edits(text: &str, recipes: &Recipes, candidate: &Candidate) -> Edits {
    let ranges = recipes.ranges;
    let function = ranges.function;
    let (mut names, mut edits) = (Names::new(text), Edits::default());
    for group in &candidate.groups {
        let mut made = Vec::new();
        if recipes.of(candidate.register, group[0], &mut made).is_err() {
            continue;
        }
        let mut new: BTreeMap<usize, String> = BTreeMap::new();
        let mut lines = String::new();
        for &register in &made {
            let name = names.register(function.registers[register].ty);
            let definition = &function.code[ranges.definitions[register][0]];
            lines += &rounded_alone(&edit::with_result(function, definition, text, (&name, &new)));
            lines += "\n\t";
            new.insert(register, name);
        }
        new.retain(|&register, _| register == candidate.register);
        edits.insert(function.code[group[0]].span.start, lines);
        edits.read_from(function, text, group, &new);
    }
    let replaced: usize = candidate.groups.iter().map(Vec::len).sum();
    if replaced == ranges.uses[candidate.register].len() {
        let definition = &function.code[ranges.definitions[candidate.register][0]];
        edits.replace(definition.span.clone(), String::new());
    }
    edits.insert(function.body, names.declarations());
    edits
}

/// The text of an instruction whose result is a number by itself. A sum or product that says nothing of its rounding may become one
/// with what uses it (PTX ISA, `mul`, `add`), which what it stands in for seldom was, having other uses.
fn rounded_alone(text: &str) -> String {
    let (opcode, operands) = text.split_at(text.find(char::is_whitespace).unwrap_or(text.len()));
    let mut parts: Vec<&str> = opcode.split('.').collect();
    let is_sum_or_product = matches!(parts[0], "add" | "sub" | "mul");
    let is_floating = parts.last().is_some_and(|ty| ["f32", "f64"].contains(ty));
    if is_sum_or_product && is_floating && !parts.iter().any(|part| ["rn", "rz", "rm", "rp"].contains(part)) {
        parts.insert(1, "rn");
    }
    parts.join(".") + operands
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ptx::read;

    /// Values that are needed at once, with nothing else of them.
    const PEAK: &str = "mov.u32 %r10, 1; mov.u32 %r11, 2; mov.u32 %r12, 3; mov.u32 %r13, 4; add.u32 %r10, %r10, %r11; \
                        add.u32 %r10, %r10, %r12; add.u32 %r10, %r10, %r13;";

    fn kernel(before: &str, behind: &str) -> String {
        let registers = ".reg .pred %p<9>; .reg .b32 %r<20>; .reg .b64 %rd<9>;";
        format!(
            ".version 8.0\n.target sm_90\n.address_size 64\n.entry k(.param .u64 a, .param .u32 n) {{ {registers}\n\
             ld.param.u64 %rd1, [a]; {before}\n{PEAK}\n{behind} st.global.u32 [%rd1], %r10; ret; }}"
        )
    }

    /// All but the value of interest: the address, too, could be loaded anew from its parameter.
    fn passed_over() -> BTreeSet<String> {
        ["%rd1", "%r1", "%r10", "%r11", "%r12", "%r13"].map(str::to_owned).into()
    }

    fn step_of(before: &str, behind: &str) -> Result<String, Refused> {
        let text = kernel(before, behind);
        let module = read::read(&text).unwrap();
        let ranges = Ranges::new(&module.functions[0]).unwrap();
        let tried = passed_over();
        let (_, edits) = step(&text, &ranges, &tried)?;
        let after = edits.apply(&text);
        assert!(read::read(&after).is_ok(), "{after}");
        Ok(after)
    }

    #[test]
    fn values_are_computed_anew_where_operands_are_at_hand() {
        let cases = [
            // Of an operand that is needed anyway.
            (
                "mov.u32 %r1, %tid.x; add.u32 %r2, %r1, 7;",
                "add.u32 %r10, %r10, %r2; add.u32 %r10, %r10, %r1;",
                "mov.u32 %r1, %tid.x; \n",
                "add.u32 %rt_0, %r1, 7;\n\tadd.u32 %r10, %r10, %rt_0; add.u32 %r10, %r10, %r1;",
            ),
            // Of a parameter, with an operand that is computed anew itself.
            (
                "ld.param.u32 %r1, [n]; shl.b32 %r2, %r1, 2;",
                "xor.b32 %r10, %r2, %r10; add.u32 %r10, %r10, %r2;",
                "ld.param.u32 %r1, [n]; \n",
                "ld.param.u32 %rt_0, [n];\n\tshl.b32 %rt_1, %rt_0, 2;\n\txor.b32 %r10, %rt_1, %r10; add.u32 %r10, %r10, %rt_1;",
            ),
            // Of a product that could become one with the sum.
            (
                "mov.u32 %r1, %tid.x; mul.ftz.f32 %r2, %r1, %r1;",
                "add.f32 %r10, %r10, %r2; add.u32 %r10, %r10, %r1;",
                "mov.u32 %r1, %tid.x; \n",
                "mul.rn.ftz.f32 %rt_0, %r1, %r1;\n\tadd.f32 %r10, %r10, %rt_0;",
            ),
            // With uses before the region, too, whose definition stays.
            (
                "mov.u32 %r1, %tid.x; mad.lo.u32 %r2, %r1, 3, 1; st.global.u32 [%rd1], %r2;",
                "add.u32 %r10, %r10, %r2; add.u32 %r10, %r10, %r1;",
                "mad.lo.u32 %r2, %r1, 3, 1; st.global.u32 [%rd1], %r2;",
                "mad.lo.u32 %rt_0, %r1, 3, 1;\n\tadd.u32 %r10, %r10, %rt_0;",
            ),
        ];
        for (before, behind, stays, made) in cases {
            let after = step_of(before, behind).unwrap_or_else(|refused| panic!("{before}: {refused:?}"));
            assert!(after.contains(stays) && after.contains(made), "{before}\n{after}");
        }
    }

    #[test]
    fn conditions_that_fail_are_named() {
        let used = "add.u32 %r10, %r10, %r2;";
        let both = "add.u32 %r10, %r10, %r2; add.u32 %r10, %r10, %r1;";
        let cases = [
            ("ld.global.u32 %r2, [%rd1];", used, Reason::Long),
            ("mov.u32 %r1, 9; div.u32 %r2, %r1, 3;", both, Reason::Long),
            ("mov.u32 %r2, %clock;", used, Reason::Long),
            ("ld.global.u32 %r1, [%rd1]; add.u32 %r2, %r1, %r1;", used, Reason::OperandsEnd),
            (
                "setp.eq.u64 %p1, %rd1, 0; @%p1 bra A; mov.u32 %r2, 5; bra B; A: mov.u32 %r2, 6; B:",
                used,
                Reason::Several,
            ),
            ("setp.eq.u64 %p1, %rd1, 0; @%p1 mov.u32 %r2, 6;", used, Reason::Several),
            ("mov.u32 %r1, %tid.x; add.u32 %r2, %r1, 7; add.u32 %r1, %r1, %r1;", both, Reason::Written),
            (
                "mov.u32 %r2, 7;",
                "L: add.u32 %r10, %r10, %r2; setp.lt.u32 %p2, %r10, 99; @%p2 bra L;",
                Reason::InnerLoop,
            ),
            ("{ .reg .b32 %s; mov.u32 %s, 3; mov.u32 %r2, %s; }", used, Reason::Scope),
        ];
        for (before, behind, reason) in cases {
            let refused = step_of(before, behind).expect_err(before);
            assert!(refused.contains_key(&reason), "{before}: {refused:?}");
        }
        let accessed = kernel("mov.u32 %r2, 7;", "").replace("mov.u32 %r13, 4;", "mov.u32 %r13, %r2;");
        let module = read::read(&accessed).unwrap();
        let refused = step(&accessed, &Ranges::new(&module.functions[0]).unwrap(), &passed_over());
        assert!(refused.is_err_and(|refused| !refused.contains_key(&Reason::Long)), "it is accessed at the peak");
    }

    /// An operand is written on one path to the use, and not on the other.
    #[test]
    fn every_path_counts() {
        let behind = "setp.eq.u64 %p1, %rd1, 0; @%p1 bra C; add.u32 %r1, %r1, 1; C: add.u32 %r10, %r10, %r2; \
                      add.u32 %r10, %r10, %r1;";
        let refused = step_of("mov.u32 %r1, %tid.x; add.u32 %r2, %r1, 7;", behind).unwrap_err();
        assert!(refused.contains_key(&Reason::Written), "{refused:?}");
    }
}
