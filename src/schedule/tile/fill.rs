//! Loads of the cells of tiles, dealt out to the threads of a block.

use super::Inner;
use super::bounds::Of;
use super::code::{Code, Ends, depth, guarded, is_harmless, is_used, let_index, product, zero};
use super::reads::Group;
use crate::ast::BinOp;
use crate::kernel::{Access, Expr, Stmt, StmtKind};
use crate::region::symbolic::Poly;
use crate::schedule::index::{self, size_of};

/// A cell of a tile, in the loop over all of them.
pub(super) struct Cell {
    /// How many cells the thread has had before it.
    pub round: Expr,
    pub target: Access,
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
        let first = order[0];
        let extent = |d: &Option<usize>| {
            let cells = d.map_or(depth(), |d| shape.side(d));
            if width > 1 && *d == first { index::binary(BinOp::Div, cells, Expr::Int(width)) } else { cells }
        };
        let cells = product(order.iter().map(extent));
        let threads = product((0..shape.axes.len()).map(|d| size_of("BLOCK", d)));
        let thread = if self.thread.is_empty() { Expr::ThreadIdx(0) } else { index::var(&self.thread) };
        let (round, cell) = (self.l.names.fresh("rt_round"), self.l.names.fresh("rt_cell"));
        let (mut body, mut counters) = (vec![], vec![]);
        let mut passed: Vec<Expr> = vec![];
        for (n, d) in order.iter().enumerate() {
            let mut at = index::var(&cell);
            if !passed.is_empty() {
                at = index::binary(BinOp::Div, at, product(passed.clone()));
            }
            if n + 1 < order.len() {
                at = index::binary(BinOp::Rem, at, extent(d));
            }
            if n == 0 {
                at = index::mul(at, Expr::Int(width));
            }
            passed.push(extent(d));
            let (digit, counter, begin) = match d {
                Some(d) => (&shape.axes[*d].cell, &shape.axes[*d].name, shape.axes[*d].origin.as_str()),
                None => (&x.at, &x.counter, chunk),
            };
            body.push(let_index(digit, at));
            counters.push((body.len(), counter, index::binary(BinOp::Add, index::var(begin), index::var(digit))));
        }
        let digits = g.axes.iter().map(|d| index::var(&shape.axes[*d].cell));
        let target = Access { array: g.tile.clone(), index: [index::var(&x.at)].into_iter().chain(digits).collect() };
        let then = each(&Cell { round: index::var(&round), target });
        for (at, counter, value) in counters.into_iter().rev().filter(|(_, counter, _)| is_used(&then, counter)) {
            body.insert(at, let_index(counter, value));
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
        vec![Stmt::made(StmtKind::For { var: round, lo: Expr::Int(0), hi, step: Expr::Int(1), body })]
    }
}
