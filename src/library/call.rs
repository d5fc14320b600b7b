//! What a library computes, as a step of the host plan: one of several operators.
//!
//! An operator is a variant of [`Call`] and a file of its own that answers [`Questions`] and prints it. What the plan does
//! with a call asks no more than that, whatever the operator; only its emission looks inside.
//!
//! Each has a file for its lowering (`src/host_plan/call`) and one for its emission (`src/emit/calls`). The calls are made by
//! `templates/runtime/rt_library.h`, `rt_triangle.h`, `rt_vectors.h` and `rt_sparse.h`. Where C differs from BLAS (an
//! alpha or beta of zero beside values that are no numbers), and in a simulation, plain kernels compute;
//! `tests/runtime/cublas.cu` holds cuBLAS to them.

use super::blas::Blas;
use super::long_rows::LongRows;
use super::operand::Questions;
use super::product::Product;
use super::short_columns::ShortColumns;
use super::slices::Slices;
use super::sparse::product::SparseProduct;
use std::fmt::{self, Display, Formatter};
use std::ops::Deref;

/// A call of a library.
#[derive(Debug, Clone, PartialEq)]
pub enum Call {
    Product(Product),
    Sparse(SparseProduct),
    Blas(Blas),
    Slices(Slices),
    LongRows(LongRows),
    ShortColumns(ShortColumns),
}

impl Deref for Call {
    type Target = dyn Questions;

    fn deref(&self) -> &Self::Target {
        match self {
            Call::Product(product) => product,
            Call::Sparse(product) => product,
            Call::Blas(blas) => blas,
            Call::Slices(slices) => slices,
            Call::LongRows(rows) => rows,
            Call::ShortColumns(columns) => columns,
        }
    }
}

impl Display for Call {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        (**self).fmt(f)
    }
}
