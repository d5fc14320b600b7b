//! Orders of the program that are seen as others: nests in tiles, and counters of rows and columns.

use super::{Expr, VarId};

/// A nest that the program runs in tiles, and that is seen without them. One tile after the other, its iterations come in
/// another order, which is the same to all whose dependences go forward, or nowhere, along each of these loops.
#[derive(Debug, Clone, PartialEq)]
pub struct Tiling {
    /// Counters of its loops, outermost first, as far in as tiles go: each inside the one before.
    pub nest: Vec<VarId>,
    pub tiles: Vec<Tile>,
}

/// The tiles along one loop.
#[derive(Debug, Clone, PartialEq)]
pub struct Tile {
    pub counter: VarId,
    /// Counter of the program's loop over them.
    pub tiles: VarId,
    /// Their length, which is one or more.
    pub size: Expr,
    /// Iterations of the loop, which tiles fill where this is said.
    pub covers: Option<Expr>,
    /// Conditions of the program's own tiles being gone.
    pub conditions: Vec<Expr>,
}

/// A counter of the program that is seen as two, of rows and of columns, with the conditions of that.
pub type SplitCounter = (VarId, [VarId; 2], Vec<Expr>);

/// Nests that the program runs tile by tile in turns, and that are seen one behind the other: the same to all whose
/// dependences lead from no tile to one before it.
#[derive(Debug, Clone, PartialEq)]
pub struct TileSequence {
    /// Counters along the same tiles, of the one nest and of the one behind it.
    pub first: Vec<VarId>,
    pub then: Vec<VarId>,
}
