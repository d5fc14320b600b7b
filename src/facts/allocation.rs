//! Calls that allocate memory, and how many elements they allocate.

use crate::ast::{BinOp, Expr, ExprKind, IntKind, Type, UnOp};
use crate::facts::effects;

/// Arguments of `malloc` and `calloc`: factors of how many bytes they allocate.
pub fn arguments(e: &Expr) -> Option<&[Expr]> {
    match &e.kind {
        ExprKind::Cast(x) => arguments(x),
        ExprKind::Call { name, args } if ["malloc", "calloc"].contains(&name.as_str()) => Some(args),
        _ => None,
    }
}

/// The factors of how many elements so many bytes are, none of which has an effect.
pub fn extents(bytes: &[Expr], element: &Type) -> Option<Vec<Expr>> {
    let mut out: Vec<Expr> = bytes.iter().flat_map(factors).collect();
    let is_size = |e: &Expr| match &e.kind {
        ExprKind::SizeOfType(ty) => ty == element,
        ExprKind::SizeOfExpr(x) => x.ty == *element,
        _ => false,
    };
    match out.iter().position(is_size) {
        Some(at) => _ = out.remove(at),
        None if matches!(element, Type::Int(kind) if kind.bits() == 8) => {}
        None => return None,
    }
    // Memory behind a pointer may change in ways that nobody sees here.
    let is_plain = |e: &Expr| {
        let mut is_plain = matches!(e.ty, Type::Int(_)) && effects::is_plain(e);
        e.walk(&mut |e| {
            is_plain &=
                !matches!(e.kind, ExprKind::Member { .. } | ExprKind::Index(..) | ExprKind::Unary(UnOp::Deref, _));
        });
        is_plain
    };
    out.iter().all(is_plain).then(|| out.into_iter().map(wide).collect())
}

/// The factors of a number of bytes, all integers: their product is one of [`wide`] factors. What may wrap, or is cut off, is one.
pub fn factors(e: &Expr) -> Vec<Expr> {
    let is_wide = |ty: &Type| matches!(ty, Type::Int(kind) if kind.bits() == 64);
    let is_exact = is_wide(&e.ty) || matches!(e.ty, Type::Int(kind) if !kind.is_unsigned());
    match &e.kind {
        ExprKind::Binary(BinOp::Mul, a, b) if is_exact => [factors(a), factors(b)].concat(),
        // `malloc` takes a number of bytes of another type than the program has.
        ExprKind::Cast(x) if is_wide(&e.ty) && matches!(x.ty, Type::Int(_)) => factors(x),
        _ => vec![e.clone()],
    }
}

/// A factor in the type in which a product of bytes is computed, so that theirs does not overflow.
pub fn wide(e: Expr) -> Expr {
    let (ty, span) = (Type::Int(IntKind::Long), e.span);
    Expr { kind: ExprKind::Cast(Box::new(e)), ty, span }
}
