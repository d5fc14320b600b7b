//! Operators that a library has: which nests are one, and what the call of it is.
//!
//! ```text
//! for i, j: c[i][j] *= beta;                        rt::product(.., {n, m, p}, alpha, a by rows of p,
//!   for k: c[i][j] += alpha * a[i][k] * b[k][j]  ->             b by rows of m, beta, c by rows of m)
//! ```
//! What is looked at is a scheduled nest, so that loop order, distribution and temporaries of the C do not matter: its
//! accesses as distances in memory ([`view`]), and its statements as a sum of products ([`contraction`]). The dependences
//! have shown already that the iterations of its axes are independent. What the host plan then holds is a [`call::Call`].

pub mod apart;
pub mod blas;
pub mod call;
pub mod contraction;
pub mod factors;
pub mod found;
pub mod long_rows;
pub mod operand;
pub mod operator;
pub mod product;
pub mod recognise;
pub mod scale;
pub mod short_columns;
pub mod slices;
pub mod sparse;
pub mod triangle;
pub mod triangular;
pub mod updates;
pub mod vectors;
pub mod view;

pub use found::{Contraction, Found};
pub use scale::{FEW, Range, Scale, is_known, is_zero};
