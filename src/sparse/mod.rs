//! Sparse matrices: read from Matrix Market files, looked at, stored in the format that suits them, generated, written.
//!
//! ```text
//! .mtx, .mtx.gz ─ market::read ─ Market ─ Csr ─┬─ facts::Facts ─ choose::Choice
//!        generate::generate ──────────────────┤    format: COO, CSC, BSR, sliced ELL
//!                                             └─ market::write, plot
//! ```
//!
//! In memory a sparse matrix is CSR or CSC of the `sprs` crate: rows in order, each with its columns ascending and
//! without duplicates. Indices are 32 bits, as in C programs and cuSPARSE; counts of entries are 64 bits.

use num_complex::Complex64;
use std::fmt::Debug;
use std::ops::{Add, AddAssign, Mul, Neg};

pub mod assemble;
pub mod choose;
pub mod dense;
pub mod facts;
pub mod format;
pub mod generate;
pub mod market;
pub mod memory;
pub mod plot;

/// A sparse matrix in CSR, or in CSC where [`sprs::CsMatI::is_csc`] says so.
pub type Csr<T> = sprs::CsMatI<T, u32, usize>;

/// The largest number of rows or columns: the largest `int` of C.
pub const MOST_ROWS: u64 = i32::MAX as u64;

/// A value of a matrix: a real or a complex number in double precision.
pub trait Scalar:
    Copy
    + Debug
    + Default
    + PartialEq
    + Send
    + Sync
    + AddAssign
    + Add<Output = Self>
    + Mul<Output = Self>
    + Neg<Output = Self>
{
    /// Flag: it has an imaginary part.
    const IS_COMPLEX: bool;
    /// From its parts; a real number has no second one.
    fn from_parts(re: f64, im: f64) -> Self;
    /// The real and the imaginary part.
    fn parts(self) -> (f64, f64);
    /// The complex conjugate.
    fn conjugate(self) -> Self {
        let (re, im) = self.parts();
        Self::from_parts(re, -im)
    }
    /// The absolute value.
    fn magnitude(self) -> f64 {
        let (re, im) = self.parts();
        re.hypot(im)
    }
    /// Test that no part is infinite or not a number.
    fn is_finite(self) -> bool {
        let (re, im) = self.parts();
        re.is_finite() && im.is_finite()
    }
}

impl Scalar for f64 {
    const IS_COMPLEX: bool = false;
    fn from_parts(re: f64, _: f64) -> Self {
        re
    }
    fn parts(self) -> (f64, f64) {
        (self, 0.0)
    }
}

impl Scalar for Complex64 {
    const IS_COMPLEX: bool = true;
    fn from_parts(re: f64, im: f64) -> Self {
        Complex64::new(re, im)
    }
    fn parts(self) -> (f64, f64) {
        (self.re, self.im)
    }
}

/// `matrix * x`, each row summed from its first column to its last.
///
/// # Panics
/// Where `x` is shorter than the matrix is wide, or the matrix is CSC.
pub fn product<T: Scalar>(matrix: &Csr<T>, x: &[T]) -> Vec<T> {
    assert!(matrix.is_csr() && x.len() >= matrix.cols());
    let row_sum = |row: sprs::CsVecBase<&[u32], &[T], T, u32>| {
        let mut sum = T::default();
        row.iter().for_each(|(column, &value)| sum += value * x[column]);
        sum
    };
    matrix.outer_iterator().map(row_sum).collect()
}
