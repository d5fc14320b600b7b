//! Floating-point functions of a lane.
//!
//! Functions that the machine approximates (`.approx`, `.full`, sines, exponentials) are computed in double precision and rounded
//! once: nearer to the exact value than the machine's own.

use super::round;
use crate::ptx::op::{Function, Pure, Test};
use crate::ptx::types::{Compare, Round, Scalar};
use std::cmp::Ordering;

/// The value of an f32 or f64 operation.
pub fn value(p: &Pure, s: [u64; 4]) -> u64 {
    if p.ty == Scalar::F32 { single(p, s) } else { double(p, s) }
}

/// Single, zero where it is subnormal and these are flushed.
fn flushed(x: f32, ftz: bool) -> f32 {
    if ftz && x.is_subnormal() { 0f32.copysign(x) } else { x }
}

/// The bits of a single, zero where it is subnormal.
pub fn flushed_bits(bits: u64) -> u64 {
    u64::from(flushed(f32::from_bits(bits as u32), true).to_bits())
}

fn single(p: &Pure, s: [u64; 4]) -> u64 {
    let [a, b, c, _] = s.map(|bits| flushed(f32::from_bits(bits as u32), p.ftz));
    let (x, y) = (f64::from(a), f64::from(b));
    let near = p.round == Round::Nearest;
    let result = match p.function {
        Function::Add if near => a + b,
        Function::Subtract if near => a - b,
        Function::Multiply if near => a * b,
        Function::Divide | Function::Reciprocal | Function::SquareRoot if near => match p.function {
            Function::Divide => a / b,
            Function::Reciprocal => 1.0 / a,
            _ => a.sqrt(),
        },
        Function::Add => round::fused_single(a, 1.0, b, p.round),
        Function::Subtract => round::fused_single(a, 1.0, -b, p.round),
        Function::Multiply => round::to_single(x * y, 0.0, p.round),
        Function::MultiplyAdd => round::fused_single(a, b, c, p.round),
        Function::Divide => quotient(a, b, p.round),
        Function::Reciprocal => quotient(1.0, a, p.round),
        Function::SquareRoot => {
            let root = x.sqrt();
            round::to_single(root, (-root).mul_add(root, x), p.round)
        }
        Function::ReciprocalRoot => (1.0 / x.sqrt()) as f32,
        Function::Sine => x.sin() as f32,
        Function::Cosine => x.cos() as f32,
        Function::Log2 => x.log2() as f32,
        Function::Exp2 => x.exp2() as f32,
        Function::Tanh => x.tanh() as f32,
        Function::Test(test) => return u64::from(tested(test, a.is_nan(), a.is_infinite(), a.is_normal(), a == 0.0)),
        function => return bits(function, x, y, |x| u64::from((x as f32).to_bits())),
    };
    let result = if p.saturates { clamped(result) } else { result };
    u64::from(flushed(result, p.ftz).to_bits())
}

fn quotient(a: f32, b: f32, direction: Round) -> f32 {
    let (x, y) = (f64::from(a), f64::from(b));
    let quotient = x / y;
    let rest = (-quotient).mul_add(y, x);
    let rest = if y < 0.0 { -rest } else { rest };
    round::to_single(quotient, if rest.is_nan() { 0.0 } else { rest }, direction)
}

/// Within \[0, 1\]; what is no number becomes 0.
fn clamped(x: f32) -> f32 {
    if x.is_nan() { 0.0 } else { x.clamp(0.0, 1.0) }
}

fn double(p: &Pure, s: [u64; 4]) -> u64 {
    let [a, b, c, _] = s.map(f64::from_bits);
    let result = match p.function {
        Function::Add => round::added(a, b, p.round),
        Function::Subtract => round::added(a, -b, p.round),
        Function::Multiply => round::multiplied(a, b, p.round),
        Function::MultiplyAdd => round::fused(a, b, c, p.round),
        Function::Divide => round::divided(a, b, p.round),
        Function::Reciprocal => round::divided(1.0, a, p.round),
        Function::SquareRoot => round::rooted(a, p.round),
        Function::ReciprocalRoot => 1.0 / a.sqrt(),
        Function::Test(test) => return u64::from(tested(test, a.is_nan(), a.is_infinite(), a.is_normal(), a == 0.0)),
        function => return bits(function, a, b, f64::to_bits),
    };
    result.to_bits()
}

fn tested(test: Test, is_nan: bool, is_infinite: bool, is_normal: bool, is_zero: bool) -> bool {
    match test {
        Test::Finite => !is_nan && !is_infinite,
        Test::Infinite => is_infinite,
        Test::Number => !is_nan,
        Test::NotANumber => is_nan,
        Test::Normal => is_normal,
        Test::Subnormal => !(is_nan || is_infinite || is_normal || is_zero),
    }
}

/// Functions whose result is exact.
fn bits(function: Function, a: f64, b: f64, bits: impl Fn(f64) -> u64) -> u64 {
    bits(match function {
        Function::Absolute => a.abs(),
        Function::Negate => -a,
        Function::Minimum => least(a, b),
        Function::Maximum => -least(-a, -b),
        Function::CopySign => b.copysign(a),
        _ => f64::NAN,
    })
}

/// The lesser of two: the one that is a number where only one is, and -0 below 0.
fn least(a: f64, b: f64) -> f64 {
    match a.partial_cmp(&b) {
        Some(Ordering::Less) => a,
        Some(Ordering::Greater) => b,
        Some(Ordering::Equal) if a.is_sign_negative() => a,
        Some(Ordering::Equal) => b,
        None if a.is_nan() => b,
        None => a,
    }
}

/// Test that a comparison holds of two values of a type.
pub fn compared(compare: Compare, ty: Scalar, a: u64, b: u64) -> bool {
    let order = match ty {
        Scalar::F32 => f32::from_bits(a as u32).partial_cmp(&f32::from_bits(b as u32)),
        Scalar::F64 => f64::from_bits(a).partial_cmp(&f64::from_bits(b)),
        _ if ty.is_signed() => Some(signed(a, ty).cmp(&signed(b, ty))),
        _ => Some((a & ty.mask()).cmp(&(b & ty.mask()))),
    };
    let is = |wanted: &[Ordering]| order.is_some_and(|order| wanted.contains(&order));
    use Ordering::{Equal, Greater, Less};
    match compare {
        Compare::Eq => is(&[Equal]),
        Compare::Ne => is(&[Less, Greater]),
        Compare::Lt => is(&[Less]),
        Compare::Le => is(&[Less, Equal]),
        Compare::Gt => is(&[Greater]),
        Compare::Ge => is(&[Greater, Equal]),
        Compare::Equ => !is(&[Less, Greater]),
        Compare::Neu => !is(&[Equal]),
        Compare::Ltu => !is(&[Greater, Equal]),
        Compare::Leu => !is(&[Greater]),
        Compare::Gtu => !is(&[Less, Equal]),
        Compare::Geu => !is(&[Less]),
        Compare::Num => order.is_some(),
        Compare::Nan => order.is_none(),
    }
}

/// The value of a signed integer.
pub fn signed(bits: u64, ty: Scalar) -> i64 {
    let unused = 64 - ty.bits();
    (bits << unused) as i64 >> unused
}

/// Conversion between types.
pub fn converted(p: &Pure, bits: u64) -> u64 {
    match (p.from.is_float(), p.ty.is_float()) {
        (false, false) => between_integers(p, bits),
        (false, true) => of_integer(p, bits),
        (true, false) => to_integer(p, of_float(p, bits)),
        (true, true) => {
            let x = of_float(p, bits);
            let x = p.to_integer.map_or(x, |direction| round::to_integer(x, direction));
            let x = if p.saturates { if x.is_nan() { 0.0 } else { x.clamp(0.0, 1.0) } } else { x };
            match p.ty {
                Scalar::F16 => u64::from(round::to_half(x, p.round)),
                Scalar::F32 => u64::from(flushed(round::to_single(x, 0.0, p.round), p.ftz).to_bits()),
                _ => x.to_bits(),
            }
        }
    }
}

fn of_float(p: &Pure, bits: u64) -> f64 {
    match p.from {
        Scalar::F16 => round::from_half(bits as u16),
        Scalar::F32 => f64::from(flushed(f32::from_bits(bits as u32), p.ftz)),
        _ => f64::from_bits(bits),
    }
}

fn to_integer(p: &Pure, x: f64) -> u64 {
    if x.is_nan() {
        let is_wide = p.from == Scalar::F64 || p.ty.bits() == 64;
        return if is_wide { 1 << (p.ty.bits() - 1) } else { 0 };
    }
    let x = round::to_integer(x, p.to_integer.unwrap_or(Round::Zero));
    let bits = p.ty.bits();
    if p.ty.is_signed() {
        let most = i64::MAX >> (64 - bits);
        (x as i64).clamp(-most - 1, most) as u64 & p.ty.mask()
    } else {
        (x as u64).min(p.ty.mask())
    }
}

fn of_integer(p: &Pure, bits: u64) -> u64 {
    let exact = exact(p, bits);
    let nearest = exact as f64;
    let rest = (exact - nearest as i128) as f64;
    match p.ty {
        Scalar::F64 => round::directed(nearest, rest, p.round).to_bits(),
        Scalar::F16 => u64::from(round::to_half(nearest, p.round)),
        _ if p.round == Round::Nearest => u64::from((exact as f32).to_bits()),
        _ => u64::from(round::to_single(nearest, rest, p.round).to_bits()),
    }
}

fn exact(p: &Pure, bits: u64) -> i128 {
    if p.from.is_signed() { i128::from(signed(bits, p.from)) } else { i128::from(bits & p.from.mask()) }
}

fn between_integers(p: &Pure, bits: u64) -> u64 {
    let exact = exact(p, bits);
    let clamped = match (p.saturates, p.ty.is_signed()) {
        (false, _) => exact,
        (true, true) => {
            let most = i128::from(i64::MAX >> (64 - p.ty.bits()));
            exact.clamp(-most - 1, most)
        }
        (true, false) => exact.clamp(0, i128::from(p.ty.mask())),
    };
    let low = clamped as u64 & p.ty.mask();
    // Into a wider register it goes with its sign.
    if p.ty.is_signed() { signed(low, p.ty) as u64 } else { low }
}
