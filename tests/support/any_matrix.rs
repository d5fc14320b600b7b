//! What holds of any bytes as a Matrix Market file: it is read and comes back as it was written, or it has one fault. For
//! tests, and for `fuzz/fuzz_targets/matrix.rs`.

use rtcuda::sparse::facts::Facts;
use rtcuda::sparse::format::footprints;
use rtcuda::sparse::market::read::from_stream;
use rtcuda::sparse::market::write::to_stream;
use rtcuda::sparse::market::{Body, Market};

/// The memory that may be taken.
pub const LIMIT: u64 = 1 << 22;

/// Reads the bytes, and what is written of what was read; tells whether it is a matrix.
pub fn is_read(bytes: &[u8]) -> bool {
    let Ok(market) = from_stream("a.mtx", bytes, LIMIT) else { return false };
    if let Body::Sparse(matrix) = &market.body {
        Facts::of(matrix);
        footprints(matrix);
    }
    let text = to_stream(Vec::new(), &market).expect("what was read can be written");
    let again = from_stream("b.mtx", text.as_slice(), LIMIT).expect("what was written can be read");
    assert_eq!(again, Market { n_duplicates: 0, ..market });
    true
}
