//! Numbers in words, as people read them.

/// How often: `once`, `40 times`.
pub fn times(n: u64) -> String {
    if n == 1 { "once".into() } else { format!("{n} times") }
}

/// Seconds in a unit that suits them.
pub fn time(seconds: f64) -> String {
    match seconds {
        0.0..1e-3 => format!("{:.2} us", 1e6 * seconds),
        1e-3..1.0 => format!("{:.2} ms", 1e3 * seconds),
        _ => format!("{seconds:.2} s"),
    }
}

/// A share: `12 %`, `0.4 %`.
pub fn percent(share: f64) -> String {
    // The sum of nothing is a negative zero.
    match share * 100.0 + 0.0 {
        x if x >= 9.95 => format!("{x:.0} %"),
        x => format!("{x:.1} %"),
    }
}
