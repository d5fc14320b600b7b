//! Conditions on the tiles that a nest is seen without: they have a length, and fill its loops where the program says
//! so.

use crate::ast::build::ast_builder;
use crate::ast::{BinOp, Expr, ExprKind, Tile};
use crate::facts::Reason;
use crate::facts::symbolic::{Poly, Reader, Sym};
use crate::source::Span;

/// The longest tile: a counter that is one further does not wrap.
const LONGEST: i64 = 1 << 30;

/// Polynomials that must not be negative for the loop over all points to be those over the tiles.
///
/// # Errors
/// Where a length is not fixed.
pub(super) fn obligations(reader: &mut Reader, tile: &Tile, at: Span) -> Result<Vec<Poly>, Reason> {
    let not_fixed = || Reason::new("tiles", "the length of these tiles is not fixed over the region", at);
    let fixed = |reader: &mut Reader, e: &Expr| reader.poly(e).filter(|p| p.is_affine() && p.is_parametric());
    let size = fixed(reader, &tile.size).ok_or_else(not_fixed)?;
    let mut bounds = vec![size.plus(&Poly::constant(1), -1), Poly::constant(LONGEST).plus(&size, -1)];
    if let Some(points) = &tile.covers {
        let covered = ast_builder::binary(BinOp::Div, points.clone(), tile.size.clone());
        let covered = ast_builder::binary(BinOp::Mul, covered, tile.size.clone());
        let covered = Poly::sym(Sym::Param(reader.params.of_expr(&covered)));
        let points = fixed(reader, points).ok_or_else(not_fixed)?;
        bounds.extend([covered.plus(&points, -1), points.plus(&covered, -1)]);
    }
    for e in &tile.conditions {
        let mut changes = false;
        e.walk(&mut |e| changes |= matches!(e.kind, ExprKind::Var(v) if reader.written.contains(&v)));
        if changes {
            return Err(not_fixed());
        }
        let holds = Poly::sym(Sym::Param(reader.params.of_expr(e)));
        bounds.push(holds.plus(&Poly::constant(1), -1));
    }
    bounds.extend(reader.obligations.drain(..).map(Some));
    Ok(bounds.into_iter().flatten().collect())
}
