//! Polynomials and small integer expressions in kernel IR, written as a person would.

use crate::ast::BinOp;
use crate::facts::symbolic::{Poly, Sym};
use crate::kernel::Expr;

/// A polynomial as an expression: positive terms first, coefficients in front, no `+ -`.
pub fn expr(p: &Poly, symbol: &mut dyn FnMut(&Sym) -> Expr) -> Expr {
    let mut terms: Vec<(Option<Expr>, i64)> = vec![];
    for (m, c) in &p.terms {
        let product = m.iter().map(|s| factor(s, symbol)).reduce(|a, b| binary(BinOp::Mul, a, b));
        terms.push((product, *c));
    }
    // Symbols before the constant, what is added before what is taken away.
    terms.sort_by_key(|(product, c)| (*c < 0, product.is_none()));
    let mut sum: Option<Expr> = None;
    for (product, c) in terms {
        sum = Some(match (sum, c < 0) {
            (None, false) => scaled(product, c),
            (None, true) => match product {
                None => Expr::Int(c),
                product => Expr::Unary(crate::kernel::UnaryOp::Neg, Box::new(scaled(product, -c))),
            },
            (Some(sum), false) => binary(BinOp::Add, sum, scaled(product, c)),
            (Some(sum), true) => binary(BinOp::Sub, sum, scaled(product, c.saturating_neg())),
        });
    }
    sum.unwrap_or(Expr::Int(0))
}

fn factor(s: &Sym, symbol: &mut dyn FnMut(&Sym) -> Expr) -> Expr {
    match s {
        Sym::Floor(inner, d) => Expr::FloorDiv(Box::new(expr(inner, symbol)), Box::new(Expr::Int(*d))),
        s => symbol(s),
    }
}

fn scaled(product: Option<Expr>, c: i64) -> Expr {
    match product {
        None => Expr::Int(c),
        Some(p) if c == 1 => p,
        Some(p) => binary(BinOp::Mul, Expr::Int(c), p),
    }
}

/// `a op b`.
pub fn binary(op: BinOp, a: Expr, b: Expr) -> Expr {
    Expr::Binary(op, Box::new(a), Box::new(b))
}

/// `a + b`, without a zero.
pub fn add(a: Expr, b: Expr) -> Expr {
    match (&a, &b) {
        (Expr::Int(0), _) => b,
        (_, Expr::Int(0)) => a,
        _ => binary(BinOp::Add, a, b),
    }
}

/// `a * b`, without a one.
pub fn mul(a: Expr, b: Expr) -> Expr {
    match (&a, &b) {
        (Expr::Int(1), _) => b,
        (_, Expr::Int(1)) => a,
        _ => binary(BinOp::Mul, a, b),
    }
}

/// The least of some expressions.
pub fn min(all: impl IntoIterator<Item = Expr>) -> Option<Expr> {
    all.into_iter().reduce(|a, b| Expr::Min(Box::new(a), Box::new(b)))
}

/// The greatest of some expressions.
pub fn max(all: impl IntoIterator<Item = Expr>) -> Option<Expr> {
    all.into_iter().reduce(|a, b| Expr::Max(Box::new(a), Box::new(b)))
}

/// `ceil(a / b)`.
pub fn ceil_div(a: Expr, b: Expr) -> Expr {
    match b {
        Expr::Int(1) => a,
        b => Expr::CeilDiv(Box::new(a), Box::new(b)),
    }
}

/// An expression without the constant that stands beside it: `n` of `n - 1`.
pub fn without_constant(e: &Expr) -> &Expr {
    match e {
        Expr::Binary(BinOp::Add, c, rest) if matches!(**c, Expr::Int(_)) => rest,
        Expr::Binary(BinOp::Add | BinOp::Sub, rest, c) if matches!(**c, Expr::Int(_)) => rest,
        _ => e,
    }
}

/// A variable.
pub fn var(name: impl Into<String>) -> Expr {
    Expr::Var(name.into())
}

/// The size of a kind in a dimension: `BLOCK_0`, `MERGE_1`.
pub fn size_of(kind: &str, d: usize) -> Expr {
    var(format!("{kind}_{d}"))
}

/// Threads of a block in each of so many dimensions.
pub fn block(dimensions: usize) -> Vec<Expr> {
    (0..dimensions).map(|d| size_of("BLOCK", d)).collect()
}

/// Every condition at once.
pub fn all(conditions: impl IntoIterator<Item = Expr>) -> Option<Expr> {
    conditions.into_iter().reduce(|a, b| binary(BinOp::And, a, b))
}
