//! Mappings that the user gives for some calls, by their extents: `[[kernels.NAME.at]]` of a configuration.
//!
//! ```text
//! pointwise                                          if (n <= 4096) {
//!   axis i: flat, threads 256                            launch rt_f_0_k0_at0
//!   at n <= 4096                             ->      } else {
//!     pointwise                                          launch rt_f_0_k0
//!       axis i: flat, threads 64                     }
//! ```
//! Each is lowered as a mapping of its own: its kernel is to the letter the one that a tuner measured alone. Where it has the
//! text of the kernel whose place it takes, but for the values of tunables, both are instances of one template in the emitted
//! file ([`emit`](crate::emit)).

use super::{Lower, Lowered};
use crate::ast::BinOp;
use crate::config::Calls;
use crate::kernel::Expr;
use crate::poly::Failure;
use crate::poly::names::Names;
use crate::region::Reason;
use crate::schedule::map::Mapper;
use crate::schedule::mapping::{Mapping, Row, row_of};
use crate::schedule::parallel::Analysis;
use crate::schedule::{Nest, index};

/// The lowered rows of a mapping, each with its condition; `lower_other` lowers each as a mapping of its own. `before` are the
/// names from which the mapping itself was lowered.
///
/// # Errors
/// The limit on isl's work, or what cannot be lowered.
pub fn lower(
    m: &mut Mapper,
    a: &Analysis,
    nest: &Nest,
    (mapping, before): (&Mapping, &Names),
    name: &str,
    lower_other: Lower,
) -> Result<Result<Vec<(Expr, Lowered)>, Reason>, Failure> {
    let mut out = vec![];
    for (at, Row { calls, mapping: other }) in mapping.rows.iter().enumerate() {
        let cond = condition(m, a, calls);
        let (name, row) = (row_of(name, at), format!("[[kernels.{name}.at]]"));
        // The same names make the same text of what is the same.
        let given = std::mem::replace(m.names, before.clone());
        let lowered = lower_other(m, a, nest, other, &name);
        let used = std::mem::replace(m.names, given);
        let lowered = match lowered? {
            Ok(lowered) if is_alone(&lowered) && used.are_among(m.names) => Ok(lowered),
            Ok(_) => lower_other(m, a, nest, other, &name)?,
            Err(reason) => Err(reason),
        };
        match lowered {
            Ok(mut lowered) => {
                let which = if at == 0 { "calls" } else { "other calls" };
                lowered.kernels.iter_mut().for_each(|k| k.notes.push(format!("for {which} with {calls}: {row}")));
                out.push((cond, lowered));
            }
            Err(reason) => return Ok(Err(reason)),
        }
    }
    Ok(Ok(out))
}

/// Test that the host needs no names of its own for the kernels.
fn is_alone(lowered: &Lowered) -> bool {
    let Lowered { partials, n_partials, divided, variants, rows, .. } = lowered;
    partials.is_empty() && n_partials.is_none() && divided.is_none() && variants.is_empty() && rows.is_empty()
}

/// The extents of a nest that rows may speak of: whole numbers of the call, each as the user calls it, and as isl does.
pub fn extents(a: &Analysis) -> Vec<(String, String)> {
    let named = a.part.params.list.iter().zip(&a.scop.spelling.params);
    named.filter_map(|(p, name)| Some((a.unit.var(p.var?).name.clone(), name.clone()))).collect()
}

fn condition(m: &mut Mapper, a: &Analysis, calls: &Calls) -> Expr {
    let all = extents(a);
    let mut l = m.lowering(a);
    let bounds = calls.bounds().map(|(extent, is_most, n)| {
        let (_, name) = all.iter().find(|(known, _)| known == extent).expect("a row is of extents of the nest");
        let extent = l.named_param(name).expect("extents are parameters");
        index::binary(if is_most { BinOp::Le } else { BinOp::Ge }, extent, Expr::Int(n))
    });
    let cond = index::all(bounds.collect::<Vec<_>>()).expect("a row has a condition");
    let used = std::mem::take(&mut l.used);
    m.used.absorb(used);
    cond
}
