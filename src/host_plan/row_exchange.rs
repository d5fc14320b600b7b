//! Rows that change places on the device (`src/normalize/row_exchange.rs`), and with them the host's pointers.
//!
//! The elements that change places must be all that the region touches of such a row: others would stay where they are
//! while their pointer goes. They are asked for over the whole region, whatever stands around the loop.

use super::builder::Builder;
use super::elements::Elements;
use super::ir::{Exchanged, Rows};
use super::transfers;
use crate::analysis::no_plan::NoPlan;
use crate::ast::{RowExchange, VarId};
use crate::facts::{Reason, remedy};
use crate::isl::{Dim, Set};
use crate::kernel::simplify;
use crate::poly::Failure;
use crate::region::LoopId;
use indexmap::IndexMap;

impl Builder<'_> {
    /// What is to be done with the pointers of a matrix, if the region exchanges its rows.
    pub(super) fn exchanged(
        &mut self,
        matrix: VarId,
        rows: &Option<Rows>,
        elements: &IndexMap<VarId, Elements>,
    ) -> Result<Option<Exchanged>, NoPlan> {
        let is_here = |x: &&RowExchange| x.matrix == matrix && self.used.arrays.contains_key(&x.places);
        let mut all = self.unit.row_exchanges.iter().filter(is_here).cloned();
        let Some(x) = all.next() else { return Ok(None) };
        let name = self.unit.var(matrix).name.clone();
        let refused = |what: &str| -> NoPlan {
            let message = format!("rows of `{name}` are exchanged by their pointers, {what}");
            let place = self.unit.var(x.places).span;
            let help = remedy!(
                "move the elements of rows, in a loop over the columns, and use a[i][j] in the place of pointers to rows"
            );
            Reason::new("row-exchange", message, place).help(help).into()
        };
        if all.next().is_some() {
            return Err(refused("in more than one loop of the region"));
        }
        if rows.as_ref().is_none_or(|r| r.subscripts.len() != 1) {
            return Err(refused("and nothing of them moves"));
        }
        if !self.moves_all(&x, &elements[&matrix])? {
            return Err(refused("and not all that is touched of them is seen to move"));
        }
        let e = &elements[&x.places];
        let is_seen = e.live_in.intersect_params(&e.home.scop.context).and_then(|s| s.is_empty());
        if !is_seen.map_err(Failure::from)? {
            return Err(refused("and which ones is not seen"));
        }
        let what = format!("how many rows of `{name}` are exchanged");
        let ranges = self.at_start(e, &what, x.places, |a, l| Ok(transfers::ranges(a, x.places, e, None, l)??))?;
        let Some((mut first, mut last)) = ranges.written else { return Ok(None) };
        simplify::index_expr(&mut first);
        simplify::index_expr(&mut last);
        self.notes.push(format!("rows of `{name}` change places on the device; the host's pointers follow at the end"));
        Ok(Some(Exchanged { places: self.names.of(self.unit, x.places), first, last }))
    }

    /// Test that the columns that change places are all that the region touches, for sizes for which any do.
    fn moves_all(&self, x: &RowExchange, e: &Elements) -> Result<bool, Failure> {
        let columns = |set: &Set| set.project_out(Dim::Out, 0, 1);
        let mut moved = Set::empty(&columns(&e.touched)?.space()?)?;
        let mut any = moved.params()?;
        for s in self.region.statics() {
            let counts = |l: &LoopId| x.counters.contains(&s.part.get_loop(*l).var);
            for (stmt, maps) in s.part.stmts.iter().zip(&s.scop.accesses) {
                if !stmt.loops.iter().any(counts) {
                    continue;
                }
                for (access, map) in stmt.accesses.iter().zip(maps).filter(|(access, _)| access.data == x.matrix) {
                    let mut set = map.range()?.reset_tuple_name()?;
                    for name in s.changing(self.region) {
                        set = set.project_out_param(name)?;
                    }
                    any = any.union(&set.params()?)?;
                    // Of the row that only the data know, any column would be said to be touched.
                    if access.index.is_some() {
                        moved = moved.union(&columns(&set)?)?;
                    }
                }
            }
        }
        let touched = columns(&e.touched)?.intersect_params(&any)?;
        Ok(touched.is_subset(&moved)?)
    }
}
