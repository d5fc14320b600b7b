//! The kernels of one nest, and the host's steps that launch them.

use super::builder::Builder;
use super::ir::{Choices, HostStmt};
use crate::analysis::no_plan::NoPlan;
use crate::ast::BinOp;
use crate::kernel::{self as k, Kernel, ScalarType, simplify};
use crate::region::LoopId;
use crate::schedule::lowered::Lowered;
use crate::schedule::map::Mapper;
use crate::schedule::mapping::Variant;
use crate::schedule::parallel::Analysis;
use crate::schedule::{Mapped, Mode, index, kernels, strategies};
use std::ops::Range;

/// Launches of a nest.
pub(super) struct Launches {
    pub steps: Vec<HostStmt>,
    /// Kernels, by position, of those that may be phases.
    pub phases: Range<usize>,
}

impl Builder<'_> {
    /// The launches of a nest, below those loops of the host, and the kernels of those that may be phases.
    pub(super) fn nest(&mut self, a: &Analysis, mapped: &Mapped, host: &[LoopId]) -> Result<Launches, NoPlan> {
        let name = format!("{}{}", self.prefix, self.n_nests);
        self.n_nests += 1;
        let first = self.kernels.len();
        let own = self.mapped(a, mapped, host, &name)?;
        let Some(phase) = mapped.as_phase() else {
            return Ok(Launches { steps: own, phases: first..self.kernels.len() });
        };
        let first = self.kernels.len();
        let phase = self.mapped(a, &phase, host, &format!("{name}_phase"))?;
        Ok(Launches { steps: vec![HostStmt::Nest { own, phase }], phases: first..self.kernels.len() })
    }

    /// The launches of a nest under its mapping.
    fn mapped(&mut self, a: &Analysis, mapped: &Mapped, host: &[LoopId], name: &str) -> Result<Vec<HostStmt>, NoPlan> {
        let sized = self.sized(a, mapped, host, name)?;
        let Mapped { nest, mapping, others, private, promoted, said, .. } = sized.as_ref().unwrap_or(mapped);
        let first = nest.stmts().first().map_or(0, |s| (self.line)(a.part.stmt(*s).body.span));
        let line = nest.axes.first().map_or(first, |x| (self.line)(a.part.get_loop(x[0]).span));
        self.warnings.extend(said.iter().cloned());
        let mut mapper = Mapper { promoted: promoted.clone(), ..self.mapper(host, private.clone()) };
        let lowered = kernels::lower(&mut mapper, a, nest, mapping, name)??;
        let used = std::mem::take(&mut mapper.used);
        self.absorb(used);
        for (name, mapping) in mapping.others_of(name) {
            self.mappings.insert(name, mapping.clone());
        }
        let extents: Vec<String> = strategies::extents(a).into_iter().map(|(name, _)| name).collect();
        for Variant { when, .. } in &mapping.variants {
            let choices = Choices { strategies: vec![], extents: extents.clone() };
            self.choices.insert(format!("{name}_{}", when.word()), choices);
        }
        let strategies = [mapping].into_iter().chain(others).map(|m| m.strategy).collect();
        self.choices.insert(name.into(), Choices { strategies, extents });
        self.mappings.insert(name.into(), mapping.clone());
        Ok(self.lowered(lowered, line, nest.mode))
    }

    /// The launches of lowered kernels. Those that divide the loops of each element among blocks are made where the call's
    /// sizes are such.
    fn lowered(&mut self, lowered: Lowered, line: u32, mode: Mode) -> Vec<HostStmt> {
        self.partials.extend(lowered.partials);
        self.shared_out.extend(lowered.shared_out);
        let mut whole = if lowered.kernels.is_empty() {
            vec![]
        } else {
            self.in_stages(lowered.kernels, lowered.n_partials, line, mode)
        };
        let rows: Vec<_> = lowered.rows.into_iter().map(|(cond, row)| (cond, self.by_sizes(row, line, mode))).collect();
        for (cond, then) in rows.into_iter().rev() {
            whole = vec![HostStmt::If { cond, then, other: whole }];
        }
        for (cond, variant) in lowered.variants {
            let then = self.by_sizes(variant, line, mode);
            whole = vec![HostStmt::If { cond, then, other: whole }];
        }
        let Some(divided) = lowered.divided else { return whole };
        let (is_certain, (var, value)) = (divided.is_certain(), divided.n_pieces);
        let kind = k::StmtKind::Let { var: var.clone(), ty: ScalarType::Index, init: Some(value) };
        let mut out = vec![HostStmt::Compute(k::Stmt::made(kind))];
        let mut then = self.launches(vec![], vec![divided.first], line, mode);
        then.extend(self.lowered(*divided.second, line, mode));
        if is_certain {
            out.extend(then);
        } else {
            let cond = index::binary(BinOp::Ge, index::var(var), k::Expr::Int(divided.least));
            out.push(HostStmt::If { cond, then, other: whole });
        }
        out
    }

    /// The launches of lowered kernels that calls of some sizes take.
    fn by_sizes(&mut self, lowered: Lowered, line: u32, mode: Mode) -> Vec<HostStmt> {
        let first = self.kernels.len();
        let launches = self.lowered(lowered, line, mode);
        self.by_sizes.extend(first..self.kernels.len());
        launches
    }

    /// The launches of kernels of which the last joins partial results, where these are counted.
    fn in_stages(
        &mut self,
        kernels: Vec<Kernel>,
        n_partials: Option<(String, k::Expr)>,
        line: u32,
        mode: Mode,
    ) -> Vec<HostStmt> {
        let Some((var, count)) = n_partials else { return self.launches(vec![], kernels, line, mode) };
        self.partial_counts.push((var.clone(), self.kernels.len()));
        let kind = k::StmtKind::Let { var: var.clone(), ty: ScalarType::Index, init: Some(count) };
        let prologue = vec![HostStmt::Compute(k::Stmt::made(kind))];
        let mut out = self.launches(prologue, kernels, line, mode);
        // Without a partial result the element may not even be there.
        let cond = index::binary(BinOp::Gt, index::var(var), k::Expr::Int(0));
        let then = out.pop().into_iter().collect();
        out.push(HostStmt::If { cond, then, other: vec![] });
        out
    }

    fn launches(&mut self, mut out: Vec<HostStmt>, kernels: Vec<Kernel>, line: u32, mode: Mode) -> Vec<HostStmt> {
        self.has_parallel |= mode != Mode::OneThread;
        for mut kernel in kernels {
            simplify::kernel(&mut kernel);
            kernel.drop_unused_scalars();
            if let Some(note) = kernel.notes.first_mut() {
                *note = format!("{}:{line}  {note}", self.file);
            }
            out.push(HostStmt::launch(self.kernels.len(), line));
            self.kernels.push(kernel);
        }
        out
    }
}
