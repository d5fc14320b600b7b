//! Arbitrary text as a configuration: it is read, or every fault has a place; never a panic.

#![no_main]

use libfuzzer_sys::fuzz_target;
use rtcuda::config::Config;

fuzz_target!(|text: &str| {
    if let Err(faults) = Config::parse("t.toml", text) {
        assert!(!faults.is_empty());
    }
});
