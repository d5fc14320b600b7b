//! A product with a sparse matrix as the host plan has it.

use super::Form;
use crate::kernel::{Expr, ScalarType};
use crate::library::operand::{Operand, Questions};
use std::fmt::{self, Display, Formatter};

/// An array that is walked through one element after the other, and its first element.
#[derive(Debug, Clone, PartialEq)]
pub struct Walked {
    pub array: String,
    pub first: Expr,
}

/// `y = beta y + alpha A x`, where the entries of A lie by rows, by columns, or as triplets.
#[derive(Debug, Clone, PartialEq)]
pub struct SparseProduct {
    pub ty: ScalarType,
    pub line: u32,
    pub form: Form,
    /// Rows, columns or entries; vectors side by side.
    pub majors: Expr,
    pub vectors: Expr,
    pub pointers: Option<Walked>,
    /// Columns of entries by rows, rows of entries by columns; columns and rows of triplets.
    pub indices: Vec<Walked>,
    pub values: Walked,
    pub alpha: Expr,
    pub x: Operand,
    /// `None` where nothing is kept of the result.
    pub beta: Option<Expr>,
    pub y: Operand,
}

impl SparseProduct {
    fn walked(&self) -> impl Iterator<Item = &Walked> {
        self.pointers.iter().chain(&self.indices).chain([&self.values])
    }
}

impl Questions for SparseProduct {
    fn exprs(&self) -> Vec<&Expr> {
        let firsts = self.walked().map(|w| &w.first);
        let operands = [&self.x, &self.y].into_iter().flat_map(Operand::exprs);
        [&self.majors, &self.vectors, &self.alpha].into_iter().chain(&self.beta).chain(firsts).chain(operands).collect()
    }

    fn reads(&self) -> Vec<&str> {
        let kept = self.beta.as_ref().map(|_| self.y.array.as_str());
        self.walked().map(|w| w.array.as_str()).chain([self.x.array.as_str()]).chain(kept).collect()
    }

    fn writes(&self) -> Vec<&str> {
        vec![&self.y.array]
    }

    fn noun(&self) -> &'static str {
        match (self.form, self.vectors == Expr::Int(1)) {
            (Form::Rows, true) => "a product of a sparse matrix, by rows, and a vector (spmv)",
            (Form::Columns, true) => "a product of a sparse matrix, by columns, and a vector (spmv)",
            (Form::Triplets, true) => "a product of a sparse matrix, by triplets, and a vector (spmv)",
            (Form::Rows, false) => "a product of a sparse matrix, by rows, and a dense one (spmm)",
            (Form::Columns, false) => "a product of a sparse matrix, by columns, and a dense one (spmm)",
            (Form::Triplets, false) => "a product of a sparse matrix, by triplets, and a dense one (spmm)",
        }
    }

    fn line(&self) -> u32 {
        self.line
    }

    fn library(&self) -> &'static str {
        "cuSPARSE"
    }
}

impl Display for SparseProduct {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        let form = match self.form {
            Form::Rows => "rows",
            Form::Columns => "columns",
            Form::Triplets => "entries",
        };
        write!(f, "sparse product {} = {} * matrix * {}", self.y, self.alpha, self.x)?;
        if let Some(beta) = &self.beta {
            write!(f, " + {beta} * itself")?;
        }
        let arrays: Vec<String> = self.walked().map(|w| format!("{}[{} ..]", w.array, w.first)).collect();
        write!(f, ": {} {form} of {}, {} vectors", self.majors, arrays.join(", "), self.vectors)
    }
}
