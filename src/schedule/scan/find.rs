//! Which loops are scans, and what of them runs before what is handed on is known.
//!
//! A statement joins a value to what the iteration before left, by an operator whose order does not matter (Blelloch,
//! "Prefix sums and their applications", 1990). Nothing else passes from one iteration to another. What the value is
//! made of, the *feeders*, runs without what is handed on; all else may use it:
//! ```text
//! for (i) { int t = h[i]; h[i] = s; s += t; }     feeder `t = h[i]`, update `s += t`; then `h[i] = s` may run
//! ```

use crate::ast::{Expr, ExprKind, StmtKind, Type, VarId};
use crate::cost::enough;
use crate::facts::arrays;
use crate::facts::reduction::{self, Reduction};
use crate::facts::symbolic::{Poly, Sym, same_expr};
use crate::kernel::{ReduceOp, ScalarType};
use crate::poly::Failure;
use crate::poly::dependence::Kind;
use crate::poly::scop::is_write;
use crate::region::{Access, AccessKind, Loop, LoopId, StmtId, Tree};
use crate::schedule::lower::scalar_type;
use crate::schedule::parallel::Analysis;
use std::collections::{BTreeMap, BTreeSet};

/// A loop that is a scan.
pub struct Scan {
    pub op: ReduceOp,
    pub ty: ScalarType,
    /// The statement that joins a value to what the iteration before left.
    pub update: StmtId,
    /// That value, as written.
    pub value: Expr,
    /// Values are joined in C's order alone.
    pub in_order: bool,
    pub carried: Carried,
    /// The statements that the value is made by, in their order: they write nothing but what an iteration has for itself.
    pub feeders: Vec<StmtId>,
}

/// What hands a value from one iteration to the next.
#[derive(Debug, Clone)]
pub enum Carried {
    Scalar(Expr),
    /// Elements of an array: the one that an iteration writes, and the one that it reads, which the one before wrote.
    Element {
        target: Expr,
        previous: Expr,
    },
}

/// The scan that a loop around `body` is, below the loops `outer`.
///
/// # Errors
/// The limit on isl's work.
pub fn find(a: &Analysis, l: LoopId, body: &[Tree], outer: &[LoopId]) -> Result<Option<Scan>, Failure> {
    let stmts: Option<Vec<StmtId>> = body.iter().map(|t| if let Tree::Stmt(s) = t { Some(*s) } else { None }).collect();
    let Some(stmts) = stmts else { return Ok(None) };
    // Fewer iterations are run by one thread sooner than three kernels begin.
    let is_long = a.part.get_loop(l).may_exceed(enough::iterations_of_scan()) && a.repeats(l, &stmts, outer)?;
    if !is_long || stmts.iter().any(|s| a.part.stmt(*s).has_loop) {
        return Ok(None);
    }
    let around: Vec<LoopId> = outer.iter().copied().chain([l]).collect();
    let mut finder = Finder { a, l, stmts: &stmts, around: &around, outer, private: BTreeMap::new() };
    for s in &stmts {
        for (r, carried) in finder.updates(*s) {
            if let (Some(ty), true) = (scalar_type(&r.target.ty), finder.carries_only(*s, &r)?)
                && let Some(feeders) = finder.feeders(*s, r.data)?
            {
                let Reduction { op, value, in_order, .. } = r;
                return Ok(Some(Scan { op, ty, update: *s, value, in_order, carried, feeders }));
            }
        }
    }
    Ok(None)
}

struct Finder<'a, 'b> {
    a: &'a Analysis<'b>,
    l: LoopId,
    stmts: &'a [StmtId],
    /// The loops around the statements, and those around the loop.
    around: &'a [LoopId],
    outer: &'a [LoopId],
    private: BTreeMap<VarId, bool>,
}

impl Finder<'_, '_> {
    /// Test that each iteration has its own of some data.
    fn is_private(&mut self, v: VarId) -> Result<bool, Failure> {
        if let Some(known) = self.private.get(&v) {
            return Ok(*known);
        }
        let found = self.a.is_private(v, self.stmts, self.around)?;
        self.private.insert(v, found);
        Ok(found)
    }

    /// The accumulations, from one iteration to the next, that a statement may be.
    fn updates(&self, s: StmtId) -> Vec<(Reduction, Carried)> {
        let stmt = self.a.part.stmt(s);
        let uses = |t: &StmtId, v: VarId| *t != s && self.a.part.stmt(*t).accesses.iter().any(|x| x.data == v);
        // What nothing else reads is a reduction.
        let is_read = |r: &Reduction| self.stmts.iter().any(|t| uses(t, r.data));
        let is_scalar = |r: &Reduction| self.a.part.data[&r.data].shape.c_rank == 0 && !r.takes_nan;
        if let Some(r) = stmt.reduction.clone().filter(|r| is_scalar(r) && is_read(r)) {
            let carried = Carried::Scalar(r.target.clone());
            return vec![(r, carried)];
        }
        let mut writes = stmt.accesses.iter().filter(|x| is_write(x));
        let (Some(target), None) = (writes.next(), writes.next()) else { return vec![] };
        let is_sure = target.kind == AccessKind::MustWrite && target.surely && target.known.is_empty();
        let own = |x: &&Access| x.data == target.data && !is_write(x);
        let earlier = |x: &&Access| is_of_iteration_before(x, target, self.a.part.get_loop(self.l));
        let (before, others): (Vec<&Access>, Vec<&Access>) = stmt.accesses.iter().filter(own).partition(earlier);
        let ([previous], true) = (before.as_slice(), others.iter().all(|x| x.index == target.index)) else {
            return vec![];
        };
        let mut found = None;
        stmt.body.exprs(&mut |e| {
            e.walk(&mut |e| {
                let of = arrays::subscripts(e).filter(|(v, _)| *v == target.data);
                let is_it = of.is_some_and(|(_, at)| {
                    at.len() == previous.subscripts.len()
                        && at.iter().zip(&previous.subscripts).all(|(x, y)| same_expr(x, y))
                });
                if is_it && found.is_none() {
                    found = Some(e.clone());
                }
            });
        });
        let is_fit = is_sure && previous.surely && previous.known.is_empty();
        let r = found.filter(|_| is_fit).and_then(|previous| {
            let r = reduction::recurrence(self.a.unit, &previous, &stmt.body).filter(|r| !r.takes_nan)?;
            let StmtKind::Expr(Expr { kind: ExprKind::Assign { target, .. }, .. }) = &stmt.body.kind else {
                return None;
            };
            Some((r, Carried::Element { target: (**target).clone(), previous }))
        });
        r.into_iter().collect()
    }

    /// Test that nothing but an accumulation passes from one iteration to another: through `data`, which nothing else
    /// writes.
    fn carries_only(&mut self, update: StmtId, r: &Reduction) -> Result<bool, Failure> {
        let data = r.data;
        let is_scalar = self.a.part.data[&data].shape.c_rank == 0;
        let writes = |s: &StmtId| self.a.part.stmt(*s).accesses.iter().any(|x| x.data == data && is_write(x));
        if self.stmts.iter().any(|s| *s != update && writes(s)) || self.is_private(data)? {
            return Ok(false);
        }
        for (i, d) in self.a.deps.list.iter().enumerate() {
            if !self.stmts.contains(&d.src) || !self.stmts.contains(&d.dst) || self.is_private(d.data)? {
                continue;
            }
            let is_handed_on =
                d.data == data && (is_scalar || d.kind == Kind::Flow && (d.src, d.dst) == (update, update));
            let is_apart = || d.kind == Kind::Output && d.src == d.dst && self.is_counted(d.src, d.data, (update, r));
            if !is_handed_on && !is_apart() && self.a.carried(i, self.l, self.outer)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Test that the elements of some data that a statement writes are others in each iteration, since their subscript is
    /// what the update counts on whenever the statement writes: `if (c) y[m] = e;` beside `m += c ? 1 : 0`.
    fn is_counted(&self, s: StmtId, data: VarId, (update, r): (StmtId, &Reduction)) -> bool {
        // What wraps comes to the same places again.
        let never_wraps =
            matches!(r.target.ty, Type::Int(kind) if kind.bits() >= 64 || kind.bits() == 32 && !kind.is_unsigned());
        let Some(v) = r.target.root().filter(|_| never_wraps && r.op == ReduceOp::Add && s != update) else {
            return false;
        };
        let stmt = self.a.part.stmt(s);
        let mut accesses = stmt.accesses.iter().filter(|x| x.data == data);
        let (Some(write), None) = (accesses.next(), accesses.next()) else { return false };
        if !is_write(write) || !write.subscripts.iter().any(|e| e.is_var(v)) {
            return false;
        }
        let is_positive = |e: &Expr| matches!(e.kind, ExprKind::Int(1..));
        match (&r.value.kind, &stmt.body.kind) {
            (ExprKind::Int(1..), _) => true,
            (ExprKind::Cond(c, one, zero), StmtKind::If { cond, other: None, .. }) => {
                let is_count = is_positive(one) && matches!(zero.kind, ExprKind::Int(0));
                is_count && same_expr(c, cond) && self.is_same_at(c, [s, update])
            }
            _ => false,
        }
    }

    /// Test that an expression has the same value at two statements of an iteration: what it names is written before both.
    fn is_same_at(&self, e: &Expr, at: [StmtId; 2]) -> bool {
        let mut is_same = true;
        e.walk(&mut |x| {
            let ExprKind::Var(v) = x.kind else {
                is_same &= !matches!(x.kind, ExprKind::Call { .. });
                return;
            };
            let writes = |s: &&StmtId| self.a.part.stmt(**s).accesses.iter().any(|x| x.data == v && is_write(x));
            is_same &= self.stmts.iter().filter(writes).all(|w| at.iter().all(|s| self.follows(*s, *w)));
        });
        is_same
    }

    /// The statements that the value of the update is made by; `None` where they cannot run before all others.
    fn feeders(&mut self, update: StmtId, data: VarId) -> Result<Option<Vec<StmtId>>, Failure> {
        let mut first = BTreeSet::from([update]);
        let mut todo = vec![update];
        let mut wait = vec![];
        while let Some(s) = todo.pop() {
            for (i, d) in self.a.deps.list.iter().enumerate() {
                let is_inside = d.dst == s && self.stmts.contains(&d.src) && !(s == update && d.data == data);
                if !is_inside || !self.a.is_of_one_iteration(i, self.around)? {
                    continue;
                }
                if d.kind != Kind::Flow {
                    wait.push(d.src);
                } else if first.insert(d.src) {
                    todo.push(d.src);
                }
            }
        }
        first.remove(&update);
        for s in &first {
            for x in &self.a.part.stmt(*s).accesses {
                if is_write(x) && !self.is_private(x.data)?
                    || x.data == data && self.a.part.data[&data].shape.c_rank == 0
                {
                    return Ok(None);
                }
            }
        }
        let runs_first = |s: &StmtId| first.contains(s);
        if wait.iter().any(|s| !runs_first(s) && *s != update) || first.iter().any(|s| self.follows(*s, update)) {
            return Ok(None);
        }
        Ok(Some(self.stmts.iter().copied().filter(runs_first).collect()))
    }

    /// Test that a statement stands behind another.
    fn follows(&self, s: StmtId, other: StmtId) -> bool {
        let place = |s| self.stmts.iter().position(|x| *x == s);
        place(s) > place(other)
    }
}

/// Test that one access is, in each iteration of a loop, of the element that the other is of in the iteration before.
fn is_of_iteration_before(x: &Access, other: &Access, l: &Loop) -> bool {
    let (Some(index), Some(of)) = (&x.index, &other.index) else { return false };
    let moved = |(p, q): (&Poly, &Poly)| {
        let by = q.plus(p, -1).and_then(|d| d.as_constant());
        let is_linear = q.terms.keys().all(|m| m.len() == 1 || !m.iter().any(|s| of_counter(s, l.var)))
            && !q.any(&|s| matches!(s, Sym::Floor(p, _) if p.uses(l.var)));
        is_linear && by == q.coefficient(l.var).checked_mul(l.step)
    };
    index.len() == of.len() && index.iter().zip(of).all(moved) && of.iter().any(|q| q.coefficient(l.var) != 0)
}

fn of_counter(s: &Sym, v: VarId) -> bool {
    *s == Sym::Counter(v)
}
