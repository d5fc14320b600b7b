//! What a matrix is like: what a person looks at first, and what the choice of a format and a method goes by.

use super::{Csr, Scalar};
use rayon::prelude::*;
use serde::Serialize;
use std::collections::BTreeMap;

/// What a matrix is like.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Facts {
    /// Rows.
    pub rows: usize,
    /// Columns.
    pub cols: usize,
    /// Entries, zeros among them too.
    pub nnz: usize,
    /// Entries that are zero.
    pub n_zeros: usize,
    /// Entries of each hundred places.
    pub density: f64,
    /// Mirror images.
    pub symmetry: SymmetryFacts,
    /// How far below the diagonal there are entries.
    pub lower_bandwidth: usize,
    /// How far above it.
    pub upper_bandwidth: usize,
    /// The diagonal.
    pub diagonal: DiagonalFacts,
    /// The rows.
    pub row_lengths: Lengths,
    /// Rows without a value other than zero: a square matrix with one is singular.
    pub n_zero_rows: usize,
    /// Columns without one.
    pub n_zero_cols: usize,
    /// The smallest magnitude other than zero.
    pub smallest: f64,
    /// The largest magnitude.
    pub largest: f64,
}

/// What the two halves of a square matrix have in common.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct SymmetryFacts {
    /// The share of the entries off the diagonal that have an entry as their mirror image; 1 where there are none.
    pub structural: f64,
    /// Flag: every value equals its mirror image.
    pub is_symmetric: bool,
    /// Flag: every value is the negative of its mirror image.
    pub is_skew_symmetric: bool,
    /// Flag: every value is the complex conjugate of its mirror image.
    pub is_hermitian: bool,
}

/// The diagonal of a matrix.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct DiagonalFacts {
    /// Places without an entry.
    pub n_missing: usize,
    /// Entries that are zero.
    pub n_zero: usize,
    /// Entries that are positive real numbers.
    pub n_positive: usize,
    /// Rows in which the diagonal is at least as large as all else together.
    pub n_dominant_rows: usize,
}

/// How long rows are.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Lengths {
    /// The shortest.
    pub least: usize,
    /// The longest.
    pub most: usize,
    /// On average.
    pub mean: f64,
    /// Half of the rows are at most this long.
    pub median: usize,
    /// The standard deviation.
    pub deviation: f64,
    /// Rows by length, in ascending order.
    pub histogram: Vec<Bin>,
}

/// Rows of similar length.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Bin {
    /// The shortest length that counts.
    pub from: usize,
    /// The longest.
    pub to: usize,
    /// How many rows.
    pub rows: usize,
}

/// What some rows say.
#[derive(Clone, Copy)]
struct Rows {
    n_zeros: usize,
    n_mirrored: usize,
    n_off_diagonal: usize,
    is_symmetric: bool,
    is_skew: bool,
    is_hermitian: bool,
    lower: usize,
    upper: usize,
    diagonal: DiagonalFacts,
    n_zero_rows: usize,
    smallest: f64,
    largest: f64,
}

const NO_ROWS: Rows = Rows {
    n_zeros: 0,
    n_mirrored: 0,
    n_off_diagonal: 0,
    is_symmetric: true,
    is_skew: true,
    is_hermitian: true,
    lower: 0,
    upper: 0,
    diagonal: DiagonalFacts { n_missing: 0, n_zero: 0, n_positive: 0, n_dominant_rows: 0 },
    n_zero_rows: 0,
    smallest: f64::INFINITY,
    largest: 0.0,
};

impl Facts {
    /// Looks at a matrix in CSR.
    pub fn of<T: Scalar>(matrix: &Csr<T>) -> Facts {
        let (rows, cols) = matrix.shape();
        let is_square = rows == cols;
        // Mirror images are looked for in a square matrix alone: another one may have very many columns.
        let transposed: Option<Csr<T>> = is_square.then(|| matrix.transpose_view().to_csr());
        let row_facts = (0..rows).into_par_iter().map(|row| Rows::of(row, matrix, transposed.as_ref()));
        let found = row_facts.reduce(|| NO_ROWS, Rows::and);
        let structural =
            if found.n_off_diagonal == 0 { 1.0 } else { found.n_mirrored as f64 / found.n_off_diagonal as f64 };
        Facts {
            rows,
            cols,
            nnz: matrix.nnz(),
            n_zeros: found.n_zeros,
            density: matrix.nnz() as f64 / (rows.max(1) as f64 * cols.max(1) as f64) * 100.0,
            symmetry: SymmetryFacts {
                structural: if is_square { structural } else { 0.0 },
                is_symmetric: is_square && found.is_symmetric,
                is_skew_symmetric: is_square && found.is_skew,
                is_hermitian: is_square && found.is_hermitian,
            },
            lower_bandwidth: found.lower,
            upper_bandwidth: found.upper,
            diagonal: found.diagonal,
            row_lengths: Lengths::of(&lengths(matrix)),
            n_zero_rows: found.n_zero_rows,
            n_zero_cols: cols - n_nonzero_cols(matrix),
            smallest: if found.smallest.is_finite() { found.smallest } else { 0.0 },
            largest: found.largest,
        }
    }
}

/// How many entries each row has.
pub fn lengths<T>(matrix: &Csr<T>) -> Vec<usize> {
    matrix.indptr().raw_storage().windows(2).map(|pair| pair[1] - pair[0]).collect()
}

/// Columns with a value other than zero.
fn n_nonzero_cols<T: Scalar>(matrix: &Csr<T>) -> usize {
    let nonzero = matrix.indices().par_iter().zip(matrix.data()).filter(|(_, value)| **value != T::default());
    let mut columns: Vec<u32> = nonzero.map(|(column, _)| *column).collect();
    columns.par_sort_unstable();
    columns.dedup();
    columns.len()
}

/// The columns and values of a row.
fn row_of<T>(matrix: &Csr<T>, row: usize) -> (&[u32], &[T]) {
    let starts = matrix.indptr();
    let range = starts.raw_storage()[row]..starts.raw_storage()[row + 1];
    (&matrix.indices()[range.clone()], &matrix.data()[range])
}

impl Rows {
    /// What row `row` says, and column `row` as its mirror image.
    fn of<T: Scalar>(row: usize, matrix: &Csr<T>, transposed: Option<&Csr<T>>) -> Rows {
        let mut found = NO_ROWS;
        let (columns, values) = row_of(matrix, row);
        found.look_at(row, columns, values, row < matrix.cols());
        if let Some(transposed) = transposed {
            found.compare(row, (columns, values), row_of(transposed, row));
        }
        found
    }

    /// Looks at a row beside its mirror image.
    fn compare<T: Scalar>(&mut self, row: usize, (columns, values): (&[u32], &[T]), mirrors: (&[u32], &[T])) {
        let (mirror_columns, mirror_values) = mirrors;
        let (mut at, mut mirror_at) = (0, 0);
        while at < columns.len() || mirror_at < mirror_columns.len() {
            let column = columns.get(at).copied().unwrap_or(u32::MAX);
            let mirror_column = mirror_columns.get(mirror_at).copied().unwrap_or(u32::MAX);
            let value = if column <= mirror_column { values[at] } else { T::default() };
            let mirror = if mirror_column <= column { mirror_values[mirror_at] } else { T::default() };
            self.is_symmetric &= value == mirror;
            self.is_skew &= value == -mirror;
            self.is_hermitian &= value == mirror.conjugate();
            self.n_mirrored += usize::from(column == mirror_column && column as usize != row);
            at += usize::from(column <= mirror_column);
            mirror_at += usize::from(mirror_column <= column);
        }
    }

    fn look_at<T: Scalar>(&mut self, row: usize, columns: &[u32], values: &[T], has_diagonal: bool) {
        let mut diagonal = None;
        let mut others = 0.0;
        for (&column, &value) in columns.iter().zip(values) {
            let magnitude = value.magnitude();
            self.n_zeros += usize::from(magnitude == 0.0);
            self.largest = self.largest.max(magnitude);
            if magnitude > 0.0 {
                self.smallest = self.smallest.min(magnitude);
            }
            if column as usize == row {
                diagonal = Some(value);
            } else {
                self.n_off_diagonal += 1;
                others += magnitude;
            }
        }
        let reach = |column: Option<&u32>| column.map_or(row, |column| *column as usize);
        self.lower = row.saturating_sub(reach(columns.first()));
        self.upper = reach(columns.last()).saturating_sub(row);
        self.n_zero_rows = usize::from(values.iter().all(|value| *value == T::default()));
        if has_diagonal {
            let value = diagonal.unwrap_or_default();
            self.diagonal.n_missing = usize::from(diagonal.is_none());
            self.diagonal.n_zero = usize::from(diagonal == Some(T::default()));
            self.diagonal.n_positive = usize::from(value.parts().0 > 0.0 && value.parts().1 == 0.0);
            self.diagonal.n_dominant_rows = usize::from(value.magnitude() >= others && diagonal.is_some());
        }
    }

    fn and(self, other: Rows) -> Rows {
        let (one, two) = (self.diagonal, other.diagonal);
        Rows {
            n_zeros: self.n_zeros + other.n_zeros,
            n_mirrored: self.n_mirrored + other.n_mirrored,
            n_off_diagonal: self.n_off_diagonal + other.n_off_diagonal,
            is_symmetric: self.is_symmetric && other.is_symmetric,
            is_skew: self.is_skew && other.is_skew,
            is_hermitian: self.is_hermitian && other.is_hermitian,
            lower: self.lower.max(other.lower),
            upper: self.upper.max(other.upper),
            diagonal: DiagonalFacts {
                n_missing: one.n_missing + two.n_missing,
                n_zero: one.n_zero + two.n_zero,
                n_positive: one.n_positive + two.n_positive,
                n_dominant_rows: one.n_dominant_rows + two.n_dominant_rows,
            },
            n_zero_rows: self.n_zero_rows + other.n_zero_rows,
            smallest: self.smallest.min(other.smallest),
            largest: self.largest.max(other.largest),
        }
    }
}

impl Lengths {
    /// The statistics of the lengths of rows.
    pub fn of(lengths: &[usize]) -> Lengths {
        let mut rows_of: BTreeMap<usize, usize> = BTreeMap::new();
        lengths.iter().for_each(|length| *rows_of.entry(*length).or_default() += 1);
        let n_rows = lengths.len().max(1) as f64;
        let mean = lengths.iter().map(|length| *length as f64).sum::<f64>() / n_rows;
        let squares = rows_of.iter().map(|(length, rows)| (*length as f64 - mean).powi(2) * *rows as f64).sum::<f64>();
        let mut n_below = 0;
        let mut middle = rows_of.iter().skip_while(|(_, rows)| {
            n_below += **rows;
            2 * n_below < lengths.len()
        });
        Lengths {
            least: rows_of.keys().next().copied().unwrap_or(0),
            most: rows_of.keys().last().copied().unwrap_or(0),
            mean,
            median: middle.next().map_or(0, |(length, _)| *length),
            deviation: (squares / n_rows).sqrt(),
            histogram: histogram(&rows_of),
        }
    }
}

/// One bin a length where there are few lengths, else one for each power of two.
fn histogram(rows_of: &BTreeMap<usize, usize>) -> Vec<Bin> {
    const FEW: usize = 12;
    let mut bins: Vec<Bin> = Vec::new();
    for (&length, &rows) in rows_of {
        let to = if rows_of.len() <= FEW || length == 0 { length } else { length.next_power_of_two() };
        let from = if rows_of.len() <= FEW || length <= 1 { length } else { to / 2 + 1 };
        match bins.last_mut().filter(|bin| bin.to == to) {
            Some(bin) => bin.rows += rows,
            None => bins.push(Bin { from, to, rows }),
        }
    }
    bins
}
