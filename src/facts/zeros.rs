//! Signs of zeros: which of 0 and -0 a floating value may be.
//!
//! The two compare equal, so that a maximum or minimum of values among which both are depends on their order. Of values such
//! as `fabs(x - y)`, `x * x` or `x + 0.0` only one of them may be there, and any order will do. (IEEE 754-2019, section 6.3,
//! for rounding to nearest.)

use super::symbolic::same_expr;
use crate::ast::{BinOp, Expr, ExprKind, FloatKind, Type, UnOp, VarId};

/// The zeros that a value may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Zeros {
    /// 0.
    pub plus: bool,
    /// -0.
    pub minus: bool,
}

impl Zeros {
    /// Either of them.
    pub const BOTH: Zeros = Zeros { plus: true, minus: true };
    const NONE: Zeros = Zeros { plus: false, minus: false };
    const PLUS: Zeros = Zeros { plus: true, minus: false };

    /// The zeros that an expression may be, where variables may be those that `of` says.
    pub fn of(e: &Expr, of: &dyn Fn(VarId) -> Zeros) -> Zeros {
        let zeros = |e: &Expr| Zeros::of(e, of);
        if !matches!(e.ty, Type::Float(_)) || is_positive(e) {
            return Zeros::PLUS;
        }
        match &e.kind {
            ExprKind::Float(x, _) if *x != 0.0 => Zeros::NONE,
            ExprKind::Var(v) => of(*v),
            ExprKind::Unary(UnOp::Plus, a) => zeros(a),
            ExprKind::Unary(UnOp::Neg, a) => Zeros { plus: zeros(a).minus, minus: zeros(a).plus },
            ExprKind::Binary(BinOp::Add, a, b) => Zeros { plus: true, minus: zeros(a).minus && zeros(b).minus },
            ExprKind::Binary(BinOp::Sub, a, b) => Zeros { plus: true, minus: zeros(a).minus && zeros(b).plus },
            ExprKind::Cond(_, a, b) => zeros(a).or(zeros(b)),
            ExprKind::Cast(a) if matches!(a.ty, Type::Int(_)) => Zeros::PLUS,
            // A narrower one may be a zero where this is none.
            ExprKind::Cast(a) if a.ty == e.ty || a.ty == Type::Float(FloatKind::Float) => zeros(a),
            ExprKind::Call { name, args } => match name.trim_start_matches("__builtin_") {
                "fmax" | "fmaxf" | "fmin" | "fminf" | "sqrt" | "sqrtf" => {
                    args.iter().map(zeros).fold(Zeros::NONE, Zeros::or)
                }
                _ => Zeros::BOTH,
            },
            _ => Zeros::BOTH,
        }
    }

    /// Those of either value.
    pub fn or(self, other: Zeros) -> Zeros {
        Zeros { plus: self.plus || other.plus, minus: self.minus || other.minus }
    }
}

/// Test that the sign of a value, if it is a number, is never that of -0.
fn is_positive(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Float(x, _) => x.is_sign_positive(),
        ExprKind::Int(x) => *x >= 0,
        ExprKind::Cast(a) => is_positive(a) || matches!(a.ty, Type::Int(kind) if kind.is_unsigned()),
        ExprKind::Unary(UnOp::Plus, a) => is_positive(a),
        ExprKind::Binary(BinOp::Mul, a, b) if same_expr(a, b) => true,
        ExprKind::Binary(BinOp::Add | BinOp::Mul | BinOp::Div, a, b) => is_positive(a) && is_positive(b),
        ExprKind::Cond(_, a, b) => is_positive(a) && is_positive(b),
        ExprKind::Call { name, args } => match name.trim_start_matches("__builtin_") {
            "fabs" | "fabsf" | "exp" | "expf" | "exp2" | "exp2f" | "hypot" | "hypotf" | "cosh" | "coshf" => true,
            "sqrt" | "sqrtf" => args.iter().all(is_positive),
            _ => false,
        },
        _ => false,
    }
}
