//! Matrices at random, and the plain ones beside them.
//!
//! Every row has random numbers of its own, which begin at the seed and the number of the row: rows are made side by
//! side, and are the same however many cores do it. Only operations that IEEE 754 rounds in one way are used.

use super::rows::by_rows;
use crate::diag::Diagnostic;
use crate::sparse::Csr;
use crate::sparse::assemble::{Entry, Mirror, assemble};
use std::collections::BTreeSet;

/// Random numbers: SplitMix64 of Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
pub struct Random {
    state: u64,
}

impl Random {
    /// The stream of a row.
    pub fn of_row(seed: u64, row: usize) -> Random {
        let mut random = Random { state: seed };
        let mixed = random.next() ^ (row as u64).wrapping_mul(0xd134_2543_de82_ef95);
        Random { state: Random { state: mixed }.next() }
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.state ^ (self.state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// At least 0 and below 1.
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// At least -1 and below 1, and not 0.
    pub fn value(&mut self) -> f64 {
        let value = 2.0 * self.unit() - 1.0;
        if value == 0.0 { 0.5 } else { value }
    }

    /// Below `bound`.
    fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(bound)) >> 64) as u64
    }

    /// Different numbers below `bound`, ascending; Floyd's algorithm (Bentley and Floyd, "A sample of brilliance",
    /// CACM 30(9), 1987).
    fn sample(&mut self, count: usize, bound: usize) -> Vec<usize> {
        let mut taken = BTreeSet::new();
        for last in bound - count.min(bound)..bound {
            let number = self.below(last as u64 + 1) as usize;
            if !taken.insert(number) {
                taken.insert(last);
            }
        }
        taken.into_iter().collect()
    }

    /// A whole number that is `mean` on average.
    fn round(&mut self, mean: f64) -> usize {
        (mean + self.unit()) as usize
    }
}

/// A row with a positive diagonal that is larger than all else in it; columns are of the matrix without that one.
fn dominant_row(row: usize, columns: &[usize], random: &mut Random, entries: &mut Vec<(u32, f64)>) {
    let behind = |column: usize| (column + usize::from(column >= row)) as u32;
    entries.extend(columns.iter().map(|column| (behind(*column), random.value())));
    let sum: f64 = entries.iter().map(|(_, value)| value.abs()).sum();
    let place = entries.partition_point(|(column, _)| (*column as usize) < row);
    entries.insert(place, (row as u32, sum + 0.1 + random.unit()));
}

/// Symmetric and strictly diagonally dominant with a positive diagonal, hence positive definite.
///
/// # Errors
/// None that its own entries could give.
pub fn spd(n: usize, density: f64, seed: u64) -> Result<Csr<f64>, Diagnostic> {
    let mut sums = vec![0.0; n];
    let mut entries = Vec::new();
    for row in 0..n {
        let mut random = Random::of_row(seed, row);
        let count = random.round(density * row as f64);
        for column in random.sample(count, row) {
            let value = random.value();
            sums[row] += value.abs();
            sums[column] += value.abs();
            entries.push(Entry { row: row as u32, column: column as u32, value });
        }
        entries.push(Entry { row: row as u32, column: row as u32, value: 0.1 + random.unit() });
    }
    for entry in entries.iter_mut().filter(|entry| entry.row == entry.column) {
        entry.value += sums[entry.row as usize];
    }
    Ok(assemble((n, n), vec![entries], Mirror::Same, false)?.matrix)
}

/// Strictly diagonally dominant, not symmetric.
pub fn dominant(n: usize, density: f64, seed: u64) -> Csr<f64> {
    by_rows(n, n, |row, entries| {
        let mut random = Random::of_row(seed, row);
        let count = random.round(density * (n - 1) as f64);
        let columns = random.sample(count, n - 1);
        dominant_row(row, &columns, &mut random, entries);
    })
}

/// Random places and values.
pub fn random(rows: usize, cols: usize, density: f64, seed: u64) -> Csr<f64> {
    by_rows(rows, cols, |row, entries| {
        let mut random = Random::of_row(seed, row);
        let count = random.round(density * cols as f64);
        let columns = random.sample(count, cols);
        entries.extend(columns.iter().map(|column| (*column as u32, random.value())));
    })
}

/// Three diagonals, strictly diagonally dominant.
pub fn tridiagonal(n: usize, seed: u64) -> Csr<f64> {
    by_rows(n, n, |row, entries| {
        let mut random = Random::of_row(seed, row);
        // Of the columns but the row's own, those beside it have the numbers row - 1 and row.
        let columns: Vec<usize> = (row.saturating_sub(1)..(row + 1).min(n - 1)).collect();
        dominant_row(row, &columns, &mut random, entries);
    })
}

/// `n` in the corner, `2` on the rest of the diagonal, `-1` in the first row and column. Symmetric positive definite; its
/// determinant is 2^(n-1) (n - (n-1) / 2).
pub fn arrow(n: usize) -> Csr<f64> {
    by_rows(n, n, |row, entries| match row {
        0 => entries.extend((0..n).map(|column| (column as u32, if column == 0 { n as f64 } else { -1.0 }))),
        _ => entries.extend([(0, -1.0), (row as u32, 2.0)]),
    })
}

/// Strictly diagonally dominant, with rows whose lengths off the diagonal follow a power law: a row is longer than k with
/// a probability of (mean / 2 / k)^2.
pub fn power_law(n: usize, mean: f64, seed: u64) -> Csr<f64> {
    by_rows(n, n, |row, entries| {
        let mut random = Random::of_row(seed, row);
        let length = mean / 2.0 / (1.0 - random.unit()).sqrt();
        let count = random.round(length.min((n - 1) as f64)).min(n - 1);
        let columns = random.sample(count, n - 1);
        dominant_row(row, &columns, &mut random, entries);
    })
}
