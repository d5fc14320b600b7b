//! Numbers that the host and the threads of a region would both set.
//!
//! ```text
//! for (i...) for (m = 0; m < np; m++) ...         m counts within a thread
//! for (m = 0; m < np; m++) { for (i...) ... }     and here on the host, where the data move np
//! ```
//! Each would have a value of its own, and neither the newest one.

use super::AccessKind;
use super::parts::Part;
use crate::ast::{Expr, ExprKind, Unit, VarId};
use crate::facts::{Reason, effects, remedy};
use crate::source::Span;
use std::collections::BTreeSet;

/// A variable that counts a loop of the device has no value for the host in between; nor may the host set one that a
/// thread counts with. `device`: the numbers that are the device's alone.
///
/// # Errors
/// The first such variable, where it counts.
pub fn check(unit: &Unit, parts: &[Part], device: &BTreeSet<VarId>) -> Result<(), Reason> {
    let mut uses = Uses::default();
    uses.of(parts);
    let Uses { counters, of_threads, on_host, set } = uses;
    let shared = counters.into_iter().find(|(v, _)| on_host.contains(v));
    match shared.or_else(|| of_threads.into_iter().find(|(v, _)| set.contains(v) && !device.contains(v))) {
        None => Ok(()),
        Some((v, span)) => {
            let message =
                format!("`{}` counts this loop, and a loop or statement around it uses it too", unit.var(v).name);
            Err(Reason::new("counter-shared", message, span).help(remedy!("give the loop a counter of its own")))
        }
    }
}

#[derive(Default)]
struct Uses {
    /// The counters of the static parts.
    counters: Vec<(VarId, Span)>,
    /// Numbers that threads write.
    of_threads: Vec<(VarId, Span)>,
    /// What the host's code mentions.
    on_host: BTreeSet<VarId>,
    /// What it sets.
    set: BTreeSet<VarId>,
}

impl Uses {
    fn of(&mut self, parts: &[Part]) {
        for part in parts {
            match part {
                Part::Static(part) => {
                    self.counters.extend(part.loops.iter().map(|l| (l.var, l.span)));
                    let accesses = part.stmts.iter().flat_map(|s| s.accesses.iter().map(|x| (x, s.body.span)));
                    let writes = accesses.filter(|(x, _)| x.kind != AccessKind::Read);
                    let writes = writes.filter(|(x, _)| part.data[&x.data].shape.c_rank == 0);
                    self.of_threads.extend(writes.map(|(x, span)| (x.data, span)));
                }
                Part::Compute(s) => {
                    self.on_host.extend(effects::mentioned([s]));
                    self.on_host.extend(effects::assigned([s]));
                    self.set.extend(effects::assigned([s]));
                }
                Part::Loop { cond, step, body, .. } => {
                    cond.iter().chain(step).for_each(|e| self.value(e));
                    self.of(body);
                }
                Part::If { cond, then, other } => {
                    self.value(cond);
                    self.of(then);
                    self.of(other);
                }
                Part::Print(print, _) => self.on_host.extend(effects::mentioned([&print.reads()])),
                Part::Break | Part::GiveUp => {}
            }
        }
    }

    fn value(&mut self, e: &Expr) {
        e.walk(&mut |x| {
            self.set.extend(effects::assigned_by(x));
            if let ExprKind::Var(v) = x.kind {
                self.on_host.insert(v);
            }
        });
    }
}
