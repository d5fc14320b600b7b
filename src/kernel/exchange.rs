//! The arrays through which the threads of a block hand each other values, or elements to write: stored to before a
//! barrier and loaded or stored to after it, or loaded before and stored to after it.
//!
//! ```text
//! if (t0 == 0) { mean[j] = ...; }
//! barrier;
//! sum += a[i, j] - mean[j];                `mean` is exchanged
//! ```
//! A pointer to such an array must not promise the compiler that no other thread writes there: it may then move a load
//! or store across the barrier. Paths are joined, so an array may be named that no value goes through.
//!
//! Where there are shared arrays, the barriers are theirs: each thread of a tiled kernel loads and stores its own elements
//! of global arrays alone. (The simulation reports a value that another thread has stored and that is read through a
//! pointer with the promise.)

use super::{Expr, Stmt, StmtKind};
use std::collections::BTreeSet;

/// The names of the arrays that statements exchange.
pub fn arrays(body: &[Stmt]) -> BTreeSet<String> {
    let mut walk = Walk::default();
    walk.body(body);
    if walk.has_shared { BTreeSet::new() } else { walk.exchanged }
}

#[derive(Default)]
struct Walk<'a> {
    stored: BTreeSet<&'a str>,
    loaded: BTreeSet<&'a str>,
    /// The same, before the last barrier.
    stored_before: BTreeSet<&'a str>,
    loaded_before: BTreeSet<&'a str>,
    exchanged: BTreeSet<String>,
    has_shared: bool,
}

impl<'a> Walk<'a> {
    fn body(&mut self, body: &'a [Stmt]) {
        body.iter().for_each(|s| self.stmt(s));
    }

    fn stmt(&mut self, s: &'a Stmt) {
        let is_loop = matches!(s.kind, StmtKind::For { .. } | StmtKind::While { .. });
        // What the end of a loop's body leaves meets its beginning.
        for _ in 0..=usize::from(is_loop) {
            s.exprs().into_iter().for_each(|e| self.loads(e));
            s.bodies().into_iter().for_each(|body| self.body(body));
        }
        match &s.kind {
            StmtKind::Shared { .. } => self.has_shared = true,
            StmtKind::Barrier => {
                self.stored_before.extend(&self.stored);
                self.loaded_before.extend(&self.loaded);
            }
            StmtKind::LoadVector { source, .. } => self.load(&source.array),
            StmtKind::CopyAsync { target, source, .. } => {
                self.load(&source.array);
                self.store(&target.array);
            }
            StmtKind::StoreVector { target, .. } => self.store(&target.array),
            StmtKind::Store { target, op, .. } => {
                if op.is_some() {
                    self.load(&target.array);
                }
                self.store(&target.array);
            }
            StmtKind::Atomic { target, .. } | StmtKind::BlockReduce { target, .. } => self.store(&target.array),
            _ => {}
        }
    }

    fn loads(&mut self, e: &'a Expr) {
        if let Expr::Load(access) = e {
            self.load(&access.array);
        }
        e.children().into_iter().for_each(|child| self.loads(child));
    }

    fn load(&mut self, array: &'a str) {
        self.loaded.insert(array);
        if self.stored_before.contains(array) {
            self.exchanged.insert(array.to_string());
        }
    }

    fn store(&mut self, array: &'a str) {
        self.stored.insert(array);
        if self.loaded_before.contains(array) || self.stored_before.contains(array) {
            self.exchanged.insert(array.to_string());
        }
    }
}
