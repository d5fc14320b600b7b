//! The formats beside CSR and CSC, and the memory that each takes.

use super::{Csr, Scalar, facts};
use rayon::prelude::*;
use serde::Serialize;

pub mod bsr;
pub mod coo;
pub mod sliced_ell;

/// A format, with what is open in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "name")]
pub enum Format {
    /// Row, column and value of each entry.
    Coo,
    /// Columns and values row after row, and where rows start.
    Csr,
    /// Rows and values column after column, and where columns start.
    Csc,
    /// CSR of dense square blocks.
    Bsr {
        /// Their rows and columns.
        block: usize,
    },
    /// Slices of rows, padded to the longest row of the slice.
    SlicedEll {
        /// The rows of a slice.
        height: usize,
        /// Rows are sorted by length within windows of this many; 1 keeps their order.
        window: usize,
    },
}

impl Format {
    /// As a person names it.
    pub fn name(self) -> String {
        match self {
            Format::Coo => "COO".into(),
            Format::Csr => "CSR".into(),
            Format::Csc => "CSC".into(),
            Format::Bsr { block } => format!("BSR {block}x{block}"),
            Format::SlicedEll { height, window: 1 } => format!("sliced ELL {height}"),
            Format::SlicedEll { height, window } => format!("sliced ELL {height}, sorted in {window}"),
        }
    }
}

/// What a matrix takes in a format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Footprint {
    /// The format.
    #[serde(flatten)]
    pub format: Format,
    /// Its memory on a device: 32-bit indices, and counts of 64 bits only where they need to be.
    pub bytes: u64,
    /// The values that it stores, padding among them.
    pub n_stored: u64,
}

/// The block sizes that are looked at.
pub const BLOCKS: [usize; 4] = [2, 3, 4, 8];
/// The rows of a slice: those of a warp.
pub const SLICE: usize = 32;
/// The windows of sorting that are looked at. Sorting in small windows keeps neighbours together, which share what they
/// read of the vector (Kreutzer et al. 2014, section 3).
pub const WINDOWS: [usize; 3] = [1, 256, 4096];

/// What a matrix in CSR takes in every format.
pub fn footprints<T: Scalar>(matrix: &Csr<T>) -> Vec<Footprint> {
    let lengths = facts::lengths(matrix);
    let nnz = matrix.nnz() as u64;
    let (index, value) = (4, size_of::<T>() as u64);
    let pointers = |count: usize| (count as u64 + 1) * if nnz < 1 << 31 { 4 } else { 8 };
    let mut all = vec![
        Footprint { format: Format::Coo, bytes: nnz * (2 * index + value), n_stored: nnz },
        Footprint { format: Format::Csr, bytes: nnz * (index + value) + pointers(matrix.rows()), n_stored: nnz },
        Footprint { format: Format::Csc, bytes: nnz * (index + value) + pointers(matrix.cols()), n_stored: nnz },
    ];
    let blocks: Vec<Footprint> = BLOCKS
        .par_iter()
        .map(|&block| {
            let n_blocks = bsr::n_blocks(matrix, block);
            let n_stored = n_blocks * (block * block) as u64;
            let bytes = n_blocks * index + n_stored * value + pointers(matrix.rows().div_ceil(block));
            Footprint { format: Format::Bsr { block }, bytes, n_stored }
        })
        .collect();
    all.extend(blocks);
    all.extend(WINDOWS.map(|window| {
        let n_stored = sliced_ell::n_stored(&lengths, SLICE, window);
        let order = if window > 1 { index * matrix.rows() as u64 } else { 0 };
        let bytes = n_stored * (index + value) + pointers(matrix.rows().div_ceil(SLICE)) + order;
        Footprint { format: Format::SlicedEll { height: SLICE, window }, bytes, n_stored }
    }));
    all
}
