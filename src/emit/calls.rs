//! Calls of a library in an entry: `rt::product(..)`, or, where loading the library has to pay, one of two.
//!
//! ```text
//! if (rt::library_pays({n, m, p}))
//!     rt::product(rt, 5, {n, m, p}, 1.0, rt_a.matrix(0, p, 1), rt_b.matrix(0, m, 1), 1.0, rt_c.matrix(0, m, 1));
//! else
//!     rt.launch("rt_mm_k0", ..);
//! ```

use super::construct::launches::Matrix;
use super::entry_names::device_name;
use super::host_text::Host;
use super::spell::spell;
use crate::diag::Stop;
use crate::kernel::Expr;
use crate::library::call::Call;
use crate::library::operand::Operand;

mod blas;
mod long_rows;
mod product;
mod short_columns;
mod slices;
mod sparse;

/// A call as C++: when the library pays, and the statement.
pub(super) struct Text {
    pub pays: String,
    pub call: String,
}

impl Host<'_> {
    pub(super) fn call(&mut self, call: &Call) -> Result<(), Stop> {
        let text = self.call_text(call)?.call;
        self.out.lines.push(&text);
        Ok(())
    }

    pub(super) fn call_text(&self, call: &Call) -> Result<Text, Stop> {
        match call {
            Call::Product(p) => self.product(p),
            Call::Sparse(p) => self.sparse(p),
            Call::Blas(b) => self.blas(b),
            Call::Slices(s) => self.slices(s),
            Call::LongRows(r) => self.long_rows(r),
            Call::ShortColumns(c) => self.short_columns(c),
        }
    }

    fn operand(&self, x: &Operand) -> Result<String, Stop> {
        let at = |e: &Expr| self.out.scope.position_text(e);
        let mut places = vec![at(&x.first)?, at(&x.row)?, at(&x.column)?];
        if x.batch != Expr::Int(0) {
            places.push(at(&x.batch)?);
        }
        spell(&Matrix { array: device_name(self.region, self.array(&x.array)?), places })
    }
}
