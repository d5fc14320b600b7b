//! Frame of a kernel: how its threads come to their points, as the axes of its mapping say.
//!
//! | axes | around the body |
//! | --- | --- |
//! | none | nothing: one thread runs it |
//! | in a dimension of the grid | a position of the thread there: tested in the last dimension, striding over the grid in the others, whose extent the hardware limits ([`MAX_BLOCKS`]) |
//! | several in one, collapsed | the same position among all their points, of which the last axis runs fastest |
//! | of the thread | its loop |
//! | flat | one position among all points, striding over the whole grid |
//!
//! ```text
//! axis i: grid 0, threads 8        for i in g0 * BLOCK_0 + t0 .. n step G0 * BLOCK_0 {
//! axis j: grid 1, threads 32         let j = g1 * BLOCK_1 + t1;
//!                                    if (j < m) { body } }
//! ```
//! A band whose inner bounds depend on outer counters is launched over its bounding box.

use super::lower::Lowering;
use super::mapping::{Mapping, Place};
use super::parallel::Analysis;
use super::{Nest, extent, index};
use crate::ast::BinOp;
use crate::facts::Reason;
use crate::kernel::{self as k, Expr, ScalarType, StmtKind, simplify};
use crate::poly::Failure;
use crate::region::{Loop, LoopId, Tree};

/// Most blocks in any dimension of a grid but the last.
pub const MAX_BLOCKS: i64 = 65_535;

/// Most blocks of flat axes, each of which may leave a partial result.
pub const MAX_PARTIALS: i64 = 1024;

/// Elements of a sector of memory, of those that are most: threads along memory begin before the first iteration by less than so
/// many, where warps store whole sectors then.
pub const SECTOR: i64 = 8;

/// Statements for all points of a nest.
pub struct Framed {
    pub stmts: Vec<k::Stmt>,
    /// Blocks in each dimension of the grid.
    pub grid: Vec<Expr>,
}

/// Axes that share a position of the thread, or one that is a loop of the thread.
struct Level<'n> {
    axes: Vec<&'n [LoopId]>,
    dimension: Option<usize>,
}

/// The levels of a frame over a grid, outermost first: in the order of the band, or of the grid where axes are collapsed.
fn levels<'n>(nest: &'n Nest, mapping: &Mapping) -> Vec<Level<'n>> {
    let axes = |group: &[usize]| group.iter().map(|i| nest.axes[*i].as_slice()).collect();
    let groups = mapping.collapsed().into_iter().enumerate().map(|(d, group)| (group, Some(d)));
    let of_thread = (0..nest.axes.len()).filter(|i| mapping.axes[*i].place == Place::Thread).map(|i| (vec![i], None));
    let mut all: Vec<(Vec<usize>, Option<usize>)> = groups.chain(of_thread).collect();
    // The bounds of axes that are collapsed do not depend on each other.
    if all.len() == nest.axes.len() {
        all.sort_by_key(|(group, _)| group[0]);
    }
    all.into_iter().map(|(group, dimension)| Level { axes: axes(&group), dimension }).collect()
}

/// `g * BLOCK + t` in a dimension.
pub fn block_position(d: usize) -> Expr {
    position(Expr::BlockIdx(d), d)
}

/// The same for another block than the thread's own.
pub fn position(block: Expr, d: usize) -> Expr {
    let start = index::binary(BinOp::Mul, block, index::size_of("BLOCK", d));
    index::binary(BinOp::Add, start, Expr::ThreadIdx(d))
}

/// Blocks of so many points that serve a dimension of the grid.
pub fn blocks(count: Expr, side: Expr, is_last: bool) -> Expr {
    let fits = is_last || matches!(count, Expr::Int(n) if n <= MAX_BLOCKS);
    let blocks = index::ceil_div(count, side);
    if fits { blocks } else { Expr::Min(Box::new(blocks), Box::new(Expr::Int(MAX_BLOCKS))) }
}

/// Points that a block of flat axes has at a time.
pub fn side(mapping: &Mapping) -> Expr {
    let kinds = ["MERGE", "SKEW"].into_iter().zip(mapping.points(0)).filter(|(_, n)| n.is_some());
    let times = |side, (kind, _)| index::binary(BinOp::Mul, side, index::size_of(kind, 0));
    kinds.fold(index::size_of("BLOCK", 0), times)
}

/// A loop from a place of a block on, over the places that it has beside those of all other blocks, of so many points each.
pub fn strided((d, side): (usize, Expr), var: String, [lo, hi]: [Expr; 2], body: Vec<k::Stmt>) -> StmtKind {
    StmtKind::counted(var, [lo, hi, index::binary(BinOp::Mul, Expr::GridSize(d), side)], body)
}

/// Test that warps of a mapping's grid begin where a sector does only if the grid begins before the first iteration. A lattice
/// Boltzmann step with obstacles f32 4096² took an H200 504 us, and 329 so. A block in each row of one place more is what that may
/// cost: where blocks go on from phase to phase, that is more than it brings.
pub fn begins_before(a: &Analysis, nest: &Nest, mapping: &Mapping) -> bool {
    if mapping.is_flat() || mapping.has_tiles() || mapping.lanes.is_some() || !mapping.copies.is_empty() {
        return false;
    }
    let levels = levels(nest, mapping);
    let last = levels.iter().find(|x| x.dimension.is_some_and(|d| d + 1 == mapping.n_dimensions()));
    let is_collapsed = levels.len() < nest.axes.len();
    !is_collapsed && last.is_some_and(|x| before_first(a.part.get_loop(x.axes[0][0])) > 0)
}

/// Threads before the first iteration of a loop, so that warps begin where a sector does: `for (j = 1; ...` has one.
fn before_first(l: &Loop) -> i64 {
    let low = l.first.as_constant().filter(|_| l.step == 1);
    low.map_or(0, |low| low.rem_euclid(SECTOR))
}

impl Lowering<'_> {
    /// The body of a nest for all points of its band, whose axes have dimensions of the grid, or are loops of the thread.
    ///
    /// # Errors
    /// The limit on isl's work, or what cannot be lowered.
    pub(super) fn over_grid(
        &mut self,
        a: &Analysis,
        nest: &Nest,
        mapping: &Mapping,
        host: &[LoopId],
    ) -> Result<Result<Framed, Reason>, Failure> {
        for axis in &nest.axes {
            let var = index::var(self.name(a.part.get_loop(axis[0]).var));
            self.counters.extend(axis.iter().map(|id| (a.part.get_loop(*id).var, var.clone())));
        }
        let mut stmts = match self.thread_body(&nest.body) {
            Ok(stmts) => stmts,
            Err(reason) => return Ok(Err(reason)),
        };
        let n = mapping.n_dimensions();
        let mut grid = vec![Expr::Int(1); n.max(1)];
        let levels = levels(nest, mapping);
        let is_collapsed = levels.len() < nest.axes.len();
        for Level { axes, dimension } in levels.iter().rev() {
            let first = a.part.get_loop(axes[0][0]);
            let Some(d) = *dimension else {
                stmts = vec![self.in_order(first, stmts)];
                continue;
            };
            let is_last = d + 1 == n;
            let before = if is_last && !is_collapsed && mapping.aligned { before_first(first) } else { 0 };
            let count = match axes.as_slice() {
                [axis] if !nest.axes.iter().all(|x| extent::is_free(first, a.part.get_loop(x[0]).var)) => {
                    extent::bounding_count(a, axis[0], &nest.stmts(), host, self)?
                }
                _ => self.n_points(a, axes),
            };
            grid[d] = blocks(index::add(count, Expr::Int(before)), index::size_of("BLOCK", d), is_last);
            stmts = match axes.as_slice() {
                [axis] => self.distributed(a, axis, (d, is_last, before), stmts),
                _ => self.together(a, axes, (d, is_last), stmts),
            };
        }
        if let Some(axis) = nest.axes.first() {
            let line = (self.line)(a.part.get_loop(axis[0]).span);
            stmts.iter_mut().for_each(|s| s.line = if s.line == 0 { line } else { s.line });
        }
        Ok(Ok(Framed { stmts, grid }))
    }

    /// The same where all threads of the grid share the points out; `at` is the variable of their position. A box is one long
    /// loop; otherwise the outermost loop is shared out and the rest stay in the thread.
    pub(super) fn shared_out(
        &mut self,
        a: &Analysis,
        nest: &Nest,
        mapping: &Mapping,
        at: String,
    ) -> Result<Framed, Reason> {
        let ids: Vec<LoopId> = nest.axes.iter().map(|x| x[0]).collect();
        let axes: Vec<&[LoopId]> = nest.axes.iter().map(Vec::as_slice).collect();
        let (shared, rest) = axes.split_at(if extent::is_box(a, &ids) { axes.len() } else { 1 });
        let counts = self.counts(a, shared);
        let total = counts.iter().cloned().reduce(index::mul).expect("a band has an axis");
        let mut body = self.counters_at(a, shared, &counts, (&at, 0));
        let nested = rest.iter().rev().fold(nest.body.clone(), |body, x| vec![Tree::Loop(x[0], body)]);
        body.extend(self.thread_body(&nested)?);
        let ends = [block_position(0), total.clone()];
        let everyone = strided((0, index::size_of("BLOCK", 0)), at, ends, body);
        let line = (self.line)(a.part.get_loop(ids[0]).span);
        let blocks = index::ceil_div(total, side(mapping));
        let grid = vec![Expr::Min(Box::new(blocks), Box::new(Expr::Int(MAX_PARTIALS)))];
        Ok(Framed { stmts: vec![k::Stmt { kind: everyone, line }], grid })
    }

    /// Iterations of some axes, as factors of how many points they have: two negative numbers would make a product that is not.
    fn counts(&mut self, a: &Analysis, axes: &[&[LoopId]]) -> Vec<Expr> {
        let is_one = axes.len() == 1;
        let count = |axis: &&[LoopId]| {
            let count = extent::count(a.part.get_loop(axis[0]), self);
            if is_one { count } else { index::max([count, Expr::Int(0)]).expect("two counts") }
        };
        axes.iter().map(count).collect()
    }

    /// Number of points of a band.
    pub(super) fn n_elements(&mut self, a: &Analysis, nest: &Nest) -> Expr {
        let axes: Vec<&[LoopId]> = nest.axes.iter().map(Vec::as_slice).collect();
        self.counts(a, &axes).into_iter().reduce(index::mul).expect("a band has an axis")
    }

    /// Number of points of some axes together, all factors that are known as one.
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

    /// The counter of an axis at a position, its value there, and how it compares with its limits.
    pub(super) fn own_counter(&mut self, a: &Analysis, axis: &[LoopId], position: Expr) -> (String, Expr, BinOp) {
        let x = a.part.get_loop(axis[0]);
        let var = self.name(x.var);
        self.counters.extend(axis.iter().map(|id| (a.part.get_loop(*id).var, index::var(&var))));
        (var, self.value_at(x, position), if x.step > 0 { BinOp::Lt } else { BinOp::Gt })
    }

    /// The counter's value in an iteration of a loop, of which the first is 0.
    pub(super) fn value_at(&mut self, l: &Loop, iteration: Expr) -> Expr {
        let first = self.poly(&l.first);
        let moved = index::mul(iteration, Expr::Int(l.step.abs()));
        if l.step > 0 { index::add(first, moved) } else { index::binary(BinOp::Sub, first, moved) }
    }

    /// Declares the counters of axes of so many iterations each at a position among all their points, the last of which runs
    /// fastest. Where there is a point, no axis is without iterations.
    pub(super) fn counters_at(
        &mut self,
        a: &Analysis,
        axes: &[&[LoopId]],
        counts: &[Expr],
        (at, line): (&str, u32),
    ) -> Vec<k::Stmt> {
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

    /// `body` for the points that the thread has in a dimension that several axes share.
    fn together(
        &mut self,
        a: &Analysis,
        axes: &[&[LoopId]],
        (d, is_last): (usize, bool),
        body: Vec<k::Stmt>,
    ) -> Vec<k::Stmt> {
        let line = (self.line)(a.part.get_loop(axes[0][0]).span);
        let stmt = |kind| k::Stmt { kind, line };
        let at = self.names.fresh("rt_at");
        let counts: Vec<Expr> = axes.iter().map(|x| extent::count(a.part.get_loop(x[0]), self)).collect();
        let mut inner = self.counters_at(a, axes, &counts, (&at, line));
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
        vec![stmt(strided((d, index::size_of("BLOCK", d)), at, [block_position(d), total], inner))]
    }

    /// `body` for the iterations of an axis that the thread has in dimension `d`, the last perhaps, with so many threads before
    /// the first.
    fn distributed(
        &mut self,
        a: &Analysis,
        axis: &[LoopId],
        (d, is_last, before): (usize, bool, i64),
        body: Vec<k::Stmt>,
    ) -> Vec<k::Stmt> {
        let l = a.part.get_loop(axis[0]);
        let var = self.name(l.var);
        let line = (self.line)(l.span);
        let at = |kind| k::Stmt { kind, line };
        let declared = |var, init| k::Stmt::made(StmtKind::Let { var, ty: ScalarType::Index, init: Some(init) });
        let side = index::size_of("BLOCK", d);
        if l.step == 1 {
            let first = self.poly(&l.first);
            let begun = (before > 0).then(|| index::binary(BinOp::Le, first.clone(), index::var(&var)));
            let mut start = index::add(first, Expr::Int(-before));
            simplify::index_expr(&mut start);
            let start = index::add(start, block_position(d));
            if !is_last {
                let limits = l.limits.iter().map(|p| self.poly(p));
                let hi = index::min(limits).expect("a loop has a limit");
                return vec![at(strided((d, side), var, [start, hi], body))];
            }
            let inside = self.within(l, &var, BinOp::Lt);
            let cond = index::all(inside.into_iter().chain(begun)).expect("a loop has a limit");
            return vec![declared(var, start), at(StmtKind::If { cond, then: body, other: vec![] })];
        }
        // Other steps: the position counts iterations, the counter is computed from it.
        let position = self.names.fresh(&format!("rt_{var}"));
        let (var, value, compare) = self.own_counter(a, axis, index::var(&position));
        let cond = index::all(self.within(l, &var, compare)).expect("a loop has a limit");
        let own = vec![declared(var, value), at(StmtKind::If { cond, then: body, other: vec![] })];
        if is_last {
            return [vec![declared(position, block_position(d))], own].concat();
        }
        let ends = [block_position(d), extent::count(l, self)];
        vec![at(strided((d, side), position, ends, own))]
    }

    /// Tests that a counter is within the limits of its loop.
    pub(super) fn within(&mut self, l: &Loop, var: &str, compare: BinOp) -> Vec<Expr> {
        l.limits.iter().map(|p| index::binary(compare, index::var(var), self.poly(p))).collect()
    }
}
