//! Sums over the entries of rows that kernels have, as loops which may be divided.

use crate::ast::BinOp;
use crate::host_plan::passes::row_loop::{is_position, row_loop};
use crate::kernel::{Expr, Kernel, ScalarType, Stmt, StmtKind, simplify, walk};
use crate::schedule::index::var;

/// Rows that kernels go through: where they begin, the first and one past the last.
#[derive(Clone, PartialEq)]
pub(super) struct Rows {
    pub(super) start: String,
    pub(super) first: Expr,
    pub(super) last: Expr,
}

/// A loop of a kernel over the entries of a row that adds to variables of the thread.
pub(super) struct RowSum {
    pub(super) rows: Rows,
    /// Lists of statements that lead to it: the one of the kernel's that has the threads' share, and the position there of the
    /// loop's counter, behind which the loop stands.
    pub(super) share: usize,
    pub(super) at: usize,
    pub(super) row: Expr,
    pub(super) counter: (String, ScalarType),
    pub(super) body: Vec<Stmt>,
    pub(super) line: u32,
    pub(super) sums: Vec<(String, ScalarType)>,
    /// An array that it reads by the entry's number.
    pub(super) entries: String,
}

/// The loops over rows of a kernel whose threads have a row each, in the order in which they stand.
pub(super) fn row_sums(kernel: &Kernel) -> Vec<RowSum> {
    let find = |share: usize| {
        let shared = Shared::of(kernel, share)?;
        let pairs = 0..shared.list.len().saturating_sub(1);
        Some(pairs.filter_map(|at| shared.row_sum(at)).collect::<Vec<_>>())
    };
    (0..kernel.body.len()).find_map(find).unwrap_or_default()
}

/// The statements that threads run for positions that follow each other.
struct Shared<'a> {
    kernel: &'a Kernel,
    /// Where they stand in the kernel, and the list.
    share: usize,
    list: &'a [Stmt],
    /// The position's variable, its first value and one past the last.
    position: &'a str,
    first: Expr,
    last: Expr,
}

impl<'a> Shared<'a> {
    /// A loop from the thread's position on by steps of all threads, or `if (i < n)` with the thread's position `i`, which may
    /// begin before the first: `if (i < n && 1 <= i)`.
    fn of(kernel: &'a Kernel, share: usize) -> Option<Self> {
        let (position, from, least, last, list) = match &kernel.body[share].kind {
            StmtKind::For { var, lo, hi, body, .. } => (var, lo, None, hi, body),
            StmtKind::If { cond, then, other } if other.is_empty() => {
                let (i, last, least) = bounds(cond)?;
                let is_position = |s: &'a Stmt| match &s.kind {
                    StmtKind::Let { var, init: Some(init), .. } if var == i => Some(init),
                    _ => None,
                };
                (i, kernel.body[..share].iter().find_map(is_position)?, least, last, then)
            }
            _ => return None,
        };
        if kernel.block.len() != 1 || !is_position(from, 0) {
            return None;
        }
        let mut first = from.clone();
        first.replace(&mut |e| matches!(e, Expr::BlockIdx(_) | Expr::ThreadIdx(_)).then_some(Expr::Int(0)));
        simplify::index_expr(&mut first);
        let first = match (&first, least) {
            (_, None) => first,
            (Expr::Int(first), Some(least)) if *first <= least => Expr::Int(least),
            _ => return None,
        };
        Some(Shared { kernel, share, list, position, first, last: last.clone() })
    }

    /// The sum over a row whose counter is declared at a place of the list.
    fn row_sum(&self, at: usize) -> Option<RowSum> {
        let found = row_loop(self.kernel, &self.list[at], &self.list[at + 1])?;
        let StmtKind::Let { var: k, ty, .. } = &self.list[at].kind else { return None };
        let StmtKind::While { body, .. } = &self.list[at + 1].kind else { return None };
        let is_used_behind = self.list[at + 2..].iter().any(|s| mentions(s, k));
        let ahead = || self.kernel.body[..self.share].iter().chain(&self.list[..at]);
        let mut is_stored = false;
        ahead().for_each(|s| {
            s.visit(&mut |s| is_stored |= s.target().is_some_and(|target| walk::loads(body, &target.array)));
        });
        if is_used_behind || is_stored {
            return None;
        }
        let sums = self.sums(body, k)?;
        let position = self.resolved(&found.row);
        let at_position = |value: &Expr| {
            let mut e = position.clone();
            e.replace(&mut |e| matches!(e, Expr::Var(name) if name == self.position).then(|| value.clone()));
            simplify::index_expr(&mut e);
            e
        };
        let is_one_by_one = is_moved(&position, self.position);
        let rows = Rows { start: found.start, first: at_position(&self.first), last: at_position(&self.last) };
        let entries = found.entries.into_iter().next()?;
        let (row, counter, line) = (found.row, (k.clone(), *ty), self.list[at + 1].line);
        is_one_by_one.then(|| RowSum {
            rows,
            share: self.share,
            at,
            row,
            counter,
            body: body.clone(),
            line,
            sums,
            entries,
        })
    }

    /// A row's number over the position.
    fn resolved(&self, row: &Expr) -> Expr {
        let mut e = row.clone();
        for s in self.list.iter().rev().chain(self.kernel.body.iter().rev()) {
            if let StmtKind::Let { var, ty: ScalarType::Index, init: Some(init) } = &s.kind
                && var != self.position
            {
                e.replace(&mut |e| matches!(e, Expr::Var(name) if name == var).then(|| init.clone()));
            }
        }
        e
    }

    /// The variables that the body of a loop adds to, if it does nothing else and depends on nothing but the entry.
    fn sums(&self, body: &[Stmt], k: &str) -> Option<Vec<(String, ScalarType)>> {
        let own = walk::declared(body);
        let mut sums: Vec<(String, ScalarType)> = vec![];
        let mut fits = true;
        walk::visit(body, &mut |s| match &s.kind {
            StmtKind::Let { .. } | StmtKind::If { .. } => {}
            StmtKind::Assign { var, .. } if own.contains(var) => {}
            StmtKind::Assign { var, op: Some(BinOp::Add | BinOp::Sub), .. } => {
                let ty = declared_type(self.kernel, var);
                fits &= ty.is_some_and(|ty| matches!(ty, ScalarType::Float(_)));
                if let (Some(ty), false) = (ty, sums.iter().any(|(name, _)| name == var)) {
                    sums.push((var.clone(), ty));
                }
            }
            _ => fits = false,
        });
        let is_known = |name: &String| {
            own.contains(name)
                || name == k
                || self.kernel.scalars.iter().any(|p| p.name == *name)
                || self.kernel.arrays.iter().any(|a| a.name == *name)
        };
        let is_foreign = |e: &Expr| match e {
            Expr::Var(name) => !is_known(name),
            Expr::Load(access) => !is_known(&access.array),
            Expr::BlockIdx(_) | Expr::ThreadIdx(_) | Expr::GridSize(_) | Expr::GoesOn | Expr::Aligned { .. } => true,
            _ => false,
        };
        walk::visit(body, &mut |s| {
            fits &= !s.exprs().into_iter().any(|e| e.any(&mut |e| is_foreign(e)));
        });
        (fits && !sums.is_empty()).then_some(sums)
    }
}

/// `i`, `n` and the least of `i < n`, or of `i < n && least <= i`.
fn bounds(cond: &Expr) -> Option<(&String, &Expr, Option<i64>)> {
    match cond {
        Expr::Binary(BinOp::Lt, i, last) => match &**i {
            Expr::Var(i) => Some((i, &**last, None)),
            _ => None,
        },
        Expr::Binary(BinOp::And, upper, lower) => {
            let (i, last, _) = bounds(upper)?;
            let Expr::Binary(BinOp::Le, least, of) = &**lower else { return None };
            match (&**least, &**of) {
                (Expr::Int(least), Expr::Var(name)) if name == i => Some((i, last, Some(*least))),
                _ => None,
            }
        }
        _ => None,
    }
}

fn declared_type(kernel: &Kernel, name: &str) -> Option<ScalarType> {
    let mut found = None;
    walk::visit(&kernel.body, &mut |s| {
        found = found.or(s.declares().filter(|(declared, _)| *declared == name).map(|(_, ty)| ty));
    });
    found
}

/// The variable, or it and something that the host knows.
fn is_moved(e: &Expr, position: &str) -> bool {
    let is = |e: &Expr| *e == var(position);
    match e {
        Expr::Binary(BinOp::Add, a, b) => is(a) && !b.mentions(position) || is(b) && !a.mentions(position),
        Expr::Binary(BinOp::Sub, a, b) => is(a) && !b.mentions(position),
        e => is(e),
    }
}

fn mentions(s: &Stmt, name: &str) -> bool {
    let mut found = false;
    s.visit(&mut |s| {
        found |= s.assigns().contains(&name) || s.exprs().into_iter().any(|e| e.mentions(name));
    });
    found
}
