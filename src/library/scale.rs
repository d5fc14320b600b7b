//! Values that the host knows: factors, and the ends of loops.

use crate::ast::{Expr, ExprKind, Type, VarId};
use crate::facts::symbolic::{Poly, same_expr};
use crate::region::StmtId;
use crate::schedule::parallel::Analysis;

/// Fewer iterations of each loop than this are not worth a call.
pub const FEW: i64 = 16;

/// A product of values that the host knows.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Scale {
    pub factors: Vec<Expr>,
    pub is_negative: bool,
}

impl Scale {
    /// The product of both.
    pub fn times(&self, other: &Scale) -> Scale {
        let factors = self.factors.iter().chain(&other.factors).cloned().collect();
        Scale { factors, is_negative: self.is_negative != other.is_negative }
    }

    /// Test that both are written with the same factors.
    pub fn is_same(&self, other: &Scale) -> bool {
        let mut rest: Vec<&Expr> = other.factors.iter().collect();
        self.is_negative == other.is_negative
            && self.factors.len() == rest.len()
            && self
                .factors
                .iter()
                .all(|f| rest.iter().position(|x| same_expr(f, x)).map(|at| rest.swap_remove(at)).is_some())
    }
}

/// The counters of a loop, by step 1.
#[derive(Debug, Clone, PartialEq)]
pub struct Range {
    pub first: Poly,
    pub end: Poly,
}

/// Test for a value that the host knows, the same for all of what these statements run for.
pub fn is_known(a: &Analysis, stmts: &[StmtId], e: &Expr) -> bool {
    let part = a.part;
    let counters: Vec<VarId> = stmts.iter().flat_map(|s| &part.stmt(*s).loops).map(|l| part.get_loop(*l).var).collect();
    let mut known = true;
    e.walk(&mut |x| match &x.kind {
        ExprKind::Var(v) => known &= !part.data.contains_key(v) && !counters.contains(v) && !a.unit.var(*v).is_volatile,
        ExprKind::Int(_) | ExprKind::Float(..) | ExprKind::Unary(..) | ExprKind::Cast(_) => {}
        ExprKind::Binary(..) => {}
        _ => known = false,
    });
    known && matches!(e.ty, Type::Int(_) | Type::Float(_))
}

/// Test for the number zero, which adding to changes nothing.
pub fn is_zero(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Int(0) => true,
        ExprKind::Float(x, _) => *x == 0.0 && x.is_sign_positive(),
        ExprKind::Cast(e) => is_zero(e),
        _ => false,
    }
}
