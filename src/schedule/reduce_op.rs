//! Operators of reductions as kernel IR: the value that changes nothing, and how another one is joined. Whatever accumulates
//! asks for them, threads by themselves as well as blocks and grids.

use super::index;
use crate::ast::{BinOp, FloatKind, IntKind};
use crate::kernel::{Expr, ReduceOp, ScalarType, StmtKind, UnaryOp};
use crate::poly::names::Names;

/// `acc = acc op value`, as statements.
pub fn join(names: &mut Names, op: ReduceOp, ty: ScalarType, acc: &str, value: Expr) -> Vec<StmtKind> {
    if let Some(op) = op.operator() {
        return vec![StmtKind::Assign { var: acc.to_string(), op: Some(op), value }];
    }
    let tmp = names.fresh("rt_value");
    let choice = choice(op, ty, index::var(acc), index::var(&tmp));
    vec![
        StmtKind::Let { var: tmp, ty, init: Some(value) },
        StmtKind::Assign { var: acc.to_string(), op: None, value: choice },
    ]
}

/// Result that a minimum or maximum makes of the value from before and another one.
pub fn choice(op: ReduceOp, ty: ScalarType, before: Expr, value: Expr) -> Expr {
    let call = |name: &str| match ty {
        ScalarType::Float(FloatKind::Float) => format!("{name}f"),
        _ => name.to_string(),
    };
    match op {
        ReduceOp::Fmin => Expr::Call(call("fmin"), vec![before, value]),
        ReduceOp::Fmax => Expr::Call(call("fmax"), vec![before, value]),
        op => {
            let compare = match op {
                ReduceOp::Min => BinOp::Lt,
                ReduceOp::MinLast => BinOp::Le,
                ReduceOp::MaxLast => BinOp::Ge,
                _ => BinOp::Gt,
            };
            let better = index::binary(compare, value.clone(), before.clone());
            Expr::Cond(Box::new(better), Box::new(value), Box::new(before))
        }
    }
}

/// The value that changes nothing: of a floating sum -0, for 0 and -0 make 0.
pub fn identity(op: ReduceOp, ty: ScalarType) -> Expr {
    let negative = |text: &str| Expr::Unary(UnaryOp::Neg, Box::new(Expr::Float(text.into())));
    match (op, ty) {
        (ReduceOp::Add, ScalarType::Float(FloatKind::Float)) => negative("0.0f"),
        (ReduceOp::Add, ScalarType::Float(_)) => negative("0.0"),
        (ReduceOp::Add | ReduceOp::Or | ReduceOp::Xor, _) => Expr::Int(0),
        (ReduceOp::Mul, _) => Expr::Int(1),
        (ReduceOp::And, _) => Expr::Int(-1),
        (ReduceOp::Fmin | ReduceOp::Fmax, _) => Expr::Float("NAN".into()),
        (ReduceOp::Min | ReduceOp::MinLast, ScalarType::Float(_)) => Expr::Float("INFINITY".into()),
        (ReduceOp::Max | ReduceOp::MaxLast, ScalarType::Float(_)) => negative("INFINITY"),
        (ReduceOp::Min | ReduceOp::MinLast, ty) => extreme(ty, true),
        (ReduceOp::Max | ReduceOp::MaxLast, ty) => extreme(ty, false),
    }
}

/// The greatest or least value of an integer type.
fn extreme(ty: ScalarType, greatest: bool) -> Expr {
    let kind = match ty {
        ScalarType::Int(kind) => kind,
        _ => IntKind::Long,
    };
    let (bits, unsigned) = (kind.bits(), kind.is_unsigned());
    let value = match (greatest, unsigned) {
        (false, true) => return Expr::Int(0),
        // All bits set, whatever the width.
        (true, true) => return Expr::Cast(ScalarType::Int(kind), Box::new(Expr::Int(-1))),
        (true, false) => ((1i128 << (bits - 1)) - 1) as i64,
        (false, false) => {
            return Expr::Binary(
                BinOp::Sub,
                Box::new(Expr::Cast(ScalarType::Int(kind), Box::new(Expr::Int(-(((1i128 << (bits - 1)) - 1) as i64))))),
                Box::new(Expr::Int(1)),
            );
        }
    };
    Expr::Cast(ScalarType::Int(kind), Box::new(Expr::Int(value)))
}
