//! Statements, in order.

use super::{Space, Use, Walker, product};
use crate::ast::BinOp;
use crate::cost::Assumption;
use crate::cost::value::{Form, LANES, SAMPLES};
use crate::cost::work::{self, Kind, Value, Work};
use crate::kernel::{Access, Expr, Function, ReduceOp, ScalarType, Stmt, StmtKind, walk};

/// The deepest calls of functions that are followed.
const DEEPEST: usize = 8;

impl<'k> Walker<'k> {
    pub(super) fn body(&mut self, body: &'k [Stmt]) {
        for s in body {
            self.line = if s.line == 0 { self.line } else { s.line };
            self.stmt(s);
        }
    }

    fn stmt(&mut self, s: &'k Stmt) {
        match &s.kind {
            StmtKind::Let { var, ty, init } => self.let_(var, *ty, init.as_ref()),
            StmtKind::LocalArray { name, ty, extents } => {
                let extents: Vec<i64> = extents.iter().map(|e| self.number(e)).collect();
                self.declare(name, *ty, Space::Local, &extents, true);
            }
            StmtKind::OnChip { name, ty, rows, .. } => {
                let extents = if rows.is_some() { &[1, 1][..] } else { &[1] };
                self.declare(name, *ty, Space::Local, extents, true);
            }
            StmtKind::Shared { name, ty, extents } => {
                let extents: Vec<i64> = extents.iter().map(|e| self.number(e)).collect();
                self.declare(name, *ty, Space::Shared, &extents, true);
                let bytes = product(&extents).max(1).saturating_mul(ty.size(self.index_bits));
                self.out.shared_bytes = self.out.shared_bytes.saturating_add(bytes);
            }
            StmtKind::Assign { var, op, value } => self.assign(var, *op, value),
            StmtKind::Store { target, op, value } => self.store(target, *op, value),
            StmtKind::Atomic { target, value, .. } => {
                self.value(value);
                let address = self.address(target);
                self.record(target, Use::Atomic, &address);
            }
            StmtKind::LoadVector { array, source, .. } => self.vectors(source, Use::Load, array),
            StmtKind::StoreVector { target, array } => self.vectors(target, Use::Store, array),
            StmtKind::CopyAsync { target, source, count } => {
                let count = self.number(count).max(1);
                for (access, use_) in [(source, Use::Load), (target, Use::Store)] {
                    let address = self.address(access);
                    self.record_vector(access, use_, &address, count);
                }
            }
            StmtKind::CommitCopies | StmtKind::WaitCopies { .. } => {}
            StmtKind::BlockReduce { op, ty, value, target } => self.block_reduce(*op, *ty, value, target),
            StmtKind::Join { op, var, extent, stride } => {
                let threads = self.number(extent).saturating_mul(self.number(stride));
                let kind = self.kind(var);
                self.join(*op, kind, threads > LANES as i64);
            }
            StmtKind::WarpScan { op, var, .. } => {
                let kind = self.kind(var);
                self.join(*op, kind, false);
            }
            StmtKind::Begin { var, .. } => {
                self.kinds.insert(var, ScalarType::Index);
                let number = self.out.grid_symbols.first().map_or(Form::default(), |s| Form::symbol(*s));
                self.env.insert(var, number);
                self.barrier();
            }
            StmtKind::ScanBlocks { op, var, block, start, .. } => {
                [block, start].into_iter().for_each(|e| drop(self.value(e)));
                let kind = self.kind(var);
                self.join(*op, kind, true);
            }
            StmtKind::Mma { shape, a, b, .. } => {
                a.iter().chain(b).for_each(|e| drop(self.value(e)));
                // A warp's units for matrices take half as long for each product as those for numbers.
                let products = shape.rows * shape.columns * shape.depth / LANES as i64;
                self.spend(Kind::F64.work(products as f64 / 2.0));
            }
            StmtKind::If { cond, then, other } => self.if_(cond, then, other),
            StmtKind::For { .. } => self.for_loop(s),
            StmtKind::While { .. } => self.while_loop(s),
            StmtKind::Phase { body, .. } => self.body(body),
            StmtKind::Barrier => self.barrier(),
            StmtKind::GridBarrier | StmtKind::GridWait { .. } => {
                self.out.grid_barriers += self.state.runs();
                self.barrier();
            }
            StmtKind::Break | StmtKind::Continue => {
                self.out.assumed.insert(Assumption::Exit);
            }
            StmtKind::Return(value) => {
                value.iter().for_each(|e| drop(self.value(e)));
            }
        }
    }

    /// As many elements together as an array of the thread has.
    fn vectors(&mut self, access: &'k Access, use_: Use, array: &str) {
        let count =
            self.arrays.get(array).and_then(|a| Some(a.bytes? / a.ty.size(self.index_bits))).unwrap_or(1).max(1);
        let address = self.address(access);
        self.record_vector(access, use_, &address, count);
    }

    fn let_(&mut self, var: &'k str, ty: ScalarType, init: Option<&'k Expr>) {
        self.kinds.insert(var, ty);
        self.env.remove(var);
        self.conjunctions.remove(var);
        let Some(init) = init else { return };
        if matches!(init, Expr::Int(1)) {
            self.conjunctions.insert(var, (self.scopes.len(), 1.0));
        }
        let value = self.value(init);
        if !Kind::of(ty, self.index_bits).is_float() {
            let form = value.form.unwrap_or_else(|| self.unknown(None));
            let form = self.within(var, form);
            self.env.insert(var, form);
        }
    }

    fn assign(&mut self, var: &'k str, op: Option<BinOp>, value: &'k Expr) {
        self.conjoin(var, op, value);
        let v = self.value(value);
        let kind = self.kind(var).max(v.kind);
        if kind.is_float() {
            self.update(op, kind, value);
            return;
        }
        let form = match (op, v.form, self.env.get(var).cloned()) {
            (None, Some(form), _) => form,
            (Some(op), Some(form), Some(before)) => self.combined(op, &before, &form),
            _ => self.unknown(None),
        };
        if let Some(op) = op {
            self.spend_integer(work::of_operator(op, kind, false), Some(&form));
        }
        self.env.insert(var, form);
    }

    /// The operator of a compound assignment, unless it is fused with a product.
    fn update(&mut self, op: Option<BinOp>, kind: Kind, value: &Expr) {
        let Some(op) = op else { return };
        let is_product = matches!(value, Expr::Binary(BinOp::Mul, ..));
        if !(is_product && kind.is_float() && matches!(op, BinOp::Add | BinOp::Sub)) {
            self.spend(work::of_operator(op, kind, false));
        }
    }

    fn store(&mut self, target: &'k Access, op: Option<BinOp>, value: &'k Expr) {
        let v = self.value(value);
        let address = self.address(target);
        if op.is_some() {
            self.record(target, Use::Load, &address);
            let kind = self.arrays.get(target.array.as_str()).map_or(v.kind, |a| Kind::of(a.ty, self.index_bits));
            self.update(op, kind.max(v.kind), value);
        }
        self.record(target, Use::Store, &address);
    }

    fn if_(&mut self, cond: &'k Expr, then: &'k [Stmt], other: &'k [Stmt]) {
        let condition = self.condition(cond);
        let is_rare = walk::is_rare(cond);
        let (state, lengths) = (self.state, self.seen());
        for (c, body) in [(condition, then), (condition.negated(), other)] {
            self.restrict(c);
            let env = self.env.clone();
            // What hardly ever runs takes no time.
            let body = if is_rare && std::ptr::eq(body, then) { &[] } else { body };
            let is_missed = c.decided.is_none() && !body.is_empty() && self.state.mask == [0; SAMPLES];
            if is_missed && state.mask != [0; SAMPLES] {
                self.out.assumed.insert(Assumption::Unreached);
                let warps = self.out.blocks() * self.out.warps();
                self.state = state;
                self.state.alone(warps, c.is_of_loops);
            }
            if self.state.mask != [0; SAMPLES] {
                self.body(body);
            } else {
                self.shapes(body);
            }
            self.env = env;
            self.forget(&lengths);
            self.state = state;
        }
        self.invalidate([then, other]);
    }

    /// Of what no sampled warp runs, shared memory counts all the same.
    fn shapes(&mut self, body: &'k [Stmt]) {
        crate::kernel::walk::visit(body, &mut |s| {
            if let StmtKind::Shared { .. } = s.kind {
                self.stmt(s);
            }
        });
    }

    /// How much each scope has in registers; what a branch adds is not there behind it.
    pub(super) fn seen(&self) -> Vec<usize> {
        self.scopes.iter().map(|s| s.seen.len()).collect()
    }

    pub(super) fn forget(&mut self, lengths: &[usize]) {
        self.scopes.iter_mut().zip(lengths).for_each(|(s, n)| s.seen.truncate(*n));
    }

    /// All threads of a block wait; what others have written is to be loaded again.
    fn barrier(&mut self) {
        self.out.barriers += self.state.runs();
        let arrays = &self.arrays;
        for s in &mut self.scopes {
            s.seen.retain(|(name, _)| arrays.get(name).is_some_and(|a| !a.is_written));
        }
        if let Some(s) = self.scopes.iter_mut().rev().find(|s| !s.is_unrolled) {
            s.done += s.segment;
            s.segment = 0;
        }
    }

    /// Shuffles within warps; then one value a warp through shared memory.
    fn join(&mut self, op: ReduceOp, kind: Kind, is_of_block: bool) {
        let words = if matches!(kind, Kind::F64 | Kind::Int64) { 2.0 } else { 1.0 };
        let steps = f64::from((LANES as u32).ilog2()) * if is_of_block { 2.0 } else { 1.0 };
        let each = match op {
            ReduceOp::Add | ReduceOp::Mul | ReduceOp::And | ReduceOp::Or | ReduceOp::Xor => 1.0,
            _ => 2.0,
        };
        self.spend(kind.work(each * steps));
        self.spend(Work { memory: words * steps, ..Work::default() });
        if is_of_block {
            self.barrier();
            self.barrier();
        }
    }

    fn block_reduce(&mut self, op: ReduceOp, ty: ScalarType, value: &'k Expr, target: &'k Access) {
        self.value(value);
        self.join(op, Kind::of(ty, self.index_bits), true);
        self.out.shared_bytes += LANES as i64 * ty.size(self.index_bits);
        let address = self.address(target);
        // One thread stores.
        let state = self.state;
        let mut first = Form::default();
        for (k, s) in self.out.thread_symbols.clone().into_iter().enumerate() {
            first = first.plus(&Form::symbol(s), 1 << (10 * k));
        }
        let lanes = self.out.symbols.lanes(&first);
        for (mask, lanes) in self.state.mask.iter_mut().zip(lanes) {
            *mask &= lanes.iter().enumerate().fold(0, |m, (lane, at)| m | u32::from(*at == 0) << lane);
        }
        self.record(target, Use::Store, &address);
        self.state = state;
    }

    /// A call of a function of the user's.
    pub(super) fn inlined(&mut self, f: &'k Function, arguments: Vec<Value>) {
        if self.calls >= DEEPEST {
            return;
        }
        self.calls += 1;
        let (kinds, env, state) = (self.kinds.clone(), self.env.clone(), self.state);
        for (p, v) in f.params.iter().zip(arguments) {
            self.kinds.insert(&p.name, p.ty);
            match v.form.filter(|_| !Kind::of(p.ty, self.index_bits).is_float()) {
                Some(form) => self.env.insert(&p.name, form),
                None => self.env.remove(p.name.as_str()),
            };
        }
        self.body(&f.body);
        (self.kinds, self.env, self.state) = (kinds, env, state);
        self.calls -= 1;
    }
}
