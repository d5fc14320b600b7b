//! Changes that statements make: to variables, behind pointers, to members of structures; and which expressions keep their
//! value all the same.
//!
//! What a pointer leads to is not followed further than through copies and parameters: a store behind one of them is a store
//! behind all that it may be a copy of. Integers, reals and pointers are told apart, as C's effective types do (C11 6.5p7).

use super::callable;
use crate::ast::build::unions::is_in_union;
use crate::ast::visit::Piece;
use crate::ast::{Expr, ExprKind, Stmt, StmtKind, Type, UnOp, Unit, VarId};
use std::collections::BTreeSet;

/// How many nodes a value may have that is computed again at every use.
const MAX_NODES: usize = 24;

/// Changes that statements make.
#[derive(Debug, Default)]
pub struct Changes {
    /// Variables assigned as a whole, or whose address is taken.
    pub assigned: BTreeSet<VarId>,
    /// Variables behind which, or in which, elements of a kind are.
    stored: BTreeSet<(VarId, Kind)>,
    /// Members of structures, by name.
    fields: BTreeSet<String>,
    /// Flag: something is set that is not modelled, as a member of a union: with it all others are.
    sets_unmodelled: bool,
    /// Flag: whoever asks makes sure that bytes which are stored are part of no pointer.
    has_pointers_apart: bool,
}

/// Kinds of elements. A store of the one does not change the other (C11 6.5p7); bytes may be part of all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Integer,
    Real,
    Pointer,
    Byte,
}

impl Kind {
    const ALL: [Kind; 4] = [Kind::Integer, Kind::Real, Kind::Pointer, Kind::Byte];

    /// The kinds that may be in an element of that type.
    fn of(ty: &Type) -> &'static [Kind] {
        match ty {
            Type::Int(kind) if kind.bits() > 8 => &[Kind::Integer],
            Type::Int(_) => &[Kind::Byte],
            Type::Float(_) => &[Kind::Real],
            Type::Pointer { .. } => &[Kind::Pointer],
            _ => &Kind::ALL,
        }
    }

    /// Test that a store of the one may change the other.
    fn meets(self, other: Kind) -> bool {
        self == other || self == Kind::Byte || other == Kind::Byte
    }
}

/// Where changes lead on: pointers, structures with pointers, and what they are given; calls.
#[derive(Default)]
struct Leads<'a> {
    copies: Vec<(VarId, &'a Expr)>,
    params: Vec<(VarId, &'a Expr)>,
    calls: Vec<(&'a str, &'a [Expr])>,
}

impl<'a> Leads<'a> {
    fn copy(&mut self, to: Option<VarId>, value: &'a Expr) {
        let may_point = value.ty.is_pointer_like()
            || matches!(value.ty, Type::Struct(_))
            || matches!(value.kind, ExprKind::InitList(_));
        self.copies.extend(to.filter(|_| may_point).map(|to| (to, value)));
    }
}

impl Changes {
    /// What is changed anywhere in the statements. A call may store behind whatever it is given.
    pub fn of<'a>(stmts: impl IntoIterator<Item = &'a Stmt>) -> Changes {
        let (mut out, mut leads) = (Changes::default(), Leads::default());
        stmts.into_iter().for_each(|s| out.note(s, &mut leads));
        leads.calls.iter().for_each(|(_, args)| out.behind_all(args));
        out.spread(&leads);
        out
    }

    /// What is changed in the statements and in the file's functions that they call.
    pub fn with_calls<'a>(unit: &'a Unit, stmts: impl IntoIterator<Item = &'a Stmt>) -> Changes {
        let (mut out, mut leads) = (Changes::default(), Leads::default());
        stmts.into_iter().for_each(|s| out.note(s, &mut leads));
        let mut known = BTreeSet::new();
        let mut at = 0;
        while let Some((name, args)) = leads.calls.get(at).copied() {
            at += 1;
            let Some(f) = unit.function(name).filter(|f| f.params.len() == args.len()) else {
                out.behind_all(args);
                continue;
            };
            leads.params.extend(f.params.iter().copied().zip(args));
            if known.insert(name) {
                out.note(&f.body, &mut leads);
            }
        }
        out.spread(&leads);
        out
    }

    fn note<'a>(&mut self, s: &'a Stmt, leads: &mut Leads<'a>) {
        s.walk(&mut |piece| match piece {
            Piece::Expr(e) => match &e.kind {
                ExprKind::Assign { target, value, .. } => {
                    self.target(target);
                    leads.copy(target.root(), value);
                }
                ExprKind::IncDec { target, .. } => self.target(target),
                ExprKind::Unary(UnOp::AddrOf, x) => {
                    if let ExprKind::Var(v) = x.kind
                        && !matches!(x.ty, Type::Struct(_))
                    {
                        self.assigned.insert(v);
                    }
                }
                ExprKind::Call { name, args } => leads.calls.push((name, args)),
                _ => {}
            },
            Piece::Stmt(Stmt { kind: StmtKind::Decl(ds), .. }) => {
                for (d, value) in ds.iter().filter_map(|d| Some((d, d.init.as_ref()?))) {
                    self.assigned.insert(d.var);
                    leads.copy(Some(d.var), value);
                }
            }
            Piece::Stmt(_) => {}
        });
    }

    /// Carries on what is stored: behind a copy of a pointer as behind the pointer, and behind a parameter as behind what
    /// it is given.
    fn spread(&mut self, leads: &Leads) {
        loop {
            let size = (self.assigned.len(), self.stored.len(), self.fields.len());
            for (to, value) in &leads.copies {
                let mut kinds = vec![];
                pointed(value, &mut |v| kinds.extend(self.kinds(v)));
                self.stored.extend(kinds.into_iter().map(|kind| (*to, kind)));
            }
            leads.copies.iter().chain(&leads.params).for_each(|(to, value)| self.behind(*to, value));
            if size == (self.assigned.len(), self.stored.len(), self.fields.len()) {
                return;
            }
        }
    }

    fn behind_all(&mut self, args: &[Expr]) {
        args.iter().filter(|a| !a.ty.is_scalar()).for_each(|a| self.store_behind(a, &Kind::ALL));
    }

    /// Adds that what is stored behind a parameter is stored in what it is given.
    pub fn behind(&mut self, to: VarId, given: &Expr) {
        let kinds = self.kinds(to);
        if !kinds.is_empty() {
            self.store_behind(given, &kinds);
        }
    }

    /// What is stored behind a variable.
    fn kinds(&self, v: VarId) -> Vec<Kind> {
        Kind::ALL.into_iter().filter(|kind| self.stored.contains(&(v, *kind))).collect()
    }

    fn store_behind(&mut self, e: &Expr, kinds: &[Kind]) {
        pointed(e, &mut |v| self.stored.extend(kinds.iter().map(|kind| (v, *kind))));
        if let ExprKind::Unary(UnOp::AddrOf, x) = &e.kind {
            self.place(x);
        }
    }

    /// Adds that there is another value at a place, of the kinds that are noted elsewhere.
    fn place(&mut self, place: &Expr) {
        match &place.kind {
            ExprKind::Var(v) => _ = self.assigned.insert(*v),
            ExprKind::Member { field, .. } => _ = self.fields.insert(field.clone()),
            _ => {}
        }
    }

    /// Test that nothing but variables is changed.
    pub fn stores_nothing(&self) -> bool {
        self.stored.is_empty() && self.fields.is_empty()
    }

    fn target(&mut self, target: &Expr) {
        self.place(target);
        self.sets_unmodelled |= matches!(target.ty, Type::Other(_));
        // Of a structure all members are.
        if !matches!(target.kind, ExprKind::Var(_)) || matches!(target.ty, Type::Struct(_)) {
            self.store_behind(target, Kind::of(&target.ty));
        }
    }

    /// The same changes where bytes are part of no pointer: of a region, at whose entry that is tested.
    pub fn with_pointers_apart(self) -> Changes {
        Changes { has_pointers_apart: true, ..self }
    }

    /// Test that an expression has one value, however often and wherever in those statements it is computed.
    pub fn keep(&self, unit: &Unit, e: &Expr) -> bool {
        e.n_nodes() <= MAX_NODES && self.keeps(unit, e)
    }

    /// The same of an expression of any length.
    pub fn keeps(&self, unit: &Unit, e: &Expr) -> bool {
        let operands = || e.children().into_iter().all(|x| self.keeps(unit, x));
        let is_apart = |stored: &Kind| self.has_pointers_apart && *stored == Kind::Byte && e.ty.is_pointer_like();
        let untouched = |e: &Expr| {
            let stored = e.root().map(|v| self.kinds(v).into_iter().filter(|kind| !is_apart(kind)));
            stored.is_some_and(|mut all| !all.any(|kind| Kind::of(&e.ty).iter().any(|own| own.meets(kind))))
        };
        match &e.kind {
            ExprKind::Var(v) => {
                let is_array = matches!(e.ty, Type::Array { .. } | Type::Struct(_));
                (is_array || !self.assigned.contains(v)) && !unit.var(*v).is_volatile
            }
            ExprKind::Unary(UnOp::AddrOf, x) => self.keep_place(unit, x),
            // An array is a place wherever it is, in an element of structures, too; an element or a pointer in a table is a value.
            ExprKind::Index(..) | ExprKind::Unary(UnOp::Deref, _) | ExprKind::Member { .. }
                if matches!(e.ty, Type::Array { .. }) =>
            {
                self.keep_place(unit, e)
            }
            ExprKind::Index(..) | ExprKind::Unary(UnOp::Deref, _) => untouched(e) && operands(),
            ExprKind::Member { field, .. } => {
                let is_place = matches!(e.ty, Type::Struct(_));
                let is_set = self.sets_unmodelled && is_in_union(unit, e);
                (is_place || (!is_set && !self.fields.contains(field) && untouched(e))) && operands()
            }
            ExprKind::Call { name, .. } => {
                callable::math(name).is_some() && unit.function(name).is_none() && operands()
            }
            ExprKind::Assign { .. } | ExprKind::IncDec { .. } | ExprKind::Comma(..) => false,
            ExprKind::Str(_) | ExprKind::InitList(_) | ExprKind::Unmodelled(_) => false,
            _ => operands(),
        }
    }

    /// Test that it names one place, whatever is there.
    fn keep_place(&self, unit: &Unit, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Var(_) => true,
            ExprKind::Member { base, arrow: false, .. } => self.keep_place(unit, base),
            ExprKind::Index(base, i) if matches!(base.ty, Type::Array { .. }) => {
                self.keep_place(unit, base) && self.keeps(unit, i)
            }
            _ => e.children().into_iter().all(|x| self.keeps(unit, x)),
        }
    }
}

/// The variables of which one leads to where a value points.
fn pointed(e: &Expr, found: &mut dyn FnMut(VarId)) {
    match &e.kind {
        ExprKind::Var(v) => found(*v),
        ExprKind::Index(x, _)
        | ExprKind::Member { base: x, .. }
        | ExprKind::Unary(UnOp::Deref | UnOp::AddrOf, x)
        | ExprKind::Cast(x)
        | ExprKind::Comma(_, x)
        | ExprKind::Assign { target: x, .. }
        | ExprKind::IncDec { target: x, .. } => pointed(x, found),
        ExprKind::Cond(_, a, b) => [a, b].into_iter().for_each(|x| pointed(x, found)),
        ExprKind::Binary(..) | ExprKind::Call { .. } | ExprKind::InitList(_) => {
            e.children().into_iter().filter(|x| !x.ty.is_scalar()).for_each(|x| pointed(x, found));
        }
        _ => {}
    }
}
