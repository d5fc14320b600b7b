//! A plan under construction: what is known of it so far, and how code of it is lowered.

use super::elements::Elements;
use super::ir::Choices;
use crate::analysis::analysed::{Analysed, Static};
use crate::analysis::no_plan::NoPlan;
use crate::analysis::settings::Settings;
use crate::analysis::weight::Weight;
use crate::ast::{Expr, ExprKind, Unit, VarId, print};
use crate::facts::{Reason, symbolic};
use crate::kernel::{Kernel, ScalarType};
use crate::poly::names::Names;
use crate::region::{LoopId, StmtId};
use crate::report;
use crate::schedule::lower::{Lowering, Origin, Used};
use crate::schedule::map::Mapper;
use crate::schedule::mapping::Mapping;
use crate::schedule::parallel::Analysis;
use crate::schedule::request::Request;
use crate::schedule::{Mapped, Step};
use crate::source::Span;
use indexmap::IndexMap;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Plan of a region under construction.
pub(super) struct Builder<'a> {
    pub(super) unit: &'a Unit,
    pub(super) region: &'a Analysed,
    /// The steps of the parts that are still to be planned.
    pub(super) scheduled: VecDeque<Vec<Step<Mapped>>>,
    pub(super) settings: Settings<'a>,
    pub(super) names: Names,
    pub(super) line: &'a dyn Fn(Span) -> u32,
    pub(super) prefix: String,
    pub(super) kernels: Vec<Kernel>,
    /// See [`Region::unordered`].
    pub(super) unordered: Vec<(usize, usize)>,
    /// See [`Region::apart`]; and of the part that is planned now, the nests of kernels that are alone in theirs.
    pub(super) apart: BTreeMap<(usize, usize), Vec<i64>>,
    pub(super) alone: Vec<(usize, Mapped)>,
    /// See [`Region::partial_counts`].
    pub(super) partial_counts: Vec<(String, usize)>,
    /// See [`Region::by_sizes`].
    pub(super) by_sizes: BTreeSet<usize>,
    /// See [`Region::mappings`].
    pub(super) mappings: IndexMap<String, Mapping>,
    /// See [`Region::choices`].
    pub(super) choices: IndexMap<String, Choices>,
    /// Nests that have kernels, whose names count them.
    pub(super) n_nests: usize,
    pub(super) used: Used,
    /// Arrays of partial results.
    pub(super) partials: Vec<(String, ScalarType, i64)>,
    pub(super) has_parallel: bool,
    /// Weight of the loops in order against the parallel ones.
    pub(super) weight: Weight,
    /// Device scalars whose host variable may be out of date.
    pub(super) stale: BTreeSet<VarId>,
    /// Parameters of every part, by name.
    pub(super) sizes: Vec<(String, symbolic::Param)>,
    /// Parameters that the host computes anew before each part: what they depend on changes.
    pub(super) computed: IndexMap<String, ScalarType>,
    pub(super) loops: Vec<report::Loop>,
    /// Loops of threads that several of them share, of the part that is planned now.
    pub(super) shared_out: BTreeSet<LoopId>,
    /// Statements that a library computes, of that part.
    pub(super) called: BTreeSet<StmtId>,
    /// The same, whether or not the program decides that.
    pub(super) by_library: BTreeSet<StmtId>,
    /// Place of the current steps: in the alternative to a call of all of them.
    pub(super) has_call: bool,
    /// How many loops of the host are around what is planned now.
    pub(super) depth: u32,
    pub(super) warnings: Vec<Reason>,
    /// Further remarks on the region.
    pub(super) notes: Vec<String>,
    /// The C file, without its folder.
    pub(super) file: &'a str,
}

impl Builder<'_> {
    /// A mapper of nests below those loops of the host.
    pub(super) fn mapper(&mut self, host: &[LoopId], private: BTreeSet<VarId>) -> Mapper<'_> {
        Mapper {
            unit: self.unit,
            names: &mut self.names,
            line: self.line,
            host: host.to_vec(),
            is_phase: false,
            copies_ahead: false,
            multiplies_matrices: false,
            private,
            promoted: BTreeSet::new(),
            request: Request::NONE,
            tiles: self.settings.tiles(),
            used: Used::default(),
        }
    }

    /// Takes over what lowered code uses.
    pub(super) fn absorb(&mut self, used: Used) {
        self.used.absorb(used);
    }

    /// Takes over what an expression of the region's start uses: nothing that the region changes later.
    pub(super) fn absorb_fixed(&mut self, used: Used, what: &str, place: Span) -> Result<(), NoPlan> {
        if let Some(name) = self.moving(&used) {
            let message = format!("{what} depends on `{name}`, which the region changes");
            return Err(Reason::new("extent", message, place).into());
        }
        self.absorb(used);
        Ok(())
    }

    /// A number that the region changes among what is used; its name.
    pub(super) fn moving(&self, used: &Used) -> Option<String> {
        used.scalars.values().find_map(|by| match &by.origin {
            Origin::Var(v) => self.region.host_scalars.contains(v).then(|| self.unit.var(*v).name.clone()),
            Origin::Expr(e) => self.changes(e).then(|| print::expr(self.unit, e)),
        })
    }

    /// Numbers that the entry computes of an array's elements before anything else, from nothing that the region changes
    /// later.
    pub(super) fn at_start<T>(
        &mut self,
        e: &Elements,
        what: &str,
        v: VarId,
        compute: impl FnOnce(&Analysis, &mut Lowering) -> Result<T, NoPlan>,
    ) -> Result<T, NoPlan> {
        let live_out = BTreeSet::new();
        let Static { part, scop, deps, .. } = e.home;
        let a = Analysis { unit: self.unit, part, scop, deps, live_out: &live_out };
        let elsewhere = self.sizes.clone();
        let mut mapper = self.mapper(&[], BTreeSet::new());
        let mut l = mapper.lowering(&a);
        l.elsewhere = &elsewhere;
        let found = compute(&a, &mut l)?;
        let used = std::mem::take(&mut l.used);
        self.absorb_fixed(used, what, self.unit.var(v).span)?;
        Ok(found)
    }

    /// Dependence of an expression on a scalar that the host computes in the region.
    pub(super) fn changes(&self, e: &Expr) -> bool {
        let mut changes = false;
        e.walk(&mut |x| changes |= matches!(x.kind, ExprKind::Var(v) if self.region.host_scalars.contains(&v)));
        changes
    }
}
