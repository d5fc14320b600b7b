//! An operator of BLAS as the host plan has it.
//!
//! ```text
//! syrk c[0 + i * n + j * 1] = 1.0 * (a[0 + i * m + j * 1]) + beta * itself: n, m
//! ```

use super::operand::{Operand, Questions};
use super::operator::What;
use crate::kernel::{Expr, ScalarType, Usage};
use std::fmt::{self, Display, Formatter};

/// A call of one of BLAS's operators: [`Operator`](super::operator::Operator) in the host's terms.
#[derive(Debug, Clone, PartialEq)]
pub struct Blas {
    pub what: What,
    pub ty: ScalarType,
    pub line: u32,
    pub sizes: Vec<Expr>,
    pub flags: Vec<bool>,
    pub alpha: Expr,
    pub operands: Vec<Operand>,
    /// `None` where nothing is kept of the result.
    pub beta: Option<Expr>,
    pub result: Operand,
    pub usage: Usage,
}

impl Blas {
    /// Test that it is the sum of a vector's squares.
    pub fn is_square(&self) -> bool {
        self.what == What::Dot && self.operands[0] == self.operands[1]
    }
}

impl Questions for Blas {
    fn exprs(&self) -> Vec<&Expr> {
        let operands = self.operands.iter().chain([&self.result]).flat_map(Operand::exprs);
        self.sizes.iter().chain([&self.alpha]).chain(&self.beta).chain(operands).collect()
    }

    fn reads(&self) -> Vec<&str> {
        let is_read = self.usage != Usage::Write;
        self.operands.iter().chain(is_read.then_some(&self.result)).map(|x| x.array.as_str()).collect()
    }

    fn writes(&self) -> Vec<&str> {
        let others = self.operands.iter().filter(|_| self.what == What::Swap);
        others.chain([&self.result]).map(|x| x.array.as_str()).collect()
    }

    fn noun(&self) -> &'static str {
        self.what.noun()
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

impl Display for Blas {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        let list = |items: Vec<String>| items.join(", ");
        let operands = list(self.operands.iter().map(Operand::to_string).collect());
        write!(f, "{} {} = {} * ({operands})", self.what.name(), self.result, self.alpha)?;
        if let Some(beta) = &self.beta {
            write!(f, " + {beta} * itself")?;
        }
        write!(f, ": {}", list(self.sizes.iter().map(Expr::to_string).collect()))?;
        let mut flags = self.what.flags().iter().zip(&self.flags).filter(|(_, is_set)| **is_set).map(|(name, _)| *name);
        flags.try_for_each(|name| write!(f, ", {name}"))
    }
}
