//! Operators that a library has: which nests are one, and what the call of it is.
//!
//! ```text
//! for i, j: c[i][j] *= beta;                        rt::product(.., {n, m, p}, alpha, a by rows of p,
//!   for k: c[i][j] += alpha * a[i][k] * b[k][j]  ->             b by rows of m, beta, c by rows of m)
//! ```
//! What is looked at is a scheduled nest, so that loop order, distribution and temporaries of the C do not matter: its
//! accesses as distances in memory ([`view`]), and its statements as a sum of products ([`contraction`]). The dependences
//! have shown already that the iterations of its axes are independent. What the host plan then holds is a [`call::Call`].

use crate::ast::{Expr, ExprKind, Type, VarId};
use crate::kernel::ScalarType;
use crate::region::symbolic::{Poly, same_expr};
use crate::region::{Reason, StmtId};
use crate::schedule::parallel::Analysis;
use operator::Operator;
use view::View;

pub mod apart;
pub mod blas;
pub mod call;
pub mod contraction;
pub mod factors;
pub mod operand;
pub mod operator;
pub mod product;
pub mod recognise;
pub mod slices;
pub mod sparse;
pub mod triangle;
pub mod triangular;
pub mod updates;
pub mod vectors;
pub mod view;

/// Fewer iterations of each loop than this are not worth a call.
pub const FEW: i64 = 16;

/// `c[i][j] = beta c[i][j] + sum over k of alpha a[i][k] b[k][j]`, for each of a batch; without a `j` it is a product of a
/// matrix and a vector.
#[derive(Debug, Clone)]
pub struct Contraction {
    pub row: Range,
    pub column: Option<Range>,
    pub sum: Range,
    pub batch: Option<Range>,
    /// Distances along row and sum, sum and column, row and column; each last along the batch.
    pub a: View,
    pub b: View,
    pub c: View,
    /// Factors of every product.
    pub alpha: Scale,
    /// Factors of what was there before; `None` where nothing is kept of that.
    pub beta: Option<Scale>,
    /// The number that all elements are.
    pub ty: ScalarType,
}

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

    /// Whether both are written with the same factors.
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

/// What a nest is to the library.
pub enum Found {
    Contraction(Box<Contraction>),
    Sparse(Box<sparse::Sparse>),
    /// One after the other.
    Operators(Vec<Operator>),
    /// Nearly an operator: what differs.
    Near(Reason),
    Nothing,
}

/// Whether the host knows a value, the same for all of what these statements run for.
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

/// Whether an expression is the number zero, which adding to changes nothing.
pub fn is_zero(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Int(0) => true,
        ExprKind::Float(x, _) => *x == 0.0 && x.is_sign_positive(),
        ExprKind::Cast(e) => is_zero(e),
        _ => false,
    }
}
