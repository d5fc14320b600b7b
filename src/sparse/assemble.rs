//! Entries in any order become CSR: counted by row, moved to their rows, sorted, duplicates joined.
//!
//! ```text
//! (2,1) 5   (0,0) 1   (2,1) 2   (0,2) 3        row 0: (0) 1  (2) 3      row 1:      row 2: (1) 7
//! ```
//!
//! Each thread owns a range of rows, reads all entries and keeps those of its rows. That reads the entries once a
//! thread, which costs little beside parsing them; and no thread writes what another one does, so that the result is
//! the same for every number of threads: duplicates are summed in the order of the file.

use super::{Csr, MOST_ROWS, Scalar};
use crate::diag::Diagnostic;
use rayon::prelude::*;
use std::ops::Range;

/// A value and its place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Entry<T> {
    /// Row, from 0.
    pub row: u32,
    /// Column, from 0.
    pub column: u32,
    /// Value.
    pub value: T,
}

/// What an entry off the diagonal says about its mirror image.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mirror {
    /// Nothing.
    None,
    /// It is the same.
    Same,
    /// It is the negative.
    Negative,
    /// It is the complex conjugate.
    Conjugate,
}

impl Mirror {
    /// The value of the mirror image.
    pub fn of<T: Scalar>(self, value: T) -> T {
        match self {
            Mirror::None | Mirror::Same => value,
            Mirror::Negative => -value,
            Mirror::Conjugate => value.conjugate(),
        }
    }
}

/// What became of the entries.
pub struct Assembled<T> {
    /// Rows in order, columns ascending.
    pub matrix: Csr<T>,
    /// How many entries were joined to an earlier one of the same place.
    pub n_duplicates: usize,
}

/// The bytes that CSR of this many entries takes; `None` where they cannot be counted.
pub fn csr_bytes<T>(rows: u64, n_entries: u64) -> Option<u64> {
    n_entries.checked_mul(size_of::<T>() as u64 + 4)?.checked_add(rows.checked_add(1)?.checked_mul(8)?)
}

/// CSR of the entries, all of which lie within `shape`. Duplicates are summed; of a pattern, the first stays.
///
/// # Errors
/// `matrix-too-large` for a shape beyond [`MOST_ROWS`], `not-finite` where a sum of duplicates overflows.
pub fn assemble<T: Scalar>(
    shape: (usize, usize),
    chunks: Vec<Vec<Entry<T>>>,
    mirror: Mirror,
    is_pattern: bool,
) -> Result<Assembled<T>, Diagnostic> {
    if shape.0.max(shape.1) as u64 > MOST_ROWS {
        let message = format!("{} x {}: a matrix has at most {MOST_ROWS} rows and columns", shape.0, shape.1);
        return Err(Diagnostic::error("matrix-too-large", message, None));
    }
    let mut starts = count(shape.0, &chunks, mirror);
    let total = starts[shape.0];
    let mut columns = vec![0u32; total];
    let mut values = vec![T::default(); total];
    let mut parts = split(&starts, &mut columns, &mut values);
    parts.par_iter_mut().for_each(|part| part.fill(&starts, &chunks, mirror));
    let sorted: Vec<Sorted> = parts.par_iter_mut().map(|part| part.sort(&starts, is_pattern)).collect();
    drop(chunks);
    if let Some((row, column)) = sorted.iter().find_map(|part| part.overflow) {
        let message = format!("the sum of the entries at row {}, column {} is not finite", row + 1, column + 1);
        return Err(Diagnostic::error("not-finite", message, None));
    }
    let n_duplicates = sorted.iter().map(|part| part.n_duplicates).sum();
    if n_duplicates > 0 {
        let lengths: Vec<usize> = sorted.into_iter().flat_map(|part| part.lengths).collect();
        close_gaps(&mut starts, &lengths, &mut columns, &mut values);
    }
    let matrix = Csr::try_new(shape, starts, columns, values).map_err(|(.., e)| {
        Diagnostic::error("matrix-structure", format!("the entries do not make a matrix: {e}"), None)
    })?;
    Ok(Assembled { matrix, n_duplicates })
}

/// Calls `each` with every entry and every mirror image whose row lies in the range, in the order of the chunks.
fn visit<T: Scalar>(
    rows: &Range<usize>,
    chunks: &[Vec<Entry<T>>],
    mirror: Mirror,
    mut each: impl FnMut(usize, u32, T),
) {
    for entry in chunks.iter().flatten() {
        if rows.contains(&(entry.row as usize)) {
            each(entry.row as usize, entry.column, entry.value);
        }
        if mirror != Mirror::None && entry.row != entry.column && rows.contains(&(entry.column as usize)) {
            each(entry.column as usize, entry.row, mirror.of(entry.value));
        }
    }
}

/// Where each row starts; one more than there are rows.
fn count<T: Scalar>(rows: usize, chunks: &[Vec<Entry<T>>], mirror: Mirror) -> Vec<usize> {
    let mut starts = vec![0; rows + 1];
    let share = rows.div_ceil(n_parts()).max(1);
    starts[1..].par_chunks_mut(share).enumerate().for_each(|(part_idx, lengths)| {
        let first = part_idx * share;
        visit(&(first..first + lengths.len()), chunks, mirror, |row, _, _| lengths[row - first] += 1);
    });
    let mut sum = 0;
    for start in &mut starts {
        sum += *start;
        *start = sum;
    }
    starts
}

/// How many threads read all entries: more would only wait for memory.
fn n_parts() -> usize {
    rayon::current_num_threads().min(8)
}

/// A range of rows, and their part of the arrays.
struct Part<'m, T> {
    rows: Range<usize>,
    columns: &'m mut [u32],
    values: &'m mut [T],
}

/// What sorting found.
struct Sorted {
    lengths: Vec<usize>,
    n_duplicates: usize,
    overflow: Option<(usize, u32)>,
}

/// Ranges of rows with about the same number of entries.
fn split<'m, T>(starts: &[usize], mut columns: &'m mut [u32], mut values: &'m mut [T]) -> Vec<Part<'m, T>> {
    let (rows, total) = (starts.len() - 1, columns.len());
    let mut parts = Vec::new();
    let mut first = 0;
    for part_idx in 1..=n_parts() {
        let wanted = total / n_parts() * part_idx;
        let is_last = part_idx == n_parts();
        let end = if is_last { rows } else { starts.partition_point(|start| *start < wanted).clamp(first, rows) };
        let n_entries = starts[end] - starts[first];
        let (mine, rest) = columns.split_at_mut(n_entries);
        let (my_values, other_values) = values.split_at_mut(n_entries);
        (columns, values) = (rest, other_values);
        parts.push(Part { rows: first..end, columns: mine, values: my_values });
        first = end;
    }
    parts
}

impl<T: Scalar> Part<'_, T> {
    fn fill(&mut self, starts: &[usize], chunks: &[Vec<Entry<T>>], mirror: Mirror) {
        let base = starts[self.rows.start];
        let first = self.rows.start;
        let mut next: Vec<usize> = starts[self.rows.clone()].iter().map(|start| start - base).collect();
        visit(&self.rows, chunks, mirror, |row, column, value| {
            let at = next[row - first];
            next[row - first] += 1;
            self.columns[at] = column;
            self.values[at] = value;
        });
    }

    fn sort(&mut self, starts: &[usize], is_pattern: bool) -> Sorted {
        let base = starts[self.rows.start];
        let mut sorted = Sorted { lengths: Vec::with_capacity(self.rows.len()), n_duplicates: 0, overflow: None };
        let mut scratch = Vec::new();
        for row in self.rows.clone() {
            let range = starts[row] - base..starts[row + 1] - base;
            let (columns, values) = (&mut self.columns[range.clone()], &mut self.values[range]);
            if columns.is_sorted_by(|a, b| a < b) {
                sorted.lengths.push(columns.len());
                continue;
            }
            sort_row(columns, values, &mut scratch);
            let length = join_row(columns, values, is_pattern);
            sorted.n_duplicates += columns.len() - length;
            sorted.lengths.push(length);
            if let Some(at) = values[..length].iter().position(|value| !value.is_finite()) {
                sorted.overflow = sorted.overflow.or(Some((row, columns[at])));
            }
        }
        sorted
    }
}

/// By column; entries of one column keep their order.
fn sort_row<T: Scalar>(columns: &mut [u32], values: &mut [T], scratch: &mut Vec<(u32, T)>) {
    scratch.clear();
    scratch.extend(columns.iter().copied().zip(values.iter().copied()));
    scratch.sort_by_key(|&(column, _)| column);
    for (at, &(column, value)) in scratch.iter().enumerate() {
        (columns[at], values[at]) = (column, value);
    }
}

/// Joins entries of one column; gives how many are left.
fn join_row<T: Scalar>(columns: &mut [u32], values: &mut [T], is_pattern: bool) -> usize {
    let mut length = 0;
    for at in 0..columns.len() {
        if length > 0 && columns[length - 1] == columns[at] {
            if !is_pattern {
                let value = values[at];
                values[length - 1] += value;
            }
        } else {
            (columns[length], values[length]) = (columns[at], values[at]);
            length += 1;
        }
    }
    length
}

/// Moves rows that got shorter together.
fn close_gaps<T: Scalar>(starts: &mut [usize], lengths: &[usize], columns: &mut Vec<u32>, values: &mut Vec<T>) {
    let mut end = 0;
    for (row, length) in lengths.iter().enumerate() {
        let from = starts[row]..starts[row] + length;
        columns.copy_within(from.clone(), end);
        values.copy_within(from, end);
        starts[row] = end;
        end += length;
    }
    starts[lengths.len()] = end;
    columns.truncate(end);
    values.truncate(end);
}
