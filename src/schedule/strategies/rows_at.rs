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

use crate::ast::BinOp;
use crate::config::Calls;
use crate::kernel::Expr;
use crate::schedule::index;
use crate::schedule::map::Mapper;
use crate::schedule::parallel::Analysis;

/// The extents of a nest that rows may speak of: whole numbers of the call, each as the user calls it, and as isl does.
pub fn extents(a: &Analysis) -> Vec<(String, String)> {
    let named = a.part.params.list.iter().zip(&a.scop.spelling.params);
    named.filter_map(|(p, name)| Some((a.unit.var(p.var?).name.clone(), name.clone()))).collect()
}

/// The condition on the extents of a call that it is one of these.
pub fn extents_within(m: &mut Mapper, a: &Analysis, calls: &Calls) -> Expr {
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
