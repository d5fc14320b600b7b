//! Guards that hold a call to the sizes for which its parts were proved.
//!
//! Parts under a condition that the region's start tells are held to theirs only where it lets them run:
//!
//! ```text
//! if (!tiling) { ... } else { ...tiles... }        needs !tiling || tile >= 1 && tile <= 1073741824
//! ```
//! A part whose sizes the copies of an array are computed with ([`Elements::home`]) is held to them in any case. Conditions that
//! name what the host sets on the way are tested in their place: where one fails, the region is given up.

use super::builder::Builder;
use super::elements::Elements;
use super::guard::Guard;
use super::ir::HostStmt;
use crate::analysis::analysed::{Placed, Static};
use crate::analysis::no_plan::NoPlan;
use crate::ast::{BinOp, Expr, VarId};
use crate::facts::Reason;
use crate::kernel::{self as k, UnaryOp};
use crate::poly::Failure;
use crate::schedule::lower::Used;
use crate::schedule::parallel::Analysis;
use crate::schedule::{extent, index};
use crate::source::Span;
use indexmap::IndexMap;
use std::collections::BTreeSet;

/// A condition on the parameters of a part, and what it names.
struct Proved {
    holds: k::Expr,
    used: Used,
}

impl Builder<'_> {
    /// The conditions on the parameters under which the parts are what was proved of them.
    pub(super) fn context_guards(&mut self, elements: &IndexMap<VarId, Elements>) -> Result<Vec<Guard>, NoPlan> {
        let mut out: Vec<Guard> = vec![];
        for Placed { part: s, under, .. } in self.region.placed() {
            self.warnings.extend(s.scop.leaving.iter().cloned());
            let Some(proved) = self.proved(s)?.filter(|p| self.moving(&p.used).is_none()) else { continue };
            let proved = self.held_to(proved);
            let is_home = elements.values().any(|e| std::ptr::eq(e.home, s));
            let passed = if is_home { vec![] } else { self.passed_by(&under)? };
            let either = |a, b| index::binary(BinOp::Or, a, b);
            let holds = passed.into_iter().chain([proved]).reduce(either).expect("there is what was proved");
            let line = s.part.loops.first().map_or(0, |l| (self.line)(l.span));
            let guard = Guard::holds(holds, reason(s), line);
            if out.iter().all(|g| (g.expr(), &g.reason) != (guard.expr(), &guard.reason)) {
                out.push(guard);
            }
        }
        Ok(out)
    }

    /// The condition under which a part is what was proved of it, where that depends on what the region sets on the way: there, the
    /// host gives up the region if it does not hold.
    pub(super) fn checked_there(&mut self, s: &Static) -> Result<Vec<HostStmt>, NoPlan> {
        if s.changing(self.region).is_empty() {
            return Ok(vec![]);
        }
        let Some(proved) = self.proved(s)?.filter(|p| self.moving(&p.used).is_some()) else { return Ok(vec![]) };
        if self.region.prints() {
            let place = s.part.loops.first().map_or(Span::default(), |l| l.span);
            self.absorb_fixed(proved.used, "what must hold of the sizes here", place)?;
            return Ok(vec![]);
        }
        let reason = reason(s);
        let fails = k::Expr::Unary(UnaryOp::Not, Box::new(self.held_to(proved)));
        Ok(vec![HostStmt::If { cond: fails, then: vec![HostStmt::GiveUp { reason }], other: vec![] }])
    }

    /// `None`: nothing must hold that does not anyway.
    fn proved(&mut self, s: &Static) -> Result<Option<Proved>, NoPlan> {
        if s.scop.declared.is_subset(&s.scop.context).map_err(Failure::from)? {
            return Ok(None);
        }
        let live_out = BTreeSet::new();
        let a = Analysis { unit: self.unit, part: &s.part, scop: &s.scop, deps: &s.deps, live_out: &live_out };
        let mut mapper = self.mapper(&[], BTreeSet::new());
        let mut l = mapper.lowering(&a);
        let context = s.scop.context.gist(&s.scop.declared).map_err(Failure::from)?;
        let holds = extent::condition(&a, &context, &mut l)?;
        let used = std::mem::take(&mut l.used);
        Ok(Some(Proved { holds, used }))
    }

    fn held_to(&mut self, proved: Proved) -> k::Expr {
        self.absorb(proved.used);
        proved.holds
    }

    /// Conditions of which each says that control passes a part by.
    fn passed_by(&mut self, under: &[(&Expr, bool)]) -> Result<Vec<k::Expr>, Reason> {
        let one = |(cond, holds): &(&Expr, bool)| {
            let cond = self.host_value(cond)?;
            Ok(if *holds { k::Expr::Unary(UnaryOp::Not, Box::new(cond)) } else { cond })
        };
        under.iter().map(one).collect()
    }
}

fn reason(s: &Static) -> String {
    let fails = if s.part.assertions.is_empty() { "" } else { ", or an assertion fails" };
    let meet = if s.is_held_apart { ", or iterations meet" } else { "" };
    format!("a subscript leaves its row or its stated shape, or an unsigned bound wraps{fails}{meet}, for these sizes")
}
