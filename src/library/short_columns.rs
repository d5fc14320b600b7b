//! Columns of a sparse matrix in 16 bits, as a step of the host plan.
//!
//! ```text
//! rt_fit = columns column of rows start[0 .. n) in 16 bits as rt_column_short, the first from row - rt_reach on, the others ..
//! ```

use super::operand::Questions;
use crate::kernel::Expr;
use std::fmt::{self, Display, Formatter};

/// Columns by the distance of each from the one before it in its row: of the first entry from `max(row - reach, 0)`, of the
/// others from that before, less `least`; and whether all of them fit in 16 bits.
#[derive(Debug, Clone, PartialEq)]
pub struct ShortColumns {
    pub line: u32,
    /// Starts of rows, and the rows: the first, one past the last.
    pub start: String,
    pub first: Expr,
    pub last: Expr,
    pub column: String,
    pub short: String,
    /// Variables of the host's: whether all fit; how far before their own number rows begin; the least distance.
    pub fit: String,
    pub reach: String,
    pub least: String,
}

impl Questions for ShortColumns {
    fn exprs(&self) -> Vec<&Expr> {
        vec![&self.first, &self.last]
    }

    fn reads(&self) -> Vec<&str> {
        vec![&self.start, &self.column]
    }

    fn writes(&self) -> Vec<&str> {
        vec![&self.short]
    }

    fn may_lack(&self) -> Vec<&str> {
        vec![&self.short]
    }

    fn noun(&self) -> &'static str {
        "columns of a sparse matrix in 16 bits"
    }

    fn line(&self) -> u32 {
        self.line
    }

    fn library(&self) -> &'static str {
        "runtime"
    }
}

impl Display for ShortColumns {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        let ShortColumns { start, first, last, column, short, fit, reach, least, .. } = self;
        write!(
            f,
            "{fit} = columns {column} of rows {start}[{first} .. {last}) in 16 bits as {short}, the first from row - {reach} on, \
             the others {least} behind those before them"
        )
    }
}
