//! Several axes of a band in one dimension of the grid.
//!
//! ```text
//! for i < n: for d < 3: b[i][d] = 2 * a[i][d]
//! ->
//! let at = g0 * BLOCK_0 + t0;
//! if (at < n * 3) { let i = at / 3; let d = at % 3; b[i, d] = 2 * a[i, d] }
//! ```
//! A dimension of its own for an axis of three iterations would leave most threads of a block without a point, and one that
//! has no dimension left would be a loop of the thread, whose neighbours then lie apart in memory. Collapsed, the axes run
//! as one loop does, the last of them fastest. (OpenMP's `collapse`; Polychronopoulos, "Loop coalescing: a compiler
//! transformation for parallel machines", ICPP 1987.)

use super::lower::Lowering;
use super::map::{MAX_BLOCKS, Mapper, block_position, in_order_of_memory};
use super::mapping::{Axis, Mapping, Place};
use super::parallel::Analysis;
use super::{Nest, extent, index};
use crate::ast::BinOp;
use crate::kernel::{self as k, Expr, Kernel, ScalarType, StmtKind};
use crate::poly::Failure;
use crate::region::{LoopId, Reason};

/// Iterations that give an axis a dimension of its own: fewer than a warp of threads would find no work.
const WARP: i64 = 32;

/// Most dimensions of a grid.
const DIMENSIONS: usize = 3;

/// The axes of a band by dimension of the grid, each with those that run faster behind it, where some share one; `None`
/// where each has its own. Positions in the band are given.
pub fn groups(a: &Analysis, nest: &Nest) -> Option<Vec<Vec<usize>>> {
    let loops: Vec<LoopId> = nest.axes.iter().map(|x| x[0]).collect();
    if !extent::is_box(a, &loops) {
        return None;
    }
    let mut groups: Vec<Vec<usize>> = in_order_of_memory(a, nest).into_iter().map(|i| vec![i]).collect();
    let n_axes = groups.len();
    let count = |group: &[usize]| {
        let counts = group.iter().map(|i| a.part.get_loop(loops[*i]).most_iterations());
        counts.reduce(|all, n| all?.checked_mul(n?)).flatten()
    };
    while let [.., _, last] = groups.as_slice()
        && count(last).is_some_and(|n| n < WARP)
    {
        join_last(&mut groups);
    }
    while groups.len() > DIMENSIONS {
        let first = groups.remove(0);
        groups[0].splice(0..0, first);
    }
    (groups.len() < n_axes).then_some(groups)
}

fn join_last(groups: &mut Vec<Vec<usize>>) {
    let last = groups.pop().expect("a group");
    groups.last_mut().expect("a group before it").extend(last);
}

impl Mapper<'_> {
    /// The mapping of a band some of whose axes share a dimension, in blocks of these extents.
    pub fn collapsed_mapping(
        &self,
        a: &Analysis,
        nest: &Nest,
        strategy: &'static str,
        (groups, block): (&[Vec<usize>], &[i64]),
    ) -> Mapping {
        let place = |i: usize| {
            let (dimension, rank) = groups
                .iter()
                .enumerate()
                .find_map(|(d, group)| Some((d, group.iter().position(|x| *x == i)?)))
                .expect("each axis is in a group");
            match rank {
                0 => Place::Grid { dimension, threads: block[dimension], merge: None, skew: None },
                rank => Place::Collapsed { dimension, rank },
            }
        };
        let axis = |(i, x): (usize, &Vec<LoopId>)| Axis { name: self.name_of(a, x[0]), place: place(i) };
        Mapping { axes: nest.axes.iter().enumerate().map(axis).collect(), ..Mapping::of(strategy) }
    }

    /// The kernel of such a mapping.
    ///
    /// # Errors
    /// The limit on isl's work, or what cannot be lowered.
    pub fn collapsed(
        &mut self,
        a: &Analysis,
        nest: &Nest,
        mapping: &Mapping,
        name: &str,
    ) -> Result<Result<Kernel, Reason>, Failure> {
        let groups = mapping.collapsed();
        let mut l = self.lowering(a);
        for axis in &nest.axes {
            let var = index::var(l.name(a.part.get_loop(axis[0]).var));
            l.counters.extend(axis.iter().map(|id| (a.part.get_loop(*id).var, var.clone())));
        }
        let mut stmts = match l.thread_body(&nest.body) {
            Ok(stmts) => stmts,
            Err(reason) => return Ok(Err(reason)),
        };
        let mut grid = vec![Expr::Int(1); groups.len()];
        for (d, group) in groups.iter().enumerate().rev() {
            let axes: Vec<&[LoopId]> = group.iter().map(|i| nest.axes[*i].as_slice()).collect();
            let is_last = d + 1 == groups.len();
            let total = l.n_points(a, &axes);
            let blocks = index::ceil_div(total.clone(), index::size_of("BLOCK", d));
            let fits = is_last || matches!(total, Expr::Int(n) if n <= MAX_BLOCKS);
            grid[d] = if fits { blocks } else { Expr::Min(Box::new(blocks), Box::new(Expr::Int(MAX_BLOCKS))) };
            stmts = l.in_dimension(a, &axes, (d, is_last), stmts);
        }
        let used = std::mem::take(&mut l.used);
        let mut kernel = self.kernel(a, name, used, stmts);
        kernel.tunables = mapping.tunables();
        kernel.block = (0..groups.len()).map(|d| index::size_of("BLOCK", d)).collect();
        kernel.grid = grid;
        kernel.notes.push(self.in_parallel(a, nest));
        for group in groups.iter().filter(|group| group.len() > 1) {
            let loops: Vec<LoopId> = group.iter().map(|i| nest.axes[*i][0]).collect();
            kernel.notes.push(format!("loops {} collapsed into one", self.names_of(a, &loops)));
        }
        kernel.notes.extend(mapping.notes.iter().cloned());
        Ok(Ok(kernel))
    }
}

impl Lowering<'_> {
    /// How many points some axes have together.
    pub(super) fn n_points(&mut self, a: &Analysis, axes: &[&[LoopId]]) -> Expr {
        if let [axis] = axes {
            return extent::count(a.part.get_loop(axis[0]), self);
        }
        let mut known = 1i64;
        let mut counts = vec![];
        for axis in axes {
            match extent::count(a.part.get_loop(axis[0]), self) {
                Expr::Int(n) if known.checked_mul(n).is_some() => known *= n,
                count => counts.push(count),
            }
        }
        // Two negative numbers would make a product that is not.
        if counts.len() > 1 {
            counts = counts.into_iter().map(|n| index::max([n, Expr::Int(0)]).expect("two numbers")).collect();
        }
        let known = (known != 1 || counts.is_empty()).then_some(Expr::Int(known));
        counts.into_iter().chain(known).reduce(index::mul).expect("a group has an axis")
    }

    /// `body` for the points that the thread has in a dimension that some axes share.
    fn in_dimension(
        &mut self,
        a: &Analysis,
        axes: &[&[LoopId]],
        (d, is_last): (usize, bool),
        body: Vec<k::Stmt>,
    ) -> Vec<k::Stmt> {
        let first = a.part.get_loop(axes[0][0]).clone();
        let [_, _, ..] = axes else { return self.distributed(&first, d, (is_last, 0), body) };
        let line = (self.line)(first.span);
        let stmt = |kind| k::Stmt { kind, line };
        let at = self.names.fresh("rt_at");
        let mut inner = self.counters_at(a, axes, &at, line);
        inner.extend(body);
        let total = self.n_points(a, axes);
        if is_last {
            let cond = index::binary(BinOp::Lt, index::var(&at), total);
            let init = Some(block_position(d));
            return vec![
                stmt(StmtKind::Let { var: at, ty: ScalarType::Index, init }),
                stmt(StmtKind::If { cond, then: inner, other: vec![] }),
            ];
        }
        let step = index::mul(Expr::GridSize(d), index::size_of("BLOCK", d));
        vec![stmt(StmtKind::For { var: at, lo: block_position(d), hi: total, step, body: inner })]
    }

    /// Declares the counters of axes at a position among all their points, the last of which runs fastest. Where there is
    /// a point, no axis is without iterations.
    pub(super) fn counters_at(&mut self, a: &Analysis, axes: &[&[LoopId]], at: &str, line: u32) -> Vec<k::Stmt> {
        let counts: Vec<Expr> = axes.iter().map(|x| extent::count(a.part.get_loop(x[0]), self)).collect();
        let mut stmts = vec![];
        for (k, axis) in axes.iter().enumerate() {
            let behind = counts[k + 1..].iter().cloned().reduce(index::mul);
            let mut own = behind.map_or(index::var(at), |n| index::binary(BinOp::Div, index::var(at), n));
            if k > 0 {
                own = index::binary(BinOp::Rem, own, counts[k].clone());
            }
            let (var, value, _) = self.own_counter(a, axis, own);
            let kind = StmtKind::Let { var, ty: ScalarType::Index, init: Some(value) };
            stmts.push(k::Stmt { kind, line });
        }
        stmts
    }
}
