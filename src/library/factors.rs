//! Expressions as sums of products: `c - alpha * (a * b)` is `+ c`, `- alpha a b`.

use crate::ast::{BinOp, Expr, ExprKind, UnOp};

/// Factors with a sign.
#[derive(Debug, Clone)]
pub struct Term<'e> {
    pub factors: Vec<&'e Expr>,
    pub is_negative: bool,
}

/// The terms of a sum. A sum within a product is a factor.
pub fn terms(e: &Expr) -> Vec<Term<'_>> {
    let mut out = vec![];
    add(e, false, &mut out);
    out
}

/// What C converts first stands as it is: `2 * x` has the factor 2, and `(i * n) * x` the factor `i * n`, rounded once.
fn add<'e>(e: &'e Expr, is_negative: bool, out: &mut Vec<Term<'e>>) {
    let mut of = |part: &'e Expr, is_negative: bool| match part.ty == e.ty {
        true => add(part, is_negative, out),
        false => out.push(Term { factors: vec![part], is_negative }),
    };
    match &e.kind {
        ExprKind::Binary(BinOp::Add, a, b) => {
            of(a, is_negative);
            of(b, is_negative);
        }
        ExprKind::Binary(BinOp::Sub, a, b) => {
            of(a, is_negative);
            of(b, !is_negative);
        }
        ExprKind::Unary(UnOp::Plus, a) => of(a, is_negative),
        ExprKind::Cast(a) if a.ty == e.ty => of(a, is_negative),
        _ => {
            let mut term = Term { factors: vec![], is_negative };
            multiply(e, &mut term);
            out.push(term);
        }
    }
}

fn multiply<'e>(e: &'e Expr, term: &mut Term<'e>) {
    let mut of = |part: &'e Expr| match part.ty == e.ty {
        true => multiply(part, term),
        false => term.factors.push(part),
    };
    match &e.kind {
        ExprKind::Binary(BinOp::Mul, a, b) => {
            of(a);
            of(b);
        }
        ExprKind::Unary(UnOp::Neg, a) if a.ty == e.ty => {
            of(a);
            term.is_negative = !term.is_negative;
        }
        ExprKind::Unary(UnOp::Plus, a) => of(a),
        ExprKind::Cast(a) if a.ty == e.ty => of(a),
        _ => term.factors.push(e),
    }
}
