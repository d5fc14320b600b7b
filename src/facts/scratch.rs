//! Memory of a function's own that nobody reads after a region: it need not come back from the device.
//!
//! ```c
//! double *r = malloc(n * sizeof *r);      r is scratch: allocated once, before the region, named in it by its elements
//! if (!r) return -1;                      alone, and behind it in nothing but free
//! ... the region ...
//! free(r);
//! ```
//! It may be handed to functions of the same file that do no more with it. A pointer whose value goes anywhere else
//! (another pointer, another function, the caller), a region within a loop, which may
//! find the same memory again, and a function with a `goto` or other C that is not modelled have no scratch.

use crate::ast::visit::Piece;
use crate::ast::{BinOp, Expr, ExprKind, Function, StmtKind, Storage, Type, UnOp, Unit, VarId};
use crate::facts::loops::is_loop;
use crate::source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// How deep calls are followed.
const DEEPEST: usize = 8;

/// Memory that a function allocates, and what becomes of it: found in one walk, asked for by each region.
#[derive(Debug, Default)]
pub struct Memory {
    /// Flag: nothing in it is C that is not modelled.
    is_modelled: bool,
    /// The outermost loops.
    loops: Vec<Span>,
    /// Pointers that are set to new memory, once, and the ends of what sets them.
    allocated: BTreeMap<VarId, u32>,
    /// Pointers that go out of sight.
    escaped: BTreeSet<VarId>,
    /// Ends of the last expressions that do no more with a pointer than to read or write elements: a region that ends before sees
    /// someone look.
    elements: BTreeMap<VarId, u32>,
}

impl Memory {
    /// Looks at a function.
    pub fn of(unit: &Unit, function: &Function) -> Memory {
        let mut search = Search { unit, depth: 0, found: Memory::default(), kept: BTreeMap::new() };
        search.function(function);
        let Memory { allocated, escaped, .. } = &mut search.found;
        let is_own = |v: &VarId| {
            let var = unit.var(*v);
            var.storage == Storage::Local && matches!(var.ty, Type::Pointer { .. }) && !escaped.contains(v)
        };
        allocated.retain(|v, _| is_own(v));
        search.found
    }

    /// Test for a variable of the function's own whose elements nothing else leads to: an array, or a pointer to memory that it
    /// allocates.
    pub fn is_own(&self, unit: &Unit, v: VarId) -> bool {
        let is_array = || {
            let var = unit.var(v);
            var.storage == Storage::Local && matches!(var.ty, Type::Array { .. }) && !self.escaped.contains(&v)
        };
        self.is_modelled && (self.allocated.contains_key(&v) || is_array())
    }

    /// The pointers behind which nobody looks after `region`, a span of the function's body.
    pub fn scratch(&self, region: Span) -> BTreeSet<VarId> {
        if self.allocated.is_empty() || !self.is_modelled {
            return BTreeSet::new();
        }
        if self.loops.iter().any(|l| l.lo < region.lo && region.hi <= l.hi) {
            return BTreeSet::new();
        }
        let is_over = |v: &VarId| self.elements.get(v).is_none_or(|last| *last <= region.hi);
        self.allocated.iter().filter(|(v, new)| **new <= region.lo && is_over(v)).map(|(v, _)| *v).collect()
    }
}

struct Search<'u> {
    unit: &'u Unit,
    /// How many calls lie around what is searched.
    depth: usize,
    found: Memory,
    /// Answers for functions that keep what is handed to them for a parameter, or not, as far down as they were called: each is searched once.
    kept: BTreeMap<(VarId, usize), bool>,
}

impl Search<'_> {
    /// Follows the pointers through a function.
    fn function(&mut self, function: &Function) {
        self.found.is_modelled = function.body.is_modelled();
        function.body.walk(&mut |piece| {
            let Piece::Stmt(s) = piece else { return };
            if is_loop(s) && self.found.loops.last().is_none_or(|outer| outer.hi <= s.span.lo) {
                self.found.loops.push(s.span);
            }
            if let StmtKind::Decl(declared) = &s.kind {
                declared.iter().for_each(|d| d.init.iter().for_each(|init| self.set(d.var, init)));
            }
        });
        function.body.exprs(&mut |e| self.look(e));
    }

    /// Test that a function touches no more than elements behind its parameter.
    fn keeps(&mut self, function: &Function, parameter: VarId) -> bool {
        let depth = self.depth + 1;
        if let Some(keeps) = self.kept.get(&(parameter, depth)) {
            return *keeps;
        }
        let mut search =
            Search { unit: self.unit, depth, found: Memory::default(), kept: std::mem::take(&mut self.kept) };
        let is_searched = depth <= DEEPEST;
        if is_searched {
            search.function(function);
        }
        let Memory { is_modelled, allocated, escaped, .. } = search.found;
        let keeps = |p: &VarId| is_searched && is_modelled && !escaped.contains(p) && !allocated.contains_key(p);
        self.kept = search.kept;
        self.kept.extend(function.params.iter().map(|p| ((*p, depth), keeps(p))));
        keeps(&parameter)
    }

    /// `v = value`
    fn set(&mut self, v: VarId, value: &Expr) {
        if !is_new(value) || self.found.allocated.insert(v, value.span.hi).is_some() {
            self.found.escaped.insert(v);
        }
    }

    /// Takes the mentions of pointers that show no more than elements, or whether there is memory at all, for what they
    /// are; every other one lets the pointer out of sight.
    fn look(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Var(v) => {
                self.found.escaped.insert(*v);
            }
            // Elements are read and written as they are until the region is left.
            ExprKind::Index(..) | ExprKind::Unary(UnOp::Deref, _) if e.ty.is_scalar() => self.element(e, e.span.hi),
            ExprKind::Unary(UnOp::AddrOf, a) => {
                self.found.escaped.extend(a.root());
                self.look(a);
            }
            ExprKind::Unary(UnOp::Not, a) if is_variable(a) => {}
            ExprKind::Binary(BinOp::And | BinOp::Or | BinOp::Eq | BinOp::Ne, a, b) => {
                [a, b].into_iter().filter(|e| !is_variable(e)).for_each(|e| self.look(e));
            }
            ExprKind::Call { name, args } if name == "free" && args.iter().all(is_variable) => {}
            ExprKind::Call { name, args } => {
                let called = self.unit.function(name).filter(|f| f.params.len() == args.len());
                for (i, arg) in args.iter().enumerate() {
                    match variable(arg) {
                        Some(v) if called.is_some_and(|f| self.keeps(f, f.params[i])) => self.look_until(v, e.span.hi),
                        _ => self.look(arg),
                    }
                }
            }
            ExprKind::SizeOfExpr(_) => {}
            ExprKind::Assign { op: None, target, value } => {
                if let ExprKind::Var(v) = target.kind {
                    self.set(v, value);
                } else {
                    self.look(target);
                }
                self.look(value);
            }
            _ => e.children().into_iter().for_each(|e| self.look(e)),
        }
    }

    /// `a[i][j]`, `*a`, as part of an expression that ends at `end`: what subscripts there are.
    fn element(&mut self, e: &Expr, end: u32) {
        match &e.kind {
            ExprKind::Index(base, index) => {
                self.element(base, end);
                self.look(index);
            }
            ExprKind::Unary(UnOp::Deref, base) => self.element(base, end),
            _ => match variable(e) {
                Some(v) => self.look_until(v, end),
                None => self.look(e),
            },
        }
    }

    /// A look at elements behind a pointer.
    fn look_until(&mut self, v: VarId, end: u32) {
        let last = self.found.elements.entry(v).or_default();
        *last = end.max(*last);
    }
}

/// A variable, as it is or converted to another type of pointer.
fn variable(e: &Expr) -> Option<VarId> {
    match &e.kind {
        ExprKind::Var(v) => Some(*v),
        ExprKind::Cast(inner) if e.ty.is_pointer_like() => variable(inner),
        _ => None,
    }
}

fn is_variable(e: &Expr) -> bool {
    variable(e).is_some()
}

/// Memory that nothing else points to.
fn is_new(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Cast(inner) => is_new(inner),
        ExprKind::Call { name, .. } => ["malloc", "calloc"].contains(&name.as_str()),
        _ => false,
    }
}
