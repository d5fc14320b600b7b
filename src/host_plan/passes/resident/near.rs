//! Phases whose blocks own the same elements in all steps, and touch besides only those of the blocks beside: these wait for
//! each other, and for no others.
//!
//! The resident blocks stand in rows as they do for a phase of several dimensions ([`share`](super::share)), in all phases in
//! the same. A block of a phase goes to the resident one at its place, taken around; what touches the same element is at most
//! a block away along each dimension ([`Region::apart`]), and so at most a place away. Before a phase that conflicts with an
//! earlier one, a block waits until those around it have done what stands before. Which elements they then may read, and
//! overwrite, follows: each of these blocks had waited before, too.

use super::build::{Build, Rows};
use super::share::{beside, block_extents, uses_grid_size, with_extents, with_numbers};
use crate::ast::{BinOp, IntKind};
use crate::host_plan::ir::{HostStmt, Region, launched, visit};
use crate::kernel::{Expr, GridSync, Kernel, ScalarType, Stmt, StmtKind, THREADS, simplify};
use crate::schedule::frame::SECTOR;
use crate::schedule::index::{binary, max, mul, var};
use std::collections::BTreeSet;

/// Positions that a thread may look past its own, where it loads neighbours as vectors.
const VECTOR: i64 = 16;

/// Threads of a resident block in a simulation, where more are asked for: the fewest that there are anywhere.
const SIMULATED: i64 = 128;

/// The blocks of a kernel along each dimension, and the points of each.
type Tiles = Vec<(Expr, Expr)>;

impl Build<'_> {
    /// The common rows of a loop's phases, where their blocks need to wait for those beside them alone.
    pub(super) fn find_rows(&mut self, sync: GridSync, steps: &[HostStmt]) -> Option<Rows> {
        let mut looks = false;
        visit(steps, &mut |s| looks |= matches!(s, HostStmt::CopyOut { .. }));
        if sync != GridSync::Relaxed || !self.uniform.is_empty() || looks {
            return None;
        }
        let ids: Vec<usize> = launched(steps).into_iter().collect();
        let kernels: Vec<Kernel> = ids.iter().map(|k| with_numbers(&self.region.kernels[*k])).collect();
        let (threads, unit) = self.threads(&ids)?;
        let threads = (SIMULATED / unit * unit).max(unit).min(threads);
        let tiles: Vec<Tiles> = kernels.iter().map(tiles).collect::<Option<_>>()?;
        let first = tiles.first()?;
        let are_alike = |t: &Tiles| t.len() == first.len() && t.iter().zip(first).all(|((_, x), (_, y))| x == y);
        let lengths: Vec<i64> = first.iter().map(|(_, points)| least(points, threads)).collect::<Option<_>>()?;
        if !tiles.iter().all(are_alike) || !are_near(self.region, &ids, &lengths) {
            return None;
        }
        let mut known = BTreeSet::new();
        let wanted: Vec<Expr> = (1..first.len())
            .map(|d| {
                let mut most = max(tiles.iter().map(|t| t[d].0.clone())).expect("a phase at least");
                simplify::index_expr(&mut most);
                most.variables(&mut known);
                most
            })
            .collect();
        if known.iter().any(|name| self.is_of_steps(name, steps)) {
            return None;
        }
        let across = wanted.iter().map(|_| self.names.fresh("rt_across")).collect();
        Some(Rows { across, wanted })
    }

    /// A variable that has no value, or another one, where the loop begins.
    fn is_of_steps(&self, name: &str, steps: &[HostStmt]) -> bool {
        let mut is_counter = false;
        visit(steps, &mut |s| is_counter |= s.declares().is_some_and(|(declared, _)| declared == name));
        is_counter || self.changing.contains_key(name)
    }
}

impl Rows {
    /// The declarations, at the beginning of the kernel.
    pub(super) fn declared(&self) -> Vec<Stmt> {
        let int = ScalarType::Int(IntKind::Int);
        let mut left = Expr::Cast(int, Box::new(Expr::GridSize(0)));
        let mut out = vec![];
        for (name, wanted) in self.across.iter().zip(&self.wanted).rev() {
            let init = Some(beside(wanted.clone(), left.clone()));
            out.push(Stmt::made(StmtKind::Let { var: name.clone(), ty: int, init }));
            left = binary(BinOp::Div, left, var(name));
        }
        out
    }

    /// Waits for the blocks beside in the place of barriers among all.
    pub(super) fn wait(&self, body: &mut [Stmt]) {
        let across: Vec<Expr> = self.across.iter().map(var).collect();
        waits(body, &across);
    }
}

fn waits(body: &mut [Stmt], across: &[Expr]) {
    for s in body {
        if s.kind == StmtKind::GridBarrier {
            s.kind = StmtKind::GridWait { across: across.to_vec() };
        }
        s.bodies_mut().into_iter().for_each(|inner| waits(inner, across));
    }
}

/// Test that iterations which touch the same element are at most a block apart, whichever two phases they are of. Along memory
/// blocks may begin less than a sector before the first iteration.
fn are_near(region: &Region, ids: &[usize], lengths: &[i64]) -> bool {
    ids.iter().enumerate().all(|(at, x)| {
        ids[at..].iter().all(|y| {
            let apart = region.apart.get(&(*x.min(y), *x.max(y)));
            apart.is_some_and(|apart| {
                let room = |d: usize| if d + 1 == lengths.len() { lengths[d] - VECTOR - SECTOR } else { lengths[d] };
                apart.len() == lengths.len() && apart.iter().enumerate().all(|(d, n)| *n <= room(d))
            })
        })
    })
}

/// The blocks of a kernel; `None` where they are not cut from its iterations one after another.
fn tiles(kernel: &Kernel) -> Option<Tiles> {
    let extents = block_extents(kernel);
    if kernel.grid.len() != extents.len() || kernel.grid.len() == 1 && uses_grid_size(kernel) {
        return None;
    }
    let of = |grid: &Expr| {
        let grid = with_extents(grid, kernel, &extents);
        let mut blocks = match &grid {
            Expr::Min(blocks, most) if matches!(**most, Expr::Int(_)) => blocks,
            blocks => blocks,
        };
        let mut points = Expr::Int(1);
        while let Expr::CeilDiv(count, by) = blocks {
            points = mul(points, (**by).clone());
            blocks = count;
        }
        simplify::index_expr(&mut points);
        (points != Expr::Int(1)).then_some((grid.clone(), points))
    };
    kernel.grid.iter().map(of).collect()
}

/// The points of a block of so many threads.
fn least(points: &Expr, threads: i64) -> Option<i64> {
    let mut points = points.clone();
    points.replace(&mut |e| (*e == var(THREADS)).then_some(Expr::Int(threads)));
    simplify::index_expr(&mut points);
    if let Expr::Int(n) = points { Some(n) } else { None }
}
