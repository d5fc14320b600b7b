//! A matrix, row by row, on all cores.

use crate::sparse::Csr;
use rayon::prelude::*;

/// A matrix row by row. `fill` gives the columns, ascending, and the values of a row.
pub fn by_rows(rows: usize, cols: usize, fill: impl Fn(usize, &mut Vec<(u32, f64)>) + Sync) -> Csr<f64> {
    const ROWS_OF_PART: usize = 1 << 14;
    let part = |part_idx: usize| {
        let (mut lengths, mut columns, mut values) = (Vec::new(), Vec::new(), Vec::new());
        let mut row_entries = Vec::new();
        for row in part_idx * ROWS_OF_PART..((part_idx + 1) * ROWS_OF_PART).min(rows) {
            row_entries.clear();
            fill(row, &mut row_entries);
            lengths.push(row_entries.len());
            columns.extend(row_entries.iter().map(|entry| entry.0));
            values.extend(row_entries.iter().map(|entry| entry.1));
        }
        (lengths, columns, values)
    };
    let parts: Vec<_> = (0..rows.div_ceil(ROWS_OF_PART)).into_par_iter().map(part).collect();
    let total = parts.iter().map(|(_, columns, _)| columns.len()).sum();
    let mut starts = Vec::with_capacity(rows + 1);
    let (mut columns, mut values) = (Vec::with_capacity(total), Vec::with_capacity(total));
    let mut end = 0;
    starts.push(0);
    for (lengths, more_columns, more_values) in parts {
        for length in lengths {
            end += length;
            starts.push(end);
        }
        columns.extend(more_columns);
        values.extend(more_values);
    }
    Csr::new((rows, cols), starts, columns, values)
}
