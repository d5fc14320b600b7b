//! Contents of an array on the device: which elements come in, which go out, how much is allocated.
//!
//! Elements come in that may be read before the region surely writes them, and those of the range that goes out which
//! the region may leave as they were. Sets of elements are exact; what moves is the contiguous range around them.

use super::elements::{Elements, subscripts};
use super::hull::{Layout, Range, hull, only_where};
use super::ir::Rows;
use super::rows;
use crate::ast::{BinOp, Unit, VarId};
use crate::facts::Reason;
use crate::isl::{Dim, Set};
use crate::kernel::Expr;
use crate::poly::Failure;
use crate::region::hints;
use crate::region::shape::Shape;
use crate::schedule::extent::End;
use crate::schedule::lower::Lowering;
use crate::schedule::parallel::Analysis;
use crate::schedule::{index, set_bounds};
use crate::source::Span;

/// An array's ranges as expressions; positions are row-major.
pub struct Ranges {
    /// Outermost first.
    pub extents: Vec<Expr>,
    pub live_in: Option<Range>,
    pub written: Option<Range>,
    /// Polynomials that must not be negative for the ranges to hold.
    pub natural: Vec<Expr>,
    /// Where the host reaches its rows through pointers.
    pub rows: Option<Rows>,
}

/// Operations that isl may spend on the ranges of one array: several times what any program that is shipped needs. What
/// takes more has so many cases that nobody would read them, nor the host decide them for each row.
const RANGE_OPERATIONS: u64 = 3_000_000;

/// Turns sets of elements into ranges. `held` names the number of elements that the memory behind the pointer has, where
/// the call asks for it.
///
/// # Errors
/// The array's extent is not to be had: the inner error.
pub fn ranges(
    a: &Analysis,
    v: VarId,
    e: &Elements,
    held: Option<&str>,
    lower: &mut Lowering,
) -> Result<Result<Ranges, Reason>, Failure> {
    a.scop.ctx.within(RANGE_OPERATIONS, || ranges_of(a, v, e, held, lower))
}

fn ranges_of(
    a: &Analysis,
    v: VarId,
    e: &Elements,
    held: Option<&str>,
    lower: &mut Lowering,
) -> Result<Result<Ranges, Reason>, Failure> {
    let data = &a.part.data[&v];
    let var = lower.unit.var(v);
    let layout = Layout::behind(0, &data.shape, lower);
    let inner = &layout.extents;
    let own_inner = || inner[data.shape.found().len()..].iter().cloned();
    let declared = data.shape.outer.clone();
    let mut ranges = Ranges { extents: vec![], live_in: None, written: None, natural: vec![], rows: None };
    if !e.is_bounded()? {
        let outer = match (
            held,
            declared.filter(|p| p.is_affine() || data.shape.outer_is_known || data.shape.outer_is_reached),
        ) {
            (Some(held), _) => own_inner().reduce(index::mul).map_or(index::var(held), |row| {
                index::binary(BinOp::Div, index::var(held), index::max([row, Expr::Int(1)]).expect("two numbers"))
            }),
            (None, Some(outer)) => lower.poly(&outer),
            (None, None) => return Ok(Err(unknown(a.unit, v, var.span))),
        };
        ranges.extents = [outer.clone()].into_iter().chain(own_inner()).collect();
        let whole = Some((Expr::Int(0), own_inner().fold(outer.clone(), index::mul)));
        if data.shape.n_pointers > 0 {
            ranges.rows = Some(rows::whole(&ranges.extents, data.shape.n_pointers, !e.may_write.is_empty()?));
        }
        match held {
            Some(_) => ranges.natural.extend(own_inner()),
            None => ranges.natural.push(outer),
        }
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
    let written = hull(a, &a.scop.context, &e.may_write, &layout, lower)?;
    let mut live_in = e.live_in.clone();
    if let Some(moved) = rows::rows(a, v, e, lower)? {
        live_in = moved.live_in;
        ranges.rows = Some(moved.rows);
    }
    let mut moves = None;
    if ranges.rows.is_none() && written.is_some() {
        let gaps = gaps(a, &e.may_write, &e.defined, &data.shape)?;
        if !gaps.is_empty()? {
            let needed = live_in.params()?.union(&gaps.params()?)?.coalesce()?;
            // What goes out has come in. Both ranges are without elements where their sets are, and else tight.
            live_in = live_in.union(&e.may_write)?;
            // Sizes at which all of it is written before it is read leave nothing to bring.
            moves = Some(needed.gist(&live_in.params()?.intersect(&a.scop.context)?)?.coalesce()?);
        }
    }
    ranges.live_in = hull(a, &a.scop.context, &live_in, &layout, lower)?;
    if let Some(moves) = moves
        && let Some(around) = ranges.live_in.take()
    {
        ranges.live_in = Some(only_where(a, &moves, around, lower)?);
    }
    ranges.written = written;
    let rows = match e.touched.intersect_params(&a.scop.context)?.is_empty()? {
        true => Expr::Int(0),
        false if data.shape.c_rank == data.shape.rank() => {
            set_bounds::bound(a, &a.scop.context, End::Last, &subscripts(&e.touched, 0)?, lower)?.at
        }
        // Linearised by hand: up to the last element touched.
        false => {
            let end = hull(a, &a.scop.context, &e.touched, &layout, lower)?.map_or(Expr::Int(0), |r| r.1);
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

pub(super) fn unknown(unit: &Unit, v: VarId, at: Span) -> Reason {
    let message = format!("how much of `{}` is used cannot be seen from its subscripts", unit.var(v).name);
    Reason::new("unknown-extent", message, at).help(hints::wanted(unit, v))
}

/// Rest of the rows that `set` lies in, each in full, beside `defined`: where there is none of it, the range around the
/// set is.
fn gaps(a: &Analysis, set: &Set, defined: &Set, shape: &Shape) -> Result<Set, Failure> {
    // Elements that pad rows have no subscripts.
    if !shape.strides.is_empty() {
        return Ok(set.clone());
    }
    let rank = set.dim(Dim::Out)?;
    let rows = set.eliminate(Dim::Out, 1, rank - 1)?.remove_divs()?.simple_hull()?.to_set()?;
    let spelling = &a.scop.spelling;
    let names: Vec<String> = (0..rank).map(|k| format!("rt_{k}")).collect();
    let full: Vec<String> =
        shape.inner.iter().zip(&names[1..]).map(|(n, x)| format!("0 <= {x} < {}", spelling.text(n))).collect();
    let full = if full.is_empty() { "true".to_string() } else { full.join(" and ") };
    let tuple = set.tuple_name()?.unwrap_or_default();
    let text = format!("{}{{ {tuple}[{}] : {full} }}", spelling.prefix(), names.join(", "));
    let full = Set::parse(&a.scop.ctx, &text)?;
    // Along a first row without others.
    let beyond = set.subtract(&full)?;
    Ok(rows.intersect(&full)?.subtract(defined)?.union(&beyond)?.intersect_params(&a.scop.context)?)
}
