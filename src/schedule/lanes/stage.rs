//! Stages of a kernel with lanes: one that does all, or the first and the second of two, with the partial results that these
//! share (see [`divided`](super::divided)).

use super::layout::{Layout, extent_of};
use super::pieces::{By, Piece};
use crate::ast::{BinOp, VarId};
use crate::kernel::{self as k, Expr, Kernel, ScalarType, StmtKind, Usage};
use crate::poly::scop::is_write;
use crate::schedule::index;
use crate::schedule::parallel::Analysis;
use std::collections::BTreeSet;

/// `(name, type, length)` of arrays of partial results.
pub(super) type Arrays = Vec<(String, ScalarType, i64)>;

/// Partial results that the two kernels share.
pub(in crate::schedule) struct Partials {
    /// The number of blocks of an element.
    pub(super) n_pieces: String,
    /// Which of them a block is.
    pub(super) piece: String,
    /// For each sum, in order.
    pub(super) arrays: Arrays,
    /// Data of a thread that only the second kernel has, and only the first.
    pub(super) left_out: BTreeSet<VarId>,
    pub(super) only_first: BTreeSet<VarId>,
}

/// Which kernel is put together.
pub(super) enum Stage<'p> {
    /// One that does all.
    Whole,
    /// The first of two: what leaves partial results.
    First(&'p Partials),
    /// The second: what joins them.
    Second(&'p Partials),
}

impl Stage<'_> {
    /// Test that the kernel has a piece.
    pub fn runs(&self, a: &Analysis, p: &Piece, private: &BTreeSet<VarId>) -> bool {
        match self {
            Stage::Whole | Stage::Second(_) => true,
            Stage::First(partials) => is_first(a, p, private, &partials.left_out),
        }
    }

    /// Test that its threads have no copy of some data.
    pub fn leaves_out(&self, v: VarId) -> bool {
        match self {
            Stage::Whole => false,
            Stage::First(partials) => partials.left_out.contains(&v),
            Stage::Second(partials) => partials.only_first.contains(&v),
        }
    }

    /// Where the partial results lie of `n` sums behind others.
    pub fn partials(&self, from: usize, n: usize) -> Option<&[(String, ScalarType, i64)]> {
        if let Stage::Second(partials) = self { Some(&partials.arrays[from..from + n]) } else { None }
    }

    /// Which block of elements a block has. The grid has one dimension, the block two.
    pub fn block(&self) -> Expr {
        match self {
            Stage::Whole | Stage::Second(_) => Expr::BlockIdx(0),
            Stage::First(partials) => index::binary(BinOp::Div, Expr::BlockIdx(0), index::var(&partials.n_pieces)),
        }
    }

    /// Which block of its elements it is.
    pub fn piece(&self) -> Option<k::Stmt> {
        let Stage::First(partials) = self else { return None };
        let value = index::binary(BinOp::Rem, Expr::BlockIdx(0), index::var(&partials.n_pieces));
        let kind = StmtKind::Let { var: partials.piece.clone(), ty: ScalarType::Index, init: Some(value) };
        Some(k::Stmt::made(kind))
    }

    /// The position of a lane among those of its element, and their number.
    pub fn lane(&self, layout: Layout) -> (Expr, Expr) {
        let (lane, n) = (Expr::ThreadIdx(layout.lanes), extent_of(layout.lanes));
        match self {
            Stage::First(partials) => {
                let before = index::mul(index::var(&partials.piece), n.clone());
                (index::add(before, lane), index::mul(index::var(&partials.n_pieces), n))
            }
            Stage::Whole | Stage::Second(_) => (lane, n),
        }
    }

    /// Adds what a kernel has beside its body.
    pub fn complete(&self, kernel: &mut Kernel) {
        match self {
            Stage::Whole => {}
            Stage::First(partials) => {
                kernel.grid[0] = index::mul(index::var(&partials.n_pieces), kernel.grid[0].clone());
                kernel.notes.push("each loop divided among several blocks, which leave a partial result each".into());
                partials.add_to(kernel, Usage::Write);
            }
            Stage::Second(partials) => {
                kernel.notes.push("joins the partial results of the blocks".into());
                partials.add_to(kernel, Usage::Read);
            }
        }
    }
}

impl Partials {
    /// Gives a kernel the arrays, and the number of blocks of an element.
    pub(in crate::schedule) fn add_to(&self, kernel: &mut Kernel, usage: Usage) {
        kernel.scalars.push(k::ScalarParam { name: self.n_pieces.clone(), ty: ScalarType::Index });
        kernel.arrays.extend(self.arrays.iter().map(|(name, ty, length)| k::ArrayParam {
            name: name.clone(),
            ty: *ty,
            extents: vec![Expr::Int(*length)],
            usage,
        }));
    }
}

pub(super) fn is_first(a: &Analysis, p: &Piece, private: &BTreeSet<VarId>, left_out: &BTreeSet<VarId>) -> bool {
    match p.by {
        By::Owner | By::Within(_) | By::Nested(_) => false,
        By::Lanes(..) => true,
        By::Everyone => touched(a, p, private, false).is_disjoint(left_out),
    }
}

/// The data of a thread that a piece touches, or writes.
pub(super) fn touched(a: &Analysis, p: &Piece, private: &BTreeSet<VarId>, writes: bool) -> BTreeSet<VarId> {
    let stmts = p.tree.stmts();
    let accesses = stmts.iter().flat_map(|s| &a.part.stmt(*s).accesses);
    accesses.filter(|x| private.contains(&x.data) && (!writes || is_write(x))).map(|x| x.data).collect()
}
