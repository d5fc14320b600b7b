//! Reductions: every thread accumulates what its iterations give, the block joins its threads' values in a tree of
//! warp shuffles, and a second kernel of one block joins the blocks' partial results and the value from before.
//!
//! Two stages rather than atomics: the result does not depend on which block is first, so that two runs agree to the
//! bit. (Harris, "Optimizing parallel reduction in CUDA", 2007; shuffles as in CUDA's own samples.) Accumulations into
//! elements that only the data select (a histogram) are atomic.

use super::index;
use super::lanes::Partials;
use super::lower::{Lowering, Used, scalar_type};
use super::lowered::{Lowered, Lowers};
use super::map::{Mapper, block_position};
use super::mapping::{Mapping, Place};
use super::parallel::Analysis;
use super::reduce_op::{identity, join};
use super::{Nest, extent, runs};
use crate::ast::{self, BinOp, FloatKind, VarId};
use crate::kernel::{self as k, Access, Expr, Kernel, ReduceOp, ScalarType, StmtKind, Tunable, Usage};
use crate::poly::Failure;
use crate::region::symbolic::Poly;
use crate::region::{LoopId, Reason, Reduction, StmtId, Tree};
use std::collections::BTreeSet;

/// Most blocks that leave a partial result.
pub const MAX_PARTIALS: i64 = 1024;

/// One accumulation that a nest carries out of its threads.
struct Accumulation {
    /// The statements that update it.
    updates: Vec<StmtId>,
    op: ReduceOp,
    ty: ScalarType,
    /// The variable of the thread.
    acc: String,
    /// The array of partial results.
    partials: String,
    reduction: Reduction,
}

impl Mapper<'_> {
    /// The updates that different threads of a nest make of one element: to be joined, or made atomic.
    pub(super) fn shared_updates(&self, a: &Analysis, nest: &Nest) -> Result<Vec<StmtId>, Failure> {
        let stmts = nest.stmts();
        let mut shared = BTreeSet::new();
        for (i, d) in a.deps.list.iter().enumerate() {
            let inside = stmts.contains(&d.src) && stmts.contains(&d.dst);
            if d.reduction.is_none() || !inside || self.private.contains(&d.data) {
                continue;
            }
            for axis in nest.axes.iter().flatten() {
                if a.carried(i, *axis, &self.host)? {
                    shared.extend([d.src, d.dst]);
                }
            }
        }
        Ok(stmts.into_iter().filter(|s| shared.contains(s)).collect())
    }

    /// Those of the updates that go to one element, the same for every iteration, that nothing else in the nest touches.
    fn accumulations(&mut self, a: &Analysis, nest: &Nest, shared: &[StmtId]) -> Vec<Accumulation> {
        let stmts = nest.stmts();
        let loops = stmts.iter().flat_map(|s| &a.part.stmt(*s).loops).filter(|l| !self.host.contains(l));
        let own: Vec<VarId> = loops.map(|l| a.part.get_loop(*l).var).collect();
        let mut groups: Vec<(&Reduction, &Vec<Poly>, Vec<StmtId>)> = vec![];
        for &s in shared {
            let stmt = a.part.stmt(s);
            // The join touches the element whatever a condition of the statement says.
            let Some(r) = stmt.reduction.as_ref() else { continue };
            let index = stmt.accesses.iter().find(|x| x.data == r.data).and_then(|x| x.index.as_ref());
            // The join touches the element whatever the statement's conditions say.
            let is_there = |i: &&Vec<Poly>| stmt.guards.is_empty() || i.iter().all(|p| p.as_constant().is_some());
            let fixed = |i: &&Vec<Poly>| i.iter().all(|p| own.iter().all(|v| !p.uses(*v)));
            let Some(index) = index.filter(fixed).filter(is_there) else {
                continue;
            };
            match groups.iter_mut().find(|(x, at, _)| (x.data, x.op) == (r.data, r.op) && *at == index) {
                Some((.., updates)) => updates.push(s),
                None => groups.push((r, index, vec![s])),
            }
        }
        groups.retain(|(r, _, updates)| {
            let leaves =
                |s, t| stmts.contains(&s) && updates.contains(&s) != updates.contains(&t) && stmts.contains(&t);
            a.deps.list.iter().all(|d| d.data != r.data || !leaves(d.src, d.dst))
        });
        let accumulation = |(r, _, updates): (&Reduction, &Vec<Poly>, Vec<StmtId>)| {
            let ty = scalar_type(&r.target.ty).unwrap_or(ScalarType::Float(FloatKind::Double));
            let base = self.names.of(self.unit, r.data);
            let acc = self.names.fresh(&format!("rt_{base}"));
            let partials = self.names.fresh(&format!("rt_{base}_parts"));
            Accumulation { updates, op: r.op, ty, acc, partials, reduction: r.clone() }
        };
        groups.into_iter().map(accumulation).collect()
    }

    /// The kernels of a nest that accumulates: the first over the band, then the one that joins. `partials` are those of
    /// loops inside that another kernel ran.
    ///
    /// # Errors
    /// The limit on isl's work, or what cannot be lowered.
    pub(super) fn reduce(
        &mut self,
        a: &Analysis,
        nest: &Nest,
        mapping: &Mapping,
        name: &str,
        partials: Option<&Partials>,
    ) -> Lowers {
        let Some(Place::Flat { threads, merge, .. }) = mapping.axes.first().map(|x| x.place) else {
            unreachable!("a reduction has flat axes")
        };
        let shared = self.shared_updates(a, nest)?;
        let accumulations = self.accumulations(a, nest, &shared);
        let host = self.host.clone();
        let mut l = self.lowering(a);
        for x in &accumulations {
            l.accumulators.extend(x.updates.iter().map(|s| (*s, x.acc.clone())));
        }
        l.atomic.extend(shared.into_iter().filter(|s| !l.accumulators.contains_key(s)));
        let line = (l.line)(a.part.get_loop(nest.axes[0][0]).span);
        let axes: Vec<LoopId> = nest.axes.iter().map(|x| x[0]).collect();
        let flat = l.names.fresh("rt_at");
        if let Some(partials) = partials {
            match l.partial_sums(a, nest, (partials, &host), &flat)? {
                Ok(replaced) => l.replaced = replaced,
                Err(reason) => return Ok(Err(reason)),
            }
            l.private.retain(|v| !partials.is_only_first(*v));
        }
        let (total, everyone) = match l.shared_out(a, (&axes, flat), &nest.body) {
            Ok(shared_out) => shared_out,
            Err(reason) => return Ok(Err(reason)),
        };
        let declare =
            |x: &Accumulation| StmtKind::Let { var: x.acc.clone(), ty: x.ty, init: Some(identity(x.op, x.ty)) };
        let mut stmts: Vec<k::Stmt> = accumulations.iter().map(|x| k::Stmt::made(declare(x))).collect();
        stmts.push(k::Stmt { kind: everyone, line });
        stmts.extend(accumulations.iter().map(|x| k::Stmt {
            kind: StmtKind::BlockReduce {
                op: x.op,
                ty: x.ty,
                value: index::var(&x.acc),
                target: Access { array: x.partials.clone(), index: vec![Expr::BlockIdx(0)] },
            },
            line,
        }));
        let share = match merge {
            Some(_) => index::binary(BinOp::Mul, index::var("BLOCK_0"), index::var("MERGE_0")),
            None => index::var("BLOCK_0"),
        };
        let blocks = Expr::Min(Box::new(index::ceil_div(total, share)), Box::new(Expr::Int(MAX_PARTIALS)));
        let used = std::mem::take(&mut l.used);
        let mut first = self.one_dimensional(a, name, used, (stmts, threads), &accumulations, Usage::Write);
        first.grid = vec![blocks.clone()];
        first.tunables.extend(merge.map(|value| Tunable { name: "MERGE_0".into(), value }));
        first.notes.push(note(&accumulations, axes.len(), &self.names_of(a, &axes)));
        if let Some(partials) = partials {
            partials.add_to(&mut first, Usage::Read);
        }
        let n_partials = self.names.fresh("rt_n_parts");
        let mut kernels = vec![first];
        if !accumulations.is_empty() {
            match self.finish(a, name, (&accumulations, &axes), (&n_partials, threads), line)? {
                Ok(second) => kernels.push(second),
                Err(reason) => return Ok(Err(reason)),
            }
        }
        let partials = accumulations.iter().map(|x| (x.partials.clone(), x.ty, MAX_PARTIALS)).collect();
        let n_partials = (kernels.len() > 1).then(|| (n_partials, substitute_block(blocks, threads, merge)));
        Ok(Ok(Lowered { kernels, partials, n_partials, ..Lowered::default() }))
    }

    /// A kernel of one-dimensional blocks that uses the arrays of partial results.
    fn one_dimensional(
        &mut self,
        a: &Analysis,
        name: &str,
        used: Used,
        (body, threads): (Vec<k::Stmt>, i64),
        accumulations: &[Accumulation],
        usage: Usage,
    ) -> Kernel {
        let mut kernel = self.kernel(a, name, used, body);
        kernel.tunables = vec![Tunable { name: "BLOCK_0".into(), value: threads }];
        kernel.block = vec![index::var("BLOCK_0")];
        kernel.arrays.extend(accumulations.iter().map(|x| k::ArrayParam {
            name: x.partials.clone(),
            ty: x.ty,
            extents: vec![Expr::Int(MAX_PARTIALS)],
            usage,
        }));
        kernel
    }

    /// The second stage: one block joins the partial results and the value from before, for each element that some
    /// iteration updates: another may not even be there.
    fn finish(
        &mut self,
        a: &Analysis,
        name: &str,
        (accumulations, axes): (&[Accumulation], &[LoopId]),
        (n_partials, threads): (&str, i64),
        line: u32,
    ) -> Result<Result<Kernel, Reason>, Failure> {
        let host = self.host.clone();
        let mut l = self.lowering(a);
        let mut stmts = vec![];
        for x in accumulations {
            l.name_counters(x.updates[0]);
            let target = match l.joined(a, x.updates[0], &x.reduction.target, &host) {
                Ok(target) => target,
                Err(reason) => return Ok(Err(reason)),
            };
            let at = l.names.fresh("rt_at");
            let part = Expr::Load(Access { array: x.partials.clone(), index: vec![index::var(&at)] });
            let stmt = |kind| k::Stmt { kind, line };
            let mut join_all = vec![];
            join_all.push(stmt(StmtKind::Let { var: x.acc.clone(), ty: x.ty, init: Some(identity(x.op, x.ty)) }));
            let before = StmtKind::Assign { var: x.acc.clone(), op: None, value: Expr::Load(target.clone()) };
            join_all.push(stmt(StmtKind::If {
                cond: index::binary(BinOp::Eq, Expr::ThreadIdx(0), Expr::Int(0)),
                then: vec![stmt(before)],
                other: vec![],
            }));
            let body = join(l.names, x.op, x.ty, &x.acc, part).into_iter().map(stmt).collect();
            join_all.push(stmt(StmtKind::For {
                var: at,
                lo: Expr::ThreadIdx(0),
                hi: index::var(n_partials),
                step: index::var("BLOCK_0"),
                body,
            }));
            join_all.push(stmt(StmtKind::BlockReduce { op: x.op, ty: x.ty, value: index::var(&x.acc), target }));
            // There is a partial result, so that the outermost loop has an iteration.
            let is_array = a.part.data[&x.reduction.data].shape.c_rank > 0;
            match runs::condition(a, &x.updates, &host, &axes[..1], &mut l)?.filter(|_| is_array) {
                Some(cond) => stmts.push(stmt(StmtKind::If { cond, then: join_all, other: vec![] })),
                None => stmts.extend(join_all),
            }
        }
        let used = std::mem::take(&mut l.used);
        let joined = format!("{name}_join");
        let mut kernel = self.one_dimensional(a, &joined, used, (stmts, threads), accumulations, Usage::Read);
        kernel.scalars.push(k::ScalarParam { name: n_partials.to_string(), ty: ScalarType::Index });
        kernel.grid = vec![Expr::Int(1)];
        kernel.notes.push("joins the partial results of the blocks".into());
        Ok(Ok(kernel))
    }
}

impl Lowering<'_> {
    /// The element that a statement updates in all iterations of the loops around it but those in `outside`, even if its
    /// subscripts as written name their counters: `f[j - i]` with `j = c1`, `i = c1`.
    pub fn joined(
        &mut self,
        a: &Analysis,
        s: StmtId,
        target: &ast::Expr,
        outside: &[LoopId],
    ) -> Result<Access, Reason> {
        let counters = self.counters.clone();
        for id in a.part.stmt(s).loops.iter().filter(|id| !outside.contains(id)) {
            let own = a.part.get_loop(*id);
            let first = self.poly(&own.first);
            self.counters.insert(own.var, first);
        }
        self.name_counters(s);
        let target = self.access(target, Usage::ReadWrite);
        self.counters = counters;
        target
    }

    /// A loop over all points of a band, shared out among all threads of the grid, and the number of its points.
    ///
    /// A box is one long loop; otherwise the outermost loop is shared out and the rest stay in the thread.
    fn shared_out(
        &mut self,
        a: &Analysis,
        (axes, flat): (&[LoopId], String),
        body: &[Tree],
    ) -> Result<(Expr, StmtKind), Reason> {
        let (shared, rest) = axes.split_at(if extent::is_box(a, axes) { axes.len() } else { 1 });
        let mut counts: Vec<Expr> = shared.iter().map(|id| extent::count(a.part.get_loop(*id), self)).collect();
        if shared.len() > 1 {
            // Two negative counts would make a product that is not.
            counts.iter_mut().for_each(|c| *c = index::max([c.clone(), Expr::Int(0)]).expect("two counts"));
        }
        let total = counts.iter().cloned().reduce(index::mul).expect("a band has an axis");
        let mut inside = vec![];
        for (position, id) in shared.iter().enumerate() {
            let x = a.part.get_loop(*id).clone();
            let var = self.name(x.var);
            let inner = counts[position + 1..].iter().cloned().reduce(index::mul);
            let mut at = inner.map_or(index::var(&flat), |d| index::binary(BinOp::Div, index::var(&flat), d));
            if position > 0 {
                at = index::binary(BinOp::Rem, at, counts[position].clone());
            }
            let first = self.poly(&x.first);
            let moved = index::mul(at, Expr::Int(x.step.abs()));
            let value = if x.step > 0 { index::add(first, moved) } else { index::binary(BinOp::Sub, first, moved) };
            let kind = StmtKind::Let { var: var.clone(), ty: ScalarType::Index, init: Some(value) };
            inside.push(k::Stmt::made(kind));
            self.counters.insert(x.var, index::var(var));
        }
        let nested = rest.iter().rev().fold(body.to_vec(), |body, id| vec![Tree::Loop(*id, body)]);
        inside.extend(self.thread_body(&nested)?);
        let step = index::binary(BinOp::Mul, Expr::GridSize(0), index::var("BLOCK_0"));
        let everyone = StmtKind::For { var: flat, lo: block_position(0), hi: total.clone(), step, body: inside };
        Ok((total, everyone))
    }
}

fn note(accumulations: &[Accumulation], n_axes: usize, counters: &str) -> String {
    let what: Vec<&str> = accumulations.iter().map(|x| x.op.noun()).collect();
    let loops = if n_axes == 1 { "loop" } else { "loops" };
    if what.is_empty() {
        format!("{loops} {counters} in parallel; elements that the data select are updated atomically")
    } else {
        format!("{loops} {counters} in parallel, a partial {} for each block", what.join(" and "))
    }
}

/// The grid's size on the host, where the block's size is the number it has by default.
fn substitute_block(mut e: Expr, threads: i64, merge: Option<i64>) -> Expr {
    e.replace(&mut |e| match e {
        Expr::Var(name) if name == "BLOCK_0" => Some(Expr::Int(threads)),
        Expr::Var(name) if name == "MERGE_0" => merge.map(Expr::Int),
        _ => None,
    });
    e
}
