//! Long rows of a sparse matrix cut in pieces, as a step of the host plan.
//!
//! ```text
//! rt_pieces = long rows of start[0 .. n) in pieces from rt_piece_start to rt_piece_end, those before a row in rt_pieces_before
//! ```

use super::operand::Questions;
use crate::kernel::Expr;
use std::fmt::{self, Display, Formatter};

/// The entries of a row that a thread sums up by itself.
pub const ROW_OF_THREAD: i64 = 32;

/// The entries of long rows in pieces, and how many pieces there are: none, where rows are even enough for a thread each.
#[derive(Debug, Clone, PartialEq)]
pub struct LongRows {
    pub line: u32,
    /// Where rows begin, and the rows: the first, one past the last.
    pub start: String,
    pub first: Expr,
    pub last: Expr,
    /// The variable of the host's for the number of pieces.
    pub count: String,
    /// The number of pieces of the rows before each row.
    pub before: String,
    /// The first entry of each piece, one past the last.
    pub from: String,
    pub to: String,
}

impl Questions for LongRows {
    fn exprs(&self) -> Vec<&Expr> {
        vec![&self.first, &self.last]
    }

    fn reads(&self) -> Vec<&str> {
        vec![&self.start]
    }

    fn writes(&self) -> Vec<&str> {
        vec![&self.before, &self.from, &self.to]
    }

    fn noun(&self) -> &'static str {
        "long rows of a sparse matrix in pieces"
    }

    fn line(&self) -> u32 {
        self.line
    }

    fn library(&self) -> &'static str {
        "runtime"
    }
}

impl Display for LongRows {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        let LongRows { start, first, last, count, before, from, to, .. } = self;
        write!(
            f,
            "{count} = long rows of {start}[{first} .. {last}) in pieces from {from} to {to}, those before a row in {before}"
        )
    }
}
