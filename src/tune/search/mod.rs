//! Strategies of search: which point is measured next.
//!
//! A strategy is asked for one point after the other while others are still being built: it knows what is measured, and
//! what is under way. It never names a point twice.

use super::model::Model;
use super::space::{Point, Space};
use crate::config;

mod anneal;
mod guided;
mod listed;
mod random;
mod state;

pub use state::{State, Strategy};

/// The strategy of that name; what nobody tunes is known to it from the start. The same seed gives the same search, where measurements come in the same order.
pub fn strategy<'m>(name: config::Strategy, space: &'m Space, model: &'m Model, seed: u64) -> Box<dyn Strategy + 'm> {
    match name {
        config::Strategy::Guided => Box::new(guided::Guided::new(space, model)),
        config::Strategy::Pruned => Box::new(listed::pruned(space, model)),
        config::Strategy::Exhaustive => Box::new(listed::exhaustive(space, model)),
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
