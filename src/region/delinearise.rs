//! Array shapes: from C's types, and, for subscripts linearised by hand, from the strides they are written with.
//!
//! The outermost subscript may be one: `a[(k*ny + j)*nx + i]` has the strides `nx*ny`, `nx` and 1: every stride divides
//! the next, so the array is seen as `a[k][j][i]` with extents `ny` and `nx` behind the outermost. Where strides are
//! variables of their own (`a[k*kp + j*jp + i]`), the wide one has room for `kp / jp` of the narrow one, and perhaps for
//! padding behind them (`src/region/padded.rs`). Rows as long as a sum have a parameter for it
//! (`src/region/row_lengths.rs`). Such a view holds only where each inner subscript stays inside its
//! extent; those conditions become obligations of the access, proved over the statement's domain or checked when the
//! program runs. Rows behind pointers (`double **a`) have no extent in C: it stands as a symbol (`rt_a_extent1`) that the
//! entry point computes from what the region touches. Method: Grosser, Ramanujam, Pouchet, Sadayappan and Pop, "Optimistic
//! delinearization of parametrically sized arrays", ICS 2015, section 4.

use super::hints::{Claim, Hints};
use super::padded::Padded;
use super::reached::Reached;
use super::shape::{Shape, Stride};
use super::{Access, Obligation, Reach, StaticPart, Unknown, row_lengths};
use crate::ast::{Expr, ExprKind, Storage, Type, Unit, VarId};
use crate::facts::monomial::{divide, product, split, value_of};
use crate::facts::symbolic::{Monomial, ParamId, Params, Poly, Reader, Sym};
use crate::facts::{Reason, arrays, effects, remedy};
use std::collections::BTreeSet;

/// Subscripts that an access may have in C, with room to spare: symbols of those behind it are no others'.
const MAX_RANK: u32 = 64;

/// Gives every array whose rows are reached through pointers symbols for the lengths that C does not say.
pub fn add_row_lengths(unit: &mut Unit) {
    for i in 0..unit.vars.len() {
        let n = arrays::n_pointers(&unit.vars[i].ty);
        if n > 0 && arrays::rank(&unit.vars[i].ty).is_some() {
            unit.add_row_lengths(VarId(i as u32), n);
        }
    }
}

/// Gives every datum of the part its shape, and every access its subscripts in that shape.
pub fn resolve(unit: &Unit, part: &mut StaticPart, hints: &Hints, written: &BTreeSet<VarId>) -> Result<(), Reason> {
    for v in part.data.keys().copied().collect::<Vec<_>>() {
        let mut shape = declared(unit, part, v, hints, written)?;
        if shape.c_rank > 0 && shape.n_pointers == 0 {
            let reached = if shape.outer.is_none() { Reached::of(part, v) } else { None };
            let padded = if row_lengths::name(part, v) { Padded::find(part, v) } else { Padded::default() };
            let strides = strides(part, v);
            shape.inner.splice(..0, strides.windows(2).rev().map(|w| w[1].over(&w[0])));
            if strides.windows(2).any(|w| padded.ends(&w[1], &w[0])) {
                shape.strides = strides[1..].iter().rev().map(|s| padded.distance(s)).collect();
            }
            let StaticPart { stmts, params, .. } = part;
            shape.inner.iter_mut().for_each(|extent| name_products(extent, params));
            for a in stmts.iter_mut().flat_map(|s| &mut s.accesses).filter(|a| a.data == v) {
                delinearise(a, &strides, &padded, params);
            }
            let is_any = part.stmts.iter().flat_map(|s| &s.accesses).any(|a| a.data == v && a.index.is_none());
            if let Some(reached) = reached.filter(|_| is_any) {
                hold_to(part, v, reached, &mut shape);
            }
            // Other rows than the user's are seen in it: nothing to hold the user's statement to.
            if shape.is_delinearised() {
                shape.stated = shape.stated.filter(|(extents, _)| extents[1..] == shape.inner);
            }
        }
        for a in part.accesses_of(v) {
            bound_inner(a, &shape);
        }
        part.data[&v].shape = shape;
    }
    Ok(())
}

/// The shape that C's types and the user's hints give.
fn declared(
    unit: &Unit,
    part: &mut StaticPart,
    v: VarId,
    hints: &Hints,
    written: &BTreeSet<VarId>,
) -> Result<Shape, Reason> {
    let var = unit.var(v);
    let at = first_use(unit, part, v);
    let claim = hints.shape(unit, v, at);
    let mut lengths = lengths(&var.ty);
    let c_rank = arrays::rank(&var.ty).unwrap_or(0);
    let n_pointers = arrays::n_pointers(&var.ty);
    let mut outer_is_known = matches!(var.ty, Type::Array { .. }) && var.storage != Storage::Param;
    let is_record = unit.records.iter().any(|r| r.var == v);
    if claim.is_none_or(|c| c.place.is_none()) {
        // C took the lengths when it met the declaration; their variables may say something else by now.
        let changed = |l: &Option<Expr>| l.as_ref().and_then(|l| effects::changed_since(unit, var, l));
        if let Some(name) = lengths.iter().skip(1).find_map(changed) {
            let message = format!("`{}` is sized by `{name}`, which is changed after that", var.name);
            return Err(Reason::new("extent", message, var.span).help(remedy!("change a copy of the size instead")));
        }
        if lengths.first().is_some_and(|l| changed(l).is_some()) {
            lengths[0] = None;
        }
    }
    if let Some(Claim { extents, place, .. }) = claim {
        // An allocation says nothing of rows, and C says all of those that structures are.
        let is_flat = place.is_none() || c_rank - usize::from(is_record) == 1;
        let product = || extents.iter().cloned().reduce(product);
        for (k, e) in if is_flat { product().into_iter().collect() } else { extents.clone() }.into_iter().enumerate() {
            // How long C takes a row to be is no matter of hints.
            let is_c = lengths[k].as_ref().is_some_and(|l| k > 0 && effects::changed_since(unit, var, l).is_none());
            if !is_c {
                lengths[k] = Some(e);
            }
        }
        outer_is_known = true;
    }
    for (k, length) in unit.row_lengths.get(&v).into_iter().flatten().enumerate() {
        let length = Expr { kind: ExprKind::Var(*length), ty: unit.var(*length).ty.clone(), span: var.span };
        lengths[k + 1].get_or_insert(length);
    }
    let mut reader = Reader { unit, counters: vec![], written, params: &mut part.params, obligations: vec![] };
    let mut read = |e: &Expr| if claim.is_some() { reader.invariant(e, at) } else { reader.poly(e) };
    let mut inner = vec![];
    for length in lengths.iter().skip(1) {
        inner.push(length.as_ref().and_then(&mut read).filter(Poly::is_affine).ok_or_else(|| {
            let message = format!("an extent of `{}` is not fixed over the region", var.name);
            Reason::new("extent", message, var.span).help(remedy!("change a copy of the size instead"))
        })?);
    }
    let outer = lengths.first().and_then(|l| l.as_ref()).and_then(&mut read);
    let stated = claim.and_then(|c| {
        let rows = lengths.last().filter(|_| is_record).into_iter().flatten();
        let extents = c.extents.iter().chain(rows).map(|e| read(e).filter(Poly::is_affine));
        Some((extents.collect::<Option<Vec<Poly>>>()?, c.place.clone()?))
    });
    let is_open = n_pointers > 0 && claim.is_none();
    let strides = vec![];
    Ok(Shape {
        c_rank,
        n_pointers,
        is_open,
        inner,
        strides,
        outer_is_known: outer_is_known && outer.is_some(),
        outer_is_reached: false,
        outer,
        stated,
    })
}

/// The first place in the text where the part uses a variable. What a function does that has it handed over stands elsewhere: then
/// it is the first place of the part in the function that the variable is of, or the beginning of that function.
fn first_use(unit: &Unit, part: &StaticPart, v: VarId) -> u32 {
    let var = unit.var(v);
    let owner = unit.functions.iter().find(|f| f.params.contains(&v) || f.body.span.contains(var.span.lo));
    let is_there = |at: &u32| owner.is_none_or(|f| f.body.span.contains(*at));
    let uses = part.stmts.iter().filter(|s| s.accesses.iter().any(|a| a.data == v)).map(|s| s.body.span.lo);
    let others = part.stmts.iter().map(|s| s.body.span.lo).chain(part.loops.iter().map(|l| l.span.lo));
    let found = uses.filter(is_there).min().or_else(|| others.filter(is_there).min());
    found.unwrap_or(owner.map_or(0, |f| f.body.span.lo + 1))
}

/// The lengths that a type spells, outermost first; `None` where it spells none.
fn lengths(ty: &Type) -> Vec<Option<Expr>> {
    match ty {
        Type::Array { of, len } => {
            let mut out = vec![len.as_deref().cloned()];
            out.extend(lengths(of));
            out
        }
        Type::Pointer { to, .. } => {
            let mut out = vec![None];
            out.extend(lengths(to));
            out
        }
        _ => vec![],
    }
}

/// The strides of the subscripts of `v`, smallest first, beginning with 1: the parametric factors that counters are
/// multiplied with, each as often as in all subscripts (`x[2*(i*n + j) + 1]` has rows of `2*n`); just `[1]` where they
/// do not divide each other.
fn strides(part: &mut StaticPart, v: VarId) -> Vec<Stride> {
    let mut found: BTreeSet<(usize, Monomial)> = BTreeSet::from([(0, vec![])]);
    for a in part.accesses_of(v) {
        for m in a.index.iter().flat_map(|index| index[0].terms.keys()) {
            let (counters, factor) = split(m);
            if counters.len() == 1 {
                found.insert((factor.len(), factor));
            }
        }
    }
    let mut chain: Vec<Stride> = found.into_iter().map(|(_, factor)| Stride { factor, times: 0 }).collect();
    if !chain.windows(2).all(|w| divide(&w[1].factor, &w[0].factor).is_some()) {
        return vec![Stride::default()];
    }
    for a in part.accesses_of(v) {
        for (m, c) in a.index.iter().flat_map(|index| &index[0].terms) {
            if let Some((k, _)) = stride_of(m, &chain) {
                chain[k].times = gcd(chain[k].times, *c);
            }
        }
    }
    chain[0].times = 1;
    for k in (1..chain.len()).rev() {
        chain[k - 1].times = gcd(chain[k - 1].times, chain[k].times);
    }
    chain
}

/// The largest stride that a product has, and what is left of the product.
fn stride_of(m: &Monomial, strides: &[Stride]) -> Option<(usize, Monomial)> {
    strides.iter().enumerate().rev().find_map(|(k, s)| Some((k, divide(m, &s.factor)?)))
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a.saturating_abs() } else { gcd(b, a.wrapping_rem(b)) }
}

/// Takes an array for as long as it is reached at most; what has to hold for that is tested at the call.
fn hold_to(part: &mut StaticPart, v: VarId, reached: Reached, shape: &mut Shape) {
    let StaticPart { stmts, params, .. } = part;
    let Some(s) = stmts.iter_mut().find(|s| s.accesses.iter().any(|a| a.data == v)) else { return };
    for mut poly in reached.owed {
        name_products(&mut poly, params);
        if poly.as_constant().is_none_or(|c| c < 0) {
            s.obligations.push(Obligation { poly, n_loops: 0, n_guards: 0 });
        }
    }
    (shape.outer, shape.outer_is_reached) = (Some(reached.end), true);
}

/// Splits the first subscript of an access by strides (smallest first); gives it up where something is left over.
fn delinearise(access: &mut Access, strides: &[Stride], padded: &Padded, params: &mut Params) {
    let Some(mut index) = access.index.take() else { return };
    let mut split_index = vec![Poly::default(); strides.len()];
    for (m, c) in &index[0].terms {
        let Some((at, rest)) = stride_of(m, strides) else { return };
        match split_index[at].plus(&Poly::term(rest, c / strides[at].times), 1) {
            Some(p) => split_index[at] = p,
            None => return,
        }
    }
    for k in 0..strides.len() - 1 {
        let follows = !padded.ends(&strides[k + 1], &strides[k]);
        if follows && lies_before(&split_index[k], &split_index[k + 1], &strides[k + 1]) {
            let extent = strides[k + 1].over(&strides[k]);
            let (Some(low), Some(high)) =
                (split_index[k].plus(&extent, 1), split_index[k + 1].plus(&Poly::constant(1), -1))
            else {
                return;
            };
            (split_index[k], split_index[k + 1]) = (low, high);
        }
    }
    split_index.iter_mut().for_each(|p| name_products(p, params));
    split_index.reverse();
    index.splice(..1, split_index);
    if index.iter().all(Poly::is_affine) {
        access.index = Some(index);
    }
}

/// Test for a subscript of the row before: `a[i*n - 1]` is the last element of row `i - 1`, and `a[(i*m + m - 1)*n + j]`
/// one of the last `n` in row `i` of `m*n`, whose product reads as row `i + 1`, element `j - n`.
fn lies_before(low: &Poly, high: &Poly, stride: &Stride) -> bool {
    if low.as_constant().is_some_and(|c| c < 0) {
        return true;
    }
    let mut fixed = low.terms.iter().filter(|(m, _)| is_of_params(m));
    let is_part = |(m, c): (&Monomial, &i64)| *c < 0 && divide(&stride.factor, m).is_some();
    let is_product = low.terms.keys().any(|m| !m.is_empty() && is_of_params(m));
    is_product && fixed.all(is_part) && high.terms.get(&Monomial::new()).is_some_and(|c| *c > 0)
}

/// Puts parameters of their own in the place of products of parameters: where `a[(k*m + i)*n + j]` stands for a fixed `k`, all
/// of its rows begin at the same `k*m`, whatever that is.
fn name_products(p: &mut Poly, params: &mut Params) {
    let mut out = Poly::default();
    for (m, c) in &p.terms {
        let is_product = m.len() > 1 && is_of_params(m);
        let m = if is_product { vec![Sym::Param(named(m, params))] } else { m.clone() };
        let Some(sum) = out.plus(&Poly::term(m, *c), 1) else { return };
        out = sum;
    }
    *p = out;
}

fn is_of_params(m: &Monomial) -> bool {
    m.iter().all(|s| matches!(s, Sym::Param(_)))
}

fn named(m: &Monomial, params: &mut Params) -> ParamId {
    let value = value_of(m, params);
    params.of_poly(Poly::term(m.clone(), 1), &value)
}

/// Inner subscripts must stay inside their extents for elements with different subscripts to be different. Before the first
/// that is not 0 there may be no extent at all: where another subscript is not 0 there, its own access needs one. Along the
/// first row there needs to be room only where something else is touched, which the polyhedral view looks at.
fn bound_inner(access: &mut Access, shape: &Shape) {
    leave_to_rows(access, shape);
    let Some(index) = &access.index else { return };
    if !index.iter().all(Poly::is_affine) || shape.inner.iter().any(|e| !e.is_affine()) {
        access.index = None;
        return;
    }
    let is_zero = |p: &&Poly| p.as_constant() == Some(0);
    let goes_along_first = access.reach.is_none() && shape.first_row(index).is_some();
    let n_zeros = index.iter().take(shape.found().len()).take_while(is_zero).count();
    for (k, (subscript, extent)) in index.iter().skip(1).zip(&shape.inner).enumerate() {
        if k + 1 < n_zeros {
            continue;
        }
        let unknown = access.reach.iter_mut().flat_map(|r| &mut r.unknown);
        if k >= shape.found().len()
            && let Some(u) = unknown.into_iter().find(|u| *subscript == Poly::sym(Sym::Counter(u.symbol)))
        {
            u.length = (!shape.is_open || k >= shape.n_pointers).then(|| extent.clone());
            continue;
        }
        access.obligations.push(subscript.clone());
        let is_seen_to = goes_along_first && k + 1 == shape.found().len();
        if is_seen_to || shape.is_open && k < shape.n_pointers {
            continue; // as long as what is touched
        }
        if let Some(room) = extent.plus(subscript, -1).and_then(|p| p.plus(&Poly::constant(1), -1)) {
            access.obligations.push(room);
        }
    }
}

/// Takes subscripts behind C's first that are not affine (`k * s`) for unknown: C keeps them in their row. `x[0][k * s]` may be
/// a way to go through all rows.
fn leave_to_rows(access: &mut Access, shape: &Shape) {
    let Some(index) = &mut access.index else { return };
    let is_zero = |p: &&Poly| p.as_constant() == Some(0);
    let n_known = index.iter().take_while(is_zero).count().max(shape.found().len() + 1);
    let mut unknown = vec![];
    for (k, p) in index.iter_mut().enumerate().skip(n_known).filter(|(_, p)| !p.is_affine()) {
        let symbol = VarId(u32::MAX - MAX_RANK - k as u32);
        *p = Poly::sym(Sym::Counter(symbol));
        unknown.push(Unknown { symbol, length: None });
    }
    if !unknown.is_empty() {
        let none = || Reach { index: vec![], loops: vec![], chosen: vec![], unknown: vec![], obligations: vec![] };
        access.reach.get_or_insert_with(none).unknown.extend(unknown);
    }
}
