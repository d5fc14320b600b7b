//! Complex numbers of C99 in a region: not modelled, and said so where they stand. Other loops of the same function, and
//! of the same file, convert.

use super::Reason;
use super::extract::element_type;
use crate::ast::visit::Piece;
use crate::ast::{Stmt, StmtKind, Unit};
use crate::source::Span;

/// Checks that statements compute with no complex numbers.
///
/// # Errors
/// The first place of one.
pub fn check(unit: &Unit, stmts: &[&Stmt]) -> Result<(), Reason> {
    let mut found: Option<Span> = None;
    for s in stmts {
        s.walk(&mut |piece| {
            let place = match piece {
                Piece::Expr(e) => element_type(&e.ty).is_complex().then_some(e.span),
                Piece::Stmt(Stmt { kind: StmtKind::Decl(ds), span, .. }) => {
                    let is_complex = ds.iter().any(|d| element_type(&unit.var(d.var).ty).is_complex());
                    is_complex.then_some(*span)
                }
                Piece::Stmt(_) => None,
            };
            found = found.or(place);
        });
    }
    let Some(place) = found else { return Ok(()) };
    let message = "complex numbers of C are not modelled";
    Err(Reason::new("complex", message, place).help(
        "keep them in structures of two numbers, `struct { double re, im; }`, and spell out what is computed of these",
    ))
}
