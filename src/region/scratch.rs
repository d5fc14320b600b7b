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

/// The pointers of a function behind which nobody looks after `region`, a span of its body.
pub fn scratch(unit: &Unit, function: &Function, region: Span) -> BTreeSet<VarId> {
    let (allocated, escaped, kept) = (vec![], BTreeSet::new(), BTreeMap::new());
    let mut search = Search { unit, region, depth: 0, allocated, escaped, kept };
    let is_clear = search.function(function);
    let Search { allocated, escaped, .. } = search;
    let is_own = |v: &VarId| {
        let var = unit.var(*v);
        let once = allocated.iter().filter(|a| *a == v).count() == 1;
        once && var.storage == Storage::Local && matches!(var.ty, Type::Pointer { .. }) && !escaped.contains(v)
    };
    if is_clear { allocated.iter().copied().filter(is_own).collect() } else { BTreeSet::new() }
}

struct Search<'u> {
    unit: &'u Unit,
    region: Span,
    /// How many calls lie around what is searched.
    depth: usize,
    /// What was set to new memory before the region, as often as it was.
    allocated: Vec<VarId>,
    escaped: BTreeSet<VarId>,
    /// Answers for functions that keep what is handed to them for a parameter, or not, as far down as they were called: each is searched once.
    kept: BTreeMap<(VarId, usize), bool>,
}

impl Search<'_> {
    /// Follows the pointers through a function; `false` where they cannot be followed.
    fn function(&mut self, function: &Function) -> bool {
        let region = self.region;
        let mut is_clear = true;
        function.body.walk(&mut |piece| match piece {
            Piece::Stmt(s) => {
                let surrounds = s.span.lo < region.lo && region.hi <= s.span.hi;
                is_clear &= !(matches!(s.kind, StmtKind::Unmodelled(_)) || is_loop(s) && surrounds);
                if let StmtKind::Decl(declared) = &s.kind {
                    declared.iter().for_each(|d| d.init.iter().for_each(|init| self.set(d.var, init)));
                }
            }
            Piece::Expr(e) => is_clear &= !matches!(e.kind, ExprKind::Unmodelled(_)),
        });
        function.body.exprs(&mut |e| self.look(e));
        is_clear
    }

    /// Test that a function touches no more than elements behind its parameter.
    fn keeps(&mut self, function: &Function, parameter: VarId) -> bool {
        let depth = self.depth + 1;
        if let Some(keeps) = self.kept.get(&(parameter, depth)) {
            return *keeps;
        }
        let everywhere = Span { lo: 0, hi: u32::MAX };
        let (allocated, escaped, kept) = (vec![], BTreeSet::new(), std::mem::take(&mut self.kept));
        let mut search = Search { unit: self.unit, region: everywhere, depth, allocated, escaped, kept };
        let is_clear = depth <= DEEPEST && search.function(function);
        self.kept = search.kept;
        self.kept.extend(function.params.iter().map(|p| ((*p, depth), is_clear && !search.escaped.contains(p))));
        is_clear && !search.escaped.contains(&parameter)
    }

    /// `v = value`
    fn set(&mut self, v: VarId, value: &Expr) {
        if is_new(value) && value.span.hi <= self.region.lo {
            self.allocated.push(v);
        } else {
            self.escaped.insert(v);
        }
    }

    /// Takes the mentions of pointers that show no more than elements, or whether there is memory at all, for what they
    /// are; every other one lets the pointer out of sight.
    fn look(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Var(v) => {
                self.escaped.insert(*v);
            }
            // Elements are read and written as they are until the region is left.
            ExprKind::Index(..) | ExprKind::Unary(UnOp::Deref, _)
                if e.ty.is_scalar() && e.span.hi <= self.region.hi =>
            {
                self.element(e);
            }
            ExprKind::Unary(UnOp::AddrOf, a) => {
                self.escaped.extend(a.root());
                self.look(a);
            }
            ExprKind::Unary(UnOp::Not, a) if is_variable(a) => {}
            ExprKind::Binary(BinOp::And | BinOp::Or | BinOp::Eq | BinOp::Ne, a, b) => {
                [a, b].into_iter().filter(|e| !is_variable(e)).for_each(|e| self.look(e));
            }
            ExprKind::Call { name, args } if name == "free" && args.iter().all(is_variable) => {}
            ExprKind::Call { name, args } if e.span.hi <= self.region.hi => {
                let called = self.unit.function(name).filter(|f| f.params.len() == args.len());
                for (i, arg) in args.iter().enumerate() {
                    if !(is_variable(arg) && called.is_some_and(|f| self.keeps(f, f.params[i]))) {
                        self.look(arg);
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

    /// `a[i][j]`, `*a`: what subscripts there are.
    fn element(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Index(base, index) => {
                self.element(base);
                self.look(index);
            }
            ExprKind::Unary(UnOp::Deref, base) => self.element(base),
            _ if is_variable(e) => {}
            _ => self.look(e),
        }
    }
}

/// A variable, as it is or converted to another type of pointer.
fn is_variable(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Var(_) => true,
        ExprKind::Cast(inner) => e.ty.is_pointer_like() && is_variable(inner),
        _ => false,
    }
}

/// Memory that nothing else points to.
fn is_new(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Cast(inner) => is_new(inner),
        ExprKind::Call { name, .. } => ["malloc", "calloc"].contains(&name.as_str()),
        _ => false,
    }
}
