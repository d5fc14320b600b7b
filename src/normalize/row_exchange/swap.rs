//! Two rows that change places by their pointers.

use crate::ast::{Expr, ExprKind, Stmt, StmtKind, Type, VarId};
use crate::facts::effects;
use crate::facts::header::first_value;
use crate::facts::symbolic::same_expr;
use crate::source::Span;

/// `held = matrix[p]; matrix[p] = matrix[q]; matrix[q] = held;`
pub struct Swap {
    pub matrix: VarId,
    pub held: VarId,
    pub p: Expr,
    pub q: Expr,
    pub span: Span,
}

impl Swap {
    /// Meaning of three statements.
    pub fn of(list: &[Stmt]) -> Option<Swap> {
        let [first, second, third] = list else { return None };
        let (held, taken) = first_value(first)?;
        let (matrix, p) = row(taken)?;
        let (to, from) = stored(second)?;
        let (back, last) = stored(third)?;
        let ((m, to), (n, from), (o, back)) = (row(to)?, row(from)?, row(back)?);
        let is_one = [m, n, o].iter().all(|v| *v == matrix) && last.is_var(held);
        let is_swap =
            is_one && same_expr(p, to) && same_expr(from, back) && [p, from].into_iter().all(effects::is_plain);
        let is_swap = is_swap && !p.mentions(held) && !from.mentions(held);
        is_swap.then(|| Swap { matrix, held, p: p.clone(), q: from.clone(), span: first.span })
    }
}

/// `matrix[i]`, a pointer.
fn row(e: &Expr) -> Option<(VarId, &Expr)> {
    let ExprKind::Index(base, at) = &e.kind else { return None };
    let ExprKind::Var(v) = base.kind else { return None };
    matches!(e.ty, Type::Pointer { .. }).then_some((v, &**at))
}

/// `target = value;`
fn stored(s: &Stmt) -> Option<(&Expr, &Expr)> {
    match &s.kind {
        StmtKind::Expr(Expr { kind: ExprKind::Assign { op: None, target, value }, .. }) => Some((target, value)),
        _ => None,
    }
}
