//! Loops over the entries of a sparse matrix's row, as kernels have them.

use crate::ast::BinOp;
use crate::kernel::{Expr, Kernel, Stmt, StmtKind, Usage, walk};
use crate::schedule::index::{add, var};
use std::collections::BTreeSet;

/// A loop over a row's entries, as a kernel has it: `k` from `start[row]` to `start[row + 1]`.
pub(super) struct RowLoop {
    pub(super) start: String,
    pub(super) row: Expr,
    /// Flag: neighbouring rows are in neighbouring threads.
    pub(super) is_each_threads: bool,
    /// Arrays that it reads at `[k]` alone.
    pub(super) entries: BTreeSet<String>,
}

/// `k = start[row]; for (; k < start[row + 1]; k += 1) ..`
pub(super) fn row_loop(kernel: &Kernel, before: &Stmt, s: &Stmt) -> Option<RowLoop> {
    let StmtKind::Let { var: k, init: Some(Expr::Load(first)), .. } = &before.kind else { return None };
    let StmtKind::While { cond: Expr::Binary(BinOp::Lt, counter, end), step, body } = &s.kind else { return None };
    let (Expr::Var(counter), Expr::Load(end)) = (&**counter, &**end) else { return None };
    let [row] = first.index.as_slice() else { return None };
    let next = [add(row.clone(), Expr::Int(1))];
    let one_by_one = matches!(step.as_slice(), [Stmt { kind: StmtKind::Assign { var, op: Some(BinOp::Add), value: Expr::Int(1) }, .. }] if var == k);
    let is_row = counter == k && end.array == first.array && end.index == next && one_by_one;
    let is_usage = |array: &str| kernel.arrays.iter().any(|a| a.name == array && a.usage == Usage::Read);
    if !is_row || !is_usage(&first.array) || assigns(body, k) {
        return None;
    }
    let (mut at_k, mut elsewhere) = (BTreeSet::new(), BTreeSet::from([first.array.clone()]));
    let mut look = |e: &Expr| {
        e.any(&mut |e| {
            if let Expr::Load(a) = e {
                let set = if a.index == [var(k)] { &mut at_k } else { &mut elsewhere };
                set.insert(a.array.clone());
            }
            false
        });
    };
    walk::visit(body, &mut |s| s.exprs().into_iter().for_each(&mut look));
    let entries = at_k.into_iter().filter(|a| is_usage(a) && !elsewhere.contains(a)).collect();
    let is_each_threads = is_each_threads(kernel, row);
    Some(RowLoop { start: first.array.clone(), row: row.clone(), is_each_threads, entries })
}

/// Finds the loops over rows in a kernel.
pub(super) fn visit_row_loops(kernel: &Kernel, f: &mut dyn FnMut(RowLoop)) {
    let mut lists = vec![&kernel.body];
    while let Some(list) = lists.pop() {
        lists.extend(list.iter().flat_map(Stmt::bodies));
        for pair in list.windows(2) {
            if let Some(found) = row_loop(kernel, &pair[0], &pair[1]) {
                f(found);
            }
        }
    }
}

fn assigns(body: &[Stmt], name: &str) -> bool {
    let mut found = false;
    walk::visit(body, &mut |s| found |= matches!(&s.kind, StmtKind::Assign { var, .. } if var == name));
    found
}

/// Test that a row's number follows the thread's, one by one: `i`, declared as the thread's position, or so much behind it.
fn is_each_threads(kernel: &Kernel, row: &Expr) -> bool {
    let is_same = |e: &Expr| match e {
        Expr::Int(_) => true,
        Expr::Var(name) => kernel.scalars.iter().any(|s| s.name == *name),
        _ => false,
    };
    let name = match row {
        Expr::Var(name) => name,
        Expr::Binary(BinOp::Add, a, b) if is_same(a) => return is_each_threads(kernel, b),
        Expr::Binary(BinOp::Add | BinOp::Sub, a, b) if is_same(b) => return is_each_threads(kernel, a),
        _ => return false,
    };
    let last = kernel.block.len() - 1;
    let mut follows = false;
    walk::visit(&kernel.body, &mut |s| match &s.kind {
        StmtKind::Let { var, init: Some(e), .. } if var == name => {
            follows |= is_position(e, last) || is_each_threads(kernel, e);
        }
        StmtKind::For { var, lo, .. } if var == name => follows |= is_position(lo, last),
        _ => {}
    });
    follows
}

/// Test that an expression is a thread's position and something that all threads of the block have alike.
pub(super) fn is_position(e: &Expr, dim: usize) -> bool {
    let is_thread = |e: &Expr| *e == Expr::ThreadIdx(dim);
    match e {
        Expr::Binary(BinOp::Add, a, b) => {
            let others = |e: &Expr| e.any(&mut |e| matches!(e, Expr::ThreadIdx(_)));
            (is_position(a, dim) && !others(b)) || (is_position(b, dim) && !others(a))
        }
        Expr::Cast(_, e) => is_position(e, dim),
        e => is_thread(e),
    }
}
