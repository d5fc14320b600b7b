//! Numbers in the place of constants.
//!
//! ```text
//! const int U = 8;   for (i = 0; i < n; i += U)   ->   for (i = 0; i < n; i += 8)
//! ```

use super::form::{Context, Form};
use crate::ast::{Expr, ExprKind, UnOp, Unit};

/// Writes the values of constants for their names.
pub fn fold(form: &mut Form, context: &mut Context) {
    form.stmt.exprs_mut(&mut |e| within(e, context.unit));
}

fn within(e: &mut Expr, unit: &Unit) {
    match &e.kind {
        // An address is one of a variable.
        ExprKind::Unary(UnOp::AddrOf, _) => {}
        ExprKind::Var(v) => {
            if let Some(value) = unit.var(*v).value {
                e.kind = ExprKind::Int(value);
            }
        }
        _ => e.children_mut().into_iter().for_each(|x| within(x, unit)),
    }
}
