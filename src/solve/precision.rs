//! Numbers that a solver computes with.

use serde::Serialize;

/// Numbers of matrices and vectors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Precision {
    /// `float`: half of what an iteration moves, seven digits.
    Single,
    /// `double`.
    Double,
    /// Iterations in `float`, the solution and its residual in `double`.
    Mixed,
}

impl Precision {
    /// Every one, by what a user calls it.
    pub const ALL: [(&'static str, Precision); 3] =
        [("double", Precision::Double), ("single", Precision::Single), ("mixed", Precision::Mixed)];

    /// Bytes of a number in an iteration.
    pub fn size(self) -> usize {
        match self {
            Precision::Single | Precision::Mixed => 4,
            Precision::Double => 8,
        }
    }

    /// Bytes of a number of the system and of the solution.
    pub fn outer_size(self) -> usize {
        match self {
            Precision::Single => 4,
            Precision::Double | Precision::Mixed => 8,
        }
    }

    /// In words.
    pub fn title(self) -> &'static str {
        match self {
            Precision::Single => "single precision",
            Precision::Double => "double precision",
            Precision::Mixed => "mixed precision",
        }
    }

    /// Greatest relative change by rounding the solution to it.
    pub fn rounding(self) -> f64 {
        match self {
            Precision::Single => f64::from(f32::EPSILON) / 2.0,
            Precision::Double | Precision::Mixed => f64::EPSILON / 2.0,
        }
    }
}
