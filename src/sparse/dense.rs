//! A dense matrix, column after column: what the array format holds, vectors above all.

use super::assemble::{Entry, Mirror, assemble};
use super::{Csr, Scalar};
use crate::diag::Diagnostic;

/// A dense matrix.
#[derive(Debug, Clone, PartialEq)]
pub struct Dense<T> {
    /// Rows.
    pub rows: usize,
    /// Columns.
    pub cols: usize,
    /// The values, the first column first.
    pub values: Vec<T>,
}

impl<T: Scalar> Dense<T> {
    /// The value at a place.
    pub fn at(&self, row: usize, column: usize) -> T {
        self.values[column * self.rows + row]
    }

    /// Its values other than zero as CSR.
    ///
    /// # Errors
    /// `matrix-too-large` for more rows or columns than an index counts.
    pub fn to_csr(&self) -> Result<Csr<T>, Diagnostic> {
        let entries = self.values.iter().enumerate().filter(|(_, value)| **value != T::default());
        let entry = |(at, value): (usize, &T)| Entry {
            row: (at % self.rows) as u32,
            column: (at / self.rows) as u32,
            value: *value,
        };
        Ok(assemble((self.rows, self.cols), vec![entries.map(entry).collect()], Mirror::None, false)?.matrix)
    }

    /// A sparse matrix with its zeros.
    pub fn of(matrix: &Csr<T>) -> Dense<T> {
        let mut values = vec![T::default(); matrix.rows() * matrix.cols()];
        for (value, (row, column)) in matrix.iter() {
            values[column as usize * matrix.rows() + row as usize] = *value;
        }
        Dense { rows: matrix.rows(), cols: matrix.cols(), values }
    }
}
