//! Edits of PTX text: instructions of a kernel replaced, put in and taken out; all else stays to the byte.

use crate::ptx::module::{Function, Instruction};
use crate::ptx::read::{Kind, tokens};
use crate::ptx::types::Scalar;
use std::collections::BTreeMap;
use std::ops::Range;

/// Edits of one text, in any order.
#[derive(Debug, Clone, Default)]
pub struct Edits {
    /// Bytes that go, and what comes in their place; of edits at the same byte the first made comes first.
    all: Vec<(Range<usize>, String)>,
}

impl Edits {
    /// Puts text in at a byte.
    pub fn insert(&mut self, at: usize, text: String) {
        self.all.push((at..at, text));
    }

    /// Puts text in the place of some bytes.
    pub fn replace(&mut self, bytes: Range<usize>, text: String) {
        self.all.push((bytes, text));
    }

    /// Lets instructions of a function, by number, read other registers.
    pub fn read_from(&mut self, function: &Function, text: &str, all: &[usize], new: &BTreeMap<usize, String>) {
        for instruction in all.iter().map(|&at| &function.code[at]) {
            self.replace(instruction.span.clone(), with_reads(function, instruction, text, new));
        }
    }

    /// The text with all edits made. Edits must not overlap; one that does is left out.
    pub fn apply(mut self, text: &str) -> String {
        self.all.sort_by_key(|(bytes, _)| (bytes.start, bytes.end));
        let mut out = String::with_capacity(text.len() + 64 * self.all.len());
        let mut at = 0;
        for (bytes, new) in &self.all {
            let Some(before) = text.get(at..bytes.start) else { continue };
            out += before;
            out += new;
            at = bytes.end;
        }
        out + text.get(at..).unwrap_or_default()
    }
}

/// Names for new registers and variables that a text does not have yet.
#[derive(Debug)]
pub struct Names {
    next: usize,
    declared: String,
}

/// Stem of the names of new registers.
const STEM: &str = "%rt_";

impl Names {
    /// Names that `text` does not have.
    pub fn new(text: &str) -> Names {
        let taken = text.match_indices(STEM).filter_map(|(at, _)| {
            let digits = text[at + STEM.len()..].bytes().take_while(u8::is_ascii_digit).count();
            text[at + STEM.len()..at + STEM.len() + digits].parse::<usize>().ok()
        });
        Names { next: taken.max().map_or(0, |most| most.saturating_add(1)), declared: String::new() }
    }

    /// A new register of a type.
    pub fn register(&mut self, ty: Scalar) -> String {
        let name = format!("{STEM}{}", self.next);
        self.next += 1;
        self.declared += &format!("\n\t.reg .{ty} {name};");
        name
    }

    /// Declarations of all of them, for the beginning of the body.
    pub fn declarations(self) -> String {
        self.declared
    }
}

/// The text of an instruction with registers that it reads named anew. Its results keep their names.
pub fn with_reads(function: &Function, instruction: &Instruction, text: &str, new: &BTreeMap<usize, String>) -> String {
    let source = text.get(instruction.span.clone()).unwrap_or_default();
    renamed(source, operands_read(source, instruction), function, new)
}

/// The text of an instruction with another register for its one result, and registers that it reads named anew.
pub fn with_result(
    function: &Function,
    instruction: &Instruction,
    text: &str,
    (result, new): (&str, &BTreeMap<usize, String>),
) -> String {
    let source = text.get(instruction.span.clone()).unwrap_or_default();
    let from = operands_read(source, instruction);
    let after = renamed(source, from, function, new);
    let Some(&Some(old)) = instruction.writes.first() else { return after };
    let (head, tail) = after.split_at(from);
    renamed(head, 0, function, &BTreeMap::from([(old, result.to_owned())])) + tail
}

/// The byte of an instruction's text behind its results: operands from there on are read.
fn operands_read(source: &str, instruction: &Instruction) -> usize {
    if instruction.writes.is_empty() {
        return 0;
    }
    let mut depth = 0;
    for token in tokens(source).unwrap_or_default() {
        match token.kind {
            Kind::Sign('{' | '[' | '(') => depth += 1,
            Kind::Sign('}' | ']' | ')') => depth -= 1,
            Kind::Sign(',') if depth == 0 => return token.at,
            _ => {}
        }
    }
    source.len()
}

/// The text from some byte on with other names for registers.
fn renamed(source: &str, from: usize, function: &Function, new: &BTreeMap<usize, String>) -> String {
    let mut edits = Edits::default();
    for token in tokens(source).unwrap_or_default() {
        let Kind::Word(word) = token.kind else { continue };
        let found = new.iter().find(|(register, _)| function.registers[**register].name == word);
        if let Some((_, name)) = found.filter(|_| token.at >= from) {
            edits.replace(token.at..token.at + word.len(), name.clone());
        }
    }
    edits.apply(source)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ptx::read;

    const HEAD: &str = ".version 8.0\n.target sm_90\n.address_size 64\n.entry k()\n{\n";

    fn function(text: &str) -> Function {
        read::read(text).unwrap().functions.remove(0)
    }

    #[test]
    fn spans_are_instructions_without_their_labels() {
        let text = format!("{HEAD}.reg .pred %p; .reg .b32 %r<3>;\nA: // first\n @%p  add.u32 %r1, %r1 , 1 ;bra A;}}");
        let f = function(&text);
        let spans: Vec<&str> = f.code.iter().map(|i| &text[i.span.clone()]).collect();
        assert_eq!(spans, ["@%p  add.u32 %r1, %r1 , 1 ;", "bra A;"]);
        assert!(text[f.body..].starts_with("\n.reg .pred"));
    }

    #[test]
    fn reads_and_results_are_named_apart() {
        let text = format!(
            "{HEAD}.reg .pred %p; .reg .b32 %r<30>; .reg .b64 %rd<3>;\n\
             add.u32 %r1, %r1, %r11; st.v2.u32 [%rd1+4], {{%r1, %r2}}; mov.b64 {{%r1,%r2}}, %rd1; @%p mov.u32 %r2, %r1;}}"
        );
        let f = function(&text);
        let number = |name: &str| f.registers.iter().position(|r| r.name == name).unwrap();
        let new = BTreeMap::from([(number("%r1"), "%x".to_owned()), (number("%rd1"), "%y".to_owned())]);
        let reads: Vec<String> = f.code.iter().map(|i| with_reads(&f, i, &text, &new)).collect();
        assert_eq!(
            reads,
            [
                "add.u32 %r1, %x, %r11;",
                "st.v2.u32 [%y+4], {%x, %r2};",
                "mov.b64 {%r1,%r2}, %y;",
                "@%p mov.u32 %r2, %x;"
            ]
        );
        assert_eq!(with_result(&f, &f.code[0], &text, ("%z", &BTreeMap::new())), "add.u32 %z, %r1, %r11;");
        assert_eq!(with_result(&f, &f.code[0], &text, ("%z", &new)), "add.u32 %z, %x, %r11;");
    }

    #[test]
    fn what_is_not_edited_stays_to_the_byte() {
        let text = "a /* b */\tc;\r\nd";
        let mut edits = Edits::default();
        assert_eq!(edits.clone().apply(text), text);
        edits.insert(13, "2".into());
        edits.replace(0..1, "x".into());
        edits.insert(13, "3".into());
        assert_eq!(edits.apply(text), "x /* b */\tc;\r23\nd");
    }

    #[test]
    fn new_names_are_nobody_s() {
        let mut names = Names::new("%rt_3 %rt_x %rt_12;");
        assert_eq!(names.register(Scalar::F32), "%rt_13");
        assert_eq!(names.declarations(), "\n\t.reg .f32 %rt_13;");
    }
}
