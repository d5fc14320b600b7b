//! Norms of vectors of any magnitude, and products with powers of two.
//!
//! ```text
//! norm [3e-200, 4e-200]    5e-200, though the squares are zero
//! ```

use serde::{Serialize, Serializer};

/// Exponent of the smallest normal number.
pub const LEAST_NORMAL: i32 = -1022;

/// A norm of vectors of a system, at the scale that it is solved at: as a double it may overflow or lose its digits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Norm {
    /// The norm at that scale.
    pub value: f64,
    /// The exponent of two that the norm itself is its multiple by.
    pub exponent: i32,
}

impl Norm {
    /// The norm itself, as the nearest double.
    pub fn absolute(self) -> f64 {
        times_power(self.value, self.exponent)
    }

    /// A residual of the same system against a norm of its right-hand side; the residual alone where that is zero.
    pub fn over(self, norm_b: Norm) -> f64 {
        self.value / if norm_b.value > 0.0 { norm_b.value } else { 1.0 }
    }
}

impl Serialize for Norm {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.absolute())
    }
}

/// The 2-norm, also where squares of the numbers overflow or underflow.
pub fn norm(values: &[f64]) -> f64 {
    let plain = values.iter().map(|v| v * v).sum::<f64>();
    if (1e-280..1e280).contains(&plain) {
        return plain.sqrt();
    }
    if !values.iter().all(|v| v.is_finite()) {
        return values.iter().map(|v| v.abs()).sum();
    }
    let most = largest(values);
    if most == 0.0 {
        return 0.0;
    }
    let exponent = exponent_of(most);
    let squares = values.iter().map(|v| times_power(*v, -exponent).powi(2));
    times_power(squares.sum::<f64>().sqrt(), exponent)
}

/// The largest absolute value.
pub fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0_f64, |most, value| most.max(value.abs()))
}

/// The product with a power of two, rounded once.
pub fn times_power(mut value: f64, mut exponent: i32) -> f64 {
    // Two powers whose product is the smallest normal number times 2^53: what one step of them rounds is below half of the smallest
    // double in the end.
    const DOWN: i32 = LEAST_NORMAL + 53;
    while exponent > 1023 {
        value *= power(1023);
        exponent -= 1023;
    }
    while exponent < LEAST_NORMAL && value != 0.0 {
        value *= power(DOWN);
        exponent -= DOWN;
    }
    value * power(exponent.max(LEAST_NORMAL))
}

/// 2 to the power of an exponent of a normal number.
fn power(exponent: i32) -> f64 {
    f64::from_bits(((exponent + 1023) as u64) << 52)
}

/// The exponent of a number other than zero: it is 2 to that power, or more, and less than twice that.
pub fn exponent_of(value: f64) -> i32 {
    let of_normal = |value: f64| ((value.to_bits() >> 52) & 0x7ff) as i32 - 1023;
    if value.abs() < f64::MIN_POSITIVE { of_normal(value * power(64)) - 64 } else { of_normal(value) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_power_of_two_rounds_once() {
        let half = f64::MIN_POSITIVE / 2.0;
        for (value, exponent, expected) in [
            (1.5, 3, 12.0),
            (-3.0, -1, -1.5),
            (1.0, -1074, 5e-324),
            (1.0, -1075, 0.0),
            (1.0 + f64::EPSILON, -1075, 5e-324),
            (5e-324, 2097, power(1023)),
            (5e-324, 2098, f64::INFINITY),
            (f64::MAX, -2098, 5e-324),
            (f64::MAX, -4000, 0.0),
            (f64::MAX, 1, f64::INFINITY),
            (0.0, 4200, 0.0),
            (half, -1, half / 2.0),
            // Rounded to 53 bits and then to fewer, it would be 3 of the smallest.
            (2.5 - f64::EPSILON, -1074, 1e-323),
        ] {
            assert_eq!(times_power(value, exponent), expected, "{value:e} * 2^{exponent}");
        }
    }

    #[test]
    fn norms_of_any_magnitude() {
        assert_eq!((norm(&[3.0, -4.0]), norm(&[]), norm(&[0.0])), (5.0, 0.0, 0.0));
        assert!((norm(&[3e-200, 4e-200]) / 5e-200 - 1.0).abs() < 1e-15);
        assert!((norm(&[3e300, 4e300]) / 5e300 - 1.0).abs() < 1e-15);
        assert!((norm(&[1e307; 16]) / 4e307 - 1.0).abs() < 1e-15);
        assert_eq!(norm(&[1e-320]), 1e-320);
        assert_eq!(norm(&[1.0, f64::INFINITY]), f64::INFINITY);
        assert!(norm(&[f64::NAN, 1.0]).is_nan());
    }
}
