//! Search by the cost model, with what is measured corrected into it.
//!
//! The model is wrong by factors, and by nearly the same factor for points that are alike. So the time of a point is its
//! prediction times what the measured points near it took beyond theirs, each weighed by its distance; a point far from
//! all of them may be faster than that by what is uncertain ([`DOUBT`]). The next point is the most promising one of the
//! neighbours of the best few, and of what the model alone likes best. (In the manner of Bayesian optimisation over a
//! prior mean: Snoek, Larochelle and Adams, NeurIPS 2012; the prior is the cost model.)

use super::super::model::Model;
use super::super::space::{Point, Space};
use super::state::{State, Strategy};
use std::collections::{BTreeMap, BTreeSet};

/// Distance, in doublings, over which one point tells of another.
const REACH: f64 = 1.5;
/// How much faster, as a natural logarithm, a point may be than expected that is far from all measured ones.
const DOUBT: f64 = 0.25;
/// A point that nobody measured is expected to be as the model says, with so much weight beside those that were.
const PRIOR: f64 = 0.05;
/// Points whose neighbours are looked at.
const CENTRES: usize = 4;
/// Points that the model likes best, found by descents from as many places of the space.
const DESCENTS: usize = 6;
/// Most steps of a descent.
const STEPS: usize = 16;
/// An invalid point counts as one that is so many times slower.
const INVALID: f64 = 4.0;

/// The search.
pub struct Guided<'m> {
    space: &'m Space,
    model: &'m Model,
    /// Points that the model likes best, found when the first point is asked for.
    liked: Option<Vec<Point>>,
    pruned: BTreeMap<Point, bool>,
}

impl<'m> Guided<'m> {
    /// The search of a space.
    pub fn new(space: &'m Space, model: &'m Model) -> Guided<'m> {
        Guided { space, model, liked: None, pruned: BTreeMap::new() }
    }

    fn is_sensible(&mut self, point: &Point) -> bool {
        let model = self.model;
        *self.pruned.entry(point.clone()).or_insert_with(|| model.pruned(point).is_none())
    }

    /// Ends of descents by the model alone, from the default and from points all over the space, with the points around
    /// them.
    fn liked(&mut self) -> Vec<Point> {
        let all = self.space.points(1 << 14);
        let every = (all.len() / DESCENTS).max(1);
        let mut starts: Vec<Point> = all.into_iter().skip(every / 2).step_by(every).take(DESCENTS).collect();
        starts.insert(0, self.space.default());
        let mut ends = BTreeSet::new();
        for mut here in starts {
            for _ in 0..STEPS {
                let near = self.space.neighbours(&here);
                self.model.predict_all(&near);
                let sensible: Vec<Point> = near.into_iter().filter(|p| self.is_sensible(p)).collect();
                let best = sensible.into_iter().map(|p| (self.model.predict(&p).seconds, p));
                match best.min_by(|a, b| a.0.total_cmp(&b.0)) {
                    Some((seconds, p)) if seconds < self.model.predict(&here).seconds => here = p,
                    _ => break,
                }
            }
            ends.insert(here);
        }
        ends.into_iter().filter(|p| self.is_sensible(p)).collect()
    }

    /// The logarithm of the time that is hoped for.
    fn promise(&self, point: &Point, residuals: &[(Point, f64)]) -> f64 {
        let near = residuals.iter().map(|(p, r)| ((-(self.space.distance(point, p) / REACH).powi(2)).exp(), r));
        let (weight, sum) = near.fold((0.0, 0.0), |(weight, sum), (w, r)| (weight + w, sum + w * r));
        let mean = residuals.iter().map(|(_, r)| r).sum::<f64>() / residuals.len().max(1) as f64;
        let expected = (sum + PRIOR * mean) / (weight + PRIOR);
        self.model.predict(point).seconds.ln() + expected - DOUBT / (1.0 + weight)
    }

    /// The time of each known point beyond its prediction, as a logarithm. Those under way are taken to be as expected.
    fn residuals(&self, state: &State) -> Vec<(Point, f64)> {
        let worst = state.measured.values().copied().filter(|s| s.is_finite()).fold(0.0, f64::max);
        let seconds = |s: f64| if s.is_finite() { s } else { INVALID * worst };
        let beyond = |(p, s): (&Point, &f64)| {
            let predicted = self.model.predict(p).seconds;
            (predicted.is_finite() && seconds(*s) > 0.0).then(|| (p.clone(), (seconds(*s) / predicted).ln()))
        };
        let mut known: Vec<(Point, f64)> = state.measured.iter().filter_map(beyond).collect();
        let measured = known.clone();
        known.extend(state.pending.iter().map(|p| {
            let expected = self.promise(p, &measured) - self.model.predict(p).seconds.ln();
            (p.clone(), if expected.is_finite() { expected } else { 0.0 })
        }));
        known
    }
}

impl Strategy for Guided<'_> {
    fn next(&mut self, state: &State) -> Option<Point> {
        let liked = match self.liked.take() {
            Some(liked) => liked,
            None => self.liked(),
        };
        self.liked = Some(liked.clone());
        let mut centres: Vec<(&Point, f64)> = state.measured.iter().map(|(p, s)| (p, *s)).collect();
        centres.sort_by(|a, b| a.1.total_cmp(&b.1));
        let mut around: BTreeSet<Point> = liked.iter().cloned().collect();
        for (centre, _) in centres.iter().take(CENTRES) {
            around.extend(self.space.neighbours(centre));
            around.extend(self.space.bounds(centre));
        }
        liked.iter().for_each(|p| around.extend(self.space.neighbours(p)));
        around.insert(self.space.default());
        let known = self.residuals(state);
        let new = around.into_iter().filter(|p| !state.knows(p)).collect::<Vec<_>>();
        self.model.predict_all(&new);
        let sensible = new.into_iter().filter(|p| self.is_sensible(p)).collect::<Vec<_>>();
        let promising = sensible.into_iter().map(|p| (self.promise(&p, &known), p));
        promising.min_by(|a, b| a.0.total_cmp(&b.0).then_with(|| a.1.cmp(&b.1))).map(|(_, p)| p)
    }
}
