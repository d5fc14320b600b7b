//! Arrays whose rows the host has behind pointers: where each row is, and what of it is live.
//!
//! ```text
//! rt::fit(a_host, sizeof(double), {&rt_a_extent1});     rows as long as what is on the device already
//! rt::rows a_rows(a_host, {n, rt_a_extent1}, sizeof(double), 1);
//! for (long rt_row0 = 0; rt_row0 < n; rt_row0++) {
//!     a_rows.add(((double *const *)a_host)[rt_row0], {nullptr, nullptr, rt_row0 * rt_a_extent1, 0, m, 0, m});
//! }
//! ```

use super::construct::host::{self, Fit, Row};
use super::construct::statements::Loop;
use super::entry_names::{beside, rows_name};
use super::host_text::Host;
use super::spell::spell;
use super::{layout, names};
use crate::ast::BinOp;
use crate::diag::Stop;
use crate::host_plan::ir::{Array, Region, Rows};
use crate::kernel::{Expr, ScalarType};

impl Host<'_> {
    /// How long the rows are that pointers lead to; where they stay on the device, as long as they are there.
    pub(super) fn row_lengths(&mut self, may_find: bool) -> Result<(), Stop> {
        let region = self.region;
        let staying = region.arrays.iter().filter(|a| may_find && region.leaves && a.may_stay() && a.rows.is_some());
        let mut fitted: Vec<(&Array, Vec<&str>)> = staying.map(|a| (a, symbols(region, a))).collect();
        fitted.retain(|(_, symbols)| symbols.iter().any(|s| !s.is_empty()));
        for (name, value) in &region.lengths {
            let value = self.out.scope.position_text(value)?;
            let changes = fitted.iter().any(|(_, symbols)| symbols.contains(&name.as_str()));
            self.declare(!changes, ScalarType::Index, names::spell(name), value)?;
        }
        for (a, symbols) in fitted {
            let lengths = symbols.into_iter().map(names::spell).collect();
            let (table, r#type) = (beside(region, &a.name, "host"), names::cxx_type(a.ty, 64));
            self.push(&Fit { table, r#type, lengths })?;
        }
        Ok(())
    }

    /// Where the host has the rows that are reached through pointers, and what of each is live: a list for each array.
    ///
    /// # Errors
    /// As [`super::scope::Scope::text`].
    pub fn rows(&mut self) -> Result<(), Stop> {
        let region = self.region;
        for a in &region.arrays {
            let Some(rows) = &a.rows else { continue };
            let (list, table, r#type) =
                (rows_name(region, a), beside(region, &a.name, "host"), names::cxx_type(a.ty, 64));
            let mut live = Vec::new();
            for range in [&rows.live_in, &rows.live_out] {
                let (first, last) = self.range(a, range.clone())?.unwrap_or(("0".into(), "0".into()));
                live.extend([first, last]);
            }
            let subscripts = rows.subscripts.iter().map(|row| names::spell(&row.name)).collect();
            let position = self.out.scope.position_text(&row_position(a, rows))?;
            let bytes = rows.within.as_ref().map(|w| names::spell(&w.bytes));
            let mut loops =
                spell(&Row { rows: &list, table: &table, r#type, bytes: bytes.clone(), subscripts, position, live })?;
            for row in rows.subscripts.iter().rev() {
                let head = self.out.head(&row.name, &row.first, &row.last, &Expr::Int(1))?;
                loops = spell(&Loop { body: layout::block(&loops), ..head })?;
            }
            let extents = a.extents.iter().map(|e| self.number(a, e)).collect::<Result<_, _>>()?;
            self.push(&host::Rows {
                rows: list,
                table,
                extents,
                r#type,
                n_pointers: rows.subscripts.len(),
                bytes,
                loops,
            })?;
        }
        Ok(())
    }
}

/// The computed lengths among an array's extents behind the outermost; nothing where one is the user's.
fn symbols<'a>(region: &Region, a: &'a Array) -> Vec<&'a str> {
    let symbol = |e: &'a Expr| match e {
        Expr::Var(name) if region.lengths.iter().any(|(length, _)| length == name) => name,
        _ => "",
    };
    a.extents.iter().skip(1).map(symbol).collect()
}

/// Where on the device a row begins.
fn row_position(a: &Array, rows: &Rows) -> Expr {
    let inner = a.extents.iter().skip(1).cloned().chain([Expr::Int(1)]);
    let by = |op, x: Expr, y: Expr| Expr::Binary(op, x.into(), y.into());
    let mut position = None;
    for (k, extent) in inner.enumerate().take(a.extents.len()) {
        let here = rows.subscripts.get(k).map(|r| Expr::Var(r.name.clone()));
        let sum = match (position, here) {
            (Some(p), Some(here)) => Some(by(BinOp::Add, p, here)),
            (p, here) => p.or(here),
        };
        position = sum.map(|p| if extent == Expr::Int(1) { p } else { by(BinOp::Mul, p, extent) });
    }
    position.unwrap_or(Expr::Int(0))
}
