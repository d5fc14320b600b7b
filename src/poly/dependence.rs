//! Dependences between statements, each over one array or scalar, and what enters and leaves a static control part.
//!
//! Flow dependences are exact (Feautrier 1991, through isl): a read depends on the last write before it; where that is
//! too hard, on every write before it. Anti and output dependences are all pairs: they are only ever asked whether they
//! forbid something. Updates of an accumulation do not hide what was before them, so that the first value and every use
//! stay ordered against *all* updates when the updates themselves are reordered.

use super::Failure;
use super::flow::last_writes;
use super::order::{ends, in_order, later, stmt_of};
use super::scop::{Scop, Sizes, is_write, union};
use crate::ast::VarId;
use crate::facts::reduction::Reduction;
use crate::facts::symbolic::Poly;
use crate::isl::{Ctx, Dim, Map, Set, UMap};
use crate::kernel::ReduceOp;
use crate::region::{Access, AccessKind, LoopId, StaticPart, StmtId};
use crate::source::directive::{Directive, DirectiveKind};
use indexmap::IndexMap;
use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

/// Pairs of a write and another access that may be asked for in a part, each a tenth of a millisecond or less where the
/// two have no element in common, and how many may have some, as every later pass looks at those. More than the
/// largest part of the NAS benchmarks has of either.
const MAX_PAIRS: usize = 100_000;
const MAX_DEPENDENCES: usize = 5_000;

/// Operations that isl may spend on the distances of one dependence.
const DISTANCE_OPERATIONS: u64 = 100_000;

/// What kind of order a dependence asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    Flow,
    Anti,
    Output,
}

/// `dst` must run after `src`, for the pairs of instances in `map`.
#[derive(Debug, Clone)]
pub struct Dependence {
    pub kind: Kind,
    pub data: VarId,
    pub src: StmtId,
    pub dst: StmtId,
    pub map: Map,
    /// Between two updates of one accumulation: their order does not matter.
    pub reduction: Option<ReduceOp>,
}

/// What enters and leaves a part, of one of its data: sets of elements over the parameters, each computed when it is
/// first asked for, because most parts that are analysed are not converted in the end.
#[derive(Clone)]
pub struct Live {
    ctx: Ctx,
    /// No element, as isl's text.
    none: String,
    /// Reads that may see a value from before, reads, writes, sure writes, and what happens whatever the data are.
    maps: [UMap; 5],
    sets: [OnceCell<Set>; 5],
}

impl Live {
    /// Elements read that may hold a value from before.
    pub fn read_first(&self) -> Result<&Set, Failure> {
        self.elements(0, || Ok(self.maps[0].clone()))
    }

    /// Everything read or written.
    pub fn touched(&self) -> Result<&Set, Failure> {
        self.elements(1, || Ok(self.maps[1].union(&self.maps[2])?))
    }

    /// Elements that may be written.
    pub fn may_write(&self) -> Result<&Set, Failure> {
        self.elements(2, || Ok(self.maps[2].clone()))
    }

    /// Elements that are surely written.
    pub fn must_write(&self) -> Result<&Set, Failure> {
        self.elements(3, || Ok(self.maps[3].clone()))
    }

    /// What is read or written whatever the data are.
    pub fn surely(&self) -> Result<&Set, Failure> {
        self.elements(4, || Ok(self.maps[4].clone()))
    }

    fn elements(&self, at: usize, of: impl Fn() -> Result<UMap, Failure>) -> Result<&Set, Failure> {
        if let Some(known) = self.sets[at].get() {
            return Ok(known);
        }
        let maps = of()?;
        let mut all = Set::parse(&self.ctx, &self.none)?;
        // Statement by statement: isl compares every two pieces of a set that it makes simpler.
        for map in maps.maps()? {
            all = all.union(&map.range()?.coalesce()?)?;
        }
        let all = all.reset_tuple_name()?.coalesce()?;
        Ok(self.sets[at].get_or_init(|| all))
    }
}

/// A question to [`Dependences::moves`]: the dependence, the level, the levels that agree.
type Question = (usize, usize, Vec<usize>);

/// All dependences of a static control part.
pub struct Dependences {
    sizes: Sizes,
    pub list: Vec<Dependence>,
    pub live: IndexMap<VarId, Live>,
    /// Statements whose reads of the data may see a value from before the part.
    pub upward_exposed: BTreeMap<VarId, Vec<StmtId>>,
    /// Their instances that do, of data that the part writes.
    exposed: BTreeMap<VarId, Vec<(StmtId, Set)>>,
    /// Writers of data of which the last writes before each read were too hard to find.
    hard: BTreeSet<(VarId, StmtId)>,
    /// Answers to [`Dependences::moves`]: isl is asked once.
    answers: RefCell<BTreeMap<Question, bool>>,
    /// Pairs of a write and another access that were looked at.
    n_pairs: usize,
}

/// Computes the dependences.
///
/// # Errors
/// The limit on isl's work.
pub fn analyse(part: &StaticPart, scop: &Scop) -> Result<Dependences, Failure> {
    let mut out = Dependences::new(scop);
    for &data in part.data.keys() {
        analyse_data(part, scop, data, &mut out)?;
    }
    Ok(out)
}

/// The same for a part that has the loops and statements of another, and perhaps more behind them: `known` are that
/// part's dependences, which hold for data that is not `changed`, whose accesses are the same. What was too hard there
/// is not tried again.
///
/// # Errors
/// The limit on isl's work.
pub fn analyse_changed(
    part: &StaticPart,
    scop: &Scop,
    known: &Dependences,
    changed: impl Fn(VarId) -> bool,
) -> Result<Dependences, Failure> {
    let mut out = Dependences { hard: known.hard.clone(), ..Dependences::new(scop) };
    for &data in part.data.keys() {
        if changed(data) { analyse_data(part, scop, data, &mut out)? } else { out.take(known, data) }
    }
    Ok(out)
}

/// The same for a part that runs every instance of another once, in an order that keeps the dependences of that part
/// but for data of its `own`: `back` leads from a statement's instances to those they are of, `kept` are the
/// dependences as they are between the new instances. What is kept in order is handed on, comes in and goes out as
/// before, so that only what is of its own is computed.
///
/// # Errors
/// The limit on isl's work.
pub fn analyse_moved(
    part: &StaticPart,
    scop: &Scop,
    known: &Dependences,
    mut kept: Vec<Dependence>,
    back: &[(StmtId, Map)],
    own: &BTreeSet<VarId>,
) -> Result<Dependences, Failure> {
    let mut out = Dependences::new(scop);
    kept.sort_by_key(|d| (d.kind, d.src, d.dst));
    for &data in part.data.keys() {
        if own.contains(&data) {
            analyse_data(part, scop, data, &mut out)?;
            continue;
        }
        out.list.extend(kept.iter().filter(|d| d.data == data).cloned());
        out.live.extend(known.live.get(&data).map(|live| (data, live.clone())));
        let Some(sets) = known.exposed.get(&data) else {
            out.upward_exposed.insert(data, readers(part, data));
            continue;
        };
        let mut exposed = vec![];
        for (i, (old, map)) in back.iter().enumerate() {
            for (_, set) in sets.iter().filter(|(s, _)| s == old) {
                exposed.push((StmtId(i), map.intersect_range(set)?.domain()?));
            }
        }
        out.expose(data, exposed)?;
    }
    Ok(out)
}

fn analyse_data(part: &StaticPart, scop: &Scop, data: VarId, out: &mut Dependences) -> Result<(), Failure> {
    let ctx = &scop.ctx;
    let mut touches = vec![];
    for (s, stmt) in part.stmts.iter().enumerate() {
        let of = stmt.accesses.iter().zip(&scop.accesses[s]).filter(|(a, _)| a.data == data);
        for (access, map) in of {
            let touch = Touch { stmt: StmtId(s), access, map };
            if !touches.iter().any(|other| touch.repeats(other)) {
                touches.push(touch);
            }
        }
    }
    let all = |of: &dyn Fn(&Access) -> bool| union(ctx, touches.iter().filter(|t| of(t.access)).map(|t| t.map));
    let (reads, writes) = (all(&|a| !is_write(a))?, all(&is_write)?);
    let must = all(&|a| a.kind == AccessKind::MustWrite && a.index.is_some())?;
    let surely = all(&|a| a.surely && a.index.is_some())?;
    let first = if writes.is_empty()? {
        out.upward_exposed.insert(data, readers(part, data));
        reads.clone()
    } else {
        let (mut found, mut first) = (Found::default(), UMap::empty(ctx)?);
        let groups = apart(touches);
        out.count(&groups)?;
        found.most = MAX_DEPENDENCES.saturating_sub(out.list.len());
        for touches in groups {
            let writers = || touches.iter().filter(|t| is_write(t.access)).map(|t| (data, t.stmt));
            found.is_hard = writers().any(|writer| out.hard.contains(&writer));
            first = first.union(&found.add(part, scop, &touches)?)?;
            if found.is_hard {
                out.hard.extend(writers());
            }
        }
        // What each iteration declares holds nothing of another: a read that is said to be of any element is not of those.
        if let Some(level) = level_declared(part, data) {
            found.maps.entry(Kind::Flow).or_default().iter_mut().try_for_each(|map| within_iteration(map, level))?;
            first = UMap::empty(ctx)?;
        }
        for (kind, maps) in found.maps {
            push(part, kind, data, maps, out)?;
        }
        let of = |set: Set| Ok(set.tuple_name()?.as_deref().and_then(stmt_of).map(|s| (s, set)));
        let sets: Result<Vec<_>, Failure> = first.domain()?.sets()?.into_iter().map(of).collect();
        out.expose(data, sets?.into_iter().flatten().collect())?;
        first
    };
    out.live.insert(data, live(part, scop, data, [first, reads, writes, must, surely]));
    Ok(())
}

/// The level of the loop in which a variable is declared, if all that touches it stands there.
fn level_declared(part: &StaticPart, data: VarId) -> Option<usize> {
    let l = part.data[&data].declared_in?;
    let level = |s: &StmtId| part.stmt(*s).loops.iter().position(|x| *x == l);
    let mut levels = readers(part, data).into_iter().map(|s| level(&s));
    let first = levels.next()??;
    levels.all(|other| other == Some(first)).then_some(first)
}

/// Leaves of some pairs those in one iteration of the loops down to a level.
fn within_iteration(map: &mut Map, level: usize) -> Result<(), Failure> {
    for k in 0..=level {
        *map = map.equate(Dim::In, k, Dim::Out, k)?;
    }
    Ok(())
}

/// An access to the data that are looked at.
struct Touch<'a> {
    stmt: StmtId,
    access: &'a Access,
    map: &'a Map,
}

impl Touch<'_> {
    /// Test that it says no more than another.
    fn repeats(&self, other: &Touch) -> bool {
        let (x, y) = (self.access, other.access);
        self.stmt == other.stmt && x.kind == y.kind && x.surely == y.surely && x.is_same_element(y)
    }

    /// Test that both are of one element, or of any.
    fn is_alike(&self, other: &Touch) -> bool {
        let (x, y) = (self.access, other.access);
        x.index.is_none() && x.reach.is_none() || x.is_same_element(y)
    }

    /// Test that each subscript is a number away from one counter, whose loop leaves nothing out.
    fn is_dense(&self, part: &StaticPart) -> Result<bool, Failure> {
        let counters: Vec<VarId> = part.stmt(self.stmt).loops.iter().map(|l| part.get_loop(*l).var).collect();
        let is_near = |p: &Poly| counters.iter().map(|v| p.coefficient(*v).abs()).sum::<i64>() <= 1;
        Ok(self.access.index.iter().flatten().all(is_near) && !self.map.wrap()?.involves_locals()?)
    }
}

/// The accesses in groups that have no element in common, whatever the sizes: components of a vector (`u[i][j][0]`,
/// `u[i][j][1]`) are as many arrays, and what is asked of isl grows with the square of the accesses.
fn apart(touches: Vec<Touch>) -> Vec<Vec<Touch>> {
    let mut groups: Vec<Vec<Touch>> = vec![];
    for touch in touches {
        let meets = |group: &mut Vec<Touch>| group.iter().any(|other| !other.access.is_apart(touch.access));
        let mut joined = vec![];
        groups.extract_if(.., meets).for_each(|group| joined.extend(group));
        joined.push(touch);
        groups.push(joined);
    }
    groups
}

/// Pairs of instances by the kind of their order.
#[derive(Default)]
struct Found {
    maps: BTreeMap<Kind, Vec<Map>>,
    /// Number that there may be.
    most: usize,
    /// Flag: the last writes before the reads that are looked at are too hard to find.
    is_hard: bool,
}

impl Found {
    /// Takes in the dependences between some accesses; gives the reads that may see a value from before.
    fn add(&mut self, part: &StaticPart, scop: &Scop, touches: &[Touch]) -> Result<UMap, Failure> {
        let all = |of: &dyn Fn(&Touch) -> bool| union(&scop.ctx, touches.iter().filter(|t| of(t)).map(|t| t.map));
        let (reads, writes) = (all(&|t| !is_write(t.access))?, all(&|t| is_write(t.access))?);
        if writes.is_empty()? {
            return Ok(reads);
        }
        // A sure write is what later reads are of; an update hides nothing.
        let hides = |Touch { stmt, access, .. }: &Touch| {
            let accumulates = part.stmt(*stmt).reduction.as_ref().is_some_and(|r| r.data == access.data);
            access.kind == AccessKind::MustWrite && access.index.is_some() && !accumulates
        };
        let (sources, may) = (all(&hides)?, all(&|t| is_write(t.access) && !hides(t))?);
        let Some(order) = scop.order(part, &|s| touches.iter().any(|t| t.stmt == s))? else { return Ok(reads) };
        let is_dense: Vec<bool> = touches.iter().map(|t| t.is_dense(part)).collect::<Result<_, _>>()?;
        let seen = match self.is_hard {
            true => Err(Failure::TooHard),
            false => last_writes(part, scop, &order, [&reads, &writes, &may, &sources], is_dense.iter().all(|is| *is)),
        };
        self.is_hard |= matches!(seen, Err(Failure::TooHard));
        let (flows, first) = match seen {
            Ok(Some(seen)) => (seen.may.maps()?, seen.may_no_source),
            // Too hard, or isl sees remainders in some strided loops where there are none, and gives up or errs: then
            // every earlier write may be the one that a read is of, and so may what was there before.
            _ => (in_order(part, &writes, &reads)?, reads.clone()),
        };
        self.take(Kind::Flow, flows)?;
        self.take(Kind::Anti, in_order(part, &reads, &writes)?)?;
        self.take(Kind::Output, in_order(part, &writes, &writes)?)?;
        Ok(first)
    }

    fn take(&mut self, kind: Kind, maps: Vec<Map>) -> Result<(), Failure> {
        self.maps.entry(kind).or_default().extend(maps);
        let n_found: usize = self.maps.values().map(Vec::len).sum();
        if n_found <= self.most { Ok(()) } else { Err(Failure::TooHard) }
    }
}

/// The statements that touch data.
fn readers(part: &StaticPart, data: VarId) -> Vec<StmtId> {
    let reads_it = |s: &StmtId| part.stmt(*s).accesses.iter().any(|a| a.data == data);
    (0..part.stmts.len()).map(StmtId).filter(reads_it).collect()
}

fn live(part: &StaticPart, scop: &Scop, data: VarId, maps: [UMap; 5]) -> Live {
    let position = part.data.get_index_of(&data).expect("data of the part");
    let dims: Vec<String> = (0..part.data[position].shape.rank()).map(|k| format!("e{k}")).collect();
    let none = format!("{}{{ D{position}[{}] : false }}", scop.spelling.prefix(), dims.join(", "));
    Live { ctx: scop.ctx.clone(), none, maps, sets: Default::default() }
}

/// Test that no element of one array is read that was written before, if the other, which is written, is the same array;
/// `writes_last` says of statements that each instance reads before it writes.
///
/// # Errors
/// The limit on isl's work.
pub fn are_read_first(
    part: &StaticPart,
    scop: &Scop,
    [read, written]: [VarId; 2],
    writes_last: impl Fn(StmtId) -> bool,
) -> Result<bool, Failure> {
    let name = format!("D{}", part.data.get_index_of(&written).expect("it is of this part"));
    let (mut reads, mut writes) = (vec![], vec![]);
    for (stmt, maps) in part.stmts.iter().zip(&scop.accesses) {
        for (access, map) in stmt.accesses.iter().zip(maps) {
            if access.data == read {
                reads.push(map.set_tuple_name(Dim::Out, &name)?);
            } else if access.data == written && is_write(access) {
                writes.push(map.clone());
            }
        }
    }
    for pairs in union(&scop.ctx, &writes)?.apply_range(&union(&scop.ctx, &reads)?.reverse()?)?.maps()? {
        let (src, dst) = ends(&pairs)?;
        if !later(part, &pairs)?.is_empty()? {
            return Ok(false);
        }
        let mut same = pairs;
        for k in 0..same.dim(Dim::In)?.min(same.dim(Dim::Out)?) {
            same = same.equate(Dim::In, k, Dim::Out, k)?;
        }
        if src == dst && !writes_last(src) && !same.is_empty()? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn push(part: &StaticPart, kind: Kind, data: VarId, deps: Vec<Map>, out: &mut Dependences) -> Result<(), Failure> {
    let mut deps = deps.into_iter().map(|map| Ok((ends(&map)?, map))).collect::<Result<Vec<_>, Failure>>()?;
    deps.sort_by_key(|(ends, _)| *ends);
    let mut joined: Vec<((StmtId, StmtId), Map)> = vec![];
    for (ends, map) in deps {
        match joined.last_mut().filter(|(last, _)| *last == ends) {
            Some((_, all)) => *all = all.union(&map)?,
            None => joined.push((ends, map)),
        }
    }
    for ((src, dst), map) in joined {
        if out.sizes.never(&map)? {
            continue;
        }
        out.list.push(Dependence { kind, data, src, dst, reduction: same_accumulation(part, data, src, dst), map });
    }
    Ok(())
}

fn same_accumulation(part: &StaticPart, data: VarId, a: StmtId, b: StmtId) -> Option<ReduceOp> {
    // Whoever calls iterations independent has any order.
    let is_asserted = |d: &Directive| matches!(d.kind, DirectiveKind::Parallel { asserted: true, .. });
    let any_order = |s: StmtId| part.stmt(s).loops.iter().any(|l| part.get_loop(*l).directives.iter().any(is_asserted));
    let is_update = |s: StmtId, r: &Reduction| r.data == data && (!r.in_order || any_order(s));
    let op = |s: StmtId| part.stmt(s).update().filter(|r| is_update(s, r)).map(|r| r.op);
    op(a).filter(|x| op(b) == Some(*x))
}

impl Dependences {
    fn new(scop: &Scop) -> Self {
        Dependences {
            sizes: scop.sizes.clone(),
            list: vec![],
            live: IndexMap::new(),
            upward_exposed: BTreeMap::new(),
            exposed: BTreeMap::new(),
            hard: BTreeSet::new(),
            answers: RefCell::default(),
            n_pairs: 0,
        }
    }

    /// Counts what is about to be asked for.
    fn count(&mut self, groups: &[Vec<Touch>]) -> Result<(), Failure> {
        let mut n_alike = 0;
        for (write, group) in groups.iter().flat_map(|g| g.iter().filter(|t| is_write(t.access)).map(move |t| (t, g))) {
            self.n_pairs += group.len();
            n_alike += group.iter().filter(|t| write.is_alike(t)).count();
        }
        // Two that touch the same depend on each other, in one order or both.
        let is_little = self.n_pairs <= MAX_PAIRS && self.list.len() + n_alike <= MAX_DEPENDENCES;
        if is_little { Ok(()) } else { Err(Failure::TooHard) }
    }

    /// Takes in the instances that may read a value of the data from before.
    fn expose(&mut self, data: VarId, instances: Vec<(StmtId, Set)>) -> Result<(), Failure> {
        let mut some = vec![];
        for (s, set) in instances {
            if !self.sizes.never_any(&set)? {
                some.push((s, set));
            }
        }
        self.upward_exposed.insert(data, some.iter().map(|(s, _)| *s).collect());
        self.exposed.insert(data, some);
        Ok(())
    }

    /// Takes over what is known of some data.
    fn take(&mut self, known: &Dependences, data: VarId) {
        let answers = known.answers.borrow();
        for (old, d) in known.list.iter().enumerate().filter(|(_, d)| d.data == data) {
            let of_old = answers.iter().filter(|((dep, ..), _)| *dep == old);
            let dep = self.list.len();
            self.answers
                .get_mut()
                .extend(of_old.map(|((_, level, equal), held)| ((dep, *level, equal.clone()), *held)));
            self.list.push(d.clone());
        }
        self.live.extend(known.live.get(&data).map(|live| (data, live.clone())));
        self.upward_exposed.extend(known.upward_exposed.get(&data).map(|stmts| (data, stmts.clone())));
        self.exposed.extend(known.exposed.get(&data).map(|sets| (data, sets.clone())));
    }

    /// Test that the counters of loop number `level` (shared by both ends) ever differ between the two ends of a
    /// dependence while those of the levels in `equal` agree.
    pub fn moves(&self, dep: usize, level: usize, equal: &[usize]) -> Result<bool, Failure> {
        let key = (dep, level, equal.to_vec());
        if let Some(known) = self.answers.borrow().get(&key) {
            return Ok(*known);
        }
        let map = self.pairs(dep, equal)?;
        let differ = |order: fn(&Map, Dim, usize, Dim, usize) -> crate::isl::Result<Map>| {
            Ok::<_, Failure>(!self.sizes.never(&order(&map, Dim::In, level, Dim::Out, level)?)?)
        };
        let answer = differ(Map::order_lt)? || differ(Map::order_gt)?;
        self.answers.borrow_mut().insert(key, answer);
        Ok(answer)
    }

    /// Test that a counter is ever less at the later end of a dependence, that of loop number `to`, than that of number
    /// `from` at the earlier one, while those of the levels in `equal` agree.
    pub fn goes_back(&self, dep: usize, (from, to): (usize, usize), equal: &[usize]) -> Result<bool, Failure> {
        Ok(!self.sizes.never(&self.pairs(dep, equal)?.order_gt(Dim::In, from, Dim::Out, to)?)?)
    }

    /// Pairs of a dependence that agree in the counters of the levels in `equal`.
    fn pairs(&self, dep: usize, equal: &[usize]) -> Result<Map, Failure> {
        let map = self.list[dep].map.clone();
        Ok(equal.iter().try_fold(map, |map, &k| map.equate(Dim::In, k, Dim::Out, k))?)
    }

    /// Test that a dependence has pairs that agree in the counters of the levels in `equal`.
    pub fn holds(&self, dep: usize, equal: &[usize]) -> Result<bool, Failure> {
        Ok(!self.sizes.never(&self.pairs(dep, equal)?)?)
    }

    /// The distances that a dependence has in the shared loops, as text: `(1, 0)`, or `(+, *)` where they vary; `0+` is
    /// zero or more. Where they are hard to find they are said to vary: nothing but words depends on them.
    pub fn distance(&self, ctx: &Ctx, dep: usize, n_shared: usize) -> Result<String, Failure> {
        match ctx.within(DISTANCE_OPERATIONS, || self.distance_of(dep, n_shared)) {
            Err(Failure::TooHard) => Ok(format!("({})", vec!["*"; n_shared].join(", "))),
            found => found,
        }
    }

    fn distance_of(&self, dep: usize, n_shared: usize) -> Result<String, Failure> {
        let map = &self.list[dep].map;
        let mut entries = vec![];
        let (n_in, n_out) = (map.dim(Dim::In)?, map.dim(Dim::Out)?);
        let shared = map
            .project_out(Dim::In, n_shared, n_in - n_shared)?
            .project_out(Dim::Out, n_shared, n_out - n_shared)?
            .reset_tuple_name(Dim::In)?
            .reset_tuple_name(Dim::Out)?;
        let deltas = self.sizes.within(&shared)?.deltas()?.project_out_all_params()?;
        for k in 0..n_shared {
            let bound = |v: crate::isl::Result<crate::isl::Val>| v.ok().and_then(|v| v.to_i64());
            let (lo, hi) = (bound(deltas.dim_min_val(k)), bound(deltas.dim_max_val(k)));
            entries.push(match (lo, hi) {
                (Some(a), Some(b)) if a == b => a.to_string(),
                (Some(a), _) if a > 0 => "+".into(),
                (_, Some(b)) if b < 0 => "-".into(),
                (Some(0), _) => "0+".into(),
                (_, Some(0)) => "0-".into(),
                _ => "*".into(),
            });
        }
        Ok(format!("({})", entries.join(", ")))
    }
}

/// The position of a loop among those around a statement.
pub fn level_of(part: &StaticPart, s: StmtId, l: LoopId) -> Option<usize> {
    part.stmt(s).loops.iter().position(|x| *x == l)
}
