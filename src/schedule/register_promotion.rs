//! Register promotion: loops of the thread all through which an element that they update may be in a register (scalar
//! replacement, Callahan, Carr and Kennedy 1990; the register: [`element`]).
//!
//! ```text
//! for k: b[i][j] += a[k][i] * b[k][j]
//! ->
//! double rt_b = b[i][j];
//! for k: rt_b += a[k][i] * b[k][j]
//! b[i][j] = rt_b;
//! ```
//! The same for `t[i] = t[i] >= u[k] ? t[i] : u[k]`, which reads its target too. The compiler cannot do it where another access
//! of the loop is of the same array. It is right where none of them meets the element while the loop runs; a loop without
//! iterations touches nothing.

pub mod element;

use super::Nest;
use super::parallel::Analysis;
use crate::ast::{Expr, ExprKind, Stmt, StmtKind, VarId};
use crate::facts::symbolic::same_expr;
use crate::isl::Dim;
use crate::poly::Failure;
use crate::poly::dependence::level_of;
use crate::poly::scop::is_write;
use crate::region::{AccessKind, LoopId, StmtId, Tree};
use std::collections::BTreeSet;

/// Statements that are all of a loop of the thread, whose target may be kept. (A loop that was distributed is several.)
pub fn promotable(a: &Analysis, nest: &Nest, private: &BTreeSet<VarId>) -> Result<BTreeSet<StmtId>, Failure> {
    let mut out = BTreeSet::new();
    let mut pending: Vec<&Tree> = nest.body.iter().collect();
    while let Some(tree) = pending.pop() {
        match tree {
            Tree::Stmt(_) => {}
            Tree::If { body, .. } => pending.extend(body),
            Tree::Loop(l, body) => match body.as_slice() {
                [Tree::Stmt(s)] if is_promotable(a, *l, *s, private)? => {
                    out.insert(*s);
                }
                _ => pending.extend(body),
            },
        }
    }
    Ok(out)
}

/// Test that a statement is `target op= value` or `target = value`.
pub fn is_assignment(s: &Stmt) -> bool {
    matches!(&s.kind, StmtKind::Expr(e) if matches!(&e.kind, ExprKind::Assign { value, .. }
        if !matches!(value.kind, ExprKind::Assign { .. })))
}

/// Test that the element that `s` updates stays the same all through the loop `l`, and no other access is of it.
fn is_promotable(a: &Analysis, l: LoopId, s: StmtId, private: &BTreeSet<VarId>) -> Result<bool, Failure> {
    let stmt = a.part.stmt(s);
    let writes: Vec<usize> = (0..stmt.accesses.len()).filter(|k| is_write(&stmt.accesses[*k])).collect();
    let ([w], true) = (writes.as_slice(), is_assignment(&stmt.body)) else { return Ok(false) };
    let target = &stmt.accesses[*w];
    let var = a.part.get_loop(l).var;
    let Some(index) = &target.index else { return Ok(false) };
    let is_element = a.part.data[&target.data].shape.c_rank > 0 && !private.contains(&target.data);
    if target.kind != AccessKind::MustWrite || !is_element || index.iter().any(|p| p.uses(var)) {
        return Ok(false);
    }
    // The subscripts stand before the loop as they are written: `f[j + i]` with `j = c0 - c1`, `i = c1` names `c1` there.
    let moving = |v: &VarId| stmt.counters.iter().any(|(own, value)| own == v && value.uses(var));
    let mut named = BTreeSet::new();
    target.subscripts.iter().for_each(|e| counters_in(e, &mut named));
    if named.iter().any(moving) {
        return Ok(false);
    }
    let level = level_of(a.part, s, l).expect("the loop is around its statement");
    let others = stmt.accesses.iter().enumerate().filter(|(k, x)| k != w && x.data == target.data);
    let mut own_reads = 0;
    for (k, other) in others {
        // What is kept is read first: the value from before must be wanted.
        own_reads += usize::from(other.index == target.index && other.surely && other.known.is_empty());
        if other.index == target.index {
            // All that is of the element must be seen to be, to be of the variable then.
            if !target.subscripts.iter().zip(&other.subscripts).all(|(x, y)| same_expr(x, y)) {
                return Ok(false);
            }
            continue;
        }
        let maps = &a.scop.accesses[s.0];
        let mut meet = maps[k].apply_range(&maps[*w].reverse()?)?;
        for outer in 0..level {
            meet = meet.equate(Dim::In, outer, Dim::Out, outer)?;
        }
        if !meet.is_empty()? {
            return Ok(false);
        }
    }
    Ok(own_reads > 0)
}

/// The variables of an expression.
fn counters_in(e: &Expr, out: &mut BTreeSet<VarId>) {
    e.walk(&mut |x| {
        if let ExprKind::Var(v) = x.kind {
            out.insert(v);
        }
    });
}
