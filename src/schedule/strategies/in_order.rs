//! One thread that runs everything in the order of the program.

use super::{Lowers, Proposal, Strategy};
use crate::kernel::Expr;
use crate::poly::Failure;
use crate::schedule::map::Mapper;
use crate::schedule::mapping::Mapping;
use crate::schedule::parallel::Analysis;
use crate::schedule::{Mode, Nest};

pub const STRATEGY: Strategy = Strategy { name: "in order", propose, lower };

fn propose(m: &mut Mapper, _: &Analysis, nest: &Nest) -> Result<Proposal, Failure> {
    if nest.mode != Mode::OneThread {
        return Ok(Proposal::No(None));
    }
    Ok(Proposal::Mapping(Box::new(Mapping { unroll: m.unroll(), ..Mapping::of(STRATEGY.name) })))
}

fn lower(m: &mut Mapper, a: &Analysis, nest: &Nest, mapping: &Mapping, name: &str) -> Lowers {
    let mut l = m.lowering(a);
    let stmts = match l.thread_body(&nest.body) {
        Ok(stmts) => stmts,
        Err(reason) => return Ok(Err(reason)),
    };
    let used = std::mem::take(&mut l.used);
    let mut kernel = m.kernel(a, name, used, stmts);
    kernel.grid = vec![Expr::Int(1)];
    kernel.block = vec![Expr::Int(1)];
    kernel.tunables.extend(mapping.unroll_of(&kernel));
    kernel.notes.push("in order, by one thread".into());
    Ok(Ok(kernel.into()))
}
