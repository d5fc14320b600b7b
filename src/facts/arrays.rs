//! Arrays as C has them: which element an expression names, how many subscripts and pointers lead to it, and of which type it is.

use crate::ast::{BinOp, Expr, ExprKind, StructId, Type, UnOp, VarId};

/// The variable and subscripts of an element: `a[i][j]`, `*(a + i)`, `(*a)[j]`, `*a`.
pub fn subscripts(e: &Expr) -> Option<(VarId, Vec<&Expr>)> {
    match &e.kind {
        ExprKind::Var(v) => Some((*v, vec![])),
        ExprKind::Index(base, index) if base.ty.is_pointer_like() => {
            let (v, mut subs) = subscripts(base)?;
            subs.push(index);
            Some((v, subs))
        }
        ExprKind::Unary(UnOp::Deref, p) => match &p.kind {
            ExprKind::Binary(BinOp::Add, a, b) if a.ty.is_pointer_like() => {
                let (v, mut subs) = subscripts(a)?;
                subs.push(b);
                Some((v, subs))
            }
            _ => None,
        },
        _ => None,
    }
}

/// How many subscripts reach an element; `None` where pointers stand behind rows that are not pointers themselves.
pub fn rank(ty: &Type) -> Option<usize> {
    let levels = pointer_levels(ty);
    let is_plain = levels.iter().skip(1 + n_pointers(ty)).all(|is_pointer| !is_pointer);
    is_plain.then_some(levels.len())
}

/// How many pointers, each in a table of the one before, lead to a row: 1 for `double **a` and `double *a[n]`, 2 for
/// `double ***a`, 0 where the elements are one block.
pub fn n_pointers(ty: &Type) -> usize {
    pointer_levels(ty).iter().skip(1).take_while(|is_pointer| **is_pointer).count()
}

/// Test that the elements are memory that other names may lead to.
pub fn is_behind_pointer(ty: &Type) -> bool {
    pointer_levels(ty).into_iter().any(|is_pointer| is_pointer)
}

/// For each subscript, whether what it is applied to is a pointer; outermost first.
fn pointer_levels(ty: &Type) -> Vec<bool> {
    let (mut out, mut ty) = (vec![], ty);
    while let Type::Array { of: inner, .. } | Type::Pointer { to: inner, .. } = ty {
        out.push(matches!(ty, Type::Pointer { .. }));
        ty = inner;
    }
    out
}

/// Test that two types of arrays are laid out alike, but for lengths.
pub fn same_layout(a: &Type, b: &Type) -> bool {
    rank(a) == rank(b) && n_pointers(a) == n_pointers(b)
}

/// What is left of a type when every array and pointer is taken away.
pub fn element_type(ty: &Type) -> Type {
    match ty {
        Type::Array { of, .. } => element_type(of),
        Type::Pointer { to, .. } => element_type(to),
        other => other.clone(),
    }
}

/// The structure, or the one that is pointed to.
pub fn structure(ty: &Type) -> Option<StructId> {
    match ty {
        Type::Struct(id) => Some(*id),
        Type::Pointer { to, .. } => structure(to),
        _ => None,
    }
}
