//! Whether the loops of a region that run in order are as long as its parallel ones: one thread of a device is slower than
//! the host, so that such a region stays there, unless the user marks it.
//!
//! Lengths are compared by how many loops of unknown or great length stand in each other: `n` iterations in order beside
//! `n * n` in parallel are taken along, so that the data stay on the device; `n` beside `n` are not.

use super::explain;
use crate::facts::{Reason, remedy};
use crate::poly::Failure;
use crate::region::{LoopId, StaticPart, StmtId, Tree};
use crate::schedule::parallel::{Analysis, Verdict};
use crate::schedule::{Mapped, Mode, Nest, Step};
use crate::source::Span;

/// A loop of no more iterations than this counts as none: in order, and in parallel, where less makes a difference.
const SHORT: i64 = 64;
const SHORT_IN_PARALLEL: i64 = 8;

/// The deepest nest in order, with what is to be said of it, and the deepest parallel one.
#[derive(Default)]
pub struct Weight {
    serial: Option<(usize, Reason)>,
    parallel: usize,
    /// Few threads run a loop whose end only the data know.
    pub is_left_to_few: bool,
}

impl Weight {
    /// Takes in the steps of a part, which stands in `outer` loops of the host.
    pub fn add(
        &mut self,
        a: &Analysis,
        steps: &[Step<Mapped>],
        outer: usize,
        line: &dyn Fn(Span) -> u32,
    ) -> Result<(), Failure> {
        for step in steps {
            match step {
                Step::Loop { id, body } => self.add(a, body, outer + length(a.part, *id, SHORT), line)?,
                Step::If { body, .. } => self.add(a, body, outer, line)?,
                Step::Nest(mapped) => self.nest(a, &mapped.nest, outer, line)?,
            }
        }
        Ok(())
    }

    fn nest(&mut self, a: &Analysis, nest: &Nest, outer: usize, line: &dyn Fn(Span) -> u32) -> Result<(), Failure> {
        let short = if nest.mode == Mode::OneThread { SHORT } else { SHORT_IN_PARALLEL };
        let axes: usize = nest.axes.iter().map(|axis| length(a.part, axis[0], short)).sum();
        let has_loop = nest.stmts().iter().any(|s| is_long(a.part, *s));
        self.is_left_to_few |= has_loop && most_threads(a.part, nest).is_some_and(|n| n <= SHORT);
        let (inner, first) = depth(a.part, &nest.body, short);
        let total = outer + axes + inner;
        if nest.mode != Mode::OneThread || inner == 0 {
            self.parallel = self.parallel.max(total);
        } else if self.serial.as_ref().is_none_or(|(most, _)| *most < total) {
            let (why, place) = match first {
                Some(l) => (in_order(a, nest, l, line)?, a.part.get_loop(l).span),
                None => left_to_one(a.part, nest),
            };
            let message = format!("most of this would run in order, by one thread: {why}");
            let help = remedy!(
                "mark the loops that are parallel (`#pragma rt region` before each, `#pragma rt end` after it), and what else \
                 of this file is to convert"
            );
            self.serial = Some((total, Reason::new("in-order", message, place).help(help)));
        }
        Ok(())
    }

    /// Why a region stays on the host, if what is in order is as long as what is not.
    pub fn mostly_serial(&mut self) -> Option<Reason> {
        self.serial.take().filter(|(serial, _)| *serial >= self.parallel).map(|(_, reason)| reason)
    }
}

/// Reason why the loop of a nest runs in order.
fn in_order(a: &Analysis, nest: &Nest, l: LoopId, line: &dyn Fn(Span) -> u32) -> Result<String, Failure> {
    let mut stmts = nest.stmts();
    stmts.retain(|s| a.part.stmt(*s).loops.contains(&l));
    let why = match a.verdict(l, &stmts, &[])? {
        Verdict::Sequential(deps) => explain::in_order(a, l, &deps, line, ", which is")?.0,
        _ => "a value that each hands the next".to_string(),
    };
    Ok(format!("iterations depend on each other through {why}"))
}

/// The same of one within a statement, and where that is.
fn left_to_one(part: &StaticPart, nest: &Nest) -> (String, Span) {
    let stmt = nest.stmts().into_iter().map(|s| part.stmt(s)).find(|s| s.has_loop && !s.is_rare());
    let place = stmt.map(|s| s.body.span).unwrap_or_default();
    ("only the data know how long its loop is, or which elements it reaches".to_string(), place)
}

/// The threads of a nest, if that is known.
fn most_threads(part: &StaticPart, nest: &Nest) -> Option<i64> {
    if nest.mode == Mode::OneThread {
        return Some(1);
    }
    let mut counts = nest.axes.iter().map(|axis| part.get_loop(axis[0]).most_iterations());
    counts.try_fold(1i64, |all, n| all.checked_mul(n?))
}

fn length(part: &StaticPart, l: LoopId, short: i64) -> usize {
    usize::from(part.get_loop(l).may_exceed(short))
}

/// Test for a statement with loops of its own that run.
fn is_long(part: &StaticPart, s: StmtId) -> bool {
    let stmt = part.stmt(s);
    stmt.has_loop && !stmt.is_rare()
}

/// How many long loops stand in each other in a thread, and the outermost long one there. One whose end only the data know
/// may be long.
fn depth(part: &StaticPart, trees: &[Tree], short: i64) -> (usize, Option<LoopId>) {
    let of = |t: &Tree| match t {
        Tree::Stmt(id) => (usize::from(is_long(part, *id)), None),
        Tree::If { body, .. } => depth(part, body, short),
        Tree::Loop(id, body) => {
            let (inner, first) = depth(part, body, short);
            let own = length(part, *id, short);
            (own + inner, if own > 0 { Some(*id) } else { first })
        }
    };
    trees.iter().map(of).max_by_key(|(n, _)| *n).unwrap_or((0, None))
}
