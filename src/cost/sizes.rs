//! Sizes that a kernel is called with, and what stands in for those that are not known: every part of the model asks for
//! them.

use std::collections::BTreeMap;

/// The numbers that a kernel is called with.
#[derive(Debug, Clone, Default)]
pub struct Sizes {
    /// Its integers, by name.
    pub scalars: BTreeMap<String, i64>,
    /// Elements of arrays, by name, where subscripts do not tell how many there are.
    pub elements: BTreeMap<String, i64>,
    /// Iterations of a loop that only the data know.
    pub trips: Option<f64>,
}

impl Sizes {
    /// Value of a size that is not known.
    pub const UNKNOWN: i64 = 1024;
    /// The greatest size, and the most iterations of a loop: what is beyond it counts as much.
    pub const MOST: i64 = 1 << 40;
    /// Iterations assumed of a loop whose count only the data know: a row of a sparse matrix.
    pub const TRIPS: f64 = 8.0;

    /// These integers.
    pub fn of<'a>(scalars: impl IntoIterator<Item = (&'a str, i64)>) -> Sizes {
        let scalars = scalars.into_iter().map(|(name, n)| (name.to_string(), n)).collect();
        Sizes { scalars, ..Sizes::default() }
    }
}
