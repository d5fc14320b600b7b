//! Values that a lane computes from its own: integers, bits, selections; floating-point numbers are in `float`.

use super::float::{self, compared, signed};
use super::memory::window;
use crate::ptx::op::{Function, Part, Pure};
use crate::ptx::types::Scalar;

/// The result, and the carry that it leaves.
pub fn value(p: &Pure, s: [u64; 4], carry: bool) -> (u64, bool) {
    let plain = |bits: u64| (bits, carry);
    match p.function {
        Function::Move => plain(s[0]),
        Function::Convert => plain(float::converted(p, s[0])),
        Function::Select => plain(if s[2] & 1 == 1 { s[0] } else { s[1] }),
        Function::SelectBySign => {
            let is_negative = compared(crate::ptx::types::Compare::Lt, p.from, s[2], 0);
            plain(if is_negative { s[1] } else { s[0] })
        }
        Function::Set(compare) => {
            let yes = if p.ty == Scalar::F32 { u64::from(1f32.to_bits()) } else { p.ty.mask() };
            let of = |bits: u64| if p.ftz { float::flushed_bits(bits) } else { bits };
            plain(if compared(compare, p.from, of(s[0]), of(s[1])) { yes } else { 0 })
        }
        Function::And => plain(s[0] & s[1]),
        Function::Or => plain(s[0] | s[1]),
        Function::Xor => plain(s[0] ^ s[1]),
        Function::Not => plain(!s[0] & p.ty.mask()),
        Function::ToGeneric(space) => plain(s[0].wrapping_add(window(space))),
        Function::FromGeneric(space) => plain(s[0].wrapping_sub(window(space))),
        Function::IsIn(space) => plain(u64::from(super::memory::is_in(s[0], space))),
        _ if p.ty.is_float() => plain(float::value(p, s)),
        Function::Add | Function::Subtract | Function::MultiplyAdd => with_carry(p, s, carry),
        _ => plain(integer(p, s)),
    }
}

/// A value of a type with its sign, as wide as products are.
fn exact(bits: u64, ty: Scalar) -> i128 {
    if ty.is_signed() { i128::from(signed(bits, ty)) } else { i128::from(bits & ty.mask()) }
}

/// The part of a product that is asked for, and its bits.
fn product(p: &Pure, a: u64, b: u64) -> (u64, u32) {
    let n = p.ty.bits();
    let all = exact(a, p.ty).wrapping_mul(exact(b, p.ty));
    match p.part {
        Part::Low => (all as u64 & p.ty.mask(), n),
        // Of unsigned 64-bit factors all 128 bits count, as those of the two's complement do.
        Part::High => ((all >> n) as u64 & p.ty.mask(), n),
        Part::Wide => (all as u64 & (u64::MAX >> (64 - (2 * n).min(64))), (2 * n).min(64)),
    }
}

fn with_carry(p: &Pure, s: [u64; 4], carry: bool) -> (u64, bool) {
    let carried = u128::from(p.carry_in && carry);
    let (a, b, n) = match p.function {
        Function::MultiplyAdd => {
            let (product, n) = product(p, s[0], s[1]);
            (product, s[2], n)
        }
        _ => (s[0], s[1], p.ty.bits()),
    };
    let mask = u64::MAX >> (64 - n);
    if p.saturates {
        let (a, b) = (exact(a, p.ty), exact(b, p.ty));
        let sum = if p.function == Function::Subtract { a - b } else { a + b };
        let most = i128::from(i64::MAX >> (64 - n));
        let (low, high) = if p.ty.is_signed() { (-most - 1, most) } else { (0, i128::from(mask)) };
        return (sum.clamp(low, high) as u64 & mask, carry);
    }
    let (a, b) = (u128::from(a & mask), u128::from(b & mask));
    let (result, out) = if p.function == Function::Subtract {
        let b = b + carried;
        (a.wrapping_sub(b), a < b)
    } else {
        (a + b + carried, (a + b + carried) >> n != 0)
    };
    (result as u64 & mask, if p.carry_out { out } else { carry })
}

fn integer(p: &Pure, s: [u64; 4]) -> u64 {
    let (ty, n, mask) = (p.ty, p.ty.bits(), p.ty.mask());
    let [a, b, c, d] = s;
    let (x, y) = (exact(a, ty), exact(b, ty));
    match p.function {
        Function::Multiply => product(p, a, b).0,
        Function::Multiply24 => {
            let of = |v: u64| exact(v << 8, ty) >> 8;
            let all = of(a) * of(b);
            (if p.part == Part::High { all >> 16 } else { all }) as u64 & mask
        }
        Function::AbsoluteDifference => ((x - y).unsigned_abs() as u64).wrapping_add(c) & mask,
        // Of nothing the machine makes all ones, and leaves what is divided.
        Function::Divide => x.checked_div(y).map_or(mask, |q| q as u64 & mask),
        Function::Remainder => x.checked_rem(y).unwrap_or(x) as u64 & mask,
        Function::Absolute => x.unsigned_abs() as u64 & mask,
        Function::Negate => (-x) as u64 & mask,
        Function::Minimum => x.min(y) as u64 & mask,
        Function::Maximum => x.max(y) as u64 & mask,
        Function::Population => u64::from((a & mask).count_ones()),
        Function::LeadingZeros => u64::from((a & mask).leading_zeros() - (64 - n)),
        Function::FindBit | Function::FindShift => {
            let differing = if x < 0 { !a & mask } else { a & mask };
            match differing.checked_ilog2() {
                None => u64::from(u32::MAX),
                Some(bit) if p.function == Function::FindShift => u64::from(n - 1 - bit),
                Some(bit) => u64::from(bit),
            }
        }
        Function::Reverse => (a & mask).reverse_bits() >> (64 - n),
        Function::Extract => extracted(p, a, b, c),
        Function::Insert => {
            let (position, length) = ((c & 255) as u32, (d & 255) as u32);
            let field = ones(length).checked_shl(position).unwrap_or(0) & mask;
            (a.checked_shl(position).unwrap_or(0) & field) | (b & mask & !field)
        }
        Function::BitMask { wraps } => {
            let of = |v: u64| if wraps { v as u32 & 31 } else { (v as u32).min(32) };
            ones(of(b)).checked_shl(of(a)).unwrap_or(0) & mask
        }
        Function::SignExtend { wraps } => {
            let bits = if wraps { b as u32 & 31 } else { (b as u32).min(32) };
            let kept = ones(bits);
            let is_negative = ty.is_signed() && bits > 0 && a >> (bits - 1) & 1 == 1;
            (if is_negative { a | !kept } else { a & kept }) & mask
        }
        Function::IsZero => u64::from(a & mask == 0),
        Function::Logic3 => {
            (0..8).filter(|row| d >> row & 1 == 1).fold(0, |all, row| {
                let of = |v: u64, bit: u32| if row >> bit & 1 == 1 { v } else { !v };
                all | (of(a, 2) & of(b, 1) & of(c, 0))
            }) & mask
        }
        Function::ShiftLeft => a.checked_shl(b as u32).filter(|_| (b as u32) < n).unwrap_or(0) & mask,
        Function::ShiftRight => (x >> (b as u32).min(n)) as u64 & mask,
        Function::FunnelLeft { wraps } => (both(a, b) << funnel(c, wraps)) >> 32 & mask,
        Function::FunnelRight { wraps } => both(a, b) >> funnel(c, wraps) & mask,
        Function::Permute => permuted(a, b, c),
        _ => 0,
    }
}

fn both(low: u64, high: u64) -> u64 {
    (high << 32) | (low & 0xffff_ffff)
}

/// The amount of a funnel shift, whose wide value is 64 bits, of which it never needs more than 32.
fn funnel(c: u64, wraps: bool) -> u32 {
    if wraps { c as u32 & 31 } else { (c as u32).min(32) }
}

/// So many bits, from the lowest.
fn ones(n: u32) -> u64 {
    1u64.checked_shl(n).map_or(u64::MAX, |bit| bit - 1)
}

fn extracted(p: &Pure, a: u64, b: u64, c: u64) -> u64 {
    let (position, length, n) = ((b & 255) as u32, (c & 255) as u32, p.ty.bits());
    if length == 0 {
        return 0;
    }
    let value = a & p.ty.mask();
    let sign = p.ty.is_signed() && value >> (position + length - 1).min(n - 1) & 1 == 1;
    let there = ones(length.min(n.saturating_sub(position)));
    let field = value.checked_shr(position).unwrap_or(0) & there;
    (if sign { field | !there } else { field }) & p.ty.mask()
}

/// Four of the eight bytes of two words, each as it is or its sign.
fn permuted(a: u64, b: u64, c: u64) -> u64 {
    let bytes = both(a, b).to_le_bytes();
    (0..4).fold(0, |all, at| {
        let chosen = c >> (4 * at) & 15;
        let byte = bytes[(chosen & 7) as usize];
        let byte = if chosen & 8 == 0 { byte } else { (byte as i8 >> 7) as u8 };
        all | u64::from(byte) << (8 * at)
    })
}

#[cfg(test)]
mod tests {
    use crate::ptx::op::Op;
    use crate::ptx::read::decode;

    fn of(opcode: &str, s: [u64; 4]) -> u64 {
        match decode(opcode) {
            Some(Op::Pure(pure)) => super::value(&pure, s, true).0,
            other => panic!("{opcode}: {other:?}"),
        }
    }

    fn f(x: f32) -> u64 {
        u64::from(x.to_bits())
    }

    /// Values of the PTX manual's definitions.
    #[test]
    fn instructions_do_what_the_manual_says() {
        let minus = |n: i32| u64::from(n as u32);
        for (opcode, s, expected) in [
            ("add.s32", [0xffff_ffff, 2, 0, 0], 1),
            ("add.sat.s32", [0x7fff_ffff, 2, 0, 0], 0x7fff_ffff),
            ("addc.u32", [1, 2, 0, 0], 4),
            ("subc.u32", [5, 2, 0, 0], 2),
            ("mul.hi.s32", [minus(-1), 2, 0, 0], 0xffff_ffff),
            ("mul.hi.u64", [u64::MAX, u64::MAX, 0, 0], u64::MAX - 1),
            ("mul.hi.s64", [u64::MAX, 2, 0, 0], u64::MAX),
            ("mul.wide.s32", [minus(-3), 4, 0, 0], (-12i64) as u64),
            ("mul.wide.u16", [0xffff, 0xffff, 0, 0], 0xfffe_0001),
            ("mad.wide.u32", [0xffff_ffff, 2, 5, 0], 0x2_0000_0003),
            ("mad.lo.s32", [minus(-2), 3, 1, 0], minus(-5)),
            ("div.s32", [minus(-7), 2, 0, 0], minus(-3)),
            ("div.u32", [7, 0, 0, 0], 0xffff_ffff),
            ("rem.s32", [minus(-7), 2, 0, 0], minus(-1)),
            ("div.s64", [1 << 63, u64::MAX, 0, 0], 1 << 63),
            ("abs.s32", [minus(-7), 0, 0, 0], 7),
            ("sad.u32", [3, 10, 1, 0], 8),
            ("min.s32", [minus(-1), 1, 0, 0], minus(-1)),
            ("min.u32", [minus(-1), 1, 0, 0], 1),
            ("popc.b32", [0xff, 0, 0, 0], 8),
            ("clz.b32", [1, 0, 0, 0], 31),
            ("clz.b64", [0, 0, 0, 0], 64),
            ("bfind.u32", [0x10, 0, 0, 0], 4),
            ("bfind.s32", [minus(-1), 0, 0, 0], 0xffff_ffff),
            ("bfind.shiftamt.u32", [0x10, 0, 0, 0], 27),
            ("brev.b32", [1, 0, 0, 0], 0x8000_0000),
            ("bfe.u32", [0xabcd, 4, 8, 0], 0xbc),
            ("bfe.s32", [0xf0, 4, 4, 0], 0xffff_ffff),
            ("bfe.u32", [0xabcd, 40, 8, 0], 0),
            ("bfi.b32", [0xf, 0, 28, 8], 0xf000_0000),
            ("bfi.b32", [0, 0xffff, 4, 8], 0xf00f),
            ("bmsk.clamp.b32", [4, 8, 0, 0], 0xff0),
            ("bmsk.clamp.b32", [0, 40, 0, 0], 0xffff_ffff),
            ("szext.clamp.s32", [0x80, 8, 0, 0], 0xffff_ff80),
            ("szext.clamp.u32", [0x180, 8, 0, 0], 0x80),
            ("lop3.b32", [0b1100, 0b1010, 0b1001, 0x80], 0b1000),
            ("lop3.b32", [0b1100, 0b1010, 0b1001, 0x96], 0b1111),
            ("shl.b32", [1, 32, 0, 0], 0),
            ("shl.b32", [1, 31, 0, 0], 0x8000_0000),
            ("shr.s32", [minus(-8), 40, 0, 0], 0xffff_ffff),
            ("shr.u32", [minus(-8), 40, 0, 0], 0),
            ("shr.u64", [1 << 63, 63, 0, 0], 1),
            ("shf.l.wrap.b32", [0x8000_0000, 1, 33, 0], 3),
            ("shf.l.clamp.b32", [7, 1, 40, 0], 7),
            ("shf.r.wrap.b32", [0, 1, 1, 0], 0x8000_0000),
            ("prmt.b32", [0x0302_0100, 0x8706_0504, 0x7f30, 0], 0x87ff_0300),
            ("cnot.b32", [0, 0, 0, 0], 1),
            ("selp.b32", [1, 2, 1, 0], 1),
            ("slct.s32.f32", [1, 2, f(-1.0), 0], 2),
            ("set.lt.u32.s32", [minus(-1), 0, 0, 0], 0xffff_ffff),
            ("cvt.s64.s32", [minus(-1), 0, 0, 0], u64::MAX),
            ("cvt.u64.u32", [minus(-1), 0, 0, 0], 0xffff_ffff),
            ("cvt.sat.u8.s32", [300, 0, 0, 0], 255),
            ("cvt.rzi.s32.f32", [f(-2.7), 0, 0, 0], minus(-2)),
            ("cvt.rni.s32.f32", [f(2.5), 0, 0, 0], 2),
            ("cvt.rzi.u32.f32", [f(-1.0), 0, 0, 0], 0),
            ("cvt.rzi.s32.f32", [f(f32::NAN), 0, 0, 0], 0),
            ("cvt.rzi.s32.f32", [f(1e20), 0, 0, 0], 0x7fff_ffff),
            ("cvt.rn.f32.s32", [minus(-3), 0, 0, 0], f(-3.0)),
            ("cvt.rz.f32.u32", [0xffff_ffff, 0, 0, 0], f(4_294_967_040.0)),
            ("cvt.rn.f32.f64", [1.5f64.to_bits(), 0, 0, 0], f(1.5)),
            ("cvt.rn.f16.f32", [f(1.0), 0, 0, 0], 0x3c00),
            ("cvt.f32.f16", [0x3c00, 0, 0, 0], f(1.0)),
            ("cvt.rmi.f32.f32", [f(-1.5), 0, 0, 0], f(-2.0)),
            ("cvt.sat.f32.f32", [f(3.0), 0, 0, 0], f(1.0)),
            ("fma.rn.f32", [f(2.0), f(3.0), f(1.0), 0], f(7.0)),
            ("add.rn.ftz.f32", [1, 0, 0, 0], 0),
            ("add.f32", [1, 0, 0, 0], 1),
            ("min.f32", [f(f32::NAN), f(1.0), 0, 0], f(1.0)),
            ("max.f64", [(-0.0f64).to_bits(), 0, 0, 0], 0),
            ("neg.f32", [f(1.0), 0, 0, 0], f(-1.0)),
            ("ex2.approx.ftz.f32", [f(3.0), 0, 0, 0], f(8.0)),
            ("lg2.approx.f32", [f(8.0), 0, 0, 0], f(3.0)),
            ("rsqrt.approx.f32", [f(4.0), 0, 0, 0], f(0.5)),
            ("rcp.approx.ftz.f64", [4f64.to_bits(), 0, 0, 0], 0.25f64.to_bits()),
            ("div.full.f32", [f(1.0), f(4.0), 0, 0], f(0.25)),
            ("copysign.f32", [f(-1.0), f(2.0), 0, 0], f(-2.0)),
            ("testp.infinite.f32", [f(f32::INFINITY), 0, 0, 0], 1),
            ("mul24.lo.s32", [0x00ff_ffff, 2, 0, 0], minus(-2)),
        ] {
            assert_eq!(of(opcode, s), expected, "{opcode} {s:x?}");
        }
    }
}
