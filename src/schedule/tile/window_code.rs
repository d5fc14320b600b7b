//! Kernel IR that fills windows (see [`window`](super::window)).

use super::bounds::{Interval, Of};
use super::code::Code;
use super::fill::Digit;
use super::stmts::guarded;
use super::window::Window;
use crate::ast::BinOp;
use crate::kernel::{Access, Expr, Stmt, StmtKind};
use crate::schedule::index;

impl Code<'_, '_> {
    /// Loads of the windows, by all threads, between two barriers: without tests where some point reads each cell.
    pub(super) fn fill_windows(&mut self) -> Vec<Stmt> {
        let (windows, shape) = (self.windows, self.shape);
        if windows.is_empty() {
            return vec![];
        }
        let (mut whole, mut then, mut other) = (vec![], vec![], vec![]);
        for w in windows {
            // The reference in the middle asks least of the tile's edges.
            let middle = |(_, distance): &&(Access, Vec<i64>)| -> i64 {
                distance.iter().zip(&w.axes).map(|(by, (_, reach))| (2 * by - reach).abs()).sum()
            };
            let (_, distance) = w.refs.iter().min_by_key(middle).expect("a window has a reference");
            let cells: Vec<Interval> = w.axes.iter().map(|(d, reach)| self.reached(*d, *reach)).collect();
            whole.extend(self.l.hold(&w.moved(shape, distance), &cells, Of::All));
            let read: Vec<Option<Expr>> =
                w.refs.iter().map(|(_, by)| self.l.hold(&w.moved(shape, by), &[], Of::Point)).collect();
            let read: Option<Vec<Expr>> = read.into_iter().collect();
            let read = read.and_then(|all| all.into_iter().reduce(|x, y| index::binary(BinOp::Or, x, y)));
            then.extend(self.fill_window(w, None));
            other.extend(self.fill_window(w, read));
        }
        let fill = match index::all(whole) {
            Some(cond) => vec![Stmt::made(StmtKind::If { cond, then, other })],
            None => then,
        };
        let barrier = || Stmt::made(StmtKind::Barrier);
        std::iter::once(barrier()).chain(fill).chain([barrier()]).collect()
    }

    /// The counters along an axis of a window's cells.
    fn reached(&self, d: usize, reach: i64) -> Interval {
        let x = &self.shape.axes[d];
        let last = index::add(self.shape.side(d), Expr::Int(reach - 1));
        let high = index::binary(BinOp::Add, index::var(&x.origin), last);
        Interval { var: x.var, low: index::var(&x.origin), high }
    }

    fn fill_window(&mut self, w: &Window, cond: Option<Expr>) -> Vec<Stmt> {
        let shape = self.shape;
        let mut order: Vec<&(usize, i64)> = w.axes.iter().collect();
        order.sort_by_key(|(d, _)| (*d != w.along, usize::MAX - d));
        let digit = |(d, reach): &&(usize, i64)| {
            let x = &shape.axes[*d];
            let extent = index::add(shape.side(*d), Expr::Int(*reach));
            Digit { extent, at: &x.cell, counter: &x.name, begin: &x.origin }
        };
        let digits: Vec<Digit> = order.iter().map(digit).collect();
        let at = w.axes.iter().map(|(d, _)| index::var(&shape.axes[*d].cell)).collect();
        let target = Access { array: w.tile.clone(), index: at };
        let store = Stmt::made(StmtKind::Store { target, op: None, value: Expr::Load(w.first.clone()) });
        self.dealt(&digits, 1, &|_| guarded(cond.clone(), vec![store.clone()]))
    }
}
