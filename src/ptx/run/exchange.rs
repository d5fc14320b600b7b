//! Instructions by which lanes of a warp see each other's values.

use super::float::compared;
use super::trouble::Trouble;
use super::watch::{LANES, lanes};
use crate::ptx::op::{Shuffle, Update, Vote};
use crate::ptx::types::{Compare, Scalar};

/// The values of a shuffle, and whether they came from the lane that was asked for.
///
/// As the PTX manual defines it: the clamp holds a bound in its low bits, and above them a mask that divides the warp.
pub fn shuffled(
    mode: Shuffle,
    [values, lane_of, clamp]: [&[u64; LANES]; 3],
    active: u32,
    live: u32,
) -> Result<([u64; LANES], u32), Trouble> {
    let (mut found, mut valid) = ([0; LANES], 0);
    for lane in lanes(active) {
        let (b, c) = ((lane_of[lane] & 31) as usize, clamp[lane] as usize);
        let (bound, segment) = (c & 31, c >> 8 & 31);
        let (least, most) = (lane & segment, (lane & segment) | (bound & !segment & 31));
        let (source, is_valid) = match mode {
            Shuffle::Up => (lane.wrapping_sub(b), lane >= b && lane - b >= most),
            Shuffle::Down => (lane + b, lane + b <= most),
            Shuffle::Butterfly => (lane ^ b, lane ^ b <= most),
            Shuffle::Index => (least | (b & !segment), (least | (b & !segment)) <= most),
        };
        let source = if is_valid { source } else { lane };
        if active >> source & 1 == 0 && live >> source & 1 == 1 {
            let message = format!("lane {lane} takes a value of lane {source}, which is at another instruction");
            return Err(Trouble::of_lane("ptx-shuffle", lane as u32, message)
                .help("lanes of a shuffle have to reach it together: move it out of the condition"));
        }
        // Of a lane that has left, or never was, the value is not defined: its own.
        found[lane] = if active >> source & 1 == 1 { values[source] } else { values[lane] };
        valid |= u32::from(is_valid) << lane;
    }
    Ok((found, valid))
}

/// The answer to a vote, the same for all lanes.
pub fn voted(vote: Vote, yes: u32, active: u32) -> u64 {
    u64::from(match vote {
        Vote::All => u32::from(yes == active),
        Vote::Any => u32::from(yes != 0),
        Vote::Uniform => u32::from(yes == active || yes == 0),
        Vote::Ballot => yes,
    })
}

/// The lanes that have each lane's value.
pub fn matched(values: &[u64; LANES], active: u32) -> [u64; LANES] {
    let mut found = [0; LANES];
    for lane in lanes(active) {
        let same = lanes(active).filter(|&other| values[other] == values[lane]);
        found[lane] = same.fold(0, |mask, other| mask | 1 << other);
    }
    found
}

/// All values joined.
pub fn reduced(update: Update, ty: Scalar, values: &[u64; LANES], active: u32) -> u64 {
    lanes(active).map(|lane| values[lane]).reduce(|a, b| updated(update, ty, a, b, 0)).unwrap_or(0)
}

/// Value that an update leaves in the place of the old one.
pub fn updated(update: Update, ty: Scalar, old: u64, value: u64, swap: u64) -> u64 {
    let (mask, old, value) = (ty.mask(), old & ty.mask(), value & ty.mask());
    match update {
        Update::Add => match ty {
            Scalar::F32 => u64::from((f32::from_bits(old as u32) + f32::from_bits(value as u32)).to_bits()),
            Scalar::F64 => (f64::from_bits(old) + f64::from_bits(value)).to_bits(),
            _ => old.wrapping_add(value) & mask,
        },
        Update::Min => {
            if compared(Compare::Lt, ty, value, old) {
                value
            } else {
                old
            }
        }
        Update::Max => {
            if compared(Compare::Gt, ty, value, old) {
                value
            } else {
                old
            }
        }
        Update::And => old & value,
        Update::Or => old | value,
        Update::Xor => old ^ value,
        Update::Exchange => value,
        Update::CompareAndSwap => {
            if old == value {
                swap & mask
            } else {
                old
            }
        }
        Update::Increment => {
            if old >= value {
                0
            } else {
                old + 1
            }
        }
        Update::Decrement => {
            if old == 0 || old > value {
                value
            } else {
                old - 1
            }
        }
    }
}

/// The products of two matrices of f64, added to a third: fragments as the PTX manual lays them over the lanes.
///
/// Lane l has row l / 4 of the first and of the results, and row l % 4 of the second; further registers are 8 rows or 4 columns
/// on.
pub fn multiplied(rows: usize, depth: usize, reads: &[[u64; LANES]]) -> Vec<[u64; LANES]> {
    let (a, rest) = reads.split_at(rows / 8 * depth / 4);
    let (b, c) = rest.split_at(depth / 4);
    let tall = rows / 8;
    let mut found = c.to_vec();
    for (register, values) in found.iter_mut().enumerate() {
        for (lane, value) in values.iter_mut().enumerate() {
            let (row, column) = (lane / 4 + 8 * (register / 2), lane % 4 * 2 + register % 2);
            let mut sum = f64::from_bits(*value);
            for k in 0..depth {
                let x = a[row / 8 + tall * (k / 4)][row % 8 * 4 + k % 4];
                let y = b[k / 4][column * 4 + k % 4];
                sum = f64::from_bits(x).mul_add(f64::from_bits(y), sum);
            }
            *value = sum.to_bits();
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shuffles_take_from_other_lanes() {
        let values: [u64; LANES] = std::array::from_fn(|lane| lane as u64);
        let of =
            |mode, b: u64, c: u64| shuffled(mode, [&values, &[b; LANES], &[c; LANES]], u32::MAX, u32::MAX).unwrap();
        let (down, valid) = of(Shuffle::Down, 1, 31);
        assert_eq!((down[0], down[31], valid), (1, 31, 0x7fff_ffff));
        let (up, valid) = of(Shuffle::Up, 2, 0);
        assert_eq!((up[0], up[2], valid), (0, 0, 0xffff_fffc));
        assert_eq!(of(Shuffle::Butterfly, 16, 31).0[3], 19);
        // Segments of eight lanes.
        assert_eq!(of(Shuffle::Index, 1, 0x181f).0[9], 9);
        assert_eq!(of(Shuffle::Index, 1, 0x181f).0[20], 17);
        assert!(shuffled(Shuffle::Down, [&values, &[1; LANES], &[31; LANES]], 1, 3).is_err());
        assert!(shuffled(Shuffle::Down, [&values, &[1; LANES], &[31; LANES]], 1, 1).is_ok());
    }

    #[test]
    fn matrices_are_multiplied() {
        // a[i][k] = i + k, b[k][j] = k - j, c = 1.
        for (rows, depth) in [(8, 4), (16, 4), (16, 8), (16, 16)] {
            let fill = |f: &dyn Fn(usize) -> f64| std::array::from_fn(|lane| f(lane).to_bits());
            let mut reads: Vec<[u64; LANES]> = Vec::new();
            for register in 0..rows / 8 * depth / 4 {
                let (down, right) = (register % (rows / 8) * 8, register / (rows / 8) * 4);
                reads.push(fill(&|lane| (lane / 4 + down + lane % 4 + right) as f64));
            }
            (0..depth / 4)
                .for_each(|register| reads.push(fill(&|lane| (lane % 4 + 4 * register) as f64 - (lane / 4) as f64)));
            (0..rows / 4).for_each(|_| reads.push(fill(&|_| 1.0)));
            let found = multiplied(rows, depth, &reads);
            for i in 0..rows {
                for j in 0..8 {
                    let expected: f64 = 1.0 + (0..depth).map(|k| (i + k) as f64 * (k as f64 - j as f64)).sum::<f64>();
                    let value = f64::from_bits(found[i / 8 * 2 + j % 2][i % 8 * 4 + j / 2]);
                    assert_eq!(value, expected, "{rows} {depth} {i} {j}");
                }
            }
        }
    }
}
