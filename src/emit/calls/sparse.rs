//! Products with a sparse matrix as C++: `rt::sparse_product(rt, 25, rt::by_rows(..), 1, 1.0, rt_x.., rt_y..)`.

use super::super::construct::launches::{self, SparseMatrix, SparsePays};
use super::super::entry_names::device_name;
use super::super::host_text::Host;
use super::super::spell::spell;
use super::Text;
use crate::diag::Stop;
use crate::kernel::Expr;
use crate::library::sparse::Form;
use crate::library::sparse::product::{SparseProduct, Walked};

impl Host<'_> {
    pub(super) fn sparse(&self, p: &SparseProduct) -> Result<Text, Stop> {
        let at = |e: &Expr| self.out.scope.position_text(e);
        let value = |e: &Expr| self.out.scope.data_text(e);
        let walked = |w: &Walked| -> Result<_, Stop> {
            Ok(launches::Walked { array: device_name(self.region, self.array(&w.array)?), first: at(&w.first)? })
        };
        let form = match p.form {
            Form::Rows => "rows",
            Form::Columns => "columns",
            Form::Triplets => "triplets",
        };
        let arrays = p.pointers.iter().chain(&p.indices).chain([&p.values]);
        let walked = arrays.map(walked).collect::<Result<_, Stop>>()?;
        let matrix = spell(&SparseMatrix { form, majors: at(&p.majors)?, walked })?;
        let vectors = at(&p.vectors)?;
        let pays = spell(&SparsePays { line: p.line, matrix: matrix.clone(), vectors: vectors.clone() })?;
        let call = launches::SparseProduct {
            line: p.line,
            matrix,
            vectors,
            alpha: value(&p.alpha)?,
            beta: p.beta.as_ref().map(value).transpose()?,
            x: self.operand(&p.x)?,
            y: self.operand(&p.y)?,
        };
        Ok(Text { pays, call: spell(&call)? })
    }
}
