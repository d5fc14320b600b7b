//! Strategies of search: which point is measured next.
//!
//! A strategy is asked for one point after the other while others are still being built: it knows what is measured, and
//! what is under way. It never names a point twice.

use super::model::Model;
use super::space::{Point, Space};
use crate::config;
use std::collections::{BTreeMap, BTreeSet};

mod anneal;
mod guided;
mod listed;
mod random;

pub use random::Random;

/// What a search has come to.
#[derive(Debug, Clone, Default)]
pub struct State {
    /// Seconds of each point that was measured; infinite where it is wrong, or does not run.
    pub measured: BTreeMap<Point, f64>,
    /// Points that are being built.
    pub pending: BTreeSet<Point>,
}

impl State {
    /// Whether a point was named before.
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

/// The strategy of that name. The same seed gives the same search, where measurements come in the same order.
pub fn strategy<'m>(name: config::Strategy, space: &'m Space, model: &'m Model, seed: u64) -> Box<dyn Strategy + 'm> {
    match name {
        config::Strategy::Guided => Box::new(guided::Guided::new(space, model)),
        config::Strategy::Pruned => Box::new(listed::pruned(space, model)),
        config::Strategy::Exhaustive => Box::new(listed::exhaustive(space)),
        config::Strategy::Random => Box::new(listed::random(space, model, seed)),
        config::Strategy::Anneal => Box::new(anneal::Anneal::new(space, model, seed)),
    }
}

/// Points that somebody names, then those of a strategy.
pub struct First<'m> {
    first: std::vec::IntoIter<Point>,
    then: Box<dyn Strategy + 'm>,
}

impl<'m> First<'m> {
    /// These points first.
    pub fn new(first: Vec<Point>, then: Box<dyn Strategy + 'm>) -> First<'m> {
        First { first: first.into_iter(), then }
    }
}

impl Strategy for First<'_> {
    fn next(&mut self, state: &State) -> Option<Point> {
        self.first.find(|p| !state.knows(p)).or_else(|| self.then.next(state))
    }
}

/// The points that the model alone takes to be fastest, so many of them, with its predictions.
pub fn predicted(space: &Space, model: &Model, most: usize) -> Vec<(f64, Point)> {
    let mut out: Vec<(f64, Point)> = vec![];
    let mut state = State::default();
    let mut strategy = guided::Guided::new(space, model);
    while out.len() < most {
        let Some(point) = strategy.next(&state) else { break };
        let seconds = model.predict(&point).seconds;
        state.measured.insert(point.clone(), seconds);
        out.push((seconds, point));
    }
    out.sort_by(|a, b| a.0.total_cmp(&b.0));
    out
}

#[cfg(test)]
mod tests;
