//! Another order for the statements, where the program's own has too little that is parallel.
//!
//! ```text
//! for i: for j: a[i][j] = a[i-1][j] + a[i][j-1] + a[i+1][j]      nothing parallel
//! ->
//! for c0 (in order): for c1 (in parallel): i = ..., j = ...          the wavefronts
//! ```
//! isl's scheduler finds the order (Verdoolaege and Janssens 2017, after Bondhugula et al. 2008 and Feautrier 1992),
//! its generator the loops, and [`rewrite`](super::rewrite) makes them a static part like any other, with the same
//! dependences between its own instances: its parallel loops are those that carry none *there*. That the new order computes the same is
//! proved here and not taken from the scheduler: every instance runs once, every dependence still points forwards,
//! and what reads a variable that each iteration may have for itself reads it from the same writes.
//!
//! It is asked for where the program's order leaves two or more loops in sequence, or work of single threads.

use super::divide::divide;
use super::parallel::{Analysis, loops_in};
use super::rewrite::{Group, Rewritten, rewrite};
use super::scheduler::Scheduler;
use super::{Mode, Nest, Step, bands};
use crate::ast::VarId;
use crate::config::Schedule as Strategy;
use crate::isl::{AstBuild, Dim, Map, Schedule, ScheduleConstraints, Set, USet};
use crate::poly::dependence::{Dependence, Dependences, Kind, analyse_moved};
use crate::poly::names::Names;
use crate::poly::order::later;
use crate::poly::scop::{Scop, Spelling, union};
use crate::poly::{Failure, MAX_OPERATIONS};
use crate::region::{Condition, LoopId, Relation, StaticPart, StmtId, Tree};
use crate::source::directive::DirectiveKind;
use std::collections::BTreeSet;

/// Most iterations of a loop in a thread that costs nothing: over the few unknowns of a point.
const SHORT: i64 = 8;

/// Work that the scheduler may do: some tenths of a second. One of its operations is a step of an integer program with
/// a column for each coefficient of the schedule, about as many rows, and takes as long.
pub const SCHEDULE_WORK: u64 = 40_000_000;

/// Loops around a statement up to which an operation of the scheduler takes the same time.
const USUAL_DEPTH: u64 = 4;

/// Coefficients by rows of the scheduler's integer program up to which an operation of it costs what others do.
const USUAL_CELLS: u64 = 256;

/// So few of its operations lead nowhere: the constraints alone take more.
const FEWEST_OPERATIONS: u64 = 100;

/// The same for the pieces of a divided statement: many columns, but few dependences.
const DIVIDED_WORK: u64 = 800_000_000;

/// Operations that isl may spend on the loops of a schedule and on their proof.
const LOOPS_OPERATIONS: u64 = 1_000_000;

/// A part in another order, analysed.
pub struct Reordered {
    pub part: StaticPart,
    pub scop: Scop,
    pub deps: Dependences,
}

impl Reordered {
    /// What is known of it, in the place of `a`.
    pub fn analysis<'b>(&'b self, a: &Analysis<'b>) -> Analysis<'b> {
        Analysis { unit: a.unit, part: &self.part, scop: &self.scop, deps: &self.deps, live_out: a.live_out }
    }
}

/// The orders found for a part.
#[derive(Clone, Copy)]
pub struct Orders<'a> {
    /// The one in which it is scheduled, where that is not the program's.
    pub current: Option<&'a Reordered>,
    /// One of whole bodies, for where nothing better is found.
    pub of_bodies: Option<&'a Reordered>,
}

impl<'a> Orders<'a> {
    /// The one that anything else must be better than.
    pub fn best(&self) -> Option<&'a Reordered> {
        self.current.or(self.of_bodies)
    }
}

/// What a part's own order costs, if that is so much that another one is worth looking for, and the user leaves it free.
///
/// # Errors
/// A fault of isl's.
pub fn wanting(a: &Analysis) -> Result<Option<Cost>, Failure> {
    let cost = Cost::of(a.part, &bands::bands(a)?);
    let is_wanting = cost.time >= 2 || cost.serial > 0;
    Ok((is_wanting && !is_directed(a)).then_some(cost))
}

/// The part in another order, if there is one that costs less than its own, found with so much work at most.
///
/// # Errors
/// A fault of isl's; the limit on its work only gives no order.
pub fn reorder(
    a: &Analysis,
    own: Cost,
    names: &mut Names,
    scheduler: &mut Scheduler,
    work: u64,
) -> Result<Option<Reordered>, Failure> {
    let mut best = (own, None);
    let mut consider = |found: Result<Option<Reordered>, Failure>| {
        a.scop.ctx.set_limit(MAX_OPERATIONS);
        let new = match found {
            Err(Failure::TooHard) => None,
            found => found?,
        };
        if let Some(new) = new {
            let cost = Cost::of(&new.part, &bands::bands(&new.analysis(a))?);
            if cost < best.0 {
                best = (cost, Some(new));
            }
        }
        Ok::<Cost, Failure>(best.0)
    };
    let strategy = scheduler.strategy;
    let mut reached = consider(search(a, names, scheduler, work))?;
    let is_divided = reached.time >= 2;
    if is_divided {
        reached = consider(search_divided(a, names, scheduler))?;
    }
    if strategy != Strategy::MinFusion && (reached.time >= 2 || reached.rare > 0) {
        // Statements, or pieces of one, were put into the loops of what they wait for: they are to be apart.
        scheduler.strategy = Strategy::MinFusion;
        let found = if is_divided { search_divided(a, names, scheduler) } else { search(a, names, scheduler, work) };
        scheduler.strategy = strategy;
        consider(found)?;
    }
    Ok(best.1)
}

/// The search after statements were divided.
fn search_divided(a: &Analysis, names: &mut Names, scheduler: &mut Scheduler) -> Result<Option<Reordered>, Failure> {
    let Some(divided) = divide(a) else { return Ok(None) };
    let scop = a.scop.under_other_loops(&divided.part, a.scop.spelling.clone())?;
    match proved(a, divided, scop, &own_copies(a)?)? {
        Some(divided) => search(&divided.analysis(a), names, scheduler, DIVIDED_WORK),
        None => Ok(None),
    }
}

/// Test that the user says something of the loops: they are to stay as they are. That a loop is parallel says something
/// only where the dependences do not: what they show is kept in any order, and what they forbid for certain has no effect.
pub fn is_directed(a: &Analysis) -> bool {
    fn any(a: &Analysis, bare: &Analysis, trees: &[Tree], outer: &[LoopId]) -> bool {
        trees.iter().any(|t| match t {
            Tree::Stmt(_) => false,
            Tree::If { body, .. } => any(a, bare, body, outer),
            Tree::Loop(l, body) => {
                let stmts = t.stmts();
                let verdict = |a: &Analysis| a.verdict(*l, &stmts, outer).ok();
                let mut said = a.part.get_loop(*l).directives.iter();
                said.any(|d| !matches!(d.kind, DirectiveKind::Parallel { .. }))
                    || verdict(a) != verdict(bare)
                    || any(a, bare, body, &[outer, &[*l]].concat())
            }
        })
    }
    if a.part.loops.iter().all(|l| l.directives.is_empty()) {
        return false;
    }
    let mut bare = a.part.clone();
    bare.loops.iter_mut().for_each(|l| l.directives.clear());
    any(a, &Analysis { part: &bare, ..*a }, &a.part.tree, &[])
}

/// What steps cost, the worse the greater.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Cost {
    /// Most loops around a statement that run in sequence, on the host or in a thread.
    time: usize,
    /// Kernels in loops of the host that are joined or run by one thread.
    serial: usize,
    /// Statements beside loops of a thread that run in one iteration of an axis alone: all threads test for it, and what their
    /// loops leave is stored and loaded for its sake.
    rare: usize,
}

impl Cost {
    /// What these steps cost.
    pub fn of(part: &StaticPart, steps: &[Step]) -> Cost {
        let mut cost = Cost::default();
        cost.add(part, steps, 0);
        cost
    }

    fn add(&mut self, part: &StaticPart, steps: &[Step], around: usize) {
        for step in steps {
            match step {
                Step::Loop { body, .. } => self.add(part, body, around + 1),
                Step::If { body, .. } => self.add(part, body, around),
                Step::Nest(Nest { axes, body, mode }) => {
                    let counters: Vec<VarId> = axes.iter().flatten().map(|l| part.get_loop(*l).var).collect();
                    let has_loops = body.iter().any(|t| !loops_in(t).is_empty());
                    self.rare += if has_loops { body.iter().map(|t| rare(t, &counters)).sum() } else { 0 };
                    let inside = body.iter().map(|t| depth(part, t)).max().unwrap_or(0);
                    self.time = self.time.max(around + inside);
                    let one = *mode == Mode::OneThread && around + inside > 0;
                    self.serial += usize::from(one || *mode == Mode::Reduce && around > 0);
                }
            }
        }
    }
}

/// Statements of a tree that run for one value of some counter alone.
fn rare(tree: &Tree, counters: &[VarId]) -> usize {
    fn holds_once(cond: &Condition, counters: &[VarId]) -> bool {
        match cond {
            Condition::Compare(p, Relation::Eq) => counters.iter().any(|v| p.uses(*v)),
            Condition::And(a, b) => holds_once(a, counters) || holds_once(b, counters),
            _ => false,
        }
    }
    match tree {
        Tree::If { cond, expr: None, negated: false, .. } if holds_once(cond, counters) => tree.stmts().len(),
        Tree::If { body, .. } => body.iter().map(|t| rare(t, counters)).sum(),
        _ => 0,
    }
}

/// Most loops around a statement of a tree, but for short ones.
fn depth(part: &StaticPart, tree: &Tree) -> usize {
    match tree {
        Tree::Stmt(_) => 0,
        Tree::If { body, .. } => body.iter().map(|t| depth(part, t)).max().unwrap_or(0),
        Tree::Loop(l, body) => {
            let own = usize::from(part.get_loop(*l).may_exceed(SHORT));
            own + body.iter().map(|t| depth(part, t)).max().unwrap_or(0)
        }
    }
}

fn search(a: &Analysis, names: &mut Names, scheduler: &mut Scheduler, work: u64) -> Result<Option<Reordered>, Failure> {
    let ctx = &a.scop.ctx;
    let own = own_copies(a)?;
    let groups = groups(a, &own)?;
    let of = |g: &Group| (g.loops.len() + a.part.params.list.len() + 1) as u64;
    let coefficients: u64 = groups.iter().map(of).sum();
    let depth = groups.iter().map(|g| g.loops.len() as u64).max().unwrap_or(0);
    let operations = work / coefficients.pow(2).max(1) / beyond(depth);
    if operations < FEWEST_OPERATIONS {
        return Ok(None);
    }
    // First without a thought of how variables are used again, which the proof then decides on.
    for reuse in [false, true] {
        if reuse && own.is_empty() {
            break;
        }
        ctx.set_limit(LOOPS_OPERATIONS);
        let constraints = constraints(a, &own, &groups, reuse)?;
        let schedule = scheduler.schedule(ctx, &constraints, operations, weight(coefficients, depth));
        ctx.set_limit(LOOPS_OPERATIONS);
        let Some(schedule) = schedule? else { continue };
        if let Some(found) = under(a, names, &schedule, &groups, &own)? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// Usual operations that one of the scheduler costs, for so many coefficients and nests of such a depth. It is a step over a row for
/// each coefficient, with integers that grow. The scheduler also eliminates the multipliers of the dependences' constraints
/// one by one (Farkas), which pairs up those that are left: nests of 4 loops have a few dozen, of 8 hundreds.
pub fn weight(coefficients: u64, depth: u64) -> u64 {
    (coefficients.saturating_pow(2) / USUAL_CELLS).max(1) * beyond(depth)
}

/// By how much an operation costs more in nests of such a depth.
pub fn beyond(depth: u64) -> u64 {
    (depth.max(USUAL_DEPTH).pow(4) / USUAL_DEPTH.pow(4)).max(1)
}

/// The part in the order of a schedule, if it is right.
fn under(
    a: &Analysis,
    names: &mut Names,
    schedule: &Schedule,
    groups: &[Group],
    own: &BTreeSet<VarId>,
) -> Result<Option<Reordered>, Failure> {
    let (spelling, iterators) = with_counters(a, names);
    let iterators: Vec<&str> = iterators.iter().map(String::as_str).collect();
    let build = AstBuild::from_context(&a.scop.sizes.hull)?.set_iterators(&iterators)?;
    let node = build.node_from_schedule(schedule)?;
    let Some(rewritten) = rewrite(a.unit, a.part, &spelling, groups, &node) else { return Ok(None) };
    let scop = a.scop.under_other_loops(&rewritten.part, spelling)?;
    proved(a, rewritten, scop, own)
}

/// How the part is spelled with the counters of new loops, and what these are called, outermost first.
pub fn with_counters(a: &Analysis, names: &mut Names) -> (Spelling, Vec<String>) {
    let mut spelling = a.scop.spelling.clone();
    for v in &a.unit.counters {
        spelling.counters.insert(*v, names.of(a.unit, *v));
    }
    let iterators = a.unit.counters.iter().map(|v| spelling.counters[v].clone()).collect();
    (spelling, iterators)
}

/// The scalars and local arrays of the part of which no value enters or leaves it: iterations may each have their own.
fn own_copies(a: &Analysis) -> Result<BTreeSet<VarId>, Failure> {
    let stmts: Vec<StmtId> = a.part.tree.iter().flat_map(Tree::stmts).collect();
    own_copies_in(a, &stmts, &[])
}

/// The same of some statements in an iteration of the loops `outer` around them.
pub fn own_copies_in(a: &Analysis, stmts: &[StmtId], outer: &[LoopId]) -> Result<BTreeSet<VarId>, Failure> {
    let mut own = BTreeSet::new();
    for v in a.part.data.keys() {
        if a.is_private(*v, stmts, outer)? {
            own.insert(*v);
        }
    }
    Ok(own)
}

/// The statements in groups that keep together, each led by its first: neighbours in one body, between the first and the
/// last of which a variable of `own` is handed on.
fn groups(a: &Analysis, own: &BTreeSet<VarId>) -> Result<Vec<Group>, Failure> {
    let mut runs = vec![];
    neighbours(&bands::pruned(a, &a.part.tree)?, &mut runs);
    let hands_on = |from: StmtId, to: StmtId| {
        let mut flows = a.deps.list.iter().filter(|d| d.kind == Kind::Flow && own.contains(&d.data));
        flows.any(|d| d.src == from && d.dst == to)
    };
    let mut out = vec![];
    for run in runs {
        let mut rest = run.as_slice();
        while !rest.is_empty() {
            // The group grows as long as something in it is wanted further on.
            let (mut end, mut at) = (1, 0);
            while at < end {
                let last = (at + 1..rest.len()).rev().find(|k| hands_on(rest[at], rest[*k]));
                end = end.max(last.map_or(0, |k| k + 1));
                at += 1;
            }
            out.push(Group {
                lead: rest[0],
                loops: a.part.stmt(rest[0]).loops.clone(),
                trees: rest[..end].iter().map(|s| Tree::Stmt(*s)).collect(),
            });
            rest = &rest[end..];
        }
    }
    Ok(out)
}

/// The runs of statements that stand side by side.
fn neighbours(trees: &[Tree], out: &mut Vec<Vec<StmtId>>) {
    let mut run = vec![];
    for t in trees {
        match t {
            Tree::Stmt(s) => run.push(*s),
            Tree::Loop(_, body) | Tree::If { body, .. } => {
                out.push(std::mem::take(&mut run));
                neighbours(body, out);
            }
        }
    }
    out.push(run);
}

/// What the new order must and should keep. What overwrites a variable that iterations may have for themselves waits
/// for its readers only where those are not in the same iteration (live-range reordering, Baghdadi et al. 2013), or,
/// without `reuse`, not at all.
fn constraints(
    a: &Analysis,
    own: &BTreeSet<VarId>,
    groups: &[Group],
    reuse: bool,
) -> Result<ScheduleConstraints, Failure> {
    let ctx = &a.scop.ctx;
    let mut maps = vec![];
    for d in &a.deps.list {
        maps.push(between_leads(d, groups)?);
    }
    let of = |keep: &dyn Fn(Kind, bool) -> bool| {
        let kept = a.deps.list.iter().zip(&maps).filter(|(d, _)| keep(d.kind, own.contains(&d.data)));
        union(ctx, kept.map(|(_, map)| map))
    };
    let mut domain = USet::empty(ctx)?;
    for group in groups {
        domain = domain.union(&a.scop.domains[group.lead.0].to_union()?)?;
    }
    let validity = of(&|kind, own| kind == Kind::Flow || !own)?;
    let ranges = of(&|kind, own| kind == Kind::Flow && own)?;
    let overwrites = of(&|kind, own| kind != Kind::Flow && own)?;
    let flow = of(&|kind, _| kind == Kind::Flow)?;
    let plain = ScheduleConstraints::on_domain(&domain)?
        .set_context(&a.scop.sizes.hull)?
        .set_validity(&validity)?
        .set_coincidence(&validity)?
        .set_proximity(&flow)?;
    Ok(if reuse { plain.set_conditional_validity(&ranges, &overwrites)? } else { plain })
}

/// A dependence as one between the leads of its ends' groups, without what stays inside an instance of a group.
fn between_leads(d: &Dependence, groups: &[Group]) -> Result<Map, Failure> {
    let has = |g: &Group, s: StmtId| g.trees.iter().any(|t| matches!(t, Tree::Stmt(x) if *x == s));
    let lead = |s| groups.iter().find(|g| has(g, s)).map_or(s, |g| g.lead);
    let (src, dst) = (lead(d.src), lead(d.dst));
    let map = d.map.set_tuple_name(Dim::In, &format!("S{}", src.0))?;
    let map = map.set_tuple_name(Dim::Out, &format!("S{}", dst.0))?;
    if src != dst || d.src == d.dst {
        return Ok(map);
    }
    Ok(map.subtract(&Map::identity(&map.space()?)?)?)
}

/// From the instances of a statement to those they are of, and of which statement those are.
type Back = (StmtId, Map);

/// The new part with its dependences, if it computes what the old one does.
///
/// # Errors
/// The limit on isl's work.
pub fn proved(
    a: &Analysis,
    Rewritten { part, original }: Rewritten,
    scop: Scop,
    own: &BTreeSet<VarId>,
) -> Result<Option<Reordered>, Failure> {
    let mut back: Vec<Back> = vec![];
    for (i, old) in original.iter().enumerate() {
        let values: Vec<String> = part.stmts[i].counters.iter().map(|(_, p)| scop.spelling.text(p)).collect();
        let tuple = scop.spelling.tuple(&part, StmtId(i));
        let text = format!("{}{{ {tuple} -> S{}[{}] }}", scop.spelling.prefix(), old.0, values.join(", "));
        back.push((*old, Map::parse(&a.scop.ctx, &text)?.intersect_domain(&scop.domains[i])?));
    }
    if !runs_all_once(a, &back)? {
        return Ok(None);
    }
    let Some(kept) = kept_in_order(a, &part, own, &back)? else { return Ok(None) };
    let deps = analyse_moved(&part, &scop, a.deps, kept, &back, own)?;
    let new = Reordered { part, scop, deps };
    Ok(keeps_flow(a, &new, own, &back)?.then_some(new))
}

/// Every instance runs, and runs once.
fn runs_all_once(a: &Analysis, back: &[Back]) -> Result<bool, Failure> {
    for (s, domain) in a.scop.domains.iter().enumerate() {
        let mut seen = Set::empty(&domain.space()?)?;
        for (_, map) in back.iter().filter(|(old, _)| old.0 == s) {
            let ran = map.range()?;
            if !map.is_injective()? || !seen.is_disjoint(&ran)? {
                return Ok(false);
            }
            seen = seen.union(&ran)?;
        }
        if !seen.is_equal(domain)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Every dependence points forwards, but for those that only say that a variable is used again: the dependences between
/// the new instances, `None` where one does not.
fn kept_in_order(
    a: &Analysis,
    part: &StaticPart,
    own: &BTreeSet<VarId>,
    back: &[Back],
) -> Result<Option<Vec<Dependence>>, Failure> {
    let mut kept = vec![];
    for d in a.deps.list.iter().filter(|d| d.kind == Kind::Flow || !own.contains(&d.data)) {
        for (i, (_, from)) in back.iter().enumerate().filter(|(_, (old, _))| *old == d.src) {
            let begun = d.map.apply_domain(&from.reverse()?)?;
            for (j, (_, to)) in back.iter().enumerate().filter(|(_, (old, _))| *old == d.dst) {
                let map = begun.apply_range(&to.reverse()?)?;
                if a.scop.sizes.never(&map)? {
                    continue;
                }
                if !map.is_subset(&later(part, &map)?)? {
                    return Ok(None);
                }
                kept.push(Dependence { src: StmtId(i), dst: StmtId(j), map, ..d.clone() });
            }
        }
    }
    Ok(Some(kept))
}

/// What is read from the variables of `own` was written by the same instance as before.
fn keeps_flow(a: &Analysis, new: &Reordered, own: &BTreeSet<VarId>, back: &[Back]) -> Result<bool, Failure> {
    let of = |v: VarId, list: &[Dependence]| -> Vec<Dependence> {
        list.iter().filter(|d| d.data == v && d.kind == Kind::Flow).cloned().collect()
    };
    for v in own {
        if new.deps.upward_exposed.get(v).is_some_and(|s| !s.is_empty()) {
            return Ok(false);
        }
        let before = union(&a.scop.ctx, of(*v, &a.deps.list).iter().map(|d| &d.map))?;
        for d in of(*v, &new.deps.list) {
            let pairs = d.map.apply_domain(&back[d.src.0].1)?.apply_range(&back[d.dst.0].1)?;
            if !pairs.to_union()?.is_subset(&before)? {
                return Ok(false);
            }
        }
    }
    Ok(true)
}
