//! Coordinates: the place and the value of each entry, row after row.
//!
//! For matrices most of whose rows are empty, and for algorithms that share out entries and not rows.

use crate::sparse::{Csr, Scalar};

/// A matrix as its entries.
#[derive(Debug, Clone, PartialEq)]
pub struct Coo<T> {
    /// Rows and columns.
    pub shape: (usize, usize),
    /// The row of each entry, from 0.
    pub rows: Vec<u32>,
    /// Its column.
    pub columns: Vec<u32>,
    /// Its value.
    pub values: Vec<T>,
}

impl<T: Scalar> Coo<T> {
    /// The entries of a matrix in CSR.
    pub fn of(matrix: &Csr<T>) -> Coo<T> {
        let rows = matrix.iter().map(|(_, (row, _))| row).collect();
        Coo { shape: matrix.shape(), rows, columns: matrix.indices().to_vec(), values: matrix.data().to_vec() }
    }

    /// `matrix * x`.
    pub fn product(&self, x: &[T]) -> Vec<T> {
        let mut y = vec![T::default(); self.shape.0];
        for ((&row, &column), &value) in self.rows.iter().zip(&self.columns).zip(&self.values) {
            y[row as usize] += value * x[column as usize];
        }
        y
    }
}
