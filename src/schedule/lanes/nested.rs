//! Loops in order that the lanes of an element go through together, and join what they share in each iteration.
//!
//! ```text
//! for t <= i: dot = 0; for j: dot += q[i][j] * k[t][j]; most = max(most, dot); s[i][t] = dot;
//! ->
//! for t < n {
//!     rt_dot = 0;
//!     if (i < n && t <= i) { dot = 0; for j in t1 .. m step BLOCK_1: rt_dot += q[i, j] * k[t, j] }
//!     join(+, BLOCK_1, 1) rt_dot;
//!     if (i < n && t <= i) { dot += rt_dot; most = max(most, dot); if (t1 == 0) s[i, t] = dot }
//! }
//! ```
//! One lane alone would go through such a loop, or each thread through all of both, and load across memory. All threads of a block
//! run as many iterations as the longest loop of any element has, so that they meet in each join, whatever lanes there are. (Scores
//! of attention, 4 x 1024 positions, 12 heads of 64 floats, with softmax and sums of values: see RESULTS.md.)

use super::body::{Body, Shared};
use super::pieces::{By, Cutter, Piece, Who, leaves, who};
use crate::ast::{BinOp, VarId};
use crate::facts::Reason;
use crate::kernel::{self as k, Expr, StmtKind};
use crate::poly::Failure;
use crate::poly::dependence::Kind;
use crate::region::{LoopId, StmtId, Tree};
use crate::schedule::lower::Lowering;
use crate::schedule::map::Mapper;
use crate::schedule::parallel::Analysis;
use crate::schedule::{Nest, extent, index};

impl Cutter<'_> {
    /// The pieces of the body of a loop in order that lanes may go through together; `None` where they may not, or share nothing
    /// inside.
    pub fn nested<'t>(
        &self,
        l: LoopId,
        body: &'t [Tree],
        outside: &[LoopId],
    ) -> Result<Option<Vec<Piece<'t>>>, Failure> {
        let of = self.a.part.get_loop(l);
        let begins_alike = self.axes.iter().all(|v| !of.first.uses(*v));
        let is_outermost = outside.last().is_none_or(|x| self.axes.contains(&self.a.part.get_loop(*x).var));
        if !self.may_nest || of.step != 1 || !begins_alike || !is_outermost {
            return Ok(None);
        }
        let around: Vec<LoopId> = outside.iter().copied().chain([l]).collect();
        let mut pieces = vec![];
        for tree in body {
            self.cut(tree, &around, &mut vec![], &mut pieces)?;
        }
        let joins = pieces.iter().any(|p| matches!(p.by, By::Lanes(..)));
        Ok((joins && self.lanes_keep_apart(l, &pieces, outside)?).then_some(pieces))
    }

    /// Test that no iteration of a loop, nor a piece of one, needs what another lane has or leaves.
    fn lanes_keep_apart(&self, l: LoopId, pieces: &[Piece], outside: &[LoopId]) -> Result<bool, Failure> {
        let (a, all) = (self.a, leaves(pieces));
        let piece_of = |s: StmtId| all.iter().position(|p| p.tree.stmts().contains(&s));
        let is_sum = |p: &Piece, s: StmtId, v: VarId| p.sums().iter().any(|x| x.data == v && x.updates.contains(&s));
        for (i, d) in a.deps.list.iter().enumerate() {
            let Some(from) = piece_of(d.src) else { continue };
            let to = piece_of(d.dst);
            if self.private.contains(&d.data) {
                let source = all[from];
                let is_of_lane = !source.shared().is_empty() && !is_sum(source, d.src, d.data);
                let leaves_it = to.is_none() || a.carried(i, l, outside)?;
                if d.kind == Kind::Flow && is_of_lane && leaves_it {
                    return Ok(false);
                }
                continue;
            }
            let Some(to) = to else { continue };
            let is_first = [from, to].iter().all(|p| who(a, all[*p], d.data) == Who::First);
            if !is_first && (from != to || a.carried(i, l, outside)?) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Test that a loop has the same limits for all elements.
fn is_alike(a: &Analysis, nest: &Nest, l: LoopId) -> bool {
    let of = a.part.get_loop(l);
    nest.axes.iter().flatten().all(|x| extent::is_free(of, a.part.get_loop(*x).var))
}

/// The limit that a nested loop has for any element.
fn limit(
    l: &mut Lowering,
    a: &Analysis,
    nest: &Nest,
    (id, tree): (LoopId, &Tree),
    host: &[LoopId],
) -> Result<Expr, Failure> {
    let of = a.part.get_loop(id);
    if is_alike(a, nest, id) {
        let limits = of.limits.iter().map(|p| l.poly(p)).collect::<Vec<_>>();
        return Ok(index::min(limits).expect("a loop has a limit"));
    }
    let count = extent::bounding_count(a, id, &tree.stmts(), host, l)?;
    Ok(index::add(l.poly(&of.first), count))
}

impl Mapper<'_> {
    /// Test that something bounds the nested loops of these pieces for all elements.
    ///
    /// # Errors
    /// The limit on isl's work.
    pub(super) fn are_bounded(&mut self, a: &Analysis, nest: &Nest, pieces: &[Piece]) -> Result<bool, Failure> {
        let host = self.host.clone();
        let mut l = self.lowering(a);
        for p in pieces {
            let By::Nested(id) = p.by else { continue };
            match limit(&mut l, a, nest, (id, p.tree), &host) {
                Ok(_) => {}
                Err(Failure::Declined(_)) => return Ok(false),
                Err(failure) => return Err(failure),
            }
        }
        Ok(true)
    }
}

impl Lowering<'_> {
    /// Adds a loop that the lanes of all elements of a block go through together.
    pub(super) fn nested(
        &mut self,
        a: &Analysis,
        (p, id): (&Piece, LoopId),
        at: &Shared,
        body: &mut Body,
    ) -> Result<Result<(), Reason>, Failure> {
        let of = a.part.get_loop(id).clone();
        let mut conditions = vec![body.inside.clone()];
        for tree in &p.conditions {
            let Tree::If { cond, expr, negated, .. } = tree else { unreachable!("conditions are trees of their own") };
            match self.test(cond, expr.as_ref(), *negated) {
                Ok(cond) => conditions.push(cond),
                Err(reason) => return Ok(Err(reason)),
            }
        }
        let host = at.around[..at.around.len() - at.nest.axes.iter().flatten().count()].to_vec();
        let (first, limit) = (self.poly(&of.first), limit(self, a, at.nest, (id, p.tree), &host)?);
        let var = self.name(of.var);
        self.counters.insert(of.var, index::var(var.clone()));
        if !is_alike(a, at.nest, id) {
            conditions.extend(self.within(&of, &var, BinOp::Lt));
        }
        let line = (self.line)(of.span);
        let inside = index::all(conditions).expect("a thread has an element under a condition");
        let mut inner = Body { inside, line, stmts: vec![], pending: vec![], variables: vec![] };
        let around: Vec<LoopId> = at.around.iter().copied().chain([id]).collect();
        for x in &p.inside {
            let at = Shared { nest: at.nest, around: &around, layout: at.layout, stage: at.stage, n_sums: at.n_sums };
            if let Err(reason) = self.piece(a, x, &at, &mut inner)? {
                return Ok(Err(reason));
            }
        }
        inner.flush();
        let all: Vec<k::Stmt> = inner.variables.into_iter().chain(inner.stmts).collect();
        body.flush();
        body.together(StmtKind::counted(var, [first, limit, Expr::Int(1)], all));
        Ok(Ok(()))
    }
}
