//! Lowering of the code of one kernel, or of the host between kernels: what it knows of its surroundings, and what it is found
//! to need of them.

use crate::ast::{Expr, FloatKind, Type, Unit, VarId};
use crate::facts::symbolic::Param;
use crate::kernel::{self as k, ScalarType, Usage};
use crate::poly::names::Names;
use crate::region::{LoopId, StaticPart, StmtId};
use crate::source::Span;
use indexmap::{IndexMap, IndexSet};
use std::collections::{BTreeMap, BTreeSet};

/// Where the value of a scalar parameter comes from.
#[derive(Debug, Clone, PartialEq)]
pub enum Origin {
    Var(VarId),
    /// An expression that the call site computes.
    Expr(Expr),
}

/// A scalar handed to a kernel by value.
#[derive(Debug, Clone, PartialEq)]
pub struct ByValue {
    pub ty: ScalarType,
    pub origin: Origin,
}

/// Everything that lowered code needs from outside.
#[derive(Debug, Clone, Default)]
pub struct Used {
    pub scalars: IndexMap<String, ByValue>,
    pub arrays: IndexMap<VarId, Usage>,
    pub functions: IndexSet<String>,
}

impl Used {
    /// Takes over what other code needs. An array that one reads and the other writes is both.
    pub fn absorb(&mut self, other: Used) {
        for (name, by) in other.scalars {
            self.scalars.entry(name).or_insert(by);
        }
        for (v, usage) in other.arrays {
            let merged = self.arrays.get(&v).is_some_and(|u| *u != usage);
            self.arrays.insert(v, if merged { Usage::ReadWrite } else { usage });
        }
        self.functions.extend(other.functions);
    }
}

/// Lowers the code of one kernel, or of the host between kernels.
pub struct Lowering<'a> {
    pub unit: &'a Unit,
    /// `None` for host code, which has no data.
    pub part: Option<&'a StaticPart>,
    pub names: &'a mut Names,
    pub param_names: &'a [String],
    /// Parameters of the region's other parts, by name.
    pub elsewhere: &'a [(String, Param)],
    /// The C line of a place.
    pub line: &'a dyn Fn(Span) -> u32,
    /// Data of which the thread has its own copy.
    pub private: BTreeSet<VarId>,
    /// Values of counters in scope.
    pub counters: BTreeMap<VarId, k::Expr>,
    /// Updates that go to a variable of the thread.
    pub accumulators: BTreeMap<StmtId, String>,
    /// Loops whose one statement updates an element that is kept in a register.
    pub promoted: BTreeSet<StmtId>,
    /// Statements that stand in the place of loops.
    pub replaced: BTreeMap<LoopId, Vec<k::Stmt>>,
    /// Updates that are atomic.
    pub atomic: BTreeSet<StmtId>,
    /// Flag: the user's declarations stand where they were; else what a thread has is declared at its beginning.
    pub declares: bool,
    pub used: Used,
}

/// The kernel's type for a C number.
pub fn scalar_type(ty: &Type) -> Option<ScalarType> {
    match ty {
        Type::Int(kind) => Some(ScalarType::Int(*kind)),
        Type::Float(FloatKind::LongDouble) => None,
        Type::Float(kind) => Some(ScalarType::Float(*kind)),
        _ => None,
    }
}

impl<'a> Lowering<'a> {
    /// A lowering of code outside of static parts, which has the variables `private` for its own.
    pub fn outside(
        unit: &'a Unit,
        names: &'a mut Names,
        line: &'a dyn Fn(Span) -> u32,
        private: BTreeSet<VarId>,
    ) -> Lowering<'a> {
        Lowering {
            unit,
            part: None,
            names,
            param_names: &[],
            elsewhere: &[],
            line,
            private,
            counters: BTreeMap::new(),
            accumulators: BTreeMap::new(),
            replaced: BTreeMap::new(),
            atomic: BTreeSet::new(),
            promoted: BTreeSet::new(),
            declares: true,
            used: Used::default(),
        }
    }
}
