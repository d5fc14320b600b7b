//! Rows of a sparse matrix laid out in slices, as a step of the host plan.
//!
//! ```text
//! rows of start[0 .. n) in slices of 32 by rt_slices: value as rt_value_sliced, column as rt_column_sliced
//! ```

use super::operand::Questions;
use crate::kernel::Expr;
use std::fmt::{self, Display, Formatter};

/// Rows in a slice: those of a warp, so that its threads load neighbours.
pub const SLICE: i64 = 32;

/// `to[slices[1 + i / 32] + i % 32 + 32 * k] = from[start[first + i] + k]` for each row and its entries; where that would
/// take too much room, `to` is `from`. `slices[0]` is the distance from one entry of a row to the next: 32, or 1.
#[derive(Debug, Clone, PartialEq)]
pub struct Slices {
    pub line: u32,
    /// Where rows begin, and the rows: the first, one past the last.
    pub start: String,
    pub first: Expr,
    pub last: Expr,
    pub slices: String,
    /// Arrays of entries, and what they become.
    pub entries: Vec<(String, String)>,
}

impl Questions for Slices {
    fn exprs(&self) -> Vec<&Expr> {
        vec![&self.first, &self.last]
    }

    fn reads(&self) -> Vec<&str> {
        std::iter::once(self.start.as_str()).chain(self.entries.iter().map(|(from, _)| from.as_str())).collect()
    }

    fn writes(&self) -> Vec<&str> {
        std::iter::once(self.slices.as_str()).chain(self.entries.iter().map(|(_, to)| to.as_str())).collect()
    }

    fn may_lack(&self) -> Vec<&str> {
        self.entries.iter().map(|(_, to)| to.as_str()).collect()
    }

    fn noun(&self) -> &'static str {
        "rows of a sparse matrix in slices"
    }

    fn line(&self) -> u32 {
        self.line
    }

    fn library(&self) -> &'static str {
        "runtime"
    }
}

impl Display for Slices {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        write!(f, "rows of {}[{} .. {}) in slices of {SLICE} by {}:", self.start, self.first, self.last, self.slices)?;
        let list: Vec<String> = self.entries.iter().map(|(from, to)| format!(" {from} as {to}")).collect();
        f.write_str(&list.join(","))
    }
}
