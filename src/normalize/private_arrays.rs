//! Private arrays: those of which all that a function does with them stands in one statement, by elements: nobody sees them
//! elsewhere.
//!
//! That is an array that the function declares, or memory that it allocates for itself. Several pointers may share one
//! allocation (`b = a + n`): then they are one family, whose arrays have to lie apart.

use crate::ast::build::ast_builder::binary;
use crate::ast::visit::Piece;
use crate::ast::{BinOp, Expr, ExprKind, Function, Stmt, StmtKind, Storage, Type, UnOp, Unit, VarId};
use crate::facts::effects;
use crate::source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// Arrays of a function's own that are touched in one statement alone.
pub struct Own {
    arrays: BTreeSet<VarId>,
    /// Pointers, and all that share an allocation with them.
    families: BTreeMap<VarId, BTreeSet<VarId>>,
}

impl Own {
    /// Those of a function that are touched in `s` alone.
    pub fn of(unit: &Unit, f: &Function, s: &Stmt) -> Own {
        let mut uses = Uses::new(unit, s.span);
        uses.lost.extend(&f.obscure);
        let mut named = BTreeSet::new();
        s.walk(&mut |piece| match piece {
            Piece::Expr(Expr { kind: ExprKind::Var(v), .. }) => _ = named.insert(*v),
            Piece::Stmt(Stmt { kind: StmtKind::Decl(ds), .. }) => {
                ds.iter().filter(|d| d.init.is_some()).for_each(|d| _ = uses.lost.insert(d.var));
            }
            Piece::Stmt(_) | Piece::Expr(_) => {}
        });
        s.exprs(&mut |e| uses.look(e));
        uses.is_inside = false;
        uses.function(f);
        let is_array = |v: &VarId| {
            let var = unit.var(*v);
            let is_own = matches!(var.storage, Storage::Local | Storage::StaticLocal) && !var.is_volatile;
            is_own && matches!(var.ty, Type::Array { .. }) && !uses.lost.contains(v) && !uses.outside.contains(v)
        };
        let arrays = named.iter().copied().filter(is_array).collect();
        let families = uses.families(&named);
        Own { arrays, families }
    }

    /// Test that there are none.
    pub fn is_empty(&self) -> bool {
        self.arrays.is_empty() && self.families.is_empty()
    }

    /// Test for one of them.
    pub fn contains(&self, v: VarId) -> bool {
        self.arrays.contains(&v) || self.families.contains_key(&v)
    }

    /// Conditions that arrays which are gone from a statement had no element in common. `None` where some that share an
    /// allocation are left in it, or where it is not known how far they went.
    pub fn apart(&self, unit: &Unit, s: &Stmt, gone: &[(VarId, Option<Expr>)]) -> Option<Vec<Expr>> {
        let changed = effects::assigned([s]);
        let mut out = vec![];
        for (k, (a, a_extent)) in gone.iter().enumerate() {
            let Some(family) = self.families.get(a) else { continue };
            let is_gone = |v: &VarId| gone.iter().any(|(x, _)| x == v) || effects::places([s], *v).is_empty();
            family.iter().all(is_gone).then_some(())?;
            for (b, b_extent) in gone[k + 1..].iter().filter(|(b, _)| family.contains(b)) {
                let ends = [a_extent.as_ref()?, b_extent.as_ref()?];
                let mut is_fixed = true;
                let mut look = |e: &Expr| is_fixed &= !matches!(e.kind, ExprKind::Var(v) if changed.contains(&v));
                ends.iter().for_each(|e| e.walk(&mut look));
                is_fixed.then_some(())?;
                let span = ends[0].span;
                let [a, b] = [*a, *b].map(|v| unit.read(v, span));
                let goes = |from: &Expr, to: &Expr, n: &Expr| {
                    binary(BinOp::Ge, binary(BinOp::Sub, to.clone(), from.clone()), n.clone())
                };
                out.push(binary(BinOp::Or, goes(&a, &b, ends[0]), goes(&b, &a, ends[1])));
            }
        }
        Some(out)
    }
}

/// Test for an element that names an array once, at its root, by subscripts alone.
pub fn elements_alone(e: &Expr, array: VarId) -> bool {
    let mut base = e;
    while let ExprKind::Index(inner, index) = &base.kind {
        if index.mentions(array) {
            return false;
        }
        base = inner;
    }
    base.is_var(array) && e.ty.is_scalar()
}

struct Uses<'u> {
    unit: &'u Unit,
    inside: Span,
    is_inside: bool,
    /// Arrays that are seen by more than their elements.
    lost: BTreeSet<VarId>,
    /// Those that are named outside.
    outside: BTreeSet<VarId>,
    /// Pointers that are set to new memory, and to a place behind another pointer.
    new: BTreeSet<VarId>,
    behind: Vec<(VarId, VarId)>,
}

impl<'u> Uses<'u> {
    fn new(unit: &'u Unit, inside: Span) -> Uses<'u> {
        let (lost, outside, new) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        Uses { unit, inside, is_inside: true, lost, outside, new, behind: vec![] }
    }

    /// All of a function but the statement.
    fn function(&mut self, f: &Function) {
        f.body.walk(&mut |piece| match piece {
            Piece::Stmt(s) if self.inside.encloses(s.span) => {}
            Piece::Stmt(Stmt { kind: StmtKind::Decl(ds), .. }) => {
                ds.iter().filter_map(|d| Some((d.var, d.init.as_ref()?))).for_each(|(v, e)| self.set(v, e));
            }
            Piece::Stmt(s) => s.own_exprs(&mut |e| self.look(e)),
            Piece::Expr(_) => {}
        });
    }

    /// `v = value`, outside.
    fn set(&mut self, v: VarId, value: &Expr) {
        self.outside.insert(v);
        match &bare(value).kind {
            // The place behind a pointer is looked at with both.
            ExprKind::Binary(BinOp::Add, a, b) if is_variable(a) && a.ty.is_pointer_like() => {
                self.behind.extend(bare(a).root().map(|from| (v, from)));
                self.look(b);
            }
            _ => {
                if self.is_new(value, 0) {
                    self.new.insert(v);
                } else if !is_null(bare(value)) {
                    self.lost.insert(v);
                }
                self.look(value);
            }
        }
    }

    fn look(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Var(v) => {
                self.lost.insert(*v);
                self.outside.extend((!self.is_inside).then_some(*v));
            }
            ExprKind::Index(..) if self.is_inside && e.root().is_some_and(|v| elements_alone(e, v)) => {
                let mut base = e;
                while let ExprKind::Index(inner, index) = &base.kind {
                    self.look(index);
                    base = inner;
                }
            }
            ExprKind::Assign { op: None, target, value } if !self.is_inside => match target.kind {
                ExprKind::Var(v) => self.set(v, value),
                _ => [target, value].into_iter().for_each(|e| self.look(e)),
            },
            ExprKind::Unary(UnOp::AddrOf, a) => {
                self.lost.extend(a.root());
                self.look(a);
            }
            ExprKind::Unary(UnOp::Not, a) if !self.is_inside && is_variable(a) => {}
            ExprKind::Binary(BinOp::And | BinOp::Or | BinOp::Eq | BinOp::Ne, a, b) if !self.is_inside => {
                [a, b].into_iter().filter(|e| !is_variable(e)).for_each(|e| self.look(e));
            }
            ExprKind::Call { name, args } if !self.is_inside && name == "free" && args.iter().all(is_variable) => {}
            ExprKind::SizeOfExpr(_) => {}
            _ => e.children().into_iter().for_each(|e| self.look(e)),
        }
    }

    /// The pointers among the named ones that lead to new memory alone.
    fn families(&self, named: &BTreeSet<VarId>) -> BTreeMap<VarId, BTreeSet<VarId>> {
        let pointers: BTreeSet<VarId> = self.new.iter().copied().chain(self.behind.iter().map(|(v, _)| *v)).collect();
        let is_own = |v: &VarId| {
            let var = self.unit.var(*v);
            let is_clear = !self.lost.contains(v) && !var.is_volatile && var.storage == Storage::Local;
            is_clear
                && matches!(&var.ty, Type::Pointer { to, .. } if !to.is_pointer_like() || matches!(**to, Type::Array { .. }))
        };
        let mut out = BTreeMap::new();
        for v in pointers.iter().filter(|v| named.contains(v)) {
            let mut family = BTreeSet::from([*v]);
            let mut n = 0;
            while n < family.len() {
                n = family.len();
                for (a, b) in &self.behind {
                    if family.contains(a) || family.contains(b) {
                        family.extend([*a, *b]);
                    }
                }
            }
            let has_own = |v: &VarId| {
                let n_ways = usize::from(self.new.contains(v)) + self.behind.iter().filter(|(x, _)| x == v).count();
                is_own(v) && n_ways == 1
            };
            if family.iter().all(has_own) {
                out.insert(*v, family);
            }
        }
        out
    }

    /// Test for memory that nothing else points to.
    fn is_new(&self, e: &Expr, depth: usize) -> bool {
        let ExprKind::Call { name, .. } = &bare(e).kind else { return false };
        ["malloc", "calloc", "aligned_alloc"].contains(&name.as_str()) || depth < 4 && self.gives_new(name, depth + 1)
    }

    /// Test for a function that gives back memory which it has allocated, and keeps no pointer to it.
    fn gives_new(&self, name: &str, depth: usize) -> bool {
        let Some(f) = self.unit.function(name).filter(|f| f.body.is_modelled()) else { return false };
        let mut given = vec![];
        f.body.walk(&mut |piece| {
            if let Piece::Stmt(Stmt { kind: StmtKind::Return(value), .. }) = piece {
                given.extend(value);
            }
        });
        let is_new = |e: &Expr| match bare(e).kind {
            ExprKind::Var(v) => self.holds_new(f, v, depth),
            _ => is_null(bare(e)) || self.is_new(e, depth),
        };
        !given.is_empty() && given.into_iter().all(is_new)
    }

    /// Test for a variable that a function sets to new memory, and does nothing else with but to give it back.
    fn holds_new(&self, f: &Function, v: VarId, depth: usize) -> bool {
        let is_value = |e: &Expr| is_null(bare(e)) || self.is_new(e, depth);
        let (mut n_known, mut is_known) = (0, self.unit.var(v).storage == Storage::Local);
        f.body.walk(&mut |piece| match piece {
            Piece::Stmt(Stmt { kind: StmtKind::Return(Some(e)), .. }) => n_known += usize::from(bare(e).is_var(v)),
            Piece::Stmt(Stmt { kind: StmtKind::Decl(ds), .. }) => {
                let mut own = ds.iter().filter(|d| d.var == v).filter_map(|d| d.init.as_ref());
                is_known &= own.all(is_value);
            }
            Piece::Expr(e) => match &e.kind {
                ExprKind::Assign { op: None, target, value } if target.is_var(v) => {
                    n_known += usize::from(is_value(value));
                }
                ExprKind::Unary(UnOp::Not, a) => n_known += usize::from(bare(a).is_var(v)),
                ExprKind::Call { name, args } if name == "posix_memalign" && self.unit.function(name).is_none() => {
                    let is_address =
                        |e: &Expr| matches!(&bare(e).kind, ExprKind::Unary(UnOp::AddrOf, x) if x.is_var(v));
                    n_known += usize::from(args.first().is_some_and(is_address));
                }
                _ => {}
            },
            Piece::Stmt(_) => {}
        });
        is_known && n_known == effects::places([&f.body], v).len()
    }
}

fn is_variable(e: &Expr) -> bool {
    matches!(bare(e).kind, ExprKind::Var(_))
}

fn is_null(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::Int(0))
}

/// An expression without casts of pointers.
fn bare(e: &Expr) -> &Expr {
    match &e.kind {
        ExprKind::Cast(inner) if e.ty.is_pointer_like() => bare(inner),
        _ => e,
    }
}
