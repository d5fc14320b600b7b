//! Sliced ELL: slices of rows, each padded to its longest row and stored column after column, so that the threads of a
//! warp, one a row, read consecutive values. Monakov, Lokhmotov and Avetisyan, "Automatically tuning sparse matrix-vector
//! multiplication for GPU architectures", HiPEAC 2010; with rows sorted by length in windows it is SELL-C-sigma of
//! Kreutzer et al., "A unified sparse matrix data format for efficient general sparse matrix-vector multiplication on
//! modern processors with wide SIMD units", SIAM J. Sci. Comput. 36(5), 2014.
//!
//! ```text
//! 1 . 2        height 2:  slice 0 (rows 0, 1; width 2): values 1 3 2 .   columns 0 1 2 -1
//! . 3 .                   slice 1 (row 2; width 1):     values 4 .       columns 2 -1
//! . . 4
//! ```
//!
//! The arrays are those of cuSPARSE's sliced ELL: the column of padding is -1.

use crate::sparse::{Csr, Scalar, facts};

/// A matrix in slices.
#[derive(Debug, Clone, PartialEq)]
pub struct SlicedEll<T> {
    /// Rows and columns.
    pub shape: (usize, usize),
    /// The rows of a slice.
    pub height: usize,
    /// Where each slice starts in the arrays, and where the last one ends.
    pub starts: Vec<usize>,
    /// The column of each value; -1 of padding.
    pub columns: Vec<i32>,
    /// The values.
    pub values: Vec<T>,
    /// The row that stands at each place; none where all are in their own.
    pub order: Option<Vec<u32>>,
}

/// Rows in descending order of length within windows; rows of one length keep their order.
fn sorted(lengths: &[usize], window: usize) -> Vec<u32> {
    let mut order: Vec<u32> = (0..lengths.len() as u32).collect();
    let windows = order.chunks_mut(window.max(1));
    windows.for_each(|rows| rows.sort_by_key(|row| std::cmp::Reverse(lengths[*row as usize])));
    order
}

/// How many values are stored for rows of these lengths, padding among them.
pub fn n_stored(lengths: &[usize], height: usize, window: usize) -> u64 {
    let longest = |rows: &[usize]| (rows.iter().copied().max().unwrap_or(0) * height) as u64;
    if window <= 1 {
        return lengths.chunks(height).map(longest).sum();
    }
    let order = sorted(lengths, window);
    let lengths: Vec<usize> = order.iter().map(|row| lengths[*row as usize]).collect();
    lengths.chunks(height).map(longest).sum()
}

impl<T: Scalar> SlicedEll<T> {
    /// The slices of a matrix in CSR. A window of 1 keeps the order of the rows.
    pub fn of(matrix: &Csr<T>, height: usize, window: usize) -> SlicedEll<T> {
        let lengths = facts::lengths(matrix);
        let order = sorted(&lengths, window);
        let mut starts = vec![0];
        for rows in order.chunks(height) {
            let width = rows.iter().map(|row| lengths[*row as usize]).max().unwrap_or(0);
            starts.push(starts[starts.len() - 1] + width * height);
        }
        let n_stored = starts[starts.len() - 1];
        let (mut columns, mut values) = (vec![-1; n_stored], vec![T::default(); n_stored]);
        for (rows, start) in order.chunks(height).zip(&starts) {
            for (lane, row) in rows.iter().enumerate() {
                let Some(entries) = matrix.outer_view(*row as usize) else { continue };
                for (depth, (column, value)) in entries.iter().enumerate() {
                    columns[start + depth * height + lane] = column as i32;
                    values[start + depth * height + lane] = *value;
                }
            }
        }
        let order = (window > 1).then_some(order);
        SlicedEll { shape: matrix.shape(), height, starts, columns, values, order }
    }

    /// `matrix * x`.
    pub fn product(&self, x: &[T]) -> Vec<T> {
        let mut y = vec![T::default(); self.shape.0];
        for place in 0..self.shape.0 {
            let (slice, lane) = (place / self.height, place % self.height);
            let mut sum = T::default();
            for at in (self.starts[slice]..self.starts[slice + 1]).skip(lane).step_by(self.height) {
                if self.columns[at] >= 0 {
                    sum += self.values[at] * x[self.columns[at] as usize];
                }
            }
            y[self.order.as_ref().map_or(place, |order| order[place] as usize)] = sum;
        }
        y
    }
}
