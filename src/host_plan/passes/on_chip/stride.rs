//! Phases over the same points in one stride, that of the sums among them: then a thread has the same points in all.
//!
//! ```text
//! for b in g0 .. ceildiv(n, THREADS) step n0 {          for b in g0 .. blocks step n0 {
//!   let i = 1 + (b * THREADS + t0);                ->     for at in b * THREADS + t0 .. n step blocks * THREADS {
//!   if (i < n + 1) { .. }                                   let i = 1 + at; ..
//! }                                                     } }
//! ```

use super::share::{Map, Share};
use crate::ast::BinOp;
use crate::kernel::{Expr, Kernel, Stmt, StmtKind, THREADS, linear, walk};
use crate::poly::names::Names;
use crate::schedule::index::{add, binary, mul, var};

/// The kernel with the phases of its steps in the stride of its first sum, where some had another.
pub(super) fn in_one(kernel: &Kernel) -> Option<Kernel> {
    let mut of_sum = None;
    walk::visit(&kernel.body, &mut |s| {
        if let StmtKind::Phase { body, .. } = &s.kind
            && of_sum.is_none()
        {
            of_sum = Share::of(kernel, body).map(|share| share.map).filter(|map| map.blocks().is_some());
        }
    });
    let map = of_sum?;
    let mut names = Names::beside(kernel.names());
    let mut out = kernel.clone();
    out.body.iter_mut().for_each(|s| in_stmt(kernel, s, &map, &mut names));
    (out.body != kernel.body).then_some(out)
}

fn in_stmt(kernel: &Kernel, s: &mut Stmt, map: &Map, names: &mut Names) {
    if let StmtKind::Phase { body, .. } = &mut s.kind {
        if let Some(strided) = strided(kernel, body, map, names) {
            *body = strided;
        }
        return;
    }
    s.bodies_mut().into_iter().flatten().for_each(|s| in_stmt(kernel, s, map, names));
}

/// The phase in the stride of a map, if blocks stride over the map's points there.
fn strided(kernel: &Kernel, phase: &[Stmt], map: &Map, names: &mut Names) -> Option<Vec<Stmt>> {
    let share =
        Share::of(kernel, phase).filter(|share| share.map.blocks().is_none() && share.map.count == map.count)?;
    // Left until the end, by the guard and by the map.
    let Some(Expr::Binary(BinOp::Lt, low, high)) = &share.map.guard else { return None };
    let apart = |low: &Expr, high: &Expr| binary(BinOp::Sub, high.clone(), low.clone());
    let number = |e: &Expr| if let Expr::Int(n) = e { Some(*n) } else { None };
    let left = apart(&share.map.own, &map.end);
    if linear::distance(&apart(low, high), &left, &number) != Some(0) {
        return None;
    }
    let first = add(mul(var(share.var), var(THREADS)), Expr::ThreadIdx(0));
    let at = names.fresh("rt_at");
    let (last, lets) = share.body.split_last()?;
    let StmtKind::If { then, .. } = &last.kind else { return None };
    let mut body: Vec<Stmt> = lets.iter().chain(then).cloned().collect();
    body.iter_mut().for_each(|s| s.replace(&|e| (*e == first).then(|| var(&at))));
    let mut asks = false;
    walk::visit(&body, &mut |s| asks |= s.exprs().into_iter().any(|e| e.mentions(share.var)));
    let (hi, step) = (map.end.clone(), map.step.clone());
    let inner = Stmt { kind: StmtKind::counted(at, [first, hi, step], body), line: phase[0].line };
    let (var, lo, hi, step) = (share.var.to_owned(), Expr::BlockIdx(0), map.blocks()?.clone(), Expr::GridSize(0));
    (!asks).then(|| vec![Stmt { kind: StmtKind::counted(var, [lo, hi, step], vec![inner]), line: phase[0].line }])
}
