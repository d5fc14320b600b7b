//! Operands, sizes and factors of a call in the host's terms.

use crate::ast::BinOp;
use crate::facts::Reason;
use crate::facts::symbolic::Poly;
use crate::kernel::{self as k, ScalarType, UnaryOp, Usage, simplify};
use crate::library::operand::Operand;
use crate::library::view::View;
use crate::library::{Range, Scale};
use crate::schedule::index;
use crate::schedule::lower::{Lowering, scalar_type};

/// How many a range has.
pub fn count(r: &Range, l: &mut Lowering) -> k::Expr {
    plain(index::binary(BinOp::Sub, l.poly(&r.end), l.poly(&r.first)))
}

/// The operand that is looked at so; its accesses are counted as used.
pub fn operand(v: &View, usage: Usage, l: &mut Lowering) -> Operand {
    l.used.arrays.insert(v.data, usage);
    let mut distance = |p: &Poly| plain(l.poly(p));
    let (first, row) = (distance(&v.first), distance(&v.along[0]));
    let (column, batch) = (distance(&v.along[1]), distance(&v.along[2]));
    Operand { array: l.name(v.data), first, row, column, batch }
}

/// The product of the factors, computed as a `ty`.
pub fn scale(s: &Scale, ty: ScalarType, l: &mut Lowering) -> Result<k::Expr, Reason> {
    let mut product: Option<k::Expr> = None;
    for f in &s.factors {
        let own = l.value(f)?;
        let own = if scalar_type(&f.ty) == Some(ty) { own } else { k::Expr::Cast(ty, own.into()) };
        product = Some(match product {
            Some(before) => index::binary(BinOp::Mul, before, own),
            None => own,
        });
    }
    let product = product.unwrap_or(k::Expr::Float("1.0".into()));
    Ok(if s.is_negative { k::Expr::Unary(UnaryOp::Neg, product.into()) } else { product })
}

/// An expression of places and sizes, simplified.
pub fn plain(mut e: k::Expr) -> k::Expr {
    simplify::index_expr(&mut e);
    e
}
