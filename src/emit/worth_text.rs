//! The test in an entry whether a device is worth asking for the call.

use super::host_text::{self, Host};
use super::names;
use crate::diag::Stop;
use crate::kernel::Expr;

impl Host<'_> {
    /// What a core of the host would do, each copy, and the test.
    pub(super) fn worth(&mut self) -> Result<(), Stop> {
        let Some(worth) = &self.region.worth else { return Ok(()) };
        let what = "ns that a device waits; operations and accesses of the host; each times its loops; copies";
        let mut lines = vec![format!("rt::work rt_work;  // {what}")];
        let times = |counts: &[Expr]| -> Result<String, Stop> {
            let counts: Result<Vec<_>, Stop> = counts.iter().map(|e| self.out.scope.position_text(e)).collect();
            Ok(format!("{{{}}}", counts?.join(", ")))
        };
        for w in &worth.waits {
            lines.push(format!("rt_work.wait({}, {});", w.ns, times(&w.counts)?));
        }
        for r in &worth.runs {
            let operations = r.operations.unwrap_or_default();
            let share = if r.one_of > 1 { format!(", {}", r.one_of) } else { String::new() };
            lines.push(format!("rt_work.run({operations}, {}, {}{share});", r.accesses, times(&r.counts)?));
        }
        for a in self.region.arrays.iter().filter(|a| a.on_host) {
            let ty = names::cxx_type(a.ty, 64);
            let out = if self.region.leaves && a.may_stay { "stay" } else { "copy_out" };
            for (live, how) in [(&a.live_in, "copy_in"), (&a.live_out, out)] {
                let Some((first, last)) = self.range(a, live.clone())? else { continue };
                let host = host_text::beside(self.region, &a.name, "host");
                lines.push(match (a.rows.is_some(), a.extents.is_empty()) {
                    (true, _) if how == "stay" => format!("rt_work.stay_rows({first}, {last}, sizeof({ty}));"),
                    (true, _) => format!("rt_work.copy_rows({host}, {first}, {last}, sizeof({ty}));"),
                    (_, true) => format!("rt_work.{how}(nullptr, {first}, {last}, sizeof({ty}));"),
                    _ => format!("rt_work.{how}({host}, {first}, {last}, sizeof({ty}));"),
                });
            }
        }
        lines.push("if (!rt.pays(rt_work)) return 0;".into());
        lines.iter().for_each(|line| self.out.lines.push(line, 0));
        Ok(())
    }
}
