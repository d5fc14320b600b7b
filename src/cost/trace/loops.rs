//! Positions and loops: what each sampled warp has for a position or a counter.

use super::{Node, State, Walker, product};
use crate::ast::BinOp;
use crate::cost::value::{Form, LANES, Lanes, Operation, Origin, SAMPLES, Symbol, spread};
use crate::cost::work::Kind;
use crate::cost::{Assumption, Sizes};
use crate::kernel::{Expr, ScalarType, Stmt, StmtKind};
use std::collections::BTreeSet;

/// The most iterations of a loop that nvcc unrolls as a whole.
const UNROLLED: i64 = 32;
/// How many iterations of a loop that stores nothing nvcc starts at once.
const IN_FLIGHT: i64 = 4;

/// Instructions of nvcc in front of an innermost loop whose step it does not know: how often it runs, to unroll it.
const DIVISION: f64 = 30.0;

/// From where to where a counter runs, where that is known.
pub(super) struct Course {
    pub lo: Form,
    pub hi: Form,
    pub step: Form,
    /// Flag: the compiler knows all of it.
    pub is_compiled: bool,
}

impl<'k> Walker<'k> {
    /// Spreads the samples over grid and block.
    pub(super) fn positions(&mut self, grid: &[i64], block: &[i64], mut state: State) -> State {
        for (k, n) in grid.iter().enumerate() {
            let at = |sample: usize| place(*n, sample, k);
            let lanes = Box::new(std::array::from_fn(|sample| [at(sample); LANES]));
            let s = self.out.symbols.base(Origin::Block, *n, lanes);
            self.out.grid_symbols.push(s);
        }
        let threads = product(block);
        let n_warps = Operation::CeilDiv.apply(threads, LANES as i64);
        // A grid of one dimension and a block of several warps must not be in step.
        let linear = |sample: usize, lane: usize| place(n_warps, sample, 3) * LANES as i64 + lane as i64;
        for (d, n) in block.iter().enumerate() {
            let inner = product(&block[d + 1..]);
            let at = |sample: usize, lane: usize| linear(sample, lane) / inner % n;
            let lanes = Box::new(std::array::from_fn(|sample| std::array::from_fn(|lane| at(sample, lane))));
            let s = self.out.symbols.base(Origin::Thread, *n, lanes);
            self.out.thread_symbols.push(s);
        }
        let active =
            |sample: usize| (0..LANES).fold(0, |m, lane| m | u32::from(linear(sample, lane) < threads) << lane);
        state.mask = std::array::from_fn(active);
        state
    }

    pub(super) fn for_loop(&mut self, stmt: &'k Stmt) {
        let StmtKind::For { var, lo, hi, step, body, .. } = &stmt.kind else { return };
        let is_compiled = [lo, hi, step].into_iter().all(|e| self.is_compiled(e));
        let course = Course { lo: self.form(lo), hi: self.form(hi), step: self.form(step), is_compiled };
        let is_innermost = !contains(body, &|s| matches!(s, StmtKind::For { .. } | StmtKind::While { .. }));
        if is_innermost && !self.is_compiled(step) {
            self.spend(Kind::Int32.work(DIVISION));
        }
        let state = self.state;
        let unroll = self.unroll.filter(|_| stmt.is_reading_loop());
        let symbol = self.enter(Some(&course), body, unroll);
        let mut position = course.lo.clone();
        if self.out.symbols.most(symbol) > 1 {
            let moved = self.out.symbols.derived(Operation::Mul, &Form::symbol(symbol), &course.step);
            position = position.plus(&moved, 1);
        }
        self.kinds.insert(var, ScalarType::Index);
        self.env.insert(var, position);
        self.iterate(body, &[]);
        self.state = state;
    }

    pub(super) fn while_loop(&mut self, stmt: &'k Stmt) {
        let StmtKind::While { cond, step, body } = &stmt.kind else { return };
        let state = self.state;
        let steps = inductions(body, step);
        let course = self.course(cond, &steps, body, step);
        let first: Vec<Option<Form>> = steps.iter().map(|(var, _)| self.env.get(var).cloned()).collect();
        let symbol = self.enter(course.as_ref(), body, None);
        self.invalidate([body, step]);
        // Where the loop begins only the data may know, but from there on it goes in steps.
        for ((var, by), first) in steps.into_iter().zip(first) {
            let moved = first.map(|f| f.plus(&Form::symbol(symbol), by));
            self.env.extend(moved.map(|f| (var, f)));
        }
        let condition = self.condition(cond);
        if course.is_some() {
            self.restrict(condition);
        }
        self.iterate(body, step);
        self.state = state;
    }

    /// The course of a `while` that counts.
    fn course(
        &mut self,
        cond: &'k Expr,
        steps: &[(&'k str, i64)],
        body: &'k [Stmt],
        step: &'k [Stmt],
    ) -> Option<Course> {
        let Expr::Binary(op @ (BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge), a, b) = cond else { return None };
        let Expr::Var(var) = &**a else { return None };
        let (_, by) = *steps.iter().find(|(name, _)| name == var)?;
        let assigned = assigned([body, step]);
        if assigned.iter().any(|name| b.mentions(name)) || (by > 0) != matches!(op, BinOp::Lt | BinOp::Le) {
            return None;
        }
        let (lo, hi) = (self.env.get(var.as_str())?.clone(), self.form(b));
        let beyond = match op {
            BinOp::Le => 1,
            BinOp::Ge => -1,
            _ => 0,
        };
        let hi = hi.plus(&Form::constant(beyond), 1);
        let is_known = !self.out.symbols.is_data(&lo) && !self.out.symbols.is_data(&hi);
        is_known.then(|| Course { lo, hi, step: Form::constant(by), is_compiled: false })
    }

    /// Enters a loop: every sampled warp looks at one of its iterations.
    fn enter(&mut self, course: Option<&Course>, body: &'k [Stmt], unroll: Option<i64>) -> Symbol {
        let outer = self.state;
        let trips: Option<Lanes> = course.and_then(|c| self.trips(c));
        let mut mean = [0.0; SAMPLES];
        let mut looked_at = [[0i64; LANES]; SAMPLES];
        let which = 4 + self.scopes.len();
        if trips.is_none() {
            self.out.assumed.insert(Assumption::Trips);
        }
        let assumed = self.sizes.trips.unwrap_or(Sizes::TRIPS);
        for s in 0..SAMPLES {
            let active = |lane: &usize| outer.mask[s] >> lane & 1 == 1;
            let most = trips.as_ref().map(|t| (0..LANES).filter(active).map(|lane| t[s][lane]).max().unwrap_or(0));
            mean[s] = most.map_or(assumed, |n| n as f64);
            let at = place(mean[s].round() as i64, s, which);
            looked_at[s] = [at; LANES];
            if let Some(t) = &trips {
                let stays = (0..LANES).fold(0, |m, lane| m | u32::from(at < t[s][lane]) << lane);
                self.state.mask[s] &= stays;
            }
            self.state.weight[s] *= mean[s];
            if mean[s] == 0.0 {
                self.state.reach[s] = 0.0;
            }
        }
        let weights: f64 = (0..SAMPLES).filter(|s| outer.mask[*s] != 0).map(|s| outer.weight[s]).sum();
        let runs: f64 = (0..SAMPLES).filter(|s| outer.mask[*s] != 0).map(|s| outer.weight[s] * mean[s]).sum();
        let count = if weights > 0.0 { runs / weights } else { 0.0 };
        let node = self.out.nodes.len();
        let parent = self.scopes.last().map(|s| s.node);
        let seen = mean.iter().fold(1.0, |most: f64, n| most.max(n.round())) as i64;
        let most = course.and_then(|c| self.most_trips(c)).map_or(seen, |n| n.max(seen)).min(Sizes::MOST);
        let in_mean = (count.round() as i64).clamp(1, most);
        let symbol = self.out.symbols.counter(Origin::Loop(node), in_mean, most, Box::new(looked_at));
        self.out.nodes.push(Node { parent, symbol: Some(symbol), trips: count });
        let mut scope = self.scope(Some(symbol), node, self.state);
        scope.outer = outer;
        scope.trips = mean;
        scope.is_unrolled = course.is_some_and(|c| c.is_compiled) && mean.iter().all(|n| *n <= UNROLLED as f64);
        scope.stored = stored(body);
        let has_barrier =
            contains(body, &|s| matches!(s, StmtKind::Barrier | StmtKind::While { .. }) || s.is_of_grid());
        let is_written =
            scope.stored.iter().any(|a| self.arrays.get(a).is_some_and(|a| a.space == super::Space::Global));
        let in_flight = unroll.unwrap_or(if has_barrier || is_written || course.is_none() { 1 } else { IN_FLIGHT });
        scope.flight = (in_flight as f64).min(count.max(1.0));
        self.scopes.push(scope);
        symbol
    }

    /// How often the loop runs in each lane; `None` where only the data know.
    fn trips(&mut self, c: &Course) -> Option<Lanes> {
        let symbols = &mut self.out.symbols;
        if symbols.is_data(&c.lo) || symbols.is_data(&c.hi) || symbols.is_data(&c.step) {
            return None;
        }
        let step = symbols.lanes(&c.step);
        let mut trips = symbols.lanes(&c.hi.plus(&c.lo, -1));
        for (n, step) in trips.iter_mut().flatten().zip(step.iter().flatten()) {
            *n = Operation::CeilDiv.apply(*n, *step).max(0);
        }
        Some(trips)
    }

    /// Most runs of the loop, over all threads, blocks and iterations around it.
    fn most_trips(&self, c: &Course) -> Option<i64> {
        let symbols = &self.out.symbols;
        if symbols.is_data(&c.lo) || symbols.is_data(&c.hi) || symbols.is_data(&c.step) {
            return None;
        }
        let (least, greatest) = symbols.bounds(&c.step);
        let way = if least > 0 { 1 } else { -1 };
        let step = if least > 0 { least } else { greatest.saturating_neg() };
        let far = symbols.upper(&c.hi.plus(&c.lo, -1).times(way));
        (step > 0).then(|| Operation::CeilDiv.apply(far, step).max(0))
    }

    /// The body of the loop that was entered, and its end.
    fn iterate(&mut self, body: &'k [Stmt], step: &'k [Stmt]) {
        self.body(body);
        self.body(step);
        if self.scopes.last().is_some_and(|s| !s.is_unrolled) {
            // The counter, and a comparison with a jump.
            self.spend(Kind::Int32.work(2.0));
        }
        self.leave_scope();
        self.invalidate([body, step]);
    }

    /// Forgets what integers are that these statements assign.
    pub(super) fn invalidate(&mut self, bodies: [&'k [Stmt]; 2]) {
        for var in assigned(bodies) {
            if !self.kind(var).is_float() {
                let unknown = self.unknown(None);
                self.env.insert(var, unknown);
            }
        }
    }
}

/// Which one of so many a sample looks at.
fn place(n: i64, sample: usize, which: usize) -> i64 {
    ((spread(sample, which) * n as f64) as i64).clamp(0, (n - 1).max(0))
}

/// The variables that only grow or shrink by a constant, once in each iteration.
fn inductions<'k>(body: &'k [Stmt], step: &'k [Stmt]) -> Vec<(&'k str, i64)> {
    let by = |s: &'k Stmt| match &s.kind {
        StmtKind::Assign { var, op: Some(BinOp::Add), value: Expr::Int(n) } => Some((var.as_str(), *n)),
        StmtKind::Assign { var, op: Some(BinOp::Sub), value: Expr::Int(n) } => Some((var.as_str(), n.wrapping_neg())),
        _ => None,
    };
    let mut times: Vec<&str> = vec![];
    crate::kernel::walk::visit(body, &mut |s| times.extend(s.assigns()));
    crate::kernel::walk::visit(step, &mut |s| times.extend(s.assigns()));
    let once = |name: &str| times.iter().filter(|n| **n == name).count() == 1;
    body.iter().chain(step).filter_map(by).filter(|(name, _)| once(name)).collect()
}

/// The variables that statements assign.
fn assigned(bodies: [&[Stmt]; 2]) -> BTreeSet<&str> {
    let mut out = BTreeSet::new();
    bodies.into_iter().for_each(|body| crate::kernel::walk::visit(body, &mut |s| out.extend(s.assigns())));
    out
}

/// The arrays that statements store to.
fn stored(body: &[Stmt]) -> BTreeSet<&str> {
    let mut out = BTreeSet::new();
    crate::kernel::walk::visit(body, &mut |s| match &s.kind {
        StmtKind::Store { target, .. } | StmtKind::Atomic { target, .. } | StmtKind::BlockReduce { target, .. } => {
            out.insert(target.array.as_str());
        }
        _ => {}
    });
    out
}

fn contains(body: &[Stmt], such: &dyn Fn(&StmtKind) -> bool) -> bool {
    let mut found = false;
    crate::kernel::walk::visit(body, &mut |s| found |= such(&s.kind));
    found
}
