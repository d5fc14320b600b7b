//! Numbers that an entry is given, or computes of these alone: what a call is weighed by before anything else.

use super::ir::{OffloadEstimate, Param, Region};
use crate::ast::BinOp;
use crate::kernel::Expr;

/// Test that how often statements run is computed from what the entry is given alone.
pub fn are_given(region: &Region, estimate: &OffloadEstimate) -> bool {
    estimate.runs.iter().flat_map(|r| &r.counts).all(|e| is_given(region, e))
}

/// Test that a number is computed from the entry's numbers, and without a fault whatever they are.
pub fn is_given(region: &Region, e: &Expr) -> bool {
    let is_param = |name: &str| {
        let is_it = |p: &Param| matches!(p, Param::Scalar { name: given, .. } if given == name);
        region.params.iter().any(is_it)
    };
    // A divisor may be zero: a guard says later that it is not.
    let is_safe = |e: &Expr| match e {
        Expr::Var(name) => is_param(name),
        Expr::FloorDiv(_, by) | Expr::CeilDiv(_, by) | Expr::Mod(_, by) => matches!(**by, Expr::Int(_)),
        Expr::Binary(BinOp::Div | BinOp::Rem, _, by) => matches!(**by, Expr::Int(_)),
        Expr::Load(_) | Expr::Call(..) => false,
        _ => true,
    };
    !e.any(&mut |e| !is_safe(e))
}
