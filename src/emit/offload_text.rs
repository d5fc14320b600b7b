//! Offload test of an entry: whether a device is worth asking for the call.

use super::construct::host::{self, Copied, Run, Wait};
use super::entry_names::{beside, reach_name};
use super::host_text::Host;
use super::{bug, names};
use crate::diag::Stop;
use crate::host_plan::given;
use crate::host_plan::ir::{Array, OffloadEstimate, Runs, Waits};
use crate::kernel::Expr;

impl<'a> Host<'a> {
    /// What a core of the host would do, each copy, and the test.
    pub(super) fn pays(&mut self) -> Result<(), Stop> {
        let estimate = self.estimate()?;
        let copies = self.copies(&|_| true)?;
        let (waits, runs) = (self.waits(&mut estimate.waits.iter())?, self.runs(estimate)?);
        self.push(&host::Offload { waits, runs, copies, within: estimate.within.clone() })
    }

    /// The test that comes before all others and costs least: of what the entry is given alone.
    pub(super) fn may_pay(&mut self) -> Result<(), Stop> {
        let estimate = self.estimate()?;
        let is_known = |e: &Expr| given::is_given(self.region, e);
        let mut known = estimate.waits.iter().filter(|w| w.counts.iter().all(is_known));
        let (waits, runs) = (self.waits(&mut known)?, self.runs(estimate)?);
        let copies = self.copies(&is_known)?;
        self.push(&host::Little { waits, copies, runs })
    }

    /// The test of how often statements run of which nobody knows how long they take.
    pub(super) fn runs_often(&mut self) -> Result<(), Stop> {
        let runs = self.runs(self.estimate()?)?;
        self.push(&host::Many { runs })
    }

    fn estimate(&self) -> Result<&'a OffloadEstimate, Stop> {
        let none = || bug(format!("region `{}` is weighed without an estimate", self.region.name));
        self.region.offload.as_ref().ok_or_else(none)
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
            reach: a.held().map(|_| reach_name(self.region, a)),
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
