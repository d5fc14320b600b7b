//! Linear recurrences: numbers that each iteration of a loop moves by the same: the value in an iteration follows from the one
//! before the loop.
//!
//! ```text
//! for (i = 0; i < n; i++) {                   for (i = 0; i < n; i++) {
//!     x = x + h;                                  double x' = x + (double)i * h;
//!     sign = -sign;                 ->            double sign' = i % 2 == 0 ? sign : -sign;
//!     sum += sign * f(x);                         x' = x' + h;  sign' = -sign';
//! }                                               sum += sign' * f(x');
//!                                             }
//!                                             x = x + (double)n * h;  sign = n % 2 == 0 ? sign : -sign;
//! ```
//! So does a place in a ring (`at = (at + step) & mask`, `at = (at + step) % size`), of whatever size: the functions of
//! `rt_random.h` step where it is none. A `double` that is moved so has fewer roundings behind it than C's, as a sum in
//! another order has others. It is left as it is where its last digit could decide more than a last digit: in comparisons,
//! where it becomes an integer, in functions with steps; and in loops around loops, whose iterations the host counts.
//! ([`generator_jump_ahead`](super::generator_jump_ahead) puts the values in, and finds how many steps there are.)

use super::generator_laws::{DOUBLE, Law};
use crate::ast::build::constant;
use crate::ast::visit::Piece;
use crate::ast::{BinOp, Expr, ExprKind, Stmt, StmtKind, Type, UnOp};
use crate::facts::effects;
use crate::facts::symbolic::same_expr;
use std::collections::BTreeSet;

/// Functions of math.h that change as little as their arguments do.
const SMOOTH: &[&str] = &[
    "acos", "asin", "atan", "atan2", "cbrt", "cos", "cosh", "erf", "erfc", "exp", "exp2", "expm1", "fabs", "fma",
    "hypot", "lgamma", "log", "log10", "log1p", "log2", "pow", "sin", "sinh", "sqrt", "tan", "tanh", "tgamma",
];

/// The law of a number to which a loop assigns `value`. `is_fixed`: test for what the loop does not change.
pub fn law(value: &Expr, place: &Expr, is_fixed: &dyn Fn(&Expr) -> bool) -> Option<Law> {
    if is_negated(value, place) {
        return Some(Law::negates());
    }
    if let Type::Int(_) = place.ty {
        return ring(value, place, is_fixed);
    }
    let is_place = |e: &Expr| same_expr(e, place);
    let (step, is_less) = match &value.kind {
        ExprKind::Binary(BinOp::Add, a, b) if is_place(a) => (b, false),
        ExprKind::Binary(BinOp::Add, a, b) if is_place(b) => (a, false),
        ExprKind::Binary(BinOp::Sub, a, b) if is_place(a) => (b, true),
        _ => return None,
    };
    (place.ty == DOUBLE && is_fixed(step)).then(|| Law::adds((**step).clone(), is_less))
}

/// `(s + step) & mask`, `(s + step) % size`, computed in the type of the place.
fn ring(value: &Expr, place: &Expr, is_fixed: &dyn Fn(&Expr) -> bool) -> Option<Law> {
    let (function, sum, size) = match &value.kind {
        ExprKind::Binary(BinOp::BitAnd, a, b) if is_fixed(b) => ("rt_ring_mask", a, b),
        ExprKind::Binary(BinOp::BitAnd, a, b) => ("rt_ring_mask", b, a),
        ExprKind::Binary(BinOp::Rem, a, b) if !matches!(place.ty, Type::Int(kind) if kind.is_unsigned()) => {
            ("rt_ring", a, b)
        }
        _ => return None,
    };
    let ExprKind::Binary(BinOp::Add, a, b) = &sum.kind else { return None };
    let step = if same_expr(a, place) { b } else { a };
    let is_ring = same_expr(a, place) || same_expr(b, place);
    let is_alike = value.ty == place.ty && sum.ty == place.ty;
    (is_ring && is_alike && is_fixed(step) && is_fixed(size))
        .then(|| Law::turns(function, (**step).clone(), (**size).clone()))
}

/// `-s`, and `-1 * s`.
fn is_negated(value: &Expr, place: &Expr) -> bool {
    let is_less_one = |e: &Expr| match &e.kind {
        ExprKind::Unary(UnOp::Neg, x) if matches!(x.kind, ExprKind::Float(one, _) if one == 1.0) => true,
        _ => constant::fold(e) == Some(-1),
    };
    match &value.kind {
        ExprKind::Unary(UnOp::Neg, x) => same_expr(x, place),
        ExprKind::Binary(BinOp::Mul, a, b) => {
            value.ty == place.ty && (same_expr(a, place) && is_less_one(b) || same_expr(b, place) && is_less_one(a))
        }
        _ => false,
    }
}

/// Test for a loop in which the last digit of a number may decide more than the last digits of others: an integer, a
/// condition, a function with steps is computed from it.
pub fn decides(s: &Stmt, place: &Expr) -> bool {
    let is_from_place = |e: &Expr| {
        let mut found = false;
        e.walk(&mut |e| found |= same_expr(e, place));
        found
    };
    let mut computed = effects::computed_from(s, BTreeSet::new(), &is_from_place);
    // An element of an array is read from there.
    let mut arrays = vec![];
    s.walk(&mut |piece| {
        if let Piece::Expr(Expr { kind: ExprKind::Assign { target, value, .. }, .. }) = piece {
            let depends = is_from_place(value) || computed.iter().any(|v| value.mentions(*v));
            arrays.extend(target.root().filter(|_| depends));
        }
    });
    computed.extend(arrays);
    let computed = effects::computed_from(s, computed, &is_from_place);
    let depends = |e: &Expr| is_from_place(e) || computed.iter().any(|v| e.mentions(*v));
    let mut decides = false;
    s.walk(&mut |piece| match piece {
        Piece::Expr(e) => {
            decides |= match (&e.kind, &e.ty) {
                (ExprKind::Cond(cond, ..), Type::Float(_)) => depends(cond),
                (ExprKind::Call { name, args }, _) => !is_smooth(name) && args.iter().any(depends),
                (_, Type::Int(_)) => depends(e),
                _ => false,
            };
        }
        Piece::Stmt(Stmt { kind: StmtKind::If { cond, .. } | StmtKind::While { cond, .. }, .. }) => {
            decides |= depends(cond)
        }
        Piece::Stmt(Stmt { kind: StmtKind::DoWhile { cond, .. }, .. }) => decides |= depends(cond),
        Piece::Stmt(_) => {}
    });
    decides
}

fn is_smooth(name: &str) -> bool {
    let name = name.strip_prefix("__builtin_").unwrap_or(name);
    SMOOTH.contains(&name) || name.strip_suffix('f').is_some_and(|name| SMOOTH.contains(&name))
}
