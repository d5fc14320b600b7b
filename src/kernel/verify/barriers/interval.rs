//! Intervals between barriers: what was done to each shared array in the one that is being walked. The walk over a kernel,
//! the rules of asynchronous copies and those of stages all add to it and ask it.

use crate::kernel::{Access, Stmt};
use std::collections::{BTreeMap, BTreeSet};

/// The counters that have gone on since something happened: by a step, or by what is not known.
pub(super) type GoneOn<'a> = BTreeMap<&'a str, Option<i64>>;

/// State of the shared arrays: what happened to them on some path to here.
#[derive(Clone, Default, PartialEq)]
pub(super) struct State<'a> {
    /// Arrays stored to at all.
    pub stored: BTreeSet<&'a str>,
    /// Uses since the last barrier.
    pub uses: Vec<Use<'a>>,
    /// Asynchronous copies that may be under way.
    pub under_way: Vec<Begun<'a>>,
}

/// Use of an element since the last barrier.
#[derive(Clone, PartialEq)]
pub(super) struct Use<'a> {
    pub access: &'a Access,
    pub kind: UseKind,
    /// Of more elements than the one that is named.
    pub is_wide: bool,
    /// Under control, or at a place, that depends on the thread.
    pub alone: bool,
    pub gone_on: GoneOn<'a>,
}

#[derive(Clone, Copy, PartialEq)]
pub(super) enum UseKind {
    Load,
    Store,
    Atomic,
    Copy,
}

/// A copy that may be under way.
#[derive(Clone, PartialEq)]
pub(super) struct Begun<'a> {
    pub stmt: &'a Stmt,
    pub target: &'a Access,
    pub is_wide: bool,
    /// The groups that were committed behind its own; none while its own is open.
    pub age: Option<i64>,
    /// Some wait has let it pass.
    pub has_passed: bool,
    pub gone_on: GoneOn<'a>,
}

impl<'a> State<'a> {
    pub fn join(&mut self, other: &State<'a>) {
        self.stored.extend(&other.stored);
        other.uses.iter().for_each(|used| self.note(used.clone()));
        other.under_way.iter().for_each(|copy| self.begin(copy.clone()));
    }

    /// The subscripts of what happened, and the counters that have gone on since.
    pub fn times(&mut self) -> impl Iterator<Item = (&'a Access, &mut GoneOn<'a>)> {
        let uses = self.uses.iter_mut().map(|used| (used.access, &mut used.gone_on));
        uses.chain(self.under_way.iter_mut().map(|copy| (copy.target, &mut copy.gone_on)))
    }

    pub fn note(&mut self, used: Use<'a>) {
        if !self.uses.contains(&used) {
            self.uses.push(used);
        }
    }

    pub fn begin(&mut self, copy: Begun<'a>) {
        if !self.under_way.contains(&copy) {
            self.under_way.push(copy);
        }
    }
}

impl UseKind {
    pub fn verb(self) -> &'static str {
        match self {
            UseKind::Load => "loaded",
            UseKind::Store => "stored",
            UseKind::Atomic => "updated",
            UseKind::Copy => "copied to",
        }
    }
}
