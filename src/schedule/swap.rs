//! Parallel loop swap: an inner loop that no dependence ever moves along goes outermost, where it can be parallel.
//!
//! With all distances along it zero, every other distance vector keeps its sign whatever place it takes, so the
//! interchange is always legal (Wolf and Lam 1991, section 3); its bounds must not use the counters it passes.

use super::parallel::{Analysis, loops_in};
use crate::poly::Failure;
use crate::poly::dependence::level_of;
use crate::region::{LoopId, Tree};

/// The loop `l` with an inner parallel loop moved around it, if there is one.
pub fn swap(a: &Analysis, l: LoopId, body: &[Tree], outer: &[LoopId]) -> Result<Option<(LoopId, Vec<Tree>)>, Failure> {
    let whole = Tree::Loop(l, body.to_vec());
    let stmts = whole.stmts();
    let candidates: Vec<LoopId> = loops_in(&whole).into_iter().skip(1).collect();
    for p in candidates {
        let around_all = stmts.iter().all(|s| level_of(a.part, *s, p).is_some());
        if !around_all || !a.part.get_loop(p).may_exceed(1) || !is_rectangular(a, &whole, p) {
            continue;
        }
        let private_on: Vec<LoopId> = outer.iter().copied().chain([p]).collect();
        let mut moves = false;
        for (i, d) in a.deps.list.iter().enumerate() {
            if !stmts.contains(&d.src) || !stmts.contains(&d.dst) {
                continue;
            }
            let level = level_of(a.part, d.src, p).expect("around all");
            let spares = a.is_private(d.data, &stmts, &private_on)?;
            if !spares && a.deps.moves(i, level, &[])? {
                moves = true;
                break;
            }
        }
        if !moves && a.is_axis(p, &stmts, outer)? {
            let inner = without(&whole, p);
            return Ok(Some((p, inner)));
        }
    }
    Ok(None)
}

/// Test that the bounds of `p` use no counter of the loops between it and the top of `tree`.
fn is_rectangular(a: &Analysis, tree: &Tree, p: LoopId) -> bool {
    let l = a.part.get_loop(p);
    loops_in(tree).into_iter().filter(|x| *x != p).all(|x| {
        let v = a.part.get_loop(x).var;
        !l.first.uses(v) && l.limits.iter().all(|b| !b.uses(v))
    })
}

/// The tree with the loop `p` dissolved: its body in its place.
fn without(tree: &Tree, p: LoopId) -> Vec<Tree> {
    match tree {
        Tree::Stmt(_) => vec![tree.clone()],
        Tree::Loop(id, body) => {
            let body: Vec<Tree> = body.iter().flat_map(|t| without(t, p)).collect();
            if *id == p { body } else { vec![Tree::Loop(*id, body)] }
        }
        Tree::If { cond, expr, negated, body } => vec![Tree::If {
            cond: cond.clone(),
            expr: expr.clone(),
            negated: *negated,
            body: body.iter().flat_map(|t| without(t, p)).collect(),
        }],
    }
}
