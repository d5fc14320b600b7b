//! Arbitrary bytes as a Matrix Market file: never a panic, and no more memory than is allowed.

#![no_main]

#[path = "../../tests/support/any_matrix.rs"]
mod any_matrix;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    any_matrix::is_read(bytes);
});
