//! Several threads for each element of a band whose threads would each run a long loop.
//!
//! ```text
//! for i: s = 0; for j < n: s += a[i][j] * x[j]; y[i] = s;
//! ->
//! let i = g0 * BLOCK_0 + t0;                               t1 is the lane
//! if (i < m) { s = 0; for j in t1 .. n step BLOCK_1: rt_s += a[i, j] * x[j] }
//! join(+, BLOCK_1, 1) rt_s;
//! if (i < m) { s += rt_s; if (t1 == 0) y[i] = s }
//! ```
//! One thread an element leaves most of a GPU idle where there are a few thousand elements, and its loads are coalesced
//! only where the *axis* runs along memory. Here neighbouring threads are what runs along memory: lanes where the loop
//! does (a warp for each row), else elements (lanes are then the rows of the block). What may be shared out and who runs
//! the rest is told in `pieces`. (Joining in a tree: Harris, "Optimizing parallel reduction in CUDA", 2007; a warp for
//! each row: Bell and Garland, "Implementing sparse matrix-vector multiplication on throughput-oriented processors",
//! SC 2009, section 4.3, for dense rows the usual form of a matrix-vector kernel.)
//!
//! The sums come in another order, as those of `reduce` do. A sum is added to its element by one lane, once, and only
//! where the loop updates the element at all (`runs`).

use super::lower::{Lowering, scalar_type};
use super::lowered::{Lowered, Lowers};
use super::map::{Lean, Mapper, stride};
use super::mapping::{Axis, Lanes, Mapping, Place, When};
use super::parallel::{Analysis, loops_in};
use super::reduce::{Joins, shared_updates};
use super::reduce_op::{self, identity};
use super::{Mode, Nest, extent, index, runs};
use crate::ast::{BinOp, VarId};
use crate::cost::enough;
use crate::facts::Reason;
use crate::kernel::{self as k, Expr, Kernel, ScalarType, StmtKind, Tunable};
use crate::poly::Failure;
use crate::region::{Access, LoopId, StmtId, Tree};
use body::{Body, Shared};
use layout::{Layout, extent_of};
use pieces::{By, Piece, Sum, leaves, shared_loops, target};
use stage::Stage;
use std::collections::BTreeSet;

mod body;
mod divided;
mod layout;
mod nested;
mod pieces;
mod short;
mod stage;

pub(super) use stage::Partials;

impl Mapper<'_> {
    /// The mapping of a band with several threads an element; `None` where that does not fit the nest. Several axes, or elements
    /// whose updates meet, have threads enough without: there the loops must run along memory, and all of them be shared.
    ///
    /// # Errors
    /// The limit on isl's work.
    pub fn rows_mapping(
        &mut self,
        a: &Analysis,
        nest: &Nest,
        strategy: &'static str,
    ) -> Result<Option<Mapping>, Failure> {
        let Some(axis) = nest.axes.last() else { return Ok(None) };
        let loops: Vec<LoopId> = nest.axes.iter().map(|x| x[0]).collect();
        let is_simple = nest.mode == Mode::Parallel && loops.len() == 1;
        if !is_simple && (!extent::is_box(a, &loops) || !self.joins_one_by_one(a, nest)?) {
            return Ok(None);
        }
        let Some(pieces) = self.pieces(a, nest)? else { return Ok(None) };
        if !is_simple && !self.pays_by_rows(a, nest, &pieces)? {
            return Ok(None);
        }
        if !self.are_bounded(a, nest, &pieces)? {
            return Ok(None);
        }
        let Some(layout) = self.layout(a, axis, &pieces) else { return Ok(None) };
        let threads = layout.block[layout.elements];
        let place = |rank: usize| match rank {
            0 => Place::Grid { dimension: layout.elements, threads, merge: None, skew: None },
            rank => Place::Collapsed { dimension: layout.elements, rank },
        };
        let axes = loops.iter().enumerate().map(|(k, l)| Axis { name: self.name_of(a, *l), place: place(k) }).collect();
        let loops = shared_loops(&pieces).into_iter().map(|l| self.name_of(a, l)).collect();
        let lanes = Lanes { threads: layout.block[layout.lanes], dimension: layout.lanes, loops };
        Ok(Some(Mapping { axes, lanes: Some(lanes), ..Mapping::of(strategy) }))
    }

    /// Test that the loops of elements run along memory where no axis does, or that the last axis does where all that they load is
    /// an element's own; that none is left to one lane, and that nothing which lanes join is an element that other elements of the
    /// band update, too.
    fn pays_by_rows(&self, a: &Analysis, nest: &Nest, pieces: &[Piece]) -> Result<bool, Failure> {
        let is_left = |p: &Piece| p.shared().is_empty() && !loops_in(p.tree).is_empty();
        let mut sums = leaves(pieces).into_iter().flat_map(Piece::sums);
        let meets = nest.mode == Mode::Reduce && sums.any(|x| !self.private.contains(&x.data));
        let runs_along = |axis: &Vec<LoopId>| self.lean(a, axis, pieces).0.streams < 0;
        let is_served = nest.axes.iter().all(runs_along) || self.are_columns(a, nest, pieces);
        Ok(!meets && !leaves(pieces).into_iter().any(is_left) && is_served)
    }

    /// Test that lanes share the loops over columns of a box: what these load is next to what the neighbour along the last axis
    /// loads, and no element loads what another does, but for what all of them load.
    fn are_columns(&self, a: &Analysis, nest: &Nest, pieces: &[Piece]) -> bool {
        let vars = |axis: &Vec<LoopId>| -> Vec<VarId> { axis.iter().map(|l| a.part.get_loop(*l).var).collect() };
        let axes: Vec<Vec<VarId>> = nest.axes.iter().map(vars).collect();
        let last = axes.last().expect("a band has an axis");
        let is_own = |x: &Access| stride(x, last) == 1 && axes.iter().all(|axis| stride(x, axis) != 0);
        let jumps = |x: &Access, l: LoopId| stride(x, &[a.part.get_loop(l).var]) < 0;
        let is_of_all = |x: &Access| axes.iter().all(|axis| stride(x, axis) == 0);
        nest.mode == Mode::Parallel
            && leaves(pieces).into_iter().flat_map(|p| p.shared().iter().map(move |l| (p, l))).all(|(p, l)| {
                let moved = self.streams(a, p, *l).into_iter().filter(|x| stride(x, &[a.part.get_loop(*l).var]) != 0);
                let is_long = a.part.get_loop(*l).may_exceed(pieces::FEW);
                is_long && moved.into_iter().all(|x| is_own(x) && jumps(x, *l) || is_of_all(x))
            })
    }

    /// Accesses of a loop that is shared out but for its sums and what is a thread's own.
    fn streams<'a>(&self, a: &'a Analysis, p: &Piece, l: LoopId) -> Vec<&'a Access> {
        let stmts = p.tree.stmts().into_iter().filter(|s| a.part.stmt(*s).loops.contains(&l));
        stmts
            .flat_map(|s| {
                let is_target = move |v| p.sums().iter().any(|x| x.data == v && x.updates.contains(&s));
                let accesses = a.part.stmt(s).accesses.iter();
                accesses.filter(move |x| !self.private.contains(&x.data) && !is_target(x.data))
            })
            .collect()
    }

    fn pieces<'t>(&self, a: &Analysis, nest: &'t Nest) -> Result<Option<Vec<Piece<'t>>>, Failure> {
        let atomic = match nest.mode {
            Mode::Reduce => shared_updates(a, nest, &self.host, &self.private)?.into_iter().collect(),
            _ => BTreeSet::new(),
        };
        pieces::pieces(a, nest, &self.host, &self.private, &atomic)
    }

    /// When a thread for each element of a band serves better than several, or than few where there may be few lanes; `None` where
    /// it never does.
    ///
    /// # Errors
    /// The limit on isl's work.
    pub fn when_short_rows(&mut self, a: &Analysis, nest: &Nest, may_be_few: bool) -> Result<Option<When>, Failure> {
        let pieces = self.pieces(a, nest)?.expect("the mapping shares loops out");
        self.when_short(a, nest, &pieces, may_be_few)
    }

    /// How many elements a band has, and the iterations of the longest loop that is shared out.
    ///
    /// # Errors
    /// The limit on isl's work.
    pub fn lengths_of_rows(&mut self, a: &Analysis, nest: &Nest) -> Result<(Expr, Expr), Failure> {
        let pieces = self.pieces(a, nest)?.expect("the mapping shares loops out");
        self.lengths(a, nest, &pieces)
    }

    /// A kernel over a band of one axis with several threads an element.
    ///
    /// # Errors
    /// The limit on isl's work, or what cannot be lowered.
    pub fn rows(&mut self, a: &Analysis, nest: &Nest, mapping: &Mapping, name: &str) -> Lowers {
        let pieces = self.pieces(a, nest)?.expect("the mapping shares loops out");
        let layout = Layout::of(mapping);
        let kernel = self.shared_kernel(a, nest, name, &pieces, layout, &Stage::Whole)?;
        Ok(kernel.map(|kernel| Lowered { shared_out: shared_loops(&pieces), ..kernel.into() }))
    }

    /// Test that lanes or elements run along memory; `None` where elements alone serve as well.
    fn layout(&self, a: &Analysis, axis: &[LoopId], pieces: &[Piece]) -> Option<Layout> {
        let (lean, bytes) = self.lean(a, axis, pieces);
        let along_axis = lean > Lean::default();
        if along_axis && a.part.get_loop(axis[0]).most_iterations().is_some_and(|n| n >= enough::threads_that_fill()) {
            return None;
        }
        let block = self.request.block.lanes(!along_axis, if bytes == 0 { 8 } else { bytes })?;
        let (elements, lanes) = if along_axis { (1, 0) } else { (0, 1) };
        Some(Layout { elements, lanes, block })
    }

    /// Direction in which neighbours lie in memory, between an axis and the loops that are shared out, and the most bytes of an
    /// element that both move through. Arrays that both counters walk through weigh most: vectors stay in the cache.
    fn lean(&self, a: &Analysis, axis: &[LoopId], pieces: &[Piece]) -> (Lean, i64) {
        let of = |l: &LoopId| a.part.get_loop(*l).var;
        let axis_vars: Vec<VarId> = axis.iter().map(of).collect();
        let (mut lean, mut bytes) = (Lean::default(), 0);
        for (p, l) in leaves(pieces).into_iter().flat_map(|p| p.shared().iter().map(move |l| (p, l))) {
            for x in self.streams(a, p, *l) {
                if lean.add(x, &axis_vars, of(l)) {
                    bytes = bytes.max(scalar_type(&a.part.data[&x.data].elem).map_or(8, |ty| ty.size(64)));
                }
            }
        }
        (lean, bytes)
    }

    fn shared_kernel(
        &mut self,
        a: &Analysis,
        nest: &Nest,
        name: &str,
        pieces: &[Piece],
        layout: Layout,
        stage: &Stage,
    ) -> Result<Result<Kernel, Reason>, Failure> {
        let around = self.around(nest);
        let private = self.private.clone();
        let joins = if matches!(stage, Stage::Whole) { self.joins(a, nest)? } else { Joins::default() };
        let mut l = self.lowering(a);
        joins.divert(&mut l);
        l.private.retain(|v| !stage.leaves_out(*v));
        let (counters, mut body) = l.own_element(a, nest, layout.position(stage.block()));
        let mut stmts: Vec<k::Stmt> = stage.piece().into_iter().chain(counters).collect();
        let mut waiting: Vec<&Piece> = vec![];
        let mut n_sums = 0;
        for p in pieces.iter().filter(|p| stage.runs(a, p, &private)) {
            for before in std::mem::take(&mut waiting) {
                if pieces::meet(a, &private, &around, [before, p])? {
                    body.together(StmtKind::Barrier);
                    waiting.clear();
                    break;
                }
                waiting.push(before);
            }
            let at = Shared { nest, around: &around, layout, stage, n_sums };
            if let Err(reason) = l.piece(a, p, &at, &mut body)? {
                return Ok(Err(reason));
            }
            n_sums += p.sums().len();
            waiting.push(p);
        }
        body.flush();
        match l.own_data(&nest.body, &body.stmts) {
            Ok(own) => stmts.extend(own),
            Err(reason) => return Ok(Err(reason)),
        }
        stmts.extend(body.variables);
        stmts.extend(body.stmts);
        let count = l.n_elements(a, nest);
        let used = std::mem::take(&mut l.used);
        let mut kernel = self.kernel(a, name, used, stmts);
        kernel.tunables = (0..2).map(|d| Tunable { name: format!("BLOCK_{d}"), value: layout.block[d] }).collect();
        kernel.block = index::block(2);
        kernel.grid = vec![index::ceil_div(count, extent_of(layout.elements))];
        kernel.notes.push(self.in_parallel(a, nest));
        kernel.notes.push(self.note(a, pieces, layout));
        stage.complete(&mut kernel);
        Ok(Ok(kernel))
    }

    /// What the lanes do, in a person's words.
    fn note(&self, a: &Analysis, pieces: &[Piece], layout: Layout) -> String {
        let (mut loops, mut joined): (Vec<LoopId>, Vec<&str>) = (vec![], vec![]);
        for p in leaves(pieces) {
            loops.extend(p.shared());
            joined.extend(p.sums().iter().map(|x| x.op.noun()));
        }
        joined.dedup();
        let loops = format!("loop{} {}", if loops.len() == 1 { "" } else { "s" }, self.names_of(a, &loops));
        let threads = if layout.lanes == 1 { "neighbouring threads" } else { "rows of the block" };
        let joins = if joined.is_empty() { String::new() } else { format!(", which join a {}", joined.join(", a ")) };
        format!("{loops} of each element shared out over BLOCK_{} {threads}{joins}", layout.lanes)
    }
}

impl Lowering<'_> {
    /// The element of a thread: its counters' declarations, and a body for threads that have one.
    fn own_element(&mut self, a: &Analysis, nest: &Nest, position: Expr) -> (Vec<k::Stmt>, Body) {
        // Pieces stand in blocks of their own: what they share is declared before them.
        self.declares = false;
        let line = (self.line)(a.part.get_loop(nest.axes[0][0]).span);
        let declared = |var, value| {
            let kind = StmtKind::Let { var, ty: ScalarType::Index, init: Some(value) };
            k::Stmt { kind, line }
        };
        let body = |inside| Body { inside, line, stmts: vec![], pending: vec![], variables: vec![] };
        if let [axis] = nest.axes.as_slice() {
            let (var, value, compare) = self.own_counter(a, axis, position);
            let inside = self.within(a.part.get_loop(axis[0]), &var, compare);
            let inside = index::all(inside).expect("a loop has a limit");
            return (vec![declared(var, value)], body(inside));
        }
        let at = self.names.fresh("rt_at");
        let axes: Vec<&[LoopId]> = nest.axes.iter().map(Vec::as_slice).collect();
        let mut stmts = vec![declared(at.clone(), position)];
        let counts: Vec<Expr> = axes.iter().map(|x| extent::count(a.part.get_loop(x[0]), self)).collect();
        stmts.extend(self.counters_at(a, &axes, &counts, (&at, line)));
        let n = self.n_elements(a, nest);
        (stmts, body(index::binary(BinOp::Lt, index::var(at), n)))
    }

    /// Adds a piece to a body.
    fn piece(&mut self, a: &Analysis, p: &Piece, at: &Shared, body: &mut Body) -> Result<Result<(), Reason>, Failure> {
        let layout = at.layout;
        let done = match &p.by {
            By::Everyone => self.conditional(p, None).map(|stmts| body.pending.extend(stmts)),
            By::Owner => self.conditional(p, None).map(|stmts| body.owner(layout, None, stmts)),
            By::Within(_) => self.conditional(p, Some(at)).map(|stmts| body.pending.extend(stmts)),
            By::Nested(id) => return self.nested(a, (p, *id), at, body),
            By::Lanes(_, sums) => {
                let accumulators: Vec<String> = sums.iter().map(|x| self.accumulator(a, x, body)).collect();
                match at.stage.partials(at.n_sums, sums.len()) {
                    Some(partials) => {
                        let loops = sums.iter().zip(&accumulators).zip(partials);
                        loops.for_each(|((x, acc), from)| self.join_partials(a, x, acc, (from, at), body));
                    }
                    None => match self.conditional(p, Some(at)) {
                        Ok(stmts) => body.pending.extend(stmts),
                        Err(reason) => return Ok(Err(reason)),
                    },
                }
                let joins = sums.iter().zip(&accumulators).map(|(x, acc)| layout.join(x.op, acc));
                joins.for_each(|join| body.together(join));
                for (k, (x, acc)) in sums.iter().zip(&accumulators).enumerate() {
                    if let Some(store) = self.leave(a, at, k, acc) {
                        body.owner(layout, None, vec![k::Stmt { kind: store, line: body.line }]);
                    } else if let Err(reason) = self.add(a, x, acc, at.around, layout, body)? {
                        return Ok(Err(reason));
                    }
                }
                Ok(())
            }
        };
        Ok(done)
    }

    /// The statements of a piece under its conditions; a loop of it shared out where it is told how.
    fn conditional(&mut self, p: &Piece, shared: Option<&Shared>) -> Result<Vec<k::Stmt>, Reason> {
        let mut conditions = vec![];
        for tree in &p.conditions {
            let Tree::If { cond, expr, negated, .. } = tree else { unreachable!("conditions are trees of their own") };
            conditions.push(self.test(cond, expr.as_ref(), *negated)?);
        }
        let mut stmts = self.trees(std::slice::from_ref(p.tree))?;
        if let Some(at) = shared {
            let (lane, n_lanes) = at.stage.lane(at.layout);
            let all = match (&p.by, stmts.as_mut_slice()) {
                (By::Within(_), [k::Stmt { kind: StmtKind::For { body, .. }, .. }]) => body.as_mut_slice(),
                (_, all) => all,
            };
            let mut n_shared = 0;
            for s in all {
                if let StmtKind::For { lo, step, .. } = &mut s.kind {
                    *lo = index::add(lo.clone(), index::mul(lane.clone(), step.clone()));
                    *step = index::mul(step.clone(), n_lanes.clone());
                    n_shared += 1;
                }
            }
            assert_eq!(n_shared, p.shared().len(), "each lane has its share of every loop that is shared");
        }
        Ok(match index::all(conditions) {
            Some(cond) => {
                let line = stmts.first().map_or(0, |s| s.line);
                vec![k::Stmt { kind: StmtKind::If { cond, then: stmts, other: vec![] }, line }]
            }
            None => stmts,
        })
    }

    /// Declares the variable that a lane accumulates in, and sends the updates to it.
    fn accumulator(&mut self, a: &Analysis, x: &Sum, body: &mut Body) -> String {
        let (_, ty) = target(a, x);
        let base = self.name(x.data);
        let acc = self.names.fresh(&format!("rt_{base}"));
        let kind = StmtKind::Let { var: acc.clone(), ty, init: Some(identity(x.op, ty)) };
        body.variables.push(k::Stmt::made(kind));
        self.accumulators.extend(x.updates.iter().map(|s| (*s, acc.clone())));
        acc
    }

    /// Adds what the lanes joined to the variable of each, or to the element of their owner.
    fn add(
        &mut self,
        a: &Analysis,
        x: &Sum,
        acc: &str,
        around: &[LoopId],
        layout: Layout,
        body: &mut Body,
    ) -> Result<Result<(), Reason>, Failure> {
        Ok(self.added(a, x, acc, around)?.map(|(cond, stmts)| match self.private.contains(&x.data) {
            true => body.pending.extend(stmts),
            false => body.owner(layout, cond, stmts),
        }))
    }

    /// Statements that add a variable to what a sum goes to, and the condition under which that is there.
    fn added(&mut self, a: &Analysis, x: &Sum, acc: &str, around: &[LoopId]) -> Result<Result<Added, Reason>, Failure> {
        let (written, ty) = target(a, x);
        let first: StmtId = x.updates[0];
        self.name_counters(first);
        let line = (self.line)(a.part.stmt(first).body.span);
        let stmt = |kind| k::Stmt { kind, line };
        let is_own = self.private.contains(&x.data);
        if is_own && a.part.data[&x.data].shape.c_rank == 0 {
            let var = self.name(x.data);
            let stmts = reduce_op::join(self.names, x.op, ty, &var, index::var(acc)).into_iter().map(stmt).collect();
            return Ok(Ok((None, stmts)));
        }
        let target = match self.joined(a, first, written, around) {
            Ok(target) => target,
            Err(reason) => return Ok(Err(reason)),
        };
        let before = Expr::Load(target.clone());
        let (op, value) = match x.op.operator() {
            Some(op) => (Some(op), index::var(acc)),
            None => (None, reduce_op::choice(x.op, ty, before, index::var(acc))),
        };
        let cond = if is_own { None } else { runs::condition(a, &x.updates, around, &[], self)? };
        Ok(Ok((cond, vec![stmt(StmtKind::Store { target, op, value })])))
    }
}

/// The condition under which statements run, and those.
type Added = (Option<Expr>, Vec<k::Stmt>);
