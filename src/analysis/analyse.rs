//! Analyses a candidate: domains, order and dependences of each of its parts, and which arrays may coincide.

use super::analysed::{Analysed, Node, Static};
use super::{coincide, tiles};
use crate::ast::Unit;
use crate::facts::effects;
use crate::isl::Ctx;
use crate::poly::dependence::analyse;
use crate::poly::names::Names;
use crate::poly::{Failure, scop};
use crate::region::StaticPart;
use crate::region::candidates::Candidate;
use crate::region::parts::Part;

/// Analyses a candidate.
///
/// # Errors
/// The limit on isl's work; tiles whose order matters.
pub fn analyse_region(unit: &Unit, candidate: &Candidate, ctx: Ctx) -> Result<Analysed, Failure> {
    let mut names = Names::default();
    let nodes = nodes(&ctx, unit, &candidate.parts.list, &mut names, candidate.is_entered())?;
    let mut region = Analysed {
        ctx,
        nodes,
        names,
        device_scalars: candidate.parts.device_scalars.clone(),
        host_scalars: candidate.parts.host_scalars.clone(),
        wanted: candidate.facts.wanted_outside(unit, candidate.span()),
        scratch: candidate.facts.scratch(unit, candidate.span()),
        declared: effects::declared(candidate.forms.iter().map(|s| &**s)),
        turn: candidate.rotation.map(|x| x.turn),
        coinciding: vec![],
    };
    region.wanted.extend(region.left_to_original(unit, candidate)?);
    tiles::check(unit, &region)?;
    region.coinciding = coincide::pairs(unit, candidate, &region)?;
    Ok(region)
}

/// `is_entered`: each call of the function comes to them.
fn nodes(ctx: &Ctx, unit: &Unit, parts: &[Part], names: &mut Names, is_entered: bool) -> Result<Vec<Node>, Failure> {
    let known = |part: &StaticPart, names: &mut Names| {
        let mut part = part.clone();
        let scop = scop::build(ctx, unit, &mut part, names, is_entered)?;
        let deps = analyse(&part, &scop)?;
        Ok::<_, Failure>(Box::new(Static::new(part, scop, deps)))
    };
    let node = |part: &Part| {
        Ok(match part {
            Part::Static(part) => Node::Static(known(part, names)?),
            Part::Print(print, part) => Node::Print { print: (**print).clone(), reads: known(part, names)? },
            Part::Compute(s) => Node::Compute(s.clone()),
            Part::Loop { cond, step, check_first, body } => Node::Loop {
                cond: cond.clone(),
                step: step.clone(),
                check_first: *check_first,
                body: nodes(ctx, unit, body, names, false)?,
            },
            Part::If { cond, then, other } => Node::If {
                cond: cond.clone(),
                then: nodes(ctx, unit, then, names, false)?,
                other: nodes(ctx, unit, other, names, false)?,
            },
            Part::Break => Node::Break,
            Part::GiveUp => Node::GiveUp,
        })
    };
    parts.iter().map(node).collect()
}
