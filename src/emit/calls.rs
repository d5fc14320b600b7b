//! Calls of a library in an entry: `rt::product(..)`, or, where loading the library has to pay, one of two.
//!
//! ```text
//! if (rt::library_pays({n, m, p}))
//!     rt::product(rt, 5, {n, m, p}, 1.0, rt_a.matrix(0, p, 1), rt_b.matrix(0, m, 1), 1.0, rt_c.matrix(0, m, 1));
//! else
//!     rt.launch("rt_mm_k0", ..);
//! ```

use super::construct::launches::{LibraryCall, Matrix};
use super::entry_names::device_name;
use super::host_text::Host;
use super::spell::spell;
use crate::diag::Stop;
use crate::host_plan::ir::HostStmt;
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
struct Text {
    pays: String,
    call: String,
}

impl Host<'_> {
    /// A call, or what else is done.
    pub(super) fn call(&mut self, call: &Call, otherwise: &[HostStmt]) -> Result<(), Stop> {
        let Text { pays, call } = match call {
            Call::Product(p) => self.product(p)?,
            Call::Sparse(p) => self.sparse(p)?,
            Call::Blas(b) => self.blas(b)?,
            Call::Slices(s) => self.slices(s)?,
            Call::LongRows(r) => self.long_rows(r)?,
            Call::ShortColumns(c) => self.short_columns(c)?,
        };
        let otherwise = self.block(otherwise)?;
        self.push(&LibraryCall { pays, call, otherwise })
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
