//! Whether a matrix is singular whatever the values of its entries are.
//!
//! It is where no exchange of rows brings an entry to every place of the diagonal: rows and columns are then not matched
//! one to one by entries. The matching grows by augmenting paths (Duff, 1981: MC21), from the diagonal where it is there.
//!
//! ```text
//! x . x .        rows 2, 3 and 4 have entries in columns 2 and 3 alone:
//! . x . .        one of them is left over, and their equations cannot be independent
//! . x x .   ->   row 4
//! . . x .
//! ```

use crate::sparse::Csr;

/// Steps that a search may take, for each entry: where it has not ended by then, nothing is said.
const PATIENCE: usize = 1000;

/// A row that is left over, if there is one.
pub fn unmatched_row(a: &Csr<f64>) -> Option<usize> {
    let n = a.rows();
    let mut search = Search { a, row_of: vec![None; n], seen_by: vec![usize::MAX; n], steps: 0 };
    let mut left = Vec::new();
    for row in 0..n {
        match a.get(row, row) {
            Some(value) if *value != 0.0 => search.row_of[row] = Some(row),
            _ => left.push(row),
        }
    }
    left.into_iter().find(|row| !search.augment(*row))
}

struct Search<'a> {
    a: &'a Csr<f64>,
    /// The row that each column is matched with.
    row_of: Vec<Option<usize>>,
    /// The row for which the column was last tried.
    seen_by: Vec<usize>,
    steps: usize,
}

impl Search<'_> {
    /// Matches a row, where others must give up their columns for others.
    fn augment(&mut self, row: usize) -> bool {
        let starts = self.a.indptr();
        let (starts, columns, values) = (starts.raw_storage(), self.a.indices(), self.a.data());
        // Rows on the path, with the next entry of each to be tried.
        let mut path = vec![(row, starts[row])];
        while let Some((at, next)) = path.last_mut() {
            if *next == starts[*at + 1] {
                path.pop();
                continue;
            }
            let entry = *next;
            *next += 1;
            self.steps += 1;
            if self.steps > PATIENCE * columns.len() {
                return true;
            }
            let column = columns[entry] as usize;
            if values[entry] == 0.0 || self.seen_by[column] == row {
                continue;
            }
            self.seen_by[column] = row;
            if let Some(owner) = self.row_of[column] {
                path.push((owner, starts[owner]));
                continue;
            }
            // Each row of the path takes the column that it tried last.
            for (row, next) in path {
                self.row_of[columns[next - 1] as usize] = Some(row);
            }
            return true;
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sparse::dense::Dense;

    fn of(rows: &[&str]) -> Option<usize> {
        let n = rows.len();
        // Values stand column by column.
        let place = |k: usize| if rows[k % n].as_bytes()[k / n] == b'x' { 1.0 } else { 0.0 };
        let dense = Dense { rows: n, cols: n, values: (0..n * n).map(place).collect() };
        unmatched_row(&dense.to_csr().unwrap())
    }

    #[test]
    fn rows_that_cannot_all_have_a_column() {
        assert_eq!(of(&["x.x.", ".x..", ".xx.", "..x."]), Some(3));
        assert_eq!(of(&["xx", "xx"]), None);
        assert_eq!(of(&[".x", "x."]), None);
        assert_eq!(of(&[".xx", "x..", "x.."]), Some(2));
        // A path through all rows.
        assert_eq!(of(&["xx..", ".xx.", "..xx", "x..."]), None);
    }
}
