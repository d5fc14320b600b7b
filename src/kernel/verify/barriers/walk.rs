//! Walk of the analyses of barriers: whose threads it compares, what it carries along, and what it knows to differ.

use super::interval::State;
use super::lets::Lets;
use crate::kernel::verify::finding::Findings;
use crate::kernel::{Access, ArrayParam, Expr, Kernel, Stmt, StmtKind, Usage};
use std::collections::{BTreeMap, BTreeSet};

/// Threads that are compared.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Among {
    Block,
    /// Threads at the same place of different blocks: what a block joins is the same for all of them where its terms are.
    Blocks,
    Grid,
}

/// A loop being walked.
#[derive(Default)]
pub(super) struct Loop<'a> {
    /// Threads leave it, or go on with it, at different times.
    pub divergent: bool,
    /// States at its `continue` and `break`.
    pub next: State<'a>,
    pub exit: State<'a>,
}

/// A walk of a loop: the next one that begins with the same ends with the same, and finds the same.
pub(super) struct Walked<'a> {
    pub diverged: bool,
    /// Number of variables that were known to differ; there are only ever more.
    pub divergent: usize,
    pub before: State<'a>,
    pub after: State<'a>,
}

/// Walk over a kernel that compares the threads of a block, or of the grid.
pub(super) struct Walk<'a> {
    pub kernel: &'a Kernel,
    pub among: Among,
    pub shared: BTreeSet<&'a str>,
    /// Arrays of one element that a resident kernel writes: every thread of the grid loads the same, by the rule of
    /// intervals, which the walk among the threads of the grid applies to them.
    pub exchanged: BTreeSet<&'a str>,
    /// Variables and local arrays that may differ from thread to thread.
    pub divergent: BTreeSet<&'a str>,
    /// Flag: only some of a block's threads may be here.
    pub diverged: bool,
    pub loops: Vec<Loop<'a>>,
    /// Walks of this round, by the loop: without them, loops in loops would be walked thrice a level.
    pub walked: BTreeMap<*const Stmt, Vec<Walked<'a>>>,
    pub lets: Lets<'a>,
    pub state: State<'a>,
    pub findings: Findings,
}

impl<'a> Walk<'a> {
    pub fn new(kernel: &'a Kernel, among: Among) -> Self {
        let mut shared = BTreeSet::new();
        for stmt in &kernel.body {
            stmt.visit(&mut |stmt| {
                if let StmtKind::Shared { name, .. } = &stmt.kind {
                    shared.insert(name.as_str());
                }
            });
        }
        let is_exchanged = |a: &&ArrayParam| a.extents.is_empty() && a.usage != Usage::Read;
        let all = kernel.arrays.iter().filter(|_| kernel.resident.is_some()).filter(is_exchanged);
        Walk {
            kernel,
            among,
            shared,
            exchanged: all.map(|a| a.name.as_str()).collect(),
            divergent: BTreeSet::new(),
            diverged: false,
            loops: Vec::new(),
            walked: BTreeMap::new(),
            lets: Lets::of(kernel),
            state: State::default(),
            findings: Findings::default(),
        }
    }

    /// Test that the rule of intervals is for this array.
    pub fn is_watched(&self, array: &str) -> bool {
        match self.among {
            Among::Block => self.shared.contains(array),
            Among::Blocks => false,
            Among::Grid => self.exchanged.contains(array),
        }
    }

    /// Test that a value may differ between the threads of a block.
    pub fn depends(&self, e: &Expr) -> bool {
        e.any(&mut |e| match e {
            Expr::ThreadIdx(dim) => self.among != Among::Blocks && self.kernel.block.get(*dim) != Some(&Expr::Int(1)),
            Expr::BlockIdx(_) => self.among != Among::Block,
            Expr::Var(name) => self.divergent.contains(name.as_str()),
            // Subscripts are looked at by `any`. Every thread loads the same from a shared array, by the rule of
            // intervals; and from an array of the thread, if nothing that differs was stored to it.
            Expr::Load(Access { array, .. }) if self.exchanged.contains(array.as_str()) => false,
            Expr::Load(Access { array, .. }) => match self.kernel.arrays.iter().find(|a| a.name == *array) {
                // At the same place all blocks load the same: nobody stores to it between the same barriers of the grid,
                // which the dependences have shown.
                Some(a) => a.usage != Usage::Read && self.among != Among::Blocks,
                None => {
                    let is_each_threads = self.among != Among::Block || !self.shared.contains(array.as_str());
                    is_each_threads && self.divergent.contains(array.as_str())
                }
            },
            _ => false,
        })
    }

    /// Takes note of what a thread stores: whether it differs, or where.
    pub fn note_value(&mut self, target: &'a Access, differs: bool) {
        if differs || self.diverged || target.index.iter().any(|e| self.depends(e)) {
            self.divergent.insert(&target.array);
        }
    }
}
