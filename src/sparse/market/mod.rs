//! Matrix Market files, all of the format: Boisvert, Pozo and Remington, "The Matrix Market Exchange Formats: Initial
//! Design", NISTIR 5935, 1996.
//!
//! ```text
//! %%MatrixMarket matrix coordinate real symmetric
//! % comments
//! 3 3 4
//! 1 1 2.0
//! ...
//! ```
//!
//! A file is a stream of bytes, compressed or not ([`lines`]); blocks of its lines are parsed side by side
//! ([`entries`]) and assembled ([`read`]). Text is never in memory as a whole.

use super::assemble::Mirror;
use super::dense::Dense;
use super::{Csr, Scalar, memory};
use crate::diag::Diagnostic;
use num_complex::Complex64;
use serde::Serialize;

pub mod entries;
pub mod fault;
pub mod header;
pub mod lines;
pub mod read;
pub mod words;
pub mod write;

/// Doubles hold every integer up to here.
pub const MOST_INTEGER: u64 = 1 << 53;

/// How a file lists its values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Layout {
    /// Row, column and value of each entry.
    Coordinate,
    /// Every value, column after column.
    Array,
}

/// What the values are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Field {
    /// Doubles.
    Real,
    /// Integers; in memory they are doubles, which hold them exactly.
    Integer,
    /// None: only places; in memory each is 1.
    Pattern,
    /// Pairs of doubles.
    Complex,
}

/// Which half of the matrix is listed, and what that says about the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Symmetry {
    /// All of it is.
    General,
    /// The other is the same.
    Symmetric,
    /// The other is the negative; the diagonal is zero and not listed.
    SkewSymmetric,
    /// The other is the complex conjugate.
    Hermitian,
}

impl Layout {
    /// The words of the format.
    pub const ALL: &[(&str, Layout)] = &[("coordinate", Layout::Coordinate), ("array", Layout::Array)];
}

impl Field {
    /// The words of the format.
    pub const ALL: &[(&str, Field)] =
        &[("real", Field::Real), ("integer", Field::Integer), ("pattern", Field::Pattern), ("complex", Field::Complex)];
}

impl Symmetry {
    /// The words of the format.
    pub const ALL: &[(&str, Symmetry)] = &[
        ("general", Symmetry::General),
        ("symmetric", Symmetry::Symmetric),
        ("skew-symmetric", Symmetry::SkewSymmetric),
        ("hermitian", Symmetry::Hermitian),
    ];

    /// What an entry says about its mirror image.
    pub fn mirror(self) -> Mirror {
        match self {
            Symmetry::General => Mirror::None,
            Symmetry::Symmetric => Mirror::Same,
            Symmetry::SkewSymmetric => Mirror::Negative,
            Symmetry::Hermitian => Mirror::Conjugate,
        }
    }
}

/// The word of the format for a value of one of the enumerations above.
pub fn word<T: Copy + PartialEq>(all: &[(&'static str, T)], value: T) -> &'static str {
    all.iter().find(|(_, one)| *one == value).map_or("", |(word, _)| word)
}

/// What the first lines of a file say, but for the size.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Header {
    /// How the values are listed.
    pub layout: Layout,
    /// What they are.
    pub field: Field,
    /// Which of them are listed.
    pub symmetry: Symmetry,
    /// The comments before the size, without their `%`.
    pub comments: Vec<String>,
}

impl Header {
    /// The header of a sparse matrix of doubles.
    pub fn sparse(symmetry: Symmetry) -> Header {
        Header { layout: Layout::Coordinate, field: Field::Real, symmetry, comments: Vec::new() }
    }
}

/// The matrix of a file. Both halves of a symmetric one are there.
#[derive(Debug, Clone, PartialEq)]
pub enum Body {
    /// Coordinates of real numbers, integers or a pattern.
    Sparse(Csr<f64>),
    /// Coordinates of complex numbers.
    SparseComplex(Csr<Complex64>),
    /// An array of real numbers or integers.
    Dense(Dense<f64>),
    /// An array of complex numbers.
    DenseComplex(Dense<Complex64>),
}

/// What a file holds.
#[derive(Debug, Clone, PartialEq)]
pub struct Market {
    /// Its header.
    pub header: Header,
    /// Its matrix.
    pub body: Body,
    /// The right-hand side that AmgX has put behind the entries of coordinates.
    pub rhs: Option<Vec<f64>>,
    /// How many of its entries were joined to an earlier one of the same place.
    pub n_duplicates: usize,
}

impl Market {
    /// A sparse matrix of doubles as a file would hold it.
    pub fn sparse(matrix: Csr<f64>, symmetry: Symmetry) -> Market {
        Market { header: Header::sparse(symmetry), body: Body::Sparse(matrix), rhs: None, n_duplicates: 0 }
    }

    /// A dense matrix, or a vector, of doubles as a file would hold it.
    pub fn dense(matrix: Dense<f64>) -> Market {
        let header = Header { layout: Layout::Array, ..Header::sparse(Symmetry::General) };
        Market { header, body: Body::Dense(matrix), rhs: None, n_duplicates: 0 }
    }

    /// Rows and columns.
    pub fn shape(&self) -> (usize, usize) {
        match &self.body {
            Body::Sparse(matrix) => matrix.shape(),
            Body::SparseComplex(matrix) => matrix.shape(),
            Body::Dense(matrix) => (matrix.rows, matrix.cols),
            Body::DenseComplex(matrix) => (matrix.rows, matrix.cols),
        }
    }

    /// The matrix as CSR of doubles; of a dense one, the values other than zero.
    ///
    /// # Errors
    /// `complex-matrix`; `matrix-too-large` for an array with more rows or columns than an index counts.
    pub fn into_csr(self) -> Result<Csr<f64>, Diagnostic> {
        match self.body {
            Body::Sparse(matrix) => Ok(matrix),
            Body::Dense(matrix) => matrix.to_csr(),
            Body::SparseComplex(_) | Body::DenseComplex(_) => Err(is_complex()),
        }
    }

    /// A matrix of one column, or of one row, as a vector of doubles.
    ///
    /// # Errors
    /// `complex-matrix`; `not-a-vector` for another shape; `matrix-too-large`.
    pub fn into_vector(self) -> Result<Vec<f64>, Diagnostic> {
        let (rows, cols) = self.shape();
        if rows != 1 && cols != 1 {
            let message = format!("a vector has one column, and this matrix is {rows} x {cols}");
            return Err(Diagnostic::error("not-a-vector", message, None));
        }
        memory::check("this vector", Some(8 * rows as u64 * cols as u64), memory::available())?;
        match self.body {
            Body::Sparse(matrix) => Ok(Dense::of(&matrix).values),
            Body::Dense(matrix) => Ok(matrix.values),
            Body::SparseComplex(_) | Body::DenseComplex(_) => Err(is_complex()),
        }
    }
}

fn is_complex() -> Diagnostic {
    let message = "the values of this matrix are complex, and real ones are needed here";
    Diagnostic::error("complex-matrix", message, None)
}

/// Wraps what was read of values of a type.
pub trait Held: Scalar {
    /// A sparse matrix.
    fn sparse(matrix: Csr<Self>) -> Body;
    /// A dense one.
    fn dense(matrix: Dense<Self>) -> Body;
}

impl Held for f64 {
    fn sparse(matrix: Csr<f64>) -> Body {
        Body::Sparse(matrix)
    }
    fn dense(matrix: Dense<f64>) -> Body {
        Body::Dense(matrix)
    }
}

impl Held for Complex64 {
    fn sparse(matrix: Csr<Complex64>) -> Body {
        Body::SparseComplex(matrix)
    }
    fn dense(matrix: Dense<Complex64>) -> Body {
        Body::DenseComplex(matrix)
    }
}
