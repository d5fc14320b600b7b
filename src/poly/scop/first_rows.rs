//! Accesses along the first row of an array whose rows were found in other accesses.
//!
//! ```text
//! if (many == 1) y[i] = ...; else for (j...) y[j*next + i*apart] = ...;
//! ```
//! `y[i]` is `y[0][0][i]`, and must stay inside its row to be no element of another one: where others are touched at all.

use super::Builder;
use crate::isl::Set;
use crate::poly::Failure;
use crate::region::{StaticPart, StmtId};

impl Builder<'_> {
    /// Narrows `context` to where such accesses stay inside their rows, or are the only ones; gives subscripts up that never
    /// do.
    pub(super) fn hold_to_first_rows(
        &self,
        part: &mut StaticPart,
        domains: &[Set],
        context: &mut Set,
    ) -> Result<(), Failure> {
        for data in part.data.clone().into_values().filter(|d| d.shape.is_delinearised()) {
            let mut beside = Set::empty(&context.space()?)?;
            let mut along = vec![];
            for (i, stmt) in part.stmts.iter().enumerate() {
                let of_data = stmt.accesses.iter().enumerate().filter(|(_, a)| a.data == data.var);
                for (k, a) in of_data {
                    let row = a.index.as_deref().and_then(|index| data.shape.first_row(index));
                    if let Some((subscript, extent)) = row {
                        along.push((
                            i,
                            k,
                            format!("{} >= {}", self.spelling.text(subscript), self.spelling.text(extent)),
                        ));
                    } else if a.index.is_some() || a.reach.is_some() {
                        beside = beside.union(&domains[i].params()?)?.coalesce()?;
                    }
                }
            }
            for (i, k, is_beyond) in along {
                let id = StmtId(i);
                let domain = self.reached(part, id, &part.stmts[i].accesses[k], &domains[i])?;
                let tuple = self.spelling.tuple(part, id);
                let beyond = self.set(&format!("{}{{ {tuple} : {is_beyond} }}", self.spelling.prefix()))?;
                let bad = beyond.intersect(&domain)?.params()?.intersect(&beside)?;
                let narrowed = context.subtract(&bad)?.coalesce()?;
                match domain.intersect_params(&narrowed)?.is_empty()? {
                    true => part.stmts[i].accesses[k].index = None,
                    false if bad.is_disjoint(context)? => {}
                    false => *context = narrowed,
                }
            }
        }
        Ok(())
    }
}
