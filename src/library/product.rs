//! A product of matrices as the host plan has it.
//!
//! ```text
//! c[i][j] = beta c[i][j] + sum over k of alpha a[i][k] b[k][j]     rows i, columns j, terms k
//! ```
//! A vector is a matrix of one column; many products of equal size are one call.

use super::operand::{Operand, Questions};
use crate::kernel::{Expr, ScalarType};
use std::fmt::{self, Display, Formatter};

/// `c = beta c + alpha a b`, as the host plan has it: a product of matrices, or of a matrix and a vector (of one column).
#[derive(Debug, Clone, PartialEq)]
pub struct Product {
    pub ty: ScalarType,
    pub line: u32,
    /// Of the result: rows, columns, and the terms of each element; how many such products.
    pub rows: Expr,
    pub columns: Expr,
    pub terms: Expr,
    pub count: Expr,
    pub alpha: Expr,
    pub a: Operand,
    pub b: Operand,
    /// `None` where nothing is kept of the result.
    pub beta: Option<Expr>,
    pub c: Operand,
}

impl Questions for Product {
    fn exprs(&self) -> Vec<&Expr> {
        let sizes = [&self.rows, &self.columns, &self.terms, &self.count, &self.alpha];
        let operands = [&self.a, &self.b, &self.c].into_iter().flat_map(Operand::exprs);
        sizes.into_iter().chain(&self.beta).chain(operands).collect()
    }

    fn reads(&self) -> Vec<&str> {
        let all = [&self.a, &self.b].into_iter().chain(self.beta.is_some().then_some(&self.c));
        all.map(|x| x.array.as_str()).collect()
    }

    fn writes(&self) -> Vec<&str> {
        vec![&self.c.array]
    }

    fn noun(&self) -> &'static str {
        match (self.columns == Expr::Int(1), self.count == Expr::Int(1)) {
            (true, _) => "a product of a matrix and a vector (gemv)",
            (false, true) => "a product of matrices (gemm)",
            (false, false) => "many products of matrices (gemmStridedBatched)",
        }
    }

    fn line(&self) -> u32 {
        self.line
    }

    fn library(&self) -> &'static str {
        "cuBLAS"
    }

    fn is_recordable(&self) -> bool {
        true
    }
}

impl Display for Product {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        write!(f, "product {} = {} * {} * {}", self.c, self.alpha, self.a, self.b)?;
        if let Some(beta) = &self.beta {
            write!(f, " + {beta} * itself")?;
        }
        write!(f, ": {} x {} elements of {} terms", self.rows, self.columns, self.terms)?;
        if self.count == Expr::Int(1) { Ok(()) } else { write!(f, ", {} times", self.count) }
    }
}
