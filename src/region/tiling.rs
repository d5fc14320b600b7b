//! Conditions on the tiles that a nest is seen without: they have a length, and fill its loops where the program says
//! so.

use crate::ast::build::ast_builder;
use crate::ast::{BinOp, Expr, ExprKind, Tile, VarId};
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
    let fixed = |reader: &mut Reader, e: &Expr| {
        let p = reader.poly(e).filter(Poly::is_parametric)?;
        Some(if p.is_affine() { p } else { Poly::sym(Sym::Param(reader.params.of_poly(p, e))) })
    };
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
        bounds.push(condition(reader, e).ok_or_else(not_fixed)?);
    }
    bounds.extend(reader.obligations.drain(..).map(Some));
    Ok(bounds.into_iter().flatten().collect())
}

/// Polynomials that must not be negative for the loops over rows and columns to be the one that the program has; of a counter
/// that stands for the rows of one which is taken apart itself, for all of them.
///
/// # Errors
/// Where a size is not fixed.
pub(super) fn of_rows(reader: &mut Reader, rows: VarId, at: Span) -> Result<Vec<Poly>, Reason> {
    let not_fixed = || Reason::new("tiles", "the length of these rows is not fixed over the region", at);
    let (unit, mut out, mut counter) = (reader.unit, vec![], rows);
    while let Some((of, _, conditions)) = unit.split_counters.iter().find(|(_, [rows, _], _)| *rows == counter) {
        for e in conditions {
            out.push(condition(reader, e).flatten().ok_or_else(not_fixed)?);
        }
        counter = *of;
    }
    Ok(out)
}

/// A condition that the call tests; `None` where the region changes what it is of.
fn condition(reader: &mut Reader, e: &Expr) -> Option<Option<Poly>> {
    let mut changes = false;
    e.walk(&mut |e| changes |= matches!(e.kind, ExprKind::Var(v) if reader.written.contains(&v)));
    if changes {
        return None;
    }
    // Between sizes, what is known of one is of use beyond the test.
    if let ExprKind::Binary(BinOp::Ge, x, y) = &e.kind
        && let (Some(x), Some(y), true) = (reader.poly(x), reader.poly(y), reader.obligations.is_empty())
        && let Some(room) = x.plus(&y, -1).filter(|p| p.is_affine() && p.is_parametric())
    {
        return Some(Some(room));
    }
    reader.obligations.clear();
    let holds = Poly::sym(Sym::Param(reader.params.of_expr(e)));
    Some(holds.plus(&Poly::constant(1), -1))
}
