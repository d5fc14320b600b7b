//! Body of a kernel with lanes while it is put together, piece by piece.

use super::layout::Layout;
use super::stage::Stage;
use crate::kernel::{self as k, Expr, StmtKind};
use crate::region::LoopId;
use crate::schedule::Nest;

/// Where a piece stands.
pub(super) struct Shared<'s> {
    pub nest: &'s Nest,
    /// The loops around the thread's body.
    pub around: &'s [LoopId],
    pub layout: Layout,
    pub stage: &'s Stage<'s>,
    /// Number of sums that the pieces before have.
    pub n_sums: usize,
}

/// A kernel's body while it is put together.
pub(super) struct Body {
    /// Flag: the thread has an element.
    pub inside: Expr,
    pub line: u32,
    pub stmts: Vec<k::Stmt>,
    /// Statements that threads with an element run next.
    pub pending: Vec<k::Stmt>,
    pub variables: Vec<k::Stmt>,
}

impl Body {
    pub fn flush(&mut self) {
        let then = std::mem::take(&mut self.pending);
        if !then.is_empty() {
            let kind = StmtKind::If { cond: self.inside.clone(), then, other: vec![] };
            self.stmts.push(k::Stmt { kind, line: self.line });
        }
    }

    /// Statements that all threads run together.
    pub fn together(&mut self, kind: StmtKind) {
        self.flush();
        self.stmts.push(k::Stmt { kind, line: self.line });
    }

    /// Statements that the first lane of each element runs next, under a further condition on parameters and counters if any.
    pub fn owner(&mut self, layout: Layout, cond: Option<Expr>, then: Vec<k::Stmt>) {
        let levels = if cond.is_some() { 2 } else { 1 };
        let then = match cond {
            Some(cond) => vec![k::Stmt { kind: StmtKind::If { cond, then, other: vec![] }, line: self.line }],
            None => then,
        };
        let own = StmtKind::If { cond: layout.is_owner(), then, other: vec![] };
        append(&mut self.pending, k::Stmt { kind: own, line: self.line }, levels);
    }
}

/// Appends an `if` whose condition nothing changes, and as many levels of such inside it: neighbours share theirs.
fn append(out: &mut Vec<k::Stmt>, s: k::Stmt, levels: u32) {
    match (out.last_mut().map(|s| &mut s.kind), s.kind) {
        (Some(StmtKind::If { cond: known, then: before, .. }), StmtKind::If { cond, then, .. })
            if levels > 0 && *known == cond =>
        {
            then.into_iter().for_each(|s| append(before, s, levels - 1));
        }
        (_, kind) => out.push(k::Stmt { kind, line: s.line }),
    }
}
