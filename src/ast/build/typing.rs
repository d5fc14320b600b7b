//! The conversions and result types of C's operators (C17 6.3 and 6.5), on LP64.

use crate::ast::{BinOp, Expr, FloatKind, IntKind, Type, UnOp};

use super::builder::unknown;

impl IntKind {
    /// Its conversion rank (C17 6.3.1.1), from `int` up.
    fn rank(self) -> u8 {
        use IntKind::*;
        match self {
            LongLong | ULongLong => 2,
            Long | ULong => 1,
            _ => 0,
        }
    }

    fn to_unsigned(self) -> IntKind {
        match self {
            IntKind::Long => IntKind::ULong,
            IntKind::LongLong => IntKind::ULongLong,
            IntKind::Int => IntKind::UInt,
            other => other,
        }
    }
}

/// Integer promotion: what is narrower than `int` becomes `int`.
pub fn promote(kind: IntKind) -> IntKind {
    if kind.bits() < 32 { IntKind::Int } else { kind }
}

/// The usual arithmetic conversions; `None` unless both types are arithmetic.
pub fn common(a: &Type, b: &Type) -> Option<Type> {
    if a.is_complex() || b.is_complex() {
        // Of the wider of the two real types (C17 6.3.1.8).
        let real = |ty: &Type| ty.complex_of().map_or_else(|| ty.clone(), Type::Float);
        return match common(&real(a), &real(b))? {
            Type::Float(kind) => Some(Type::complex(kind)),
            _ => None,
        };
    }
    match (a, b) {
        (Type::Float(a), Type::Float(b)) => Some(Type::Float(wider(*a, *b))),
        (Type::Float(f), Type::Int(_)) | (Type::Int(_), Type::Float(f)) => Some(Type::Float(*f)),
        (Type::Int(a), Type::Int(b)) => {
            let (a, b) = (promote(*a), promote(*b));
            let (high, low) = if a.rank() >= b.rank() { (a, b) } else { (b, a) };
            let turns = low.is_unsigned() && !high.is_unsigned() && low.bits() >= high.bits();
            let (same, other) = (high.rank() == low.rank(), low.is_unsigned());
            Some(Type::Int(if turns || (same && other) { high.to_unsigned() } else { high }))
        }
        _ => None,
    }
}

fn wider(a: FloatKind, b: FloatKind) -> FloatKind {
    use FloatKind::*;
    match (a, b) {
        (LongDouble, _) | (_, LongDouble) => LongDouble,
        (Double, _) | (_, Double) => Double,
        _ => Float,
    }
}

/// The type of the value: an array's is a pointer to its first element, a function's one to it.
pub fn decay(ty: &Type) -> Type {
    match ty {
        Type::Array { of, .. } => Type::Pointer { to: of.clone(), is_const: false, restrict: false },
        Type::Function(_) => Type::Pointer { to: Box::new(ty.clone()), is_const: false, restrict: false },
        other => other.clone(),
    }
}

fn promoted(ty: &Type) -> Type {
    match ty {
        Type::Int(kind) => Type::Int(promote(*kind)),
        Type::Float(_) => ty.clone(),
        ty if ty.is_complex() => ty.clone(),
        _ => unknown(),
    }
}

/// The type of `a op b`.
pub fn binary(op: BinOp, a: &Type, b: &Type) -> Type {
    let (a, b) = (&decay(a), &decay(b));
    match op {
        _ if op.is_boolean() => Type::Int(IntKind::Int),
        BinOp::Shl | BinOp::Shr => promoted(a),
        BinOp::Add | BinOp::Sub => match (a, b) {
            (Type::Pointer { .. }, Type::Int(_)) => a.clone(),
            (Type::Int(_), Type::Pointer { .. }) if op == BinOp::Add => b.clone(),
            (Type::Pointer { .. }, Type::Pointer { .. }) if op == BinOp::Sub => Type::Int(IntKind::Long),
            _ => common(a, b).unwrap_or_else(unknown),
        },
        _ => common(a, b).unwrap_or_else(unknown),
    }
}

/// The type of `op e`.
pub fn unary(op: UnOp, operand: &Expr) -> Type {
    match op {
        UnOp::Not => Type::Int(IntKind::Int),
        UnOp::Plus | UnOp::Neg | UnOp::BitNot => promoted(&operand.ty),
        UnOp::Deref => element(&operand.ty),
        UnOp::AddrOf => Type::Pointer { to: Box::new(operand.ty.clone()), is_const: false, restrict: false },
    }
}

/// What a subscript or `*` of such a value gives.
pub fn element(ty: &Type) -> Type {
    match ty {
        Type::Array { of, .. } => (**of).clone(),
        Type::Pointer { to, .. } => (**to).clone(),
        _ => unknown(),
    }
}

/// The type that has the member in `base.member` or `base->member`.
pub fn structure(base: &Expr, arrow: bool) -> Type {
    if arrow { element(&base.ty) } else { base.ty.clone() }
}

/// The type of `c ? a : b`.
pub fn conditional(a: &Type, b: &Type) -> Type {
    if let Some(ty) = common(a, b) {
        return ty;
    }
    let is_void_pointer = |ty: &Type| matches!(ty, Type::Pointer { to, .. } if **to == Type::Void);
    match (decay(a), decay(b)) {
        (a @ Type::Pointer { .. }, Type::Int(_)) => a,
        (Type::Int(_), b @ Type::Pointer { .. }) => b,
        // The void pointer is most often `NULL`, which takes the other's type.
        (a, b @ Type::Pointer { .. }) if is_void_pointer(&a) => b,
        (a, b) if a == b || matches!((&a, &b), (Type::Pointer { .. }, Type::Pointer { .. })) => a,
        _ => unknown(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usual_arithmetic_conversions() {
        use IntKind::*;
        let table = [
            (Char, Short, Int),
            (Int, UInt, UInt),
            (UInt, Long, Long),
            (Long, ULong, ULong),
            (ULong, LongLong, ULongLong),
            (UShort, Bool, Int),
        ];
        for (a, b, expected) in table {
            for (a, b) in [(a, b), (b, a)] {
                assert_eq!(common(&Type::Int(a), &Type::Int(b)), Some(Type::Int(expected)), "{a:?} {b:?}");
            }
        }
    }
}
