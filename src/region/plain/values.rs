//! Values in the place of names: parameters of inlined calls, and pointers that stand for a place in an array.
//!
//! ```text
//! double *row = a + i * n;               for (j...)
//! for (j...) row[j] *= 2;        ->          (a + i * n)[j] *= 2;
//! ```
//! A name may go where it is assigned once, at its declaration, and where nothing in its scope changes what its value
//! is computed from.

use crate::ast::visit::Piece;
use crate::ast::{BinOp, Expr, ExprKind, Function, Stmt, StmtKind, Storage, Type, UnOp, Unit, VarId};
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
    /// Variables behind which, or in which, elements are.
    stored: BTreeSet<VarId>,
    /// Members of structures, by name.
    fields: BTreeSet<String>,
}

impl Changes {
    /// What is changed anywhere in the statements.
    pub fn of<'a>(stmts: impl IntoIterator<Item = &'a Stmt>) -> Changes {
        let mut out = Changes::default();
        for s in stmts {
            s.walk(&mut |piece| match piece {
                Piece::Expr(e) => match &e.kind {
                    ExprKind::Assign { target, .. } | ExprKind::IncDec { target, .. } => out.target(target),
                    ExprKind::Unary(UnOp::AddrOf, x) => {
                        if let ExprKind::Var(v) = x.kind
                            && !matches!(x.ty, Type::Struct(_))
                        {
                            out.assigned.insert(v);
                        }
                    }
                    _ => {}
                },
                Piece::Stmt(Stmt { kind: StmtKind::Decl(ds), .. }) => {
                    out.assigned.extend(ds.iter().filter(|d| d.init.is_some()).map(|d| d.var));
                }
                Piece::Stmt(_) => {}
            });
        }
        out
    }

    /// What is changed in a function and in what it calls.
    pub fn of_function(unit: &Unit, f: &Function) -> Changes {
        let mut out = Changes::default();
        let (mut pending, mut known) = (vec![f], vec![&f.name]);
        while let Some(f) = pending.pop() {
            let here = Changes::of([&f.body]);
            out.assigned.extend(here.assigned);
            out.stored.extend(here.stored);
            out.fields.extend(here.fields);
            f.body.walk(&mut |piece| {
                let Piece::Expr(Expr { kind: ExprKind::Call { name, args }, .. }) = piece else { return };
                out.stored.extend(args.iter().filter(|a| a.ty.is_pointer_like()).filter_map(Expr::root));
                if let Some(callee) = unit.function(name)
                    && !known.contains(&&callee.name)
                {
                    known.push(&callee.name);
                    pending.push(callee);
                }
            });
        }
        out
    }

    /// Adds that what is stored behind a parameter is stored in what it is given.
    pub fn behind<'a>(&mut self, given: impl Iterator<Item = (VarId, &'a Expr)>) {
        for (_, arg) in given.filter(|(p, _)| self.stored.contains(p)).collect::<Vec<_>>() {
            self.stored.extend(arg.root());
            if let ExprKind::Unary(UnOp::AddrOf, x) = &arg.kind {
                self.target(x);
            }
        }
    }

    fn target(&mut self, target: &Expr) {
        match &target.kind {
            ExprKind::Var(v) => _ = self.assigned.insert(*v),
            ExprKind::Member { field, .. } => {
                self.fields.insert(field.clone());
                self.stored.extend(target.root());
            }
            _ => self.stored.extend(target.root()),
        }
    }

    /// Whether an expression has one value, however often and wherever in those statements it is computed.
    pub fn keep(&self, unit: &Unit, e: &Expr) -> bool {
        let mut n_nodes = 0;
        e.walk(&mut |_| n_nodes += 1);
        n_nodes <= MAX_NODES && self.keeps(unit, e)
    }

    /// The same of an expression of any length.
    pub fn keeps(&self, unit: &Unit, e: &Expr) -> bool {
        let operands = || e.children().into_iter().all(|x| self.keeps(unit, x));
        let untouched = |e: &Expr| e.root().is_some_and(|v| !self.stored.contains(&v));
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

/// Puts values in the place of names.
pub fn put(e: &mut Expr, values: &Values) {
    e.rewrite(&mut |e| match &mut e.kind {
        ExprKind::Var(v) => {
            if let Some(value) = values.get(v) {
                *e = value.clone();
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
            let changes = Changes::of(rest.iter());
            let mut values = Values::new();
            ds.retain_mut(|d| {
                d.init.iter_mut().for_each(|e| put(e, &values));
                let (var, Some(init)) = (unit.var(d.var), &d.init) else { return true };
                let opens = matches!(var.ty, Type::Pointer { .. }) && var.storage == Storage::Local;
                let opens = opens && !var.is_volatile && !changes.assigned.contains(&d.var);
                if !opens || !is_place(init) || !changes.keep(unit, init) {
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
