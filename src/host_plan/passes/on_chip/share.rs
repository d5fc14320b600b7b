//! Loops that share the points of a phase out over all threads of a resident kernel.
//!
//! ```text
//! for b in g0 .. min(.., n0) step n0 {                          for b in g0 .. ceildiv(n, THREADS) step n0 {
//!   for at in b * THREADS + t0 .. n step min(.., n0) * THREADS    let i = b * THREADS + t0; if (i < n) { .. }
//!     { .. }                                                    }
//!   block_reduce ..
//! }
//! ```
//! On the left a block has one iteration of the outer loop at most, its own: threads stride over points. On the right
//! blocks do.

use crate::ast::BinOp;
use crate::kernel::{Expr, Kernel, Stmt, StmtKind, THREADS, simplify, walk};
use crate::schedule::index::{add, binary, mul, var};
use std::collections::BTreeSet;

/// The counter of the loop over points, in the expressions of any such loop.
pub(super) const POINT: &str = "rt_point";

/// The iterations of each thread: `for point in first .. end step step`.
#[derive(Clone, PartialEq)]
pub(super) struct Map {
    pub first: Expr,
    pub end: Expr,
    pub step: Expr,
    /// Condition under which a block has any.
    part: Option<Expr>,
    /// Condition of a point around all that is done there.
    pub guard: Option<Expr>,
    /// Number that is another for each thread and iteration.
    pub own: Expr,
    /// Points of all threads.
    pub count: Expr,
    /// Names of what is the same throughout the kernel, and of the point.
    given: BTreeSet<String>,
}

/// A phase that is such a loop, with what stands around it.
pub(super) struct Share<'a> {
    pub map: Map,
    /// Where the loop stands: the statements on the way to it, outermost first.
    pub path: Vec<usize>,
    pub var: &'a str,
    pub body: &'a [Stmt],
    around: Vec<&'a Stmt>,
}

impl<'a> Share<'a> {
    /// The loop of a phase of a kernel.
    pub fn of(kernel: &Kernel, phase: &'a [Stmt]) -> Option<Self> {
        let [
            Stmt {
                kind: StmtKind::For { var: block, lo: Expr::BlockIdx(0), hi, step: Expr::GridSize(0), body, .. },
                ..
            },
        ] = phase
        else {
            return None;
        };
        let mut share = if is_of_one(hi) { strided(block, hi, body)? } else { by_blocks(block, hi, body)? };
        let given = kernel.scalars.iter().map(|s| s.name.as_str()).chain(kernel.template()).chain([POINT]);
        share.map.given = given.map(str::to_string).collect();
        let is_plain = share.map.parts().all(|e| share.map.is_given(e)) && !share.body.iter().any(breaks);
        is_plain.then_some(share)
    }

    /// Statements of the phase beside the loop.
    pub fn around(&self) -> impl Iterator<Item = &'a Stmt> {
        self.around.iter().copied()
    }
}

/// Test that blocks have one iteration of a loop from their own place in steps of their number.
fn is_of_one(hi: &Expr) -> bool {
    match hi {
        Expr::GridSize(0) => true,
        Expr::Min(a, b) => is_of_one(a) || is_of_one(b),
        _ => false,
    }
}

/// Threads that stride over points.
fn strided<'a>(block: &str, blocks: &Expr, body: &'a [Stmt]) -> Option<Share<'a>> {
    let is_strided = |s: &&Stmt| matches!(&s.kind, StmtKind::For { lo, .. } if lo.mentions(block));
    let at = body.iter().position(|s| is_strided(&s))?;
    let StmtKind::For { var: point, lo, hi, step, body: inside, .. } = &body[at].kind else { return None };
    let place = add(mul(var(block), var(THREADS)), Expr::ThreadIdx(0));
    if *lo != place || !walk::is_of_thread(inside) || !strides_over(step, blocks) {
        return None;
    }
    let first = add(mul(Expr::BlockIdx(0), var(THREADS)), Expr::ThreadIdx(0));
    let map = Map {
        first,
        end: hi.clone(),
        step: step.clone(),
        part: Some(binary(BinOp::Lt, Expr::BlockIdx(0), blocks.clone())),
        guard: None,
        own: var(POINT),
        count: hi.clone(),
        given: BTreeSet::new(),
    };
    let around = body.iter().enumerate().filter(|(k, _)| *k != at).map(|(_, s)| s).collect();
    Some(Share { map, path: vec![0, at], var: point, body: inside, around })
}

/// Test that a step is the threads of all these blocks.
fn strides_over(step: &Expr, blocks: &Expr) -> bool {
    matches!(step, Expr::Binary(BinOp::Mul, n, threads) if **n == *blocks && **threads == var(THREADS))
}

/// Blocks that stride over points.
fn by_blocks<'a>(block: &'a str, blocks: &Expr, body: &'a [Stmt]) -> Option<Share<'a>> {
    let Expr::CeilDiv(count, threads) = blocks else { return None };
    if **threads != var(THREADS) || !walk::is_of_thread(body) {
        return None;
    }
    let map = Map {
        first: Expr::BlockIdx(0),
        end: blocks.clone(),
        step: Expr::GridSize(0),
        part: None,
        guard: guard(block, body),
        own: add(mul(var(POINT), var(THREADS)), Expr::ThreadIdx(0)),
        count: (**count).clone(),
        given: BTreeSet::new(),
    };
    Some(Share { map, path: vec![0], var: block, body, around: vec![] })
}

/// The condition around all that is done at a point, in terms of it.
fn guard(block: &str, body: &[Stmt]) -> Option<Expr> {
    let (last, lets) = body.split_last()?;
    let StmtKind::If { cond, other, .. } = &last.kind else { return None };
    let mut cond = cond.clone();
    for s in lets.iter().rev() {
        let StmtKind::Let { var: name, init: Some(value), .. } = &s.kind else { return None };
        cond.replace(&mut |e| matches!(e, Expr::Var(x) if x == name).then(|| value.clone()));
    }
    cond.replace(&mut |e| matches!(e, Expr::Var(x) if x == block).then(|| var(POINT)));
    simplify::index_expr(&mut cond);
    other.is_empty().then_some(cond)
}

impl Map {
    /// Test that no two points have the element of these subscripts, in terms of the point: one is the point itself, or so
    /// far from it.
    pub fn is_own(&self, index: &[Expr]) -> bool {
        let varies =
            |e: &Expr| e.any(&mut |e| matches!(e, Expr::ThreadIdx(_) | Expr::BlockIdx(_))) || e.mentions(POINT);
        let is_point = |e: &Expr| match e {
            Expr::Binary(BinOp::Add, a, b) if **a == self.own => !varies(b),
            Expr::Binary(BinOp::Add, a, b) if **b == self.own => !varies(a),
            Expr::Binary(BinOp::Sub, a, b) if **a == self.own => !varies(b),
            e => *e == self.own,
        };
        index.iter().all(|e| self.is_given(e)) && index.iter().any(is_point)
    }

    /// The blocks that have points, where threads stride over them.
    pub fn blocks(&self) -> Option<&Expr> {
        match &self.step {
            Expr::Binary(BinOp::Mul, blocks, _) if self.part.is_some() => Some(blocks),
            _ => None,
        }
    }

    /// The expressions that say which points a thread has.
    fn parts(&self) -> impl Iterator<Item = &Expr> {
        [&self.first, &self.end, &self.step].into_iter().chain(&self.part).chain(&self.guard)
    }

    /// Test for a value that the place of a thread and the point say.
    fn is_given(&self, e: &Expr) -> bool {
        let mut used = BTreeSet::new();
        e.variables(&mut used);
        let asks = |e: &Expr| {
            e.any(&mut |e| matches!(e, Expr::Load(_) | Expr::Aligned { .. } | Expr::Call(..) | Expr::GoesOn))
        };
        used.is_subset(&self.given) && !asks(e)
    }

    /// Statements of a block, for those that have any points.
    pub fn taking_part(&self, then: Vec<Stmt>) -> Vec<Stmt> {
        match &self.part {
            Some(cond) => vec![Stmt::made(StmtKind::If { cond: cond.clone(), then, other: vec![] })],
            None => then,
        }
    }
}

/// Test that a statement leaves the loop around it.
fn breaks(s: &Stmt) -> bool {
    match &s.kind {
        StmtKind::Break | StmtKind::Return(_) => true,
        StmtKind::If { then, other, .. } => then.iter().chain(other).any(breaks),
        _ => false,
    }
}

/// Test that what stands behind a statement may be left out.
pub(super) fn leaves(s: &Stmt) -> bool {
    match &s.kind {
        StmtKind::Break | StmtKind::Continue | StmtKind::Return(_) => true,
        StmtKind::If { then, other, .. } => then.iter().chain(other).any(leaves),
        _ => false,
    }
}
