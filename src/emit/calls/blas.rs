//! Operators of BLAS as C++: `rt::syrk(rt, line, {n, m}, alpha, a, beta, c)`.

use super::super::construct::launches::{self, BlasPays};
use super::super::host_text::Host;
use super::super::spell::spell;
use super::Text;
use crate::diag::Stop;
use crate::kernel::Expr;
use crate::library::blas::Blas;
use crate::library::operator::What;

impl Host<'_> {
    pub(super) fn blas(&self, b: &Blas) -> Result<Text, Stop> {
        let at = |e: &Expr| self.out.scope.position_text(e);
        let value = |e: &Expr| self.out.scope.data_text(e);
        let sizes: Vec<String> = b.sizes.iter().map(at).collect::<Result<_, Stop>>()?;
        let beta = b.beta.as_ref().map(value).transpose()?;
        let mut operands = Vec::new();
        for (at, x) in b.operands.iter().enumerate() {
            let factor = beta.clone().filter(|_| b.what == What::Geam && at == 1);
            operands.push(launches::Operand { factor, matrix: self.operand(x)? });
        }
        let has_factor = !matches!(b.what, What::Copy | What::Swap);
        let call = launches::Blas {
            line: b.line,
            routine: routine(b.what),
            sizes: sizes.clone(),
            flags: b.flags.clone(),
            alpha: has_factor.then(|| value(&b.alpha)).transpose()?,
            operands,
            may_keep: matches!(b.what, What::Syrk | What::Syr2k | What::Symm),
            kept: beta,
            result: self.operand(&b.result)?,
        };
        // Of each pair of a square, additions and multiplications for each of the others. A system's rows wait for each
        // other in a generated kernel: 161 ms against 2.7 for 4096 equations and as many right-hand sides on an H200,
        // where a product that is as large as 60 passes saves as much.
        let passes = match b.what {
            What::Syr2k | What::Symm => 2,
            What::Trsm | What::Trsv => 60,
            _ => 1,
        };
        Ok(Text { pays: spell(&BlasPays { sizes, passes })?, call: spell(&call)? })
    }
}

/// An operator as the runtime calls it.
fn routine(what: What) -> &'static str {
    match what {
        What::Syrk => "syrk",
        What::Syr2k => "syr2k",
        What::Symm => "symm",
        What::Trmm => "trmm",
        What::Trsm | What::Trsv => "trsm",
        What::Ger => "ger",
        What::Geam => "geam",
        What::Axpy => "axpy",
        What::Scal => "scal",
        What::Copy => "copied",
        What::Swap => "swapped",
        What::Dot => "dot",
        What::Asum => "asum",
    }
}
