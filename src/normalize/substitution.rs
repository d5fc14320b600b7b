//! Substitution of values for names: parameters of inlined calls, and pointers that stand for a place in an array.
//!
//! ```text
//! double *row = a + i * n;               for (j...)
//! for (j...) row[j] *= 2;        ->          (a + i * n)[j] *= 2;
//! ```
//! A name may go where it is assigned once, at its declaration, and where nothing in its scope changes what its value
//! is computed from.

use crate::ast::build::alike::is_alike;
use crate::ast::build::ast_builder::converted;
use crate::ast::{BinOp, Expr, ExprKind, Stmt, StmtKind, Storage, Type, UnOp, Unit, VarId};
use crate::facts::changes::Changes;
use std::collections::BTreeMap;

/// Values by the variable whose place they take.
pub type Values = BTreeMap<VarId, Expr>;

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
                // `int *p = p;` leads to nowhere, and has a name for it all the same.
                if !opens || init.mentions(d.var) || !is_place_of(init, &var.ty) || !changes.keep(unit, init) {
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
    for v in crate::facts::effects::declared(stmts) {
        put_in_type(&mut unit.vars[v.0 as usize].ty, values);
    }
}

/// Test for a place that a pointer of that type may stand for: what it points to is what stands there. `int *p = v;` of a
/// `void *v`, which leads to numbers of another type, is none.
pub fn is_place_of(value: &Expr, pointer: &Type) -> bool {
    is_place(value) && is_alike(&value.ty, pointer)
}

/// Test that a pointer's value is a place: of an array, a structure, a variable or a function.
pub fn is_place(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Var(_) | ExprKind::Function(_) => true,
        ExprKind::Index(base, _) | ExprKind::Member { base, .. } => is_place(base),
        ExprKind::Unary(UnOp::AddrOf | UnOp::Deref, x) | ExprKind::Cast(x) => is_place(x),
        ExprKind::Binary(BinOp::Add, a, b) => {
            (a.ty.is_pointer_like() && is_place(a)) || (b.ty.is_pointer_like() && is_place(b))
        }
        ExprKind::Binary(BinOp::Sub, a, _) => a.ty.is_pointer_like() && is_place(a),
        _ => false,
    }
}
