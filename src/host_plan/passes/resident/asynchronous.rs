//! Counted loops whose blocks do not wait for each other: an asynchronous iteration, which reads of each element the newest value
//! that has arrived (rt-cuda, sections 3.3 and 4.5). That it comes to the same end is the user's knowledge.
//!
//! ```text
//! for t in 0 .. 10 {                   for t in 0 .. 10 {
//!   phase x -> y                         phase x -> y
//!   grid_barrier              ->         if t == 0 { grid_barrier } else { grid_wait() }
//!   phase y -> x                         phase y -> x
//!   grid_barrier                         if t == 0 { grid_barrier } else { grid_wait() }
//! }                                    }
//! sum of x                             grid_barrier
//!                                      sum of x
//! ```
//! The first iteration keeps its barriers: whatever is read later has been written. A loop with a sum, or another scalar that
//! one iteration hands to the next, keeps all of them, because each thread is to see the same of it.

use crate::ast::BinOp;
use crate::kernel::{Access, Expr, Stmt, StmtKind};
use crate::schedule::index::{binary, var};

/// The body of a resident kernel without waits in its innermost counted loops.
pub(super) fn without_waits(body: Vec<Stmt>) -> Vec<Stmt> {
    body.into_iter().flat_map(loop_without_waits).collect()
}

fn loop_without_waits(mut s: Stmt) -> Vec<Stmt> {
    if !waits(&s) {
        return vec![s];
    }
    if let StmtKind::For { var: counter, lo, body, .. } = &mut s.kind
        && body.iter().all(hands_on_arrays)
    {
        let is_first = binary(BinOp::Eq, var(&*counter), lo.clone());
        after_the_first(body, &is_first);
        return vec![s, Stmt::made(StmtKind::GridBarrier)];
    }
    for inner in s.bodies_mut() {
        *inner = without_waits(std::mem::take(inner));
    }
    vec![s]
}

fn waits(s: &Stmt) -> bool {
    let mut found = false;
    s.visit(&mut |s| found |= s.kind == StmtKind::GridBarrier);
    found
}

/// A step of a loop that leaves nothing to the next one but elements of arrays.
fn hands_on_arrays(s: &Stmt) -> bool {
    match &s.kind {
        StmtKind::GridBarrier | StmtKind::Let { .. } => true,
        StmtKind::If { then, other, .. } => then.iter().chain(other).all(hands_on_arrays),
        StmtKind::Phase { .. } => {
            let mut has_scalar = false;
            s.visit(&mut |s| {
                has_scalar |=
                    matches!(&s.kind, StmtKind::Store { target: Access { index, .. }, .. } if index.is_empty());
            });
            !has_scalar
        }
        _ => false,
    }
}

fn after_the_first(body: &mut [Stmt], is_first: &Expr) {
    for s in body {
        if s.kind == StmtKind::GridBarrier {
            let (cond, then) = (is_first.clone(), vec![Stmt::made(StmtKind::GridBarrier)]);
            let other = vec![Stmt::made(StmtKind::GridWait { across: vec![] })];
            s.kind = StmtKind::If { cond, then, other };
        } else {
            s.bodies_mut().into_iter().for_each(|inner| after_the_first(inner, is_first));
        }
    }
}
