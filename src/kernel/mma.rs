//! Products of small matrices by a warp: which element of them a thread holds.
//!
//! A warp computes `c += a * b`, of `rows x depth` times `depth x columns` elements, in registers of its 32 threads
//! (`mma.sync` of PTX). Of a warp's thread `lane` (its number in the block modulo 32), with `g = lane / 4` and
//! `q = lane % 4`:
//!
//! | operand | its elements of a thread | row | column |
//! | --- | --- | --- | --- |
//! | a (row, k) | `s` of `rows / 8 * (depth / 4)` | `g + 8 * (s % (rows / 8))` | `q + 4 * (s / (rows / 8))` |
//! | b (k, column) | `s` of `depth / 4` | `q + 4 * s` | `g` |
//! | c (row, column) | `s` of `rows / 4` | `g + 8 * (s / 2)` | `2 * q + s % 2` |
//!
//! An element of `c` adds its products one after another, by rising `k`, each fused with its addition: what a loop over
//! `k` of one thread comes to where multiplications and additions may be contracted. (PTX ISA, "Matrix fragments for
//! mma.m16n8k4 with .f64 floating point type".)

use std::fmt::{self, Display, Formatter};

/// Threads of a warp whose first elements lie in one row of `a` or of `c`.
pub const LANES_OF_ROW: i64 = 4;
/// Rows of `a` and `c` of which the threads of a warp hold the first elements.
pub const ROWS_OF_LANES: i64 = 8;

/// The extents of the matrices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MmaShape {
    /// Rows of `a` and `c`, columns of `b` and `c`, columns of `a` and rows of `b`.
    pub rows: i64,
    pub columns: i64,
    pub depth: i64,
}

impl MmaShape {
    /// Numbers of 64 bits, from compute capability 9.0 on at full rate.
    pub const F64: MmaShape = MmaShape { rows: 16, columns: 8, depth: 4 };

    /// Elements of `c`, `a` and `b` that a thread holds.
    pub fn elements(self) -> [usize; 3] {
        let MmaShape { rows, columns, depth } = self;
        [rows * columns, rows * depth, depth * columns].map(|n| usize::try_from(n / 32).unwrap_or(0))
    }

    /// Reads what is printed.
    pub fn parse(text: &str) -> Option<MmaShape> {
        let mut extents = text.split('x').map(|n| n.parse().ok());
        let shape = MmaShape { rows: extents.next()??, columns: extents.next()??, depth: extents.next()?? };
        extents.next().is_none().then_some(shape)
    }
}

impl Display for MmaShape {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        write!(f, "{}x{}x{}", self.rows, self.columns, self.depth)
    }
}
