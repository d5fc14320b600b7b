//! Arrays whose rows the host has behind pointers: where each row is, and what of it is live.
//!
//! ```text
//! rt::fit(a_host, sizeof(double), {&rt_a_extent1});     rows as long as what is on the device already
//! rt::rows a_rows(a_host, {n, rt_a_extent1}, sizeof(double), 1);
//! for (long rt_row0 = 0; rt_row0 < n; rt_row0++) {
//!     a_rows.add(((double *const *)a_host)[rt_row0], {nullptr, nullptr, rt_row0 * rt_a_extent1, 0, m, 0, m});
//! }
//! ```

use super::host_text::{Host, beside};
use super::names;
use crate::ast::BinOp;
use crate::dag::plan::{Array, Region, Rows};
use crate::diag::Stop;
use crate::kernel::{Expr, ScalarType};

impl Host<'_> {
    /// How long the rows are that pointers lead to; where they stay on the device, as long as they are there.
    pub(super) fn row_lengths(&mut self, may_find: bool) -> Result<(), Stop> {
        let region = self.region;
        let staying = region.arrays.iter().filter(|a| may_find && region.leaves && a.may_stay && a.rows.is_some());
        let mut fitted: Vec<(&Array, Vec<&str>)> = staying.map(|a| (a, symbols(region, a))).collect();
        fitted.retain(|(_, symbols)| symbols.iter().any(|s| !s.is_empty()));
        for (name, value) in &region.lengths {
            let value = self.out.scope.position_text(value)?;
            let changes = fitted.iter().any(|(_, symbols)| symbols.contains(&name.as_str()));
            let constness = if changes { "" } else { "const " };
            let ty = names::cxx_type(ScalarType::Index, 64);
            self.push(format!("{constness}{ty} {} = {value};", names::spell(name)));
        }
        for (a, symbols) in fitted {
            let address = |s: &str| if s.is_empty() { "nullptr".to_string() } else { format!("&{}", names::spell(s)) };
            let lengths: Vec<String> = symbols.into_iter().map(address).collect();
            let (table, ty) = (beside(region, &a.name, "host"), names::cxx_type(a.ty, 64));
            self.push(format!("rt::fit({table}, sizeof({ty}), {{{}}});", lengths.join(", ")));
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
            let (list, ty) = (rows_name(region, a), names::cxx_type(a.ty, 64));
            let table = beside(region, &a.name, "host");
            let extents = a.extents.iter().map(|e| self.number(a, e)).collect::<Result<Vec<_>, _>>()?.join(", ");
            self.push(format!("rt::rows {list}({table}, {{{extents}}}, sizeof({ty}), {});", rows.subscripts.len()));
            for row in &rows.subscripts {
                let head = self.out.for_head(&row.name, &row.first, &row.last, &Expr::Int(1))?;
                self.out.lines.open(&head, 0);
            }
            let stars = "*const ".repeat(rows.subscripts.len());
            let subscripts: String = rows.subscripts.iter().map(|r| format!("[{}]", names::spell(&r.name))).collect();
            let pointer = format!("(({ty} {stars}*){table}){subscripts}");
            let mut row = vec![
                "nullptr".to_string(),
                "nullptr".to_string(),
                self.out.scope.position_text(&row_position(a, rows))?,
            ];
            for live in [&rows.live_in, &rows.live_out] {
                let (first, last) = self.range(a, live.clone())?.unwrap_or(("0".into(), "0".into()));
                row.extend([first, last]);
            }
            self.out.lines.push_list(&format!("{list}.add({pointer}, {{"), &row, "});");
            rows.subscripts.iter().for_each(|_| self.out.lines.close());
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

/// The list of an array's rows on the host.
pub fn rows_name(region: &Region, a: &Array) -> String {
    beside(region, &a.name, "rows")
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
