//! The live ranges of variables, and the loops for each iteration of which one may have elements of its own.
//!
//! ```text
//! for i { w = a[i]; for k: w -= ...; x[i] = w; }      live range: the three statements, `i` around them all
//! ```
//! Statements that hand each other a value are one live range (a web, Muchnick 1997, section 16.3.3). A loop around all
//! of it gives it a dimension where no value passes from one iteration to another, and where iterations overwrite each
//! other's. What the dimensions come to is compared with the arrays that are there anyway.

use super::super::extent::End;
use super::super::parallel::Analysis;
use crate::ast::{ExprKind, StmtKind, Type, Unit, VarId};
use crate::facts::effects;
use crate::facts::symbolic::{ParamId, Poly, Sym};
use crate::isl::{Dim, Map, Set, Val};
use crate::poly::Failure;
use crate::poly::dependence::{Kind, level_of};
use crate::poly::scop::is_write;
use crate::region::{LoopId, StmtId};
use std::collections::BTreeSet;

/// How many times the extent of another array one that varies may have, and what more is always few.
const FACTOR: i64 = 2;
const SLACK: i64 = 32;

/// So many elements are always few.
const FEW: i64 = 65536;

/// A live range that may have elements of its own for each iteration of some loops.
#[derive(Debug, Clone)]
pub struct Web {
    pub data: VarId,
    /// The variable that takes its place.
    pub copy: VarId,
    pub stmts: Vec<StmtId>,
    /// The loops around all of its statements.
    pub around: Vec<LoopId>,
    /// Those of them that give it a dimension, and the extent of that.
    pub loops: Vec<(LoopId, Poly)>,
    /// The extents of the variable itself.
    pub own: Vec<Poly>,
    /// What `loops` would be if it might be of any size.
    pub wished: Vec<(LoopId, Poly)>,
}

impl Web {
    /// The type of what takes the variable's place: arrays of it.
    pub fn copy_type(&self, unit: &Unit) -> Type {
        let of = unit.var(self.data).ty.clone();
        self.loops.iter().fold(of, |of, _| Type::Array { of: Box::new(of), len: None })
    }

    /// The extents of what takes the variable's place.
    pub fn extents(&self) -> Vec<Poly> {
        self.loops.iter().map(|(_, extent)| extent).chain(&self.own).cloned().collect()
    }
}

/// The live ranges that loops could give dimensions to; `changing` are scalars that no extent may depend on. Which
/// variable takes the place of each is still open.
pub fn webs(a: &Analysis, changing: &BTreeSet<VarId>) -> Result<Vec<Web>, Failure> {
    let mut out = vec![];
    for (v, data) in &a.part.data {
        if data.shape.is_delinearised() || data.shape.n_pointers > 0 {
            continue;
        }
        for stmts in live_ranges(a, *v) {
            out.extend(web(a, *v, stmts, changing)?);
        }
    }
    Ok(out)
}

/// The statements that touch `v`, together where one hands the other a value, each group in the order of the text.
fn live_ranges(a: &Analysis, v: VarId) -> Vec<Vec<StmtId>> {
    let touches = |s: &StmtId| a.part.stmt(*s).accesses.iter().any(|x| x.data == v);
    let mut groups: Vec<Vec<StmtId>> = (0..a.part.stmts.len()).map(StmtId).filter(touches).map(|s| vec![s]).collect();
    for d in a.deps.list.iter().filter(|d| d.data == v && d.kind == Kind::Flow) {
        let of = |s| groups.iter().position(|g| g.contains(&s)).expect("both ends touch the data");
        let (x, y) = (of(d.src).min(of(d.dst)), of(d.src).max(of(d.dst)));
        if x != y {
            let more = groups.remove(y);
            groups[x].extend(more);
        }
    }
    groups.iter_mut().for_each(|g| g.sort());
    groups
}

fn web(a: &Analysis, v: VarId, stmts: Vec<StmtId>, changing: &BTreeSet<VarId>) -> Result<Option<Web>, Failure> {
    let accesses = || stmts.iter().flat_map(|s| &a.part.stmt(*s).accesses).filter(|x| x.data == v);
    let exposed = a.deps.upward_exposed.get(&v).is_some_and(|all| all.iter().any(|s| stmts.contains(s)));
    if exposed || !accesses().any(is_write) || accesses().any(|x| x.index.is_none()) {
        return Ok(None);
    }
    // `for (int j = ...)` within a statement: each run of it has its own `j` already.
    let within = |s: &StmtId| Some(&a.part.stmt(*s).body).filter(|body| !matches!(body.kind, StmtKind::Decl(_)));
    if effects::declared(stmts.iter().filter_map(within)).contains(&v) {
        return Ok(None);
    }
    let first = &a.part.stmt(stmts[0]).loops;
    let shared = |s: &StmtId| first.iter().zip(&a.part.stmt(*s).loops).take_while(|(x, y)| x == y).count();
    let around = first[..stmts.iter().map(shared).min().unwrap_or(0)].to_vec();
    let among = |i: &usize| {
        let d = &a.deps.list[*i];
        d.data == v && stmts.contains(&d.src) && stmts.contains(&d.dst)
    };
    let (flows, overwrites): (Vec<usize>, Vec<usize>) =
        (0..a.deps.list.len()).filter(among).partition(|i| a.deps.list[*i].kind == Kind::Flow);
    let moves = |deps: &[usize], k: usize| {
        deps.iter().try_fold(false, |any, i| Ok::<_, Failure>(any || a.deps.moves(*i, k, &[])?))
    };
    let mut loops = vec![];
    for (k, l) in around.iter().enumerate() {
        if moves(&flows, k)? || !moves(&overwrites, k)? {
            continue;
        }
        let counter = Poly::sym(Sym::Counter(a.part.get_loop(*l).var));
        let places: Vec<(StmtId, Poly)> = stmts.iter().map(|s| (*s, counter.clone())).collect();
        if let Some(extent) = bound(a, &places, &ends(a, &around), changing)? {
            loops.push((*l, extent));
        }
    }
    let Some(own) = own_extents(a, v, &stmts, changing)?.filter(|_| !loops.is_empty()) else { return Ok(None) };
    let mut web = Web { data: v, copy: v, stmts, around, loops: loops.clone(), own, wished: loops };
    // Rather for the inner loops than for none.
    while !web.loops.is_empty() && !fits(a, &web)? {
        web.loops.remove(0);
    }
    Ok(Some(web))
}

/// The extents of a variable as far as the statements touch it.
fn own_extents(
    a: &Analysis,
    v: VarId,
    stmts: &[StmtId],
    changing: &BTreeSet<VarId>,
) -> Result<Option<Vec<Poly>>, Failure> {
    let shape = &a.part.data[&v].shape;
    if shape.c_rank == 0 {
        return Ok(Some(vec![]));
    }
    let mut places = vec![];
    let mut candidates: Vec<Poly> = shape.outer.iter().cloned().collect();
    for s in stmts {
        let stmt = a.part.stmt(*s);
        let rows = stmt.accesses.iter().filter(|x| x.data == v).filter_map(|x| x.index.as_ref()?.first());
        places.extend(rows.map(|p| (*s, p.clone())));
        candidates.extend(ends(a, &stmt.loops));
    }
    let fixed = shape.inner.iter().all(|p| is_fixed(a, p, changing));
    let Some(rows) = bound(a, &places, &candidates, changing)?.filter(|_| fixed) else { return Ok(None) };
    Ok(Some([rows].into_iter().chain(shape.inner.iter().cloned()).collect()))
}

/// One past the greatest values of the loops' counters, where the loops say so.
fn ends(a: &Analysis, loops: &[LoopId]) -> Vec<Poly> {
    let mut out = vec![];
    for l in loops.iter().map(|l| a.part.get_loop(*l)) {
        match l.step > 0 {
            true => out.extend(l.limits.iter().cloned()),
            false => out.extend(l.first.plus(&Poly::constant(1), 1)),
        }
    }
    out
}

/// An extent that values of statements lie in, 0 included: one of the candidates, or what isl makes of the greatest.
fn bound(
    a: &Analysis,
    places: &[(StmtId, Poly)],
    candidates: &[Poly],
    changing: &BTreeSet<VarId>,
) -> Result<Option<Poly>, Failure> {
    for (s, value) in places {
        if !holds_not(a, *s, value, "< 0")? {
            return Ok(None);
        }
    }
    let usable = |p: &Poly| p.is_parametric() && p.is_affine() && is_fixed(a, p, changing);
    'next: for p in candidates.iter().filter(|p| usable(p)) {
        for (s, value) in places {
            let Some(over) = value.plus(p, -1) else { continue 'next };
            if !holds_not(a, *s, &over, ">= 0")? {
                continue 'next;
            }
        }
        return Ok(Some(p.clone()));
    }
    Ok(greatest(a, places)?.and_then(|p| p.plus(&Poly::constant(1), 1)).filter(usable))
}

/// The greatest of some values, where that is one expression in the parameters.
pub fn greatest(a: &Analysis, places: &[(StmtId, Poly)]) -> Result<Option<Poly>, Failure> {
    let spelling = &a.scop.spelling;
    let mut all = Set::parse(&a.scop.ctx, &format!("{}{{ [v] : false }}", spelling.prefix()))?;
    for (s, value) in places {
        let text = format!("{}{{ {} -> [{}] }}", spelling.prefix(), spelling.tuple(a.part, *s), spelling.text(value));
        all = all.union(&a.scop.domains[s.0].apply(&Map::parse(&a.scop.ctx, &text)?)?)?;
    }
    if all.is_empty()? || !all.dim_is_bounded(Dim::Out, 0)? {
        return Ok(None);
    }
    let pieces = End::Last.of(a, &all.coalesce()?)?.pieces()?;
    let [(_, greatest)] = pieces.as_slice() else { return Ok(None) };
    let whole = |v: Val| v.to_i64();
    if whole(greatest.denominator()?) != Some(1) || greatest.dim(Dim::Div)? > 0 {
        return Ok(None);
    }
    let Some(mut out) = whole(greatest.constant()?).map(Poly::constant) else { return Ok(None) };
    let space = greatest.space()?;
    for k in 0..greatest.dim(Dim::Param)? {
        let name = space.dim_name(Dim::Param, k)?;
        let id = spelling.params.iter().position(|p| Some(p) == name.as_ref());
        let term = id.zip(whole(greatest.coefficient(Dim::Param, k)?));
        let Some((id, c)) = term else { return Ok(None) };
        let Some(sum) = out.plus(&Poly::term(vec![Sym::Param(ParamId(id as u32))], c), 1) else { return Ok(None) };
        out = sum;
    }
    Ok(Some(out))
}

/// Test that a value of a statement never compares so.
fn holds_not(a: &Analysis, s: StmtId, value: &Poly, compares: &str) -> Result<bool, Failure> {
    let spelling = &a.scop.spelling;
    let (tuple, value) = (spelling.tuple(a.part, s), spelling.text(value));
    let bad = Set::parse(&a.scop.ctx, &format!("{}{{ {tuple} : {value} {compares} }}", spelling.prefix()))?;
    Ok(bad.is_disjoint(&a.scop.domains[s.0])?)
}

/// Test that a polynomial of parameters depends on nothing in `changing`.
pub fn is_fixed(a: &Analysis, p: &Poly, changing: &BTreeSet<VarId>) -> bool {
    !p.any(&|s| {
        let Sym::Param(id) = s else { return false };
        let mut changes = false;
        a.part
            .params
            .get(*id)
            .expr
            .walk(&mut |e| changes |= matches!(e.kind, ExprKind::Var(v) if changing.contains(&v)));
        changes
    })
}

/// Test that what takes a variable's place has few elements, or, for all sizes for which it is written at all, extents
/// like those of an array as far as the part touches it: of its own constant ones, all may lie along one that varies, as tiles of a
/// row do.
fn fits(a: &Analysis, web: &Web) -> Result<bool, Failure> {
    let extents = web.extents();
    let product = |all: &mut dyn Iterator<Item = i64>| all.fold(1i64, i64::saturating_mul);
    let constant = product(&mut extents.iter().filter_map(Poly::as_constant));
    let varying: Vec<Poly> = extents.into_iter().filter(|p| p.as_constant().is_none()).collect();
    if varying.is_empty() && constant <= FEW {
        return Ok(true);
    }
    let mut sizes = Set::empty(&a.scop.context.space()?)?;
    for s in &web.stmts {
        sizes = sizes.union(&a.scop.domains[s.0].params()?)?;
    }
    if is_like_an_array(a, &varying, constant, &sizes)? {
        return Ok(true);
    }
    let tiled = |k: usize| {
        let mut varying = varying.clone();
        varying[k] = Poly::default().plus(&varying[k], constant).filter(|_| constant > 1)?;
        Some(varying)
    };
    for varying in (0..varying.len()).filter_map(tiled) {
        if is_like_an_array(a, &varying, 1, &sizes)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Test that for all of these sizes some array has the varying extents, each along a dimension of its own, and constant ones
/// whose product is not much less.
fn is_like_an_array(a: &Analysis, varying: &[Poly], constant: i64, sizes: &Set) -> Result<bool, Failure> {
    let spelling = &a.scop.spelling;
    for (v, data) in a.part.data.iter().filter(|(_, d)| d.shape.c_rank > 0) {
        let touched = a.deps.live[v].touched()?;
        let rank = data.shape.rank();
        let dims = (0..rank).map(|d| format!("e{d}")).collect::<Vec<_>>().join(", ");
        let mut reaches = vec![];
        let mut spans = vec![];
        for d in 0..rank {
            let mut row = vec![];
            for p in varying {
                let most = format!("{FACTOR} * (e{d} + 1) + {SLACK}");
                let text = format!("{}{{ [{dims}] : {} <= {most} }}", spelling.prefix(), spelling.text(p));
                let far = touched.intersect(&Set::parse(&a.scop.ctx, &text)?)?.params()?;
                row.push(sizes.is_subset(&far)?);
            }
            reaches.push(row);
            spans.push(touched.dim_max_val(d).ok().and_then(|v| v.to_i64()).map_or(1, |v| v.saturating_add(1).max(1)));
        }
        if matches(varying.len(), &reaches, &spans, &mut vec![], constant) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Test that each of the first `n` extents lies within a dimension of its own, and what is left of the array is not
/// much less than `constant`.
fn matches(n: usize, reaches: &[Vec<bool>], spans: &[i64], taken: &mut Vec<usize>, constant: i64) -> bool {
    if taken.len() == n {
        let rest = (0..spans.len()).filter(|d| !taken.contains(d)).map(|d| spans[d]);
        return constant <= rest.fold(FACTOR * FACTOR, i64::saturating_mul);
    }
    (0..spans.len()).any(|d| {
        if taken.contains(&d) || !reaches[d][taken.len()] {
            return false;
        }
        taken.push(d);
        let found = matches(n, reaches, spans, taken, constant);
        taken.pop();
        found
    })
}

/// How deep in a web a statement stands: its loops that are not around the whole web.
pub fn own_loops<'a>(a: &'a Analysis, web: &Web, s: StmtId) -> &'a [LoopId] {
    debug_assert!(web.around.iter().all(|l| level_of(a.part, s, *l).is_some()));
    &a.part.stmt(s).loops[web.around.len()..]
}
