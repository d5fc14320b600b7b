//! Arbitrary text through the front end and the search for regions: never a panic or a hang.

#![no_main]

#[path = "../../tests/support/any_c.rs"]
mod any_c;

libfuzzer_sys::fuzz_target!(|text: &str| {
    any_c::answers(text);
});
