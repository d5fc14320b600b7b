//! Tests that need nvcc say where it is not there.

use rtcuda::runtime::toolchain;
use std::io::Write;

/// Presence of nvcc; a test without it says that it was skipped.
pub fn has_nvcc(test: &str) -> bool {
    let found = toolchain::nvcc().is_ok();
    if !found {
        // Past the harness, which shows nothing of a test that passes.
        let _ = writeln!(std::io::stderr(), "[SKIP] {test}: there is no nvcc");
    }
    found
}
