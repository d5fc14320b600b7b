//! The kernel IR of loops whose windows slide (see [`slide`](super::slide)).
//!
//! ```text
//! for rt_p in first .. limit step WINDOW_0 { for rt_q in first .. limit step WINDOW_1 {
//!   barrier; fill the windows, zero where nothing is read; barrier
//!   for rt_p_at in 0 .. taps of p {
//!     for rt_q_at in 0 .. whole steps of q step STEP { rows; for rt_tap in 0 .. STEP { for the thread's points { body } } }
//!     if (taps are left) { rows; for rt_tap in 0 .. STEP { if (it is one of these) for the thread's points { body } } }
//!   }
//! } }
//! ```

use super::code::Code;
use super::fill::places;
use super::piece::Inner;
use super::slide::{Dim, Slide, Tap, Window, reached, step};
use super::stmts::{counted, guarded, is_used, let_index, product, zero};
use crate::ast::BinOp;
use crate::kernel::{Access, Expr, Stmt, StmtKind, simplify};
use crate::schedule::index::{self, size_of};
use crate::target::WARP;

fn sub(x: Expr, y: Expr) -> Expr {
    if y == Expr::Int(0) { x } else { index::binary(BinOp::Sub, x, y) }
}

/// Facts on a cell along a dimension of its window.
struct Place {
    /// Counters with their values there.
    counters: Vec<(String, Expr)>,
    /// That some point and tap of the piece read it, as far as this dimension says.
    is_read: Expr,
}

/// Elements of a thread's row.
#[derive(Clone, Copy)]
enum Cells {
    /// Those of the first step that are not new in it, with the row's declaration.
    Kept,
    /// Those that a step has and the one before it has not.
    New,
    /// Those that the next step has too: they go to their places in it.
    Moved,
}

impl Code<'_, '_> {
    /// Declarations of the windows.
    pub(super) fn sliding_windows(&self, slide: &Slide) -> Vec<Stmt> {
        let declare = |w: &Window| {
            let (name, ty, extents) = (w.tile.clone(), w.ty, w.extents(self.shape));
            Stmt::made(StmtKind::Shared { name, ty, extents })
        };
        slide.windows.iter().map(declare).collect()
    }

    /// The loops that have windows, and those around them.
    pub(super) fn slid(&mut self, x: &Inner, slide: &Slide) -> Vec<Stmt> {
        let barrier = || Stmt::made(StmtKind::Barrier);
        let mut body = vec![barrier()];
        let mut ends = vec![];
        for (t, tap) in slide.taps.iter().enumerate() {
            let first = self.l.poly(&tap.first);
            let limits: Vec<Expr> = tap.limits.iter().map(|p| self.l.poly(p)).collect();
            let hi = index::min(limits).expect("a loop has a limit");
            let left = sub(hi.clone(), index::var(&tap.piece));
            body.push(let_index(&tap.count, index::min([size_of("WINDOW", t), left]).expect("two numbers")));
            ends.push((first, hi));
        }
        body.extend(slide.windows.iter().flat_map(|w| self.fill_sliding(w, slide)));
        body.push(barrier());
        body.extend(self.taps(x, slide));
        for (t, (tap, (lo, hi))) in slide.taps.iter().zip(ends).enumerate().rev() {
            let kind = StmtKind::counted(tap.piece.clone(), [lo, hi, size_of("WINDOW", t)], body);
            body = vec![Stmt { kind, line: x.line }];
        }
        let part = self.l.part.expect("a nest belongs to a part");
        slide.steps.iter().rev().fold(body, |body, id| vec![self.l.in_order(part.get_loop(*id), body)])
    }

    /// Loads of a window by all threads: a warp takes a row, neighbours along memory.
    fn fill_sliding(&mut self, w: &Window, slide: &Slide) -> Vec<Stmt> {
        let shape = self.shape;
        let (last, outer) = w.dims.split_last().expect("a window has a dimension");
        let (threads, number) = (self.n_threads(), self.number());
        let lanes = if outer.is_empty() { threads.clone() } else { Expr::Int(i64::from(WARP)) };
        let known: Vec<Place> = w.dims.iter().map(|x| self.place(x, &slide.taps)).collect();
        let mut access = w.access.clone();
        let moved =
            |name: &String| known.iter().flat_map(|x| &x.counters).find(|(x, _)| x == name).map(|x| x.1.clone());
        access.index.iter_mut().for_each(|e| {
            e.replace(&mut |e| if let Expr::Var(name) = e { moved(name) } else { None });
            simplify::index_expr(e);
        });
        let at = outer.iter().map(|x| index::var(&x.cell)).chain([w.place(index::var(&last.cell))]).collect();
        // Of rows there are those of the taps alone.
        let is_sure = |k: usize| outer.len() == 1 && k == 0 && w.dims[k].axis.is_none();
        let tests = known.into_iter().enumerate().filter(|(k, _)| !is_sure(*k)).map(|(_, x)| x.is_read);
        let is_read = index::all(tests).expect("a window has a last dimension");
        let value = Expr::Cond(Box::new(is_read), Box::new(Expr::Load(access)), Box::new(zero(w.ty)));
        let target = Access { array: w.tile.clone(), index: at };
        let store = vec![Stmt::made(StmtKind::Store { target, op: None, value })];
        let columns = w.columns(shape);
        let round = self.l.names.fresh("rt_round");
        let column =
            if outer.is_empty() { number.clone() } else { index::binary(BinOp::Rem, number.clone(), lanes.clone()) };
        let column = index::add(index::mul(index::var(&round), lanes.clone()), column);
        let inside = self.unless_even(&last.cell, &columns, &lanes);
        let body = std::iter::once(let_index(&last.cell, column)).chain(guarded(inside, store)).collect();
        let row = vec![counted(&round, index::ceil_div(columns, lanes.clone()), body)];
        if outer.is_empty() {
            return row;
        }
        // Rows, a warp each.
        let (round, at) = (self.l.names.fresh("rt_round"), self.l.names.fresh("rt_row"));
        let at = if let [one] = outer { one.cell.clone() } else { at };
        let warps = index::binary(BinOp::Div, threads, lanes.clone());
        let first = index::binary(BinOp::Div, number, lanes);
        let extents: Vec<Expr> = outer.iter().rev().map(|x| x.cells(shape)).collect();
        let rows = product(extents.clone());
        let needed = if let [one] = outer { self.cells_needed(one, &slide.taps) } else { rows.clone() };
        let mut body = vec![];
        if outer.len() > 1 {
            let cells = outer.iter().rev().zip(places(&index::var(&at), &extents));
            body.extend(cells.map(|(x, place)| let_index(&x.cell, place)));
        }
        body.extend(row);
        let inside = index::binary(BinOp::Lt, index::var(&at), needed);
        let mut all = vec![let_index(&at, index::add(index::mul(index::var(&round), warps.clone()), first))];
        all.extend(guarded(Some(inside), body));
        vec![counted(&round, index::ceil_div(rows, warps), all)]
    }

    /// The test that a cell is one of so many, where they are not always dealt out evenly.
    fn unless_even(&self, cell: &str, cells: &Expr, among: &Expr) -> Option<Expr> {
        let evenly = index::binary(BinOp::Rem, cells.clone(), among.clone());
        let is_even = self.is_always(&index::binary(BinOp::Eq, evenly, Expr::Int(0)));
        (!is_even).then(|| index::binary(BinOp::Lt, index::var(cell), cells.clone()))
    }

    /// Cells along a dimension that the taps of a piece reach.
    fn cells_needed(&self, x: &Dim, taps: &[Tap]) -> Expr {
        let Some((t, d)) = x.tap.filter(|(_, d)| *d > 0) else { return x.cells(self.shape) };
        let mut out = x.cells(self.shape);
        let window = format!("WINDOW_{t}");
        out.replace(&mut |e| matches!(e, Expr::Var(name) if *name == window).then(|| index::var(&taps[t].count)));
        debug_assert!(d > 0);
        out
    }

    /// Element that a cell stands for along a dimension.
    fn place(&self, x: &Dim, taps: &[Tap]) -> Place {
        let cell = || index::var(&x.cell);
        let one = Expr::Int(1);
        let below = |x: Expr, y: Expr| index::binary(BinOp::Lt, x, y);
        let of_axis = |d: usize| {
            let x = &self.shape.axes[d];
            (x.name.clone(), index::var(&x.origin), x.end.clone())
        };
        let of_tap = |t: usize| (taps[t].counter.clone(), index::var(&taps[t].piece), index::var(&taps[t].count));
        match (x.axis, x.tap) {
            (Some((axis, 1)), tap) => {
                let (name, origin, end) = of_axis(axis);
                let at = index::add(origin, cell());
                let Some((t, d)) = tap else {
                    return Place { counters: vec![(name, at.clone())], is_read: below(at, end) };
                };
                let (counter, piece, count) = of_tap(t);
                let size = size_of("WINDOW", t);
                let reach = |n: Expr| index::mul(Expr::Int(d.abs()), sub(n, one.clone()));
                let (base, is_read) = if d > 0 {
                    (piece, below(at.clone(), index::add(end, reach(count))))
                } else {
                    let unread = index::mul(Expr::Int(-d), sub(size.clone(), count));
                    let is_late = index::binary(BinOp::Le, unread, cell());
                    let is_early = below(at.clone(), index::add(end, reach(size.clone())));
                    (index::add(piece, sub(size, one.clone())), index::binary(BinOp::And, is_late, is_early))
                };
                Place { counters: vec![(name, at), (counter, base)], is_read }
            }
            (Some((axis, c)), Some((t, _))) => {
                let ((name, origin, end), (counter, piece, count)) = (of_axis(axis), of_tap(t));
                let points = index::mul(Expr::Int(c), sub(sub(end, one), origin.clone()));
                let is_read = below(cell(), index::add(points, count));
                Place { counters: vec![(name, origin), (counter, index::add(piece, cell()))], is_read }
            }
            (None, Some((t, _))) => {
                let (counter, piece, count) = of_tap(t);
                Place { counters: vec![(counter, index::add(piece, cell()))], is_read: below(cell(), count) }
            }
            (Some(_), None) | (None, None) => unreachable!("a dimension of one counter has its cells counted by it"),
        }
    }

    /// Statements for the taps of a piece.
    fn taps(&mut self, x: &Inner, slide: &Slide) -> Vec<Stmt> {
        let (tap, others) = slide.taps.split_last().expect("a window has taps");
        let mut each = self.points(x.body.clone());
        let at = || index::add(index::var(&tap.at), index::var(&slide.next));
        if is_used(&each, &tap.counter) {
            each.insert(0, let_index(&tap.counter, index::add(index::var(&tap.piece), at())));
        }
        let count = || index::var(&tap.count);
        let left = || index::binary(BinOp::Rem, count(), step());
        let whole = sub(count(), left());
        let loads = |code: &mut Self, of: Cells| {
            let all = slide.windows.iter().filter(|w| w.has_rows);
            all.flat_map(|w| code.row(w, slide, of)).collect::<Vec<Stmt>>()
        };
        let mut out = loads(self, Cells::Kept);
        let mut body = loads(self, Cells::New);
        body.push(counted(&slide.next, step(), each.clone()));
        body.extend(loads(self, Cells::Moved));
        let (var, lo, hi, by) = (tap.at.clone(), Expr::Int(0), whole.clone(), step());
        out.push(Stmt::made(StmtKind::counted(var, [lo, hi, by], body)));
        let is_one = index::binary(BinOp::Lt, at(), count());
        let mut rest = vec![let_index(&tap.at, whole)];
        rest.extend(loads(self, Cells::New));
        rest.push(counted(&slide.next, step(), guarded(Some(is_one), each)));
        let some = index::binary(BinOp::Gt, left(), Expr::Int(0));
        out.push(Stmt::made(StmtKind::If { cond: some, then: rest, other: vec![] }));
        for tap in others.iter().rev() {
            if is_used(&out, &tap.counter) {
                let value = index::add(index::var(&tap.piece), index::var(&tap.at));
                out.insert(0, let_index(&tap.counter, value));
            }
            out = vec![counted(&tap.at, index::var(&tap.count), out)];
        }
        out
    }

    /// Statements for those elements of a thread's row.
    fn row(&mut self, w: &Window, slide: &Slide, of: Cells) -> Vec<Stmt> {
        let shape = self.shape;
        let (all, new) = (w.in_row(shape), w.new_in_row());
        let kept = new.clone().map(|new| sub(all.clone(), new));
        let is_back = w.dims.last().and_then(|x| x.tap).is_some_and(|(_, d)| d < 0);
        let declaration = || {
            let (name, ty, extents) = (w.row.clone(), w.ty, vec![all.clone()]);
            Stmt::made(StmtKind::LocalArray { name, ty, extents })
        };
        let tap = &slide.taps[slide.taps.len() - 1];
        match (of, kept, new) {
            (Cells::New, None, _) => {
                vec![declaration(), self.loads(w, slide, (Expr::Int(0), all), index::var(&tap.at))]
            }
            (_, None, _) | (_, _, None) => vec![],
            (Cells::Kept, Some(kept), Some(new)) => {
                let first = if is_back { new } else { Expr::Int(0) };
                vec![declaration(), self.loads(w, slide, (first, kept), Expr::Int(0))]
            }
            (Cells::New | Cells::Moved, _, Some(Expr::Int(0))) => vec![],
            (Cells::New, Some(kept), Some(new)) => {
                let first = if is_back { Expr::Int(0) } else { kept };
                vec![self.loads(w, slide, (first, new), index::var(&tap.at))]
            }
            (Cells::Moved, Some(kept), Some(new)) => {
                let k = self.l.names.fresh("rt_kept");
                let to = if is_back { sub(sub(all, Expr::Int(1)), index::var(&k)) } else { index::var(&k) };
                let from = if is_back { sub(to.clone(), new) } else { index::add(to.clone(), new) };
                let cell = |at| Access { array: w.row.clone(), index: vec![at] };
                let value = Expr::Load(cell(from));
                let moved = Stmt::made(StmtKind::Store { target: cell(to), op: None, value });
                vec![counted(&k, kept, vec![moved])]
            }
        }
    }

    /// Loads of so many elements of a thread's row, from a first on, for the taps of the step at a place.
    fn loads(&mut self, w: &Window, slide: &Slide, (first, n): (Expr, Expr), at: Expr) -> Stmt {
        let shape = self.shape;
        let (part, k, e) =
            (self.l.names.fresh("rt_part"), self.l.names.fresh("rt_vector"), self.l.names.fresh("rt_element"));
        let (last, outer) = w.dims.split_last().expect("a window has a dimension");
        let of = |x: &Dim| {
            let axis = x.axis.map_or(Expr::Int(0), |(d, c)| index::mul(Expr::Int(c), shape.position(d)));
            index::add(axis, x.tap.map_or(Expr::Int(0), |(t, d)| reached(t, d, index::var(&slide.taps[t].at))))
        };
        let axis = last.axis.map_or(Expr::Int(0), |(d, c)| index::mul(Expr::Int(c), shape.start(d)));
        let tap = last.tap.map_or(Expr::Int(0), |(t, d)| {
            let at = if d < 0 { sub(sub(size_of("WINDOW", t), step()), at) } else { at };
            if at == Expr::Int(0) { at } else { index::mul(Expr::Int(d.abs()), at) }
        });
        let width = || Expr::Int(w.width());
        let vector = index::add(first, index::mul(index::var(&k), width()));
        let column = w.place(index::add(index::add(axis, tap), vector.clone()));
        let source = Access { array: w.tile.clone(), index: outer.iter().map(of).chain([column]).collect() };
        let target = Access { array: w.row.clone(), index: vec![index::add(vector, index::var(&e))] };
        let element = Expr::Load(Access { array: part.clone(), index: vec![index::var(&e)] });
        let copied = Stmt::made(StmtKind::Store { target, op: None, value: element });
        let load = vec![
            Stmt::made(StmtKind::LocalArray { name: part.clone(), ty: w.ty, extents: vec![width()] }),
            Stmt::made(StmtKind::LoadVector { array: part, source, is_part: false }),
            counted(&e, width(), vec![copied]),
        ];
        counted(&k, index::binary(BinOp::Div, n, width()), load)
    }
}
