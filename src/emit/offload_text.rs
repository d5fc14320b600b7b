//! Offload test of an entry: whether a device is worth asking for the call.

use super::construct::host::{self, Copied, Run, Wait};
use super::entry_names::{beside, held_name, reach_name};
use super::host_text::Host;
use super::names;
use crate::ast::BinOp;
use crate::diag::Stop;
use crate::host_plan::ir::{Array, OffloadEstimate, Param, Runs, Waits};
use crate::kernel::Expr;

impl Host<'_> {
    /// What a core of the host would do, each copy, and the test.
    pub(super) fn offload(&mut self) -> Result<(), Stop> {
        let Some(estimate) = &self.region.offload else { return Ok(()) };
        if !estimate.is_known {
            return if self.are_given(estimate) { Ok(()) } else { self.many(estimate) };
        }
        let copies = self.copies(&|_| true)?;
        let (waits, runs) = (self.waits(&mut estimate.waits.iter())?, self.runs(estimate)?);
        self.push(&host::Offload { waits, runs, copies, within: estimate.within.clone() })
    }

    /// The test that comes before all others and costs least: of what the entry is given alone, where that can be.
    pub(super) fn little(&mut self) -> Result<(), Stop> {
        let Some(estimate) = &self.region.offload else { return Ok(()) };
        if !estimate.is_known || !self.are_given(estimate) {
            return Ok(());
        }
        let is_known = |e: &Expr| self.is_given(e);
        let mut known = estimate.waits.iter().filter(|w| w.counts.iter().all(is_known));
        let (waits, runs) = (self.waits(&mut known)?, self.runs(estimate)?);
        let copies = self.copies(&is_known)?;
        self.push(&host::Little { waits, copies, runs })
    }

    /// The test of how often statements run, before others that cost more.
    pub(super) fn many_given(&mut self) -> Result<(), Stop> {
        match &self.region.offload {
            Some(estimate) if !estimate.is_known && self.are_given(estimate) => self.many(estimate),
            _ => Ok(()),
        }
    }

    /// The test of how often statements run of which nobody knows how long they take.
    fn many(&mut self, estimate: &OffloadEstimate) -> Result<(), Stop> {
        let runs = self.runs(estimate)?;
        self.push(&host::Many { runs })
    }

    /// Test that how often statements run is computed from what the entry is given alone.
    fn are_given(&self, estimate: &OffloadEstimate) -> bool {
        estimate.runs.iter().flat_map(|r| &r.counts).all(|e| self.is_given(e))
    }

    fn is_given(&self, e: &Expr) -> bool {
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
        !e.any(&mut |e| !is_safe(e))
    }

    /// The copies between host and device; of those whose ends are not known, only that there are such.
    fn copies(&self, is_known: &dyn Fn(&Expr) -> bool) -> Result<Vec<Copied>, Stop> {
        let mut copies = Vec::new();
        for a in self.region.arrays.iter().filter(|a| a.on_host) {
            for (live, is_out) in [(&a.live_in, false), (&a.live_out, true)] {
                let Some((first, last)) = live else { continue };
                let ends = if is_known(first) && is_known(last) { self.range(a, live.clone())? } else { None };
                copies.push(self.copy_of(a, is_out, ends));
            }
        }
        Ok(copies)
    }

    fn copy_of(&self, a: &Array, is_out: bool, ends: Option<(String, String)>) -> Copied {
        let (first, last) = ends.unzip();
        Copied {
            is_of_rows: a.rows.is_some(),
            is_scalar: a.extents.is_empty(),
            is_out,
            reach: held_name(a).map(|_| reach_name(self.region, a)),
            stays: is_out && self.region.leaves && a.may_stay() && !self.region.is_guarded(a),
            guarded: is_out && self.region.is_guarded(a),
            host: beside(self.region, &a.name, "host"),
            first,
            last,
            r#type: names::cxx_type(a.ty, 64),
        }
    }

    fn waits(&self, waits: &mut dyn Iterator<Item = &Waits>) -> Result<Vec<Wait>, Stop> {
        waits.map(|w| Ok(Wait { ns: w.ns, counts: self.counts(&w.counts)? })).collect()
    }

    fn runs(&self, estimate: &OffloadEstimate) -> Result<Vec<Run>, Stop> {
        estimate.runs.iter().map(|r| self.run(r)).collect()
    }

    fn run(&self, r: &Runs) -> Result<Run, Stop> {
        Ok(Run {
            operations: r.operations.unwrap_or_default(),
            accesses: r.accesses,
            counts: self.counts(&r.counts)?,
            one_of: (r.one_of > 1 || r.at_once > 1).then_some(r.one_of),
            at_once: Some(r.at_once).filter(|n| *n > 1),
        })
    }

    fn counts(&self, counts: &[Expr]) -> Result<Vec<String>, Stop> {
        counts.iter().map(|e| self.out.scope.position_text(e)).collect()
    }
}
