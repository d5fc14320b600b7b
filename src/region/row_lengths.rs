//! Rows whose length is a sum: what is left of a row behind its margins.
//!
//! ```text
//! x[(i - m)*(w - 2*m) + j - m]        i*w - 2*i*m + j - m*w + 2*m*m - m
//!                                     i*l - m*l + j - m, with a parameter l = w - 2*m
//! ```
//! A stride is a product of parameters ([`super::delinearise`]). Where a counter is multiplied with a sum of such, a parameter of
//! its own stands for the sum, and another one of it is written by that. So it is where the program has kept a sum together and
//! multiplied it out elsewhere (`x[k*h*(w - 2) + i*(w - 2) + j]`). What a subscript stands for stays the same.

use super::{AccessKind, StaticPart};
use crate::ast::build::ast_builder::{binary, integer};
use crate::ast::{BinOp, Expr, VarId};
use crate::facts::monomial::{self, divide, split, value_of};
use crate::facts::symbolic::{Monomial, ParamId, Params, Poly, Sym};
use crate::source::Span;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// Puts a parameter in the place of the sum that counters in the subscripts of `v` are multiplied with, if that leaves no other
/// sum there. Says whether products of the program's own are all strides that there may be: a guess at how rows that are only read
/// lie beside others would be one too many.
pub(super) fn name(part: &mut StaticPart, v: VarId) -> bool {
    gather(part, v);
    let Some((length, span)) = sum(part, v) else { return true };
    let is_written = part.accesses_of(v).any(|a| a.kind != AccessKind::Read);
    for (product, times) in leading(&length) {
        let Some(value) = text(&length, &part.params, span) else { continue };
        let mut params = part.params.clone();
        let own = Poly::sym(Sym::Param(params.of_poly(length.clone(), &value)));
        // The product, so many times, is the new parameter without the rest of the sum.
        let rest = length.plus(&Poly::term(product.clone(), times), -1);
        let Some(instead) = rest.and_then(|rest| own.plus(&rest, -1)) else { continue };
        let subscripts = part.accesses_of(v).filter_map(|a| a.index.as_ref());
        let seen: Option<Vec<Poly>> =
            subscripts.map(|index| written_by(&index[0], &product, times, &instead)).collect();
        let Some(seen) = seen.filter(|all| all.iter().all(|p| sum_of(p).is_none())) else { continue };
        let subscripts = part.accesses_of(v).filter_map(|a| a.index.as_mut());
        subscripts.zip(seen).for_each(|(index, seen)| index[0] = seen);
        part.params = params;
        return is_written;
    }
    false
}

/// Writes subscripts of `v` by the sums that parameters in them stand for, where that makes them shorter.
fn gather(part: &mut StaticPart, v: VarId) {
    let params = part.params.clone();
    for index in part.accesses_of(v).filter_map(|a| a.index.as_mut()) {
        let named: BTreeSet<ParamId> = index[0].terms.keys().flatten().filter_map(as_param).collect();
        let sums = named.into_iter().filter_map(|id| Some((id, params.sum(id)?)));
        for (id, sum) in sums {
            for (product, times) in leading(sum) {
                let rest = sum.plus(&Poly::term(product.clone(), times), -1);
                let instead = rest.and_then(|rest| Poly::sym(Sym::Param(id)).plus(&rest, -1));
                let shorter = instead.and_then(|instead| written_by(&index[0], &product, times, &instead));
                if let Some(shorter) = shorter.filter(|p| p.terms.len() < index[0].terms.len()) {
                    index[0] = shorter;
                }
            }
        }
    }
}

fn as_param(s: &Sym) -> Option<ParamId> {
    match s {
        Sym::Param(id) => Some(*id),
        _ => None,
    }
}

/// The first sum that a counter is multiplied with, where another counter goes along the row.
fn sum(part: &mut StaticPart, v: VarId) -> Option<(Poly, Span)> {
    part.accesses_of(v).find_map(|a| Some((sum_of(&a.index.as_ref()?[0])?, a.span)))
}

fn sum_of(subscript: &Poly) -> Option<Poly> {
    let mut factors: BTreeMap<Monomial, Poly> = BTreeMap::new();
    for (m, c) in &subscript.terms {
        let (counters, factor) = split(m);
        if let [Sym::Counter(_)] = counters[..] {
            let sum = factors.entry(counters).or_default();
            *sum = sum.plus(&Poly::term(factor, *c), 1)?;
        }
    }
    if factors.len() < 2 { None } else { factors.into_values().find(|sum| sum.terms.len() > 1) }
}

/// The products of a sum in whose place it may be put, and how often each is in it: those first that are in it once.
fn leading(sum: &Poly) -> Vec<(Monomial, i64)> {
    let mut out: Vec<(Monomial, i64)> =
        sum.terms.iter().filter(|(m, _)| !m.is_empty()).map(|(m, c)| (m.clone(), *c)).collect();
    out.sort_by_key(|(m, c)| (c.abs(), Reverse(m.len())));
    out
}

/// A polynomial with another one wherever a product is in it so many times; `None` on overflow.
fn written_by(p: &Poly, product: &Monomial, times: i64, instead: &Poly) -> Option<Poly> {
    let mut out = p.clone();
    let most = p.terms.keys().map(Vec::len).max().unwrap_or(0);
    // A number in the place of a product may meet others of fewer factors.
    for n_factors in (product.len()..=most).rev() {
        for (m, c) in out.clone().terms.iter().filter(|(m, _)| m.len() == n_factors) {
            let Some(others) = divide(m, product) else { continue };
            let n = c / times;
            out = out.plus(&Poly::term(m.clone(), n.checked_mul(times)?), -1)?;
            out = out.plus(&Poly::term(others, n).times(instead)?, 1)?;
        }
    }
    Some(out)
}

/// A sum of products of parameters in C.
fn text(sum: &Poly, params: &Params, span: Span) -> Option<Expr> {
    let is_param = |m: &Monomial| m.iter().all(|s| matches!(s, Sym::Param(_)));
    if !sum.terms.keys().all(is_param) {
        return None;
    }
    let term = |(m, c): (&Monomial, &i64)| match (m.is_empty(), c) {
        (true, c) => integer(*c, span),
        (false, 1) => value_of(m, params),
        (false, c) => monomial::product(integer(*c, span), value_of(m, params)),
    };
    // Those that are added come first.
    let (ups, downs): (Vec<_>, Vec<_>) = sum.terms.iter().rev().partition(|(_, c)| **c > 0);
    ups.into_iter().chain(downs).map(term).reduce(|a, b| binary(BinOp::Add, a, b))
}
