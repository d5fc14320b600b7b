//! Arbitrary text as a file of CUDA kernels: it is read, and its C goes through the front end; never a panic or a hang.

#![no_main]

#[path = "../../tests/support/any_c.rs"]
mod any_c;
#[path = "../../tests/support/any_cuda.rs"]
mod any_cuda;

libfuzzer_sys::fuzz_target!(|text: &str| {
    if let Some(c) = any_cuda::answers(text) {
        any_c::answers(&c);
    }
});
