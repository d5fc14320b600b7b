//! What an array must hold on the device: which elements come in, which go out, how much is allocated.
//!
//! Elements come in that may be read before the region surely writes them, and those of the range that goes out which
//! the region may leave as they were. Sets of elements are exact; what moves is the contiguous range around them.

use super::ir::Rows;
use super::rows;
use super::sizes::where_holds;
use crate::analysis::analysed::{Analysed, Node, Static, variables};
use crate::ast::{BinOp, Unit, VarId};
use crate::isl::{Dim, ErrorKind, Set};
use crate::kernel::Expr;
use crate::poly::Failure;
use crate::region::Reason;
use crate::region::symbolic::Poly;
use crate::schedule::extent::{self, End};
use crate::schedule::lower::Lowering;
use crate::schedule::parallel::Analysis;
use crate::schedule::{ends, index};
use indexmap::IndexMap;
use std::collections::BTreeSet;

/// The elements of an array that the region deals with.
#[derive(Clone)]
pub struct Elements<'a> {
    /// A part that touches the array: its shape and its names of parameters.
    pub home: &'a Static,
    pub live_in: Set,
    pub may_write: Set,
    pub touched: Set,
    /// Touched whatever the data are.
    pub surely: Set,
    /// Written by the time the region ends, on every path.
    pub defined: Set,
    /// What calls of the host print before the region surely writes it.
    pub printed: Set,
    /// The outermost extent, if that cuts off some of what may be touched and cannot be said of the sets.
    pub length: Option<Poly>,
}

impl<'a> Elements<'a> {
    fn none(home: &'a Static, v: VarId) -> Result<Elements<'a>, Failure> {
        let none = Set::empty(&home.deps.live[&v].touched()?.space()?)?;
        Ok(Elements {
            home,
            live_in: none.clone(),
            may_write: none.clone(),
            touched: none.clone(),
            surely: none.clone(),
            defined: none.clone(),
            printed: none,
            length: None,
        })
    }

    /// Whether the subscripts show how much may be touched.
    pub fn is_bounded(&self) -> Result<bool, Failure> {
        let bounds = (0..self.touched.dim(Dim::Out)?).map(|k| self.is_bounded_along(k));
        Ok(bounds.collect::<Result<Vec<_>, _>>()?.into_iter().all(|b| b))
    }

    /// Whether they do in dimension `k`.
    pub fn is_bounded_along(&self, k: usize) -> Result<bool, Failure> {
        if !self.touched.dim_is_bounded(Dim::Out, k)? {
            return Ok(false);
        }
        let along = subscripts(&self.touched, k)?;
        if !along.involves_locals()? {
            return Ok(true);
        }
        // isl does not see beforehand that multiples of a number go on for ever.
        for end in [along.dim_min(0), along.dim_max(0)] {
            match end {
                Err(e) if e.kind == ErrorKind::Invalid => return Ok(false),
                end => drop(end?),
            }
        }
        Ok(true)
    }
}

/// Follows every array through the region's nodes, in order.
///
/// # Errors
/// The inner one: two parts see one array with different extents.
pub fn elements<'a>(
    unit: &Unit,
    region: &'a Analysed,
) -> Result<Result<IndexMap<VarId, Elements<'a>>, Reason>, Failure> {
    let mut out = IndexMap::new();
    for s in region.statics() {
        for v in s.deps.live.keys() {
            let first = *out.entry(*v).or_insert(s);
            if extents(first, *v) != extents(s, *v) {
                let var = unit.var(*v);
                let message = format!("`{}` is addressed with other rows in one nest than in another", var.name);
                return Ok(Err(Reason::new("shape", message, var.span).help("mark each nest as a region of its own")));
            }
        }
    }
    let mut found = IndexMap::new();
    for (v, home) in out {
        found.insert(v, Elements::none(home, v)?);
    }
    walk(region, &region.nodes, &mut found, true, true)?;
    for e in found.values_mut() {
        // What the region leaves alone is printed from the host's memory.
        let printed = e.printed.intersect(&e.may_write)?;
        if !printed.is_empty()? {
            e.live_in = e.live_in.union(&printed)?.coalesce()?;
        }
    }
    Ok(Ok(found))
}

/// The extents behind the outermost, as every part spells them.
fn extents(s: &Static, v: VarId) -> Vec<String> {
    s.part.data[&v].shape.inner.iter().map(|p| s.scop.spelling.text(p)).collect()
}

/// `certain`: what stands here has run once, by the time the region ends; `entered`: its arrays are there to be touched.
/// A loop that the host runs until something converges is taken to be entered, as a condition is not; where it exchanges
/// buffers, to come to every turn.
fn walk<'a>(
    region: &'a Analysed,
    nodes: &'a [Node],
    out: &mut IndexMap<VarId, Elements<'a>>,
    certain: bool,
    entered: bool,
) -> Result<(), Failure> {
    for n in nodes {
        match n {
            Node::Static(s) => pass(s, &s.changing(region), out, certain, entered)?,
            Node::Print { reads, .. } => printed(region, reads, out)?,
            // What a body defines is sure only once it has run.
            Node::Loop { body, .. } => walk(region, body, out, false, entered)?,
            Node::If { cond, then, other } => {
                let mut read = BTreeSet::new();
                variables(cond, &mut read);
                let is_turn = entered && region.turn.is_some_and(|v| read.contains(&v));
                walk(region, then, out, false, is_turn)?;
                walk(region, other, out, false, is_turn)?;
            }
            Node::Compute(_) | Node::Break | Node::GiveUp => {}
        }
    }
    Ok(())
}

/// `changing`: parameters that the host computes in the region. What depends on them is, over the whole region, whatever
/// it may be for one of their values, and nothing that is sure.
fn pass<'a>(
    s: &'a Static,
    changing: &[&str],
    out: &mut IndexMap<VarId, Elements<'a>>,
    certain: bool,
    entered: bool,
) -> Result<(), Failure> {
    let any = |set: &Set| changing.iter().try_fold(set.clone(), |set, name| set.project_out_param(name));
    let all = |set: &Set| {
        let is_fixed = changing.iter().try_fold(true, |fixed, name| {
            let at = set.find_dim(Dim::Param, name)?;
            Ok::<_, Failure>(fixed && at.map_or(Ok(true), |at| set.involves_dims(Dim::Param, at, 1).map(|uses| !uses))?)
        })?;
        Ok::<_, Failure>(if is_fixed { any(set)? } else { Set::empty(&any(set)?.space()?)? })
    };
    for (v, live) in &s.deps.live {
        let e = out.get_mut(v).expect("every array of a part is known");
        e.live_in = e.live_in.union(&any(live.read_first()?)?.subtract(&e.defined)?)?.coalesce()?;
        e.may_write = e.may_write.union(&any(live.may_write()?)?)?.coalesce()?;
        e.touched = e.touched.union(&any(live.touched()?)?)?.coalesce()?;
        if certain {
            e.defined = e.defined.union(&all(live.must_write()?)?)?.coalesce()?;
        }
        if entered {
            e.surely = e.surely.union(&all(live.surely()?)?)?.coalesce()?;
        }
    }
    Ok(())
}

/// What a call prints, as far as the region deals with it: any element, where it cannot be seen in the same rows.
fn printed(region: &Analysed, s: &Static, out: &mut IndexMap<VarId, Elements>) -> Result<(), Failure> {
    let mut named = BTreeSet::new();
    s.part.params.list.iter().for_each(|p| variables(&p.expr, &mut named));
    // What the host counts is not the same all over the region.
    let is_exact = named.is_disjoint(&region.host_scalars) && s.scop.declared.is_subset(&s.scop.context)?;
    for (v, live) in &s.deps.live {
        let Some(e) = out.get_mut(v) else { continue };
        let read = match is_exact && extents(e.home, *v) == extents(s, *v) {
            true => live.touched()?.clone(),
            false => Set::universe(&e.touched.space()?)?,
        };
        e.printed = e.printed.union(&read.subtract(&e.defined)?)?.coalesce()?;
    }
    Ok(())
}

/// Positions: the first, one past the last.
pub type Range = (Expr, Expr);

/// An array's ranges as expressions; positions are row-major.
pub struct Ranges {
    /// Outermost first.
    pub extents: Vec<Expr>,
    pub live_in: Option<Range>,
    pub written: Option<Range>,
    /// What must not be negative for the ranges to mean what they say.
    pub natural: Vec<Expr>,
    /// Where the host reaches its rows through pointers.
    pub rows: Option<Rows>,
}

/// Operations that isl may spend on the ranges of one array: several times what any program that is shipped needs. What
/// takes more has so many cases that nobody would read them, nor the host decide them for each row.
const RANGE_OPERATIONS: u64 = 3_000_000;

/// Turns sets of elements into ranges.
///
/// # Errors
/// The array's extent is not to be had: the inner error.
pub fn ranges(a: &Analysis, v: VarId, e: &Elements, lower: &mut Lowering) -> Result<Result<Ranges, Reason>, Failure> {
    a.scop.ctx.within(RANGE_OPERATIONS, || ranges_of(a, v, e, lower))
}

fn ranges_of(a: &Analysis, v: VarId, e: &Elements, lower: &mut Lowering) -> Result<Result<Ranges, Reason>, Failure> {
    let data = &a.part.data[&v];
    let var = lower.unit.var(v);
    let inner: Vec<Expr> = data.shape.inner.iter().map(|p| lower.poly(p)).collect();
    let own_inner = || inner[data.shape.found().len()..].iter().cloned();
    let declared = data.shape.outer.clone();
    let mut ranges = Ranges { extents: vec![], live_in: None, written: None, natural: vec![], rows: None };
    if !e.is_bounded()? {
        let Some(outer) = declared.filter(|p| p.is_affine() || data.shape.outer_is_known) else {
            return Ok(Err(Reason::new(
                "unknown-extent",
                format!("how much of `{}` is used cannot be seen from its subscripts", var.name),
                var.span,
            )
            .help(match data.shape.c_rank {
                1 => format!("say its extent: #pragma rt shape({}: n)", var.name),
                _ => format!("say its extents: #pragma rt shape({}: n, m)", var.name),
            })));
        };
        let outer = lower.poly(&outer);
        ranges.extents = [outer.clone()].into_iter().chain(own_inner()).collect();
        let whole = Some((Expr::Int(0), own_inner().fold(outer.clone(), index::mul)));
        if data.shape.n_pointers > 0 {
            ranges.rows = Some(rows::whole(&ranges.extents, data.shape.n_pointers, !e.may_write.is_empty()?));
        }
        ranges.natural.push(outer);
        ranges.live_in = whole.clone();
        ranges.written = if e.may_write.is_empty()? { None } else { whole };
        return Ok(Ok(ranges));
    }
    if data.shape.c_rank == 0 {
        let whole = |set: &Set| Ok::<_, Failure>((!set.is_empty()?).then_some((Expr::Int(0), Expr::Int(1))));
        ranges.live_in = whole(&e.live_in)?;
        ranges.written = whole(&e.may_write)?;
        // What is written on some paths only goes out as it came in on the others.
        let always = e.defined.params()?;
        if ranges.written.is_some() && !a.scop.context.is_subset(&always)? {
            ranges.live_in = ranges.written.clone();
        }
        return Ok(Ok(ranges));
    }
    let is_tight = data.shape.is_delinearised();
    let written = hull(a, &a.scop.context, &e.may_write, &inner, &data.shape.inner, is_tight, lower)?;
    let mut live_in = e.live_in.clone();
    if let Some(moved) = rows::rows(a, v, e, lower)? {
        live_in = moved.live_in;
        ranges.rows = Some(moved.rows);
    }
    let mut moves = None;
    if ranges.rows.is_none() && written.is_some() {
        let gaps = gaps(a, &e.may_write, &e.defined, &data.shape.inner)?;
        if !gaps.is_empty()? {
            let needed = live_in.params()?.union(&gaps.params()?)?.coalesce()?;
            // What goes out has come in. Both ranges are without elements where their sets are, and else tight.
            live_in = live_in.union(&e.may_write)?;
            // Sizes at which all of it is written before it is read leave nothing to bring.
            moves = Some(needed.gist(&live_in.params()?.intersect(&a.scop.context)?)?.coalesce()?);
        }
    }
    ranges.live_in = hull(a, &a.scop.context, &live_in, &inner, &data.shape.inner, is_tight, lower)?;
    if let Some(moves) = moves
        && let Some(around) = ranges.live_in.take()
    {
        ranges.live_in = Some(only_where(a, &moves, around, lower)?);
    }
    ranges.written = written;
    let rows = match e.touched.intersect_params(&a.scop.context)?.is_empty()? {
        true => Expr::Int(0),
        false if data.shape.c_rank == data.shape.rank() => {
            ends::bound(a, &a.scop.context, End::Last, &subscripts(&e.touched, 0)?, lower)?.at
        }
        // Linearised by hand: up to the last element touched.
        false => {
            let end = hull(a, &a.scop.context, &e.touched, &inner, &data.shape.inner, is_tight, lower)?
                .map_or(Expr::Int(0), |r| r.1);
            own_inner().reduce(index::mul).map_or(end.clone(), |row| index::ceil_div(end, row))
        }
    };
    // Symbols for lengths are computed: they are no sizes of the user's that a guard asks about.
    let n_symbols = if data.shape.is_open { data.shape.n_pointers } else { 0 };
    ranges.natural.extend(inner.iter().skip(n_symbols).cloned());
    ranges.extents = [rows].into_iter().chain(own_inner()).collect();
    if let Some(length) = &e.length {
        let shorter = |x: &mut Expr, end: &Expr| *x = Expr::Min(Box::new(x.clone()), Box::new(end.clone()));
        let length = lower.poly(length);
        let end = ranges.extents[1..].iter().cloned().fold(length.clone(), index::mul);
        [&mut ranges.live_in, &mut ranges.written].into_iter().flatten().for_each(|(_, last)| shorter(last, &end));
        shorter(&mut ranges.extents[0], &length);
    }
    Ok(Ok(ranges))
}

/// What of the rows that `set` lies in, each in full, is not in `defined`: where there is none of it, the range around the
/// set is.
fn gaps(a: &Analysis, set: &Set, defined: &Set, inner: &[Poly]) -> Result<Set, Failure> {
    let rank = set.dim(Dim::Out)?;
    let rows = set.eliminate(Dim::Out, 1, rank - 1)?.remove_divs()?.simple_hull()?.to_set()?;
    let spelling = &a.scop.spelling;
    let names: Vec<String> = (0..rank).map(|k| format!("rt_{k}")).collect();
    let full: Vec<String> =
        inner.iter().zip(&names[1..]).map(|(n, x)| format!("0 <= {x} < {}", spelling.text(n))).collect();
    let full = if full.is_empty() { "true".to_string() } else { full.join(" and ") };
    let tuple = set.tuple_name()?.unwrap_or_default();
    let text = format!("{}{{ {tuple}[{}] : {full} }}", spelling.prefix(), names.join(", "));
    let full = Set::parse(&a.scop.ctx, &text)?;
    Ok(rows.intersect(&full)?.subtract(defined)?.intersect_params(&a.scop.context)?)
}

/// A range, empty where the sizes are outside of `condition`.
fn only_where(a: &Analysis, condition: &Set, range: Range, lower: &mut Lowering) -> Result<Range, Failure> {
    if condition.is_universe()? {
        return Ok(range);
    }
    let (first, last) = range;
    let holds = extent::condition(a, condition, lower)?;
    let (holds, last) = match last {
        Expr::Cond(also, last, none) if *none == first => (index::binary(BinOp::And, holds, *also), last),
        last => (holds, Box::new(last)),
    };
    Ok((first.clone(), Expr::Cond(Box::new(holds), last, Box::new(first))))
}

/// The subscripts number `k` alone. Many pieces of a set agree in them, and isl compares the bounds of every two pieces.
fn subscripts(set: &Set, k: usize) -> Result<Set, Failure> {
    let rank = set.dim(Dim::Out)?;
    let rest = set.project_out(Dim::Out, k + 1, rank - k - 1)?.project_out(Dim::Out, 0, k)?;
    Ok(rest.coalesce()?)
}

/// The range of positions around a set: (first, one past the last), or `None` for the empty set. Rows that C knows are
/// there in full, so that the range may be that of the box around the set; `is_tight`: of rows that were found in
/// subscripts the last may be there as far as it is touched, so that the range is from the first element to the last.
pub(super) fn hull(
    a: &Analysis,
    known: &Set,
    set: &Set,
    inner: &[Expr],
    inner_polys: &[Poly],
    is_tight: bool,
    lower: &mut Lowering,
) -> Result<Option<Range>, Failure> {
    let there = &set.intersect_params(known)?.coalesce()?;
    if there.is_empty()? {
        return Ok(None);
    }
    let rank = set.dim(Dim::Out)?;
    let (least, greatest) = match is_tight {
        true => (&element(a, there, End::First)?, &element(a, there, End::Last)?),
        false => (set, set),
    };
    let mut first = Expr::Int(0);
    let mut last = Expr::Int(0);
    let (mut rows, mut in_full_rows, mut shows_empty) = ((Expr::Int(0), Expr::Int(0)), true, false);
    for k in 0..rank {
        let (begin, end) = (subscripts(least, k)?, subscripts(greatest, k)?);
        let (low, count) = if k > 0 && spans(a, &begin.union(&end)?.intersect_params(known)?, &inner_polys[k - 1])? {
            (Expr::Int(0), inner[k - 1].clone())
        } else {
            let (low, end) =
                (ends::bound(a, known, End::First, &begin, lower)?, ends::bound(a, known, End::Last, &end, lower)?);
            shows_empty |= k == 0 && end.is_zero_without;
            (low.at, end.at)
        };
        let scale = |e: Expr| if k == 0 { e } else { index::mul(e, inner[k - 1].clone()) };
        if k == 0 {
            (first, last) = (low, count);
            rows = (first.clone(), last.clone());
        } else {
            in_full_rows &= count == inner[k - 1];
            first = index::add(scale(first), low);
            // Rows in full: the end of the last one. Otherwise the last element of the last row.
            last = if count == inner[k - 1] {
                scale(last)
            } else {
                index::add(scale(index::binary(BinOp::Sub, last, Expr::Int(1))), count)
            };
        }
    }
    // The end of the first subscript is 0 where there is nothing.
    if shows_empty && in_full_rows && matches!(rows.0, Expr::Int(_)) {
        return Ok(Some((first, last)));
    }
    if shows_empty {
        let is_there = index::binary(BinOp::Gt, rows.1, Expr::Int(0));
        let (or_none, last) = (Box::new(first.clone()), Box::new(last));
        return Ok(Some((first, Expr::Cond(Box::new(is_there), last, or_none))));
    }
    // Conditions on the sizes alone: `if (flag) a[i] = ...` needs nothing of `a` without the flag. Where the set is empty
    // the ends say anything, so that only what makes a range of full rows empty by itself need not be asked.
    let mut known = known.clone();
    if in_full_rows {
        let rows = index::binary(BinOp::Lt, rows.0, rows.1);
        let are_long = inner.iter().take(rank - 1).map(|e| index::binary(BinOp::Gt, e.clone(), Expr::Int(0)));
        for holds in [rows].into_iter().chain(are_long) {
            known = where_holds(&a.scop.ctx, &known, &holds)?.unwrap_or(known);
        }
    }
    let there = set.params()?;
    if known.is_subset(&there)? {
        return Ok(Some((first, last)));
    }
    Ok(Some(only_where(a, &there.gist(&known)?.coalesce()?, (first, last), lower)?))
}

/// The first element of a set for each size, or the last: the end of the first subscript, and there of the next.
fn element(a: &Analysis, set: &Set, end: End) -> Result<Set, Failure> {
    let rank = set.dim(Dim::Out)?;
    let mut set = set.clone();
    for k in 0..rank {
        let at = Set::from_pw_aff(&end.of(a, &subscripts(&set, k)?)?)?;
        let line = at.insert_dims(Dim::Out, 0, k)?.add_dims(Dim::Out, rank - k - 1)?;
        let line = match set.tuple_name()? {
            Some(name) => line.set_tuple_name(&name)?,
            None => line,
        };
        set = set.intersect(&line)?.coalesce()?;
    }
    Ok(set)
}

/// Whether the subscripts of a dimension go from 0 to its extent.
fn spans(a: &Analysis, along: &Set, extent: &Poly) -> Result<bool, Failure> {
    let spelling = &a.scop.spelling;
    let text = format!("{}{{ [rt_e] : rt_e = 0 or rt_e = {} - 1 }}", spelling.prefix(), spelling.text(extent));
    let ends = Set::parse(&a.scop.ctx, &text)?;
    let outside = ends.intersect_params(&along.params()?)?.subtract(along)?;
    Ok(outside.is_empty()?)
}
