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
    let mut out = vec![];
    bytes.iter().for_each(|e| factors(e, &mut out));
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

fn factors(e: &Expr, out: &mut Vec<Expr>) {
    match &e.kind {
        ExprKind::Binary(BinOp::Mul, a, b) => {
            factors(a, out);
            factors(b, out);
        }
        // `malloc` takes a number of bytes of another type than the program has.
        ExprKind::Cast(x) if matches!(e.ty, Type::Int(kind) if kind.bits() == 64) => factors(x, out),
        _ => out.push(e.clone()),
    }
}

/// A factor in the type in which a product of bytes is computed, so that theirs does not overflow.
fn wide(e: Expr) -> Expr {
    let (ty, span) = (Type::Int(IntKind::Long), e.span);
    Expr { kind: ExprKind::Cast(Box::new(e)), ty, span }
}
