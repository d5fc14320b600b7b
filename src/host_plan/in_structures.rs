//! Rows whose pointers are members of structures in an array: how far the pointers lie apart, and what else of these structures the
//! region has.
//!
//! ```text
//! for (i...) for (k...) s += p[i].at[k];        the table begins at &p[0].at; rt_p_bytes = sizeof(p[0]) to the next pointer
//! ```

use super::builder::Builder;
use super::ir::{Array, Within};
use crate::ast::{Expr, ExprKind, IntKind, Type};
use crate::facts::symbolic::same_expr;
use crate::kernel::ScalarType;
use crate::poly::names::identifier;
use crate::schedule::lower::{ByValue, Origin};

impl Builder<'_> {
    /// Says of rows in such tables where their pointers lie.
    pub(super) fn find_structures(&mut self, arrays: &mut [Array]) {
        for at in 0..arrays.len() {
            let table = self.names.var(&arrays[at].name).and_then(|v| self.unit.table(v));
            let Some(table) = table.filter(|_| arrays[at].rows.is_some()) else { continue };
            let structure = table.structure();
            let (kind, span) = (ExprKind::SizeOfExpr(Box::new(structure.clone())), structure.span);
            let size = Expr { kind, ty: Type::Int(IntKind::ULong), span };
            let bytes = self.names.fresh(&format!("rt_{}_bytes", identifier(&arrays[at].name)));
            let by = ByValue { ty: ScalarType::Int(IntKind::ULong), origin: Origin::Expr(size) };
            self.used.scalars.insert(bytes.clone(), by);
            let is_beside = |a: &&Array| {
                let record = self.names.var(&a.name).and_then(|v| self.unit.records.iter().find(|r| r.var == v));
                record.is_some_and(|r| same_expr(&r.array, table.array()))
            };
            let beside = arrays.iter().filter(is_beside).map(|a| a.name.clone()).collect();
            if let Some(rows) = &mut arrays[at].rows {
                rows.within = Some(Within { bytes, arrays: beside });
            }
        }
    }
}
