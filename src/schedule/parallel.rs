//! Which loops may run in parallel, and what forbids it.
//!
//! A loop is parallel when it carries no dependence (Allen and Kennedy 1987), other than those that vanish when every
//! iteration has its own copy of a variable (privatisation), and, with a reduction, those between updates of one
//! accumulation.

use crate::ast::visit::Piece;
use crate::ast::{Assertion, Exception, ExprKind, Storage, Type, Unit, VarId};
use crate::facts::reduction::Reduction;
use crate::facts::{arrays, effects};
use crate::isl::{Dim, Map, Set};
use crate::kernel::ReduceOp;
use crate::poly::Failure;
use crate::poly::dependence::{Dependences, Kind, level_of};
use crate::poly::order::n_shared;
use crate::poly::scop::{Scop, is_write};
use crate::region::{Access, AccessKind, Condition, LoopId, Relation, StaticPart, StmtId};
use crate::source::Span;
use crate::source::directive::{Directive, DirectiveKind};
use std::collections::{BTreeMap, BTreeSet};

/// Most elements of an array that every thread has for itself though the program declares it outside the loops.
const SMALL: i64 = 256;

/// The same of one that a loop declares. A device reserves local memory for all threads that it runs at once, 270,000 on an
/// H200: 64 KiB of each are 18 GB. Larger arrays stand in the device's memory once, and their loop runs in order.
const LARGE: i64 = 8192;

/// What is known of a static control part when it is scheduled.
pub struct Analysis<'a> {
    pub unit: &'a Unit,
    pub part: &'a StaticPart,
    pub scop: &'a Scop,
    pub deps: &'a Dependences,
    /// Data whose value after the part is wanted.
    pub live_out: &'a BTreeSet<VarId>,
}

/// Verdict on whether a loop may run in parallel.
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    Parallel,
    /// Not shown by analysis, but said by the user: the dependences that were set aside.
    Asserted(Vec<usize>),
    /// Parallel but for these accumulations; the dependences that were set aside because the user says so.
    Reduction(BTreeMap<VarId, ReduceOp>, Vec<usize>),
    /// The dependences that forbid it.
    Sequential(Vec<usize>),
}

impl Verdict {
    /// Parallel with nothing to join afterwards.
    pub fn is_parallel(&self) -> bool {
        matches!(self, Verdict::Parallel | Verdict::Asserted(_))
    }
}

impl Analysis<'_> {
    /// Test for dependences, by number, between updates of one accumulation that are to be made in C's order.
    pub fn are_updates_in_order(&self, deps: &[usize]) -> bool {
        deps.iter().map(|dep| &self.deps.list[*dep]).all(|d| {
            let is_update = |r: &Reduction| r.data == d.data && r.in_order;
            [d.src, d.dst].iter().all(|s| self.part.stmt(*s).update().is_some_and(is_update))
        })
    }

    /// The verdict on a loop over the statements below it; `outer` are the loops that the tree has around it.
    pub fn verdict(&self, l: LoopId, stmts: &[StmtId], outer: &[LoopId]) -> Result<Verdict, Failure> {
        let mut against = vec![];
        let mut reductions = BTreeMap::new();
        let private_on: Vec<LoopId> = outer.iter().copied().chain([l]).collect();
        let inside: BTreeSet<StmtId> = stmts.iter().copied().collect();
        // Of a variable with many dependences it is asked once, and those of a private one are not looked at.
        let mut private = BTreeMap::new();
        for (i, d) in self.deps.list.iter().enumerate() {
            if !inside.contains(&d.src) || !inside.contains(&d.dst) {
                continue;
            }
            let is_private = match private.get(&d.data) {
                Some(known) => *known,
                None => self.is_private(d.data, stmts, &private_on)?,
            };
            private.insert(d.data, is_private);
            if is_private || !self.carried(i, l, outer)? {
                continue;
            }
            match d.reduction {
                Some(op) => {
                    reductions.insert(d.data, op);
                }
                None => against.push(i),
            }
        }
        let mut stands = !against.is_empty();
        if self.is_asserted(l) {
            stands = false;
            for &i in &against {
                let v = self.deps.list[i].data;
                stands |= self.part.data[&v].shape.c_rank == 0
                    || self.exception(l, v).is_some()
                    || self.is_certain(i, l, outer)?;
            }
        }
        Ok(if stands {
            Verdict::Sequential(against)
        } else if !reductions.is_empty() {
            Verdict::Reduction(reductions, against)
        } else if against.is_empty() {
            Verdict::Parallel
        } else {
            Verdict::Asserted(against)
        })
    }

    /// Test that iterations of `l` depend on each other whenever there are two of them, so that a directive which calls
    /// them independent cannot be right.
    fn is_certain(&self, dep: usize, l: LoopId, outer: &[LoopId]) -> Result<bool, Failure> {
        let d = &self.deps.list[dep];
        let is_exact = |s: StmtId| {
            let always =
                |x: &Access| x.index.is_some() && x.surely && x.known.is_empty() && x.kind != AccessKind::MayWrite;
            self.part.stmt(s).accesses.iter().filter(|x| x.data == d.data).all(always)
        };
        if !is_exact(d.src) || !is_exact(d.dst) {
            return Ok(false);
        }
        let level = level_of(self.part, d.src, l).expect("the loop is around its statements");
        let shared = self.shared_levels(dep, outer);
        let domains = &self.scop.domains;
        let pairs = Map::from_domain_and_range(&domains[d.src.0], &domains[d.dst.0])?;
        Ok(self.sizes_with_two(pairs, level, &shared)?.is_subset(&self.sizes_with_two(
            d.map.clone(),
            level,
            &shared,
        )?)?)
    }

    /// The sizes at which some pairs that agree in the counters of shared levels differ in that of a level.
    fn sizes_with_two(&self, mut pairs: Map, level: usize, shared: &[usize]) -> Result<Set, Failure> {
        for &k in shared {
            pairs = pairs.equate(Dim::In, k, Dim::Out, k)?;
        }
        let same = pairs.equate(Dim::In, level, Dim::Out, level)?;
        Ok(pairs.subtract(&same)?.params()?.intersect(&self.scop.context)?)
    }

    /// What directives say of a loop: those before it, and those before a loop around it whose `collapse` reaches it.
    fn said_of(&self, l: LoopId) -> impl Iterator<Item = &Directive> {
        let around = self.part.stmts.iter().find_map(|s| {
            let level = s.loops.iter().position(|x| *x == l)?;
            Some(&s.loops[..=level])
        });
        let around = around.unwrap_or_default().iter().rev().enumerate();
        around.flat_map(|(distance, x)| {
            let reaches =
                move |d: &&Directive| matches!(d.kind, DirectiveKind::Parallel { collapse, .. } if collapse > distance);
            self.part.get_loop(*x).directives.iter().filter(reaches)
        })
    }

    /// The directives that call the iterations of a loop independent.
    fn assertions(&self, l: LoopId) -> impl Iterator<Item = &Directive> {
        self.said_of(l).filter(|d| matches!(d.kind, DirectiveKind::Parallel { asserted: true, .. }))
    }

    /// Test that the user says that the iterations of a loop are independent.
    pub fn is_asserted(&self, l: LoopId) -> bool {
        self.assertions(l).next().is_some()
    }

    /// Exception of a variable from all that directives say of the independence of a loop's iterations: dependences
    /// through it stand.
    pub fn exception(&self, l: LoopId, v: VarId) -> Option<&Exception> {
        let mut first = None;
        for d in self.assertions(l) {
            let excepted =
                self.unit.assertions.iter().find(|x| x.directive == d.span).and_then(|x| self.left_out(x, l, v));
            first = Some(first.unwrap_or(excepted?));
        }
        first
    }

    /// Why one directive does not speak of a variable.
    fn left_out<'x>(&self, said: &'x Assertion, l: LoopId, v: VarId) -> Option<&'x Exception> {
        // Copies that were made of a variable have its place.
        let is_named = |w: VarId, v: VarId| w == v || self.unit.var(w).span == self.unit.var(v).span;
        // A pointer that the part does not have leads to it under another name: to any.
        let is_gone = |w: VarId| {
            let var = self.unit.var(w);
            let is_pointer = matches!(var.ty, Type::Pointer { .. }) || var.storage == Storage::Param;
            is_pointer && !self.part.data.keys().any(|x| is_named(w, *x))
        };
        let apart = || said.apart.iter().find(|(w, _)| is_named(*w, v) || is_gone(*w)).map(|(_, e)| e);
        // What is guarded but not found may be anywhere.
        let guards = |e: &&Exception| {
            let guarded = self.guarded(l, e.holds);
            guarded.is_empty() || guarded.contains(&v)
        };
        said.void.as_ref().or_else(apart).or_else(|| said.guards.iter().find(guards))
    }

    /// The variables that statements in a loop name inside some bytes of the source.
    fn guarded(&self, l: LoopId, within: Span) -> BTreeSet<VarId> {
        let mut found = BTreeSet::new();
        for s in self.part.stmts.iter().filter(|s| s.loops.contains(&l)) {
            if within.encloses(s.body.span) {
                found.extend(s.accesses.iter().map(|a| a.data));
            }
            s.body.walk(&mut |piece| match piece {
                Piece::Stmt(s) if within.encloses(s.span) => found.extend(effects::mentioned([s])),
                Piece::Expr(e) if within.encloses(e.span) => e.walk(&mut |x| {
                    if let ExprKind::Var(v) = x.kind {
                        found.insert(v);
                    }
                }),
                _ => {}
            });
        }
        found
    }

    /// Test that a directive says that each iteration of `l` has its own `v`. Of a pointer it speaks of the pointer, not
    /// of what is behind it.
    pub fn is_private_by_claim(&self, v: VarId, l: LoopId) -> bool {
        let var = self.unit.var(v);
        let says =
            |d: &Directive| matches!(&d.kind, DirectiveKind::Parallel { private, .. } if private.contains(&var.name));
        !arrays::is_behind_pointer(&var.ty) && self.said_of(l).any(says)
    }

    /// Test that a directive makes a variable private to the iterations of a loop.
    pub fn has_claims(&self, l: LoopId) -> bool {
        let claims = |d: &Directive| matches!(&d.kind, DirectiveKind::Parallel { private, .. } if !private.is_empty());
        self.said_of(l).any(claims)
    }

    /// Test that a loop is worth blocks and threads: parallel, and run more than once.
    pub fn is_axis(&self, l: LoopId, stmts: &[StmtId], outer: &[LoopId]) -> Result<bool, Failure> {
        let may_repeat = self.part.get_loop(l).may_exceed(1);
        Ok(may_repeat && self.verdict(l, stmts, outer)?.is_parallel() && self.repeats(l, stmts, outer)?)
    }

    /// Test that a loop ever has two iterations at equal counters of `outer`. A write that is made once at most, by bounds
    /// and conditions that no equation says, and is not where the counter selects, keeps the loop in order: who owns it
    /// could not be told from it.
    pub fn repeats(&self, l: LoopId, stmts: &[StmtId], outer: &[LoopId]) -> Result<bool, Failure> {
        if !self.part.get_loop(l).may_exceed(1) {
            return Ok(false);
        }
        let mut any = false;
        for s in stmts {
            if level_of(self.part, *s, l).is_none() {
                continue;
            }
            let domain = &self.scop.domains[s.0];
            let is_repeated = self.has_two(domain, *s, l, outer)?;
            any |= is_repeated;
            for (access, map) in self.part.stmt(*s).accesses.iter().zip(&self.scop.accesses[s.0]) {
                let is_ever_made_twice = || {
                    if access.known.is_empty() { Ok(is_repeated) } else { self.has_two(&map.domain()?, *s, l, outer) }
                };
                if self.hides_owner(l, *s, access) && !is_ever_made_twice()? && !self.scop.sizes.never_any(domain)? {
                    return Ok(false);
                }
            }
        }
        Ok(any)
    }

    /// Test that two of these instances of a statement differ in the counter of `l` and agree in those of `outer`.
    fn has_two(&self, instances: &Set, s: StmtId, l: LoopId, outer: &[LoopId]) -> Result<bool, Failure> {
        let level = level_of(self.part, s, l).expect("the loop is around its statements");
        let mut pairs = Map::from_domain_and_range(instances, instances)?;
        for k in outer.iter().filter_map(|o| level_of(self.part, s, *o)) {
            pairs = pairs.equate(Dim::In, k, Dim::Out, k)?;
        }
        Ok(!self.scop.sizes.never(&pairs.order_lt(Dim::In, level, Dim::Out, level)?)?)
    }

    /// Test that a statement writes by an access what the counter of `l` neither selects nor is set equal to something for.
    fn hides_owner(&self, l: LoopId, s: StmtId, a: &Access) -> bool {
        let var = self.part.get_loop(l).var;
        let selects = a.index.as_ref().is_some_and(|index| index.iter().any(|p| p.uses(var)));
        let is_pinned = || self.part.stmt(s).guards.iter().chain(&a.known).any(|g| pins(g, var));
        is_write(a) && !selects && !is_pinned()
    }

    /// Test that loop `l` carries a dependence: the counters of `outer` equal at both ends, its own not.
    pub fn carried(&self, dep: usize, l: LoopId, outer: &[LoopId]) -> Result<bool, Failure> {
        let d = &self.deps.list[dep];
        let level = level_of(self.part, d.src, l).expect("the loop is around its statements");
        self.deps.moves(dep, level, &self.shared_levels(dep, outer))
    }

    /// The sizes for which loop `l` carries a dependence.
    pub fn sizes_carried(&self, dep: usize, l: LoopId, outer: &[LoopId]) -> Result<Set, Failure> {
        let d = &self.deps.list[dep];
        let level = level_of(self.part, d.src, l).expect("the loop is around its statements");
        self.sizes_with_two(d.map.clone(), level, &self.shared_levels(dep, outer))
    }

    /// Test that one of these groups of statements waits for the other at equal counters of `outer`, loops around both.
    pub fn waits(&self, first: &[StmtId], second: &[StmtId], outer: &[LoopId]) -> Result<bool, Failure> {
        for (i, d) in self.deps.list.iter().enumerate() {
            let between = |x: &[StmtId], y: &[StmtId]| x.contains(&d.src) && y.contains(&d.dst);
            if !between(first, second) && !between(second, first) {
                continue;
            }
            if self.is_of_one_iteration(i, outer)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Test that a dependence has both ends in one iteration of those of `loops` that they share.
    pub fn is_of_one_iteration(&self, dep: usize, loops: &[LoopId]) -> Result<bool, Failure> {
        self.deps.holds(dep, &self.shared_levels(dep, loops))
    }

    /// The levels of those of `loops` that both ends of a dependence share.
    fn shared_levels(&self, dep: usize, loops: &[LoopId]) -> Vec<usize> {
        let d = &self.deps.list[dep];
        let n_shared = n_shared(self.part, d.src, d.dst);
        loops.iter().filter_map(|l| level_of(self.part, d.src, *l)).filter(|k| *k < n_shared).collect()
    }

    /// Test that each iteration of `loops` may have its own copy of `v` while `stmts` run: no value of it enters, leaves,
    /// or passes from one iteration of any of them to another.
    pub fn is_private(&self, v: VarId, stmts: &[StmtId], loops: &[LoopId]) -> Result<bool, Failure> {
        if let Some(l) = loops.iter().rev().find(|l| self.is_private_by_claim(v, **l)) {
            return self.is_private_inside(v, *l, stmts, loops);
        }
        let data = &self.part.data[&v];
        let fits = if data.is_local { self.elements(v).is_none_or(|n| n <= LARGE) } else { self.is_small(v) };
        if data.shape.c_rank > 0 && !fits {
            return Ok(false);
        }
        if self.live_out.contains(&v) {
            return Ok(false);
        }
        // What is declared outside the part may be read when the part runs again.
        if self.deps.upward_exposed.get(&v).is_some_and(|s| s.iter().any(|s| !data.is_local || stmts.contains(s))) {
            return Ok(false);
        }
        for (i, d) in self.deps.list.iter().enumerate().filter(|(_, d)| d.data == v && d.kind == Kind::Flow) {
            let (src, dst) = (stmts.contains(&d.src), stmts.contains(&d.dst));
            if src != dst {
                return Ok(false);
            }
            if src {
                for k in self.shared_levels(i, loops) {
                    if self.deps.moves(i, k, &[])? {
                        return Ok(false);
                    }
                }
            }
        }
        Ok(true)
    }

    /// Test that a variable is an array of the function's own, small enough for every thread to have one.
    fn is_small(&self, v: VarId) -> bool {
        let var = self.unit.var(v);
        let is_own = var.storage == Storage::Local && matches!(var.ty, Type::Array { .. });
        is_own && self.elements(v).is_some_and(|n| (1..=SMALL).contains(&n))
    }

    /// How many elements an array has, if the program says it in numbers.
    fn elements(&self, v: VarId) -> Option<i64> {
        let (mut ty, mut n) = (&self.unit.var(v).ty, 1i64);
        while let Type::Array { of, len } = ty {
            match len.as_deref().map(|e| &e.kind) {
                Some(ExprKind::Int(extent)) => n = n.saturating_mul(*extent),
                _ => return None,
            }
            ty = of;
        }
        Some(n)
    }

    /// The same where the user says that `v` is private on the loop `claimed`: no value passes from `stmts` to others in
    /// one iteration of it, or between iterations of the loops inside it.
    fn is_private_inside(
        &self,
        v: VarId,
        claimed: LoopId,
        stmts: &[StmtId],
        loops: &[LoopId],
    ) -> Result<bool, Failure> {
        for (i, d) in self.deps.list.iter().enumerate().filter(|(_, d)| d.data == v && d.kind == Kind::Flow) {
            let (src, dst) = (stmts.contains(&d.src), stmts.contains(&d.dst));
            let shared = self.shared_levels(i, &self.part.stmt(d.src).loops);
            let level = level_of(self.part, d.src, claimed).filter(|k| shared.contains(k));
            let Some(level) = level.filter(|_| src || dst) else { continue };
            let equal: Vec<usize> = (0..=level).collect();
            if src != dst && self.deps.holds(i, &equal)? {
                return Ok(false);
            }
            for k in self.shared_levels(i, loops).into_iter().filter(|k| src && dst && *k > level) {
                if self.deps.moves(i, k, &equal)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// The data of a nest that every thread has its own copy of: private on all host loops around it and all its axes.
    pub fn private_to_nest(&self, nest: &super::Nest) -> Result<BTreeSet<VarId>, Failure> {
        let stmts = nest.stmts();
        let inner: BTreeSet<LoopId> = nest.body.iter().flat_map(loops_in).collect();
        let mut private = BTreeSet::new();
        let touched: BTreeSet<VarId> =
            stmts.iter().flat_map(|s| &self.part.stmt(*s).accesses).map(|a| a.data).collect();
        let around: Vec<LoopId> = stmts
            .iter()
            .flat_map(|s| &self.part.stmt(*s).loops)
            .filter(|l| !inner.contains(l))
            .copied()
            .collect::<BTreeSet<_>>()
            .into_iter()
            .collect();
        for v in touched {
            if self.is_private(v, &stmts, &around)? {
                private.insert(v);
            }
        }
        Ok(private)
    }
}

/// Test that a condition is an equation in `v`.
fn pins(c: &Condition, v: VarId) -> bool {
    match c {
        Condition::Compare(p, Relation::Eq) => p.uses(v),
        Condition::And(a, b) => pins(a, v) || pins(b, v),
        _ => false,
    }
}

/// The loops of a tree.
pub fn loops_in(tree: &crate::region::Tree) -> Vec<LoopId> {
    use crate::region::Tree;
    match tree {
        Tree::Stmt(_) => vec![],
        Tree::If { body, .. } => body.iter().flat_map(loops_in).collect(),
        Tree::Loop(id, body) => std::iter::once(*id).chain(body.iter().flat_map(loops_in)).collect(),
    }
}
