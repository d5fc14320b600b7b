//! Pipeline of a loop in pieces: some are fetched while others are computed with.
//!
//! ```text
//! async S: S stages of each tile                         registers: one tile, the next piece in variables
//!   barrier; zero cells that no copy goes to; barrier      load the first piece
//!   begin to copy the first S - 1 pieces, a group each     for chunk in first .. limit step DEPTH {
//!   for step in 0 .. pieces {                                barrier; tile = what was loaded; barrier
//!     wait until the group of this step has arrived          load the next piece
//!     barrier                                                compute with the tile
//!     begin to copy piece step + S - 1                     }
//!     compute with stage step mod S
//!   }
//!   wait for all
//! ```
//! The steps of which both pieces are whole, the one that is fetched and the one that is computed with, have a loop of
//! their own without tests, where the loop's ends are the same for all points: tests cost registers and a tenth of the
//! time. The last steps, and those of tiles at the edge, follow in another.
//!
//! The barrier of a step is for two: it makes the copies of all threads seen, and it stands between what was computed with
//! a stage and the copies that go to it next. A cell that no iteration reads holds zero, where points outside the band
//! compute with it, and is stored as such: copies are made of cells that are read, and never to one that is stored to.
//!
//! Where neighbouring cells are neighbouring elements, 16 bytes are copied at once, if all rows of the block begin at a
//! multiple of that: which the first row and the one after it along each axis tell, as the place of an element is linear.
//!
//! Method: prefetching of Yang et al., "A GPGPU compiler for memory optimization and parallelism management", PLDI 2010,
//! section 3.6; the stages are those of NVIDIA's CUTLASS, "Efficient GEMM in CUDA", software pipelining.

use super::bounds::{self, Of};
use super::code::{Code, Ends, is_harmless};
use super::fill::Cell;
use super::piece::Inner;
use super::reads::Group;
use super::shape::{Shape, padding};
use super::stmts::{depth, either, guarded, is_used, let_index, product, stages, zero};
use crate::ast::BinOp;
use crate::facts::symbolic::Poly;
use crate::kernel::verify::MAX_LAUNCH_SHARED;
use crate::kernel::{Access, Expr, Stmt, StmtKind, UnaryOp, Usage, simplify};
use crate::schedule::index::{self, size_of};
use crate::schedule::lower::Lowering;
use crate::schedule::mapping::Fetch;
use std::collections::BTreeSet;

/// Bytes of the widest copy.
const WIDEST: i64 = 16;

/// Arrays that a kernel writes.
pub fn written(l: &mut Lowering) -> BTreeSet<String> {
    let all: Vec<_> = l.used.arrays.iter().filter(|(_, usage)| **usage != Usage::Read).map(|(v, _)| *v).collect();
    all.into_iter().map(|v| l.names.of(l.unit, v)).collect()
}

/// Ways in which the pieces of all loops are fetched where asynchronous copies are wished for, and what is to be said of it. `bytes`
/// is what one stage takes.
pub fn choose(wish: Fetch, inner: &[&Inner], written: &BTreeSet<String>, bytes: i64) -> (Fetch, Option<String>) {
    let Fetch::Async(stages) = wish else { return (wish, None) };
    let n_tiles = inner.iter().map(|x| x.groups.len() as i64).sum::<i64>();
    let too_large = stages * bytes + n_tiles * WIDEST > MAX_LAUNCH_SHARED;
    match obstacle(inner, written)
        .or(too_large.then(|| format!("{stages} stages take more shared memory than a block has")))
    {
        None => (wish, None),
        Some(why) => (Fetch::Registers, Some(format!("pieces are fetched through registers: {why}"))),
    }
}

/// Stages where the user asks for none: more gain no more (see [`size`](super::size)).
pub const USUAL: i64 = 2;

/// Way in which pieces are fetched where the user says nothing, if they can be copied.
pub fn usual(inner: &[&Inner], written: &BTreeSet<String>) -> Option<Fetch> {
    let has_groups = inner.iter().any(|x| !x.groups.is_empty());
    (has_groups && obstacle(inner, written).is_none()).then_some(Fetch::Async(USUAL))
}

/// Reason why some piece cannot be copied as it is.
fn obstacle(inner: &[&Inner], written: &BTreeSet<String>) -> Option<String> {
    inner.iter().flat_map(|x| &x.groups).find_map(|g| not_copied(g, written))
}

/// Reason why a group cannot be copied as it is.
fn not_copied(g: &Group, written: &BTreeSet<String>) -> Option<String> {
    match &g.value {
        Expr::Load(x) if written.contains(&x.array) => Some(format!("`{}` is also written", x.array)),
        Expr::Load(x) if ![4, 8, 16].contains(&g.ty.size(64)) => {
            Some(format!("elements of `{}` are too small to be copied one by one", x.array))
        }
        Expr::Load(_) => None,
        value => Some(format!("`{value}` is computed")),
    }
}

/// Names of the steps of a pipeline: the piece that is computed with and its stage, the one that is fetched and its own.
struct Steps {
    chunk: String,
    next: String,
    step: String,
    ahead: String,
    stage: String,
    filled: String,
}

/// Names of a pipeline of asynchronous copies.
struct Copies {
    /// The piece that copies begin of, and the stage that they go to.
    next: String,
    stage: Expr,
    /// By group: the variable that says whether 16 bytes are copied at once.
    wide: Vec<Option<String>>,
}

impl Code<'_, '_> {
    /// A loop of the thread, in pieces that are fetched ahead.
    pub fn pipelined(&mut self, x: Inner, ends: &Ends) -> Vec<Stmt> {
        match x.fetch {
            Fetch::Async(_) => self.by_copies(x, ends),
            _ => self.by_registers(&x, ends),
        }
    }

    fn by_registers(&mut self, x: &Inner, ends: &Ends) -> Vec<Stmt> {
        let held: Vec<String> = x.groups.iter().map(|g| self.l.names.fresh(&format!("{}_next", g.tile))).collect();
        let (chunk, next) = self.names_of(x);
        let first = self.l.names.fresh(&format!("rt_{}_first", x.counter));
        let local = |(g, name): (&Group, &String)| {
            let full =
                index::binary(BinOp::Div, index::binary(BinOp::Sub, self.n_cells(g), Expr::Int(1)), self.n_threads());
            let extents = vec![index::binary(BinOp::Add, full, Expr::Int(1))];
            Stmt::made(StmtKind::LocalArray { name: name.clone(), ty: g.ty, extents })
        };
        let mut out: Vec<Stmt> = x.groups.iter().zip(&held).map(local).collect();
        out.extend(self.load_ahead(x, (&first, ends.lo.clone()), ends, &held));
        let mut body = vec![Stmt::made(StmtKind::Barrier)];
        for (g, name) in x.groups.iter().zip(&held) {
            body.extend(self.cells(x, &chunk, g, 1, &|cell| {
                let value = Expr::Load(Access { array: name.clone(), index: vec![cell.round.clone()] });
                vec![Stmt::made(StmtKind::Store { target: cell.target.clone(), op: None, value })]
            }));
        }
        body.push(Stmt::made(StmtKind::Barrier));
        let after = index::binary(BinOp::Add, index::var(&chunk), depth());
        body.extend(self.load_ahead(x, (&next, after), ends, &held));
        body.extend(self.piece(x, &chunk, ends));
        let (lo, hi) = (ends.lo.clone(), ends.hi.clone());
        let kind = StmtKind::counted(chunk, [lo, hi, depth()], body);
        out.push(Stmt { kind, line: x.line });
        out
    }

    /// Loads the piece that begins there, if there is one.
    fn load_ahead(&mut self, x: &Inner, (piece, at): (&str, Expr), ends: &Ends, held: &[String]) -> Vec<Stmt> {
        let (mut then, mut other) = (vec![], vec![]);
        for (g, name) in x.groups.iter().zip(held) {
            let load = |cell: &Cell, value| {
                let target = Access { array: name.clone(), index: vec![cell.round.clone()] };
                vec![Stmt::made(StmtKind::Store { target, op: None, value })]
            };
            then.extend(self.cells(x, piece, g, 1, &|cell| load(cell, g.value.clone())));
            let value = match self.is_read(g) {
                Some(cond) => Expr::Cond(Box::new(cond), Box::new(g.value.clone()), Box::new(zero(g.ty))),
                None => g.value.clone(),
            };
            other.extend(self.cells(x, piece, g, 1, &|cell| load(cell, value.clone())));
        }
        let body = either(self.is_whole(x, piece, ends), then, other);
        let mut out = vec![let_index(piece, at)];
        out.extend(guarded(Some(is_before_end(piece, ends)), body));
        out
    }

    fn by_copies(&mut self, x: Inner, ends: &Ends) -> Vec<Stmt> {
        let mut out = vec![Stmt::made(StmtKind::Barrier)];
        let early = self.l.names.fresh(&format!("rt_{}_early", x.counter));
        let steps = self.steps(&x, "");
        let wide: Vec<Option<String>> = x.groups.iter().map(|g| self.is_wide(&x, g, ends, &mut out)).collect();
        let mut copies = Copies { next: steps.next.clone(), stage: index::var(&early), wide };
        out.extend(self.prologue(&x, ends, &early, &copies));
        copies.stage = index::var(&steps.filled);
        let mut lo = Expr::Int(0);
        let hi = index::ceil_div(index::binary(BinOp::Sub, ends.hi.clone(), ends.lo.clone()), depth());
        let rest = match self.n_whole(&x, ends) {
            None => (steps, self.fetch(&x, ends, &copies)),
            Some(n) => {
                let whole = self.l.names.fresh(&format!("rt_{}_whole", x.counter));
                out.push(let_index(&whole, n));
                let fetch = self.copy_whole(&x, &copies);
                out.push(self.each_step(&x, ends, (&steps, fetch), (lo, index::var(&whole)), true));
                lo = index::var(&whole);
                let steps = self.steps(&x, "_last");
                copies = Copies { next: steps.next.clone(), stage: index::var(&steps.filled), wide: copies.wide };
                let fetch = [self.clear(&x, &copies), self.copy_read(&x, &copies)].concat();
                (steps, fetch)
            }
        };
        out.push(self.each_step(&x, ends, (&rest.0, rest.1), (lo, hi), false));
        out.push(Stmt::made(StmtKind::WaitCopies { pending: Expr::Int(0) }));
        out
    }

    fn steps(&mut self, x: &Inner, which: &str) -> Steps {
        let mut name = |what: &str| self.l.names.fresh(&format!("rt_{}{which}{what}", x.counter));
        let [chunk, next, step, ahead, stage, filled] =
            ["", "_next", "_step", "_ahead", "_stage", "_filled"].map(&mut name);
        Steps { chunk, next, step, ahead, stage, filled }
    }

    /// How many pieces from the first on are computed with while another is fetched, and need no test then, neither one nor
    /// the other; `None` where that takes more than a look at the ends of the tile and of the loop.
    fn n_whole(&mut self, x: &Inner, ends: &Ends) -> Option<Expr> {
        let axes: Vec<_> = self.shape.axes.iter().map(|a| a.var).collect();
        let mut all: Vec<&Poly> = vec![];
        for p in x.groups.iter().flat_map(|g| &g.bounds).chain(&ends.tested) {
            if !all.contains(&p) {
                all.push(p);
            }
        }
        let (of_loop, of_tile): (Vec<&Poly>, Vec<&Poly>) = all.into_iter().partition(|p| p.uses(x.var));
        let is_same = |p: &Poly| ends.same.contains(p);
        let is_box = x.bounds.iter().all(|p| !bounds::uses_any(p, &axes)) && of_loop.into_iter().all(is_same);
        if !is_box || !self.tells_apart(&x.body) {
            return None;
        }
        let of_tile: Vec<Poly> = of_tile.into_iter().cloned().collect();
        let iterations = index::binary(BinOp::Sub, ends.hi.clone(), ends.lo.clone());
        let mut pieces = index::binary(BinOp::Div, iterations, depth());
        pieces = index::binary(BinOp::Sub, pieces, index::binary(BinOp::Sub, stages(), Expr::Int(1)));
        simplify::index_expr(&mut pieces);
        let n = Expr::Max(Box::new(pieces), Box::new(Expr::Int(0)));
        Some(match self.l.hold(&of_tile, &ends.tile, Of::All) {
            Some(is_whole) => Expr::Cond(Box::new(is_whole), Box::new(n), Box::new(Expr::Int(0))),
            None => n,
        })
    }

    /// Begins to fetch the next piece: without tests where it is whole.
    fn fetch(&mut self, x: &Inner, ends: &Ends, copies: &Copies) -> Vec<Stmt> {
        let (then, mut other) = (self.copy_whole(x, copies), self.clear(x, copies));
        other.extend(self.copy_read(x, copies));
        either(self.is_whole(x, &copies.next, ends), then, other)
    }

    /// Steps of the pipeline, each of which fetches a piece and computes with another: whole ones, or as it comes.
    fn each_step(
        &mut self,
        x: &Inner,
        ends: &Ends,
        (steps, fetch): (&Steps, Vec<Stmt>),
        (lo, hi): (Expr, Expr),
        are_whole: bool,
    ) -> Stmt {
        let Steps { chunk, next, step, ahead, stage, filled } = steps;
        let before = index::binary(BinOp::Sub, stages(), Expr::Int(1));
        let mut body = vec![
            Stmt::made(StmtKind::WaitCopies { pending: index::binary(BinOp::Sub, stages(), Expr::Int(2)) }),
            Stmt::made(StmtKind::Barrier),
            let_index(ahead, index::binary(BinOp::Add, index::var(step), before)),
            let_index(next, begin(ends, ahead)),
        ];
        let mut begun = vec![let_index(filled, turn(index::var(ahead)))];
        begun.extend(fetch);
        body.extend(guarded((!are_whole).then(|| is_before_end(next, ends)), begun));
        body.push(Stmt::made(StmtKind::CommitCopies));
        let mut x = x.clone();
        to_stage(&mut x, &index::var(stage));
        let piece = if are_whole { self.run(&x, chunk, depth(), None) } else { self.piece(&x, chunk, ends) };
        body.extend(is_used(&piece, chunk).then(|| let_index(chunk, begin(ends, step))));
        body.push(let_index(stage, turn(index::var(step))));
        body.extend(piece);
        let kind = StmtKind::counted(step.clone(), [lo, hi, Expr::Int(1)], body);
        Stmt { kind, line: x.line }
    }

    /// Begins to fetch all pieces but one that there are stages for.
    fn prologue(&mut self, x: &Inner, ends: &Ends, number: &str, copies: &Copies) -> Vec<Stmt> {
        let each = |body: Vec<Stmt>| {
            let (lo, step) = (Expr::Int(0), Expr::Int(1));
            let hi = index::binary(BinOp::Sub, stages(), Expr::Int(1));
            let mut all = vec![let_index(&copies.next, begin(ends, number))];
            all.extend(body);
            Stmt::made(StmtKind::counted(number.to_owned(), [lo, hi, step], all))
        };
        let mut out = vec![];
        let whole = self.is_whole(x, &copies.next, ends);
        let clear = self.clear(x, copies);
        if let Some(whole) = whole.clone().filter(|_| !clear.is_empty()) {
            let cut = Expr::Unary(UnaryOp::Not, Box::new(whole));
            let cond = index::binary(BinOp::And, is_before_end(&copies.next, ends), cut);
            out.push(each(guarded(Some(cond), clear)));
            out.push(Stmt::made(StmtKind::Barrier));
        }
        let (then, other) = (self.copy_whole(x, copies), self.copy_read(x, copies));
        let mut body = guarded(Some(is_before_end(&copies.next, ends)), either(whole, then, other));
        body.push(Stmt::made(StmtKind::CommitCopies));
        out.push(each(body));
        out
    }

    /// Begins to copy all cells.
    fn copy_whole(&mut self, x: &Inner, copies: &Copies) -> Vec<Stmt> {
        let mut out = vec![];
        for (g, wide) in x.groups.iter().zip(&copies.wide) {
            let mut copy = |width| self.cells(x, &copies.next, g, width, &|cell| vec![copies.copy(g, cell, width)]);
            out.extend(match wide {
                Some(wide) => either(Some(index::var(wide)), copy(WIDEST / g.ty.size(64)), copy(1)),
                None => copy(1),
            });
        }
        out
    }

    /// Begins to copy the cells that are read.
    fn copy_read(&mut self, x: &Inner, copies: &Copies) -> Vec<Stmt> {
        let mut out = vec![];
        for g in &x.groups {
            let cond = self.is_read(g);
            let copy = |cell: &Cell| guarded(cond.clone(), vec![copies.copy(g, cell, 1)]);
            out.extend(self.cells(x, &copies.next, g, 1, &copy));
        }
        out
    }

    /// Makes zero of the cells that are not read, where something is computed with them.
    fn clear(&mut self, x: &Inner, copies: &Copies) -> Vec<Stmt> {
        let mut out = vec![];
        for g in x.groups.iter().filter(|_| is_harmless(x)) {
            let Some(cond) = self.is_read(g) else { continue };
            let cond = Expr::Unary(UnaryOp::Not, Box::new(cond));
            out.extend(self.cells(x, &copies.next, g, 1, &|cell| {
                let target = copies.target(cell);
                let clear = Stmt::made(StmtKind::Store { target, op: None, value: zero(g.ty) });
                guarded(Some(cond.clone()), vec![clear])
            }));
        }
        out
    }

    /// When some iteration reads the cell at the counters in scope.
    fn is_read(&mut self, g: &Group) -> Option<Expr> {
        self.l.hold(&g.bounds, &[], Of::Point)
    }

    /// Declares a variable that says whether all rows of a group's cells begin at a multiple of 16 bytes in both memories.
    fn is_wide(&mut self, x: &Inner, g: &Group, ends: &Ends, out: &mut Vec<Stmt>) -> Option<String> {
        let n = WIDEST / g.ty.size(64);
        let (row, side) = match g.along {
            Some(d) => (self.shape.axes[d].name.as_str(), self.shape.side(d)),
            None if g.has_rows_of_loop() => (x.counter.as_str(), depth()),
            None => return None,
        };
        if n < 2 || !is_row(g, x, self.shape, row) {
            return None;
        }
        let Expr::Load(first) = &g.value else { return None };
        let axes = g.axes.iter().map(|d| self.shape.axes[*d].name.as_str());
        let outer: Vec<&str> = axes.chain([x.counter.as_str()]).filter(|name| *name != row).collect();
        let aligned = |after: Option<&str>| {
            let mut access = first.clone();
            let begins = self.shape.axes.iter().map(|a| (a.name.as_str(), index::var(&a.origin)));
            for (name, begin) in begins.chain([(x.counter.as_str(), ends.lo.clone())]) {
                let at = index::add(begin, Expr::Int(i64::from(after == Some(name))));
                access.index.iter_mut().for_each(|e| e.replace(&mut |e| (*e == index::var(name)).then(|| at.clone())));
            }
            Expr::Aligned { access, count: Box::new(Expr::Int(n)) }
        };
        let fits = index::binary(BinOp::Eq, index::binary(BinOp::Rem, side, Expr::Int(n)), Expr::Int(0));
        let rows = [None].into_iter().chain(outer.into_iter().map(Some)).map(aligned);
        let cond = index::all([fits].into_iter().chain(rows)).expect("a condition");
        let name = self.l.names.fresh(&format!("rt_{}_wide", first.array));
        out.push(let_index(&name, cond));
        Some(name)
    }

    fn names_of(&mut self, x: &Inner) -> (String, String) {
        let chunk = self.l.names.fresh(&format!("rt_{}", x.counter));
        (chunk, self.l.names.fresh(&format!("rt_{}_next", x.counter)))
    }

    fn n_cells(&self, g: &Group) -> Expr {
        product(g.axes.iter().map(|d| self.shape.side(*d)).chain([depth()]))
    }

    pub(super) fn n_threads(&self) -> Expr {
        product((0..self.shape.axes.len()).map(|d| size_of("BLOCK", d)))
    }
}

impl Copies {
    /// The cell in its stage.
    fn target(&self, cell: &Cell) -> Access {
        let index = [self.stage.clone()].into_iter().chain(cell.target.index.iter().cloned()).collect();
        Access { array: cell.target.array.clone(), index }
    }

    fn copy(&self, g: &Group, cell: &Cell, count: i64) -> Stmt {
        let Expr::Load(source) = &g.value else { unreachable!("only elements are copied") };
        let (target, source) = (self.target(cell), source.clone());
        Stmt::made(StmtKind::CopyAsync { target, source, count: Expr::Int(count) })
    }
}

/// Where the piece of that number begins.
fn begin(ends: &Ends, number: &str) -> Expr {
    index::add(ends.lo.clone(), index::binary(BinOp::Mul, index::var(number), depth()))
}

fn is_before_end(piece: &str, ends: &Ends) -> Expr {
    index::binary(BinOp::Lt, index::var(piece), ends.hi.clone())
}

/// The stage whose turn it is.
fn turn(number: Expr) -> Expr {
    Expr::Mod(Box::new(number), Box::new(stages()))
}

/// Lets the body read the tiles of a stage.
fn to_stage(x: &mut Inner, stage: &Expr) {
    fn go(body: &mut [Stmt], groups: &[Group], stage: &Expr) {
        for s in body {
            for e in s.exprs_mut() {
                e.replace(&mut |e| match e {
                    Expr::Load(cell) if groups.iter().any(|g| g.tile == cell.array) => {
                        let index = [stage.clone()].into_iter().chain(cell.index.iter().cloned()).collect();
                        Some(Expr::Load(Access { array: cell.array.clone(), index }))
                    }
                    _ => None,
                });
            }
            s.bodies_mut().into_iter().for_each(|inner| go(inner, groups, stage));
        }
    }
    go(&mut x.body, &x.groups, stage);
}

/// Test that neighbouring cells of a row, which runs along a counter, are neighbouring elements, in rows whose places are
/// linear in all other counters.
fn is_row(g: &Group, x: &Inner, shape: &Shape, row: &str) -> bool {
    let Expr::Load(Access { index, .. }) = &g.value else { return false };
    let Some((last, outer)) = index.split_last() else { return false };
    let counters: Vec<&str> = shape.axes.iter().map(|a| a.name.as_str()).chain([x.counter.as_str()]).collect();
    (g.has_rows_of_loop() || g.axes.last().is_some_and(|d| shape.axes[*d].name == row))
        && padding(g) * g.ty.size(64) % WIDEST == 0
        && counts(last, row)
        && !outer.iter().any(|e| e.mentions(row))
        && index.iter().all(|e| is_affine(e, &counters))
}

/// Growth of an expression by one with a variable.
fn counts(e: &Expr, name: &str) -> bool {
    match e {
        Expr::Var(x) => x == name,
        Expr::Binary(BinOp::Add, a, b) => counts(a, name) && !b.mentions(name) || counts(b, name) && !a.mentions(name),
        Expr::Binary(BinOp::Sub, a, b) => counts(a, name) && !b.mentions(name),
        _ => false,
    }
}

/// Test for an expression that is linear in these variables.
fn is_affine(e: &Expr, counters: &[&str]) -> bool {
    let varies = |e: &Expr| counters.iter().any(|name| e.mentions(name));
    match e {
        Expr::Var(_) => true,
        Expr::Binary(BinOp::Add | BinOp::Sub, a, b) => is_affine(a, counters) && is_affine(b, counters),
        Expr::Binary(BinOp::Mul, a, b) => is_affine(a, counters) && is_affine(b, counters) && !(varies(a) && varies(b)),
        e => !varies(e),
    }
}
