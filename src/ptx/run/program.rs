//! A kernel made ready: where its branches meet again, where variables lie, what its calls lead to.

use super::launch::{Argument, Fill, Launch, Value};
use super::memory::{self, Array, Memory};
use super::trouble::Fault;
use crate::diag::Diagnostic;
use crate::ptx::graph::Graph;
use crate::ptx::module::{Module, Variable};
use crate::ptx::op::Op;
use crate::ptx::types::{Scalar, Space};

/// No instruction: paths that never meet.
pub const NEVER: usize = usize::MAX;
/// Bytes of the memory of the grid.
const GRID_BYTES: usize = 256;
/// The most bytes of local memory or parameters of a thread and function.
const MOST_OF_THREAD: u64 = 1 << 20;

/// A kernel with all that it calls.
pub struct Program<'m> {
    pub module: &'m Module,
    pub kernel: usize,
    /// Of each function of the module that the kernel reaches.
    pub parts: Vec<Option<Part>>,
    /// Address of each variable of the module; of shared ones, from the beginning of shared memory.
    pub addresses: Vec<u64>,
    /// Bytes of shared memory, dynamic ones at the end.
    pub shared: u64,
    /// Variables there: name, from where, to where.
    pub shared_variables: Vec<(String, u64, u64)>,
    /// Instructions that may access global memory: function, and place in its code.
    pub accesses: Vec<(usize, usize)>,
    /// Bytes of the kernel's parameters.
    pub parameters: Vec<u8>,
    /// Places there that hold addresses of arrays, and which.
    pub pointers: Vec<(usize, usize)>,
    /// Address of the memory of the grid, of whose accesses nobody is told: they are those of its barrier.
    pub grid_memory: u64,
}

/// A function made ready.
pub struct Part {
    /// Where lanes that part at a branch meet again.
    pub meeting: Vec<usize>,
    /// Number of the access that an instruction is.
    pub access: Vec<Option<u32>>,
    /// Offset of each of its variables in its space.
    pub offsets: Vec<u64>,
    /// Bytes of its local memory and of parameters, of a thread.
    pub local: u64,
    pub parameters: u64,
    pub calls: Vec<Callee>,
}

/// Target of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Callee {
    Function(usize),
    /// `printf`, which prints nothing here.
    Print,
    /// Function that `assert` calls where it fails.
    Assert,
    Missing,
}

impl<'m> Program<'m> {
    /// Makes a kernel of a module ready for a launch, whose arrays come into memory.
    ///
    /// # Errors
    /// Arguments that the parameters do not take, more shared memory than there is.
    pub fn new(module: &'m Module, kernel: usize, launch: &Launch) -> Result<(Self, Memory), Fault> {
        let mut program = Program {
            module,
            kernel,
            parts: module.functions.iter().map(|_| None).collect(),
            addresses: vec![0; module.variables.len()],
            shared: 0,
            shared_variables: Vec::new(),
            accesses: Vec::new(),
            parameters: Vec::new(),
            pointers: Vec::new(),
            grid_memory: 0,
        };
        program.reach(kernel)?;
        let mut memory = Memory::default();
        program.place_shared(launch.shared)?;
        program.bind(&launch.arguments, &mut memory)?;
        program.place_globals(&mut memory)?;
        let name = "memory of the grid".to_owned();
        let bytes = vec![0; GRID_BYTES];
        program.grid_memory =
            memory.add(Array { name, ty: Scalar::U32, bytes, is_constant: false, is_argument: false });
        Ok((program, memory))
    }

    /// Makes a function ready, and all that it calls.
    fn reach(&mut self, first: usize) -> Result<(), Fault> {
        for number in reached(self.module, first) {
            self.parts[number] = Some(self.part(number)?);
        }
        Ok(())
    }

    fn part(&mut self, number: usize) -> Result<Part, Fault> {
        let function = &self.module.functions[number];
        let graph = Graph::new(function);
        let meetings = graph.meetings();
        let mut meeting = vec![NEVER; function.code.len()];
        let mut access = vec![None; function.code.len()];
        for (at, instruction) in function.code.iter().enumerate() {
            if let Some(block) = meetings[graph.block_of[at]] {
                meeting[at] = graph.blocks[block].start;
            }
            if may_be_global(instruction.op) {
                access[at] = Some(self.accesses.len() as u32);
                self.accesses.push((number, at));
            }
        }
        let (mut local, mut parameters) = (0, 0);
        let mut offsets = Vec::with_capacity(function.variables.len());
        for variable in &function.variables {
            offsets.push(match variable.space {
                Space::Local => placed(&mut local, variable),
                Space::Param => placed(&mut parameters, variable),
                _ => {
                    let at = placed(&mut self.shared, variable);
                    self.shared_variables.push((variable.name.clone(), at, at + variable.bytes));
                    at
                }
            });
        }
        if local > MOST_OF_THREAD || parameters > MOST_OF_THREAD {
            let message =
                format!("`{}` takes {} bytes of local memory a thread", function.source_name(), local.max(parameters));
            let help = format!("at most {MOST_OF_THREAD} bytes are run here");
            return Err(Diagnostic::error("ptx-memory", message, None).help(help).into());
        }
        let callee = |name: &str| match self.module.functions.iter().position(|f| f.name == name) {
            Some(called) => Callee::Function(called),
            None if name == "vprintf" => Callee::Print,
            None if name == "__assertfail" => Callee::Assert,
            None => Callee::Missing,
        };
        let calls = function.calls.iter().map(|call| callee(&call.callee)).collect();
        Ok(Part { meeting, access, offsets, local, parameters, calls })
    }

    /// Places the module's shared variables, the open one last.
    fn place_shared(&mut self, dynamic: u64) -> Result<(), Fault> {
        let is_shared = |variable: &Variable| variable.space == Space::Shared;
        let variables = self.module.variables.iter().enumerate();
        for (number, variable) in variables.clone().filter(|(_, v)| is_shared(v) && !v.is_extern) {
            let at = placed(&mut self.shared, variable);
            self.addresses[number] = at;
            self.shared_variables.push((variable.name.clone(), at, at + variable.bytes));
        }
        self.shared = self.shared.next_multiple_of(16);
        for (number, variable) in variables.filter(|(_, v)| is_shared(v) && v.is_extern) {
            self.addresses[number] = self.shared;
            self.shared_variables.push((variable.name.clone(), self.shared, self.shared + dynamic));
        }
        self.shared += dynamic;
        let most = crate::target::MACHINES.iter().map(|machine| machine.block_shared).max().unwrap_or(0);
        if self.shared > u64::from(most) {
            let message =
                format!("a block takes {} bytes of shared memory, more than the {most} of any machine", self.shared);
            return Err(Diagnostic::error("ptx-memory", message, None).help("give fewer by --shared").into());
        }
        Ok(())
    }

    /// Places the module's variables in global and constant memory.
    fn place_globals(&mut self, memory: &mut Memory) -> Result<(), Fault> {
        for (number, variable) in self.module.variables.iter().enumerate() {
            if variable.space == Space::Shared {
                continue;
            }
            room(memory, variable.bytes, &variable.name)?;
            let mut bytes = vec![0; variable.bytes as usize];
            bytes[..variable.init.len()].copy_from_slice(&variable.init);
            let is_constant = variable.space == Space::Const;
            self.addresses[number] = memory.add(Array {
                name: variable.name.clone(),
                ty: variable.ty,
                bytes,
                is_constant,
                is_argument: false,
            });
        }
        for (number, variable) in self.module.variables.iter().enumerate() {
            for (at, name, offset) in variable.addresses.iter().filter(|_| variable.space != Space::Shared) {
                let found = self.module.variables.iter().position(|other| other.name == *name);
                let Some(found) = found else { continue };
                let address = self.addresses[found].wrapping_add(*offset as u64);
                let Ok((array, from)) = memory.locate(self.addresses[number] + *at as u64, variable.ty.bytes()) else {
                    continue;
                };
                let width = variable.ty.bytes() as usize;
                memory::store(&mut memory.arrays[array].bytes[from..from + width], address);
            }
        }
        Ok(())
    }

    /// Gives the parameters their values.
    fn bind(&mut self, arguments: &[Argument], memory: &mut Memory) -> Result<(), Fault> {
        let function = &self.module.functions[self.kernel];
        let parameters = function.parameters();
        if parameters.len() != arguments.len() {
            let message = format!(
                "the kernel `{}` takes {} arguments, and {} are given",
                function.source_name(),
                parameters.len(),
                arguments.len()
            );
            let forms: Vec<String> = parameters.iter().enumerate().map(|(at, p)| form(at, p)).collect();
            let help = format!("in their order, as in: {}", forms.join(" "));
            return Err(Diagnostic::error("ptx-arguments", message, None).help(help).into());
        }
        let part = self.parts[self.kernel].as_ref().map_or(&[][..], |part| &part.offsets);
        let mut bytes = vec![0; self.parts[self.kernel].as_ref().map_or(0, |part| part.parameters) as usize];
        for ((parameter, argument), &at) in parameters.iter().zip(arguments).zip(part) {
            let at = at as usize;
            let into = &mut bytes[at..at + parameter.bytes as usize];
            let arrays = memory.arrays.len();
            let offsets = pass(parameter, argument, into, memory)?;
            self.pointers.extend(offsets.into_iter().zip(arrays..).map(|(offset, array)| (at + offset, array)));
        }
        self.parameters = bytes;
        Ok(())
    }
}

/// Test that an instruction may access global memory.
fn may_be_global(op: Op) -> bool {
    match op {
        Op::Load { space, .. } | Op::Store { space, .. } | Op::Atomic { space, .. } => {
            matches!(space, Space::Generic | Space::Global)
        }
        Op::AsyncCopy { .. } => true,
        _ => false,
    }
}

/// Functions that a kernel reaches, itself first, in the order in which they are made ready.
pub fn reached(module: &Module, kernel: usize) -> Vec<usize> {
    let mut is_seen = vec![false; module.functions.len()];
    let (mut waiting, mut found) = (vec![kernel], Vec::new());
    while let Some(number) = waiting.pop() {
        if std::mem::replace(&mut is_seen[number], true) {
            continue;
        }
        found.push(number);
        let calls = module.functions[number].calls.iter();
        waiting.extend(calls.filter_map(|call| module.functions.iter().position(|f| f.name == call.callee)));
    }
    found
}

/// Instructions that may access global memory, by the numbers that a run tells them by: function, and place in its code.
pub fn accesses(module: &Module, kernel: usize) -> Vec<(usize, usize)> {
    let of = |number: usize| {
        let code = module.functions[number].code.iter().enumerate();
        code.filter(|(_, instruction)| may_be_global(instruction.op)).map(move |(at, _)| (number, at))
    };
    reached(module, kernel).into_iter().flat_map(of).collect()
}

fn placed(end: &mut u64, variable: &Variable) -> u64 {
    let at = end.next_multiple_of(variable.align);
    *end = at + variable.bytes;
    at
}

/// A parameter as a user could give it.
fn form(at: usize, parameter: &Variable) -> String {
    let value = match parameter.ty {
        _ if parameter.is_array => format!("{{f32[1024],...}} of {} bytes", parameter.bytes),
        Scalar::F32 | Scalar::F64 => "1.0".into(),
        ty if ty.bits() == 64 => "f32[1024]".into(),
        _ => "1024".into(),
    };
    format!("--arg p{at}={value}")
}

fn room(memory: &Memory, more: u64, name: &str) -> Result<(), Fault> {
    let all: u64 = memory.arrays.iter().map(|array| array.bytes.len() as u64).sum();
    if all + more <= memory::MOST_BYTES {
        return Ok(());
    }
    let message = format!("with `{name}` the arrays have more than {} bytes", memory::MOST_BYTES);
    Err(Diagnostic::error("ptx-memory", message, None)
        .help("give smaller arrays: lanes and strides show there, too")
        .into())
}

/// Passes an argument; gives the places in it of the arrays' addresses, in the order in which they came into memory.
fn pass(parameter: &Variable, argument: &Argument, into: &mut [u8], memory: &mut Memory) -> Result<Vec<usize>, Fault> {
    let name = &argument.name;
    let fault = |why: String| {
        Fault::from(Diagnostic::error("ptx-argument", format!("the argument `{name}` does not fit: {why}"), None).help(
            "arguments stand in the order of the kernel's parameters: pointers take arrays, numbers take numbers, \
             structures take their members, as in {f32[64],s64:64}",
        ))
    };
    let is_array = |value: &Value| matches!(value, Value::Array { .. });
    let mut pointers = Vec::new();
    match &argument.value {
        Value::Structure(members) => {
            let arrays = members.iter().filter(|(_, value)| is_array(value)).count();
            let mut at = 0;
            for (number, (ty, value)) in members.iter().enumerate() {
                let start = usize::next_multiple_of(at, ty.bytes() as usize);
                at = start + ty.bytes() as usize;
                let Some(into) = into.get_mut(start..at) else {
                    return Err(fault(format!("the parameter has {} bytes", parameter.bytes)));
                };
                let name = if arrays == 1 { name.clone() } else { format!("{name}.{number}") };
                memory::store(into, bits_of(value, *ty, &name, memory)?.map_err(fault)?);
                pointers.extend(is_array(value).then_some(start));
            }
            if (at as u64).next_multiple_of(parameter.align) != parameter.bytes {
                return Err(fault(format!("the parameter has {} bytes, and its members {at}", parameter.bytes)));
            }
        }
        _ if parameter.is_array => {
            return Err(fault(format!("the parameter is a structure of {} bytes", parameter.bytes)));
        }
        value => {
            memory::store(into, bits_of(value, parameter.ty, name, memory)?.map_err(fault)?);
            pointers.extend(is_array(value).then_some(0));
        }
    }
    Ok(pointers)
}

/// The bits of a value of a type; an array comes into memory. Inside, why it does not fit.
fn bits_of(value: &Value, ty: Scalar, name: &str, memory: &mut Memory) -> Result<Result<u64, String>, Fault> {
    Ok(match value {
        Value::Array { .. } if ty.bits() != 64 || ty.is_float() => {
            Err(format!("{ty} is the type of a number, not a pointer"))
        }
        &Value::Array { ty: element, elements, ref fill } => {
            room(memory, elements * element.bytes(), name)?;
            filled(element, elements, fill).map(|bytes| {
                memory.add(Array { name: name.into(), ty: element, bytes, is_constant: false, is_argument: true })
            })
        }
        Value::Structure(_) => Err("a structure within a structure".into()),
        &Value::Integer(n) if ty.is_float() => Ok(real(n as f64, ty)),
        &Value::Integer(n) => {
            let fits = super::float::signed(n as u64, signed_of(ty)) == n || n as u64 & ty.mask() == n as u64;
            if fits { Ok(n as u64 & ty.mask()) } else { Err(format!("{n} is no number of type {ty}")) }
        }
        &Value::Real(x) => match ty {
            Scalar::F32 | Scalar::B32 => Ok(real(x, Scalar::F32)),
            Scalar::F64 | Scalar::B64 => Ok(real(x, Scalar::F64)),
            _ => Err(format!("{x} is no integer, and the type is {ty}")),
        },
    })
}

/// The bytes that an array begins with, or why it has none.
fn filled(ty: Scalar, elements: u64, fill: &Fill) -> Result<Vec<u8>, String> {
    let width = ty.bytes() as usize;
    let mut bytes = vec![0; elements as usize * width];
    if let Fill::File(path) = fill {
        let found = std::fs::read(path).map_err(|e| format!("{} cannot be read: {e}", path.display()))?;
        let (has, wanted) = (found.len(), bytes.len());
        return if has == wanted {
            Ok(found)
        } else {
            Err(format!("{} has {has} bytes, not {wanted}", path.display()))
        };
    }
    for (i, bytes) in bytes.chunks_exact_mut(width).enumerate() {
        memory::store(bytes, fill.bits(ty, i as u64));
    }
    Ok(bytes)
}

fn real(x: f64, ty: Scalar) -> u64 {
    match ty {
        Scalar::F64 => x.to_bits(),
        Scalar::F32 => u64::from((x as f32).to_bits()),
        _ => u64::from(super::round::to_half(x, crate::ptx::types::Round::Nearest)),
    }
}

fn signed_of(ty: Scalar) -> Scalar {
    match ty.bits() {
        8 => Scalar::S8,
        16 => Scalar::S16,
        32 => Scalar::S32,
        _ => Scalar::S64,
    }
}
