//! Reductions: every thread accumulates what its iterations give, the block joins its threads' values in a tree of
//! warp shuffles, and a second kernel of one block joins the blocks' partial results and the value from before.
//!
//! Two stages rather than atomics: the result does not depend on which block is first, so that two runs agree to the
//! bit. (Harris, "Optimizing parallel reduction in CUDA", 2007; shuffles as in CUDA's own samples.) Accumulations into
//! elements that only the data select (a histogram) are atomic.

use super::frame::MAX_PARTIALS;
use super::lower::{Lowering, scalar_type};
use super::map::Mapper;
use super::parallel::Analysis;
use super::reduce_op::{identity, join};
use super::{Mode, Nest, index, runs};
use crate::ast::{self, BinOp, FloatKind, VarId};
use crate::facts::Reason;
use crate::facts::reduction::Reduction;
use crate::facts::symbolic::Poly;
use crate::kernel::{self as k, Access, Expr, Kernel, ReduceOp, ScalarType, StmtKind, Tunable, Usage};
use crate::poly::Failure;
use crate::poly::names::Names;
use crate::region::{LoopId, StmtId};
use std::collections::BTreeSet;

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

impl Accumulation {
    /// The variable of the thread, before any update.
    fn declared(&self) -> StmtKind {
        StmtKind::Let { var: self.acc.clone(), ty: self.ty, init: Some(identity(self.op, self.ty)) }
    }

    /// The join of the variables of a block's threads.
    fn reduced(&self, target: Access) -> StmtKind {
        StmtKind::BlockReduce { op: self.op, ty: self.ty, value: index::var(&self.acc), target }
    }
}

/// Updates in which the threads of a nest meet; in parallel there are none.
#[derive(Default)]
pub(super) struct Joins {
    /// Those that variables of the threads take, and the blocks join.
    accumulations: Vec<Accumulation>,
    /// All of them.
    shared: Vec<StmtId>,
}

/// The updates that different threads of a nest make of one element: to be joined, or made atomic. `host` are the loops around
/// the nest, `private` what each thread has a copy of.
pub(super) fn shared_updates(
    a: &Analysis,
    nest: &Nest,
    host: &[LoopId],
    private: &BTreeSet<VarId>,
) -> Result<Vec<StmtId>, Failure> {
    let stmts = nest.stmts();
    let mut shared = BTreeSet::new();
    for (i, d) in a.deps.list.iter().enumerate() {
        let inside = stmts.contains(&d.src) && stmts.contains(&d.dst);
        if d.reduction.is_none() || !inside || private.contains(&d.data) {
            continue;
        }
        for axis in nest.axes.iter().flatten() {
            if a.carried(i, *axis, host)? {
                shared.extend([d.src, d.dst]);
            }
        }
    }
    Ok(stmts.into_iter().filter(|s| shared.contains(s)).collect())
}

impl Mapper<'_> {
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

    /// Test that threads make all updates in which they meet one by one.
    pub(super) fn joins_one_by_one(&mut self, a: &Analysis, nest: &Nest) -> Result<bool, Failure> {
        if nest.mode != Mode::Reduce {
            return Ok(true);
        }
        let before = self.names.clone();
        let joins = self.joins(a, nest)?;
        *self.names = before;
        Ok(joins.accumulations.is_empty())
    }

    /// Accumulations that threads of a nest make together, or one by one where nothing else can be done.
    ///
    /// # Errors
    /// The limit on isl's work.
    pub(super) fn joins(&mut self, a: &Analysis, nest: &Nest) -> Result<Joins, Failure> {
        if nest.mode != Mode::Reduce {
            return Ok(Joins::default());
        }
        let shared = shared_updates(a, nest, &self.host, &self.private)?;
        let accumulations = self.accumulations(a, nest, &shared);
        Ok(Joins { accumulations, shared })
    }

    /// The second stage: one block joins the partial results and the value from before, for each element that some
    /// iteration updates: another may not even be there.
    ///
    /// # Errors
    /// The limit on isl's work, or what cannot be lowered.
    pub(super) fn second_stage(
        &mut self,
        a: &Analysis,
        nest: &Nest,
        name: &str,
        joins: &Joins,
        (n_partials, threads): (&str, i64),
    ) -> Result<Result<Kernel, Reason>, Failure> {
        let (host, outermost) = (self.host.clone(), nest.axes[0][0]);
        let mut l = self.lowering(a);
        let line = (l.line)(a.part.get_loop(outermost).span);
        let mut stmts = vec![];
        // Those without a condition are joined together.
        let mut groups: Vec<(Option<Expr>, Vec<Joined<'_>>)> = vec![];
        for x in &joins.accumulations {
            l.name_counters(x.updates[0]);
            let target = match l.joined(a, x.updates[0], &x.reduction.target, &host) {
                Ok(target) => target,
                Err(reason) => return Ok(Err(reason)),
            };
            // There is a partial result, so that the outermost loop has an iteration.
            let is_array = a.part.data[&x.reduction.data].shape.c_rank > 0;
            let cond = runs::condition(a, &x.updates, &host, &[outermost], &mut l)?.filter(|_| is_array);
            match groups.last_mut() {
                Some((None, group)) if cond.is_none() => group.push((x, target)),
                _ => groups.push((cond, vec![(x, target)])),
            }
        }
        for (cond, group) in groups {
            let joined = join_parts(l.names, &group, n_partials, line);
            match cond {
                Some(cond) => stmts.push(k::Stmt { kind: StmtKind::If { cond, then: joined, other: vec![] }, line }),
                None => stmts.extend(joined),
            }
        }
        let used = std::mem::take(&mut l.used);
        let mut kernel = self.kernel(a, &format!("{name}_join"), used, stmts);
        joins.add_to(&mut kernel, Usage::Read);
        kernel.tunables = vec![Tunable { name: "BLOCK_0".into(), value: threads }];
        kernel.block = index::block(1);
        kernel.scalars.push(k::ScalarParam { name: n_partials.to_string(), ty: ScalarType::Index });
        kernel.grid = vec![Expr::Int(1)];
        kernel.notes.push("joins the partial results of the blocks".into());
        Ok(Ok(kernel))
    }
}

/// An accumulation, and the element that its results are joined in.
type Joined<'a> = (&'a Accumulation, Access);

/// Statements by which one block joins partial results and the value from before, each of some accumulations to its target.
fn join_parts(names: &mut Names, group: &[Joined<'_>], n_partials: &str, line: u32) -> Vec<k::Stmt> {
    let stmt = |kind| k::Stmt { kind, line };
    let mut out: Vec<k::Stmt> = group.iter().map(|(x, _)| stmt(x.declared())).collect();
    let before = |(x, target): &Joined<'_>| {
        stmt(StmtKind::Assign { var: x.acc.clone(), op: None, value: Expr::Load(target.clone()) })
    };
    out.push(stmt(StmtKind::If {
        cond: index::binary(BinOp::Eq, Expr::ThreadIdx(0), Expr::Int(0)),
        then: group.iter().map(before).collect(),
        other: vec![],
    }));
    let at = names.fresh("rt_at");
    let mut body = vec![];
    for (x, _) in group {
        let part = Expr::Load(Access { array: x.partials.clone(), index: vec![index::var(&at)] });
        body.extend(join(names, x.op, x.ty, &x.acc, part).into_iter().map(stmt));
    }
    let (hi, step) = (index::var(n_partials), index::var("BLOCK_0"));
    out.push(stmt(StmtKind::counted(at, [Expr::ThreadIdx(0), hi, step], body)));
    out.extend(group.iter().map(|(x, target)| stmt(x.reduced(target.clone()))));
    out
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
}

impl Joins {
    /// The arrays of partial results.
    pub fn partials(&self) -> Vec<(String, ScalarType, i64)> {
        self.accumulations.iter().map(|x| (x.partials.clone(), x.ty, MAX_PARTIALS)).collect()
    }

    /// Sends the updates to variables of the thread, or makes them atomic.
    pub fn divert(&self, l: &mut Lowering) {
        for x in &self.accumulations {
            l.accumulators.extend(x.updates.iter().map(|s| (*s, x.acc.clone())));
        }
        l.atomic.extend(self.shared.iter().copied().filter(|s| !l.accumulators.contains_key(s)));
    }

    /// Statements with the variables that they accumulate in, and what becomes of these.
    pub fn around(&self, body: Vec<k::Stmt>, line: u32) -> Vec<k::Stmt> {
        let part = |x: &Accumulation| Access { array: x.partials.clone(), index: vec![Expr::BlockIdx(0)] };
        let declared = self.accumulations.iter().map(|x| k::Stmt::made(x.declared()));
        let reduced = self.accumulations.iter().map(|x| k::Stmt { kind: x.reduced(part(x)), line });
        declared.chain(body).chain(reduced).collect()
    }

    /// Gives a kernel the arrays of partial results.
    pub fn add_to(&self, kernel: &mut Kernel, usage: Usage) {
        let param = |(name, ty, length)| k::ArrayParam { name, ty, extents: vec![Expr::Int(length)], usage };
        kernel.arrays.extend(self.partials().into_iter().map(param));
    }

    /// The joined results in a person's words, of loops of these names.
    pub fn note(&self, n_axes: usize, counters: &str) -> String {
        let what: Vec<&str> = self.accumulations.iter().map(|x| x.op.noun()).collect();
        let loops = if n_axes == 1 { "loop" } else { "loops" };
        if what.is_empty() {
            format!("{loops} {counters} in parallel; elements that the data select are updated atomically")
        } else {
            format!("{loops} {counters} in parallel, a partial {} for each block", what.join(" and "))
        }
    }
}
