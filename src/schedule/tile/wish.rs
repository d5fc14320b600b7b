//! Wishes for taking a nest apart: what of tiles, windows and points a mapping has, or may have.

use crate::facts::Reason;
use crate::kernel as k;
use crate::region::LoopId;
use crate::schedule::mapping::{Pieces, Staged};
use crate::schedule::request::Allowed;

/// Points of a thread in a dimension: a block apart, and neighbours.
pub type Points = [Option<i64>; 2];

/// Reason why a nest is mapped without tiles, or points: what to say of it, if anything.
pub struct Untiled(pub Option<String>);

impl From<Reason> for Untiled {
    /// Whatever cannot be lowered is reported by the mapping without tiles.
    fn from(_: Reason) -> Self {
        Untiled(None)
    }
}

/// Instructions for taking a nest apart.
pub(super) struct Wish<'a> {
    pub host: &'a [LoopId],
    pub allowed: Allowed,
    /// Flag: loops of the thread may run around its points, in pieces.
    pub has_loops: bool,
    /// The points of a thread by dimension; `None`: those that serve the loops.
    pub points: Option<Vec<Points>>,
    /// Flag: the user asks for them.
    pub is_asked: bool,
    /// The values that are staged; `None`: all that serve.
    pub staged: Option<&'a [Pieces]>,
    /// Test that of all that serve elements are staged as they are, so that they can be copied ahead.
    pub stages_elements: bool,
    pub windows: Windows<'a>,
    /// Test that loops of the thread have windows that slide.
    pub slides: bool,
}

/// Which windows a block has in shared memory.
#[derive(Clone, Copy)]
pub(super) enum Windows<'a> {
    None,
    /// All that serve, of which there must be one.
    Serving,
    These(&'a [Staged]),
}

impl Windows<'_> {
    pub fn wants(&self, value: &k::Access) -> bool {
        match self {
            Windows::None => false,
            Windows::Serving => true,
            Windows::These(all) => all.iter().any(|x| x.value == k::Expr::Load(value.clone()).to_string()),
        }
    }
}
