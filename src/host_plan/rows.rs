//! What moves of an array whose rows are reached through pointers (`double **a`, `double *a[n]`).
//!
//! ```text
//! for (i = 1; i < n; i++)                       the device has    a[n][rt_a_extent1]
//!     for (j = 0; j < i; j++) a[i][j] = 0;      row rt_row0 goes out, in [1, n): elements [0, rt_row0) behind its pointer
//! ```
//! The device has one dense block, as long in each dimension as what the region touches. The host's rows lie anywhere and
//! may be as short as what is touched of each (a triangle), so that what moves is said row by row: the subscripts of the
//! pointers, and behind each the range of elements, over the row's own subscripts.

use super::elements::Elements;
use super::hull::{Layout, hull};
use super::ir::{Row, Rows};
use crate::ast::VarId;
use crate::isl::{Dim, Map, Set};
use crate::kernel::{Expr, simplify};
use crate::poly::Failure;
use crate::schedule::extent::{End, row_symbol};
use crate::schedule::lower::Lowering;
use crate::schedule::parallel::Analysis;
use crate::schedule::{index, set_bounds};

/// What moves of such an array.
pub struct Moved {
    pub rows: Rows,
    /// Elements that come in: those that may be read first, and what goes out untouched between those written.
    pub live_in: Set,
}

/// Follows the pointers to what the sets of an array say. `None` where the array is one block.
///
/// # Errors
/// A fault of isl's.
pub fn rows(a: &Analysis, v: VarId, e: &Elements, lower: &mut Lowering) -> Result<Option<Moved>, Failure> {
    let shape = &a.part.data[&v].shape;
    let n_pointers = shape.n_pointers;
    if n_pointers == 0 {
        return Ok(None);
    }
    let written = between(a, &e.may_write, n_pointers)?;
    let live_in = match written.is_subset(&e.defined)? {
        true => e.live_in.clone(),
        false => e.live_in.union(&e.may_write)?.coalesce()?,
    };
    let all = live_in.union(&e.may_write)?.coalesce()?;
    let mut subscripts = vec![];
    let mut there = a.scop.context.clone();
    for k in 0..n_pointers {
        let one = all.project_out(Dim::Out, k + 1, shape.rank() - k - 1)?;
        let (first, last) =
            range(a, &one, k, &there, &Layout::default(), lower)?.unwrap_or((Expr::Int(0), Expr::Int(0)));
        subscripts.push(Row { name: row_symbol(k), first, last });
        there = there.intersect(&fixed(&between(a, &one, k)?, k + 1)?.params()?)?;
    }
    if let (Some(length), Some(row)) = (&e.length, subscripts.first_mut()) {
        row.last = Expr::Min(Box::new(row.last.clone()), Box::new(lower.poly(length)));
    }
    let layout = Layout::behind(n_pointers, shape, lower);
    let rows = Rows {
        subscripts,
        live_in: range(a, &live_in, n_pointers, &there, &layout, lower)?,
        live_out: range(a, &e.may_write, n_pointers, &there, &layout, lower)?,
        exchanged: None,
        within: None,
    };
    Ok(Some(Moved { rows, live_in }))
}

/// Where how much is touched cannot be seen: all of it, as the user states it.
pub fn whole(extents: &[Expr], n_pointers: usize, is_written: bool) -> Rows {
    let subscripts = extents[..n_pointers].iter().enumerate();
    let row = |(k, last): (usize, &Expr)| Row { name: row_symbol(k), first: Expr::Int(0), last: last.clone() };
    let length = extents[n_pointers..].iter().cloned().reduce(index::mul).unwrap_or(Expr::Int(1));
    let all = Some((Expr::Int(0), length));
    let live_out = all.clone().filter(|_| is_written);
    Rows { subscripts: subscripts.map(row).collect(), live_in: all, live_out, exchanged: None, within: None }
}

/// How many elements dimension `k` has: one more than the last that the region touches. Where it touches none, it says
/// anything.
///
/// # Errors
/// A fault of isl's.
pub fn length(a: &Analysis, e: &Elements, k: usize, lower: &mut Lowering) -> Result<Expr, Failure> {
    let rank = e.touched.dim(Dim::Out)?;
    let one = e.touched.project_out(Dim::Out, k + 1, rank - k - 1)?.project_out(Dim::Out, 0, k)?;
    let mut length = set_bounds::bound(a, &a.scop.context, End::Last, &one.coalesce()?, lower)?.at;
    simplify::index_expr(&mut length);
    Ok(length)
}

/// The set with numbers that have names for its first subscripts.
fn fixed(set: &Set, n_fixed: usize) -> Result<Set, Failure> {
    let mut set = set.clone();
    for k in 0..n_fixed {
        let at = set.dim(Dim::Param)?;
        set = set.add_dims(Dim::Param, 1)?.set_dim_name(Dim::Param, at, &row_symbol(k))?;
        set = set.equate(Dim::Param, at, Dim::Out, k)?;
    }
    Ok(set.project_out(Dim::Out, 0, n_fixed)?.coalesce()?)
}

/// The range of positions that a set has behind `n_fixed` subscripts, for those of `there`.
fn range(
    a: &Analysis,
    set: &Set,
    n_fixed: usize,
    there: &Set,
    layout: &Layout,
    lower: &mut Lowering,
) -> Result<Option<(Expr, Expr)>, Failure> {
    if set.is_empty()? {
        return Ok(None);
    }
    let set = fixed(set, n_fixed)?.gist_params(there)?;
    // What is known of the row in one piece: cases here would be as many in each end.
    let known = match there.basic_sets()?.len() {
        0 | 1 => there.clone(),
        _ => there.remove_divs()?.simple_hull()?.to_set()?,
    };
    // A row between others of which nothing is touched has an empty range.
    let found = hull(a, &known, &set, layout, lower)?;
    Ok(found.map(|(mut first, mut last)| {
        simplify::index_expr(&mut first);
        simplify::index_expr(&mut last);
        (first, last)
    }))
}

/// The elements between the first and the last of the set behind the same first subscripts.
fn between(a: &Analysis, set: &Set, n_first: usize) -> Result<Set, Failure> {
    let rank = set.dim(Dim::Out)?;
    let tuple = |letter: &str| (0..rank).map(|k| format!("{letter}{k}")).collect::<Vec<_>>().join(", ");
    let same: String = (0..n_first).map(|k| format!("f{k} = e{k} and ")).collect();
    let to = |beyond: &str| {
        let text = format!("{{ [{}] -> [{}] : {same}{beyond} }}", tuple("e"), tuple("f"));
        set.apply(&Map::parse(&a.scop.ctx, &text)?).map_err(Failure::from)
    };
    if rank > n_first + 1 {
        // Of rows of rows the whole is taken: what lies between is not seen subscript by subscript.
        return to("0 = 0");
    }
    Ok(to(&format!("f{n_first} >= e{n_first}"))?.intersect(&to(&format!("f{n_first} <= e{n_first}"))?)?.coalesce()?)
}
