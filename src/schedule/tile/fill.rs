//! Loads of the cells of tiles, dealt out to the threads of a block.

use super::bounds::Of;
use super::code::{Code, Ends, is_harmless};
use super::piece::Inner;
use super::reads::Group;
use super::stmts::{counted, depth, guarded, is_used, let_index, product, zero};
use crate::ast::BinOp;
use crate::facts::symbolic::Poly;
use crate::kernel::{Access, Expr, Stmt, StmtKind, Tunable, simplify};
use crate::schedule::index;

/// A cell of a tile, in the loop over all of them.
pub(super) struct Cell {
    /// How many cells the thread has had before it.
    pub round: Expr,
    pub target: Access,
}

/// A coordinate of a cell: how many there are, the variable that holds it, and the counter that it stands for, which begins
/// there.
pub(super) struct Digit<'d> {
    pub extent: Expr,
    pub at: &'d str,
    pub counter: &'d str,
    pub begin: &'d str,
}

impl Code<'_, '_> {
    /// Loads of the tiles: without tests where every cell is read by some iteration.
    pub(super) fn fills(&mut self, x: &Inner, chunk: &str, ends: &Ends) -> Vec<Stmt> {
        let clears = is_harmless(x);
        let then: Vec<Stmt> = x.groups.iter().flat_map(|g| self.fill(x, chunk, g, None, false)).collect();
        let Some(cond) = self.is_whole(x, chunk, ends) else { return then };
        let mut other = vec![];
        for g in &x.groups {
            let cond = self.l.hold(&g.bounds, &[], Of::Point);
            other.extend(self.fill(x, chunk, g, cond, clears));
        }
        vec![Stmt::made(StmtKind::If { cond, then, other })]
    }

    /// Condition that every cell of a piece is read by some iteration; `None`: always.
    pub(super) fn is_whole(&mut self, x: &Inner, chunk: &str, ends: &Ends) -> Option<Expr> {
        let mut all: Vec<Poly> = vec![];
        for p in x.groups.iter().flat_map(|g| &g.bounds) {
            if !all.contains(p) {
                all.push(p.clone());
            }
        }
        let whole = self.whole(x, chunk, ends);
        self.l.hold(&all, &whole, Of::All)
    }

    /// Loads of the cells of one tile, by all threads.
    fn fill(&mut self, x: &Inner, chunk: &str, g: &Group, cond: Option<Expr>, clears: bool) -> Vec<Stmt> {
        self.cells(x, chunk, g, 1, &|cell| {
            let store = |value| Stmt::made(StmtKind::Store { target: cell.target.clone(), op: None, value });
            match cond.clone() {
                Some(cond) if clears => {
                    vec![store(Expr::Cond(Box::new(cond), Box::new(g.value.clone()), Box::new(zero(g.ty))))]
                }
                cond => guarded(cond, vec![store(g.value.clone())]),
            }
        })
    }

    /// Work of each thread with its cells of one tile, dealt out in the order of memory, `width` cells at a time.
    pub(super) fn cells(
        &mut self,
        x: &Inner,
        chunk: &str,
        g: &Group,
        width: i64,
        each: &dyn Fn(&Cell) -> Vec<Stmt>,
    ) -> Vec<Stmt> {
        let shape = self.shape;
        // Where a cell lies, the quickest to change first: the loop's own is `None`.
        let mut order: Vec<Option<usize>> =
            g.axes.iter().rev().filter(|d| Some(**d) != g.along).map(|d| Some(*d)).collect();
        match g.along {
            Some(d) => {
                order.insert(0, Some(d));
                order.push(None);
            }
            None => order.insert(0, None),
        }
        let digits: Vec<Digit> = order
            .iter()
            .map(|d| match d {
                Some(d) => {
                    let x = &shape.axes[*d];
                    Digit { extent: shape.side(*d), at: &x.cell, counter: &x.name, begin: &x.origin }
                }
                None => Digit { extent: depth(), at: &x.at, counter: &x.counter, begin: chunk },
            })
            .collect();
        let at = g.axes.iter().map(|d| index::var(&shape.axes[*d].cell));
        let target = Access { array: g.tile.clone(), index: g.in_order(index::var(&x.at), at) };
        let each = |round| each(&Cell { round, target: target.clone() });
        if self.has_rows(&digits, width) {
            self.by_rows(&digits, width, &each)
        } else {
            self.dealt(&digits, width, &each)
        }
    }

    /// Test that the threads of a block are so many whole rows of cells, whatever sizes the call picks.
    fn has_rows(&self, digits: &[Digit], width: i64) -> bool {
        let rest = index::binary(BinOp::Rem, self.n_threads(), in_row(digits, width));
        digits.len() > 1 && self.is_always(&index::binary(BinOp::Eq, rest, Expr::Int(0)))
    }

    /// Test that a condition over the kernel's sizes holds of all that a call may pick.
    pub(super) fn is_always(&self, cond: &Expr) -> bool {
        let holds = |sizes: &Vec<Tunable>| {
            let mut cond = cond.clone();
            cond.replace(&mut |e| match e {
                Expr::Var(name) => sizes.iter().find(|t| t.name == *name).map(|t| Expr::Int(t.value)),
                _ => None,
            });
            simplify::index_expr(&mut cond);
            cond == Expr::Int(1)
        };
        !self.sizes.is_empty() && self.sizes.iter().all(holds)
    }

    /// Work of each thread with its cells, as [`dealt`](Self::dealt), where the block takes whole rows at a time: a thread
    /// stays in one column, and what its place in a row comes to is computed once.
    fn by_rows(&mut self, digits: &[Digit], width: i64, each: &dyn Fn(Expr) -> Vec<Stmt>) -> Vec<Stmt> {
        let (round, row) = (self.l.names.fresh("rt_round"), self.l.names.fresh("rt_row"));
        let at_once = index::binary(BinOp::Div, self.n_threads(), in_row(digits, width));
        let rows = product(digits[1..].iter().map(|d| d.extent.clone()));
        let then = each(index::var(&round));
        let column = index::binary(BinOp::Rem, self.number(), in_row(digits, width));
        let first = index::binary(BinOp::Div, self.number(), in_row(digits, width));
        let begin = index::add(index::mul(index::var(&round), at_once.clone()), first);
        let is_alone = digits.len() == 2;
        let row = if is_alone { digits[1].at.to_string() } else { row };
        let extents: Vec<Expr> = digits[1..].iter().map(|d| d.extent.clone()).collect();
        let places = std::iter::once(index::mul(column, Expr::Int(width))).chain(places(&index::var(&row), &extents));
        let mut body = vec![];
        for (n, (digit, at)) in digits.iter().zip(places).enumerate() {
            if n == 0 || !is_alone {
                body.push(let_index(digit.at, at));
            }
            if is_used(&then, digit.counter) {
                body.push(let_counter(digit));
            }
        }
        body.extend(then);
        let rest = index::binary(BinOp::Rem, rows.clone(), at_once.clone());
        let evenly = index::binary(BinOp::Eq, rest, Expr::Int(0));
        let inside = index::binary(BinOp::Lt, index::var(&row), rows.clone());
        let inside = (!self.is_always(&evenly)).then(|| index::binary(BinOp::Or, evenly, inside));
        let body = std::iter::once(let_index(&row, begin)).chain(guarded(inside, body)).collect();
        let hi = index::ceil_div(rows, at_once);
        vec![counted(&round, hi, body)]
    }

    /// The number of the thread in its block.
    pub(super) fn number(&self) -> Expr {
        if self.thread.is_empty() { Expr::ThreadIdx(0) } else { index::var(&self.thread) }
    }

    /// Work of each thread with its cells, of which there are as many as the product of the digits' extents, the quickest
    /// to change first, `width` neighbours at a time. `each` is given how many the thread has had before.
    pub(super) fn dealt(&mut self, digits: &[Digit], width: i64, each: &dyn Fn(Expr) -> Vec<Stmt>) -> Vec<Stmt> {
        let in_rows = digits[1..].iter().map(|d| d.extent.clone());
        let extents: Vec<Expr> = std::iter::once(in_row(digits, width)).chain(in_rows).collect();
        let cells = product(extents.clone());
        let (threads, thread) = (self.n_threads(), self.number());
        let (round, cell) = (self.l.names.fresh("rt_round"), self.l.names.fresh("rt_cell"));
        let then = each(index::var(&round));
        let mut body = vec![];
        for (n, (digit, at)) in digits.iter().zip(places(&index::var(&cell), &extents)).enumerate() {
            body.push(let_index(digit.at, if n == 0 { index::mul(at, Expr::Int(width)) } else { at }));
            if is_used(&then, digit.counter) {
                body.push(let_counter(digit));
            }
        }
        body.extend(then);
        // Known when the kernel is compiled, where the block's threads share the cells evenly.
        let evenly = index::binary(BinOp::Rem, cells.clone(), threads.clone());
        let evenly = index::binary(BinOp::Eq, evenly, Expr::Int(0));
        let inside = index::binary(BinOp::Lt, index::var(&cell), cells.clone());
        let inside = index::binary(BinOp::Or, evenly, inside);
        let at = index::add(index::mul(index::var(&round), threads.clone()), thread);
        let body = vec![let_index(&cell, at), Stmt::made(StmtKind::If { cond: inside, then: body, other: vec![] })];
        let hi = index::ceil_div(cells, threads);
        vec![counted(&round, hi, body)]
    }
}

/// The digits of a number, the quickest to change first.
pub(super) fn places(number: &Expr, extents: &[Expr]) -> Vec<Expr> {
    let place = |n: usize| {
        let before = product(extents[..n].iter().cloned());
        let at = if n > 0 { index::binary(BinOp::Div, number.clone(), before) } else { number.clone() };
        if n + 1 < extents.len() { index::binary(BinOp::Rem, at, extents[n].clone()) } else { at }
    };
    (0..extents.len()).map(place).collect()
}

/// Steps along the digit that is the quickest to change.
fn in_row(digits: &[Digit], width: i64) -> Expr {
    match width {
        2.. => index::binary(BinOp::Div, digits[0].extent.clone(), Expr::Int(width)),
        _ => digits[0].extent.clone(),
    }
}

/// Declaration of the counter of a cell.
fn let_counter(d: &Digit) -> Stmt {
    let_index(d.counter, index::binary(BinOp::Add, index::var(d.begin), index::var(d.at)))
}
