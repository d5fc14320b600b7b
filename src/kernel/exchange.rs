//! The arrays through which the threads of a block hand each other values: stored to before a barrier, loaded after it.
//!
//! ```text
//! if (t0 == 0) { mean[j] = ...; }
//! barrier;
//! sum += a[i, j] - mean[j];                `mean` is exchanged
//! ```
//! A pointer to such an array must not promise the compiler that no other thread writes there: it may then load before
//! the barrier what it needs after it. Paths are joined, so an array may be named that no value goes through.

use super::{Expr, Stmt, StmtKind};
use std::collections::BTreeSet;

/// The names of the arrays that statements exchange.
pub fn arrays(body: &[Stmt]) -> BTreeSet<String> {
    let mut walk = Walk::default();
    walk.body(body);
    walk.exchanged
}

#[derive(Default)]
struct Walk<'a> {
    stored: BTreeSet<&'a str>,
    /// Stored to before the last barrier.
    behind: BTreeSet<&'a str>,
    exchanged: BTreeSet<String>,
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
            StmtKind::Barrier => self.behind.extend(&self.stored),
            StmtKind::Store { target, op, .. } => {
                if op.is_some() {
                    self.load(&target.array);
                }
                self.stored.insert(&target.array);
            }
            StmtKind::Atomic { target, .. } | StmtKind::BlockReduce { target, .. } => {
                self.stored.insert(&target.array);
            }
            _ => {}
        }
    }

    fn loads(&mut self, e: &Expr) {
        if let Expr::Load(access) = e {
            self.load(&access.array);
        }
        e.children().into_iter().for_each(|child| self.loads(child));
    }

    fn load(&mut self, array: &str) {
        if self.behind.contains(array) {
            self.exchanged.insert(array.to_string());
        }
    }
}
