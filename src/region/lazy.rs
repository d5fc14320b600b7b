//! Accumulations whose value C may not evaluate: `s &= s && v[i] > 0`.
//!
//! Iterations at the same time evaluate it where C would not, once another one has decided the result. Behind a pointer of
//! unknown length the runtime asks how far the memory goes, as for all that only the data decide. Where a length is known,
//! memory ends there for sure: a call that might touch more runs the original. Nothing says that of an element that the data
//! choose, and the statement is no accumulation then.

use super::shape::Shape;
use super::{Access, AccessKind, Condition, Relation, Statement, StaticPart};
use crate::facts::symbolic::Poly;

/// Holds a part to the lengths of arrays in such values, by assertions.
pub(super) fn hold(part: &mut StaticPart) {
    let StaticPart { stmts, assertions, data, .. } = part;
    for stmt in stmts.iter_mut().filter(|s| s.reduction.as_ref().is_some_and(|r| r.is_lazy)) {
        let read = stmt.accesses.iter().filter(|a| a.kind == AccessKind::Read && !a.surely);
        let outside: Option<Vec<Condition>> = read
            .filter_map(|a| data.get(&a.data).map(|data| (a, &data.shape)))
            .filter(|(_, shape)| shape.c_rank > 0 && shape.outer.is_some())
            .map(|(a, shape)| outside(a, shape))
            .collect();
        match outside {
            Some(outside) => assertions.extend(outside.into_iter().map(|fails| asserted(stmt, fails))),
            None => stmt.reduction = None,
        }
    }
}

/// Condition under which an access leads out of an array of known length; `None` where none is affine.
fn outside(a: &Access, shape: &Shape) -> Option<Condition> {
    let index = a.index.as_ref()?;
    let extents = std::iter::once(shape.rows()?).chain(shape.inner.iter().cloned());
    let mut all: Option<Condition> = None;
    for (at, extent) in index.iter().zip(extents) {
        let beyond = at.plus(&extent, -1).filter(Poly::is_affine)?;
        let below = Poly::constant(-1).plus(at, -1).filter(Poly::is_affine)?;
        for p in [beyond, below] {
            let leaves = Condition::Compare(p, Relation::Ge);
            all = Some(match all {
                Some(all) => Condition::Or(Box::new(all), Box::new(leaves)),
                None => leaves,
            });
        }
    }
    all
}

/// A statement that no call may come to where a condition holds, in the loops of another.
fn asserted(of: &Statement, fails: Condition) -> Statement {
    let guards = of.guards.iter().cloned().chain([fails]).collect();
    Statement { guards, accesses: vec![], reduction: None, conditional: None, ..of.clone() }
}
