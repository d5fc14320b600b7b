//! Products of matrices as C++.

use super::super::host_text::Host;
use super::Text;
use crate::diag::Stop;
use crate::kernel::Expr;
use crate::library::product::Product;

impl Host<'_> {
    pub(super) fn product(&self, p: &Product) -> Result<Text, Stop> {
        let at = |e: &Expr| self.out.scope.position_text(e);
        let mut size = vec![at(&p.rows)?, at(&p.columns)?, at(&p.terms)?];
        if p.count != Expr::Int(1) {
            size.push(at(&p.count)?);
        }
        let size = format!("{{{}}}", size.join(", "));
        let value = |e: &Expr| self.out.scope.data_text(e);
        let mut arguments = vec!["rt".to_string(), p.line.to_string(), size.clone(), value(&p.alpha)?];
        arguments.extend([self.operand(&p.a)?, self.operand(&p.b)?]);
        arguments.extend(p.beta.as_ref().map(value).transpose()?);
        arguments.push(self.operand(&p.c)?);
        Ok(Text { pays: format!("rt::library_pays({size})"), name: "rt::product", arguments })
    }
}
