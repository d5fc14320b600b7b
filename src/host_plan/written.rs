//! Conditions of a plan as a person writes them: `n % w == 0` in the place of `(n % w == 0) >= 1`, in which a truth value is a
//! parameter of the integer sets that the condition comes from.

use super::ir::{Param, Region};
use crate::ast::{BinOp, Expr as CExpr, ExprKind, Type, UnOp, Unit, print};
use crate::facts::{reduction, symbolic};
use crate::kernel::{Expr, ScalarType, UnaryOp};

/// The C of a value that a region takes: as a person writes it, and the opposite of a truth value.
pub fn texts(unit: &Unit, e: &CExpr) -> (String, Option<String>) {
    let e = symbolic::as_written(e);
    let denied = reduction::is_truth(&e).then(|| print::expr(unit, &opposite(&e)));
    (print::expr(unit, &e), denied)
}

/// What holds where a truth value is 0. A NaN is neither less nor not less, so that only integers turn round.
fn opposite(e: &CExpr) -> CExpr {
    let is_int = |x: &CExpr| matches!(x.ty, Type::Int(_));
    let kind = match &e.kind {
        ExprKind::Unary(UnOp::Not, x) => return (**x).clone(),
        ExprKind::Binary(op, a, b) => match op.negated() {
            Some(other) if matches!(op, BinOp::Eq | BinOp::Ne) || is_int(a) && is_int(b) => {
                ExprKind::Binary(other, a.clone(), b.clone())
            }
            _ => ExprKind::Unary(UnOp::Not, Box::new(e.clone())),
        },
        _ => ExprKind::Unary(UnOp::Not, Box::new(e.clone())),
    };
    CExpr { kind, ty: e.ty.clone(), span: e.span }
}

/// A condition of a plan, in which C texts stand where the plan has names of its own for them.
pub fn condition(plan: &Region, holds: &Expr) -> Expr {
    let of = |x: &Expr| {
        let is_list = |text: &String| ["&&", "||", "?"].iter().any(|word| text.contains(word));
        Box::new(match condition(plan, x) {
            Expr::Var(text) if is_list(&text) => Expr::Var(format!("({text})")),
            x => x,
        })
    };
    match holds {
        Expr::Binary(op @ (BinOp::And | BinOp::Or), a, b) => Expr::Binary(*op, of(a), of(b)),
        Expr::Unary(UnaryOp::Not, x) => match truth(plan, x) {
            Some([_, denied]) => denied,
            None => Expr::Unary(UnaryOp::Not, of(x)),
        },
        Expr::Binary(op, a, b) if op.is_boolean() => compared(plan, *op, plain(a), plain(b)),
        x => truth(plan, x).map_or_else(|| x.clone(), |[holds, _]| holds),
    }
}

/// A comparison of integers.
fn compared(plan: &Region, op: BinOp, a: Expr, b: Expr) -> Expr {
    let constant = if let Expr::Int(c) = b { Some(c) } else { None };
    if let (Some([holds, denied]), Some(c)) = (truth(plan, &a), constant) {
        match [0, 1].map(|value| is_so(op, value, c)) {
            [false, true] => return holds,
            [true, false] => return denied,
            _ => {}
        }
    }
    let (op, b) = match (op, b) {
        (BinOp::Gt, Expr::Int(-1)) => (BinOp::Ge, Expr::Int(0)),
        (BinOp::Lt, Expr::Int(1)) => (BinOp::Le, Expr::Int(0)),
        (BinOp::Lt, Expr::Binary(BinOp::Add, most, one)) if *one == Expr::Int(1) => (BinOp::Le, *most),
        other => other,
    };
    Expr::Binary(op, Box::new(operand(plan, a)), Box::new(operand(plan, b)))
}

fn is_so(op: BinOp, a: i64, b: i64) -> bool {
    match op {
        BinOp::Lt => a < b,
        BinOp::Le => a <= b,
        BinOp::Gt => a > b,
        BinOp::Ge => a >= b,
        BinOp::Eq => a == b,
        _ => a != b,
    }
}

/// A value without the casts to the type of positions, which a person leaves out.
fn plain(e: &Expr) -> Expr {
    match e {
        Expr::Cast(ScalarType::Index, x) => plain(x),
        x => {
            let mut out = x.clone();
            out.children_mut().into_iter().for_each(|child| *child = plain(child));
            out
        }
    }
}

/// The C of a parameter that is a truth value, and of its opposite.
fn truth(plan: &Region, e: &Expr) -> Option<[Expr; 2]> {
    let Expr::Var(name) = plain(e) else { return None };
    plan.params.iter().find_map(|param| match param {
        Param::Scalar { name: own, written, denied: Some(denied), .. } if *own == name => {
            Some([Expr::Var(written.clone()), Expr::Var(denied.clone())])
        }
        _ => None,
    })
}

/// A side of a comparison; arithmetic needs no parentheses there.
fn operand(plan: &Region, e: Expr) -> Expr {
    let Expr::Var(name) = &e else { return e };
    let written = plan.params.iter().find_map(|param| match param {
        Param::Scalar { name: own, written, .. } if own == name => Some(written),
        _ => None,
    });
    match written.filter(|text| !text.contains(['<', '>', '=', '!', '&', '|', '^', '?', ','])) {
        Some(text) => Expr::Var(text.clone()),
        None => e,
    }
}
