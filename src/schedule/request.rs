//! What the user asks of the mapping of a nest: `block`, `merge` and `skew` of a directive or of the configuration.

use super::block::Block;

/// What is asked of one nest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    pub block: Block,
    /// Points of a thread a block apart.
    pub merge: Points,
    /// Neighbouring points of a thread.
    pub skew: Points,
}

/// How many points of an axis a thread is to have.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Points {
    #[default]
    Usual,
    /// `merge(8)`: along the axis that suits best.
    Some(i64),
    /// `merge(i: 8, j: 4)`.
    Along(Vec<(String, i64)>),
}

impl Request {
    /// Nothing is asked.
    pub const NONE: Request = Request { block: Block::Usual, merge: Points::Usual, skew: Points::Usual };

    /// Whether a thread is to have several points.
    pub fn wants_points(&self) -> bool {
        self.merge.wants_any() || self.skew.wants_any()
    }
}

impl Points {
    fn wants_any(&self) -> bool {
        match self {
            Points::Usual => false,
            Points::Some(n) => *n > 1,
            Points::Along(all) => all.iter().any(|(_, n)| *n > 1),
        }
    }

    /// Whether anything is said.
    pub fn is_said(&self) -> bool {
        *self != Points::Usual
    }

    /// The points of each of these axes; one figure is for the axis at `usual`.
    pub fn by_axis(&self, names: &[String], usual: usize) -> Vec<Option<i64>> {
        let of = |(d, name): (usize, &String)| match self {
            Points::Usual => None,
            Points::Some(n) => (d == usual).then_some(*n),
            Points::Along(all) => all.iter().find(|(x, _)| x == name).map(|(_, n)| *n),
        };
        names.iter().enumerate().map(of).collect()
    }

    /// A counter that is asked for and that none of these axes has.
    pub fn stranger(&self, names: &[String]) -> Option<&str> {
        let Points::Along(all) = self else { return None };
        all.iter().map(|(name, _)| name.as_str()).find(|name| names.iter().all(|x| x != name))
    }
}
