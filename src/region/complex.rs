//! Complex numbers that were not taken apart: said where they stand, and other loops of the same function, and of the same
//! file, convert. Those of variables and arrays are pairs of reals since the AST was built (`src/ast/build/complex.rs`).

use crate::ast::visit::Piece;
use crate::ast::{Expr, ExprKind, Stmt, Unit};
use crate::facts::arrays::element_type;
use crate::facts::{Reason, remedy};
use crate::source::Span;

/// Checks that no complex number is left in statements.
///
/// # Errors
/// The first place of one.
pub fn check(unit: &Unit, stmts: &[&Stmt]) -> Result<(), Reason> {
    let mut found: Option<Span> = None;
    for s in stmts {
        s.walk(&mut |piece| {
            if let Piece::Expr(Expr { ty, span, kind }) = piece {
                // An expression that is not modelled says so itself.
                let is_left = ty.is_complex() && !matches!(kind, ExprKind::Unmodelled(_));
                found = found.or(is_left.then_some(*span));
            }
        });
    }
    let Some(place) = found else { return Ok(()) };
    if unit.vars.iter().all(|v| !element_type(&v.ty).is_complex()) {
        return Ok(());
    }
    let message = "this complex number is used in a way that is not modelled";
    Err(Reason::new("complex", message, place).help(remedy!(
        "keep it in an array or in a variable whose address is not taken, and compute with + - * /, conj, creal, cimag, cabs, \
         carg, csqrt, cexp, clog, cpow and functions of the same file")))
}
