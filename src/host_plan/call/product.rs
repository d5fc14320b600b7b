//! The call that a contraction becomes.

use super::operands::{count, operand, scale};
use crate::facts::Reason;
use crate::kernel::{Expr, Usage};
use crate::library::product::Product;
use crate::library::{Contraction, Range};
use crate::schedule::lower::Lowering;

/// The contraction in the host's terms.
pub fn lowered(c: &Contraction, line: u32, l: &mut Lowering) -> Result<Product, Reason> {
    let counted = |r: &Option<Range>, l: &mut Lowering| r.as_ref().map_or(Expr::Int(1), |r| count(r, l));
    let (rows, columns, terms, n) = (count(&c.row, l), counted(&c.column, l), count(&c.sum, l), counted(&c.batch, l));
    let alpha = scale(&c.alpha, c.ty, l)?;
    let beta = c.beta.as_ref().map(|b| scale(b, c.ty, l)).transpose()?;
    let (a, b) = (operand(&c.a, Usage::Read, l), operand(&c.b, Usage::Read, l));
    let usage = if beta.is_some() { Usage::ReadWrite } else { Usage::Write };
    let c_ = operand(&c.c, usage, l);
    Ok(Product { ty: c.ty, line, rows, columns, terms, count: n, alpha, a, b, beta, c: c_ })
}
