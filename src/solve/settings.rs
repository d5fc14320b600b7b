//! How to solve.

use super::method::{Method, Precond};
use crate::config::Backend;
use serde::Serialize;

/// How to solve.
#[derive(Debug, Clone, Copy)]
pub struct Settings {
    /// The method.
    pub method: &'static Method,
    /// Its preconditioner.
    pub precond: Precond,
    /// Numbers of matrices and vectors while it runs.
    pub precision: Precision,
    /// It ends where the residual is at most so much of the right-hand side, in the 2-norm.
    pub tolerance: f64,
    /// It ends after so many iterations.
    pub most: i32,
    /// Iterations of GMRES before it starts anew.
    pub restart: i32,
    /// The over-relaxation of SOR.
    pub omega: f64,
    /// Where it runs.
    pub backend: Backend,
}

/// Numbers of matrices and vectors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Precision {
    /// `float`: half of what an iteration moves, seven digits.
    Single,
    /// `double`.
    Double,
}

impl Precision {
    /// Every one, by what a user calls it.
    pub const ALL: [(&'static str, Precision); 2] = [("double", Precision::Double), ("single", Precision::Single)];

    /// Bytes of a number.
    pub fn size(self) -> usize {
        match self {
            Precision::Single => 4,
            Precision::Double => 8,
        }
    }

    /// Greatest relative change by rounding to it.
    pub fn rounding(self) -> f64 {
        match self {
            Precision::Single => f64::from(f32::EPSILON) / 2.0,
            Precision::Double => f64::EPSILON / 2.0,
        }
    }
}
