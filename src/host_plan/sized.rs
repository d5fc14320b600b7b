//! Strategies and sizes of kernels that the configuration gives (`[kernels.NAME]`), in the place of those of a nest's mapping.

use super::builder::Builder;
use crate::analysis::no_plan::NoPlan;
use crate::config::{KernelRow, KernelSizes};
use crate::facts::{Reason, remedy};
use crate::region::LoopId;
use crate::schedule::Mapped;
use crate::schedule::mapping::{Mapping, Row};
use crate::schedule::parallel::Analysis;
use crate::schedule::strategies::extents;
use crate::schedule::verify::findings;
use crate::source::Span;
use indexmap::IndexMap;

/// The settings that the configuration gives kernels of a nest.
struct Given<'a> {
    a: &'a Analysis<'a>,
    kernels: &'a IndexMap<String, KernelSizes>,
    /// Place of the nest.
    at: Span,
    /// Calls that all must take the same blocks, so that there are no rows.
    is_one_for_all: bool,
}

impl Builder<'_> {
    /// The nest with the strategy and the sizes that the configuration gives for its kernel, and for those of its variants;
    /// `None` where it gives none.
    pub(super) fn sized(
        &mut self,
        a: &Analysis,
        mapped: &Mapped,
        host: &[LoopId],
        name: &str,
    ) -> Result<Option<Mapped>, NoPlan> {
        let tiles = self.settings.tiles();
        // The blocks of launches need not be the same.
        let is_phase = mapped.phase.is_none() && (!host.is_empty() || self.depth > 0);
        let is_one_for_all = is_phase && !tiles.vary;
        let at = mapped.nest.stmts().first().map(|s| a.part.stmt(*s).body.span).unwrap_or_default();
        let given = Given { a, kernels: self.settings.kernels, at, is_one_for_all };
        let mut out = mapped.clone();
        let mut is_given = given.put(name, &mut out.mapping, &mut out.others)?;
        for variant in &mut out.mapping.variants {
            is_given |= given.put(&format!("{name}_{}", variant.when.word()), &mut variant.mapping, &mut vec![])?;
        }
        if !is_given {
            return Ok(None);
        }
        match findings(a, &out, host)?.first() {
            Some(finding) => Err(given.refused(name, finding)),
            None => Ok(Some(out)),
        }
    }
}

impl Given<'_> {
    /// Gives the mapping of a kernel its settings, in the place of its own or of one of the others; tests that there are any.
    fn put(&self, name: &str, mapping: &mut Mapping, others: &mut Vec<Mapping>) -> Result<bool, NoPlan> {
        let Some(given) = self.kernels.get(name) else { return Ok(false) };
        let proposed: Vec<Mapping> = std::iter::once(&*mapping).chain(&*others).cloned().collect();
        let rows = given.at.iter().map(|row| self.row(name, row, &proposed)).collect::<Result<_, _>>()?;
        let (at, sized) = self.settled(name, given, &proposed)?;
        if let Some(other) = at.checked_sub(1) {
            others[other] = mapping.clone();
        }
        *mapping = Mapping { rows, ..sized };
        Ok(true)
    }

    /// The mapping that settings ask for, by its position, with their sizes.
    fn settled(&self, name: &str, given: &KernelSizes, all: &[Mapping]) -> Result<(usize, Mapping), NoPlan> {
        let at = match &given.strategy {
            None => 0,
            Some(strategy) => all.iter().position(|m| m.strategy == strategy).ok_or_else(|| {
                let known: Vec<&str> = all.iter().map(|m| m.strategy).collect();
                self.refused(name, &format!("it has no strategy `{strategy}`, but {}", known.join(", ")))
            })?,
        };
        let sizes = given.sizes.iter().map(|(size, value)| (size.as_str(), i64::from(*value)));
        let sized = all[at].with_sizes(sizes);
        Ok((at, sized.map_err(|size| self.refused(name, &format!("it has no size `{size}`")))?))
    }

    fn row(&self, name: &str, KernelRow { calls, settings }: &KernelRow, all: &[Mapping]) -> Result<Row, NoPlan> {
        if self.is_one_for_all {
            let why = "`at` gives it other blocks at some calls, but with sync = \"relaxed\" blocks wait for those alone \
                       that own what they need, which are the same at every call; another `sync` can have them";
            return Err(self.refused(name, why));
        }
        let known: Vec<String> = extents(self.a).into_iter().map(|(name, _)| name).collect();
        if let Some((stranger, ..)) = calls.bounds().find(|(extent, ..)| known.iter().all(|k| k != extent)) {
            let there_are = match known.as_slice() {
                [] => "all its sizes are numbers".to_owned(),
                [one] => format!("its only one is {one}"),
                all => format!("these are {}", all.join(", ")),
            };
            return Err(self.refused(name, &format!("`{stranger}` is none of the extents of its loops: {there_are}")));
        }
        let (_, mapping) = self.settled(name, settings, all)?;
        Ok(Row { calls: calls.clone(), mapping: mapping.alone() })
    }

    fn refused(&self, name: &str, why: &str) -> NoPlan {
        let message = format!("[kernels.{name}] asks for what this kernel cannot have: {why}");
        let help = remedy!(
            "`rtcuda.json` lists the strategies of each kernel, and its sizes, as its tunables; `rtcuda tune` finds \
                    those that serve"
        );
        NoPlan::Refused(Reason::new("kernel-sizes", message, self.at).help(help))
    }
}
