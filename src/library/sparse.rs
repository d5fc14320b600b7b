//! A product of a sparse matrix and a vector, or several vectors side by side.

use super::scale::{Range, Scale};
use super::view::View;
use crate::kernel::ScalarType;

mod entries;
pub mod product;
pub mod recognise;

/// In which order the entries of the matrix lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    Rows,
    Columns,
    Triplets,
}

/// `y[row] = beta y[row] + sum over the entries of alpha value x[column]`, for one vector or several.
#[derive(Debug, Clone)]
pub struct Sparse {
    pub form: Form,
    /// The rows or columns that are walked through, or the entries.
    pub majors: Range,
    /// How many vectors stand side by side.
    pub vectors: Option<Range>,
    /// The first element of `start` that is read; the entries of each row or column end where the next one's begin.
    pub pointers: Option<View>,
    /// Where the element of the entry that `start` counts as 0 lies; of triplets, that of the first entry.
    pub values: View,
    /// Likewise the indices: columns of compressed rows, rows of compressed columns; columns and rows of triplets.
    pub indices: Vec<View>,
    /// Distances along the row or column that it is reached by, and from vector to vector.
    pub x: View,
    pub y: View,
    pub alpha: Scale,
    /// `None` where nothing is kept of what was there.
    pub beta: Option<Scale>,
    pub ty: ScalarType,
}
