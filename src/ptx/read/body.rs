//! Bodies of functions: declarations, labels, instructions.

use super::fault::ReadError;
use super::opcode;
use super::operand::{self, Raw};
use super::scopes::Scopes;
use super::token::Kind;
use super::tokens::Tokens;
use super::variable;
use crate::ptx::module::{Call, Function, Instruction, Loc, Operand, Symbol, Unknown};
use crate::ptx::op::{Function as Pure, Op};
use crate::ptx::types::{Scalar, Space, Special};
use std::collections::BTreeMap;

/// The most instructions of a function.
const MOST_INSTRUCTIONS: usize = 1 << 20;
/// Lines of inlined code within each other that are kept.
const MOST_INLINED: usize = 16;

/// Reason that an instruction was not made.
enum Stop {
    Fault(ReadError),
    /// Something of it is not known: its name.
    Unknown(String),
}

impl From<ReadError> for Stop {
    fn from(fault: ReadError) -> Stop {
        Stop::Fault(fault)
    }
}

/// A function whose body is read.
pub struct Body<'t, 'm> {
    tokens: &'m mut Tokens<'t>,
    function: Function,
    scopes: Scopes<'t>,
    /// Variables outside functions.
    globals: &'m BTreeMap<String, usize>,
    loc: Option<Loc>,
    /// The lines of inlined code around which others are, the innermost first, without the outermost.
    within: Vec<Loc>,
    /// Those of each place that code is inlined at, as last met: its file, line and column.
    inlined: BTreeMap<[u32; 3], (Loc, Vec<Loc>)>,
    /// Branches whose target is not yet known: instruction, label, scope.
    branches: Vec<(usize, &'t str, usize)>,
    /// Tables: labels and scope.
    tables: Vec<(Vec<&'t str>, usize, u32)>,
}

/// The body of a function, whose parameters stand among its variables.
pub fn body<'t>(
    tokens: &mut Tokens<'t>,
    mut function: Function,
    globals: &BTreeMap<String, usize>,
) -> Result<Function, ReadError> {
    let mut scopes = Scopes::new();
    let parameters = std::mem::take(&mut function.variables);
    parameters.into_iter().for_each(|parameter| scopes.variable(&mut function, parameter));
    let (branches, tables, within, inlined) = (Vec::new(), Vec::new(), Vec::new(), BTreeMap::new());
    let mut body = Body { tokens, function, scopes, globals, loc: None, within, inlined, branches, tables };
    body.tokens.expect('{')?;
    body.function.body = body.tokens.byte_behind_sign();
    loop {
        if body.tokens.take_sign('}') {
            if !body.scopes.close() {
                break;
            }
        } else {
            body.statement()?;
        }
    }
    body.link()?;
    Ok(body.function)
}

impl<'t> Body<'t, '_> {
    fn statement(&mut self) -> Result<(), ReadError> {
        let (line, start) = (self.tokens.line(), self.tokens.byte());
        match self.tokens.peek() {
            Some(Kind::Sign('{')) => {
                self.tokens.take();
                self.scopes.open(line)
            }
            Some(Kind::Sign(';')) => {
                self.tokens.take();
                Ok(())
            }
            Some(Kind::Sign('@')) => {
                self.tokens.take();
                let is_negated = self.tokens.take_sign('!');
                let name = self.tokens.word()?;
                let register = self.register(name)?;
                if self.function.registers[register].ty != Scalar::Pred {
                    return Err(self.tokens.fault(format!("`{name}` is no predicate")));
                }
                self.instruction(Some((register, is_negated)), start)
            }
            Some(Kind::Word(word)) if word.starts_with('.') => self.directive(word),
            Some(Kind::Word(word)) if self.tokens.peek_second() == Some(Kind::Sign(':')) => self.label(word),
            Some(Kind::Word(_)) => self.instruction(None, start),
            _ => Err(self.tokens.fault("an instruction is missing")),
        }
    }

    fn label(&mut self, name: &'t str) -> Result<(), ReadError> {
        let line = self.tokens.line();
        self.tokens.take();
        self.tokens.take();
        if self.tokens.take_word(".branchtargets") {
            let mut targets = vec![self.tokens.word()?];
            while self.tokens.take_sign(',') {
                targets.push(self.tokens.word()?);
            }
            self.scopes.table(name, self.tables.len());
            self.tables.push((targets, self.scopes.current(), line));
            return self.tokens.expect(';');
        }
        if matches!(self.tokens.peek(), Some(Kind::Word(".callprototype" | ".calltargets"))) {
            return self.tokens.skip_past(';');
        }
        if self.scopes.label(name, self.function.code.len()) {
            return Ok(());
        }
        Err(ReadError::new(line, format!("the label `{name}` stands twice")))
    }

    fn directive(&mut self, word: &'t str) -> Result<(), ReadError> {
        self.tokens.take();
        match word {
            ".loc" => {
                // Line 0 is the compiler's own: it belongs to the line before.
                let (place, at) = loc(self.tokens)?;
                let own = Loc { file: place[0], line: place[1] };
                if own.line > 0 {
                    self.locate(own, place, at);
                }
            }
            ".pragma" => self.tokens.skip_past(';')?,
            ".reg" => self.registers()?,
            ".section" => {
                self.tokens.word()?;
                self.tokens.skip_braces()?;
            }
            _ => {
                let space = word.strip_prefix('.').and_then(Space::named);
                let Some(space) = space else {
                    return Err(self.tokens.fault(format!("the directive `{word}` is not known in a function")));
                };
                for variable in variable::variables(self.tokens, space, false)? {
                    self.scopes.variable(&mut self.function, variable);
                }
            }
        }
        Ok(())
    }

    fn registers(&mut self) -> Result<(), ReadError> {
        let name = self.tokens.word()?;
        let ty = name.strip_prefix('.').and_then(Scalar::named);
        let Some(ty) = ty else {
            let help = "registers of 128 bits, of f16x2 and bf16, and vectors of registers are not read";
            let message = format!("the type `{name}` of registers is not known");
            return Err(ReadError::with_help(self.tokens.line(), message, help));
        };
        loop {
            let name = self.tokens.word()?;
            if self.tokens.take_sign('<') {
                let count = self.tokens.integer()?;
                self.tokens.expect('>')?;
                self.scopes.family(name, ty, count.max(0) as u64);
            } else {
                self.scopes.register(name, ty);
            }
            if !self.tokens.take_sign(',') {
                return self.tokens.expect(';');
            }
        }
    }

    fn register(&mut self, name: &'t str) -> Result<usize, ReadError> {
        let line = self.tokens.line();
        let found = self.scopes.register_of(&mut self.function, name, line)?;
        found.ok_or_else(|| ReadError::new(line, format!("the register `{name}` is not declared")))
    }

    /// Takes a line as that of what follows. The place that it is inlined at may be in inlined code itself: as the place was met
    /// last.
    fn locate(&mut self, own: Loc, place: [u32; 3], at: Option<[u32; 3]>) {
        let (outermost, within) = match at {
            None => (own, Vec::new()),
            Some(at) => {
                let call = Loc { file: at[0], line: at[1] };
                let (outermost, around) = self.inlined.get(&at).cloned().unwrap_or((call, Vec::new()));
                (outermost, std::iter::once(own).chain(around).take(MOST_INLINED).collect())
            }
        };
        self.inlined.insert(place, (outermost, within.clone()));
        (self.loc, self.within) = (Some(outermost), within);
    }

    fn instruction(&mut self, guard: Option<(usize, bool)>, start: usize) -> Result<(), ReadError> {
        let line = self.tokens.line();
        if self.function.code.len() >= MOST_INSTRUCTIONS {
            let message = format!("the function has more than {MOST_INSTRUCTIONS} instructions");
            return Err(ReadError::with_help(line, message, "give a file with fewer, or a smaller kernel"));
        }
        let opcode = self.tokens.word()?;
        let mut made = Instruction {
            guard,
            op: Op::Unknown,
            writes: Vec::new(),
            reads: Vec::new(),
            line,
            loc: self.loc,
            inlined_at: None,
            within: self.within.clone(),
            span: 0..0,
        };
        match opcode::decode(opcode) {
            None => {
                self.tokens.skip_past(';')?;
                self.function.unknown.push(Unknown { opcode: opcode.into(), line });
            }
            Some(op) => {
                let operands = operand::operands(self.tokens)?;
                made.op = op;
                match self.lower(&mut made, opcode, operands) {
                    Ok(()) => {}
                    Err(Stop::Fault(fault)) => return Err(ReadError { line, ..fault }),
                    Err(Stop::Unknown(what)) => {
                        made = Instruction { op: Op::Unknown, writes: Vec::new(), reads: Vec::new(), ..made };
                        self.function.unknown.push(Unknown { opcode: what, line });
                    }
                }
            }
        }
        made.span = start..self.tokens.byte_behind_sign();
        self.function.code.push(made);
        Ok(())
    }

    /// Gives an instruction its operands.
    fn lower(&mut self, made: &mut Instruction, opcode: &str, operands: Vec<Raw<'t>>) -> Result<(), Stop> {
        let at = self.function.code.len();
        match (made.op, &operands[..]) {
            (Op::Branch(_), [Raw::Name(label)]) => {
                self.branches.push((at, label, self.scopes.current()));
                return Ok(());
            }
            (Op::BranchTable(_), [index, Raw::Name(table)]) => {
                made.reads.push(self.read(index, Scalar::U32)?);
                self.branches.push((at, table, self.scopes.current()));
                return Ok(());
            }
            (Op::Call(_), _) => return self.call(made, &operands),
            (Op::Pure(pure), [Raw::Group(parts), whole]) if pure.function == Pure::Move => {
                made.op = Op::Unpack { bits: self.part(pure.ty, parts)? };
                made.writes = self.written(parts)?;
                made.reads.push(self.read(whole, pure.ty)?);
                return Ok(());
            }
            (Op::Pure(pure), [whole, Raw::Group(parts)]) if pure.function == Pure::Move => {
                made.op = Op::Pack { bits: self.part(pure.ty, parts)? };
                made.writes = self.written(std::slice::from_ref(whole))?;
                made.reads = parts.iter().map(|part| self.read(part, pure.ty)).collect::<Result<_, _>>()?;
                return Ok(());
            }
            _ => {}
        }
        let has_result = has_result(made.op);
        let (results, sources) = operands.split_at(usize::from(has_result && !operands.is_empty()));
        if let Some(result) = results.first() {
            made.writes = match result {
                Raw::Group(group) => self.written(group)?,
                result => self.written(std::slice::from_ref(result))?,
            };
        }
        for source in sources {
            let ty = source_type(made.op, made.reads.len());
            match source {
                Raw::Group(group) => {
                    for part in group {
                        made.reads.push(self.read(part, ty)?);
                    }
                }
                source => made.reads.push(self.read(source, ty)?),
            }
        }
        if let Op::AsyncCopy { bytes } = &mut made.op {
            match made.reads.get(2) {
                Some(Operand::Bits(n @ (4 | 8 | 16))) => *bytes = *n,
                _ => return Err(self.tokens.fault("a copy of 4, 8 or 16 bytes is expected").into()),
            }
        }
        if let Some(why) = misfit(made) {
            return Err(ReadError::new(made.line, format!("`{opcode}` {why}")).into());
        }
        Ok(())
    }

    /// Bits of the parts that a value is taken apart in.
    fn part(&self, ty: Scalar, parts: &[Raw]) -> Result<u32, Stop> {
        match parts.len() as u32 {
            n @ (2 | 4 | 8) if ty.bits() / n >= 8 => Ok(ty.bits() / n),
            n => Err(self.tokens.fault(format!("{n} parts of {} bits do not go together", ty.bits())).into()),
        }
    }

    fn written(&mut self, operands: &[Raw<'t>]) -> Result<Vec<Option<usize>>, Stop> {
        let mut found = Vec::new();
        for operand in operands {
            let names = match operand {
                Raw::Name(name) => vec![*name],
                Raw::Pair(a, b) => vec![*a, *b],
                _ => return Err(self.tokens.fault("the result is no register").into()),
            };
            for name in names {
                found.push(if name == "_" { None } else { Some(self.register(name)?) });
            }
        }
        Ok(found)
    }

    fn read(&mut self, operand: &Raw<'t>, ty: Scalar) -> Result<Operand, Stop> {
        Ok(match operand {
            Raw::Number(number) => Operand::Bits(variable::bits(*number, ty)),
            Raw::Not(name) => Operand::Not(self.register(name)?),
            Raw::Name("WARP_SZ") => Operand::Bits(32),
            Raw::Name("_") => return Err(self.tokens.fault("`_` has no value").into()),
            Raw::Name(name) => self.named(name, 0)?,
            Raw::Sum(name, offset) => match self.named(name, *offset)? {
                symbol @ Operand::Symbol(..) => symbol,
                _ => return Err(self.tokens.fault(format!("`{name}` is no variable")).into()),
            },
            Raw::Address(None, offset) => Operand::Address(None, *offset),
            Raw::Address(Some(name), offset) => match self.named(name, *offset)? {
                Operand::Register(register) => Operand::Address(Some(register), *offset),
                symbol @ Operand::Symbol(..) => symbol,
                _ => return Err(self.tokens.fault(format!("`{name}` is no address")).into()),
            },
            Raw::Pair(..) | Raw::Group(_) | Raw::List(_) => {
                return Err(self.tokens.fault("an operand has a form that only results have").into());
            }
        })
    }

    fn named(&mut self, name: &'t str, offset: i64) -> Result<Operand, Stop> {
        let line = self.tokens.line();
        if let Some(register) = self.scopes.register_of(&mut self.function, name, line)? {
            return Ok(Operand::Register(register));
        }
        if let Some(special) = Special::named(name) {
            return Ok(Operand::Special(special));
        }
        let global = || self.globals.get(name).map(|&global| Symbol::Module(global));
        if let Some(symbol) = self.scopes.variable_of(name).or_else(global) {
            return Ok(Operand::Symbol(symbol, offset));
        }
        // A special register of another machine, the address of a function.
        Err(Stop::Unknown(name.into()))
    }

    /// `call (result), name, (arguments);`, of which the lists may be missing.
    fn call(&mut self, made: &mut Instruction, operands: &[Raw<'t>]) -> Result<(), Stop> {
        let none: &[&str] = &[];
        let (results, callee, arguments) = match operands {
            [Raw::Name(callee)] => (none, callee, none),
            [Raw::Name(callee), Raw::List(arguments)] => (none, callee, &arguments[..]),
            [Raw::List(results), Raw::Name(callee)] => (&results[..], callee, none),
            [Raw::List(results), Raw::Name(callee), Raw::List(arguments)] => (&results[..], callee, &arguments[..]),
            _ => return Err(Stop::Unknown("call through a pointer".into())),
        };
        let variables = |names: &[&str]| -> Option<Vec<usize>> {
            let found = names.iter().map(|name| match self.scopes.variable_of(name) {
                Some(Symbol::Function(variable)) => Some(variable),
                _ => None,
            });
            found.collect()
        };
        let (Some(results), Some(arguments)) = (variables(results), variables(arguments)) else {
            return Err(Stop::Unknown("call with registers".into()));
        };
        if callee.starts_with('%') {
            return Err(Stop::Unknown("call through a pointer".into()));
        }
        made.op = Op::Call(self.function.calls.len());
        self.function.calls.push(Call { callee: (*callee).into(), results, arguments });
        Ok(())
    }

    /// Gives branches their targets.
    fn link(&mut self) -> Result<(), ReadError> {
        let missing = |line, label: &str| ReadError::new(line, format!("the label `{label}` is not there"));
        for (labels, scope, line) in &self.tables {
            let targets =
                labels.iter().map(|label| self.scopes.target(label, *scope).ok_or_else(|| missing(*line, label)));
            self.function.tables.push(targets.collect::<Result<_, _>>()?);
        }
        for &(at, name, scope) in &self.branches {
            let instruction = &mut self.function.code[at];
            let found = match &mut instruction.op {
                Op::Branch(target) => self.scopes.target(name, scope).map(|found| *target = found),
                Op::BranchTable(table) => self.scopes.table_of(name, scope).map(|found| *table = found),
                _ => Some(()),
            };
            found.ok_or_else(|| missing(instruction.line, name))?;
        }
        Ok(())
    }
}

/// `1 2 5`, file, line and column, with the place that it is inlined at.
fn loc(tokens: &mut Tokens) -> Result<([u32; 3], Option<[u32; 3]>), ReadError> {
    let mut place = [tokens.count()?, tokens.count()?, 0];
    if matches!(tokens.peek(), Some(Kind::Number(_))) {
        place[2] = tokens.count()?;
    }
    let mut at = None;
    while tokens.peek() == Some(Kind::Sign(',')) {
        tokens.take();
        match tokens.word()? {
            "function_name" => {
                tokens.word()?;
                if tokens.take_sign('+') {
                    tokens.count()?;
                }
            }
            "inlined_at" => at = Some([tokens.count()?, tokens.count()?, tokens.count()?]),
            other => return Err(tokens.fault(format!("`{other}` of a line is not known"))),
        }
    }
    Ok((place, at))
}

fn has_result(op: Op) -> bool {
    match op {
        Op::Store { .. } | Op::AsyncCopy { .. } | Op::Barrier | Op::WarpBarrier | Op::Nothing => false,
        Op::Branch(_) | Op::BranchTable(_) | Op::Call(_) | Op::Return | Op::Exit | Op::Trap | Op::Unknown => false,
        Op::Atomic { returns, .. } => returns,
        _ => true,
    }
}

/// The type that a number among the sources has.
fn source_type(op: Op, at: usize) -> Scalar {
    match (op, at) {
        (Op::Pure(pure), _) => match pure.function {
            Pure::Convert | Pure::Set(_) => pure.from,
            Pure::ShiftLeft | Pure::ShiftRight if at == 1 => Scalar::U32,
            Pure::Extract if at > 0 => Scalar::U32,
            Pure::Insert if at > 1 => Scalar::U32,
            Pure::Select if at == 2 => Scalar::Pred,
            Pure::SelectBySign if at == 2 => pure.from,
            _ if at == 2 && pure.part == crate::ptx::op::Part::Wide => Scalar::B64,
            _ => pure.ty,
        },
        (Op::SetPredicate { ty, .. } | Op::Store { ty, .. } | Op::Atomic { ty, .. } | Op::Match { ty, .. }, _) => ty,
        (Op::Matrix { .. }, _) => Scalar::F64,
        (Op::Vote(_), 0) => Scalar::Pred,
        (Op::Nothing | Op::AsyncCopy { .. }, _) => Scalar::U64,
        _ => Scalar::B32,
    }
}

/// Operands that an instruction has too many or too few of.
fn misfit(made: &Instruction) -> Option<String> {
    let (writes, reads) = (made.writes.len(), made.reads.len());
    let is_address = |at: usize| matches!(made.reads.get(at), Some(Operand::Address(..) | Operand::Symbol(..)));
    let (results, sources) = match made.op {
        Op::Pure(pure) => (1..=1, pure.function.operands()..=pure.function.operands()),
        Op::SetPredicate { combine, .. } => {
            (1..=2, 2 + usize::from(combine.is_some())..=2 + usize::from(combine.is_some()))
        }
        Op::Load { count, .. } => (count..=count, 1..=1),
        Op::Store { count, .. } => (0..=0, 1 + count..=1 + count),
        Op::Atomic { update, returns, .. } => {
            let values = if update == crate::ptx::op::Update::CompareAndSwap { 3 } else { 2 };
            (usize::from(returns)..=usize::from(returns), values..=values)
        }
        Op::AsyncCopy { .. } => (0..=0, 3..=4),
        Op::Shuffle(_) => (1..=2, 3..=4),
        Op::Vote(_) => (1..=1, 1..=2),
        Op::Match { all, .. } => (1..=1 + usize::from(all), 2..=2),
        Op::Reduce { .. } => (1..=1, 2..=2),
        Op::ActiveMask => (1..=1, 0..=0),
        Op::Matrix { rows, depth } => {
            let results = rows / 4;
            let factors = rows / 8 * depth / 4 + depth / 4;
            (results..=results, results + factors..=results + factors)
        }
        Op::Barrier => (0..=0, 1..=2),
        Op::WarpBarrier => (0..=0, 1..=1),
        Op::Return | Op::Exit | Op::Trap => (0..=0, 0..=0),
        Op::Branch(_) => return Some("takes one label".into()),
        Op::BranchTable(_) => return Some("takes a register and the name of a table".into()),
        Op::Nothing | Op::Pack { .. } | Op::Unpack { .. } | Op::Call(_) | Op::Unknown => return None,
    };
    if !results.contains(&writes) {
        return Some(format!("has {writes} results instead of {}", results.end()));
    }
    if !sources.contains(&reads) {
        return Some(format!("has {reads} operands instead of {}", sources.end()));
    }
    let has_address = matches!(made.op, Op::Load { .. } | Op::Store { .. } | Op::Atomic { .. } | Op::AsyncCopy { .. });
    let addresses = if matches!(made.op, Op::AsyncCopy { .. }) { 2 } else { 1 };
    if has_address && !(0..addresses).all(is_address) {
        return Some("has no address in brackets".into());
    }
    None
}
