//! How much memory a matrix may take.
//!
//! A file of a few bytes can promise 2^31 rows, and a compressed one can be a thousand times its size. So nothing is
//! allocated because a header says so, and what is allocated because entries are there stays within what the machine
//! has: asking for more would end the process, or another one, without a word.

use crate::diag::Diagnostic;
use std::fs;

/// The bytes that can still be had: of the machine, or of the container that the process runs in.
pub fn available() -> u64 {
    let machine = fs::read_to_string("/proc/meminfo").ok().and_then(|text| {
        let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
        line.split_whitespace().next()?.parse::<u64>().ok()?.checked_mul(1024)
    });
    let number = |path: &str| fs::read_to_string(path).ok()?.trim().parse::<u64>().ok();
    let container = number("/sys/fs/cgroup/memory.max")
        .map(|most| most.saturating_sub(number("/sys/fs/cgroup/memory.current").unwrap_or(0)));
    // Where nothing is known, what small machines have.
    const UNKNOWN: u64 = 4 << 30;
    machine.into_iter().chain(container).min().unwrap_or(UNKNOWN)
}

/// A number of bytes for a person: `1.5 GB`.
pub fn bytes_text(bytes: u64) -> String {
    let (value, unit) = match bytes {
        0..1_000 => return format!("{bytes} B"),
        1_000..1_000_000 => (1e3, "kB"),
        1_000_000..1_000_000_000 => (1e6, "MB"),
        _ => (1e9, "GB"),
    };
    format!("{:.1} {unit}", bytes as f64 / value)
}

/// Refuses `what` if it needs more than `limit`.
///
/// # Errors
/// `matrix-too-large`.
pub fn check(what: &str, needed: Option<u64>, limit: u64) -> Result<(), Diagnostic> {
    if needed.is_some_and(|needed| needed <= limit) {
        return Ok(());
    }
    let needed = needed.map_or("more than can be counted".into(), bytes_text);
    let message = format!("{what} needs {needed} of memory, and {} can be had", bytes_text(limit));
    Err(Diagnostic::error("matrix-too-large", message, None)
        .help("use a machine with more memory, or a smaller matrix"))
}
