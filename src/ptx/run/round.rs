//! Results rounded in a direction, and numbers of 16 bits.
//!
//! A directed result is the nearest one, moved a step where the exact value lies on its wrong side. On which side is told by
//! the rest that error-free transformations leave (Knuth's sum, a fused product).

use crate::ptx::types::Round;

/// The nearest result, moved by a step where the exact one, `rest` away from it, calls for another.
pub fn directed(nearest: f64, rest: f64, round: Round) -> f64 {
    let rest = match nearest {
        f64::INFINITY => -1.0,
        f64::NEG_INFINITY => 1.0,
        _ => rest,
    };
    let goes_down = match round {
        Round::Nearest => false,
        Round::Down => true,
        Round::Up => false,
        Round::Zero => nearest > 0.0,
    };
    let goes_up = matches!(round, Round::Up) || (round == Round::Zero && nearest < 0.0);
    if goes_down && rest < 0.0 {
        nearest.next_down()
    } else if goes_up && rest > 0.0 {
        nearest.next_up()
    } else {
        nearest
    }
}

/// a + b, and what it lacks.
fn sum(a: f64, b: f64) -> (f64, f64) {
    let s = a + b;
    let b_part = s - a;
    (s, (a - (s - b_part)) + (b - b_part))
}

/// a * b + c as a double.
pub fn fused(a: f64, b: f64, c: f64, round: Round) -> f64 {
    let nearest = a.mul_add(b, c);
    if round == Round::Nearest || nearest.is_nan() || !(a.is_finite() && b.is_finite() && c.is_finite()) {
        return nearest;
    }
    let product = a * b;
    let (s, rest) = sum(product, c);
    directed(nearest, (s - nearest) + (rest + a.mul_add(b, -product)), round)
}

/// a + b as a double.
pub fn added(a: f64, b: f64, round: Round) -> f64 {
    let (s, rest) = sum(a, b);
    if a.is_finite() && b.is_finite() { directed(s, rest, round) } else { s }
}

/// a * b as a double.
pub fn multiplied(a: f64, b: f64, round: Round) -> f64 {
    let product = a * b;
    if a.is_finite() && b.is_finite() { directed(product, a.mul_add(b, -product), round) } else { product }
}

/// a / b as a double.
pub fn divided(a: f64, b: f64, round: Round) -> f64 {
    let quotient = a / b;
    if !(a.is_finite() && b.is_finite()) || b == 0.0 {
        return quotient;
    }
    let rest = (-quotient).mul_add(b, a);
    directed(quotient, if b < 0.0 { -rest } else { rest }, round)
}

/// Square root as a double.
pub fn rooted(a: f64, round: Round) -> f64 {
    let root = a.sqrt();
    if root.is_finite() { directed(root, (-root).mul_add(root, a), round) } else { root }
}

/// A double, and a rest beside it, as a single.
pub fn to_single(x: f64, rest: f64, round: Round) -> f32 {
    let nearest = x as f32;
    if round == Round::Nearest || nearest.is_nan() || x.is_infinite() {
        return nearest;
    }
    let apart = x - f64::from(nearest);
    let rest = if nearest.is_infinite() {
        -f64::from(nearest)
    } else if apart == 0.0 {
        rest
    } else {
        apart
    };
    let is_positive = nearest > 0.0;
    match round {
        Round::Down if rest < 0.0 => nearest.next_down(),
        Round::Up if rest > 0.0 => nearest.next_up(),
        Round::Zero if is_positive && rest < 0.0 => nearest.next_down(),
        Round::Zero if nearest < 0.0 && rest > 0.0 => nearest.next_up(),
        _ => nearest,
    }
}

/// a * b + c as a single; the product is exact as a double.
pub fn fused_single(a: f32, b: f32, c: f32, round: Round) -> f32 {
    if round == Round::Nearest {
        return a.mul_add(b, c);
    }
    let (s, rest) = sum(f64::from(a) * f64::from(b), f64::from(c));
    to_single(s, if rest.is_nan() { 0.0 } else { rest }, round)
}

/// A double rounded to an integer.
pub fn to_integer(x: f64, round: Round) -> f64 {
    match round {
        Round::Nearest => x.round_ties_even(),
        Round::Zero => x.trunc(),
        Round::Down => x.floor(),
        Round::Up => x.ceil(),
    }
}

/// The value of 16 bits.
pub fn from_half(bits: u16) -> f64 {
    let sign = if bits >> 15 == 1 { -1.0 } else { 1.0 };
    let (exponent, fraction) = (i32::from(bits >> 10 & 31), f64::from(bits & 0x3ff));
    sign * match exponent {
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        0 => fraction * 2f64.powi(-24),
        _ => (1024.0 + fraction) * 2f64.powi(exponent - 25),
    }
}

/// A value as 16 bits.
pub fn to_half(x: f64, round: Round) -> u16 {
    const INFINITE: u16 = 31 << 10;
    let sign = u16::from(x.is_sign_negative()) << 15;
    if x.is_nan() {
        return 0x7fff;
    }
    let size = x.abs();
    let round = match round {
        Round::Down if sign != 0 => Round::Up,
        Round::Up if sign != 0 => Round::Down,
        round => round,
    };
    if size.is_infinite() {
        return sign | INFINITE;
    }
    let exponent = if size == 0.0 { -14 } else { (size.log2().floor() as i32).clamp(-14, 16) };
    // The logarithm may be off by one beside a power of two.
    let exponent = if size < 2f64.powi(exponent) { (exponent - 1).max(-14) } else { exponent };
    let quanta = to_integer(size * 2f64.powi(10 - exponent), round);
    let value = quanta * 2f64.powi(exponent - 10);
    if value > 65504.0 {
        return sign | if matches!(round, Round::Zero | Round::Down) { INFINITE - 1 } else { INFINITE };
    }
    let bits = if exponent == -14 {
        // Subnormal ones, and those that carry over into the normal: the bits go on.
        quanta as u16
    } else {
        // 1024 to 2048 quanta; the last of these is the next exponent.
        (((exponent + 14) as u16) << 10) + quanta as u16
    };
    sign | bits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_go_there_and_back() {
        for bits in 0..=u16::MAX {
            let x = from_half(bits);
            if !x.is_nan() {
                assert_eq!(to_half(x, Round::Nearest), bits, "{bits:x} {x}");
            }
        }
        assert_eq!(to_half(65520.0, Round::Nearest), 31 << 10);
        assert_eq!(to_half(65519.0, Round::Nearest), 0x7bff);
        assert_eq!(to_half(1e9, Round::Zero), 0x7bff);
        assert_eq!(to_half(-1e-9, Round::Down), 0x8001);
        assert_eq!(to_half(1.0 + 2f64.powi(-11), Round::Nearest), to_half(1.0, Round::Nearest));
    }

    #[test]
    fn directions_bracket_the_exact_value() {
        let (a, b, c) = (1.0 + f64::EPSILON, 1.0 - f64::EPSILON / 2.0, 1e-30);
        assert!(fused(a, b, c, Round::Down) < fused(a, b, c, Round::Up));
        assert_eq!(fused(3.0, 2.0, 1.0, Round::Down), fused(3.0, 2.0, 1.0, Round::Up));
        assert_eq!(added(1.0, 1e-30, Round::Zero), 1.0);
        assert_eq!(added(1.0, 1e-30, Round::Up), 1.0f64.next_up());
        assert_eq!(divided(1.0, 3.0, Round::Up), (1.0f64 / 3.0).next_up());
        assert_eq!(divided(1.0, -3.0, Round::Down), -(1.0f64 / 3.0).next_up());
        assert_eq!(multiplied(f64::MAX, 2.0, Round::Zero), f64::MAX);
        assert_eq!(
            rooted(2.0, Round::Down),
            if 2f64.sqrt() * 2f64.sqrt() > 2.0 { 2f64.sqrt().next_down() } else { 2f64.sqrt() }
        );
        assert_eq!(to_single(1.0 + 1e-12, 0.0, Round::Up), 1.0f32.next_up());
        assert_eq!(fused_single(1.0, 1.0, 1e-20, Round::Zero), 1.0);
        assert_eq!(fused_single(1.0, 1.0, -1e-20, Round::Zero), 1.0f32.next_down());
    }
}
