//! Barriers under thread-dependent control, and shared arrays used without a barrier between.
//!
//! Two forward analyses in one walk. *Divergence*: the set of variables and local arrays whose value may depend on
//! the thread only grows, so the walk is repeated until it does not. *Intervals*: what was stored to and loaded from
//! each shared array since the last barrier; paths join by union, and a loop is walked twice, the second time with
//! what reaches its head from its end. (Divergence as in Coutinho et al., "Divergence analysis and optimizations",
//! PACT 2011, on structured control instead of a graph.)

use super::finding::Findings;
use super::shape;
use crate::ast::BinOp;
use crate::kernel::{Access, Expr, Kernel, Stmt, StmtKind};
use interval::{GoneOn, State, Use, UseKind};
use std::collections::BTreeSet;
use walk::{Among, Loop, Walk, Walked};

mod copies;
mod interval;
mod lets;
mod stages;
mod walk;

pub(super) fn check(kernel: &Kernel, findings: &mut Findings) {
    among(Among::Block, BTreeSet::new(), kernel, findings);
    if kernel.resident.is_some() {
        let by_block = among(Among::Blocks, BTreeSet::new(), kernel, findings);
        among(Among::Grid, by_block, kernel, findings);
    }
}

/// Looks at the barriers of a block, or at those of the grid; gives what differs, beside what is known to.
fn among<'a>(
    among: Among,
    divergent: BTreeSet<&'a str>,
    kernel: &'a Kernel,
    findings: &mut Findings,
) -> BTreeSet<&'a str> {
    let mut walk = Walk { divergent, ..Walk::new(kernel, among) };
    let mut known = usize::MAX;
    while known != walk.divergent.len() {
        known = walk.divergent.len();
        walk.state = State::default();
        walk.findings = Findings::default();
        walk.walked.clear();
        walk.body(&kernel.body);
        walk.check_waited();
    }
    walk.findings.0.into_iter().for_each(|finding| findings.0.push(finding));
    walk.divergent
}

impl<'a> Walk<'a> {
    fn body(&mut self, body: &'a [Stmt]) {
        body.iter().for_each(|stmt| self.stmt(stmt));
    }

    fn stmt(&mut self, stmt: &'a Stmt) {
        let is_loop = matches!(stmt.kind, StmtKind::For { .. } | StmtKind::While { .. });
        if let StmtKind::If { cond, .. } = &stmt.kind {
            self.condition(stmt, cond);
        } else if !is_loop {
            stmt.exprs().into_iter().for_each(|e| self.loads(stmt, e));
        }
        match &stmt.kind {
            StmtKind::Let { var, init, .. } => {
                if init.as_ref().is_some_and(|init| self.depends(init)) {
                    self.divergent.insert(var);
                }
            }
            StmtKind::Assign { var, value, .. } => {
                if self.diverged || self.depends(value) {
                    self.divergent.insert(var);
                }
            }
            StmtKind::Store { target, op, value } => {
                self.note_value(target, self.depends(value));
                if op.is_some() {
                    self.load(stmt, target);
                }
                self.store(stmt, target, UseKind::Store);
            }
            StmtKind::LoadVector { array, source, .. } => {
                self.load(stmt, source);
                if self.diverged || self.depends(&Expr::Load(source.clone())) {
                    self.divergent.insert(array);
                }
            }
            StmtKind::StoreVector { target, array } => {
                self.note_value(target, self.divergent.contains(array.as_str()));
                self.store(stmt, target, UseKind::Store);
            }
            StmtKind::CopyAsync { target, source, count } => self.copy(stmt, target, source, count),
            StmtKind::Mma { c, .. } => self.product(stmt, c),
            StmtKind::CommitCopies => self.commit(stmt),
            StmtKind::WaitCopies { pending } => self.wait(stmt, pending),
            StmtKind::Atomic { target, .. } => self.store(stmt, target, UseKind::Atomic),
            StmtKind::BlockReduce { value, target, .. } => {
                self.barrier(stmt);
                if self.among == Among::Blocks && (self.diverged || self.depends(value)) {
                    self.divergent.insert(&target.array);
                }
                self.store(stmt, target, UseKind::Store);
            }
            StmtKind::Join { .. } => self.meeting(stmt),
            StmtKind::WarpScan { .. } | StmtKind::ScanBlocks { .. } => {
                self.meeting(stmt);
                self.divergent.extend(stmt.assigns());
            }
            StmtKind::Begin { var, .. } => {
                self.meeting(stmt);
                if self.among != Among::Block {
                    self.divergent.insert(var);
                }
            }
            StmtKind::Barrier | StmtKind::GridBarrier => self.barrier(stmt),
            StmtKind::GridWait { across } => {
                across.iter().for_each(|e| self.loads(stmt, e));
                self.barrier(stmt);
            }
            StmtKind::Phase { body, .. } => self.body(body),
            StmtKind::If { cond, then, other } => self.if_stmt(cond, then, other),
            StmtKind::For { var, lo, hi, step, body, .. } => {
                [lo, hi, step].into_iter().for_each(|e| self.loads(stmt, e));
                let divergent = [lo, hi, step].into_iter().any(|e| self.depends(e));
                if divergent {
                    self.divergent.insert(var);
                }
                let counter = Some((var.as_str(), shape::default_value(self.kernel, step)));
                self.loop_once(stmt, divergent, counter, |walk| walk.body(body), |_| ());
            }
            StmtKind::While { cond, step, body } => {
                self.loads(stmt, cond);
                let divergent = self.depends(cond);
                let next = |walk: &mut Self| {
                    walk.body(step);
                    walk.loads(stmt, cond);
                };
                self.loop_once(stmt, divergent, None, |walk| walk.body(body), next);
            }
            StmtKind::Break | StmtKind::Continue => self.jump(matches!(stmt.kind, StmtKind::Break)),
            StmtKind::LocalArray { .. } | StmtKind::OnChip { .. } | StmtKind::Shared { .. } | StmtKind::Return(_) => (),
        }
    }

    /// A product of matrices: what threads hold of it differs.
    fn product(&mut self, stmt: &Stmt, c: &'a [Access]) {
        if self.among == Among::Block && self.diverged {
            let message = "is a product of matrices that only some threads of a warp may reach";
            self.findings.add(Some(stmt), message.into());
        }
        c.iter().for_each(|x| self.note_value(x, true));
    }

    fn if_stmt(&mut self, cond: &Expr, then: &'a [Stmt], other: &'a [Stmt]) {
        let outer = self.diverged;
        self.diverged |= self.depends(cond);
        let before = self.state.clone();
        self.body(then);
        let after_then = std::mem::replace(&mut self.state, before);
        self.body(other);
        self.state.join(&after_then);
        // A `break` or `continue` of some threads leaves the others behind it.
        self.diverged = outer || self.loops.last().is_some_and(|l| l.divergent);
    }

    /// Walks a loop, if it was not walked from here before.
    fn loop_once(
        &mut self,
        stmt: &'a Stmt,
        divergent: bool,
        counter: Option<(&'a str, Option<i64>)>,
        body: impl Fn(&mut Self),
        next: impl Fn(&mut Self),
    ) {
        let (diverged, known) = (self.diverged, self.divergent.len());
        let earlier = self.walked.get(&std::ptr::from_ref(stmt)).into_iter().flatten();
        let same = |w: &&Walked| w.diverged == diverged && w.divergent == known && w.before == self.state;
        if let Some(after) = { earlier }.find(same).map(|w| w.after.clone()) {
            self.state = after;
            return;
        }
        let before = self.state.clone();
        self.loop_stmt(divergent, counter, body, next);
        let walked = Walked { diverged, divergent: known, before, after: self.state.clone() };
        self.walked.entry(stmt).or_default().push(walked);
    }

    /// Walks a loop twice, and once more if what happens in an iteration is of account in the next but one; `next` is
    /// what runs after each iteration.
    fn loop_stmt(
        &mut self,
        divergent: bool,
        counter: Option<(&'a str, Option<i64>)>,
        body: impl Fn(&mut Self),
        next: impl Fn(&mut Self),
    ) {
        let outer = self.diverged;
        let mut current = Loop { divergent, ..Loop::default() };
        for n_walked in 1..=3 {
            self.diverged = outer || current.divergent;
            let before = self.state.clone();
            self.loops.push(current);
            body(self);
            current = self.loops.pop().expect("pushed above");
            self.state.join(&current.next);
            next(self);
            let is_seen = counter.is_none_or(|counter| self.go_on(counter));
            self.state.join(&before);
            if n_walked == 2 && is_seen {
                break;
            }
        }
        self.state.join(&current.exit);
        if let Some((counter, _)) = counter {
            self.end_loop(counter);
        }
        self.diverged = outer;
    }

    fn jump(&mut self, is_break: bool) {
        let Some(current) = self.loops.last_mut() else { return };
        current.divergent |= self.diverged;
        let state = if is_break { &mut current.exit } else { &mut current.next };
        state.join(&self.state);
    }

    fn barrier(&mut self, stmt: &Stmt) {
        self.meeting(stmt);
        if self.among == Among::Block || stmt.is_of_grid() {
            self.state.uses.clear();
        }
    }

    /// Threads wait for each other here: all of the block, or of the grid.
    fn meeting(&mut self, stmt: &Stmt) {
        match self.among {
            Among::Block if self.diverged => {
                self.findings.add(Some(stmt), "is a barrier that only some threads of a block may reach".into());
            }
            Among::Grid if self.diverged && stmt.is_of_grid() => {
                self.findings.add(Some(stmt), "is a barrier that only some threads of the grid may reach".into());
            }
            _ => {}
        }
    }

    /// The loads of a condition: what stands behind `&&` is for the threads for which what is before it holds.
    fn condition(&mut self, stmt: &Stmt, e: &'a Expr) {
        let Expr::Binary(BinOp::And, a, b) = e else { return self.loads(stmt, e) };
        self.condition(stmt, a);
        let outer = self.diverged;
        self.diverged |= self.depends(a);
        self.condition(stmt, b);
        self.diverged = outer;
    }

    fn loads(&mut self, stmt: &Stmt, e: &'a Expr) {
        if let Expr::Load(access) = e {
            self.load(stmt, access);
        }
        e.children().into_iter().for_each(|child| self.loads(stmt, child));
    }

    fn load(&mut self, stmt: &Stmt, access: &'a Access) {
        if !self.is_watched(&access.array) {
            return;
        }
        if self.among == Among::Block && !self.state.stored.contains(access.array.as_str()) {
            self.findings.add(Some(stmt), format!("`{access}` is loaded before any store to it"));
        }
        self.check_arrived(stmt, access, UseKind::Load);
        self.meet(stmt, access, UseKind::Load, is_vector(stmt));
    }

    fn store(&mut self, stmt: &'a Stmt, access: &'a Access, kind: UseKind) {
        if !self.is_watched(&access.array) {
            return;
        }
        self.check_arrived(stmt, access, kind);
        self.meet(stmt, access, kind, is_vector(stmt));
        self.state.stored.insert(&access.array);
    }

    /// Notes a use, and finds an earlier use of the interval that it conflicts with.
    fn meet(&mut self, stmt: &Stmt, access: &'a Access, kind: UseKind, is_wide: bool) {
        // Only one thread gets at this element: its own, or that of the guard. Of the grid's threads, each time.
        let alone = self.diverged || access.index.iter().any(|e| self.depends(e));
        let conflict = self.state.uses.iter().find(|earlier| {
            earlier.access.array == access.array
                && !(earlier.access == access
                    && earlier.is_wide == is_wide
                    && alone
                    && (self.among == Among::Block || earlier.alone))
                && !(earlier.kind == kind && kind != UseKind::Store)
                && !(earlier.kind == UseKind::Load && loads(stmt, earlier.access))
                && !(self.among == Among::Block && self.are_apart((earlier.access, &earlier.gone_on), access))
        });
        if let Some(earlier) = conflict {
            let (earlier, did, does) = (earlier.access, earlier.kind.verb(), kind.verb());
            let message = format!("`{access}` is {does} after `{earlier}` was {did}, with no barrier between");
            self.findings.add(Some(stmt), message);
        }
        self.state.note(Use { access, kind, is_wide, alone, gone_on: GoneOn::new() });
    }
}

fn is_vector(stmt: &Stmt) -> bool {
    matches!(stmt.kind, StmtKind::LoadVector { .. } | StmtKind::StoreVector { .. })
}

/// Test that a statement itself loads an element.
fn loads(stmt: &Stmt, access: &Access) -> bool {
    stmt.exprs().into_iter().any(|e| e.any(&mut |e| matches!(e, Expr::Load(loaded) if loaded == access)))
}
