//! Flattened rows: subscripts that go through all rows of an array from its first one, as row and column.
//!
//! ```text
//! for (i...)                                      for (i...)
//!     for (j = 0; j < 100; j++)          ->           for (j = 0; j < 100; j++)
//!         y[i][j] = x[0][i * 100 + j];                    y[i][j] = x[i][j];
//! ```
//! So are the arrays that a function is handed which takes them for rows of one length, `double *x` ([`super::inlining`]). Beside
//! elements by row and column, the same array in one row is in the way of every proof. A subscript is taken apart where what is no
//! multiple of the rows' length is a counter, a constant or the sum of both that lies within a row by the heads of the loops around.

use super::form::{Context, Form};
use super::tile_heads::{Head, bare, head, limits};
use crate::ast::build::ast_builder::{binary, integer};
use crate::ast::build::constant;
use crate::ast::{BinOp, Expr, ExprKind, Stmt, StmtKind, Type, VarId};
use crate::facts::effects;
use crate::facts::header::step_of;
use crate::facts::symbolic::same_expr;

/// Takes such subscripts apart.
pub fn open(form: &mut Form<'_>, _: &mut Context<'_>) {
    if form.has_loop() {
        inside(&mut form.stmt, &mut vec![]);
    }
}

/// A counter with the first value that it has, and its end.
struct Counted {
    counter: VarId,
    first: i64,
    end: Expr,
}

fn inside(s: &mut Stmt, around: &mut Vec<Counted>) {
    let n_around = around.len();
    around.extend(counted(s));
    match &mut s.kind {
        StmtKind::Block(_) | StmtKind::For { .. } => {}
        StmtKind::If { cond, .. } => cond.rewrite(&mut |e| take_apart(e, around)),
        _ => {
            s.exprs_mut(&mut |e| e.rewrite(&mut |e| take_apart(e, around)));
            return around.truncate(n_around);
        }
    }
    s.stmts_mut().into_iter().for_each(|s| inside(s, around));
    around.truncate(n_around);
}

/// A loop that goes up by one, and moves its counter nowhere else.
fn counted(s: &Stmt) -> Option<Counted> {
    let (Head { counter, first, cond, step, .. }, body) = head(s)?;
    let [limit] = limits(cond, counter)?[..] else { return None };
    let first = constant::fold(first).filter(|first| *first >= 0)?;
    let is_steady = step_of(step, counter) == Some(1) && !effects::assigned([body]).contains(&counter);
    let end = match (limit.is_inclusive, constant::fold(limit.end)) {
        (false, _) => bare(limit.end).clone(),
        (true, Some(last)) => integer(last.checked_add(1)?, limit.end.span),
        (true, None) => return None,
    };
    is_steady.then_some(Counted { counter, first, end })
}

/// Takes `x[0][k]` apart, where `x[0]` is the first row of an array.
fn take_apart(e: &mut Expr, around: &[Counted]) {
    let ExprKind::Index(row, at) = &mut e.kind else { return };
    let Type::Array { len: Some(length), .. } = &row.ty else { return };
    let length = (**length).clone();
    let ExprKind::Index(_, first) = &mut row.kind else { return };
    if !matches!(first.kind, ExprKind::Int(0)) {
        return;
    }
    let Some((rows, column)) = apart(at, &length, around) else { return };
    (**first, **at) = (rows, column);
    take_apart(row, around);
}

/// The row and the column that a subscript leads to.
fn apart(at: &Expr, length: &Expr, around: &[Counted]) -> Option<(Expr, Expr)> {
    let mut sum = Sum { length, rows: None, column: None, counters: vec![], constant: 0 };
    sum.add(at, BinOp::Add)?;
    let rows = sum.rows?;
    let is_within = match sum.counters[..] {
        [] => constant::fold(length).is_some_and(|n| (0..n).contains(&sum.constant)),
        [v] => {
            let Counted { first, end, .. } = around.iter().rfind(|l| l.counter == v)?;
            let last = constant::fold(end).map(|end| end - 1 + sum.constant);
            let is_short = last.zip(constant::fold(length)).is_some_and(|(last, n)| last < n);
            first + sum.constant >= 0 && (is_short || (sum.constant <= 0 && same_expr(end, bare(length))))
        }
        _ => false,
    };
    let column = sum.column.unwrap_or_else(|| integer(0, at.span));
    is_within.then_some((rows, column))
}

/// A subscript as a multiple of the rows' length, and what is left.
struct Sum<'a> {
    length: &'a Expr,
    rows: Option<Expr>,
    column: Option<Expr>,
    /// Counters in the column, and the sum of the constants.
    counters: Vec<VarId>,
    constant: i64,
}

impl Sum<'_> {
    fn add(&mut self, e: &Expr, op: BinOp) -> Option<()> {
        let e = bare(e);
        if !matches!(e.ty, Type::Int(kind) if !kind.is_unsigned()) {
            return None;
        }
        if let Some(rows) = self.multiple(e) {
            join(&mut self.rows, op, rows);
            return Some(());
        }
        match &e.kind {
            ExprKind::Binary(BinOp::Add, a, b) => {
                self.add(a, op)?;
                self.add(b, op)
            }
            ExprKind::Binary(BinOp::Sub, a, b) => {
                self.add(a, op)?;
                self.add(b, if op == BinOp::Add { BinOp::Sub } else { BinOp::Add })
            }
            ExprKind::Var(v) if op == BinOp::Add => {
                self.counters.push(*v);
                join(&mut self.column, op, e.clone());
                Some(())
            }
            _ => {
                let n = constant::fold(e)?;
                self.constant = self.constant.checked_add(if op == BinOp::Add { n } else { n.checked_neg()? })?;
                join(&mut self.column, op, e.clone());
                Some(())
            }
        }
    }

    /// By what the length is multiplied in a product.
    fn multiple(&self, e: &Expr) -> Option<Expr> {
        if let (Some(n), Some(length)) = (constant::fold(e), constant::fold(self.length)) {
            return (n != 0 && length > 0 && n % length == 0).then(|| integer(n / length, e.span));
        }
        let ExprKind::Binary(BinOp::Mul, a, b) = &e.kind else { return None };
        for (x, by) in [(a, b), (b, a)] {
            if same_expr(bare(by), bare(self.length)) {
                return Some((**x).clone());
            }
            if let Some(n) = self.multiple(by) {
                return Some(if constant::fold(&n) == Some(1) {
                    (**x).clone()
                } else {
                    binary(BinOp::Mul, (**x).clone(), n)
                });
            }
        }
        None
    }
}

fn join(sum: &mut Option<Expr>, op: BinOp, e: Expr) {
    *sum = Some(match (sum.take(), op) {
        (Some(sum), op) => binary(op, sum, e),
        (None, BinOp::Add) => e,
        (None, op) => binary(op, integer(0, e.span), e),
    });
}
