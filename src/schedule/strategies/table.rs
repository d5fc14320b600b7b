//! Table of the strategies, and what asks them: for the mapping of a nest, and for its kernels with those of its variants.

use super::strategy::{Proposal, Strategy};
use super::{collapsed, histogram, in_order, pointwise, product, reduction, rows, scan, sliding, staged, variants};
use crate::poly::Failure;
use crate::schedule::Nest;
use crate::schedule::lowered::{Lowered, Lowers};
use crate::schedule::map::Mapper;
use crate::schedule::mapping::Mapping;
use crate::schedule::parallel::Analysis;

/// The strategies: special ones before those that serve every nest of their mode.
pub const STRATEGIES: [Strategy; 10] = [
    in_order::STRATEGY,
    histogram::STRATEGY,
    reduction::STRATEGY,
    scan::STRATEGY,
    sliding::STRATEGY,
    rows::STRATEGY,
    product::STRATEGY,
    collapsed::STRATEGY,
    staged::STRATEGY,
    pointwise::STRATEGY,
];

/// The mapping of a nest.
///
/// # Errors
/// The limit on isl's work.
pub fn propose(m: &mut Mapper, a: &Analysis, nest: &Nest) -> Result<Mapping, Failure> {
    m.name_loops(a, nest);
    let mut notes = vec![];
    for strategy in &STRATEGIES {
        match (strategy.propose)(m, a, nest)? {
            Proposal::Mapping(mut mapping) => {
                mapping.notes.splice(0..0, notes);
                mapping.divided = m.divided_mapping(a, nest)?;
                mapping.variants = variants::usual(m, a, nest, &mapping)?;
                return Ok(*mapping);
            }
            Proposal::No(why) => notes.extend(why),
        }
    }
    unreachable!("a strategy serves every nest of each mode")
}

/// The kernels of a nest under its mapping.
///
/// # Errors
/// The limit on isl's work, or what cannot be lowered.
pub fn lower(m: &mut Mapper, a: &Analysis, nest: &Nest, mapping: &Mapping, name: &str) -> Lowers {
    m.name_loops(a, nest);
    let strategy = STRATEGIES.iter().find(|s| s.name == mapping.strategy).expect("a mapping has a strategy");
    let is_never_whole = match &mapping.divided {
        Some(divided) => m.is_certain(a, nest, divided)?,
        None => false,
    };
    let mut lowered = match is_never_whole {
        true => Lowered::default(),
        false => match (strategy.lower)(m, a, nest, mapping, name)? {
            Ok(lowered) => lowered,
            Err(reason) => return Ok(Err(reason)),
        },
    };
    if let (Some(blocks), Some(kernel)) = (mapping.resident, lowered.kernels.first_mut()) {
        kernel.bound_registers(blocks);
    }
    match variants::lower(m, a, nest, mapping, name, lower)? {
        Ok(variants) => lowered.variants.extend(variants),
        Err(reason) => return Ok(Err(reason)),
    }
    Ok(m.divide(a, nest, mapping, name, &mut lowered)?.map(|()| lowered))
}
