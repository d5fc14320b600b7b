//! Node splitting: reads see a copy of what was there before, where only later writes of the same elements keep a loop in
//! order (Kuck, Kuhn, Padua, Leasure and Wolfe 1981, section 3; Allen and Kennedy 2001, section 5.5).
//!
//! ```text
//! for i: for j: for k in i + 1 .. m: b[i][j] += a[k][i] * b[k][j];
//! ->
//! double rt_b_old[m][n], which only the device has
//! for e: for f: rt_b_old[e][f] = b[e][f];
//! for i: for j: for k in i + 1 .. m: b[i][j] += a[k][i] * rt_b_old[k][j];
//! ```
//! A read may see the copy that is made before a loop if nothing in the same run of that loop writes its element before
//! it: that is asked for every read and every write, whatever the values are. What is copied is a box of elements that the
//! part touches anyway. It is done where it leaves less in sequence, or as much without steps that run askew through the
//! iterations, for as few arrays as that takes.

use super::bands;
use super::expand::build::{as_written, element};
use super::expand::webs::{greatest, is_fixed};
use super::expand::{Changed, Expanded, Expansion, Gain, How, Outcome, Outside, gain};
use super::parallel::Analysis;
use super::reorder::{Orders, SCHEDULE_WORK, is_directed};
use super::scheduler::Scheduler;
use crate::ast::{BinOp, Expr, ExprKind, IntKind, Stmt, StmtKind, Storage, Type, Unit, Var, VarId};
use crate::facts::symbolic::{Poly, Sym};
use crate::facts::{arrays, reduction};
use crate::isl::{Dim, Map, Set};
use crate::poly::dependence::{Dependence, Dependences, Kind, analyse_changed};
use crate::poly::names::Names;
use crate::poly::order::later;
use crate::poly::scop::is_write;
use crate::poly::{Failure, MAX_OPERATIONS};
use crate::region::{Access, AccessKind, Data, Loop, LoopId, Statement, StaticPart, StmtId, Tree};
use crate::source::Span;

/// Operations that isl may spend on one choice of loop and arrays, but for the search for an order.
const OPERATIONS: u64 = 2_000_000;

/// Most choices that are looked at.
const MAX_CHOICES: usize = 4;

/// The part with copies before some of its loops, if that leaves less in sequence than its `orders`.
///
/// # Errors
/// A fault of isl's; the limit on its work only means that nothing is copied.
pub fn split_nodes(
    a: &Analysis,
    orders: Orders,
    outside: &Outside,
    names: &mut Names,
    scheduler: &mut Scheduler,
) -> Result<Outcome, Failure> {
    let now = orders.best().map(|new| new.analysis(a));
    let now = now.as_ref().unwrap_or(a);
    let left = gain(now.part, &bands::bands(now)?);
    if left == Gain::default() || is_directed(a) {
        return Ok(Outcome::default());
    }
    let splitter = Splitter { a, outside, names, scheduler, n_choices: 0 };
    let found = splitter.split(left, orders.best().is_some_and(|new| is_askew(&new.part)));
    a.scop.ctx.set_limit(MAX_OPERATIONS);
    match found {
        Err(Failure::TooHard) => Ok(Outcome::default()),
        found => found,
    }
}

/// Test that iterations of the program's run in the order of a sum of its counters.
fn is_askew(part: &StaticPart) -> bool {
    let n_counters = |p: &Poly| p.terms.keys().filter(|m| m.iter().any(|s| matches!(s, Sym::Counter(_)))).count();
    part.stmts.iter().flat_map(|s| &s.counters).any(|(_, p)| n_counters(p) > 1)
}

/// A loop that copies may be made before.
#[derive(Clone)]
struct Site {
    /// Which child, from the roots down.
    at: Vec<usize>,
    around: Vec<LoopId>,
    stmts: Vec<StmtId>,
}

/// The loops of a part, outer ones first, but for those under a condition.
fn sites(trees: &[Tree], at: &[usize], around: &[LoopId], out: &mut Vec<Site>) {
    let below = |i| [at, &[i]].concat();
    for (i, t) in trees.iter().enumerate() {
        if let Tree::Loop(..) = t {
            out.push(Site { at: below(i), around: around.to_vec(), stmts: t.stmts() });
        }
    }
    for (i, t) in trees.iter().enumerate() {
        if let Tree::Loop(l, body) = t {
            sites(body, &below(i), &[around, &[*l]].concat(), out);
        }
    }
}

/// An array, its reads that may see a copy, and the loop before which that is made.
#[derive(Clone)]
struct Old {
    data: VarId,
    site: Site,
    reads: Vec<(StmtId, usize)>,
    /// The least subscript of each dimension, and one past the greatest.
    bounds: Vec<(Poly, Poly)>,
}

/// The part with some copies, in its best order.
struct Attempt {
    new: Expanded,
    /// The program with the variables that it takes.
    unit: Unit,
    said: Vec<Expansion>,
}

struct Splitter<'a, 'b> {
    a: &'a Analysis<'a>,
    outside: &'a Outside,
    names: &'b mut Names,
    scheduler: &'b mut Scheduler,
    n_choices: usize,
}

impl Splitter<'_, '_> {
    fn split(mut self, left: Gain, is_askew_now: bool) -> Result<Outcome, Failure> {
        let mut all = vec![];
        sites(&self.a.part.tree, &[], &[], &mut all);
        let mut olds: Vec<Old> = vec![];
        for site in &all {
            // What sees a copy that is made further out needs none here.
            let seen: Vec<(StmtId, usize)> = olds.iter().flat_map(|old| old.reads.clone()).collect();
            olds.extend(self.olds(site, &seen)?);
        }
        let Some(mut best) = self.attempt(&olds)? else { return Ok(Outcome::default()) };
        let is_straight = best.new.reordered.as_ref().is_none_or(|new| !is_askew(&new.part));
        if best.new.gain >= left && !(best.new.gain.0 == left.0 && is_askew_now && is_straight) {
            return Ok(Outcome::default());
        }
        for i in (0..olds.len()).rev() {
            let mut fewer = olds.clone();
            fewer.remove(i);
            if let Some(other) = self.attempt(&fewer)?.filter(|other| other.new.gain <= best.new.gain) {
                (best, olds) = (other, fewer);
            }
        }
        Ok(Outcome { expanded: Some((best.new, best.unit)), said: best.said })
    }

    /// Test that the loop hands values of `v` from one iteration to another: then a copy sets nothing free.
    fn hands_on(&self, site: &Site, v: VarId) -> Result<bool, Failure> {
        let deps = &self.a.deps;
        let equal: Vec<usize> = (0..site.around.len()).collect();
        let is_within = |d: &Dependence| site.stmts.contains(&d.src) && site.stmts.contains(&d.dst);
        let is_flow = |d: &Dependence| d.kind == Kind::Flow && d.reduction.is_none() && d.data == v;
        for (i, _) in deps.list.iter().enumerate().filter(|(_, d)| is_flow(d) && is_within(d)) {
            if deps.moves(i, site.around.len(), &equal)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The arrays that some reads below a loop, but for those `seen` to, may see a copy of, and later writes there
    /// overwrite.
    fn olds(&self, site: &Site, seen: &[(StmtId, usize)]) -> Result<Vec<Old>, Failure> {
        let part = self.a.part;
        let mut out = vec![];
        for (v, data) in &part.data {
            let shape = &data.shape;
            if shape.c_rank == 0 || shape.n_pointers > 0 || data.declared_in.is_some() {
                continue;
            }
            let of =
                |s: &StmtId| part.stmt(*s).accesses.iter().enumerate().filter(|(_, x)| x.data == *v).map(|(k, _)| k);
            let all: Vec<(StmtId, usize)> = site.stmts.iter().flat_map(|s| of(s).map(|k| (*s, k))).collect();
            let access = |(s, k): &(StmtId, usize)| &part.stmt(*s).accesses[*k];
            if all.iter().any(|x| access(x).index.is_none()) {
                continue;
            }
            let (writes, reads): (Vec<_>, Vec<_>) = all.into_iter().partition(|x| is_write(access(x)));
            let mut old = vec![];
            for read in reads.into_iter().filter(|read| !seen.contains(read)) {
                if self.is_of_before(site, read, &writes)? {
                    old.push(read);
                }
            }
            // What stands at one place of the program's text is replaced together.
            let is_whole = |(s, k): &(StmtId, usize)| {
                let span = access(&(*s, *k)).span;
                of(s).filter(|k| part.stmt(*s).accesses[*k].span == span).all(|k| old.contains(&(*s, k)))
            };
            let reads: Vec<_> = old.iter().filter(|x| is_whole(x)).copied().collect();
            if self.are_overwritten(site, &reads, &writes)?
                && !self.hands_on(site, *v)?
                && let Some(bounds) = self.bounds(&reads, *v)?
                && self.is_touched(&reads, &bounds, *v)?
            {
                out.push(Old { data: *v, site: site.clone(), reads, bounds });
            }
        }
        Ok(out)
    }

    /// Test that a read is of what its array held before the loop, in each run of it.
    fn is_of_before(&self, site: &Site, read: (StmtId, usize), writes: &[(StmtId, usize)]) -> Result<bool, Failure> {
        let stmt = self.a.part.stmt(read.0);
        let access = &stmt.accesses[read.1];
        // Only an assignment reads all before it writes; and its own target is no copy's.
        let is_target = stmt.accesses.iter().any(|x| is_write(x) && x.data == access.data && x.index == access.index);
        if !is_plain(&stmt.body) || is_target || !access.known.is_empty() || names_unseen(stmt, access.data) {
            return Ok(false);
        }
        for write in writes {
            if !self.a.scop.sizes.never(&self.in_order(site, *write, read)?)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn are_overwritten(
        &self,
        site: &Site,
        reads: &[(StmtId, usize)],
        writes: &[(StmtId, usize)],
    ) -> Result<bool, Failure> {
        for (read, write) in reads.iter().flat_map(|r| writes.iter().map(move |w| (r, w))) {
            if !self.a.scop.sizes.never(&self.in_order(site, *read, *write)?)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The pairs of instances in one run of the loop of which the first touches an element before the second does.
    fn in_order(&self, site: &Site, x: (StmtId, usize), y: (StmtId, usize)) -> Result<Map, Failure> {
        let map = |(s, k): (StmtId, usize)| &self.a.scop.accesses[s.0][k];
        let mut pairs = map(x).apply_range(&map(y).reverse()?)?;
        for k in 0..site.around.len() {
            pairs = pairs.equate(Dim::In, k, Dim::Out, k)?;
        }
        later(self.a.part, &pairs)
    }

    /// The box around what reads of `v` touch.
    fn bounds(&self, reads: &[(StmtId, usize)], v: VarId) -> Result<Option<Vec<(Poly, Poly)>>, Failure> {
        let a = self.a;
        let shape = &a.part.data[&v].shape;
        let usable = |p: &Poly| p.is_affine() && is_fixed(a, p, &self.outside.changing);
        if !shape.inner.iter().all(|p| is_fixed(a, p, &self.outside.changing)) {
            return Ok(None);
        }
        let mut bounds = vec![];
        for d in 0..shape.rank() {
            let subscript =
                |(s, k): &(StmtId, usize)| Some((*s, a.part.stmt(*s).accesses[*k].index.as_ref()?[d].clone()));
            let places: Vec<(StmtId, Poly)> = reads.iter().filter_map(subscript).collect();
            let opposite = |p: &Poly| Poly::default().plus(p, -1);
            let mirrored: Option<Vec<_>> = places.iter().map(|(s, p)| Some((*s, opposite(p)?))).collect();
            let Some(mirrored) = mirrored else { return Ok(None) };
            let least = greatest(a, &mirrored)?.and_then(|p| opposite(&p)).filter(usable);
            let end = greatest(a, &places)?.and_then(|p| p.plus(&Poly::constant(1), 1)).filter(usable);
            let (Some(least), Some(end)) = (least, end) else { return Ok(None) };
            bounds.push((least, end));
        }
        Ok(Some(bounds))
    }

    /// Test that the part touches every element of a box of `v`, at sizes at which it makes these reads.
    fn is_touched(&self, reads: &[(StmtId, usize)], bounds: &[(Poly, Poly)], v: VarId) -> Result<bool, Failure> {
        let spelling = &self.a.scop.spelling;
        let dims: Vec<String> = (0..bounds.len()).map(|d| format!("e{d}")).collect();
        let within = |(e, (least, end)): (&String, &(Poly, Poly))| {
            format!("{} <= {e} and {e} < {}", spelling.text(least), spelling.text(end))
        };
        let within: Vec<String> = dims.iter().zip(bounds).map(within).collect();
        let text = format!("{}{{ [{}] : {} }}", spelling.prefix(), dims.join(", "), within.join(" and "));
        let all = Set::parse(&self.a.scop.ctx, &text)?;
        let touched = self.a.deps.live[&v].touched()?;
        for (s, _) in reads {
            let sizes = self.a.scop.domains[s.0].params()?;
            if !all.intersect_params(&sizes)?.is_subset(touched)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The part with these copies, in its best order, and what that leaves in sequence.
    fn attempt(&mut self, olds: &[Old]) -> Result<Option<Attempt>, Failure> {
        if olds.is_empty() || self.n_choices >= MAX_CHOICES {
            return Ok(None);
        }
        self.n_choices += 1;
        let a = self.a;
        a.scop.ctx.set_limit(OPERATIONS);
        let mut unit = a.unit.clone();
        let mut part = a.part.clone();
        let mut spelling = a.scop.spelling.clone();
        let (mut made, mut said) = (vec![], vec![]);
        for old in olds {
            let Some(copy) = copied(a, &mut unit, old) else { return Ok(None) };
            for c in &copy.counters {
                spelling.counters.insert(*c, self.names.fresh("rt_copied"));
            }
            said.push(copy.said(a, old));
            made.push((old.site.at.clone(), copy.put(a, &unit, old, &mut part)));
        }
        // The last places first, so that the others stay what they are.
        made.sort_by(|(x, _), (y, _)| y.cmp(x));
        made.into_iter().for_each(|(at, tree)| insert(&mut part.tree, &at, tree));
        let scop = a.scop.under_other_loops(&part, spelling)?;
        let copies: Vec<VarId> = said.iter().filter_map(|x| x.copy).collect();
        let is_concerned = |v| copies.contains(&v) || olds.iter().any(|old| old.data == v);
        let mut deps = analyse_changed(&part, &scop, a.deps, is_concerned)?;
        if !is_right(a, &deps, olds, &copies)? {
            return Ok(None);
        }
        // Where only the data decided whether an element is touched, they still do: the copy says nothing of what is there.
        let n = a.part.stmts.len();
        let is_sure =
            |old: &Old| Ok::<_, Failure>(deps.live[&old.data].surely()?.is_subset(a.deps.live[&old.data].surely()?)?);
        let sure = olds.iter().map(is_sure).collect::<Result<Vec<bool>, Failure>>()?;
        if sure.contains(&false) {
            let copying = part.stmts[n..].iter_mut().zip(&sure);
            copying.for_each(|(stmt, is_sure)| stmt.accesses[0].surely = *is_sure);
            deps = analyse_changed(&part, &scop, a.deps, is_concerned)?;
        }
        let changed = Changed { part, scop, deps };
        let new = Expanded::ordered(changed, (a, &unit), self.names, self.scheduler, SCHEDULE_WORK)?;
        Ok(Some(Attempt { new, unit, said }))
    }
}

/// Test that the copies hold all that is read of them, and are made of nothing but what the part needs anyway.
fn is_right(a: &Analysis, deps: &Dependences, olds: &[Old], copies: &[VarId]) -> Result<bool, Failure> {
    for copy in copies {
        if !deps.live[copy].read_first()?.is_empty()? {
            return Ok(false);
        }
    }
    for v in olds.iter().map(|old| old.data) {
        let (before, after) = (&a.deps.live[&v], &deps.live[&v]);
        if !after.touched()?.is_subset(before.touched()?)? || !after.read_first()?.is_subset(before.read_first()?)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Test that a statement is one assignment, under a condition or not, that reads all that it reads before it writes.
fn is_plain(s: &Stmt) -> bool {
    let is_pure = |e: &Expr| {
        let mut is_pure = true;
        e.walk(&mut |e| {
            is_pure &= !matches!(e.kind, ExprKind::Assign { .. } | ExprKind::IncDec { .. } | ExprKind::Comma(..));
        });
        is_pure
    };
    match &s.kind {
        StmtKind::Expr(Expr { kind: ExprKind::Assign { value, .. }, .. }) => is_pure(value),
        StmtKind::Decl(ds) => ds.len() == 1,
        StmtKind::If { cond, then, other: None } => is_pure(cond) && is_plain(then),
        StmtKind::Block(body) => matches!(body.as_slice(), [only] if is_plain(only)),
        _ => false,
    }
}

/// Test that a statement names elements that are none of its accesses: `if (a[i] < m) m = a[i];` reads `a[i]` once.
fn names_unseen(stmt: &Statement, v: VarId) -> bool {
    let mut unseen = false;
    let mut look = |e: &Expr| {
        let is_element = e.ty.is_scalar() && arrays::subscripts(e).is_some_and(|(x, _)| x == v);
        unseen |= is_element && stmt.accesses.iter().all(|x| x.span != e.span);
    };
    stmt.body.exprs(&mut |e| e.walk(&mut look));
    unseen
}

/// The variables that a copy takes.
struct Copied {
    copy: VarId,
    ty: Type,
    counters: Vec<VarId>,
    /// What leads to an element, in C.
    subscripts: Vec<Expr>,
}

/// Variables for a copy; `None` where an extent cannot be written.
fn copied(a: &Analysis, unit: &mut Unit, old: &Old) -> Option<Copied> {
    let (var, shape) = (unit.var(old.data).clone(), &a.part.data[&old.data].shape);
    if !shape.strides.is_empty() {
        return None;
    }
    let span = a.part.stmt(old.reads[0].0).body.span;
    let of = match &var.ty {
        Type::Array { of, .. } | Type::Pointer { to: of, .. } => of.clone(),
        _ => return None,
    };
    let ty = Type::Array { of, len: None };
    let name = unit.free_name(&format!("rt_{}_old", var.name));
    let copy = unit.add(Var { name, ty: ty.clone(), storage: Storage::Local, value: None, ..var });
    let long = Type::Int(IntKind::Long);
    let counter = |d| Var::new(format!("rt_e{d}"), long.clone(), Storage::Local, span);
    let counters: Vec<VarId> = (0..shape.rank()).map(|d| unit.add(counter(d))).collect();
    let mut subscripts: Vec<Expr> = counters.iter().map(|v| unit.read(*v, span)).collect();
    if shape.is_delinearised() {
        let binary = |op, x, y| {
            let kind = ExprKind::Binary(op, Box::new(x), Box::new(y));
            Expr { kind, ty: long.clone(), span }
        };
        let own = subscripts.split_off(1 + shape.found().len());
        let mut flat = subscripts.remove(0);
        for (next, extent) in subscripts.iter().zip(shape.found()) {
            let before = binary(BinOp::Mul, flat, as_written(a, unit, extent, span)?);
            flat = binary(BinOp::Add, before, next.clone());
        }
        subscripts = [vec![flat], own].concat();
    }
    Some(Copied { copy, ty, counters, subscripts })
}

impl Copied {
    fn said(&self, a: &Analysis, old: &Old) -> Expansion {
        Expansion {
            data: old.data,
            copy: Some(self.copy),
            how: How::Before,
            extents: self.extents(a, old),
            span: a.part.stmt(old.reads[0].0).body.span,
        }
    }

    fn extents(&self, a: &Analysis, old: &Old) -> Vec<Poly> {
        std::iter::once(&old.bounds[0].1).chain(&a.part.data[&old.data].shape.inner).cloned().collect()
    }

    /// Lets the reads see the copy; gives what makes it, for a place below the loops around the site.
    fn put(&self, a: &Analysis, unit: &Unit, old: &Old, part: &mut StaticPart) -> Tree {
        let data = &a.part.data[&old.data];
        let mut shape = data.shape.clone();
        (shape.outer, shape.outer_is_known, shape.is_open, shape.stated) = (None, false, false, None);
        shape.outer_is_reached = false;
        if !shape.is_delinearised() {
            (shape.outer, shape.outer_is_known) = (Some(old.bounds[0].1.clone()), true);
        }
        let elem = data.elem.clone();
        part.data.insert(self.copy, Data { var: self.copy, elem, shape, declared_in: None, is_local: false });
        for (s, k) in &old.reads {
            self.see(unit, old.data, &mut part.stmts[s.0], *k);
        }
        let span = a.part.stmt(old.reads[0].0).body.span;
        let first = part.loops.len();
        for (var, (least, end)) in self.counters.iter().zip(&old.bounds) {
            let (first, limits) = (least.clone(), vec![end.clone()]);
            part.loops.push(Loop { var: *var, first, limits, step: 1, directives: vec![], span });
        }
        let own: Vec<LoopId> = (first..part.loops.len()).map(LoopId).collect();
        let id = StmtId(part.stmts.len());
        part.stmts.push(self.statement(unit, old, [old.site.around.as_slice(), &own].concat(), span));
        own.iter().rev().fold(Tree::Stmt(id), |tree, l| Tree::Loop(*l, vec![tree]))
    }

    fn statement(&self, unit: &Unit, old: &Old, loops: Vec<LoopId>, span: Span) -> Statement {
        let target = element(self.copy, &self.ty, &self.subscripts, span);
        let value = element(old.data, &unit.var(old.data).ty, &self.subscripts, span);
        let ty = target.ty.clone();
        let assign = ExprKind::Assign { op: None, target: Box::new(target), value: Box::new(value) };
        let index: Vec<Poly> = self.counters.iter().map(|v| Poly::sym(Sym::Counter(*v))).collect();
        let access = |data, kind| Access {
            data,
            kind,
            index: Some(index.clone()),
            reach: None,
            observed: vec![],
            subscripts: self.subscripts.clone(),
            obligations: vec![],
            known: vec![],
            surely: true,
            span,
        };
        Statement {
            body: Stmt { kind: StmtKind::Expr(Expr { kind: assign, ty, span }), span, directives: vec![] },
            loops,
            guards: vec![],
            accesses: vec![access(old.data, AccessKind::Read), access(self.copy, AccessKind::MustWrite)],
            reduction: None,
            conditional: None,
            has_loop: false,
            kept_whole: None,
            obligations: vec![],
            counters: vec![],
        }
    }

    /// Puts the copy in the place of the array in one read; the statement may be an accumulation then.
    fn see(&self, unit: &Unit, v: VarId, stmt: &mut Statement, k: usize) {
        let span = stmt.accesses[k].span;
        let copy = Expr { kind: ExprKind::Var(self.copy), ty: self.ty.clone(), span };
        let mut replace = |e: &mut Expr| {
            if e.span == span && arrays::subscripts(e).is_some_and(|(x, _)| x == v) {
                e.replace(v, &copy);
            }
        };
        stmt.body.exprs_mut(&mut |e| e.rewrite(&mut replace));
        stmt.accesses[k].data = self.copy;
        stmt.reduction = reduction::recognise(unit, &stmt.body);
        stmt.conditional = reduction::conditional(unit, &stmt.body).filter(|_| stmt.reduction.is_none());
    }
}

/// Puts a tree before the child that a path leads to.
fn insert(trees: &mut Vec<Tree>, at: &[usize], new: Tree) {
    match at {
        [i] => trees.insert(*i, new),
        [i, rest @ ..] => {
            let Tree::Loop(_, body) = &mut trees[*i] else { unreachable!("a site stands below loops alone") };
            insert(body, rest, new);
        }
        [] => unreachable!("a site is a child"),
    }
}
