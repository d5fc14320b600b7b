//! Pieces of what a thread does: runs of statements, loops with tiles, and steps of the whole block.

use super::reads::Group;
use crate::ast::VarId;
use crate::facts::symbolic::Poly;
use crate::kernel as k;
use crate::kernel::mma::MmaShape;
use crate::region::{LoopId, StmtId};
use crate::schedule::mapping::Fetch;
use crate::schedule::register_promotion::element::PromotedElement;

/// A piece of what a thread does.
pub(super) enum Piece {
    Plain(Vec<StmtId>, Vec<k::Stmt>),
    Loop(Box<Inner>),
    Steps(Steps),
}

/// A loop in order of the whole block, whose bounds are the same for all its points: each iteration runs its pieces.
pub(super) struct Steps {
    pub id: LoopId,
    pub counter: String,
    pub pieces: Vec<Piece>,
}

/// A loop of the thread with tiles.
#[derive(Clone)]
pub(super) struct Inner {
    pub id: LoopId,
    pub stmts: Vec<StmtId>,
    pub counter: String,
    /// The counter within a piece of the loop.
    pub at: String,
    pub var: VarId,
    pub first: Poly,
    pub limits: Vec<Poly>,
    /// Where the counter is within the loop.
    pub bounds: Vec<Poly>,
    pub body: Vec<k::Stmt>,
    /// The element that is in a register all through the loop.
    pub promoted: Option<PromotedElement>,
    pub groups: Vec<Group>,
    pub fetch: Fetch,
    /// The products of matrices that a warp computes it by.
    pub mma: Option<MmaShape>,
    pub line: u32,
}

/// A variable of each point.
pub(super) struct Variable {
    pub name: String,
    pub ty: k::ScalarType,
}

impl Piece {
    pub fn inner(&self) -> Option<&Inner> {
        match self {
            Piece::Loop(x) => Some(x),
            Piece::Plain(..) | Piece::Steps(_) => None,
        }
    }

    /// Statements of a leaf, of the part and of the kernel.
    pub fn parts(&mut self) -> (&[StmtId], &mut Vec<k::Stmt>) {
        match self {
            Piece::Plain(ids, stmts) => (ids, stmts),
            Piece::Loop(x) => (&x.stmts, &mut x.body),
            Piece::Steps(_) => unreachable!("steps are no leaf"),
        }
    }
}

/// Pieces that are no steps, in order, those of steps in their place.
pub(super) fn leaves(pieces: &[Piece]) -> Vec<&Piece> {
    let mut out = vec![];
    for p in pieces {
        match p {
            Piece::Steps(x) => out.extend(leaves(&x.pieces)),
            leaf => out.push(leaf),
        }
    }
    out
}

/// The same, each with the loops of steps around it.
pub(super) fn leaves_mut<'p>(pieces: &'p mut [Piece], around: &[LoopId]) -> Vec<(Vec<LoopId>, &'p mut Piece)> {
    let of = |p: &'p mut Piece| match p {
        Piece::Steps(x) => leaves_mut(&mut x.pieces, &[around, &[x.id]].concat()),
        leaf => vec![(around.to_vec(), leaf)],
    };
    pieces.iter_mut().flat_map(of).collect()
}
