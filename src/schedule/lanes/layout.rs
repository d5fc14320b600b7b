//! Layout of a block of lanes: which dimension counts elements, which the lanes of each.

use crate::ast::BinOp;
use crate::kernel::{Expr, ReduceOp, StmtKind};
use crate::schedule::frame::position;
use crate::schedule::index;
use crate::schedule::mapping::{Divided, Mapping};

/// Which dimension is which.
#[derive(Clone, Copy)]
pub(super) struct Layout {
    pub elements: usize,
    pub lanes: usize,
    pub block: [i64; 2],
}

impl Layout {
    pub fn of(mapping: &Mapping) -> Layout {
        let lanes = mapping.lanes.as_ref().expect("a mapping with lanes");
        let elements = 1 - lanes.dimension;
        let mut block = [lanes.threads; 2];
        block[elements] = mapping.sizes(elements)[0];
        Layout { elements, lanes: lanes.dimension, block }
    }

    pub fn of_divided(x: &Divided) -> Layout {
        let mut block = [x.lanes; 2];
        block[1 - x.dimension] = x.elements;
        Layout { elements: 1 - x.dimension, lanes: x.dimension, block }
    }

    /// `g0 * BLOCK_0 + t0`, for a block of elements.
    pub fn position(self, block: Expr) -> Expr {
        position(block, self.elements)
    }

    pub fn is_owner(self) -> Expr {
        index::binary(BinOp::Eq, Expr::ThreadIdx(self.lanes), Expr::Int(0))
    }

    /// Joins a variable over the lanes of each element.
    pub fn join(self, op: ReduceOp, var: &str) -> StmtKind {
        let stride = if self.lanes == 1 { Expr::Int(1) } else { extent_of(1) };
        StmtKind::Join { op, var: var.to_string(), extent: extent_of(self.lanes), stride }
    }
}

pub(super) fn extent_of(dimension: usize) -> Expr {
    index::size_of("BLOCK", dimension)
}
