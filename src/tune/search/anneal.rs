//! Simulated annealing (Kirkpatrick, Gelatt and Vecchi, Science 1983): a walk from neighbour to neighbour that takes worse
//! points too, ever more seldom.

use super::super::model::Model;
use super::super::space::{Point, Space};
use super::random::Random;
use super::state::{State, Strategy};

/// A point this much slower, as a share, is taken every e-th time at first.
const FIRST_TEMPERATURE: f64 = 0.5;
/// The share of it that is left with each step.
const COOLING: f64 = 0.95;
/// Steps without a new point after which the walk begins anew, elsewhere.
const PATIENCE: usize = 64;

/// The walk.
pub struct Anneal<'m> {
    space: &'m Space,
    model: &'m Model,
    random: Random,
    temperature: f64,
    here: Point,
    /// The neighbour that was named last, until it is measured.
    there: Option<Point>,
}

impl<'m> Anneal<'m> {
    /// A walk that begins at the default.
    pub fn new(space: &'m Space, model: &'m Model, seed: u64) -> Anneal<'m> {
        let (random, here) = (Random::new(seed), space.default());
        Anneal { space, model, random, temperature: FIRST_TEMPERATURE, here, there: None }
    }

    /// Goes to the point that was measured last, or stays.
    fn decide(&mut self, state: &State) {
        let Some(there) = self.there.take() else { return };
        let seconds = |p: &Point| state.measured.get(p).copied().unwrap_or(f64::INFINITY);
        let (now, then) = (seconds(&self.here), seconds(&there));
        let is_taken = then < now || self.random.share() < (-(then / now - 1.0) / self.temperature).exp();
        if is_taken && then.is_finite() {
            self.here = there;
        }
        self.temperature *= COOLING;
    }
}

impl Strategy for Anneal<'_> {
    fn next(&mut self, state: &State) -> Option<Point> {
        if self.there.as_ref().is_some_and(|p| state.measured.contains_key(p)) {
            self.decide(state);
        }
        // While a neighbour is being built, others are, too: the walk goes on from the one that was named last.
        for _ in 0..PATIENCE {
            let near = [self.space.neighbours(&self.here), self.space.bounds(&self.here)].concat();
            if near.is_empty() {
                return None;
            }
            let point = near[self.random.below(near.len())].clone();
            if state.knows(&point) {
                // Known ones cost nothing: the walk passes through them.
                if state.measured.get(&point).is_some_and(|s| s.is_finite()) {
                    self.there = Some(point);
                    self.decide(state);
                }
                continue;
            }
            if self.model.pruned(&point).is_some() {
                continue;
            }
            self.there = Some(point.clone());
            return Some(point);
        }
        let mut all = self.space.points(1 << 14);
        self.random.shuffle(&mut all);
        let point = all.into_iter().find(|p| !state.knows(p) && self.model.pruned(p).is_none())?;
        self.here.clone_from(&point);
        Some(point)
    }
}
