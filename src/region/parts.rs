//! A region in pieces: static control parts, and the host control around them.

use super::StaticPart;
use crate::ast::{Expr, Stmt, VarId};
use crate::facts::prints::Print;
use std::collections::BTreeSet;

/// A piece of a region, in order.
#[derive(Debug, Clone)]
pub enum Part {
    Static(StaticPart),
    /// Scalar statements of the host.
    Compute(Stmt),
    /// A loop that the host runs; `check_first` is false for `do`.
    Loop {
        cond: Option<Expr>,
        step: Option<Expr>,
        check_first: bool,
        body: Vec<Part>,
    },
    If {
        cond: Expr,
        then: Vec<Part>,
        other: Vec<Part>,
    },
    Break,
    /// The original runs instead, as if nothing had been done.
    GiveUp,
    /// A call of the host that prints, and what it reads.
    Print(Box<Print>, StaticPart),
}

impl Parts {
    /// Makes conditions of the call of what else must hold.
    pub fn require(&mut self, conditions: &[Expr]) {
        self.only_if.extend(conditions.iter().filter(|c| !self.only_if.contains(c)).cloned().collect::<Vec<_>>());
        self.otherwise.iter_mut().for_each(|parts| parts.require(conditions));
    }
}

impl Part {
    /// Test that it is where a region may be given up.
    pub fn may_give_up(&self) -> bool {
        let any = |parts: &[Part]| parts.iter().any(Part::may_give_up);
        match self {
            Part::GiveUp => true,
            Part::If { then, other, .. } => any(then) || any(other),
            Part::Loop { body, .. } => any(body),
            _ => false,
        }
    }
}

/// A region's pieces and the scalars that live on the device during it.
#[derive(Debug, Clone)]
pub struct Parts {
    pub list: Vec<Part>,
    pub device_scalars: BTreeSet<VarId>,
    /// Scalars that the host computes.
    pub host_scalars: BTreeSet<VarId>,
    /// Conditions without which what the call hands over may not be there.
    pub only_if: Vec<Expr>,
    /// Flag: threads run loops that the host might run instead: of use only where a loop around these is parallel.
    pub by_threads: bool,
    /// The next to try where these do not convert: with loops that the host runs, or with the tiles of the program.
    pub otherwise: Option<Box<Parts>>,
}

impl Parts {
    /// The parts, with others behind all that is tried otherwise.
    pub(super) fn or(mut self, last: Option<Parts>) -> Parts {
        self.otherwise = match self.otherwise {
            Some(next) => Some(Box::new(next.or(last))),
            None => last.map(Box::new),
        };
        self
    }
}
