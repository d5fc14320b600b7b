//! The call that a product with a sparse matrix becomes.
//!
//! Where rows are short and even, a thread for each is the best there is, and the program has that kernel too; what it
//! asks at run time is in `rt_sparse.h`. Without another kernel (updates that scatter) it asks nothing but whether loading
//! the library pays.

use super::operands::{count, operand, plain, scale};
use crate::facts::Reason;
use crate::host_plan::builder::Builder;
use crate::kernel::{Expr, Usage};
use crate::library::Found;
use crate::library::sparse::Sparse;
use crate::library::sparse::product::{SparseProduct, Walked};
use crate::library::view::View;
use crate::poly::scop::is_write;
use crate::schedule::lower::Lowering;

impl Builder<'_> {
    /// What was found, unless the region writes the matrix's pattern: what is found out of a pattern would not last.
    pub(super) fn sparse(&self, found: Found) -> Found {
        let Found::Sparse(s) = &found else { return found };
        let pattern: Vec<_> = s.pointers.iter().chain(&s.indices).map(|v| v.data).collect();
        let stmts = self.region.statics().into_iter().flat_map(|part| &part.part.stmts);
        let mut writes = stmts.flat_map(|s| &s.accesses).filter(|x| is_write(x));
        let Some(x) = writes.find(|x| pattern.contains(&x.data)) else { return found };
        let name = &self.unit.var(x.data).name;
        let message = format!("this is nearly a product with a sparse matrix, but `{name}` changes in the region");
        Found::Near(Reason::new("library", message, x.span))
    }
}

/// The product in the host's terms.
pub fn lowered(s: &Sparse, line: u32, l: &mut Lowering) -> Result<SparseProduct, Reason> {
    let mut walked = |v: &View| {
        l.used.arrays.insert(v.data, Usage::Read);
        Walked { first: plain(l.poly(&v.first)), array: l.name(v.data) }
    };
    let pointers = s.pointers.as_ref().map(&mut walked);
    let indices = s.indices.iter().map(&mut walked).collect();
    let values = walked(&s.values);
    let vectors = s.vectors.as_ref().map_or(Expr::Int(1), |r| count(r, l));
    let majors = count(&s.majors, l);
    let alpha = scale(&s.alpha, s.ty, l)?;
    let beta = s.beta.as_ref().map(|b| scale(b, s.ty, l)).transpose()?;
    let x = operand(&s.x, Usage::Read, l);
    let y = operand(&s.y, if beta.is_some() { Usage::ReadWrite } else { Usage::Write }, l);
    Ok(SparseProduct { ty: s.ty, line, form: s.form, majors, vectors, pointers, indices, values, alpha, x, beta, y })
}
