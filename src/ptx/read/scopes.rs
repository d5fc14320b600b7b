//! Names within a function: braces open scopes, in which registers, variables and labels hide those outside.

use super::fault::ReadError;
use crate::ptx::module::{Function, Register, Symbol, Variable};
use crate::ptx::types::Scalar;
use std::collections::BTreeMap;

/// The deepest nesting of braces.
const DEEPEST: usize = 64;
/// The most registers that a function names.
const MOST_REGISTERS: usize = 1 << 20;

#[derive(Default)]
struct Scope<'t> {
    parent: Option<usize>,
    depth: usize,
    registers: BTreeMap<&'t str, Scalar>,
    /// Registers by number: `%r<5>` has five.
    families: BTreeMap<&'t str, (Scalar, u64)>,
    /// Those that were named, by their number in the function.
    named: BTreeMap<&'t str, usize>,
    variables: BTreeMap<String, usize>,
    labels: BTreeMap<&'t str, usize>,
    tables: BTreeMap<&'t str, usize>,
}

/// The scopes of a function.
pub struct Scopes<'t> {
    all: Vec<Scope<'t>>,
    current: usize,
}

impl<'t> Scopes<'t> {
    /// The outermost one, with nothing in it.
    pub fn new() -> Self {
        Scopes { all: vec![Scope::default()], current: 0 }
    }

    /// Number of the current one.
    pub fn current(&self) -> usize {
        self.current
    }

    /// Opens one.
    pub fn open(&mut self, line: u32) -> Result<(), ReadError> {
        let depth = self.all[self.current].depth + 1;
        if depth > DEEPEST {
            return Err(ReadError::new(line, format!("braces are nested more than {DEEPEST} deep")));
        }
        self.all.push(Scope { parent: Some(self.current), depth, ..Scope::default() });
        self.current = self.all.len() - 1;
        Ok(())
    }

    /// Closes the current one; `false`: it is the outermost.
    pub fn close(&mut self) -> bool {
        let parent = self.all[self.current].parent;
        self.current = parent.unwrap_or(0);
        parent.is_some()
    }

    fn outwards(&self, from: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(from), |&scope| self.all[scope].parent)
    }

    /// Declares a register.
    pub fn register(&mut self, name: &'t str, ty: Scalar) {
        self.all[self.current].registers.insert(name, ty);
    }

    /// Declares registers with that name and a number below `count`.
    pub fn family(&mut self, name: &'t str, ty: Scalar, count: u64) {
        self.all[self.current].families.insert(name, (ty, count));
    }

    /// Declares a variable, and adds it to the function.
    pub fn variable(&mut self, function: &mut Function, variable: Variable) {
        self.all[self.current].variables.insert(variable.name.clone(), function.variables.len());
        function.variables.push(variable);
    }

    /// Puts a label before an instruction; `false`: it is there.
    pub fn label(&mut self, name: &'t str, instruction: usize) -> bool {
        self.all[self.current].labels.insert(name, instruction).is_none()
    }

    /// Names a table of targets.
    pub fn table(&mut self, name: &'t str, table: usize) {
        self.all[self.current].tables.insert(name, table);
    }

    /// The instruction behind a label, as seen from a scope.
    pub fn target(&self, name: &str, from: usize) -> Option<usize> {
        self.outwards(from).find_map(|scope| self.all[scope].labels.get(name).copied())
    }

    /// The table of that name, as seen from a scope.
    pub fn table_of(&self, name: &str, from: usize) -> Option<usize> {
        self.outwards(from).find_map(|scope| self.all[scope].tables.get(name).copied())
    }

    /// The variable of that name.
    pub fn variable_of(&self, name: &str) -> Option<Symbol> {
        let found = self.outwards(self.current).find_map(|scope| self.all[scope].variables.get(name).copied());
        found.map(Symbol::Function)
    }

    /// The register of that name; the first time, the function gets one more.
    pub fn register_of(
        &mut self,
        function: &mut Function,
        name: &'t str,
        line: u32,
    ) -> Result<Option<usize>, ReadError> {
        let digits = name.bytes().rev().take_while(u8::is_ascii_digit).count();
        let (stem, number) = name.split_at(name.len() - digits);
        let number = number.parse::<u64>().ok();
        for scope in self.outwards(self.current).collect::<Vec<_>>() {
            let scope = &mut self.all[scope];
            let is_inner = scope.parent.is_some();
            if let Some(&register) = scope.named.get(name) {
                return Ok(Some(register));
            }
            let of_family = || {
                let (ty, count) = *scope.families.get(stem)?;
                number.filter(|&number| number < count).map(|_| ty)
            };
            let Some(ty) = scope.registers.get(name).copied().or_else(of_family) else { continue };
            if function.registers.len() >= MOST_REGISTERS {
                return Err(ReadError::new(line, format!("the function names more than {MOST_REGISTERS} registers")));
            }
            scope.named.insert(name, function.registers.len());
            function.registers.push(Register { name: name.into(), ty, is_inner });
            return Ok(Some(function.registers.len() - 1));
        }
        Ok(None)
    }
}
