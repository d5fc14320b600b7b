//! What of a thread's body several threads may share, and who runs the rest.
//!
//! ```text
//! for i:                               pieces of the body:
//!   sum = 0;                             everyone     each lane has its own `sum`
//!   for j: sum += a[i][j] * x[j];        shared       `sum` is joined afterwards
//!   y[i] = sum / a[i][i];                owner        a store is made once
//! ```
//! A loop is shared where its iterations are independent but for accumulations, each into one element that stays the
//! same all through it and that nothing else in the loop touches, and where nothing behind it wants another value that a
//! lane has for itself: `if (j == i) t = a[i][j];` leaves it to one lane. All dependences are of one iteration of the
//! axis then, since that is parallel: where one of them leads from one lane to another, there is a barrier between their
//! pieces.

use crate::ast::{Expr, ExprKind, VarId};
use crate::facts::reduction::Reduction;
use crate::facts::symbolic::Poly;
use crate::kernel::{ReduceOp, ScalarType};
use crate::poly::Failure;
use crate::poly::dependence::Kind;
use crate::poly::scop::is_write;
use crate::region::{LoopId, StmtId, Tree};
use crate::schedule::lower::scalar_type;
use crate::schedule::parallel::{Analysis, Verdict, loops_in};
use crate::schedule::{Mode, Nest};
use std::collections::BTreeSet;

/// A loop of fewer iterations is not worth the join.
const FEW: i64 = 64;

/// A part of a thread's body, and the conditions (trees of their own) that it stands under.
pub(super) struct Piece<'t> {
    pub conditions: Vec<&'t Tree>,
    pub tree: &'t Tree,
    pub by: By,
}

/// Which of an element's lanes run a piece.
pub(super) enum By {
    /// All, each for itself: it writes nothing that others see.
    Everyone,
    /// The first one.
    Owner,
    /// All, each a share of the iterations of this loop.
    Lanes(LoopId, Vec<Sum>),
}

impl Piece<'_> {
    /// Accumulations that its lanes join.
    pub fn sums(&self) -> &[Sum] {
        if let By::Lanes(_, sums) = &self.by { sums } else { &[] }
    }
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
enum Who {
    First,
    Each,
}

/// The pieces of a nest's body, at least one of them shared; `None` where there is none.
pub(super) fn pieces<'t>(
    a: &Analysis,
    nest: &'t Nest,
    host: &[LoopId],
    private: &BTreeSet<VarId>,
) -> Result<Option<Vec<Piece<'t>>>, Failure> {
    let around: Vec<LoopId> = host.iter().chain(nest.axes.iter().flatten()).copied().collect();
    let mut out = vec![];
    for tree in &nest.body {
        cut(a, tree, &around, private, &mut vec![], &mut out)?;
    }
    let is_shared = |p: &Piece| matches!(p.by, By::Lanes(..));
    let usable = nest.mode != Mode::OneThread && out.iter().any(is_shared) && settle_owners(a, private, &mut out);
    Ok(usable.then_some(out))
}

/// Appends the pieces of a tree: a condition around a shared loop goes to each piece under it.
fn cut<'t>(
    a: &Analysis,
    tree: &'t Tree,
    around: &[LoopId],
    private: &BTreeSet<VarId>,
    conditions: &mut Vec<&'t Tree>,
    out: &mut Vec<Piece<'t>>,
) -> Result<(), Failure> {
    let piece = |by| Piece { conditions: conditions.clone(), tree, by };
    let by = match tree {
        Tree::Loop(l, body) => match sums(a, *l, body, around, private)? {
            Some(sums) => By::Lanes(*l, sums),
            None => alone(a, tree, private),
        },
        Tree::If { body, .. } => {
            let before = out.len();
            let whole = piece(alone(a, tree, private));
            conditions.push(tree);
            for inner in body {
                cut(a, inner, around, private, conditions, out)?;
            }
            conditions.pop();
            if !out[before..].iter().any(|p| matches!(p.by, By::Lanes(..))) {
                out.truncate(before);
                out.push(whole);
            }
            return Ok(());
        }
        Tree::Stmt(_) => alone(a, tree, private),
    };
    out.push(piece(by));
    Ok(())
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
        let owners = pieces.iter().filter(|p| matches!(p.by, By::Owner));
        let held: BTreeSet<VarId> = owners.flat_map(|p| touched(p, true)).collect();
        for p in pieces.iter_mut().filter(|p| !matches!(p.by, By::Owner)) {
            if touched(p, false).is_disjoint(&held) {
                continue;
            }
            if matches!(p.by, By::Lanes(..)) {
                return false;
            }
            p.by = By::Owner;
            grew = true;
        }
    }
    true
}

/// The accumulations of a loop that may be shared out; `None` of one that may not, or is too short.
fn sums(
    a: &Analysis,
    l: LoopId,
    body: &[Tree],
    around: &[LoopId],
    private: &BTreeSet<VarId>,
) -> Result<Option<Vec<Sum>>, Failure> {
    let stmts: Vec<StmtId> = body.iter().flat_map(Tree::stmts).collect();
    if a.part.get_loop(l).most_iterations().is_some_and(|n| n < FEW) || !a.repeats(l, &stmts, around)? {
        return Ok(None);
    }
    // Where a directive alone says that iterations are independent, nothing tells which lane owns what they write.
    match a.verdict(l, &stmts, around)? {
        Verdict::Parallel => {}
        Verdict::Reduction(_, aside) if aside.is_empty() => {}
        _ => return Ok(None),
    }
    let inside: BTreeSet<VarId> = body.iter().flat_map(loops_in).chain([l]).map(|x| a.part.get_loop(x).var).collect();
    let on: Vec<LoopId> = around.iter().copied().chain([l]).collect();
    let within = |s: StmtId| stmts.contains(&s);
    let mut updates: BTreeSet<StmtId> = BTreeSet::new();
    for (i, d) in a.deps.list.iter().enumerate().filter(|(_, d)| within(d.src) && within(d.dst)) {
        if !a.carried(i, l, around)? {
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
fn who(a: &Analysis, p: &Piece, data: VarId) -> Who {
    let touches = |s: &StmtId| a.part.stmt(*s).accesses.iter().any(|x| x.data == data);
    let joined = |s: &StmtId, sums: &[Sum]| sums.iter().any(|x| x.data == data && x.updates.contains(s));
    match &p.by {
        By::Owner => Who::First,
        By::Lanes(_, sums) if p.tree.stmts().iter().all(|s| !touches(s) || joined(s, sums)) => Who::First,
        _ => Who::Each,
    }
}

/// The loops that lanes share.
pub(super) fn shared_loops(pieces: &[Piece]) -> Vec<LoopId> {
    pieces.iter().filter_map(|p| if let By::Lanes(l, _) = &p.by { Some(*l) } else { None }).collect()
}

/// The lvalue that accumulates, and its type.
pub(super) fn target<'a>(a: &'a Analysis, x: &Sum) -> (&'a Expr, ScalarType) {
    let r = a.part.stmt(x.updates[0]).reduction.as_ref().expect("an update");
    (&r.target, scalar_type(&r.target.ty).expect("accumulations are of numbers"))
}
