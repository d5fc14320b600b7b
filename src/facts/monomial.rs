//! Products of counters and parameters: divided by each other, taken apart, and written as C.

use super::symbolic::{Monomial, Params, Sym};
use crate::ast::build::ast_builder;
use crate::ast::{BinOp, Expr, ExprKind, IntKind, Type};

/// `a / b` as products, if it comes out even.
pub fn divide(a: &Monomial, b: &Monomial) -> Option<Monomial> {
    let mut rest = a.clone();
    for s in b {
        let at = rest.iter().position(|r| r == s)?;
        rest.remove(at);
    }
    Some(rest)
}

/// The counters (and floors over counters) of a product, and its parametric factor.
pub fn split(m: &Monomial) -> (Monomial, Monomial) {
    m.iter().cloned().partition(|s| match s {
        Sym::Counter(_) => true,
        Sym::Floor(p, _) => !p.is_parametric(),
        Sym::Param(_) => false,
    })
}

/// The product of some parameters in C.
pub fn value_of(m: &Monomial, params: &Params) -> Expr {
    let factors = m.iter().filter_map(|s| match s {
        Sym::Param(id) => Some(widened(params.get(*id).expr.clone())),
        _ => None,
    });
    factors.reduce(product).expect("a product has factors")
}

pub fn widened(e: Expr) -> Expr {
    Expr { span: e.span, ty: Type::Int(IntKind::Long), kind: ExprKind::Cast(Box::new(e)) }
}

/// The product of two numbers in C.
pub fn product(a: Expr, b: Expr) -> Expr {
    ast_builder::binary(BinOp::Mul, a, b)
}
