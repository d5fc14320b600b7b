//! Role of a nest for the library.

use super::operator::Operator;
use super::scale::{Range, Scale};
use super::sparse::Sparse;
use super::view::View;
use crate::facts::Reason;
use crate::kernel::ScalarType;

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

/// Role of a nest for the library.
pub enum Found {
    Contraction(Box<Contraction>),
    Sparse(Box<Sparse>),
    /// One after the other.
    Operators(Vec<Operator>),
    /// Nearly an operator: what differs.
    Near(Reason),
    Nothing,
}
