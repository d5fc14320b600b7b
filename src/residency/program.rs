//! The functions of a program, over all its files: who calls whom, and what each touches on the host.

use super::needs::{FunctionId, Part, Use};
use crate::ast::visit::Piece;
use crate::ast::{Expr, ExprKind, Function, Stmt, StmtKind, Type, Var};
use crate::facts::callable::is_standard;
use crate::facts::standard::ENDING;
use crate::kernel::ScalarType;
use crate::source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// A function with a body.
pub struct Defined<'a> {
    pub part: usize,
    pub ast: &'a Function,
    /// Regions of its own, by their place in [`Part::regions`].
    pub regions: Vec<usize>,
    /// Way to a region, by itself or through what it calls.
    pub has_regions: bool,
    /// Possibility of callers that we do not know: then it goes back with everything at home.
    pub is_outer: bool,
    /// Data that it touches on the host with all that it calls, but for functions with regions.
    pub touches: Option<Use>,
    /// Possibility that it changes more than variables of its own.
    pub changes: bool,
}

/// Facts of the whole program.
pub struct Program<'a> {
    pub parts: &'a [Part<'a>],
    /// Wholeness: there are no other files.
    pub(super) is_whole: bool,
    pub functions: Vec<Defined<'a>>,
    /// Bits and kind of the numbers in arrays that may stay.
    pub(super) kinds: BTreeSet<(bool, u32)>,
    /// Possibility that numbers of one type are reached as such of another.
    pub(super) is_punned: bool,
    /// Global variables whose address is taken somewhere, by name.
    pub(super) addressed: BTreeSet<&'a str>,
    /// Variables that are named somewhere without a subscript behind it, or stays as an array of a region's.
    pub(super) led_to: BTreeSet<&'a str>,
    pub(super) named: BTreeMap<(usize, &'a str), FunctionId>,
    pub(super) public: BTreeMap<&'a str, FunctionId>,
    /// Places in each part where a function with regions is named, in order.
    pub(super) places_of_regions: Vec<Vec<u32>>,
}

impl<'a> Program<'a> {
    /// The function that a call in a part comes to, if the program has it.
    pub fn callee(&self, part: usize, name: &str) -> Option<FunctionId> {
        self.named.get(&(part, name)).or_else(|| self.public.get(name)).copied()
    }

    /// Test for a call of a function of C's library, and nothing else.
    pub fn is_standard(&self, name: &str) -> bool {
        is_standard(name) && (self.is_whole || !ENDING.contains(&name))
    }

    /// Possibility that numbers of that type are among those that stay. A character may be a part of any number, and any number be
    /// made of characters (C17 6.5, paragraph 7).
    pub fn stays(&self, ty: ScalarType) -> bool {
        let (is_float, bits) = kind(ty);
        let is_any = self.is_punned || bits == 8;
        !self.kinds.is_empty() && (is_any || self.kinds.contains(&(is_float, bits)) || self.kinds.contains(&(false, 8)))
    }

    /// Test for a global whose address is taken, here or in a file that is not known.
    pub fn is_addressed(&self, name: &str) -> bool {
        !self.is_whole || self.addressed.contains(name)
    }

    /// Possibility that bytes are among the data that stay.
    pub fn stays_bytes(&self) -> bool {
        self.kinds.contains(&(false, 8))
    }

    /// Possibility that a global array stays: a region has it, or a pointer may lead to it. Of one with rows, rows are
    /// pointers too.
    pub fn may_be_led_to(&self, var: &Var) -> bool {
        let is_flat = matches!(&var.ty, Type::Array { of, .. } if of.is_scalar());
        !is_flat || self.is_addressed(&var.name) || self.led_to.contains(var.name.as_str())
    }

    /// The functions with regions that a statement of a part may call.
    pub fn calls(&self, part: usize, s: &Stmt) -> Vec<FunctionId> {
        let mut out = self.callees(part, s);
        out.retain(|f| self.functions[*f].has_regions);
        out
    }

    /// The program's functions that a statement may call, whether it is modelled or not.
    pub(super) fn callees(&self, part: usize, s: &Stmt) -> Vec<FunctionId> {
        let mut out = vec![];
        s.walk(&mut |piece| match piece {
            Piece::Expr(Expr { kind: ExprKind::Call { name, .. }, .. }) => out.extend(self.callee(part, name)),
            Piece::Expr(Expr { kind: ExprKind::Unmodelled(_) | ExprKind::Function(_), span, .. })
            | Piece::Stmt(Stmt { kind: StmtKind::Unmodelled(_), span, .. }) => out.extend(self.named_in(part, *span)),
            _ => {}
        });
        out
    }

    /// The functions that bytes of a part name.
    pub fn named_in(&self, part: usize, span: Span) -> Vec<FunctionId> {
        let source = self.parts[part].source;
        let tokens = source.tokens();
        let first = tokens.partition_point(|t| t.span.lo < span.lo);
        let inside = tokens[first..].iter().take_while(|t| t.span.lo < span.hi);
        inside.filter_map(|t| self.callee(part, t.text(&source.text))).collect()
    }

    /// Test that bytes of a part name a function with regions.
    pub fn names_regions(&self, part: usize, span: Span) -> bool {
        let places = &self.places_of_regions[part];
        places.get(places.partition_point(|at| *at < span.lo)).is_some_and(|at| *at < span.hi)
    }
}

/// Kind and bits of a number.
pub(super) fn kind(ty: ScalarType) -> (bool, u32) {
    match ty {
        ScalarType::Index => (false, 64),
        ScalarType::Int(kind) => (false, kind.bits()),
        ScalarType::Float(_) => (true, (ty.size(64) * 8) as u32),
    }
}
