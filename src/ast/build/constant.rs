//! Integer constant expressions (C17 6.6), computed in the width of their types.

use crate::ast::{BinOp, Expr, ExprKind, FloatKind, IntKind, Type, UnOp};

/// The value of an expression of integer constants, casts and `sizeof`. `None` where it has none: a variable is in
/// it, it divides by zero, or it overflows a signed type.
pub fn fold(e: &Expr) -> Option<i64> {
    let Type::Int(kind) = e.ty else { return None };
    let value: i128 = match &e.kind {
        ExprKind::Int(value) => return Some(*value),
        ExprKind::Unary(op, a) => {
            let a = operand(a)?;
            match op {
                UnOp::Plus => a,
                UnOp::Neg => -a,
                UnOp::Not => i128::from(a == 0),
                UnOp::BitNot => !a,
                UnOp::Deref | UnOp::AddrOf => return None,
            }
        }
        ExprKind::Cast(a) => match &a.kind {
            ExprKind::Float(value, _) if value.abs() < 9e18 => *value as i128,
            _ => operand(a)?,
        },
        ExprKind::Cond(c, a, b) => operand(if operand(c)? != 0 { a } else { b })?,
        ExprKind::SizeOfType(ty) => i128::from(size_of(ty)?),
        ExprKind::SizeOfExpr(a) => i128::from(size_of(&a.ty)?),
        ExprKind::Binary(op, a, b) => return binary(*op, a, b, kind),
        _ => return None,
    };
    let is_cast = matches!(e.kind, ExprKind::Cast(_));
    fit(value, kind, is_cast)
}

/// The value of an operand, as its type reads its bits.
fn operand(e: &Expr) -> Option<i128> {
    let Type::Int(kind) = e.ty else { return None };
    let value = fold(e)?;
    Some(if kind.is_unsigned() && kind.bits() == 64 { i128::from(value as u64) } else { i128::from(value) })
}

fn binary(op: BinOp, a: &Expr, b: &Expr, kind: IntKind) -> Option<i64> {
    let (a, b) = match op {
        BinOp::And if operand(a)? == 0 => return Some(0),
        BinOp::Or if operand(a)? != 0 => return Some(1),
        BinOp::Shl | BinOp::Shr | BinOp::And | BinOp::Or => (operand(a)?, operand(b)?),
        _ => {
            let Some(Type::Int(common)) = super::typing::common(&a.ty, &b.ty) else { return None };
            (wrap(operand(a)?, common), wrap(operand(b)?, common))
        }
    };
    let value = match op {
        BinOp::Mul => a.checked_mul(b)?,
        BinOp::Div => a.checked_div(b)?,
        BinOp::Rem => a.checked_rem(b)?,
        BinOp::Add => a + b,
        BinOp::Sub => a - b,
        BinOp::Shl | BinOp::Shr if !(0..i128::from(kind.bits())).contains(&b) => return None,
        BinOp::Shl => a << b,
        BinOp::Shr => a >> b,
        BinOp::Lt => i128::from(a < b),
        BinOp::Gt => i128::from(a > b),
        BinOp::Le => i128::from(a <= b),
        BinOp::Ge => i128::from(a >= b),
        BinOp::Eq => i128::from(a == b),
        BinOp::Ne => i128::from(a != b),
        BinOp::BitAnd => a & b,
        BinOp::BitXor => a ^ b,
        BinOp::BitOr => a | b,
        BinOp::And | BinOp::Or => i128::from(b != 0),
    };
    fit(value, kind, false)
}

/// A value as a type holds it, modulo its width.
fn wrap(value: i128, kind: IntKind) -> i128 {
    if kind == IntKind::Bool {
        return i128::from(value != 0);
    }
    let bits = kind.bits();
    let low = value & ((1i128 << bits) - 1);
    if !kind.is_unsigned() && low >> (bits - 1) != 0 { low - (1i128 << bits) } else { low }
}

/// The value in its type; `None` for the overflow of a signed type, unless a cast makes it fit.
fn fit(value: i128, kind: IntKind, is_cast: bool) -> Option<i64> {
    let wrapped = wrap(value, kind);
    (wrapped == value || is_cast || kind.is_unsigned()).then_some(wrapped as i64)
}

/// `sizeof`, where it is the same on every LP64 machine and needs no structure's layout.
pub fn size_of(ty: &Type) -> Option<u64> {
    match ty {
        Type::Int(kind) => Some(u64::from(kind.bits() / 8)),
        Type::Float(FloatKind::Float) => Some(4),
        Type::Float(FloatKind::Double) => Some(8),
        Type::Float(FloatKind::LongDouble) => Some(16),
        Type::Pointer { .. } => Some(8),
        Type::Array { of, len } => {
            let len = u64::try_from(fold(len.as_deref()?)?).ok()?;
            size_of(of)?.checked_mul(len)
        }
        Type::Struct(id) => size_of(&Type::Float(id.complex_of()?))?.checked_mul(2),
        Type::Void | Type::Function(_) | Type::Other(_) => None,
    }
}
