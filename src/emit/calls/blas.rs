//! Operators of BLAS as C++: `rt::syrk(rt, line, {n, m}, alpha, a, beta, c)`.

use super::super::host_text::Host;
use super::Text;
use crate::diag::Stop;
use crate::kernel::Expr;
use crate::library::blas::Blas;
use crate::library::operator::What;

impl Host<'_> {
    pub(super) fn blas(&self, b: &Blas) -> Result<Text, Stop> {
        let at = |e: &Expr| self.out.scope.position_text(e);
        let sizes: Vec<String> = b.sizes.iter().map(at).collect::<Result<_, Stop>>()?;
        let value = |e: &Expr| self.out.scope.data_text(e);
        let mut arguments = vec!["rt".to_string(), b.line.to_string(), format!("{{{}}}", sizes.join(", "))];
        arguments.extend(b.flags.iter().map(bool::to_string));
        if !matches!(b.what, What::Copy | What::Swap) {
            arguments.push(value(&b.alpha)?);
        }
        let beta = b.beta.as_ref().map(value).transpose()?;
        for (at, x) in b.operands.iter().enumerate() {
            arguments.extend(beta.clone().filter(|_| b.what == What::Geam && at == 1));
            arguments.push(self.operand(x)?);
        }
        if matches!(b.what, What::Syrk | What::Syr2k | What::Symm) {
            arguments.push(beta.map_or("rt::nothing_kept()".into(), |beta| format!("rt::kept({beta})")));
        }
        arguments.push(self.operand(&b.result)?);
        // Of each pair of a square, additions and multiplications for each of the others. A system's rows wait for each
        // other in a generated kernel: 161 ms against 2.7 for 4096 equations and as many right-hand sides on an H200,
        // where a product that is as large as 60 passes saves as much.
        let passes = match b.what {
            What::Syr2k | What::Symm => 2,
            What::Trsm | What::Trsv => 60,
            _ => 1,
        };
        let pays = format!("rt::triangle_pays({}, {passes})", arguments[2]);
        let name = match b.what {
            What::Syrk => "rt::syrk",
            What::Syr2k => "rt::syr2k",
            What::Symm => "rt::symm",
            What::Trmm => "rt::trmm",
            What::Trsm | What::Trsv => "rt::trsm",
            What::Ger => "rt::ger",
            What::Geam => "rt::geam",
            What::Axpy => "rt::axpy",
            What::Scal => "rt::scal",
            What::Copy => "rt::copied",
            What::Swap => "rt::swapped",
            What::Dot => "rt::dot",
            What::Asum => "rt::asum",
        };
        Ok(Text { pays, name, arguments })
    }
}
