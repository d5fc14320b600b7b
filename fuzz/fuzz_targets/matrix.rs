//! Arbitrary bytes as a Matrix Market file: it is read and comes back as it was written, or it has one fault; never a
//! panic, and no more memory than is allowed.

#![no_main]

use libfuzzer_sys::fuzz_target;
use rtcuda::sparse::facts::Facts;
use rtcuda::sparse::format::footprints;
use rtcuda::sparse::market::read::from_stream;
use rtcuda::sparse::market::write::to_stream;
use rtcuda::sparse::market::{Body, Market};

const LIMIT: u64 = 1 << 22;

fuzz_target!(|bytes: &[u8]| {
    let Ok(market) = from_stream("a.mtx", bytes, LIMIT) else { return };
    if let Body::Sparse(matrix) = &market.body {
        Facts::of(matrix);
        footprints(matrix);
    }
    let text = to_stream(Vec::new(), &market).expect("what was read can be written");
    let again = from_stream("b.mtx", text.as_slice(), LIMIT).expect("what was written can be read");
    assert_eq!(again, Market { n_duplicates: 0, ..market });
});
