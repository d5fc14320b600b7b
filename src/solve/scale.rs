//! Powers of two that bring a system to magnitudes whose squares and products neither overflow nor underflow.
//!
//! ```text
//! 1e-160 x = 1e-170   ─ Scaling::of ─ 2^532 A, 2^566 b ─ a solver ─ y ─ x = 2^(532 - 566) y
//! ```
//! Solvers add up squares of residuals and of products with the matrix, so that the range of their numbers is half of what
//! the numbers of a file have. A power of two rounds nothing, and the exponents are even, so that square roots round alike,
//! too: a method makes the same iterations on both systems. Systems of usual magnitudes are left as they are: that saves a
//! copy, and absolute constants of solvers keep their meaning. Each right-hand side has a power of its own.

use super::norm::{LEAST_NORMAL, exponent_of, largest, times_power};
use super::precision::Precision;
use super::system::System;
use crate::diag::Diagnostic;
use crate::sparse::{Csr, memory};
use std::borrow::Cow;

/// Exponents of two that a matrix and each right-hand side are multiplied by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scaling {
    /// That of the matrix.
    pub matrix: i32,
    /// Those of the right-hand sides.
    pub rhs: Vec<i32>,
}

impl Scaling {
    /// The scaling of a system; all exponents are zero where its magnitudes are usual for the precision.
    pub fn of(system: &System, precision: Precision) -> Scaling {
        let matrix = system.matrix.data();
        let rhs = (0..system.n_rhs()).map(|which| {
            // Elements that are lost beside the largest one would not be seen in the norm of a residual either.
            exponent_for(largest(system.rhs(which)), None, precision)
        });
        let least = matrix.iter().map(|v| v.abs()).filter(|v| *v > 0.0).fold(f64::INFINITY, f64::min);
        Scaling { matrix: exponent_for(largest(matrix), Some(least), precision), rhs: rhs.collect() }
    }

    /// Test that it leaves everything as it is.
    pub fn is_none(&self) -> bool {
        self.matrix == 0 && self.rhs.iter().all(|exponent| *exponent == 0)
    }

    /// The scaled system; the system itself where all exponents are zero.
    ///
    /// # Errors
    /// `matrix-too-large`, where memory does not suffice for a copy.
    pub fn apply<'s>(&self, system: &'s System) -> Result<Cow<'s, System>, Diagnostic> {
        if self.is_none() {
            return Ok(Cow::Borrowed(system));
        }
        let needed = 12 * system.matrix.nnz() as u64 + 16 * system.matrix.rows() as u64 + 8 * system.b.len() as u64;
        memory::check("scaling this system", Some(needed), memory::available())?;
        let matrix: Csr<f64> = system.matrix.map(|value| times_power(*value, self.matrix));
        let of_rhs = |which: usize| system.rhs(which).iter().map(move |value| times_power(*value, self.rhs[which]));
        let b = (0..system.n_rhs()).flat_map(of_rhs).collect();
        let diagonal = system.diagonal.iter().map(|value| times_power(*value, self.matrix)).collect();
        Ok(Cow::Owned(System { matrix, b, diagonal }))
    }

    /// Test that a precision has the numbers of a scaled system, and the inverses of its diagonal.
    ///
    /// # Errors
    /// `not-single`.
    pub fn check(&self, scaled: &System, precision: Precision) -> Result<(), Diagnostic> {
        let is_lost = |value: &f64| (*value as f32).is_infinite();
        let of_matrix = scaled.matrix.data().iter().find(|value| is_lost(value));
        let lost = of_matrix.or_else(|| scaled.diagonal.iter().find(|d| **d != 0.0 && is_lost(&(1.0 / **d))));
        match lost.filter(|_| precision == Precision::Single) {
            None => Ok(()),
            Some(value) => {
                let original = |value: f64| times_power(value, -self.matrix);
                let message = format!(
                    "single precision has no {:e}, or not its inverse, beside {:e}: its numbers end near 3e38",
                    original(*value),
                    original(largest(scaled.matrix.data()))
                );
                let help = "leave out --precision single, or scale the equations";
                Err(Diagnostic::error("not-single", message, None).help(help))
            }
        }
    }

    /// The solution for a right-hand side from that of the scaled system, each element rounded to a double once.
    pub fn solution(&self, which: usize, scaled: &[f64]) -> Vec<f64> {
        scaled.iter().map(|value| times_power(*value, self.matrix - self.rhs[which])).collect()
    }

    /// A solution in the scaled system: other than what its solver gave where that was rounded.
    pub fn scaled_solution(&self, which: usize, x: &[f64]) -> Vec<f64> {
        x.iter().map(|value| times_power(*value, self.rhs[which] - self.matrix)).collect()
    }
}

/// Exponents of the largest number up to which magnitudes are usual, on both sides of 1: the square of a product of two such, times
/// what a residual may grow or fall by, is well within the range of the precision.
fn usual(precision: Precision) -> i32 {
    match precision {
        Precision::Double | Precision::Mixed => 100,
        Precision::Single => 16,
    }
}

/// The even exponent that brings the largest of some numbers to between 1 and 4; zero where it is usual. The least that is not
/// zero, where it is given, is kept a normal number, for which the largest may have to be larger.
fn exponent_for(largest: f64, least: Option<f64>, precision: Precision) -> i32 {
    if largest == 0.0 || exponent_of(largest).abs() <= usual(precision) {
        return 0;
    }
    let wanted = -(exponent_of(largest) & !1);
    match least {
        Some(least) if wanted < 0 => wanted.max((LEAST_NORMAL - exponent_of(least) + 1) & !1).min(0),
        _ => wanted,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sparse::dense::Dense;

    fn system(matrix: &[f64], b: &[f64]) -> System {
        let n = matrix.len();
        let place = |k: usize| if k % n == k / n { matrix[k / n] } else { 0.0 };
        let dense = Dense { rows: n, cols: n, values: (0..n * n).map(place).collect() };
        System { b: b.to_vec(), ..System::of(dense.to_csr().unwrap()) }
    }

    #[test]
    fn usual_magnitudes_are_left_as_they_are() {
        for (largest, precision) in [(1e30, Precision::Double), (-1e-30, Precision::Mixed), (6e4, Precision::Single)] {
            let system = system(&[largest, largest / 3.0], &[largest, 0.0, 0.0, 0.0]);
            let scaling = Scaling::of(&system, precision);
            assert!(scaling.is_none() && matches!(scaling.apply(&system), Ok(Cow::Borrowed(_))), "{largest:e}");
        }
    }

    #[test]
    fn each_right_hand_side_has_its_own_power_and_all_are_even() {
        let whole = system(&[1e-160, 3e-170], &[1e-170, 1e-180, 1e160, 3.0, 1e-310, 0.0, 0.0, 0.0, 2.0, 7.0]);
        let scaling = Scaling::of(&whole, Precision::Double);
        assert_eq!((scaling.matrix, &scaling.rhs[..]), (532, &[566, -530, 1030, 0, 0][..]));
        let scaled = scaling.apply(&whole).unwrap();
        assert!((1.0..4.0).contains(&largest(scaled.matrix.data())));
        assert!((0..3).all(|which| (1.0..4.0).contains(&largest(scaled.rhs(which)))), "{scaled:?}");
        let back = scaling.solution(1, &scaling.scaled_solution(1, &[1e290, -3e300]));
        assert_eq!(back, [1e290, -3e300]);
        // In single precision less is unusual.
        assert_eq!(Scaling::of(&system(&[1e-22], &[1e6]), Precision::Single), Scaling { matrix: 74, rhs: vec![-18] });
    }

    #[test]
    fn no_entry_of_a_matrix_is_lost_and_what_is_small_in_a_right_hand_side_may_be() {
        let scaling = Scaling::of(&system(&[1e300, 1e-300], &[1e300, 1e-300]), Precision::Double);
        assert_eq!((scaling.matrix, &scaling.rhs[..]), (-24, &[-996][..]));
        assert_eq!(Scaling::of(&system(&[1e300, 5e-324], &[1.0, 1.0]), Precision::Double).matrix, 0);
    }
}
