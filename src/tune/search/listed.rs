//! Searches that know their points from the start: all, those that the model does not rule out, or some by chance.

use super::super::model::Model;
use super::super::space::{Point, Space};
use super::random::Random;
use super::state::{State, Strategy};

/// More points than any budget is enough for.
const MOST: usize = 1 << 17;
/// Points that are predicted before the first is measured.
const PREDICTED: usize = 1 << 13;

/// Points in an order that is known.
pub struct Listed {
    points: std::vec::IntoIter<Point>,
}

impl Strategy for Listed {
    fn next(&mut self, state: &State) -> Option<Point> {
        self.points.find(|p| !state.knows(p))
    }
}

/// Every point that can be launched: those of [`pruned`] first, so that a search whose time ends early has had the likeliest.
pub fn exhaustive(space: &Space, model: &Model) -> Listed {
    let mut points: Vec<Point> = pruned(space, model).points.collect();
    points.extend(space.points(MOST)); // whatever has had its turn is known then
    Listed { points: points.into_iter() }
}

/// Those that the machine model does not rule out, the fastest by its predictions first. Of more than can be predicted in a
/// moment, evenly spread ones.
pub fn pruned(space: &Space, model: &Model) -> Listed {
    let all = space.points(MOST);
    let every = all.len().div_ceil(PREDICTED).max(1);
    let spread: Vec<Point> = all.into_iter().step_by(every).collect();
    model.predict_all(&spread);
    let mut kept: Vec<(f64, Point)> =
        spread.into_iter().filter(|p| model.pruned(p).is_none()).map(|p| (model.predict(&p).seconds, p)).collect();
    kept.sort_by(|a, b| a.0.total_cmp(&b.0));
    Listed { points: kept.into_iter().map(|(_, p)| p).collect::<Vec<_>>().into_iter() }
}

/// The same in an order by chance.
pub fn random(space: &Space, model: &Model, seed: u64) -> impl Strategy {
    let mut points = space.points(MOST);
    Random::new(seed).shuffle(&mut points);
    Sampled { points: points.into_iter(), model }
}

/// Points in an order by chance, each held to the model as its turn comes.
struct Sampled<'m> {
    points: std::vec::IntoIter<Point>,
    model: &'m Model,
}

impl Strategy for Sampled<'_> {
    fn next(&mut self, state: &State) -> Option<Point> {
        let model = self.model;
        self.points.find(|p| !state.knows(p) && model.pruned(p).is_none())
    }
}
