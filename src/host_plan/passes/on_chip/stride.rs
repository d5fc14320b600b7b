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
use crate::kernel::{Expr, Kernel, Stmt, StmtKind, THREADS, walk};
use crate::poly::names::Names;
use crate::schedule::index::{add, mul, var};
use std::collections::BTreeMap;

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
    out.body.iter_mut().for_each(|s| in_stmt(s, &map, &mut names));
    (out.body != kernel.body).then_some(out)
}

fn in_stmt(s: &mut Stmt, map: &Map, names: &mut Names) {
    if let StmtKind::Phase { body, .. } = &mut s.kind {
        if let Some(strided) = strided(body, map, names) {
            *body = strided;
        }
        return;
    }
    s.bodies_mut().into_iter().flatten().for_each(|s| in_stmt(s, map, names));
}

/// The phase in the stride of a map, if blocks stride over the map's points there.
fn strided(phase: &[Stmt], map: &Map, names: &mut Names) -> Option<Vec<Stmt>> {
    let [Stmt { kind: StmtKind::For { var: block, lo: Expr::BlockIdx(0), hi, step, body }, line }] = phase else {
        return None;
    };
    let all = Expr::CeilDiv(Box::new(map.end.clone()), Box::new(var(THREADS)));
    let [Stmt { kind: StmtKind::Let { var: i, ty, init: Some(place) }, .. }, Stmt { kind: choice, .. }] = &body[..]
    else {
        return None;
    };
    let StmtKind::If { cond: Expr::Binary(BinOp::Lt, low, high), then, other } = choice else { return None };
    let first = add(mul(var(block), var(THREADS)), Expr::ThreadIdx(0));
    let at = names.fresh("rt_at");
    let in_stride = |e: &Expr, i_is: &Expr| {
        let mut e = e.clone();
        e.replace(&mut |e| if *e == var(i) { Some(i_is.clone()) } else { (*e == first).then(|| var(&at)) });
        e
    };
    let value = in_stride(place, &var(i));
    // Left until the end, by the guard and by the map.
    let [low, high] = [low, high].map(|e| in_stride(e, &value));
    let mut apart = BTreeMap::new();
    for (e, times) in [(&high, 1), (&low, -1), (&map.end, -1), (&var(&at), 1)] {
        add_up(e, times, &mut apart);
    }
    let mut asks = value.mentions(block);
    walk::visit(then, &mut |s| asks |= s.exprs().into_iter().any(|e| e.mentions(block)));
    let is_same = *hi == all && *step == Expr::GridSize(0) && apart.values().all(|n| *n == 0) && other.is_empty();
    if !is_same || asks || !walk::is_of_thread(then) {
        return None;
    }
    let point = StmtKind::Let { var: i.clone(), ty: *ty, init: Some(value) };
    let inside = std::iter::once(Stmt { kind: point, line: *line }).chain(then.iter().cloned()).collect();
    let (lo, hi, step) = (first.clone(), map.end.clone(), map.step.clone());
    let inner = Stmt { kind: StmtKind::For { var: at, lo, hi, step, body: inside }, line: *line };
    let (lo, hi, step) = (Expr::BlockIdx(0), map.blocks()?.clone(), Expr::GridSize(0));
    Some(vec![Stmt { kind: StmtKind::For { var: block.clone(), lo, hi, step, body: vec![inner] }, line: *line }])
}

/// Adds the terms of a sum, so many times each; what stands alone is the number of ones.
fn add_up(e: &Expr, times: i64, sum: &mut BTreeMap<String, i64>) {
    match e {
        Expr::Int(n) => {
            let ones = sum.entry(String::new()).or_default();
            *ones = ones.wrapping_add(times.wrapping_mul(*n));
        }
        Expr::Binary(BinOp::Add, a, b) => [a, b].into_iter().for_each(|e| add_up(e, times, sum)),
        Expr::Binary(BinOp::Sub, a, b) => {
            add_up(a, times, sum);
            add_up(b, -times, sum);
        }
        e => *sum.entry(e.to_string()).or_default() += times,
    }
}
