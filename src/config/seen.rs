//! Places of accesses that the data choose, as a trace of the kernel saw them: where subscripts tell nothing, mappings take these.
//!
//! `rtcuda ptx coalesce` writes them for kernels of converted C, by the counters of the user's loops. They choose which loop runs
//! along the threads of a warp, never what is right.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Places of neighbours along a loop or a dimension.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Neighbours {
    /// At one address.
    Share,
    /// Each beside the one before.
    Adjoin,
    Apart,
}

impl Neighbours {
    /// 1 where the place steps by one element, -1 where it jumps, 0 where it stays.
    pub fn step(self) -> i64 {
        match self {
            Neighbours::Share => 0,
            Neighbours::Adjoin => 1,
            Neighbours::Apart => -1,
        }
    }
}

/// An access as a trace saw it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seen {
    /// Its C file, without folders, and line: `mm.c:28`.
    pub place: String,
    pub array: String,
    /// By the counters of loops.
    pub along: BTreeMap<String, Neighbours>,
}
