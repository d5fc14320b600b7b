//! How much of an array is surely there.
//!
//! A copy must not touch memory that the program might not have. In `if (c[i]) b[i] = a[i + 1];`, with `a` a pointer, no
//! access says that `a` has an element `n`: its condition may never hold there. Behind a pointer lie as many elements as
//! are touched whatever the data are, with all before them: C has no pointer to an element but from inside its array. A
//! declared length and a shape that the user states are believed as they stand, and what may be touched is cut to them;
//! where there is neither, the call asks whether the memory goes so far, and that of each row behind a pointer. Of rows of
//! rows the region is declined.

use super::elements::Elements;
use super::transfers;
use crate::analysis::analysed::{Analysed, Placed, Static};
use crate::ast::{Unit, VarId, print};
use crate::facts::Reason;
use crate::isl::{Map, Set};
use crate::poly::Failure;
use crate::region::Access;
use crate::region::hints;
use crate::region::shape::Shape;

/// The elements of an array that the region deals with, without those that may not be there.
///
/// # Errors
/// The inner one: nothing says that some are.
pub fn confined<'a>(
    unit: &Unit,
    region: &'a Analysed,
    v: VarId,
    e: &Elements<'a>,
) -> Result<Result<Elements<'a>, Reason>, Failure> {
    let shape = &e.home.part.data[&v].shape;
    let mut out = e.clone();
    // Of what is not bounded the whole array moves, for which there must be an extent in any case.
    let anyway = shape.c_rank == 0 || region.declared.contains(&v) || !e.is_bounded()?;
    // Where all that is touched surely is, there is nothing to compare, which takes long for many pieces.
    out.is_unsure |= shape.outer_is_reached;
    // How far one part goes says nothing of the others.
    let n_parts = region.statics().iter().filter(|s| s.part.data.contains_key(&v)).count();
    if shape.outer_is_reached && n_parts > 1 && !e.is_bounded()? {
        return Ok(Err(transfers::unknown(unit, v, unit.var(v).span)));
    }
    if anyway || e.touched.plain_is_equal(&e.surely)? {
        return Ok(Ok(out));
    }
    let parts = region.placed();
    let is_always_proved = |p: &&Placed| p.under.is_empty() || std::ptr::eq(p.part, e.home);
    let proved = |set: &Set| {
        parts.iter().filter(is_always_proved).try_fold(set.clone(), |set, p| set.intersect_params(&p.part.scop.context))
    };
    let mut there = up_to(e.home, &e.surely, shape)?;
    let moves = proved(&e.live_in.union(&e.may_write)?)?;
    if moves.is_subset(&there)? {
        return Ok(Ok(out));
    }
    // That a table has so many pointers says nothing of what is behind them.
    let declared = if shape.is_open { (None, None) } else { (shape.rows(), shape.outer.as_ref()) };
    match declared {
        (Some(rows), _) => {
            let tuple = tuple(shape.rank(), "e");
            let (prefix, rows) = (e.home.scop.spelling.prefix(), e.home.scop.spelling.text(&rows));
            let declared = Set::parse(&e.home.scop.ctx, &format!("{prefix}{{ [{tuple}] : e0 < {rows} }}"))?;
            there = there.union(&declared)?.coalesce()?;
            for set in [&mut out.live_in, &mut out.may_write, &mut out.touched] {
                *set = set.intersect(&there)?.coalesce()?;
            }
        }
        (None, Some(all)) => out.length = Some(all.clone()),
        (None, None) if shape.n_pointers <= 1 => out.is_unsure = true,
        (None, None) => {
            for s in parts.iter().map(|p| p.part) {
                for (a, map) in s.part.stmts.iter().zip(&s.scop.accesses).flat_map(|(s, m)| s.accesses.iter().zip(m)) {
                    let touched = map.range()?.reset_tuple_name()?.intersect_params(&s.scop.context)?;
                    if a.data == v && !proved(&touched)?.is_subset(&there)? {
                        return Ok(Err(reason(unit, a)));
                    }
                }
            }
        }
    }
    Ok(Ok(out))
}

fn reason(unit: &Unit, a: &Access) -> Reason {
    let name = &unit.var(a.data).name;
    let subscripts: String = a.subscripts.iter().map(|s| format!("[{}]", print::expr(unit, s))).collect();
    let message = format!(
        "only the data decide whether `{name}{subscripts}` is touched, and nothing else says that `{name}` reaches so far"
    );
    Reason::new("unsure-extent", message, a.span).help(hints::wanted(unit, a.data))
}

/// The elements at most as far out as some of the set. Rows that C's types know are there as a whole; of rows behind
/// pointers each has a length of its own.
fn up_to(home: &Static, set: &Set, shape: &Shape) -> Result<Set, Failure> {
    let rank = shape.rank();
    let dims = rank + 1 - shape.c_rank;
    let same: String = (0..shape.n_pointers).map(|k| format!("f{k} = e{k} and ")).collect();
    let mut out = Set::universe(&set.space()?)?;
    for k in shape.n_pointers..shape.n_pointers + dims {
        let text = format!("{{ [{}] -> [{}] : {same}f{k} <= e{k} }}", tuple(rank, "e"), tuple(rank, "f"));
        out = out.intersect(&set.apply(&Map::parse(&home.scop.ctx, &text)?)?)?;
    }
    Ok(out.coalesce()?)
}

/// `e0, e1`
fn tuple(rank: usize, letter: &str) -> String {
    (0..rank).map(|k| format!("{letter}{k}")).collect::<Vec<_>>().join(", ")
}
