//! Wavefronts of bodies: another order of the loops around whole bodies, where all of them are in sequence.
//!
//! ```text
//! for k: { for i: for j: A;  for i: for j: { for m < 5: B; C; } }      the second nest carries its values along i and j
//! ->
//! for k: { for i: for j: A;  for c0 (in order): for c1 (in parallel): { i = ..., j = ...: for m < 5: B; C; } }
//! ```
//! The search of [`reorder`](super::reorder) moves each statement by itself and all loops of a part at once, and grows
//! fast with their number. Here the loops around a nest stay, and what its body does is one statement: there is little to
//! search, however long the body, and the wavefront is mostly all that is wanted. (Unimodular reordering of the loops
//! around a body: Wolf and Lam 1991.) It is the last thing that is tried: an order for each statement by itself, or data
//! apart for each iteration, leave more in parallel where they are found. The proof is that of any other order.

use super::bands;
use super::extent::{symbol_of, with_counter};
use super::parallel::{Analysis, Verdict};
use super::reorder::{Cost, Reordered, beyond, own_copies_in, proved, with_counters};
use super::rewrite::{Group, Ordered, rewrite_nests};
use super::scheduler::Scheduler;
use crate::ast::VarId;
use crate::isl::{AstBuild, AstNode, Dim, Map, ScheduleConstraints, Set};
use crate::poly::dependence::{Dependence, Kind};
use crate::poly::names::Names;
use crate::poly::scop::union;
use crate::poly::{Failure, MAX_OPERATIONS};
use crate::region::{LoopId, StmtId, Tree};
use std::collections::{BTreeMap, BTreeSet};

/// A parallel loop of no more iterations than this may go into the thread.
const SHORT: i64 = 32;

/// Operations of the scheduler for one nest, of one statement.
const SCHEDULE_OPERATIONS: u64 = 200_000;

/// Operations that isl may spend on the loops of all nests and on the proof.
const OPERATIONS: u64 = 10_000_000;

/// Loops that stand directly in each other, all in sequence.
struct Nest {
    /// The loops around it, which stay.
    outer: Vec<LoopId>,
    loops: Vec<LoopId>,
    body: Vec<Tree>,
}

/// The part with other loops around some bodies, if that costs less than its own order.
///
/// # Errors
/// A fault of isl's; the limit on its work only gives no order.
pub fn reorder_bodies(
    a: &Analysis,
    own: Cost,
    names: &mut Names,
    scheduler: &mut Scheduler,
) -> Result<Option<Reordered>, Failure> {
    let tree = bands::pruned(a, &a.part.tree)?;
    let mut nests = vec![];
    find(a, &tree, &[], &mut nests)?;
    if nests.is_empty() {
        return Ok(None);
    }
    a.scop.ctx.set_limit(OPERATIONS);
    let found = in_other_loops(a, names, scheduler, &tree, nests);
    a.scop.ctx.set_limit(MAX_OPERATIONS);
    let new = match found {
        Err(Failure::TooHard) => None,
        found => found?,
    };
    let Some(new) = new else { return Ok(None) };
    let after = Cost::of(&new.part, &bands::bands(&new.analysis(a))?);
    Ok((after < own).then_some(new))
}

/// The outermost nests of at least two loops that are all in sequence, around bodies without a long parallel loop.
fn find(a: &Analysis, trees: &[Tree], outer: &[LoopId], out: &mut Vec<Nest>) -> Result<(), Failure> {
    for t in trees {
        let (l, below) = match t {
            Tree::Stmt(_) => continue,
            Tree::If { body, .. } => {
                find(a, body, outer, out)?;
                continue;
            }
            Tree::Loop(l, body) => (*l, body),
        };
        let (mut loops, mut body) = (vec![l], below);
        while let [Tree::Loop(inner, below)] = body.as_slice() {
            loops.push(*inner);
            body = below;
        }
        let nest = Nest { outer: outer.to_vec(), loops, body: body.clone() };
        if nest.loops.len() >= 2 && nest.is_in_sequence(a)? {
            out.push(nest);
        } else {
            find(a, below, &[outer, &[l]].concat(), out)?;
        }
    }
    Ok(())
}

impl Nest {
    fn stmts(&self) -> Vec<StmtId> {
        self.body.iter().flat_map(Tree::stmts).collect()
    }

    fn is_in_sequence(&self, a: &Analysis) -> Result<bool, Failure> {
        let mut around = self.outer.clone();
        for l in &self.loops {
            if !matches!(a.verdict(*l, &self.stmts(), &around)?, Verdict::Sequential(_)) {
                return Ok(false);
            }
            around.push(*l);
        }
        self.body.iter().try_fold(true, |all, t| Ok(all && !has_long(a, t, &around)?))
    }

    /// Its dimensions alone, of these instances of a statement: the counters of the loops around become parameters.
    fn inside(&self, a: &Analysis, s: StmtId, instances: &Set) -> Result<Set, Failure> {
        let (n_outer, n) = (self.outer.len(), self.loops.len());
        let n_inner = a.part.stmt(s).loops.len() - n_outer - n;
        let instances = self.fixed(a, instances)?.project_out(Dim::Out, n_outer + n, n_inner)?;
        Ok(instances.project_out(Dim::Out, 0, n_outer)?.set_tuple_name(&self.name())?)
    }

    /// The instances with the counters of the loops around as parameters too.
    fn fixed(&self, a: &Analysis, instances: &Set) -> Result<Set, Failure> {
        let counter = |l: &LoopId| &a.scop.spelling.counters[&a.part.get_loop(*l).var];
        self.outer.iter().enumerate().try_fold(instances.clone(), |set, (k, l)| with_counter(&set, k, counter(l)))
    }

    /// What of a dependence is between different bodies in one iteration of the loops around.
    fn between(&self, a: &Analysis, d: &Dependence) -> Result<Map, Failure> {
        let (n_outer, n) = (self.outer.len(), self.loops.len());
        let mut map = d.map.intersect_domain(&self.fixed(a, &a.scop.domains[d.src.0])?)?;
        for k in 0..n_outer {
            map = map.equate(Dim::In, k, Dim::Out, k)?;
        }
        for (dim, s) in [(Dim::In, d.src), (Dim::Out, d.dst)] {
            let n_inner = a.part.stmt(s).loops.len() - n_outer - n;
            map = map.project_out(dim, n_outer + n, n_inner)?.project_out(dim, 0, n_outer)?;
            map = map.set_tuple_name(dim, &self.name())?;
        }
        Ok(map.subtract(&Map::identity(&map.space()?)?)?)
    }

    /// What isl knows the body as.
    fn name(&self) -> String {
        format!("S{}", self.stmts()[0].0)
    }

    /// Loops for it in which a variable of `own` is each body's own, as isl writes them.
    fn order(
        &self,
        a: &Analysis,
        scheduler: &mut Scheduler,
        own: &BTreeSet<VarId>,
        iterators: &[&str],
    ) -> Result<Option<AstNode>, Failure> {
        let ctx = &a.scop.ctx;
        let stmts = self.stmts();
        let mut domain = self.inside(a, stmts[0], &a.scop.domains[stmts[0].0])?;
        for s in &stmts[1..] {
            domain = domain.union(&self.inside(a, *s, &a.scop.domains[s.0])?)?;
        }
        let domain = domain.coalesce()?;
        let inside = |d: &&Dependence| stmts.contains(&d.src) && stmts.contains(&d.dst);
        let kept = |d: &&Dependence| d.kind == Kind::Flow || !own.contains(&d.data);
        let mut maps = vec![];
        for d in a.deps.list.iter().filter(inside).filter(kept) {
            maps.push(self.between(a, d)?);
        }
        let validity = union(ctx, maps.iter())?;
        let context = domain.params()?.intersect(&a.scop.sizes.hull)?;
        let constraints = ScheduleConstraints::on_domain(&domain.to_union()?)?
            .set_context(&context)?
            .set_validity(&validity)?
            .set_coincidence(&validity)?
            .set_proximity(&validity)?;
        let more = beyond(self.loops.len() as u64);
        let schedule = scheduler.schedule(ctx, &constraints, SCHEDULE_OPERATIONS / more, more)?;
        ctx.set_limit(OPERATIONS);
        let Some(schedule) = schedule else { return Ok(None) };
        let build = AstBuild::from_context(&context)?.set_iterators(iterators)?;
        Ok(Some(build.node_from_schedule(&schedule)?))
    }
}

/// Test that a tree has a parallel loop that may be long.
fn has_long(a: &Analysis, tree: &Tree, outer: &[LoopId]) -> Result<bool, Failure> {
    let (around, body) = match tree {
        Tree::Stmt(_) => return Ok(false),
        Tree::If { body, .. } => (outer.to_vec(), body),
        Tree::Loop(l, body) => {
            let is_long = a.part.get_loop(*l).may_exceed(SHORT);
            if is_long && !matches!(a.verdict(*l, &tree.stmts(), outer)?, Verdict::Sequential(_)) {
                return Ok(true);
            }
            ([outer, &[*l]].concat(), body)
        }
    };
    body.iter().try_fold(false, |any, t| Ok(any || has_long(a, t, &around)?))
}

/// The part with the nests in loops of isl's, if it computes the same.
fn in_other_loops(
    a: &Analysis,
    names: &mut Names,
    scheduler: &mut Scheduler,
    tree: &[Tree],
    nests: Vec<Nest>,
) -> Result<Option<Reordered>, Failure> {
    let (spelling, iterators) = with_counters(a, names);
    let iterators: Vec<&str> = iterators.iter().map(String::as_str).collect();
    let mut all_own = BTreeSet::new();
    let mut ordered = BTreeMap::new();
    for nest in nests {
        let own = own_copies_in(a, &nest.stmts(), &nest.outer)?;
        let Some(node) = nest.order(a, scheduler, &own, &iterators)? else { continue };
        all_own.extend(own);
        let symbol = |l: &LoopId| {
            let var = a.part.get_loop(*l).var;
            (symbol_of(&a.scop.spelling.counters[&var]), var)
        };
        let around = nest.outer.iter().map(symbol).collect();
        let group = Group { lead: nest.stmts()[0], loops: nest.loops.clone(), trees: nest.body };
        ordered.insert(nest.loops[0], Ordered { node, group, around });
    }
    if ordered.is_empty() {
        return Ok(None);
    }
    let Some(rewritten) = rewrite_nests(a.unit, a.part, &spelling, tree, &ordered) else { return Ok(None) };
    let scop = a.scop.under_other_loops(&rewritten.part, spelling)?;
    proved(a, rewritten, scop, &all_own)
}
