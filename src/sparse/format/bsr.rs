//! Block CSR: dense square blocks of values in CSR of blocks; one index serves a whole block.
//!
//! ```text
//! 1 2 . .        blocks of 2:   block row 0: [1 2; 3 4] in block column 0
//! 3 4 . .                       block row 1: [. 5; 6 .] in block column 1
//! . . . 5
//! . . 6 .
//! ```
//!
//! For matrices of several unknowns a grid point. The last blocks are padded where the size of a block does not divide
//! that of the matrix.

use crate::sparse::{Csr, Scalar};

/// A matrix in blocks.
#[derive(Debug, Clone, PartialEq)]
pub struct Bsr<T> {
    /// Rows and columns of the matrix.
    pub shape: (usize, usize),
    /// Rows and columns of a block.
    pub block: usize,
    /// Where each row of blocks starts, and where the last one ends.
    pub starts: Vec<usize>,
    /// The column of each block, counted in blocks.
    pub columns: Vec<u32>,
    /// The values, block after block, each row after row.
    pub values: Vec<T>,
}

/// How many blocks a matrix in CSR needs.
pub fn n_blocks<T: Scalar>(matrix: &Csr<T>, block: usize) -> u64 {
    let mut found = 0;
    visit(matrix, block, |_, columns| found += columns.len() as u64);
    found
}

/// Calls `each` with every row of blocks and the columns of its blocks, ascending.
fn visit<T: Scalar>(matrix: &Csr<T>, block: usize, mut each: impl FnMut(usize, &[u32])) {
    let starts = matrix.indptr();
    let starts = starts.raw_storage();
    let mut columns: Vec<u32> = Vec::new();
    for block_row in 0..matrix.rows().div_ceil(block) {
        let end = ((block_row + 1) * block).min(matrix.rows());
        columns.clear();
        for row in block_row * block..end {
            let of_row = matrix.indices()[starts[row]..starts[row + 1]].iter().map(|column| column / block as u32);
            let from = columns.len();
            of_row.for_each(|column| {
                if columns[from..].last() != Some(&column) {
                    columns.push(column)
                }
            });
        }
        columns.sort_unstable();
        columns.dedup();
        each(block_row, &columns);
    }
}

impl<T: Scalar> Bsr<T> {
    /// The blocks of a matrix in CSR.
    pub fn of(matrix: &Csr<T>, block: usize) -> Bsr<T> {
        let mut made = Bsr { shape: matrix.shape(), block, starts: vec![0], columns: Vec::new(), values: Vec::new() };
        visit(matrix, block, |block_row, columns| {
            let first = made.columns.len();
            made.columns.extend_from_slice(columns);
            made.values.resize(made.columns.len() * block * block, T::default());
            made.starts.push(made.columns.len());
            for row in block_row * block..((block_row + 1) * block).min(matrix.rows()) {
                let Some(entries) = matrix.outer_view(row) else { continue };
                for (column, value) in entries.iter() {
                    let Ok(at) = columns.binary_search(&((column / block) as u32)) else { continue };
                    made.values[((first + at) * block + row % block) * block + column % block] = *value;
                }
            }
        });
        made
    }

    /// `matrix * x`.
    pub fn product(&self, x: &[T]) -> Vec<T> {
        let mut y = vec![T::default(); self.shape.0];
        for (row, sum) in y.iter_mut().enumerate() {
            for at in self.starts[row / self.block]..self.starts[row / self.block + 1] {
                let first = self.columns[at] as usize * self.block;
                let values = &self.values[(at * self.block + row % self.block) * self.block..][..self.block];
                x[first..].iter().zip(values).for_each(|(&x, &value)| *sum += value * x);
            }
        }
        y
    }
}
