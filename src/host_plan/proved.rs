//! Guards that hold a call to the sizes for which its parts were proved.
//!
//! Parts under a condition that the region's start tells are held to theirs only where it lets them run:
//!
//! ```text
//! if (!tiling) { ... } else { ...tiles... }        needs !tiling || tile >= 1 && tile <= 1073741824
//! ```
//! A part whose sizes the copies of an array are computed with ([`Elements::home`]) is held to them in any case.

use super::builder::Builder;
use super::elements::Elements;
use super::ir::Guard;
use crate::analysis::analysed::{Placed, Static};
use crate::analysis::no_plan::NoPlan;
use crate::ast::{BinOp, Expr, VarId};
use crate::facts::Reason;
use crate::kernel::{self as k, UnaryOp};
use crate::poly::Failure;
use crate::schedule::parallel::Analysis;
use crate::schedule::{extent, index};
use crate::source::Span;
use indexmap::IndexMap;
use std::collections::BTreeSet;

impl Builder<'_> {
    /// The conditions on the parameters under which the parts are what was proved of them.
    pub(super) fn context_guards(&mut self, elements: &IndexMap<VarId, Elements>) -> Result<Vec<Guard>, NoPlan> {
        let mut out: Vec<Guard> = vec![];
        for Placed { part: s, under, .. } in self.region.placed() {
            self.warnings.extend(s.scop.leaving.iter().cloned());
            if s.scop.declared.is_subset(&s.scop.context).map_err(Failure::from)? {
                continue;
            }
            let proved = self.proved(s)?;
            let is_home = elements.values().any(|e| std::ptr::eq(e.home, s));
            let passed = if is_home { vec![] } else { self.passed_by(&under)? };
            let either = |a, b| index::binary(BinOp::Or, a, b);
            let holds = passed.into_iter().chain([proved]).reduce(either).expect("there is what was proved");
            let fails = if s.part.assertions.is_empty() { "" } else { ", or an assertion fails" };
            let meet = if s.is_held_apart { ", or iterations meet" } else { "" };
            let reason = format!(
                "a subscript leaves its row or its stated shape, or an unsigned bound wraps{fails}{meet}, for these sizes"
            );
            let guard = Guard { holds, reason };
            if !out.contains(&guard) {
                out.push(guard);
            }
        }
        Ok(out)
    }

    fn proved(&mut self, s: &Static) -> Result<k::Expr, NoPlan> {
        let live_out = BTreeSet::new();
        let a = Analysis { unit: self.unit, part: &s.part, scop: &s.scop, deps: &s.deps, live_out: &live_out };
        let mut mapper = self.mapper(&[], BTreeSet::new());
        let mut l = mapper.lowering(&a);
        let context = s.scop.context.gist(&s.scop.declared).map_err(Failure::from)?;
        let holds = extent::condition(&a, &context, &mut l)?;
        let used = std::mem::take(&mut l.used);
        let place = s.part.loops.first().map_or(Span::default(), |l| l.span);
        self.absorb_fixed(used, "what must hold of the sizes here", place)?;
        Ok(holds)
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
