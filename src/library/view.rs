//! An access as distances in memory: how far apart the elements are that neighbouring iterations touch.
//!
//! ```text
//! a[i][k], of a[n][p]     first 0, p along i, 1 along k
//! a[k * lda + i + off]    first off, 1 along i, lda along k
//! ```
//! Rows and columns, transposition, leading dimensions and parts of a matrix are all but distances, so that it does not
//! matter how the C spells them.

use crate::ast::{Expr, VarId};
use crate::facts::arrays::subscripts;
use crate::facts::symbolic::{Poly, Sym, same_expr};
use crate::region::{Access, Statement, StaticPart};

/// An access in a nest.
#[derive(Debug, Clone, PartialEq)]
pub struct View {
    pub data: VarId,
    /// The element that the first iteration of all loops touches.
    pub first: Poly,
    /// By loop: in elements.
    pub along: Vec<Poly>,
}

impl View {
    /// The view of an access under loops with those counters, which begin there; `None` where it is not linear in them.
    pub fn of(part: &StaticPart, access: &Access, loops: &[(VarId, Poly)]) -> Option<View> {
        let at = part.data[&access.data].shape.position(access.index.as_ref()?)?;
        View::along(access.data, at, loops)
    }

    /// The view of the element at a position.
    pub fn along(data: VarId, at: Poly, loops: &[(VarId, Poly)]) -> Option<View> {
        let mut rest = at;
        let mut along = vec![];
        for (v, first) in loops {
            let (distance, others) = split(&rest, *v)?;
            rest = others.plus(&distance.times(first)?, 1)?;
            along.push(distance);
        }
        let is_free = |p: &Poly| loops.iter().all(|(v, _)| !p.uses(*v));
        (is_free(&rest) && along.iter().all(is_free)).then_some(View { data, first: rest, along })
    }
}

/// `p` as `coefficient * v + others`; `None` where `v` is multiplied by itself or divided.
fn split(p: &Poly, v: VarId) -> Option<(Poly, Poly)> {
    let (mut coefficient, mut others) = (Poly::default(), Poly::default());
    for (monomial, c) in &p.terms {
        let n = monomial.iter().filter(|s| **s == Sym::Counter(v)).count();
        let is_divided = monomial.iter().any(|s| matches!(s, Sym::Floor(inner, _) if inner.uses(v)));
        match n {
            _ if is_divided => return None,
            0 => others = others.plus(&Poly::term(monomial.clone(), *c), 1)?,
            1 => {
                let rest = monomial.iter().filter(|s| **s != Sym::Counter(v)).cloned().collect();
                coefficient = coefficient.plus(&Poly::term(rest, *c), 1)?;
            }
            _ => return None,
        }
    }
    Some((coefficient, others))
}

/// Test that a distance is that number.
pub fn is(distance: &Poly, number: i64) -> bool {
    distance.as_constant() == Some(number)
}

/// The access that an expression is, of an array.
pub fn load<'a>(stmt: &'a Statement, e: &Expr) -> Option<&'a Access> {
    let (data, at) = subscripts(e)?;
    let is_it = |x: &&Access| {
        x.data == data && x.subscripts.len() == at.len() && x.subscripts.iter().zip(&at).all(|(a, b)| same_expr(a, b))
    };
    (!at.is_empty()).then(|| stmt.accesses.iter().find(is_it))?
}
