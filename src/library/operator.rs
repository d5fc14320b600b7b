//! Operators of BLAS beside the product: what each is called, and what a recognised one is made of.

use super::view::View;
use super::{FEW, Scale};
use crate::facts::symbolic::Poly;
use crate::kernel::{ScalarType, Usage};

/// An operator, by the name that BLAS has for it without the type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    Syrk,
    Syr2k,
    Symm,
    Trmm,
    Trsm,
    Trsv,
    Ger,
    Geam,
    Axpy,
    Scal,
    Copy,
    Swap,
    Dot,
    Asum,
}

impl What {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            What::Syrk => "syrk",
            What::Syr2k => "syr2k",
            What::Symm => "symm",
            What::Trmm => "trmm",
            What::Trsm => "trsm",
            What::Trsv => "trsv",
            What::Ger => "ger",
            What::Geam => "geam",
            What::Axpy => "axpy",
            What::Scal => "scal",
            What::Copy => "copy",
            What::Swap => "swap",
            What::Dot => "dot",
            What::Asum => "asum",
        }
    }

    /// What it is, in a person's words.
    pub fn noun(self) -> &'static str {
        match self {
            What::Syrk => "a triangle of the product of a matrix and its transpose (syrk)",
            What::Syr2k => "a triangle of the products of two matrices, each with the other's transpose (syr2k)",
            What::Symm => "a product with a symmetric matrix of which a triangle is read (symm)",
            What::Trmm => "a product in place with a triangular matrix (trmm)",
            What::Trsm => "the solution of triangular systems (trsm)",
            What::Trsv => "the solution of a triangular system (trsv)",
            What::Ger => "a product of two vectors that is added to a matrix (ger)",
            What::Geam => "a sum of matrices, or one transposed (geam)",
            What::Axpy => "a vector with a factor that is added to another (axpy)",
            What::Scal => "a vector with a factor (scal)",
            What::Copy => "a copy of a vector (copy)",
            What::Swap => "an exchange of two vectors (swap)",
            What::Dot => "a product of two vectors (dot)",
            What::Asum => "a sum of absolute values (asum)",
        }
    }

    /// What its flags say where they are set.
    pub fn flags(self) -> &'static [&'static str] {
        match self {
            What::Trmm | What::Trsm | What::Trsv => &["the lower triangle", "ones on the diagonal"],
            _ => &[],
        }
    }

    /// Test that it does so much with each number that it reads that a library gains on a kernel.
    pub fn is_compute_bound(self) -> bool {
        matches!(self, What::Syrk | What::Syr2k | What::Symm | What::Trmm | What::Trsm)
    }
}

/// A recognised operator. What each list holds is that of the function of the runtime that has its name.
#[derive(Debug, Clone)]
pub struct Operator {
    pub what: What,
    /// The number that all elements are.
    pub ty: ScalarType,
    pub sizes: Vec<Poly>,
    pub flags: Vec<bool>,
    /// Factors of what is added.
    pub alpha: Scale,
    pub operands: Vec<View>,
    /// Factors of what was there before; `None` where nothing is kept of that.
    pub beta: Option<Scale>,
    pub result: View,
    pub usage: Usage,
}

impl Operator {
    /// Test that a library gains on a kernel: not where it is known to be small.
    pub fn is_worth_it(&self) -> bool {
        self.what.is_compute_bound() && !self.sizes.iter().any(|n| n.as_constant().is_some_and(|n| n < FEW))
    }
}
