//! Elements of one shared array that are never the same: those of stages that take turns.
//!
//! ```text
//! tile[mod(s, 2), k]   tile[mod(s + 1, 2), k]     apart, while `s` is the same; not if it has gone on by 1 between
//! tile[0, k]           tile[1, k]                 apart
//! tile[t0]             tile[t0 + 1]               not apart: of another thread
//! ```

use super::interval::GoneOn;
use super::walk::Walk;
use crate::ast::BinOp;
use crate::kernel::verify::shape;
use crate::kernel::{Access, Expr, linear};

impl<'a> Walk<'a> {
    /// Another iteration of a loop begins. Whether all that happened in the one before the last is of no account any more.
    pub(super) fn go_on(&mut self, (counter, step): (&'a str, Option<i64>)) -> bool {
        let mut is_seen = true;
        self.each_time(counter, |gone_on| match gone_on.get_mut(counter) {
            Some(by) => is_seen &= by.take().is_none(),
            None => drop(gone_on.insert(counter, step)),
        });
        is_seen
    }

    /// Another loop may have a counter of this name.
    pub(super) fn end_loop(&mut self, counter: &'a str) {
        self.each_time(counter, |gone_on| {
            gone_on.insert(counter, None);
        });
    }

    /// Does something to the time of each thing that happened at a place that goes on with a counter.
    fn each_time(&mut self, counter: &str, mut something: impl FnMut(&mut GoneOn<'a>)) {
        let mut state = std::mem::take(&mut self.state);
        state.times().filter(|(at, _)| self.goes_on(at, counter)).for_each(|(_, gone_on)| something(gone_on));
        self.state = state;
    }

    /// Test that a subscript of those that are compared mentions a counter. What is not known is never apart, whatever has
    /// gone on.
    fn goes_on(&self, access: &'a Access, counter: &str) -> bool {
        let compared = access.index.iter().filter(|e| !self.depends(e));
        compared.filter_map(|e| self.lets.resolved(e)).any(|e| e.mentions(counter))
    }

    /// Test that no two threads of a block meet at these elements: one that was touched before these counters went on, and
    /// one that is touched now.
    pub(super) fn are_apart(&self, (before, gone_on): (&'a Access, &GoneOn), now: &'a Access) -> bool {
        self.compares(before, now, |x, y| self.differ(x, gone_on, y) == Some(true))
    }

    /// Test that they may be of two stages: of some subscript, the same for all threads, nothing shows that it is equal.
    pub(super) fn may_take_turns(&self, (before, gone_on): (&'a Access, &GoneOn), now: &'a Access) -> bool {
        self.compares(before, now, |x, y| self.differ(x, gone_on, y) != Some(false))
    }

    fn compares(&self, before: &'a Access, now: &'a Access, such: impl Fn(&'a Expr, &'a Expr) -> bool) -> bool {
        let mut dims = before.index.iter().zip(&now.index);
        dims.any(|(x, y)| !self.depends(x) && !self.depends(y) && such(x, y))
    }

    /// Test that two subscripts differ, or are the same; none where that is not known.
    fn differ(&self, x: &'a Expr, gone_on: &GoneOn, y: &'a Expr) -> Option<bool> {
        let (x, y) = (self.lets.resolved(x)?, self.lets.resolved(y)?);
        let mut x = Expr::clone(&x);
        for (counter, by) in gone_on.iter().filter(|(counter, _)| x.mentions(counter)).collect::<Vec<_>>() {
            let then = Expr::Binary(BinOp::Sub, Expr::Var(counter.to_string()).into(), Expr::Int((*by)?).into());
            x.replace(&mut |e| matches!(e, Expr::Var(name) if name == counter).then(|| then.clone()));
        }
        let (Some((x, n)), Some((y, m))) = (turn(&x), turn(&y)) else {
            return Some(self.distance(&x, &y)? != 0);
        };
        let stages = shape::default_value(self.kernel, n).filter(|stages| *stages > 0)?;
        if n == m { Some(self.distance(x, y)? % stages != 0) } else { None }
    }

    /// `y - x`, if that is the same number always.
    fn distance(&self, x: &Expr, y: &Expr) -> Option<i64> {
        linear::distance(x, y, &|e| shape::default_value(self.kernel, e))
    }
}

/// `e` and `n` of `e` modulo `n`.
fn turn(e: &Expr) -> Option<(&Expr, &Expr)> {
    match e {
        Expr::Mod(e, n) | Expr::Binary(BinOp::Rem, e, n) => Some((e, n)),
        _ => None,
    }
}
