//! The state of a search, and the strategies that go on from there.

use super::super::space::Point;
use std::collections::{BTreeMap, BTreeSet};

/// The state of a search.
#[derive(Debug, Clone, Default)]
pub struct State {
    /// The value of each point that was measured, by default its seconds; infinite where it is wrong, or does not run.
    pub measured: BTreeMap<Point, f64>,
    /// Points that are being built.
    pub pending: BTreeSet<Point>,
}

impl State {
    /// Test that a point was named before.
    pub fn knows(&self, point: &Point) -> bool {
        self.measured.contains_key(point) || self.pending.contains(point)
    }

    /// The fastest point so far.
    pub fn best(&self) -> Option<(&Point, f64)> {
        let best = self.measured.iter().min_by(|a, b| a.1.total_cmp(b.1))?;
        best.1.is_finite().then_some((best.0, *best.1))
    }
}

/// A way to search.
pub trait Strategy {
    /// The next point that is worth a measurement; `None`: there is none, or none before more is measured.
    fn next(&mut self, state: &State) -> Option<Point>;
}
