//! Neighbouring points of a thread that update their elements together.
//!
//! ```text
//! for next { at = v[next]; if (at < bins) { atomic cells[at * each + own] += 1 } else { atomic h[at] += 1 } }
//! ->
//! for next { at = v[next]; all &= at < bins; same &= next == 0 || at == before; before = at }
//! if (same) { sum = 0; for next { sum += 1 }; if (before < bins) { .. += sum } else { .. += sum } }
//! else if (all) { for next { at = v[next]; atomic cells[at * each + own] += 1 } }
//! else { for next .. as it was }
//! ```
//! A branch for each update would leave a processor waiting for its own instructions. Runs of one element, as in sorted keys,
//! are one update where an update takes several instructions, repeated until no other thread interferes: of floating numbers.
//! Where one instruction does, the lanes of a warp wait no longer for it than for the test.

use super::copied::Copied;
use crate::ast::{BinOp, IntKind};
use crate::kernel::{Access, Expr, ReduceOp, ScalarType, Stmt, StmtKind, walk};
use crate::poly::names::Names;
use crate::schedule::index::{binary, var};
use crate::schedule::reduce_op::{identity, join};

const INT: ScalarType = ScalarType::Int(IntKind::Int);

/// Rewrites the loop over the neighbours.
pub struct Together<'c> {
    pub names: &'c mut Names,
    pub arrays: &'c [Copied],
}

/// What one update of each neighbour needs to be one for all.
struct Run {
    /// Before the tests, and in the test of each neighbour.
    declared: Vec<Stmt>,
    tests: Vec<Stmt>,
    same: String,
    /// The update of all.
    joined: Vec<Stmt>,
}

impl Together<'_> {
    /// Puts the tests and the three ways in the place of the loop over the neighbours, the last of some statements, where it
    /// computes and updates and does nothing else.
    pub fn rewrite(&mut self, together: &mut Vec<Stmt>) {
        let Some(Stmt { kind: StmtKind::For { var: next, body, .. }, .. }) = together.last() else { return };
        let mut is_pure = true;
        let harmless = |s: &Stmt| matches!(s.kind, StmtKind::Let { .. } | StmtKind::If { .. });
        self.each_update(body, &|_, _| vec![]).iter().for_each(|s| s.visit(&mut |s| is_pure &= harmless(s)));
        if !is_pure {
            return;
        }
        let (next, body) = (next.clone(), body.clone());
        let one_by_one = together.pop().expect("the loop over the neighbours");
        let all = self.names.fresh("rt_all");
        let note = |cond: &Expr, _: &[Stmt]| vec![both(&all, cond.clone())];
        let mut tests = self.each_update(&body, &note);
        let updates = self.each_update(&body, &|_, cell| cell.to_vec());
        let of = |body: Vec<Stmt>| {
            let mut s = one_by_one.clone();
            s.bodies_mut().into_iter().for_each(|b| b.clone_from(&body));
            s
        };
        let run = self.run(&next, &body, &of);
        let mut ways =
            Stmt::made(StmtKind::If { cond: var(&all), then: vec![of(updates)], other: vec![one_by_one.clone()] });
        together.push(declare(&all, INT, Expr::Int(1)));
        if let Some(run) = run {
            together.extend(run.declared);
            tests.extend(run.tests);
            ways = Stmt::made(StmtKind::If { cond: var(run.same), then: run.joined, other: vec![ways] });
        }
        leave_out_unused(&mut tests);
        together.extend([of(tests), ways]);
    }

    /// One update for all neighbours, where each makes one and nothing but computations before it.
    fn run(&mut self, next: &str, body: &[Stmt], of: &dyn Fn(Vec<Stmt>) -> Stmt) -> Option<Run> {
        let (last, before) = body.split_last()?;
        let (x, value) = self.cell_update(last)?;
        let (ty, op, value) = (x.ty, x.op, value.clone());
        if matches!(ty, ScalarType::Int(_)) && op != ReduceOp::Mul {
            return None;
        }
        let StmtKind::If { other, .. } = &last.kind else { return None };
        let subscripts = &other.last()?.target()?.index;
        if !before.iter().all(|s| matches!(s.kind, StmtKind::Let { .. })) {
            return None;
        }
        let same = self.names.fresh("rt_same");
        let mut declared = vec![declare(&same, INT, Expr::Int(1))];
        let (mut tests, mut renamed) = (vec![], vec![]);
        for at in subscripts {
            let Expr::Var(at) = at else { continue };
            let ty = before.iter().find_map(|s| s.declares().filter(|(name, _)| name == at)).map(|(_, ty)| ty)?;
            // What is assigned to would be no position of 32 bits.
            if ty == ScalarType::Index {
                return None;
            }
            let earlier = self.names.fresh(&format!("{at}_before"));
            declared.push(declare(&earlier, ty, Expr::Int(0)));
            let is_first = binary(BinOp::Eq, var(next), Expr::Int(0));
            tests.push(both(&same, binary(BinOp::Or, is_first, binary(BinOp::Eq, var(at), var(&earlier)))));
            tests.push(Stmt::made(StmtKind::Assign { var: earlier.clone(), op: None, value: var(at) }));
            renamed.push((at.clone(), earlier));
        }
        let sum = self.names.fresh("rt_sum");
        let mut each = before.to_vec();
        each.extend(join(self.names, op, ty, &sum, value).into_iter().map(Stmt::made));
        leave_out_unused(&mut each);
        let mut update = last.clone();
        put(&mut update, &renamed, &sum);
        Some(Run { declared, tests, same, joined: vec![declare(&sum, ty, identity(op, ty)), of(each), update] })
    }

    /// The array and the value of a statement that updates a cell where the element has one.
    fn cell_update<'s>(&self, s: &'s Stmt) -> Option<(&Copied, &'s Expr)> {
        let StmtKind::If { then, .. } = &s.kind else { return None };
        let StmtKind::Atomic { target, value, .. } = &then.last()?.kind else { return None };
        Some((self.arrays.iter().find(|x| x.cells == target.array)?, value))
    }

    /// Puts for each update what `f` makes of its condition and of the update of its cell.
    fn each_update(&self, body: &[Stmt], f: &dyn Fn(&Expr, &[Stmt]) -> Vec<Stmt>) -> Vec<Stmt> {
        let mut out = vec![];
        for s in body {
            match &s.kind {
                StmtKind::If { cond, then, .. } if self.cell_update(s).is_some() => out.extend(f(cond, then)),
                _ => {
                    let mut s = s.clone();
                    s.bodies_mut().into_iter().for_each(|inner| *inner = self.each_update(inner, f));
                    out.push(s);
                }
            }
        }
        out
    }
}

fn declare(name: &str, ty: ScalarType, init: Expr) -> Stmt {
    Stmt::made(StmtKind::Let { var: name.to_string(), ty, init: Some(init) })
}

/// Leaves out the variables that nothing uses.
fn leave_out_unused(body: &mut Vec<Stmt>) {
    for n in (0..body.len()).rev() {
        let StmtKind::Let { var, .. } = &body[n].kind else { continue };
        let mut is_used = false;
        walk::visit(&body[n + 1..], &mut |s| is_used |= s.exprs().into_iter().any(|e| e.mentions(var)));
        if !is_used {
            body.remove(n);
        }
    }
}

/// `flag &= cond`.
fn both(flag: &str, cond: Expr) -> Stmt {
    Stmt::made(StmtKind::Assign { var: flag.to_string(), op: Some(BinOp::BitAnd), value: cond })
}

/// Puts other variables for those of an update, and a sum for its value.
fn put(s: &mut Stmt, renamed: &[(String, String)], sum: &str) {
    let other = |e: &Expr| match e {
        Expr::Var(name) => renamed.iter().find(|(at, _)| at == name).map(|(_, earlier)| var(earlier)),
        _ => None,
    };
    if let StmtKind::Atomic { target: Access { index, .. }, value, .. } = &mut s.kind {
        index.iter_mut().for_each(|e| e.replace(&mut |e| other(e)));
        *value = var(sum);
        return;
    }
    s.exprs_mut().into_iter().for_each(|e| e.replace(&mut |e| other(e)));
    s.bodies_mut().into_iter().flatten().for_each(|s| put(s, renamed, sum));
}
