//! Windows that slide: sums over neighbours, whose loops have windows of what they read in shared memory.
//!
//! ```text
//! for i, j in parallel: s = 0; for p, q: s += a[i + p, j + q] * w[p, q]; c[i, j] = s
//! ->
//! a block has 16 x 128 points, a thread 16 neighbours along j
//! for pieces of p and of q:
//!     barrier; all threads load a window of a, as large as the block's points and the piece's taps reach, and of w; barrier
//!     for p in the piece: for q in steps of 16:
//!         a row of 31 elements of a, as vectors; for the taps and the thread's points: s[at] += a_row[at + tap] * w_row[tap]
//! ```
//! A loop of the point whose counter is added to that of an axis is a *tap*: neighbouring points read in one iteration what
//! others read in the next. So a window is kept by element, and its extent follows from the subscripts: of `2 * i + 3 * p` it
//! has `2 * (points - 1) + 3 * (taps - 1) + 1` cells. The order of the taps is free: no loop of them carries more than
//! accumulations. Cells that no point reads hold zero.
//!
//! (Iandola et al., "Communication-minimizing 2D convolution in GPU registers", ICIP 2013; Podlozhnyuk, "Image convolution
//! with CUDA", 2007.)

use super::bounds;
use super::find::{self, Finder};
use super::piece::{Inner, Piece};
use super::reads::Read;
use super::register_promotion::{ThreadPromotion, Wanted};
use super::shape::Shape;
use crate::ast::{BinOp, VarId};
use crate::facts::Reason;
use crate::facts::symbolic::Poly;
use crate::kernel::{self as k, Access, Expr, ScalarType, StmtKind, Tunable, simplify, walk};
use crate::poly::scop::is_write;
use crate::region::{LoopId, StmtId, Tree};
use crate::schedule::index::{self, size_of};
use crate::schedule::mapping::{Fetch, Pieces, Run, Staged};
use crate::schedule::parallel::Analysis;
use crate::schedule::{Nest, extent};
use std::collections::BTreeSet;

/// Neighbouring points of a thread.
pub const POINTS: i64 = 16;

/// Loops that have windows together, at most.
const MOST_TAPS: usize = 2;

/// The windows of a nest.
pub struct Slide {
    /// Loops around them, which a block runs in steps.
    pub steps: Vec<LoopId>,
    /// The loops that have windows; the last slides along memory.
    pub taps: Vec<Tap>,
    pub windows: Vec<Window>,
    /// The counter of the taps of a step.
    pub next: String,
}

/// A loop that has windows.
pub struct Tap {
    pub id: LoopId,
    pub counter: String,
    /// Where a piece of it begins, the iteration within that, and how many there are.
    pub piece: String,
    pub at: String,
    pub count: String,
    pub first: Poly,
    pub limits: Vec<Poly>,
}

/// Elements of an array that a block keeps for a piece of each loop.
pub struct Window {
    /// The shared array, and that of the thread's registers which holds a row of it.
    pub tile: String,
    pub row: String,
    pub access: Access,
    pub ty: ScalarType,
    /// Those subscripts that axes or taps count along.
    pub dims: Vec<Dim>,
    /// Test that neighbouring points and taps read along memory: then a thread reads rows as vectors.
    pub has_rows: bool,
}

/// A subscript: `c * axis + d * tap + …`, each with its number if it is there. With only one of them, cells are counted by
/// that one.
pub struct Dim {
    pub axis: Option<(usize, i64)>,
    pub tap: Option<(usize, i64)>,
    /// Variable for the place of a cell.
    pub cell: String,
}

impl Dim {
    /// The distance of cells from one point to the next, and from one tap to the next.
    pub fn strides(&self) -> (i64, i64) {
        (self.axis.map_or(0, |x| x.1), self.tap.map_or(0, |x| x.1.abs()))
    }

    /// How many cells there are.
    pub fn cells(&self, shape: &Shape) -> Expr {
        let (c, d) = self.strides();
        let points = self.axis.map(|(x, _)| shape.side(x));
        reach((c, points), (d, self.tap.map(|(t, _)| size_of("WINDOW", t))))
    }
}

impl Window {
    /// How many elements a vector has.
    pub fn width(&self) -> i64 {
        (16 / self.ty.size(64)).max(1)
    }

    /// Test that a row begins elsewhere for each thread: then cells to spare spread the threads' vectors over the banks.
    pub fn is_spread(&self) -> bool {
        self.has_rows && self.dims.last().is_some_and(|x| x.axis.is_some())
    }

    /// Cells in a row of the tile: whole vectors, without those to spare.
    pub fn columns(&self, shape: &Shape) -> Expr {
        let last = self.dims.last().expect("a window has a dimension");
        let is_whole = !self.has_rows || last.axis.is_none() || last.tap.is_none();
        if is_whole { last.cells(shape) } else { rounded(last.cells(shape), self.width()) }
    }

    /// Where a cell of a row lies: behind each 128 bytes, 16 are to spare. Threads that read vectors as far apart as a power of
    /// two would else meet in few banks.
    pub fn place(&self, column: Expr) -> Expr {
        let binary = |op, x, n| index::binary(op, x, Expr::Int(n));
        if !self.is_spread() {
            return column;
        }
        let width = self.width();
        let spare = binary(BinOp::Mul, binary(BinOp::Div, column.clone(), 8 * width), width);
        index::add(column, spare)
    }

    /// The extents of the tile.
    pub fn extents(&self, shape: &Shape) -> Vec<Expr> {
        let (_, outer) = self.dims.split_last().expect("a window has a dimension");
        let outer = outer.iter().map(|x| x.cells(shape));
        outer.chain([self.place(self.columns(shape))]).collect()
    }

    /// Elements that a thread has in a row: what its points and the taps of a step reach, in whole vectors.
    pub fn in_row(&self, shape: &Shape) -> Expr {
        let last = self.dims.last().expect("a window has a dimension");
        let (c, d) = last.strides();
        let points = last.axis.map(|(x, _)| size_of("SKEW", x));
        debug_assert!(last.axis.is_none_or(|(x, _)| x + 1 == shape.axes.len()));
        rounded(reach((c, points), (d, last.tap.map(|_| step()))), self.width())
    }

    /// Elements of a row that the step before has not, where the row slides: it moves by the taps of a step.
    pub fn new_in_row(&self) -> Option<Expr> {
        let last = self.dims.last().expect("a window has a dimension");
        let (c, d) = last.strides();
        let new = if d == 0 { Expr::Int(0) } else { index::mul(Expr::Int(d), step()) };
        (c > 0 && d < POINTS).then_some(new)
    }
}

/// Taps that a thread computes with at once.
pub fn step() -> Expr {
    index::var("STEP")
}

/// Cells that so many points and taps reach, each with its distance from one to the next: `c (points - 1) + d (taps - 1) + 1`.
fn reach((c, points): (i64, Option<Expr>), (d, taps): (i64, Option<Expr>)) -> Expr {
    let of = |n: i64, size: Option<Expr>| size.map_or(Expr::Int(0), |size| index::mul(Expr::Int(n), size));
    let (all, beyond) = (index::add(of(c, points), of(d, taps)), c + d - 1);
    if beyond > 0 { index::binary(BinOp::Sub, all, Expr::Int(beyond)) } else { all }
}

/// The next multiple of a number.
fn rounded(e: Expr, of: i64) -> Expr {
    let up = index::add(e, Expr::Int(of - 1));
    let mut out = index::binary(BinOp::Mul, index::binary(BinOp::Div, up, Expr::Int(of)), Expr::Int(of));
    simplify::index_expr(&mut out);
    out
}

impl Slide {
    /// Bytes of the windows where the kernel has these sizes.
    pub fn bytes(&self, shape: &Shape, tunables: &[Tunable]) -> Option<i64> {
        let known = |e: Expr| match simplify::with_sizes(&e, tunables) {
            Expr::Int(n) => Some(n),
            _ => None,
        };
        let of = |w: &Window| {
            let cells = w.extents(shape).into_iter().map(known).try_fold(1i64, |all, n| all.checked_mul(n?));
            Some(cells? * w.ty.size(64))
        };
        self.windows.iter().map(of).sum()
    }

    /// The loops in a mapping, with windows of so many taps.
    pub fn loops(&self, shape: &Shape, sizes: &[i64], name: &dyn Fn(LoopId) -> String) -> Vec<Pieces> {
        let of = |name, run, staged| Pieces { name, run, fetch: Fetch::None, mma: None, staged };
        let steps = self.steps.iter().map(|id| of(name(*id), Run::Steps, vec![]));
        let taps = self.taps.iter().zip(sizes).enumerate().map(|(t, (tap, size))| {
            let all = self.windows.iter().filter(|_| t + 1 == self.taps.len());
            of(name(tap.id), Run::Window(*size), all.map(|w| w.staged(shape)).collect())
        });
        steps.chain(taps).collect()
    }

    /// The window that points and taps move along memory, and the axis that the other tap moves along in it.
    pub fn rows_axis(&self) -> Option<usize> {
        let moves = |x: &&Dim| x.tap.is_some_and(|(t, _)| t == 0) && x.axis.is_some();
        let mut all = self.windows.iter().filter(|w| w.is_spread()).flat_map(|w| w.dims.iter().rev().skip(1));
        all.find(moves).and_then(|x| x.axis).map(|x| x.0)
    }
}

impl Slide {
    /// For the reader: what is in shared memory.
    pub fn notes(&self) -> impl Iterator<Item = String> {
        let counters: Vec<&str> = self.taps.iter().map(|x| x.counter.as_str()).collect();
        let loops = format!("loop{} {}", if counters.len() == 1 { "" } else { "s" }, counters.join(", "));
        let of = move |w: &Window| format!("in shared memory, for pieces of {loops}: {}", Expr::Load(w.access.clone()));
        self.windows.iter().map(of)
    }
}

/// Test that the loops write variables of the point alone, and none that an element of an array is loaded to only where they
/// have an iteration.
pub fn stays_with_point(pieces: &[Piece], promotions: &[ThreadPromotion]) -> bool {
    let mut stores = false;
    for x in pieces.iter().filter_map(Piece::inner) {
        walk::visit(&x.body, &mut |s| stores |= matches!(s.kind, StmtKind::Store { .. }));
    }
    !stores && promotions.iter().all(|x| !matches!(x.wanted, Wanted::InLoops(_)))
}

impl Window {
    fn staged(&self, shape: &Shape) -> Staged {
        let along = self.dims.iter().filter_map(|x| Some(shape.axes[x.axis?.0].name.clone())).collect();
        Staged { value: Expr::Load(self.access.clone()).to_string(), along }
    }
}

/// The loops that stand in each other alone, and what stands in them all.
pub fn nested(tree: &Tree) -> (Vec<LoopId>, &[Tree]) {
    let (mut ids, mut inside) = (vec![], std::slice::from_ref(tree));
    while let [Tree::Loop(id, body)] = inside {
        ids.push(*id);
        inside = body;
    }
    (ids, inside)
}

/// The one loop among statements.
pub fn only_loop(trees: &[Tree]) -> Option<usize> {
    let is_loop = |t: &&Tree| matches!(t, Tree::Loop(..));
    let is_plain = trees.iter().all(|t| matches!(t, Tree::Loop(..) | Tree::Stmt(_)));
    (is_plain && trees.iter().filter(is_loop).count() == 1).then(|| trees.iter().position(|t| is_loop(&t)))?
}

/// Reads of arrays that nothing in the nest writes.
fn never_written(a: &Analysis, nest: &Nest) -> BTreeSet<(StmtId, usize)> {
    let stmts = nest.stmts();
    let accesses = |s: &StmtId| a.part.stmt(*s).accesses.iter();
    let written: BTreeSet<VarId> = stmts.iter().flat_map(accesses).filter(|x| is_write(x)).map(|x| x.data).collect();
    let of = |s: &StmtId| {
        accesses(s).enumerate().filter(|(_, x)| !written.contains(&x.data)).map(|(k, _)| (*s, k)).collect()
    };
    stmts.iter().flat_map(|s| -> Vec<(StmtId, usize)> { of(s) }).collect()
}

impl Finder<'_, '_> {
    /// The loops of the point, with the statements before and behind them, where windows serve them.
    pub fn slide(&mut self, shape: &Shape) -> Result<Option<(Vec<Piece>, Slide)>, Reason> {
        let (a, nest) = (self.a, self.nest);
        let Some(at) = only_loop(&nest.body) else { return Ok(None) };
        let axes: Vec<LoopId> = nest.axes.iter().flatten().copied().collect();
        let (ids, inside) = nested(&nest.body[at]);
        let is_plain = find::direct(inside).all(|s| a.part.stmt(s).guards.is_empty() && !a.part.stmt(s).has_loop)
            && inside.iter().all(|t| matches!(t, Tree::Stmt(_)));
        let is_box = extent::is_box(a, &axes)
            && ids.iter().all(|id| {
                let x = a.part.get_loop(*id);
                x.step == 1 && [&axes, &ids].into_iter().flatten().all(|y| extent::is_free(x, a.part.get_loop(*y).var))
            });
        if !is_plain || !is_box {
            return Ok(None);
        }
        self.unchanged = never_written(a, nest);
        let before = self.l.trees(&nest.body[..at])?;
        for id in &ids {
            let var = a.part.get_loop(*id).var;
            let name = self.l.name(var);
            self.l.counters.insert(var, index::var(name));
        }
        let body = self.l.trees(inside)?;
        let reads = self.reads(inside)?;
        let after = self.l.trees(&nest.body[at + 1..])?;
        let (steps, taps) = ids.split_at(ids.len().saturating_sub(MOST_TAPS));
        let Some((slide, body)) = self.windows_of(shape, (steps, taps), reads, body) else { return Ok(None) };
        let stmts = |trees: &[Tree]| trees.iter().flat_map(Tree::stmts).collect::<Vec<_>>();
        let inner = self.around_taps(ids[0], stmts(inside), body);
        let mut pieces = vec![Piece::Plain(stmts(&nest.body[..at]), before)];
        pieces.push(Piece::Loop(Box::new(inner)));
        pieces.push(Piece::Plain(stmts(&nest.body[at + 1..]), after));
        Ok(Some((pieces, slide)))
    }

    /// The loops as one piece of what a thread does.
    fn around_taps(&mut self, id: LoopId, stmts: Vec<StmtId>, body: Vec<k::Stmt>) -> Inner {
        let x = self.a.part.get_loop(id);
        Inner {
            id,
            stmts,
            counter: self.l.name(x.var),
            at: String::new(),
            var: x.var,
            first: x.first.clone(),
            limits: x.limits.clone(),
            bounds: vec![],
            body,
            promoted: None,
            groups: vec![],
            fetch: Fetch::None,
            mma: None,
            line: (self.l.line)(x.span),
        }
    }

    /// The windows of all that a body reads, where one slides along memory, and the body on them.
    fn windows_of(
        &mut self,
        shape: &Shape,
        (steps, ids): (&[LoopId], &[LoopId]),
        reads: Vec<Read>,
        mut body: Vec<k::Stmt>,
    ) -> Option<(Slide, Vec<k::Stmt>)> {
        let last = shape.axes.len() - 1;
        let mut ids = ids.to_vec();
        let slides = |read: &Read, id: &LoopId| {
            let along = read.index.last().and_then(|p| p.with(&shape.same));
            along.is_some_and(|p| p.uses(shape.axes[last].var) && p.uses(self.a.part.get_loop(*id).var))
        };
        let along = ids.iter().position(|id| reads.iter().any(|read| slides(read, id)))?;
        let id = ids.remove(along);
        ids.push(id);
        let next = self.l.names.fresh("rt_tap");
        let taps: Vec<Tap> = ids.iter().map(|id| self.tap(*id)).collect();
        let mut windows: Vec<Window> = vec![];
        for read in reads {
            if windows.iter().all(|w| w.access != read.access) {
                windows.push(self.sliding(shape, &ids, read)?);
            }
        }
        let cells: Vec<Expr> = windows.iter().map(|w| cell(shape, w, &taps, &next)).collect();
        for s in &mut body {
            s.replace(&|e| {
                let Expr::Load(x) = e else { return None };
                windows.iter().position(|w| w.access == *x).map(|n| cells[n].clone())
            });
        }
        let serves = windows.iter().any(|w| {
            w.is_spread()
                && w.dims.last().is_some_and(|x| x.axis.is_some() && x.tap.is_some_and(|(t, _)| t + 1 == taps.len()))
        });
        let own: Vec<&String> = windows.iter().flat_map(|w| [&w.tile, &w.row]).collect();
        let is_harmless = is_harmless(&body, &|array| own.contains(&array));
        (serves && is_harmless).then(|| (Slide { steps: steps.to_vec(), taps, windows, next }, body))
    }

    fn tap(&mut self, id: LoopId) -> Tap {
        let x = self.a.part.get_loop(id);
        let counter = self.l.name(x.var);
        let mut fresh = |name: String| self.l.names.fresh(&name);
        let (piece, at) = (fresh(format!("rt_{counter}")), fresh(format!("rt_{counter}_at")));
        let count = fresh(format!("rt_{counter}_count"));
        Tap { id, counter, piece, at, count, first: x.first.clone(), limits: x.limits.clone() }
    }

    /// The window of an element; `None` where its cells cannot be told by axes and taps.
    fn sliding(&mut self, shape: &Shape, ids: &[LoopId], read: Read) -> Option<Window> {
        let (last, last_tap) = (shape.axes.len() - 1, ids.len() - 1);
        let taps: Vec<VarId> = ids.iter().map(|id| self.a.part.get_loop(*id).var).collect();
        let axes: Vec<VarId> = shape.axes.iter().map(|x| x.var).collect();
        let index: Vec<Poly> = read.index.iter().map(|p| p.with(&shape.same)).collect::<Option<_>>()?;
        let counted: Vec<Counted> = if index.iter().any(|p| bounds::uses_any(p, &axes)) {
            counted_by(&index, &axes, &taps)?
        } else {
            // The same for all points: kept by iteration, whatever the subscripts.
            let of = |t: usize| index.iter().any(|p| p.uses(taps[t])).then_some((None, Some((t, 1))));
            (0..=last_tap).filter_map(of).collect()
        };
        // Rows run along memory, and of all that counts cells along the thread's points and the taps of a step alone.
        let is_own = |x: &Counted| x.0.is_some_and(|(d, _)| d == last) || x.1.is_some_and(|(t, _)| t == last_tap);
        let is_other = |x: &Counted| x.0.is_some_and(|(d, _)| d != last) || x.1.is_some_and(|(t, _)| t != last_tap);
        let (along, outer) = counted.split_last()?;
        let has_rows = !is_other(along) && !outer.iter().any(is_own);
        let mut fresh = |what: &str| self.l.names.fresh(&format!("rt_{}_{what}", read.access.array));
        let (tile, row) = (fresh("window"), fresh("row"));
        let mut dim = |(n, (axis, tap))| Dim { axis, tap, cell: self.l.names.fresh(&format!("rt_cell_{n}")) };
        let dims = counted.into_iter().enumerate().map(&mut dim).collect();
        Some(Window { tile, row, access: read.access, ty: read.ty, dims, has_rows })
    }
}

/// The axis and the tap that a subscript counts along, each with its number.
type Counted = (Option<(usize, i64)>, Option<(usize, i64)>);

/// The subscripts that count along axes and taps, each of which stands in one; `None` where cells cannot be told so.
fn counted_by(index: &[Poly], axes: &[VarId], taps: &[VarId]) -> Option<Vec<Counted>> {
    let vars: Vec<VarId> = [axes, taps].concat();
    let (mut out, mut used): (Vec<Counted>, Vec<VarId>) = (vec![], vec![]);
    for p in index.iter().filter(|p| bounds::uses_any(p, &vars)) {
        let own: Vec<VarId> = vars.iter().copied().filter(|v| p.uses(*v)).collect();
        if !bounds::is_linear(p, &vars) || own.iter().any(|v| used.contains(v)) {
            return None;
        }
        let of = |all: &[VarId]| all.iter().position(|v| p.uses(*v)).map(|n| (n, p.coefficient(all[n])));
        let (axis, tap) = (of(axes), of(taps));
        out.push(match (axis, tap) {
            _ if own.len() > usize::from(axis.is_some()) + usize::from(tap.is_some()) => return None,
            (Some((_, 1)), Some(_)) => (axis, tap),
            (Some((_, 2..)), Some((_, 1))) => (axis, tap),
            (Some(_), Some(_)) => return None,
            (axis, tap) => (axis.map(|x| (x.0, 1)), tap.map(|x| (x.0, 1))),
        });
        used.extend(own);
    }
    Some(out)
}

/// Test that a point outside the band may run a body too: it does arithmetic that any operands have a result of, with what is
/// in windows.
fn is_harmless(body: &[k::Stmt], is_window: &dyn Fn(&String) -> bool) -> bool {
    let is_risky = |e: &Expr| match e {
        Expr::Load(x) => !is_window(&x.array),
        Expr::Call(..) | Expr::Cast(ScalarType::Int(_) | ScalarType::Index, _) => true,
        Expr::Binary(op, ..) => matches!(op, BinOp::Div | BinOp::Rem | BinOp::Shl | BinOp::Shr),
        _ => false,
    };
    let mut out = true;
    walk::visit(body, &mut |s| {
        use StmtKind::{Assign, If, Let, Store};
        let computes = matches!(s.kind, Let { .. } | Assign { .. } | If { .. } | Store { .. });
        out &= computes && !s.exprs().into_iter().any(|e| e.any(&mut |e| is_risky(e)));
    });
    out
}

/// The element of a window at a point and a tap.
fn cell(shape: &Shape, w: &Window, taps: &[Tap], next: &str) -> Expr {
    let last = taps.len() - 1;
    if w.has_rows {
        let (c, d) = w.dims.last().map_or((0, 0), Dim::strides);
        let axis = shape.axes.last().and_then(|x| x.skew.as_ref()).filter(|_| c > 0);
        let point = axis.map_or(Expr::Int(0), |at| index::mul(Expr::Int(c), index::var(at)));
        let is_back = w.dims.last().and_then(|x| x.tap).is_some_and(|(_, d)| d < 0);
        let tap = if is_back { from_end(step(), index::var(next)) } else { index::var(next) };
        let tap = if d > 0 { index::mul(Expr::Int(d), tap) } else { Expr::Int(0) };
        return Expr::Load(Access { array: w.row.clone(), index: vec![index::add(point, tap)] });
    }
    let of = |x: &Dim| {
        let at = |t: usize| match t == last {
            true => index::add(index::var(&taps[t].at), index::var(next)),
            false => index::var(&taps[t].at),
        };
        let axis = x.axis.map_or(Expr::Int(0), |(d, c)| index::mul(Expr::Int(c), shape.position(d)));
        index::add(axis, x.tap.map_or(Expr::Int(0), |(t, d)| reached(t, d, at(t))))
    };
    Expr::Load(Access { array: w.tile.clone(), index: w.dims.iter().map(of).collect() })
}

/// How far into a window an iteration of a piece of the tap leads, whose number in the subscript is `d`.
pub fn reached(t: usize, d: i64, at: Expr) -> Expr {
    let at = if d < 0 { from_end(size_of("WINDOW", t), at) } else { at };
    index::mul(Expr::Int(d.abs()), at)
}

/// `size - 1 - at`.
fn from_end(size: Expr, at: Expr) -> Expr {
    index::binary(BinOp::Sub, index::binary(BinOp::Sub, size, Expr::Int(1)), at)
}
