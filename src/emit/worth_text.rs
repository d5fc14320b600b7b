//! The test in an entry whether a device is worth asking for the call.

use super::construct::host::{self, Copied, Run, Wait};
use super::host_text::{Host, beside};
use super::names;
use crate::ast::BinOp;
use crate::diag::Stop;
use crate::host_plan::ir::{Param, Runs, Waits};
use crate::kernel::Expr;

impl Host<'_> {
    /// What a core of the host would do, each copy, and the test.
    pub(super) fn worth(&mut self) -> Result<(), Stop> {
        let Some(worth) = &self.region.worth else { return Ok(()) };
        let wait = |w: &Waits| Ok(Wait { ns: w.ns, counts: self.counts(&w.counts)? });
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
        let runs = worth.runs.iter().map(|r| self.run(r)).collect::<Result<_, Stop>>()?;
        self.push(&host::Worth { waits, runs, copies })
    }

    /// The test that comes before all others and costs least: of what the entry is given alone, where that can be.
    pub(super) fn little(&mut self) -> Result<(), Stop> {
        let Some(worth) = &self.region.worth else { return Ok(()) };
        let is_given = |name: &str| {
            let is_it = |p: &Param| matches!(p, Param::Scalar { name: given, .. } if given == name);
            self.region.params.iter().any(is_it)
        };
        // A divisor may be zero: a guard says later that it is not.
        let is_safe = |e: &Expr| match e {
            Expr::Var(name) => is_given(name),
            Expr::FloorDiv(_, by) | Expr::CeilDiv(_, by) | Expr::Mod(_, by) => matches!(**by, Expr::Int(_)),
            Expr::Binary(BinOp::Div | BinOp::Rem, _, by) => matches!(**by, Expr::Int(_)),
            Expr::Load(_) | Expr::Call(..) => false,
            _ => true,
        };
        if worth.runs.iter().flat_map(|r| &r.counts).any(|e| e.any(&mut |e| !is_safe(e))) {
            return Ok(());
        }
        let ns = worth.waits.iter().filter(|w| w.counts.is_empty()).map(|w| w.ns).sum();
        let runs = worth.runs.iter().map(|r| self.run(r)).collect::<Result<_, Stop>>()?;
        self.push(&host::Little { ns, runs })
    }

    fn run(&self, r: &Runs) -> Result<Run, Stop> {
        Ok(Run {
            operations: r.operations.unwrap_or_default(),
            accesses: r.accesses,
            counts: self.counts(&r.counts)?,
            one_of: Some(r.one_of).filter(|n| *n > 1),
        })
    }

    fn counts(&self, counts: &[Expr]) -> Result<Vec<String>, Stop> {
        counts.iter().map(|e| self.out.scope.position_text(e)).collect()
    }
}
