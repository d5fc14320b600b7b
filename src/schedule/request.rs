//! Request of the user for the mapping of a nest: `block`, `merge`, `skew` and `prefetch` of a directive or of the
//! configuration.

use super::block::Block;
use super::mapping::{Fetch, Mapping, Place};
use crate::facts::{Reason, remedy};
use crate::source::Span;

/// Request for one nest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    pub block: Block,
    /// Points of a thread a block apart.
    pub merge: Points,
    /// Neighbouring points of a thread.
    pub skew: Points,
    /// How pieces of loops are fetched; registers where copies cannot be.
    pub fetch: Option<Fetch>,
    /// Where a directive says so; what the configuration says is for whatever nests of the region can have it.
    pub points_at: Option<Span>,
}

/// Permissions of the user for tiles and points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Allowed {
    /// A thread may have several points.
    pub merge: bool,
    /// Of these, neighbours.
    pub skew: bool,
    /// Accesses of neighbours may be vectors.
    pub vectorize: bool,
    /// A block may keep what it reads in shared memory.
    pub stage: bool,
    /// A thread may hold an element from its beginning to its end.
    pub register_promotion: bool,
    /// Nests that are run again and again may have other mappings for other sizes: not where their blocks own the same
    /// elements in all of them.
    pub vary: bool,
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
    pub const NONE: Request =
        Request { block: Block::Usual, merge: Points::Usual, skew: Points::Usual, fetch: None, points_at: None };

    /// Test that a thread is to have several points.
    pub fn wants_points(&self) -> bool {
        self.merge.wants_any() || self.skew.wants_any()
    }

    /// Wish for pieces of loops to be fetched ahead.
    pub fn wants_fetch(&self) -> bool {
        self.fetch.is_some_and(|fetch| fetch != Fetch::None)
    }

    /// Why the mapping of a nest has not the points or pieces that are asked for, if it has not. The nest stands at a place,
    /// on a line.
    pub fn unmet(&self, mapping: &Mapping, (at, line): (Span, u32)) -> Option<Reason> {
        let (grid, thread): (Vec<_>, Vec<_>) = mapping.axes.iter().partition(|x| x.place != Place::Thread);
        let names: Vec<String> = grid.iter().map(|x| x.name.clone()).collect();
        let strangers =
            [("merge", &self.merge), ("skew", &self.skew)].map(|(word, x)| Some((word, x.stranger(&names)?)));
        let stranger = strangers.into_iter().flatten().next();
        let is_flat = grid.iter().any(|x| matches!(x.place, Place::Flat { .. }));
        let merges = is_flat || mapping.has_points() || !self.merge.wants_any();
        let has_neighbours = grid.iter().any(|x| matches!(x.place, Place::Flat { skew: Some(_), .. }));
        let skews = has_neighbours || mapping.has_points() || !self.skew.wants_any();
        let fetches = !self.wants_fetch() || mapping.loops.iter().any(|x| x.fetch != Fetch::None);
        let listed = names.join(", ");
        let leave = match self.points_at {
            Some(_) if merges && skews => remedy!("leave `prefetch` out where no loop of a thread runs in pieces"),
            Some(_) => remedy!("leave `merge` and `skew` out where a nest cannot have them"),
            None => {
                remedy!("a directive before a loop that can have it, `#pragma rt merge(2)`, asks for that loop alone")
            }
        };
        let name_one = match names.as_slice() {
            [only] => remedy!("name its parallel loop, {only}"),
            _ => remedy!("name one of {listed}"),
        };
        let (why, help) = match stranger {
            Some((word, name)) if thread.iter().any(|x| x.name == name) => (
                format!(
                    "`{word}` names `{name}`, which runs around the points of a thread: a grid has three dimensions"
                ),
                name_one,
            ),
            Some((word, name)) if names.is_empty() => {
                (format!("`{word}` names `{name}`, but this runs in order, by one thread"), leave)
            }
            Some((word, name)) => (format!("`{word}` names `{name}`, which is no parallel loop of it"), name_one),
            None if merges && skews && fetches => return None,
            None if merges && skews => {
                let note = mapping.notes.last().cloned();
                (note.unwrap_or_else(|| "no loop of a thread runs in pieces that shared memory holds".into()), leave)
            }
            None if is_flat => (
                "the iterations of a sum are dealt out to threads in turns, and none has neighbours".into(),
                remedy!("write `merge`, or leave `skew` out"),
            ),
            None if names.is_empty() => ("it runs in order, by one thread".into(), leave),
            None => (mapping.notes.last().cloned().unwrap_or_else(|| "a thread has one point".into()), leave),
        };
        let message = format!("the nest on line {line} cannot have this mapping: {why}");
        Some(Reason::new("mapping", message, self.points_at.unwrap_or(at)).help(help))
    }

    /// Test that anything is said of how many points a thread has.
    pub fn says_points(&self) -> bool {
        self.merge != Points::Usual || self.skew != Points::Usual
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

    /// The figure where there is one for all.
    pub fn one(&self) -> Option<i64> {
        match self {
            Points::Some(n) => Some(*n),
            Points::Along(all) => all.iter().map(|(_, n)| *n).reduce(|x, y| x * y),
            Points::Usual => None,
        }
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
