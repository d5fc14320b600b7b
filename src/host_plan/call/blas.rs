//! The call that an operator of BLAS becomes.

use super::operands::{operand, plain, scale};
use crate::facts::Reason;
use crate::kernel::{Expr, Usage};
use crate::library::blas::Blas;
use crate::library::operator::{Operator, What};
use crate::schedule::lower::Lowering;

pub fn lowered(o: &Operator, line: u32, l: &mut Lowering) -> Result<Blas, Reason> {
    let sizes: Vec<Expr> = o.sizes.iter().map(|p| plain(l.poly(p))).collect();
    let alpha = scale(&o.alpha, o.ty, l)?;
    let beta = o.beta.as_ref().map(|b| scale(b, o.ty, l)).transpose()?;
    let others = o.operands.iter().map(|v| match v.data == o.result.data || o.what == What::Swap {
        true => operand(v, o.usage, l),
        false => operand(v, Usage::Read, l),
    });
    let operands = others.collect();
    let result = operand(&o.result, o.usage, l);
    let flags = o.flags.clone();
    Ok(Blas { what: o.what, ty: o.ty, line, sizes, flags, alpha, operands, beta, result, usage: o.usage })
}
