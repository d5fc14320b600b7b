//! Products of matrices as C++.

use super::super::construct::launches::{self, ProductPays};
use super::super::host_text::Host;
use super::super::spell::spell;
use super::Text;
use crate::diag::Stop;
use crate::kernel::Expr;
use crate::library::product::Product;

impl Host<'_> {
    pub(super) fn product(&self, p: &Product) -> Result<Text, Stop> {
        let at = |e: &Expr| self.out.scope.position_text(e);
        let value = |e: &Expr| self.out.scope.data_text(e);
        let mut sizes = vec![at(&p.rows)?, at(&p.columns)?, at(&p.terms)?];
        if p.count != Expr::Int(1) {
            sizes.push(at(&p.count)?);
        }
        let pays = spell(&ProductPays { sizes: sizes.clone() })?;
        let call = launches::Product {
            line: p.line,
            sizes,
            alpha: value(&p.alpha)?,
            beta: p.beta.as_ref().map(value).transpose()?,
            a: self.operand(&p.a)?,
            b: self.operand(&p.b)?,
            c: self.operand(&p.c)?,
        };
        Ok(Text { pays, call: spell(&call)? })
    }
}
