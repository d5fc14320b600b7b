//! The contiguous range around a set of elements: what moves.

use super::elements::subscripts;
use super::sizes::where_holds;
use crate::ast::BinOp;
use crate::facts::symbolic::Poly;
use crate::isl::{Dim, Set};
use crate::kernel::Expr;
use crate::poly::Failure;
use crate::region::shape::Shape;
use crate::schedule::extent::{self, End};
use crate::schedule::lower::Lowering;
use crate::schedule::parallel::Analysis;
use crate::schedule::{index, set_bounds};

/// Positions: the first, one past the last.
pub type Range = (Expr, Expr);

/// A range, empty where the sizes are outside of `condition`.
pub(super) fn only_where(a: &Analysis, condition: &Set, range: Range, lower: &mut Lowering) -> Result<Range, Failure> {
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

/// Layout of the elements that ranges are around.
#[derive(Default)]
pub(super) struct Layout<'a> {
    /// Extents behind the outermost dimension.
    pub(super) extents: Vec<Expr>,
    polys: &'a [Poly],
    /// See [`Shape::strides`].
    strides: Vec<Expr>,
    /// Rows that C knows are there in full, so that a range may be that of the box around the set; of rows that were found
    /// in subscripts the last may be there as far as it is touched: from the first element to the last.
    is_tight: bool,
}

impl<'a> Layout<'a> {
    /// Layout of an array behind its first so many subscripts.
    pub(super) fn behind(n_fixed: usize, shape: &'a Shape, lower: &mut Lowering) -> Layout<'a> {
        let polys = &shape.inner[n_fixed..];
        Layout {
            extents: polys.iter().map(|p| lower.poly(p)).collect(),
            polys,
            strides: shape.strides.iter().map(|p| lower.poly(p)).collect(),
            is_tight: shape.is_delinearised(),
        }
    }

    /// Positions of the first element and behind the last one in the dimension `k`, within those of the dimensions around
    /// it; `low` and `count` are its subscripts.
    fn within(&self, k: usize, around: Range, low: Expr, count: Expr) -> Range {
        let before = |e: Expr| index::binary(BinOp::Sub, e, Expr::Int(1));
        let (first, last) = around;
        let n_spread = self.strides.len();
        if let Some(stride) = self.strides.get(k) {
            // `last` is the last row itself.
            let (low, last_row) = (index::mul(low, stride.clone()), index::mul(before(count), stride.clone()));
            return if k == 0 { (low, last_row) } else { (index::add(first, low), index::add(last, last_row)) };
        }
        if k == 0 {
            return (low, count);
        }
        if k == n_spread {
            return (index::add(first, low), index::add(last, count));
        }
        let extent = &self.extents[k - 1];
        let scale = |e: Expr| index::mul(e, extent.clone());
        // Rows in full: the end of the last one. Otherwise the last element of the last row.
        let last = if count == *extent { scale(last) } else { index::add(scale(before(last)), count) };
        (index::add(scale(first), low), last)
    }
}

/// The range of positions around a set: (first, one past the last), or `None` for the empty set.
pub(super) fn hull(
    a: &Analysis,
    known: &Set,
    set: &Set,
    layout: &Layout,
    lower: &mut Lowering,
) -> Result<Option<Range>, Failure> {
    let there = &set.intersect_params(known)?.coalesce()?;
    if there.is_empty()? {
        return Ok(None);
    }
    let rank = set.dim(Dim::Out)?;
    let (least, greatest) = match layout.is_tight {
        true => (&element(a, there, End::First)?, &element(a, there, End::Last)?),
        false => (set, set),
    };
    let inner = &layout.extents;
    let (mut first, mut last) = (Expr::Int(0), Expr::Int(0));
    let (mut rows, mut in_full_rows, mut shows_empty) =
        ((Expr::Int(0), Expr::Int(0)), layout.strides.is_empty(), false);
    for k in 0..rank {
        let (begin, end) = (subscripts(least, k)?, subscripts(greatest, k)?);
        let (low, count) = if k > 0 && spans(a, &begin.union(&end)?.intersect_params(known)?, &layout.polys[k - 1])? {
            (Expr::Int(0), inner[k - 1].clone())
        } else {
            let (low, end) = (
                set_bounds::bound(a, known, End::First, &begin, lower)?,
                set_bounds::bound(a, known, End::Last, &end, lower)?,
            );
            shows_empty |= k == 0 && end.is_zero_without;
            (low.at, end.at)
        };
        if k == 0 {
            rows = (low.clone(), count.clone());
        } else {
            in_full_rows &= count == inner[k - 1];
        }
        (first, last) = layout.within(k, (first, last), low, count);
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

/// Test that the subscripts of a dimension go from 0 to its extent.
fn spans(a: &Analysis, along: &Set, extent: &Poly) -> Result<bool, Failure> {
    let spelling = &a.scop.spelling;
    let text = format!("{}{{ [rt_e] : rt_e = 0 or rt_e = {} - 1 }}", spelling.prefix(), spelling.text(extent));
    let ends = Set::parse(&a.scop.ctx, &text)?;
    let outside = ends.intersect_params(&along.params()?)?.subtract(along)?;
    Ok(outside.is_empty()?)
}
