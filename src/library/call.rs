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
use super::product::Product;
use super::slices::Slices;
use super::sparse::product::SparseProduct;
use crate::kernel::Expr;
use std::fmt::{self, Display, Formatter};
use std::ops::Deref;

/// A call of a library.
#[derive(Debug, Clone, PartialEq)]
pub enum Call {
    Product(Product),
    Sparse(SparseProduct),
    Blas(Blas),
    Slices(Slices),
}

/// What the plan asks of a call. Arrays are named as the plan names them.
pub trait Questions: Display {
    /// The host's expressions in it.
    fn exprs(&self) -> Vec<&Expr>;

    /// The arrays of whose elements it reads some.
    fn reads(&self) -> Vec<&str>;

    /// The arrays of whose elements it writes some.
    fn writes(&self) -> Vec<&str>;

    /// What it is, in a person's words and with the name that the library has for it.
    fn noun(&self) -> &'static str;

    /// Its line in the C file.
    fn line(&self) -> u32;

    /// Who computes it.
    fn library(&self) -> &'static str;

    /// Whether it may be recorded in a CUDA graph and replayed: nothing of it waits for the device or allocates.
    fn is_recordable(&self) -> bool {
        false
    }
}

impl Deref for Call {
    type Target = dyn Questions;

    fn deref(&self) -> &Self::Target {
        match self {
            Call::Product(product) => product,
            Call::Sparse(product) => product,
            Call::Blas(blas) => blas,
            Call::Slices(slices) => slices,
        }
    }
}

impl Display for Call {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        (**self).fmt(f)
    }
}

/// An operand of a call: element (r, c) is at `first + r * row + c * column`; of several, the next is `batch` further.
#[derive(Debug, Clone, PartialEq)]
pub struct Operand {
    pub array: String,
    pub first: Expr,
    pub row: Expr,
    pub column: Expr,
    pub batch: Expr,
}

impl Operand {
    /// The host's expressions in it.
    pub fn exprs(&self) -> [&Expr; 4] {
        [&self.first, &self.row, &self.column, &self.batch]
    }
}

impl Display for Operand {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        write!(f, "{}[{} + i * {} + j * {}", self.array, self.first, self.row, self.column)?;
        if self.batch == Expr::Int(0) { write!(f, "]") } else { write!(f, " + q * {}]", self.batch) }
    }
}
