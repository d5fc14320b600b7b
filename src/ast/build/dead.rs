//! Code that never runs: what a constant condition keeps out.
//!
//! ```text
//! if (DEBUG) printf("%d\n", i);          DEBUG is 0     ->     ;
//! do { swap(a, b); } while (0);                         ->     { swap(a, b); }
//! ```
//! What calls of a program's own `printf` stand in it keep no loop on the host. A branch that is left keeps its place: only
//! a block stands for itself, for what is put before a statement of it must stay under the condition that the text has.

use super::constant;
use crate::ast::{BinOp, Expr, ExprKind, Stmt, StmtKind, UnOp, Unit};

/// Leaves it out of every function.
pub(super) fn drop(unit: &mut Unit) {
    let mut functions = std::mem::take(&mut unit.functions);
    functions.iter_mut().for_each(|f| inside(unit, &mut f.body));
    unit.functions = functions;
}

fn inside(unit: &Unit, s: &mut Stmt) {
    let nothing = |s: &Stmt| Stmt { kind: StmtKind::Empty, ..s.clone() };
    match &mut s.kind {
        StmtKind::If { cond, then, other } => match truth(unit, cond) {
            Some(true) if !other.as_deref().is_some_and(Stmt::is_entered_elsewhere) => {
                *other = None;
                if matches!(then.kind, StmtKind::Block(_)) {
                    *s = (**then).clone();
                }
            }
            Some(false) if !then.is_entered_elsewhere() => match other.take() {
                None => *s = nothing(s),
                Some(left) if matches!(left.kind, StmtKind::Block(_)) => *s = *left,
                left => (**then, *other) = (nothing(then), left),
            },
            _ => {}
        },
        StmtKind::While { cond, body } if truth(unit, cond) == Some(false) && !body.is_entered_elsewhere() => {
            *s = nothing(s)
        }
        StmtKind::DoWhile { cond, body }
            if truth(unit, cond) == Some(false)
                && matches!(body.kind, StmtKind::Block(_))
                && !body.exits().leaves_iteration() =>
        {
            *s = (**body).clone();
        }
        _ => {}
    }
    s.stmts_mut().into_iter().for_each(|s| inside(unit, s));
}

/// Test that a condition holds, where constants decide that and nothing else happens on the way.
fn truth(unit: &Unit, e: &Expr) -> Option<bool> {
    match &e.kind {
        ExprKind::Unary(UnOp::Not, a) => truth(unit, a).map(|x| !x),
        ExprKind::Binary(op @ (BinOp::And | BinOp::Or), a, b) => {
            let decides = *op == BinOp::Or;
            match truth(unit, a) {
                Some(first) if first == decides => Some(decides),
                Some(_) => truth(unit, b),
                None => None,
            }
        }
        _ => {
            let mut e = e.clone();
            e.rewrite(&mut |x| {
                if let ExprKind::Var(v) = x.kind
                    && let Some(value) = unit.var(v).value
                {
                    x.kind = ExprKind::Int(value);
                }
            });
            constant::fold(&e).map(|value| value != 0)
        }
    }
}
