//! Operators that a library has: which nests are one, and what the call of it is.
//!
//! ```text
//! for i, j: c[i][j] *= beta;                        rt::product(.., {n, m, p}, alpha, a by rows of p,
//!   for k: c[i][j] += alpha * a[i][k] * b[k][j]  ->             b by rows of m, beta, c by rows of m)
//! ```
//! What is looked at is a scheduled nest, so that loop order, distribution and temporaries of the C do not matter: its
//! accesses as distances in memory ([`view`]), and its statements as a sum of products ([`contraction`]). The dependences
//! have shown already that the iterations of its axes are independent. What the host plan then holds is a [`call::Call`].

use crate::ast::Expr;
use crate::kernel::ScalarType;
use crate::region::Reason;
use crate::region::symbolic::Poly;
use view::View;

pub mod call;
pub mod contraction;
pub mod factors;
pub mod product;
pub mod sparse;
pub mod view;

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
    /// Nearly an operator: what differs.
    Near(Reason),
    Nothing,
}
