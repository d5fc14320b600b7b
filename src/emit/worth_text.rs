//! The test in an entry whether a device is worth asking for the call.

use super::construct::host::{self, Copied, Run, Wait};
use super::host_text::{Host, beside};
use super::names;
use crate::diag::Stop;
use crate::host_plan::ir::{Runs, Waits};
use crate::kernel::Expr;

impl Host<'_> {
    /// What a core of the host would do, each copy, and the test.
    pub(super) fn worth(&mut self) -> Result<(), Stop> {
        let Some(worth) = &self.region.worth else { return Ok(()) };
        let times = |counts: &[Expr]| -> Result<Vec<String>, Stop> {
            counts.iter().map(|e| self.out.scope.position_text(e)).collect()
        };
        let wait = |w: &Waits| Ok(Wait { ns: w.ns, counts: times(&w.counts)? });
        let run = |r: &Runs| {
            Ok(Run {
                operations: r.operations.unwrap_or_default(),
                accesses: r.accesses,
                counts: times(&r.counts)?,
                one_of: Some(r.one_of).filter(|n| *n > 1),
            })
        };
        let mut copies = Vec::new();
        for a in self.region.arrays.iter().filter(|a| a.on_host) {
            for (live, is_out) in [(&a.live_in, false), (&a.live_out, true)] {
                let Some((first, last)) = self.range(a, live.clone())? else { continue };
                copies.push(Copied {
                    is_of_rows: a.rows.is_some(),
                    is_scalar: a.extents.is_empty(),
                    is_out,
                    stays: is_out && self.region.leaves && a.may_stay,
                    host: beside(self.region, &a.name, "host"),
                    first,
                    last,
                    r#type: names::cxx_type(a.ty, 64),
                });
            }
        }
        let waits = worth.waits.iter().map(wait).collect::<Result<_, Stop>>()?;
        let runs = worth.runs.iter().map(run).collect::<Result<_, Stop>>()?;
        self.push(&host::Worth { waits, runs, copies })
    }
}
