//! The kernel IR of a band with tiles.
//!
//! ```text
//! for the tile's origin                                     a block's tiles
//!   for the thread's points { if (inside) before }          pieces of the body, each for all points
//!   for chunk in first .. limit step DEPTH {
//!     barrier
//!     if (all cells are read) { fill } else { fill what is read }
//!     barrier
//!     if (all points run all of it) { for k in 0 .. DEPTH { for the thread's points { body } } }
//!     else { for k in 0 .. what is left { for the thread's points { if (it runs) body } } }
//!   }
//!   for the thread's points { if (inside) after }
//! ```
//! Whole tiles so run without a test, and others apart. A point outside the band may run the body too where that does no
//! harm: where the body only computes, from cells that hold zero then, and its result is dropped.

use super::bounds::{self, Interval, Of};
use super::piece::{Inner, Piece, Variable, leaves};
use super::points::points;
use super::reads::Group;
use super::register_promotion::{ThreadPromotion, Wanted};
use super::shape::{Shape, padding};
use super::slide::Slide;
use super::stmts::{counted, depth, first_of, guarded, is_used, let_index, stages, zero};
use super::window::Window;
use crate::ast::{BinOp, VarId};
use crate::facts::symbolic::Poly;
use crate::kernel::{Access, Expr, ScalarType, Stmt, StmtKind, Tunable, walk};
use crate::schedule::frame::strided;
use crate::schedule::index::{self, size_of};
use crate::schedule::lower::Lowering;
use crate::schedule::mapping::Fetch;
use crate::schedule::register_promotion::element::PromotedElement;
use std::collections::BTreeSet;

/// Writes one kernel's body.
pub struct Code<'c, 's> {
    pub l: &'c mut Lowering<'s>,
    pub shape: &'c Shape,
    pub variables: &'c [Variable],
    pub promotions: &'c [ThreadPromotion],
    pub windows: &'c [Window],
    /// Windows of the loops of the point, if they slide.
    pub slide: Option<&'c Slide>,
    /// Arrays of which the kernel writes nothing that it reads.
    pub apart: &'c BTreeSet<VarId>,
    /// How many neighbouring points a thread has along the last dimension.
    pub skew: i64,
    /// Permission for their accesses to be vectors.
    pub vectorizes: bool,
    /// The kernel's sizes: the usual ones, and others that a call may pick.
    pub sizes: Vec<Vec<Tunable>>,
    /// The number of the thread in its block.
    pub thread: String,
    /// Conditions under which the instance for aligned vectors runs.
    pub wide: Vec<Expr>,
    /// Places of points in blocks all of whose points are inside and that have no vectors, if that may be another way: in a kernel
    /// of statements of points alone.
    pub dealt: Option<Shape>,
}

/// When a loop has an iteration, and whether that differs between points.
struct Runs {
    cond: Expr,
    varies: bool,
}

impl Runs {
    fn or(self, other: Runs) -> Runs {
        Runs { cond: index::binary(BinOp::Or, self.cond, other.cond), varies: self.varies || other.varies }
    }
}

/// Where a loop of the thread begins and ends for all points of the block together.
pub(super) struct Ends {
    pub lo: Expr,
    pub hi: Expr,
    /// The block's points.
    pub tile: Vec<Interval>,
    /// The bounds of the loop that are the same for all points, and what is tested for each point.
    pub same: Vec<Poly>,
    pub tested: Vec<Poly>,
}

/// What is to be done for each point, in runs under one condition of the whole block.
#[derive(Default)]
struct Pending(Vec<(Option<Expr>, Vec<Stmt>)>);

impl Pending {
    fn add(&mut self, when: Option<Expr>, stmts: Vec<Stmt>) {
        match self.0.last_mut() {
            _ if stmts.is_empty() => {}
            Some((last, before)) if *last == when => before.extend(stmts),
            _ => self.0.push((when, stmts)),
        }
    }

    /// What fills or empties a variable: without an iteration the element may not even be there.
    fn keep(&mut self, runs: &Runs, kept: Option<Stmt>) {
        let kept: Vec<Stmt> = kept.into_iter().collect();
        match runs.varies && !kept.is_empty() {
            true => self.add(None, guarded(Some(runs.cond.clone()), kept)),
            false => self.add(Some(runs.cond.clone()), kept),
        }
    }
}

impl Code<'_, '_> {
    /// The whole body.
    pub fn body(&mut self, pieces: Vec<Piece>) -> Vec<Stmt> {
        let inner: Vec<&Inner> = leaves(&pieces).into_iter().filter_map(Piece::inner).collect();
        let windows = self.windows.iter().map(|x| x.declaration(self.shape));
        let mut out: Vec<Stmt> = windows.chain(inner.iter().flat_map(|x| self.shared(x))).collect();
        out.extend(self.slide.into_iter().flat_map(|slide| self.sliding_windows(slide)));
        if !out.is_empty() && self.shape.axes.len() > 1 {
            self.thread = self.l.names.fresh("rt_thread_number");
            let number = (0..self.shape.axes.len()).map(Expr::ThreadIdx).enumerate().reduce(|(_, before), (d, t)| {
                let rows = index::binary(BinOp::Mul, before, size_of("BLOCK", d));
                (d, index::binary(BinOp::Add, rows, t))
            });
            out.push(let_index(&self.thread, number.expect("an axis").1));
        }
        let mut seq: Vec<Stmt> = self.declarations();
        seq.extend(self.fill_windows());
        let starts_clear = self.slide.is_some() || inner.into_iter().any(is_harmless);
        let mut clear: Vec<Stmt> = if starts_clear { self.cleared() } else { vec![] };
        let mut pending = self.fills_held(&pieces);
        let is_pointwise =
            matches!(pieces[..], [Piece::Plain(..)]) && self.promotions.is_empty() && self.variables.is_empty();
        self.dealt = self.dealt.take().filter(|_| is_pointwise && out.is_empty());
        seq.extend(self.sequence(pieces, &mut clear, &mut pending));
        pending.add(None, self.promotions.iter().map(|x| x.element.emptied()).collect());
        seq.extend(self.pointwise(clear, pending));
        self.to_points(&mut seq);
        out.extend(self.over_tiles(seq));
        out
    }

    /// Pieces one after another. `clear` and what is `pending` for each point come before the first loop; what is pending
    /// behind the last is the caller's.
    fn sequence(&mut self, pieces: Vec<Piece>, clear: &mut Vec<Stmt>, pending: &mut Pending) -> Vec<Stmt> {
        let mut seq = vec![];
        for piece in pieces {
            match piece {
                Piece::Plain(_, stmts) => pending.add(None, stmts),
                Piece::Loop(x) => {
                    let (runs, promoted) = (self.runs(&x), x.promoted.as_ref());
                    pending.keep(&runs, promoted.map(PromotedElement::filled));
                    seq.extend(self.pointwise(std::mem::take(clear), std::mem::take(pending)));
                    pending.keep(&runs, promoted.map(PromotedElement::emptied));
                    seq.extend(match self.slide {
                        Some(slide) => self.slid(&x, slide),
                        None => self.chunks(*x),
                    });
                }
                Piece::Steps(x) => {
                    seq.extend(self.pointwise(std::mem::take(clear), std::mem::take(pending)));
                    let mut behind = Pending::default();
                    let mut body = self.sequence(x.pieces, &mut vec![], &mut behind);
                    body.extend(self.pointwise(vec![], behind));
                    let part = self.l.part.expect("a nest belongs to a part");
                    seq.push(self.l.in_order(part.get_loop(x.id), body));
                }
            }
        }
        seq
    }

    /// The shared arrays of a loop.
    fn shared(&self, x: &Inner) -> Vec<Stmt> {
        let declare = |g: &Group| {
            let stages = matches!(x.fetch, Fetch::Async(_)).then(stages).into_iter();
            let cells = g.in_order(depth(), g.axes.iter().map(|d| self.shape.side(*d)));
            let mut extents: Vec<Expr> = stages.chain(cells).collect();
            let last = extents.pop().expect("the depth");
            extents.push(index::add(last, Expr::Int(padding(g))));
            Stmt::made(StmtKind::Shared { name: g.tile.clone(), ty: g.ty, extents })
        };
        x.groups.iter().map(declare).collect()
    }

    /// The variables of the points: arrays, where a thread has several.
    fn declarations(&self) -> Vec<Stmt> {
        let loops = self.shape.axes.iter().enumerate().flat_map(|(d, x)| x.loops(d));
        let extents: Vec<Expr> = loops.map(|(_, size)| size).collect();
        let declare = |v: &Variable| match extents.is_empty() {
            true => Stmt::made(StmtKind::Let { var: v.name.clone(), ty: v.ty, init: None }),
            false => Stmt::made(StmtKind::LocalArray { name: v.name.clone(), ty: v.ty, extents: extents.clone() }),
        };
        self.variables.iter().map(declare).collect()
    }

    /// Points outside have a value too.
    fn cleared(&self) -> Vec<Stmt> {
        let clear = |v: &Variable| Stmt::made(StmtKind::Assign { var: v.name.clone(), op: None, value: zero(v.ty) });
        self.variables.iter().map(clear).collect()
    }

    /// What loads the elements that threads hold, where their values are wanted.
    fn fills_held(&mut self, pieces: &[Piece]) -> Pending {
        let mut pending = Pending::default();
        for promotion in self.promotions {
            let fill = promotion.element.filled();
            match &promotion.wanted {
                Wanted::Never => {}
                Wanted::Always => pending.add(None, vec![fill]),
                Wanted::InLoops(ids) => {
                    let loops = pieces.iter().filter_map(Piece::inner).filter(|x| ids.contains(&x.id));
                    let any = loops.map(|x| self.runs(x)).reduce(Runs::or).expect("a loop wants it");
                    pending.keep(&any, Some(fill));
                }
            }
        }
        pending
    }

    /// When a loop has an iteration.
    fn runs(&mut self, x: &Inner) -> Runs {
        let first = self.l.poly(&x.first);
        let limits: Vec<Expr> = x.limits.iter().map(|p| self.l.poly(p)).collect();
        let hi = index::min(limits).expect("a loop has a limit");
        let axes: Vec<_> = self.shape.axes.iter().map(|x| x.var).collect();
        let varies = [&x.first].into_iter().chain(&x.limits).any(|p| bounds::uses_any(p, &axes));
        Runs { cond: index::binary(BinOp::Lt, first, hi), varies }
    }

    /// Statements for every point of the thread: `clear` for all, others for those inside the band. A whole tile tests
    /// none.
    fn pointwise(&mut self, mut clear: Vec<Stmt>, pending: Pending) -> Vec<Stmt> {
        let mut out = vec![];
        if pending.0.len() != 1 {
            out.extend(self.points(std::mem::take(&mut clear)));
        }
        let cond = self.l.hold(&self.shape.bounds, &[], Of::Point);
        for (when, inside) in pending.0 {
            let is_apart = self.tells_apart(&inside);
            let ways = self.ways(&inside);
            let mut body = std::mem::take(&mut clear);
            body.extend(guarded(cond.clone(), inside));
            let all = self.points(body);
            // Counters have a scope of their own in either case.
            let then = |then: Vec<Stmt>| if is_apart { then } else { all.clone() };
            let ways = ways.into_iter().map(|(cond, all)| (cond, then(all))).collect();
            out.extend(guarded(when, first_of(ways, all.clone())));
        }
        out
    }

    /// Test that the elements that points write differ along every axis by their subscripts alone. Where only the bounds tell
    /// points apart (`for (j = 8 * i; j < 8 * i + 8; j++) s[j] = …`), no tile of several points is whole.
    pub(super) fn tells_apart(&self, stmts: &[Stmt]) -> bool {
        let own = walk::declared(stmts);
        let mut told = vec![true; self.shape.axes.len()];
        for (x, told) in self.shape.axes.iter().zip(&mut told) {
            let depending = depending(stmts, &x.name);
            stmts.iter().for_each(|s| {
                s.visit(&mut |s| {
                    let StmtKind::Store { target, .. } = &s.kind else { return };
                    let is_own = own.contains(&target.array) || self.variables.iter().any(|v| v.name == target.array);
                    *told &= is_own || target.index.iter().any(|e| depending.iter().any(|name| e.mentions(name)));
                });
            });
        }
        told.into_iter().all(|x| x)
    }

    /// A loop over the thread's points.
    pub(super) fn points(&self, body: Vec<Stmt>) -> Vec<Stmt> {
        points(self.shape, body)
    }

    /// A loop of the thread, in pieces that shared memory holds.
    fn chunks(&mut self, x: Inner) -> Vec<Stmt> {
        let tile = self.shape.tile();
        let lo = self.l.extreme(&x.first, &tile, Of::All);
        let limits: Vec<Expr> = x.limits.iter().map(|p| self.l.extreme(p, &tile, Of::Any)).collect();
        let hi = index::min(limits).expect("a loop has a limit");
        let axes: Vec<_> = self.shape.axes.iter().map(|x| x.var).collect();
        let (varied, same): (Vec<Poly>, Vec<Poly>) = x.bounds.iter().cloned().partition(|p| bounds::uses_any(p, &axes));
        let mut tested = varied;
        if !is_harmless(&x) {
            tested.extend(self.shape.bounds.iter().cloned());
        }
        if x.groups.is_empty() {
            return self.unstaged(x, lo, hi, &tile, &tested);
        }
        let ends = Ends { lo, hi, tile, same, tested };
        if x.fetch != Fetch::None {
            return self.pipelined(x, &ends);
        }
        let chunk = self.l.names.fresh(&format!("rt_{}", x.counter));
        let mut steps = vec![Stmt::made(StmtKind::Barrier)];
        steps.extend(self.fills(&x, &chunk, &ends));
        steps.push(Stmt::made(StmtKind::Barrier));
        steps.extend(self.piece(&x, &chunk, &ends));
        let kind = StmtKind::counted(chunk, [ends.lo, ends.hi, depth()], steps);
        vec![Stmt { kind, line: x.line }]
    }

    /// The cells of a piece.
    pub(super) fn whole(&self, x: &Inner, chunk: &str, ends: &Ends) -> Vec<Interval> {
        let last = index::binary(BinOp::Sub, depth(), Expr::Int(1));
        let (low, high) = (index::var(chunk), index::binary(BinOp::Add, index::var(chunk), last));
        ends.tile.iter().cloned().chain([Interval { var: x.var, low, high }]).collect()
    }

    /// Iterations of a piece that shared memory holds.
    pub(super) fn piece(&mut self, x: &Inner, chunk: &str, ends: &Ends) -> Vec<Stmt> {
        let Ends { hi, same, tested, .. } = ends;
        let whole = self.whole(x, chunk, ends);
        let first = Poly::sym(crate::facts::symbolic::Sym::Counter(x.var)).plus(&x.first, -1);
        let all: Vec<Poly> = same.iter().filter(|p| Some(*p) != first.as_ref()).chain(tested).cloned().collect();
        let straight = self.l.hold(&all, &whole, Of::All).expect("a loop has a limit");
        let point = self.l.hold(tested, &[], Of::Point);
        let left = index::binary(BinOp::Sub, hi.clone(), index::var(chunk));
        let left = if tested.is_empty() { left } else { Expr::Min(Box::new(depth()), Box::new(left)) };
        let (then, other) = (self.run(x, chunk, depth(), None), self.run(x, chunk, left, point));
        match self.tells_apart(&x.body) {
            true => vec![Stmt::made(StmtKind::If { cond: straight, then, other })],
            false => other,
        }
    }

    /// The iterations of a piece of a loop: by matrices, where all points run all of them.
    pub(super) fn run(&mut self, x: &Inner, chunk: &str, n: Expr, cond: Option<Expr>) -> Vec<Stmt> {
        if let (Some(shape), None) = (x.mma, &cond)
            && let Some(by_matrices) = self.by_matrices(x, shape, &n)
        {
            return by_matrices;
        }
        let mut body = self.points(guarded(cond, x.body.clone()));
        if is_used(&body, &x.counter) {
            let value = index::binary(BinOp::Add, index::var(chunk), index::var(&x.at));
            body.insert(0, let_index(&x.counter, value));
        }
        vec![counted(&x.at, n, body)]
    }

    /// A loop of which nothing is in shared memory.
    fn unstaged(&mut self, x: Inner, lo: Expr, hi: Expr, tile: &[Interval], tested: &[Poly]) -> Vec<Stmt> {
        let point = self.l.hold(tested, &[], Of::Point);
        let axes: Vec<Poly> = tested.iter().filter(|p| !p.uses(x.var)).cloned().collect();
        let is_box = axes.len() == tested.len();
        let run = |cond| {
            let body = self.points(guarded(cond, x.body.clone()));
            let (var, lo, hi) = (x.counter.clone(), lo.clone(), hi.clone());
            vec![Stmt { kind: StmtKind::counted(var, [lo, hi, Expr::Int(1)], body), line: x.line }]
        };
        let other = run(point);
        if !is_box || !self.tells_apart(&x.body) {
            return other;
        }
        let then = run(None);
        match self.l.hold(&axes, tile, Of::All) {
            Some(cond) => vec![Stmt::made(StmtKind::If { cond, then, other })],
            None => then,
        }
    }

    /// Makes elements of arrays of the variables that each point has.
    fn to_points(&self, body: &mut [Stmt]) {
        let loops = self.shape.axes.iter().enumerate().flat_map(|(d, x)| x.loops(d));
        let at: Vec<Expr> = loops.map(|(point, _)| index::var(point)).collect();
        if at.is_empty() {
            return;
        }
        let is_point = |name: &str| self.variables.iter().any(|v| v.name == name);
        for s in body {
            for e in s.exprs_mut() {
                e.replace(&mut |e| match e {
                    Expr::Var(name) if is_point(name) => {
                        Some(Expr::Load(Access { array: name.clone(), index: at.clone() }))
                    }
                    _ => None,
                });
            }
            if let StmtKind::Assign { var, op, value } = &s.kind
                && is_point(var)
            {
                let target = Access { array: var.clone(), index: at.clone() };
                s.kind = StmtKind::Store { target, op: *op, value: value.clone() };
            }
            s.bodies_mut().into_iter().for_each(|inner| self.to_points(inner));
        }
    }

    /// The tiles of a block, each if it has points, and the loops of the thread around them.
    fn over_tiles(&mut self, body: Vec<Stmt>) -> Vec<Stmt> {
        let shape = self.shape;
        let tile = shape.tile();
        let several: Vec<Poly> =
            shape.bounds.iter().filter(|p| shape.axes.iter().filter(|x| p.uses(x.var)).count() > 1).cloned().collect();
        let some = self.l.hold(&several, &tile, Of::Any);
        let mut body = guarded(some, body);
        let n = shape.axes.len();
        for (d, x) in shape.axes.iter().enumerate().rev() {
            let start = index::mul(Expr::BlockIdx(d), shape.side(d));
            let lo = index::add(x.low.clone(), start);
            if d + 1 == n {
                body.insert(0, let_index(&x.origin, lo));
            } else {
                let ends = [lo, x.end.clone()];
                body = vec![Stmt::made(strided((d, shape.side(d)), x.origin.clone(), ends, body))];
            }
        }
        let part = self.l.part.expect("a nest belongs to a part");
        for id in shape.around.iter().rev() {
            body = vec![self.l.in_order(part.get_loop(*id), body)];
        }
        body
    }
}

/// The variables whose values may depend on one, itself among them.
fn depending(stmts: &[Stmt], name: &str) -> BTreeSet<String> {
    let mut out = BTreeSet::from([name.to_string()]);
    loop {
        let before = out.len();
        for s in stmts {
            s.visit(&mut |s| {
                let depends = s.exprs().into_iter().any(|e| out.iter().any(|name| e.mentions(name)));
                if let (true, StmtKind::Let { var, .. } | StmtKind::Assign { var, .. } | StmtKind::For { var, .. }) =
                    (depends, &s.kind)
                {
                    out.insert(var.clone());
                }
            });
        }
        if out.len() == before {
            return out;
        }
    }
}

/// Test that a point outside the band may run the loop's body: it computes from tiles and variables of the point alone, by
/// operations that are defined whatever the values.
pub(super) fn is_harmless(x: &Inner) -> bool {
    let is_tile = |array: &str| x.groups.iter().any(|g| g.tile == array);
    let has_integers = x.groups.iter().any(|g| !matches!(g.ty, ScalarType::Float(_)));
    let risky = |e: &Expr| match e {
        Expr::Load(access) => !is_tile(&access.array),
        Expr::Call(..) | Expr::Cast(ScalarType::Int(_) | ScalarType::Index, _) => true,
        Expr::Binary(BinOp::Rem | BinOp::Shl | BinOp::Shr, ..) => true,
        Expr::Binary(BinOp::Div, ..) => has_integers,
        _ => false,
    };
    let mut harmless = x.promoted.as_ref().is_none_or(|x| matches!(x.ty, ScalarType::Float(_)));
    for s in &x.body {
        s.visit(&mut |s| {
            let computes = matches!(s.kind, StmtKind::Let { .. } | StmtKind::Assign { .. } | StmtKind::If { .. });
            harmless &= computes && s.exprs().into_iter().all(|e| !e.any(&mut |e| risky(e)));
        });
    }
    harmless
}
