//! The kernels of one nest, and the host's steps that launch them.

use super::builder::Builder;
use super::ir::HostStmt;
use crate::analysis::no_plan::NoPlan;
use crate::ast::BinOp;
use crate::config::KernelSizes;
use crate::kernel::{self as k, Kernel, ScalarType, simplify};
use crate::region::{LoopId, Reason};
use crate::schedule::map::Mapper;
use crate::schedule::mapping::Mapping;
use crate::schedule::parallel::Analysis;
use crate::schedule::strategies::Lowered;
use crate::schedule::verify::findings;
use crate::schedule::{Mapped, Mode, index, strategies};
use indexmap::IndexMap;

impl Builder<'_> {
    /// The launches of a nest, below those loops of the host.
    pub(super) fn nest(&mut self, a: &Analysis, mapped: &Mapped, host: &[LoopId]) -> Result<Vec<HostStmt>, NoPlan> {
        let name = format!("{}{}", self.prefix, self.n_nests);
        self.n_nests += 1;
        let sized = sized(a, mapped, host, &name, self.settings.kernels)?;
        let Mapped { nest, mapping, others, private, promoted, said } = sized.as_ref().unwrap_or(mapped);
        let first = nest.stmts().first().map_or(0, |s| (self.line)(a.part.stmt(*s).body.span));
        let line = nest.axes.first().map_or(first, |x| (self.line)(a.part.get_loop(x[0]).span));
        self.warnings.extend(said.iter().cloned());
        let mut mapper = Mapper { promoted: promoted.clone(), ..self.mapper(host, private.clone()) };
        let lowered = strategies::lower(&mut mapper, a, nest, mapping, &name)??;
        let used = std::mem::take(&mut mapper.used);
        self.absorb(used);
        for variant in &mapping.variants {
            self.mappings.insert(format!("{name}_{}", variant.when.word()), variant.mapping.clone());
        }
        self.strategies.insert(name.clone(), [mapping].into_iter().chain(others).map(|m| m.strategy).collect());
        self.mappings.insert(name, mapping.clone());
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
        for (cond, variant) in lowered.variants {
            let first = self.kernels.len();
            let then = self.lowered(variant, line, mode);
            self.by_sizes.extend(first..self.kernels.len());
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
            out.push(HostStmt::Launch { kernel: self.kernels.len(), line });
            self.kernels.push(kernel);
        }
        out
    }
}

/// The nest with the strategy and the sizes that the configuration gives for its kernel, and for those of its variants; `None`
/// where it gives none.
fn sized(
    a: &Analysis,
    mapped: &Mapped,
    host: &[LoopId],
    name: &str,
    kernels: &IndexMap<String, KernelSizes>,
) -> Result<Option<Mapped>, NoPlan> {
    let refused = |name: &str, why: String| {
        let message = format!("[kernels.{name}] asks for what this kernel cannot have: {why}");
        let at = mapped.nest.stmts().first().map(|s| a.part.stmt(*s).body.span).unwrap_or_default();
        let help = "`rtcuda.json` lists the strategies of each kernel, and its sizes, as its tunables; `rtcuda tune` finds \
                    those that serve";
        NoPlan::Refused(Reason::new("kernel-sizes", message, at).help(help))
    };
    let with = |mapping: &Mapping, name: &str| {
        let Some(given) = kernels.get(name) else { return Ok(None) };
        let sizes = given.sizes.iter().map(|(size, value)| (size.as_str(), i64::from(*value)));
        mapping.with_sizes(sizes).map(Some).map_err(|size| refused(name, format!("it has no size `{size}`")))
    };
    let mut out = mapped.clone();
    let mut is_given = false;
    if let Some(strategy) = kernels.get(name).and_then(|given| given.strategy.as_ref()) {
        let proposed: Vec<&'static str> =
            std::iter::once(&out.mapping).chain(&out.others).map(|m| m.strategy).collect();
        let Some(at) = proposed.iter().position(|s| s == strategy) else {
            let why = format!("it has no strategy `{strategy}`, but {}", proposed.join(", "));
            return Err(refused(name, why));
        };
        if let Some(other) = at.checked_sub(1) {
            std::mem::swap(&mut out.mapping, &mut out.others[other]);
        }
        is_given = true;
    }
    for variant in &mut out.mapping.variants {
        if let Some(mapping) = with(&variant.mapping, &format!("{name}_{}", variant.when.word()))? {
            (variant.mapping, is_given) = (mapping, true);
        }
    }
    if let Some(mapping) = with(&out.mapping, name)? {
        (out.mapping, is_given) = (mapping, true);
    }
    if !is_given {
        return Ok(None);
    }
    match findings(a, &out, host)?.first() {
        Some(finding) => Err(refused(name, finding.clone())),
        None => Ok(Some(out)),
    }
}
