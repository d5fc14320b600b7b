//! Values in the place of names: parameters of inlined calls, and pointers that stand for a place in an array.
//!
//! ```text
//! double *row = a + i * n;               for (j...)
//! for (j...) row[j] *= 2;        ->          (a + i * n)[j] *= 2;
//! ```
//! A name may go where it is assigned once, at its declaration, and where nothing in its scope changes what its value
//! is computed from.

use crate::ast::build::alike::is_alike;
use crate::ast::build::made::converted;
use crate::ast::visit::Piece;
use crate::ast::{BinOp, Expr, ExprKind, Stmt, StmtKind, Storage, Type, UnOp, Unit, VarId};
use crate::region::functions;
use std::collections::{BTreeMap, BTreeSet};

/// How many nodes a value may have that is computed again at every use.
const MAX_NODES: usize = 24;

/// Values by the variable whose place they take.
pub type Values = BTreeMap<VarId, Expr>;

/// What statements change.
#[derive(Debug, Default)]
pub struct Changes {
    /// Variables assigned as a whole, or whose address is taken.
    pub assigned: BTreeSet<VarId>,
    /// Variables behind which, or in which, elements of a kind are.
    stored: BTreeSet<(VarId, Kind)>,
    /// Members of structures, by name.
    fields: BTreeSet<String>,
}

/// What an element is. A store of the one does not change the other (C11 6.5p7).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Number,
    Pointer,
}

impl Kind {
    /// What is in an element of that type. Bytes may be part of anything.
    fn of(ty: &Type) -> &'static [Kind] {
        match ty {
            Type::Int(kind) if kind.bits() > 8 => &[Kind::Number],
            Type::Float(_) => &[Kind::Number],
            Type::Pointer { .. } => &[Kind::Pointer],
            _ => &[Kind::Number, Kind::Pointer],
        }
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
        let both = [Kind::Number, Kind::Pointer];
        args.iter().filter(|a| !a.ty.is_scalar()).for_each(|a| self.store_behind(a, &both));
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
        [Kind::Number, Kind::Pointer].into_iter().filter(|kind| self.stored.contains(&(v, *kind))).collect()
    }

    fn store_behind(&mut self, e: &Expr, kinds: &[Kind]) {
        pointed(e, &mut |v| self.stored.extend(kinds.iter().map(|kind| (v, *kind))));
        if let ExprKind::Unary(UnOp::AddrOf, x) = &e.kind {
            self.target(x);
        }
    }

    /// Whether nothing but variables is changed.
    pub fn stores_nothing(&self) -> bool {
        self.stored.is_empty() && self.fields.is_empty()
    }

    fn target(&mut self, target: &Expr) {
        match &target.kind {
            ExprKind::Var(v) => _ = self.assigned.insert(*v),
            ExprKind::Member { field, .. } => _ = self.fields.insert(field.clone()),
            _ => {}
        }
        // Of a structure all members are.
        if !matches!(target.kind, ExprKind::Var(_)) || matches!(target.ty, Type::Struct(_)) {
            self.store_behind(target, Kind::of(&target.ty));
        }
    }

    /// Whether an expression has one value, however often and wherever in those statements it is computed.
    pub fn keep(&self, unit: &Unit, e: &Expr) -> bool {
        e.n_nodes() <= MAX_NODES && self.keeps(unit, e)
    }

    /// The same of an expression of any length.
    pub fn keeps(&self, unit: &Unit, e: &Expr) -> bool {
        let operands = || e.children().into_iter().all(|x| self.keeps(unit, x));
        let is_there = |v| Kind::of(&e.ty).iter().any(|kind| self.stored.contains(&(v, *kind)));
        let untouched = |e: &Expr| e.root().is_some_and(|v| !is_there(v));
        match &e.kind {
            ExprKind::Var(v) => {
                let is_array = matches!(e.ty, Type::Array { .. } | Type::Struct(_));
                (is_array || !self.assigned.contains(v)) && !unit.var(*v).is_volatile
            }
            ExprKind::Unary(UnOp::AddrOf, x) => self.keep_place(unit, x),
            // A part of an array is a place, an element or a pointer in a table is a value.
            ExprKind::Index(..) | ExprKind::Unary(UnOp::Deref, _) => {
                (matches!(e.ty, Type::Array { .. }) || untouched(e)) && operands()
            }
            ExprKind::Member { field, .. } => {
                let is_place = matches!(e.ty, Type::Array { .. } | Type::Struct(_));
                (is_place || (!self.fields.contains(field) && untouched(e))) && operands()
            }
            ExprKind::Call { name, .. } => {
                functions::math(name).is_some() && unit.function(name).is_none() && operands()
            }
            ExprKind::Assign { .. } | ExprKind::IncDec { .. } | ExprKind::Comma(..) => false,
            ExprKind::Str(_) | ExprKind::InitList(_) | ExprKind::Unmodelled(_) => false,
            _ => operands(),
        }
    }

    /// Whether it names one place, whatever is there.
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

/// Puts values in the place of names.
pub fn put(e: &mut Expr, values: &Values) {
    put_as(e, values, &|_, value| value.clone());
}

/// Puts values in the place of names, each as of the type and at the place of its name.
pub fn put_converted(e: &mut Expr, values: &Values) {
    put_as(e, values, &|name, value| Expr { span: name.span, ..converted(value, &name.ty) });
}

fn put_as(e: &mut Expr, values: &Values, of: &dyn Fn(&Expr, &Expr) -> Expr) {
    e.rewrite(&mut |e| match &mut e.kind {
        ExprKind::Var(v) => {
            if let Some(value) = values.get(v) {
                *e = of(e, value);
            }
        }
        ExprKind::SizeOfType(ty) => put_in_type(ty, values),
        ExprKind::Cast(_) => put_in_type(&mut e.ty, values),
        _ => {}
    });
}

/// Puts values in the place of names, in all of a statement.
pub fn put_in(s: &mut Stmt, values: &Values) {
    s.exprs_mut(&mut |e| put(e, values));
}

/// Puts values in the place of names in the lengths of a type.
pub fn put_in_type(ty: &mut Type, values: &Values) {
    match ty {
        Type::Array { of, len } => {
            len.iter_mut().for_each(|len| put(len, values));
            put_in_type(of, values);
        }
        Type::Pointer { to, .. } => put_in_type(to, values),
        _ => {}
    }
}

/// Opens the pointers that a block declares for places in arrays.
pub fn open_pointers(unit: &mut Unit, stmts: &mut [Stmt]) {
    let mut at = 0;
    while at < stmts.len() {
        let (here, rest) = stmts[at..].split_first_mut().expect("`at` is inside");
        if let StmtKind::Decl(ds) = &mut here.kind
            && ds.iter().any(|d| matches!(unit.var(d.var).ty, Type::Pointer { .. }))
        {
            let changes = Changes::with_calls(unit, rest.iter());
            let mut values = Values::new();
            ds.retain_mut(|d| {
                d.init.iter_mut().for_each(|e| put(e, &values));
                let (var, Some(init)) = (unit.var(d.var), &d.init) else { return true };
                let opens = matches!(var.ty, Type::Pointer { .. }) && var.storage == Storage::Local;
                let opens = opens && !var.is_volatile && !changes.assigned.contains(&d.var);
                if !opens || !is_place_of(init, &var.ty) || !changes.keep(unit, init) {
                    return true;
                }
                values.insert(d.var, init.clone());
                false
            });
            rest.iter_mut().for_each(|s| put_in(s, &values));
            put_in_variables(unit, rest, &values);
        }
        at += 1;
    }
}

/// Puts values into the types of the variables that statements declare.
fn put_in_variables(unit: &mut Unit, stmts: &[Stmt], values: &Values) {
    if values.is_empty() {
        return;
    }
    for v in crate::region::effects::declared(stmts) {
        put_in_type(&mut unit.vars[v.0 as usize].ty, values);
    }
}

/// Test for a place that a pointer of that type may stand for: what it points to is what stands there. `int *p = v;` of a
/// `void *v`, which leads to numbers of another type, is none.
pub fn is_place_of(value: &Expr, pointer: &Type) -> bool {
    is_place(value) && is_alike(&value.ty, pointer)
}

/// Whether a pointer's value is a place: of an array, a structure or a variable.
pub fn is_place(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Var(_) => true,
        ExprKind::Index(base, _) | ExprKind::Member { base, .. } => is_place(base),
        ExprKind::Unary(UnOp::AddrOf | UnOp::Deref, x) | ExprKind::Cast(x) => is_place(x),
        ExprKind::Binary(BinOp::Add, a, b) => {
            (a.ty.is_pointer_like() && is_place(a)) || (b.ty.is_pointer_like() && is_place(b))
        }
        ExprKind::Binary(BinOp::Sub, a, _) => a.ty.is_pointer_like() && is_place(a),
        _ => false,
    }
}
