//! What rows are held against: rates of this device, and calls of NVIDIA's libraries, by programs written by hand.

use super::rows::{Flops, Row};
use serde::Serialize;
use std::collections::BTreeMap;

/// A program that answers requests (`copy`, `sgemm:4096`), each with a line: a number, and the request.
#[derive(Debug)]
pub struct Peer {
    pub source: (&'static str, &'static str),
    pub libraries: &'static [&'static str],
    /// The names before the colon that it knows.
    pub knows: &'static [&'static str],
}

macro_rules! text {
    ($name:literal) => {
        ($name, include_str!(concat!("../../../templates/bench/", $name)))
    };
}

/// What all of them include.
pub const HEADER: (&str, &str) = text!("peer.h");

/// Every such program.
pub static PEERS: [Peer; 3] = [
    Peer { source: text!("rates.cu"), libraries: &[], knows: &["copy", "fmaf", "fma"] },
    Peer {
        source: text!("library.cu"),
        libraries: &["cublas"],
        knows: &["sgemm", "dgemm", "sgemv", "dgemv", "tsgemv", "tdgemv", "strsm"],
    },
    Peer { source: text!("cub.cu"), libraries: &[], knows: &["reduce", "scanf", "scand", "bytes", "keys"] },
];

impl Peer {
    /// Test that it answers a request.
    pub fn answers(&self, request: &str) -> bool {
        request.split(':').next().is_some_and(|name| self.knows.contains(&name))
    }
}

/// Answers by request: rates in bytes or operations a second, calls in microseconds.
pub type Answers = BTreeMap<String, f64>;

/// What a row's time is compared with.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Baseline {
    /// Which rate or call.
    pub name: String,
    /// Seconds that the least work takes at that rate, or that the call takes.
    pub seconds: f64,
}

/// The requests that a row makes at a size.
pub fn requests(row: &Row, size: &[i64]) -> Vec<String> {
    let ceilings = ceilings(row, size).into_iter().map(|(name, _)| name.to_owned());
    ceilings.chain(call(row, size).map(|(request, _)| request)).collect()
}

/// The call at a size, and how many are the same work.
fn call(row: &Row, size: &[i64]) -> Option<(String, f64)> {
    let (name, times) = row.call?;
    let numbers: String = size.iter().map(|number| format!(":{number}")).collect();
    Some((format!("{name}{numbers}"), times))
}

/// Rates that bound a row, with what there is to do at each.
fn ceilings(row: &Row, size: &[i64]) -> Vec<(&'static str, f64)> {
    let size: Vec<f64> = size.iter().map(|&number| number as f64).collect();
    let flops = match row.flops {
        Flops::Few => ("", 0.0),
        Flops::Single(count) => ("fmaf", count(&size)),
        Flops::Double(count) => ("fma", count(&size)),
    };
    [("copy", (row.bytes)(&size)), flops].into_iter().filter(|(_, work)| *work > 0.0).collect()
}

/// The quicker of the call and the ceiling, which is the slowest of the rates that bound the row; `None` where nothing
/// was measured.
pub fn baseline(row: &Row, size: &[i64], answers: &Answers) -> Option<Baseline> {
    let rate =
        |(name, work): (&str, f64)| Some(Baseline { name: format!("{name} rate"), seconds: work / answers.get(name)? });
    let slowest = |a: &Baseline, b: &Baseline| a.seconds.total_cmp(&b.seconds);
    let ceiling = ceilings(row, size).into_iter().filter_map(rate).max_by(slowest);
    let call = call(row, size).and_then(|(request, times)| {
        let seconds = 1e-6 * times * answers.get(&request)?;
        Some(Baseline { name: request.split(':').next()?.to_owned(), seconds })
    });
    ceiling.into_iter().chain(call).min_by(slowest)
}
