//! What of a thread's body several threads may share, and who runs the rest.
//!
//! ```text
//! for i:                               pieces of the body:
//!   sum = 0;                             everyone     each lane has its own `sum`
//!   for j: sum += a[i][j] * x[j];        shared       `sum` is joined afterwards
//!   y[i] = sum / a[i][i];                owner        a store is made once
//!   for t: for j: z[i][j] += b[t][j];    within       all lanes go through `t`, each with its own `j`
//!   for t: {                             nested       all lanes go through `t` together:
//!     dot = 0;                             everyone
//!     for j: dot += q[i][j] * k[t][j];     shared       joined in each iteration
//!     most = max(most, dot);               everyone
//!   }
//! ```
//! A loop is shared where its iterations are independent but for accumulations, each into one element that stays the
//! same all through it and that nothing else in the loop touches, and where nothing behind it wants another value that a
//! lane has for itself: `if (j == i) t = a[i][j];` leaves it to one lane. All dependences are of one iteration of the
//! axis then, since that is parallel: where one of them leads from one lane to another, there is a barrier between their
//! pieces.

use crate::ast::{Expr, ExprKind, VarId};
use crate::facts::reduction::Reduction;
use crate::facts::symbolic::{Poly, Sym};
use crate::kernel::{ReduceOp, ScalarType};
use crate::poly::Failure;
use crate::poly::dependence::Kind;
use crate::poly::scop::is_write;
use crate::region::{Access, LoopId, StmtId, Tree};
use crate::schedule::lower::scalar_type;
use crate::schedule::map::Lean;
use crate::schedule::parallel::{Analysis, Verdict, loops_in};
use crate::schedule::{Mode, Nest};
use std::collections::BTreeSet;

/// A loop of fewer iterations is not worth the join of a warp.
pub const FEW: i64 = 64;

/// The same where a few lanes may share it: elements of several axes, which have no tiles that hold their rows.
const FEW_OF_SEVERAL: i64 = 16;

/// A part of a thread's body, and the conditions (trees of their own) that it stands under.
pub(super) struct Piece<'t> {
    pub conditions: Vec<&'t Tree>,
    pub tree: &'t Tree,
    pub by: By,
    /// Those of a nested loop's body, in order.
    pub inside: Vec<Piece<'t>>,
}

/// Which of an element's lanes run a piece.
pub(super) enum By {
    /// All, each for itself: it writes nothing that others see.
    Everyone,
    /// The first one.
    Owner,
    /// All, each a share of the iterations of this loop.
    Lanes(LoopId, Vec<Sum>),
    /// All, each through the whole loop, with a share of the iterations of those directly inside.
    Within(Vec<LoopId>),
    /// All together through a loop in order, whose body is pieces of its own (see [`nested`](super::nested)).
    Nested(LoopId),
}

impl Piece<'_> {
    /// Accumulations that its lanes join.
    pub fn sums(&self) -> &[Sum] {
        if let By::Lanes(_, sums) = &self.by { sums } else { &[] }
    }

    /// The loops of which each lane has a share.
    pub fn shared(&self) -> &[LoopId] {
        match &self.by {
            By::Lanes(l, _) => std::slice::from_ref(l),
            By::Within(loops) => loops,
            By::Everyone | By::Owner | By::Nested(_) => &[],
        }
    }
}

/// The pieces that have no others inside.
pub(super) fn leaves<'p, 't>(pieces: &'p [Piece<'t>]) -> Vec<&'p Piece<'t>> {
    let of = |p: &'p Piece<'t>| if let By::Nested(_) = p.by { leaves(&p.inside) } else { vec![p] };
    pieces.iter().flat_map(of).collect()
}

fn leaves_mut<'p, 't>(pieces: &'p mut [Piece<'t>]) -> Vec<&'p mut Piece<'t>> {
    let of = |p: &'p mut Piece<'t>| if let By::Nested(_) = p.by { leaves_mut(&mut p.inside) } else { vec![p] };
    pieces.iter_mut().flat_map(of).collect()
}

/// An accumulation that the lanes join.
pub(super) struct Sum {
    pub data: VarId,
    pub op: ReduceOp,
    /// The statements that update it: all of one element.
    pub updates: Vec<StmtId>,
}

/// Who touches data in a piece.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Who {
    First,
    Each,
}

/// What is cut into pieces, and where that stands.
pub(super) struct Cutter<'a> {
    pub a: &'a Analysis<'a>,
    pub private: &'a BTreeSet<VarId>,
    /// Updates that are atomic, whoever makes them.
    atomic: &'a BTreeSet<StmtId>,
    /// Counters of the band.
    pub axes: Vec<VarId>,
    /// Permission of loops in order that lanes go through together.
    pub may_nest: bool,
    /// The fewest iterations of a loop that is shared.
    few: i64,
}

/// The pieces of a nest's body, at least one of them shared; `None` where there is none.
pub(super) fn pieces<'t>(
    a: &Analysis,
    nest: &'t Nest,
    host: &[LoopId],
    private: &BTreeSet<VarId>,
    atomic: &BTreeSet<StmtId>,
) -> Result<Option<Vec<Piece<'t>>>, Failure> {
    let around: Vec<LoopId> = host.iter().chain(nest.axes.iter().flatten()).copied().collect();
    let axes = nest.axes.iter().flatten().map(|l| a.part.get_loop(*l).var).collect();
    let may_nest = nest.mode == Mode::Parallel;
    let few = if may_nest && nest.axes.len() > 1 { FEW_OF_SEVERAL } else { FEW };
    let cutter = Cutter { a, private, atomic, axes, may_nest, few };
    let mut out = vec![];
    for tree in &nest.body {
        cutter.cut(tree, &around, &mut vec![], &mut out)?;
    }
    // Points of one axis whose loops in order share rows are better served by tiles.
    let is_shared = |p: &Piece| matches!(p.by, By::Lanes(..)) || nest.axes.len() > 1 && matches!(p.by, By::Nested(_));
    let usable = nest.mode != Mode::OneThread && out.iter().any(is_shared) && settle_owners(a, private, &mut out);
    Ok(usable.then_some(out))
}

impl Cutter<'_> {
    /// Appends the pieces of a tree: a condition around a shared loop goes to each piece under it.
    pub fn cut<'t>(
        &self,
        tree: &'t Tree,
        around: &[LoopId],
        conditions: &mut Vec<&'t Tree>,
        out: &mut Vec<Piece<'t>>,
    ) -> Result<(), Failure> {
        let piece = |by| Piece { conditions: conditions.clone(), tree, by, inside: vec![] };
        let by = match tree {
            Tree::Loop(l, body) => match (self.sums(*l, body, around)?, self.within(*l, body, around)?) {
                (Some(_), Some(inner)) if self.runs_along(&inner, *l, body) => By::Within(inner),
                (Some(sums), _) => By::Lanes(*l, sums),
                (None, Some(inner)) => By::Within(inner),
                (None, None) => match self.nested(*l, body, around)? {
                    Some(inside) => {
                        out.push(Piece { inside, ..piece(By::Nested(*l)) });
                        return Ok(());
                    }
                    None => alone(self.a, tree, self.private),
                },
            },
            Tree::If { body, .. } => {
                let before = out.len();
                let whole = piece(alone(self.a, tree, self.private));
                conditions.push(tree);
                for inner in body {
                    self.cut(inner, around, conditions, out)?;
                }
                conditions.pop();
                if leaves(&out[before..]).iter().all(|p| p.shared().is_empty()) {
                    out.truncate(before);
                    out.push(whole);
                }
                return Ok(());
            }
            Tree::Stmt(_) => alone(self.a, tree, self.private),
        };
        out.push(piece(by));
        Ok(())
    }

    /// Loops directly in one that lanes may share while each goes through that one: the lane that touches an element does so in
    /// every iteration, and nothing else that lanes see is written. `None` where there are none.
    fn within(&self, l: LoopId, body: &[Tree], outside: &[LoopId]) -> Result<Option<Vec<LoopId>>, Failure> {
        let a = self.a;
        let counter = a.part.get_loop(l).var;
        let around: Vec<LoopId> = outside.iter().copied().chain([l]).collect();
        let stmts: Vec<StmtId> = body.iter().flat_map(Tree::stmts).collect();
        let mut inner: Vec<(LoopId, Vec<StmtId>)> = vec![];
        for tree in body {
            match tree {
                Tree::Loop(x, below) => {
                    let begins_alike = !a.part.get_loop(*x).first.uses(counter);
                    let is_shared = begins_alike && self.sums(*x, below, &around)?.is_some_and(|sums| sums.is_empty());
                    if !is_shared {
                        return Ok(None);
                    }
                    inner.push((*x, tree.stmts()));
                }
                Tree::Stmt(_) if matches!(alone(a, tree, self.private), By::Everyone) => {}
                Tree::Stmt(_) | Tree::If { .. } => return Ok(None),
            }
        }
        let written = |x: &&Access| is_write(x) && !self.private.contains(&x.data);
        let data: BTreeSet<VarId> =
            stmts.iter().flat_map(|s| &a.part.stmt(*s).accesses).filter(written).map(|x| x.data).collect();
        if inner.is_empty() || !data.iter().all(|v| self.has_owners(*v, &stmts, &inner)) {
            return Ok(None);
        }
        // What a lane has for itself of one turn, the others have not in the next.
        for (i, d) in a.deps.list.iter().enumerate() {
            let is_of_lane = d.kind == Kind::Flow && self.private.contains(&d.data) && stmts.contains(&d.dst);
            let is_shared = inner.iter().any(|(_, below)| below.contains(&d.src));
            if is_of_lane && is_shared && a.carried(i, l, outside)? {
                return Ok(None);
            }
        }
        Ok(Some(inner.into_iter().map(|(x, _)| x).collect()))
    }

    /// Test that the elements of an array that is written are each one lane's: one loop touches them, by subscripts that tell
    /// its iterations apart and those of the loops around it not.
    fn has_owners(&self, v: VarId, stmts: &[StmtId], inner: &[(LoopId, Vec<StmtId>)]) -> bool {
        let part = self.a.part;
        let users: Vec<StmtId> =
            stmts.iter().copied().filter(|s| part.stmt(*s).accesses.iter().any(|x| x.data == v)).collect();
        if users.iter().all(|s| self.atomic.contains(s)) {
            return true;
        }
        let Some((l, _)) = inner.iter().find(|(_, below)| users.iter().all(|s| below.contains(s))) else {
            return false;
        };
        let own = part.get_loop(*l).var;
        let mut accesses = users.iter().flat_map(|s| &part.stmt(*s).accesses).filter(|x| x.data == v);
        let Some(index) = accesses.next().and_then(|x| x.index.as_ref()) else { return false };
        let knows = |p: &Poly| !p.any(&|s| matches!(s, Sym::Counter(v) if *v != own && !self.axes.contains(v)));
        let tells_apart = |p: &Poly| p.coefficient(own) != 0 && p.is_affine();
        index.iter().all(knows) && index.iter().any(tells_apart) && accesses.all(|x| x.index.as_ref() == Some(index))
    }

    /// Test that neighbours in memory are those of the loops inside, and not of the one around them.
    fn runs_along(&self, inner: &[LoopId], l: LoopId, body: &[Tree]) -> bool {
        let part = self.a.part;
        let of = |l: &LoopId| part.get_loop(*l).var;
        let mut lean = Lean::default();
        for s in body.iter().flat_map(Tree::stmts) {
            let own = inner.iter().filter(|x| part.stmt(s).loops.contains(*x)).map(of);
            for own in own {
                let accesses = part.stmt(s).accesses.iter().filter(|x| !self.private.contains(&x.data));
                accesses.for_each(|x| _ = lean.add(x, &[of(&l)], own));
            }
        }
        lean < Lean::default()
    }

    /// The accumulations of a loop that may be shared out; `None` of one that may not, or is too short.
    fn sums(&self, l: LoopId, body: &[Tree], around: &[LoopId]) -> Result<Option<Vec<Sum>>, Failure> {
        let (a, private) = (self.a, self.private);
        let stmts: Vec<StmtId> = body.iter().flat_map(Tree::stmts).collect();
        if a.part.get_loop(l).most_iterations().is_some_and(|n| n < self.few) || !a.repeats(l, &stmts, around)? {
            return Ok(None);
        }
        // Where a directive alone says that iterations are independent, nothing tells which lane owns what they write.
        match a.verdict(l, &stmts, around)? {
            Verdict::Parallel => {}
            Verdict::Reduction(_, aside) if aside.is_empty() => {}
            _ => return Ok(None),
        }
        let inside: BTreeSet<VarId> =
            body.iter().flat_map(loops_in).chain([l]).map(|x| a.part.get_loop(x).var).collect();
        let on: Vec<LoopId> = around.iter().copied().chain([l]).collect();
        let within = |s: StmtId| stmts.contains(&s);
        let mut updates: BTreeSet<StmtId> = BTreeSet::new();
        for (i, d) in a.deps.list.iter().enumerate().filter(|(_, d)| within(d.src) && within(d.dst)) {
            let is_atomic = self.atomic.contains(&d.src) && self.atomic.contains(&d.dst);
            if is_atomic || !a.carried(i, l, around)? {
                continue;
            }
            if d.reduction.is_some() && !a.is_private(d.data, &stmts, &on)? {
                updates.extend([d.src, d.dst]);
            } else if !private.contains(&d.data) {
                return Ok(None);
            }
        }
        let mut sums: Vec<(Sum, &Vec<Poly>)> = vec![];
        for s in stmts.iter().copied().filter(|s| updates.contains(s)) {
            let Some((r, index)) = fixed_target(a, s, &inside) else { return Ok(None) };
            match sums.iter_mut().find(|(x, at)| (x.data, x.op) == (r.data, r.op) && *at == index) {
                Some((x, _)) => x.updates.push(s),
                None => sums.push((Sum { data: r.data, op: r.op, updates: vec![s] }, index)),
            }
        }
        let sums: Vec<Sum> = sums.into_iter().map(|(x, _)| x).collect();
        for (i, d) in a.deps.list.iter().enumerate().filter(|(_, d)| within(d.src)) {
            let updates = |x: &Sum, s: StmtId| x.data == d.data && x.updates.contains(&s);
            let is_lost = if within(d.dst) {
                sums.iter().any(|x| updates(x, d.src) != updates(x, d.dst))
            } else {
                // What a lane leaves in private data is its own, unless it is joined.
                d.kind == Kind::Flow && private.contains(&d.data) && !sums.iter().any(|x| updates(x, d.src))
            };
            if is_lost && a.is_of_one_iteration(i, around)? {
                return Ok(None);
            }
        }
        Ok(Some(sums))
    }
}

fn alone(a: &Analysis, tree: &Tree, private: &BTreeSet<VarId>) -> By {
    let writes = |s: &StmtId| a.part.stmt(*s).accesses.iter().any(|x| is_write(x) && !private.contains(&x.data));
    if tree.stmts().iter().any(writes) { By::Owner } else { By::Everyone }
}

/// What the owner has for itself is used by the owner alone: more pieces become its own, until that is so. Whether no
/// shared loop is among them.
fn settle_owners(a: &Analysis, private: &BTreeSet<VarId>, pieces: &mut [Piece]) -> bool {
    let touched = |p: &Piece, writes: bool| -> BTreeSet<VarId> {
        let stmts = p.tree.stmts();
        let accesses = stmts.iter().flat_map(|s| &a.part.stmt(*s).accesses);
        accesses.filter(|x| private.contains(&x.data) && (!writes || is_write(x))).map(|x| x.data).collect()
    };
    let mut grew = true;
    while grew {
        grew = false;
        let all = leaves(pieces);
        let owners = all.into_iter().filter(|p| matches!(p.by, By::Owner));
        let held: BTreeSet<VarId> = owners.flat_map(|p| touched(p, true)).collect();
        for p in leaves_mut(pieces).into_iter().filter(|p| !matches!(p.by, By::Owner)) {
            if touched(p, false).is_disjoint(&held) {
                continue;
            }
            if !p.shared().is_empty() {
                return false;
            }
            p.by = By::Owner;
            grew = true;
        }
    }
    true
}

/// The update that a statement is, and the subscripts of its target, where no counter of `inside` takes part in them.
fn fixed_target<'a>(a: &'a Analysis, s: StmtId, inside: &BTreeSet<VarId>) -> Option<(&'a Reduction, &'a Vec<Poly>)> {
    let stmt = a.part.stmt(s);
    let r = stmt.reduction.as_ref()?;
    let is_fixed = |p: &Poly| inside.iter().all(|v| !p.uses(*v));
    let mut accesses = stmt.accesses.iter().filter(|x| x.data == r.data);
    let index = accesses.next()?.index.as_ref().filter(|index| index.iter().all(is_fixed))?;
    if !accesses.all(|x| x.index.as_ref() == Some(index)) {
        return None;
    }
    // The subscripts are computed again after the loop.
    let mut stays = true;
    let mut check = |e: &Expr| {
        if let ExprKind::Var(v) = e.kind {
            let value = stmt.counters.iter().find(|(c, _)| *c == v).map(|(_, p)| p);
            let in_data = v != r.data && a.part.data.contains_key(&v);
            stays &= !in_data && value.map_or(!inside.contains(&v), is_fixed);
        }
    };
    r.target.walk(&mut check);
    stays.then_some((r, index))
}

/// Test that lanes must wait for each other between two pieces, the first before the second; `around` are the loops
/// around the thread's body.
pub(super) fn meet(
    a: &Analysis,
    private: &BTreeSet<VarId>,
    around: &[LoopId],
    [first, second]: [&Piece; 2],
) -> Result<bool, Failure> {
    let (before, after) = (first.tree.stmts(), second.tree.stmts());
    for (i, d) in a.deps.list.iter().enumerate().filter(|(_, d)| !private.contains(&d.data)) {
        let joined = before.contains(&d.src) && after.contains(&d.dst);
        let by_each = joined && [first, second].iter().any(|p| who(a, p, d.data) == Who::Each);
        if by_each && a.is_of_one_iteration(i, around)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Who touches some data in a piece. The sums of a shared loop are its owner's.
pub(super) fn who(a: &Analysis, p: &Piece, data: VarId) -> Who {
    let touches = |s: &StmtId| a.part.stmt(*s).accesses.iter().any(|x| x.data == data);
    if let By::Nested(_) = p.by {
        let users = p.inside.iter().filter(|p| p.tree.stmts().iter().any(touches));
        let is_first = users.into_iter().all(|p| who(a, p, data) == Who::First);
        return if is_first { Who::First } else { Who::Each };
    }
    let joined = |s: &StmtId, sums: &[Sum]| sums.iter().any(|x| x.data == data && x.updates.contains(s));
    match &p.by {
        By::Owner => Who::First,
        By::Lanes(_, sums) if p.tree.stmts().iter().all(|s| !touches(s) || joined(s, sums)) => Who::First,
        _ => Who::Each,
    }
}

/// The loops that lanes share.
pub(super) fn shared_loops(pieces: &[Piece]) -> Vec<LoopId> {
    leaves(pieces).into_iter().flat_map(Piece::shared).copied().collect()
}

/// The lvalue that accumulates, and its type.
pub(super) fn target<'a>(a: &'a Analysis, x: &Sum) -> (&'a Expr, ScalarType) {
    let r = a.part.stmt(x.updates[0]).reduction.as_ref().expect("an update");
    (&r.target, scalar_type(&r.target.ty).expect("accumulations are of numbers"))
}
