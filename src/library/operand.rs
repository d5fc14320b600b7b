//! Common parts of calls of a library: operands, and the questions that precede a call.

use crate::kernel::Expr;
use std::fmt::{self, Display, Formatter};

/// Request of the plan for a call. Arrays are named as the plan names them.
pub trait Questions: Display {
    /// The host's expressions in it.
    fn exprs(&self) -> Vec<&Expr>;

    /// The arrays of whose elements it reads some.
    fn reads(&self) -> Vec<&str>;

    /// The arrays of whose elements it writes some.
    fn writes(&self) -> Vec<&str>;

    /// Those of them for which there need not be room: then the call makes do without.
    fn may_lack(&self) -> Vec<&str> {
        vec![]
    }

    /// Its name in a person's words and with the name that the library has for it.
    fn noun(&self) -> &'static str;

    /// Its line in the C file.
    fn line(&self) -> u32;

    /// Who computes it.
    fn library(&self) -> &'static str;

    /// Fitness for a CUDA graph, to be recorded and replayed: nothing of it waits for the device or allocates.
    fn is_recordable(&self) -> bool {
        false
    }
}

/// An operand of a call: element (r, c) is at `first + r * row + c * column`; of several, the next is `batch` further.
#[derive(Debug, Clone, PartialEq)]
pub struct Operand {
    pub array: String,
    pub first: Expr,
    pub row: Expr,
    pub column: Expr,
    pub batch: Expr,
}

impl Operand {
    /// The host's expressions in it.
    pub fn exprs(&self) -> [&Expr; 4] {
        [&self.first, &self.row, &self.column, &self.batch]
    }
}

impl Display for Operand {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        write!(f, "{}[{} + i * {} + j * {}", self.array, self.first, self.row, self.column)?;
        if self.batch == Expr::Int(0) { write!(f, "]") } else { write!(f, " + q * {}]", self.batch) }
    }
}
