//! Products with a sparse matrix as C++: `rt::sparse_product(rt, 25, rt::by_rows(..), 1, 1.0, rt_x.., rt_y..)`.

use super::super::host_text::{Host, device_name};
use super::Text;
use crate::diag::Stop;
use crate::kernel::Expr;
use crate::library::sparse::Form;
use crate::library::sparse::product::{SparseProduct, Walked};

impl Host<'_> {
    pub(super) fn sparse(&self, p: &SparseProduct) -> Result<Text, Stop> {
        let at = |e: &Expr| self.out.scope.position_text(e);
        let walked = |w: &Walked| -> Result<String, Stop> {
            Ok(format!("{}.from({})", device_name(self.region, self.array(&w.array)?), at(&w.first)?))
        };
        let form = match p.form {
            Form::Rows => "rt::by_rows",
            Form::Columns => "rt::by_columns",
            Form::Triplets => "rt::by_triplets",
        };
        let mut parts = vec![at(&p.majors)?];
        for w in p.pointers.iter().chain(&p.indices).chain([&p.values]) {
            parts.push(walked(w)?);
        }
        let matrix = format!("{form}({})", parts.join(", "));
        let vectors = at(&p.vectors)?;
        let value = |e: &Expr| self.out.scope.data_text(e);
        let pays = format!("rt::sparse_pays(rt, {}, {matrix}, {vectors})", p.line);
        let mut arguments = vec!["rt".to_string(), p.line.to_string(), matrix, vectors, value(&p.alpha)?];
        arguments.push(self.operand(&p.x)?);
        arguments.extend(p.beta.as_ref().map(value).transpose()?);
        arguments.push(self.operand(&p.y)?);
        Ok(Text { pays, name: "rt::sparse_product", arguments })
    }
}
