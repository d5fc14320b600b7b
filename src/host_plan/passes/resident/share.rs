//! The blocks of a phase, shared out over the resident blocks that there are.
//!
//! A block of the phase becomes an iteration of a loop that strides over the resident blocks; the phase's `blockIdx`,
//! `threadIdx` and `gridDim` become positions in it.

use super::build::{Build, by_one_thread};
use crate::ast::{BinOp, IntKind};
use crate::kernel::rename::rename;
use crate::kernel::{Expr, Kernel, ScalarType, Stmt, StmtKind, THREADS, Tunable, WIDE, simplify, walk};
use crate::schedule::index::{binary, mul, var};

impl Build<'_> {
    /// The blocks of a phase, over the blocks that there are.
    pub(super) fn shared_out(&mut self, kernel: &Kernel) -> Vec<Stmt> {
        let mut body = kernel.body.clone();
        // What is a thread's own in this phase may be the host's or the device's in another.
        let taken: Vec<String> = walk::declared(&body).into_iter().filter(|n| self.outside.contains(n)).collect();
        for name in taken {
            let other = self.names.fresh(&name);
            body.iter_mut().for_each(|s| rename(s, &name, &other));
        }
        body.iter_mut().for_each(|s| s.replace(&|e| self.by_thread(e)));
        if kernel.extents().is_empty() {
            return vec![by_one_thread(body)];
        }
        let extents = block_extents(kernel);
        let grid: Vec<Expr> = kernel.grid.iter().map(|e| self.in_kernel(&with_extents(e, kernel, &extents))).collect();
        if grid.iter().all(|g| *g == Expr::Int(1)) {
            positioned(&mut body, kernel, &extents, &[Expr::Int(0)], &[Expr::Int(1)]);
            let cond = binary(BinOp::Eq, Expr::BlockIdx(0), Expr::Int(0));
            return vec![Stmt::made(StmtKind::If { cond, then: body, other: vec![] })];
        }
        let block = self.names.fresh("rt_block");
        if grid.len() == 1 {
            let is_strided = uses_grid_size(kernel);
            let size = if is_strided { self.in_kernel(&strided_blocks(kernel)) } else { grid[0].clone() };
            positioned(&mut body, kernel, &extents, &[var(&block)], std::slice::from_ref(&size));
            let [lo, step] = [Expr::BlockIdx(0), Expr::GridSize(0)];
            return vec![Stmt::made(StmtKind::counted(block, [lo, size, step], body))];
        }
        self.in_rows(kernel, &extents, &grid, block, body)
    }

    /// Two or three dimensions of blocks. The resident ones stand in rows as long as the last dimension, or all in one;
    /// along the other dimensions the kernel's own loops stride over as many blocks as there are.
    fn in_rows(
        &mut self,
        kernel: &Kernel,
        extents: &[Expr],
        grid: &[Expr],
        block: String,
        mut body: Vec<Stmt>,
    ) -> Vec<Stmt> {
        let last = grid.len() - 1;
        let int = ScalarType::Int(IntKind::Int);
        let mut out = vec![];
        let mut declare = |name: &String, value| {
            out.push(Stmt::made(StmtKind::Let { var: name.clone(), ty: int, init: Some(value) }));
        };
        // How many of the resident blocks there are along each dimension, and where this one stands.
        let narrow = |e: Expr| Expr::Cast(int, Box::new(e));
        let (mut left, mut rank) = (narrow(Expr::GridSize(0)), narrow(Expr::BlockIdx(0)));
        let mut sizes = vec![Expr::Int(1); grid.len()];
        let mut places = sizes.clone();
        for d in (1..=last).rev() {
            let size = match &self.rows {
                Some(rows) => rows.across[d - 1].clone(),
                None => {
                    let size = self.names.fresh("rt_across");
                    declare(&size, beside(grid[d].clone(), left.clone()));
                    size
                }
            };
            places[d] = binary(BinOp::Rem, rank.clone(), var(&size));
            rank = binary(BinOp::Div, rank, var(&size));
            left = binary(BinOp::Div, left, var(&size));
            sizes[d] = var(size);
        }
        let (row, rows) = (self.names.fresh("rt_row"), self.names.fresh("rt_rows"));
        declare(&row, rank);
        declare(&rows, left);
        (places[0], sizes[0]) = (var(&row), var(&rows));
        let [lo, step] = [places[last].clone(), sizes[last].clone()];
        places[last] = var(&block);
        positioned(&mut body, kernel, extents, &places, &sizes);
        let inside = Stmt::made(StmtKind::counted(block, [lo, grid[last].clone(), step], body));
        // Blocks that are left over when the rows are full have nothing to do.
        let cond = binary(BinOp::Lt, var(row), var(rows));
        out.push(Stmt::made(StmtKind::If { cond, then: vec![inside], other: vec![] }));
        out
    }
}

/// The number of resident blocks along a dimension, of those that are `left`: no more than are wanted there, and one at least.
pub(super) fn beside(wanted: Expr, left: Expr) -> Expr {
    let most = Expr::Min(Box::new(wanted), Box::new(left));
    Expr::Max(Box::new(most), Box::new(Expr::Int(1)))
}

/// Puts the body of a phase at its place: block `blocks` in a grid of `sizes`, blocks of `extents` threads.
fn positioned(body: &mut [Stmt], kernel: &Kernel, extents: &[Expr], blocks: &[Expr], sizes: &[Expr]) {
    let threads: Vec<Expr> = (0..extents.len()).map(|d| thread_position(extents, d)).collect();
    let named = kernel.extents();
    for s in body {
        s.replace(&|e| match e {
            Expr::BlockIdx(d) => Some(blocks[*d].clone()),
            Expr::ThreadIdx(d) => Some(threads[*d].clone()),
            Expr::GridSize(d) => Some(sizes[*d].clone()),
            Expr::Var(name) => named.iter().position(|t| t.name == *name).map(|d| extents[d].clone()),
            _ => None,
        });
    }
}

/// The kernel as one instance, with a number in the place of each size but the extents of its block, which here are
/// another's: the points of its threads.
pub(super) fn with_numbers(kernel: &Kernel) -> Kernel {
    let mut out = kernel.clone();
    if let Some(wide) = out.wide.take() {
        let here = |e: &Expr| matches!(e, Expr::Var(name) if name == WIDE).then(|| wide.clone());
        out.body.iter_mut().for_each(|s| s.replace(&here));
    }
    let extents: Vec<String> = kernel.extents().iter().map(|t| t.name.clone()).collect();
    let points: Vec<&Tunable> = kernel.tunables.iter().filter(|t| !extents.contains(&t.name)).collect();
    let number = |e: &Expr| match e {
        Expr::Var(name) => points.iter().find(|t| t.name == *name).map(|t| Expr::Int(t.value)),
        _ => None,
    };
    out.grid.iter_mut().for_each(|e| {
        e.replace(&mut |e| number(e));
        simplify::index_expr(e);
    });
    out.body.iter_mut().for_each(|s| s.replace(&number));
    out
}

/// The iterations of a dimension, or the threads that are launched for them.
pub(super) fn iterations(grid: &Expr, block: &Expr) -> Expr {
    let blocks = match grid {
        Expr::Min(blocks, most) if matches!(**most, Expr::Int(_)) => blocks,
        blocks => blocks,
    };
    match blocks {
        Expr::CeilDiv(count, by) if **by == *block => (**count).clone(),
        blocks => mul(blocks.clone(), block.clone()),
    }
}

/// The extents of a phase's block within one of `THREADS` threads: the inner ones as they were.
pub(super) fn block_extents(kernel: &Kernel) -> Vec<Expr> {
    let inner: Vec<i64> = kernel.extents().iter().skip(1).map(|t| t.value).collect();
    let within: i64 = inner.iter().product();
    let outermost = if within == 1 { var(THREADS) } else { binary(BinOp::Div, var(THREADS), Expr::Int(within)) };
    std::iter::once(outermost).chain(inner.into_iter().map(Expr::Int)).collect()
}

pub(super) fn with_extents(e: &Expr, kernel: &Kernel, extents: &[Expr]) -> Expr {
    let (mut e, named) = (e.clone(), kernel.extents());
    e.replace(&mut |e| match e {
        Expr::Var(name) => named.iter().position(|t| t.name == *name).map(|d| extents[d].clone()),
        _ => None,
    });
    e
}

/// The position of a thread in dimension `d` of its phase's block.
fn thread_position(extents: &[Expr], d: usize) -> Expr {
    let inner = extents[d + 1..].iter().cloned().reduce(mul);
    let at = match inner {
        Some(mut inner) => {
            simplify::index_expr(&mut inner);
            binary(BinOp::Div, Expr::ThreadIdx(0), inner)
        }
        None => Expr::ThreadIdx(0),
    };
    if d == 0 { at } else { binary(BinOp::Rem, at, extents[d].clone()) }
}

pub(super) fn uses_grid_size(kernel: &Kernel) -> bool {
    let mut uses = false;
    kernel.body.iter().for_each(|s| {
        s.visit(&mut |s| uses |= s.exprs().into_iter().any(|e| e.any(&mut |e| matches!(e, Expr::GridSize(_)))));
    });
    uses
}

/// The blocks of a kernel that strides over its work: no more than are resident, so that each leaves one value.
pub(super) fn strided_blocks(kernel: &Kernel) -> Expr {
    let wanted = with_extents(&kernel.grid[0], kernel, &block_extents(kernel));
    Expr::Min(Box::new(wanted), Box::new(Expr::GridSize(0)))
}

/// Iterations in loops of a thread's own that do not count: those over the few unknowns of a point.
const SHORT: i64 = 32;

/// Test that a thread has a loop to run that is not its share of the grid's work, nor of a few iterations.
pub(super) fn runs_long(body: &[Stmt]) -> bool {
    runs_longer(body, SHORT)
}

fn runs_longer(body: &[Stmt], most: i64) -> bool {
    let is_share = |lo: &Expr| lo.any(&mut |e| matches!(e, Expr::ThreadIdx(_) | Expr::BlockIdx(_)));
    body.iter().any(|s| match &s.kind {
        StmtKind::For { lo, body, .. } if is_share(lo) => runs_longer(body, most),
        StmtKind::For { lo: Expr::Int(lo), hi: Expr::Int(hi), step: Expr::Int(step), body, .. } => {
            let n = (hi - lo + step - 1) / step;
            n > most || n > 0 && runs_longer(body, most / n)
        }
        StmtKind::For { .. } | StmtKind::While { .. } | StmtKind::Shared { .. } => true,
        StmtKind::If { cond, other, .. } if walk::is_rare(cond) => runs_longer(other, most),
        StmtKind::If { then, other, .. } => runs_longer(then, most) || runs_longer(other, most),
        _ => false,
    })
}
