//! The kernels of one nest, and the host's steps that launch them.

use super::build::{Builder, NoPlan};
use super::plan::HostStmt;
use crate::ast::{BinOp, VarId};
use crate::config::Optimization;
use crate::kernel::{self as k, Kernel, ScalarType, simplify};
use crate::region::{LoopId, Reason};
use crate::schedule::block::Block;
use crate::schedule::lower::Used;
use crate::schedule::map::Mapper;
use crate::schedule::parallel::Analysis;
use crate::schedule::promote::promoted;
use crate::schedule::tile::Allowed;
use crate::schedule::{Mode, Nest, index};
use crate::source::Span;
use crate::source::directive::DirectiveKind;
use std::collections::BTreeSet;

impl Builder<'_> {
    /// The blocks that a directive on a loop of the nest asks for, or around it, the nearest first; or the
    /// configuration.
    fn block(&self, a: &Analysis, nest: &Nest) -> (Block, Span) {
        let loops = nest.stmts().first().map_or(vec![], |s| a.part.stmt(*s).loops.clone());
        let asked = loops.iter().rev().flat_map(|l| &a.part.get_loop(*l).directives).find_map(|d| match &d.kind {
            DirectiveKind::Mapping { block, .. } if !block.is_empty() => {
                Some((Block::Extents(block.iter().map(|n| i64::from(*n)).collect()), d.span))
            }
            _ => None,
        });
        let configured = || self.settings.block.map_or(Block::Usual, Block::Threads);
        asked.unwrap_or_else(|| (configured(), Span::default()))
    }

    pub(super) fn mapper(&mut self, host: &[LoopId], private: BTreeSet<VarId>) -> Mapper<'_> {
        Mapper {
            unit: self.unit,
            names: &mut self.names,
            line: self.line,
            host: host.to_vec(),
            private,
            promoted: BTreeSet::new(),
            block: Block::Usual,
            tiles: Allowed {
                merge: self.settings.allows(Optimization::Merge),
                stage: self.settings.allows(Optimization::Prefetch),
            },
            used: Used::default(),
        }
    }

    /// The launches of a nest, below those loops of the host.
    pub(super) fn nest(&mut self, a: &Analysis, nest: &Nest, host: &[LoopId]) -> Result<Vec<HostStmt>, NoPlan> {
        let private = a.private_to_nest(nest)?;
        let name = format!("{}{}", self.prefix, self.kernels.len());
        let first = nest.stmts().first().map_or(0, |s| (self.line)(a.part.stmt(*s).body.span));
        let line = nest.axes.first().map_or(first, |x| (self.line)(a.part.get_loop(x[0]).span));
        let (block, asked_at) = self.block(a, nest);
        if let (Block::Extents(given), Mode::Parallel) = (&block, nest.mode)
            && given.len() > nest.axes.len()
        {
            let message =
                format!("this block has {} extents, a kernel that it is for {}", given.len(), nest.axes.len());
            let reason = Reason::new("block", message, asked_at);
            self.warnings.push(reason.help("the extents are those in x, y and z; surplus ones are not used"));
        }
        let promoted = promoted(a, nest, &private)?;
        let merges = self.settings.allows(Optimization::Merge);
        let mut mapper = Mapper { block, promoted, ..self.mapper(host, private) };
        let (mut prologue, mut shared_out) = (vec![], vec![]);
        let shared = match nest.mode {
            Mode::Parallel if merges => mapper.lanes(a, nest, &name)?,
            _ => None,
        };
        let kernels = match nest.mode {
            Mode::OneThread => vec![mapper.one_thread(a, nest, &name)?],
            Mode::Parallel => match shared {
                Some(shared) => {
                    let shared = shared?;
                    shared_out = shared.loops;
                    vec![shared.kernel]
                }
                None => vec![mapper.parallel(a, nest, &name)??],
            },
            Mode::Reduce => {
                let stages = mapper.reduce(a, nest, &name)??;
                let (var, count) = stages.n_partials;
                let joins = stages.kernels.len() > 1;
                let used = std::mem::take(&mut mapper.used);
                self.absorb(used);
                self.partials.extend(stages.partials);
                if joins {
                    self.partial_counts.push((var.clone(), self.kernels.len()));
                    let kind = k::StmtKind::Let { var: var.clone(), ty: ScalarType::Index, init: Some(count) };
                    prologue.push(HostStmt::Compute(k::Stmt::made(kind)));
                }
                let mut out = self.launches(prologue, stages.kernels, line, nest.mode);
                if joins {
                    // Without a partial result the element may not even be there.
                    let cond = index::binary(BinOp::Gt, index::var(var), k::Expr::Int(0));
                    let then = out.pop().into_iter().collect();
                    out.push(HostStmt::If { cond, then, other: vec![] });
                }
                return Ok(out);
            }
        };
        let used = std::mem::take(&mut mapper.used);
        self.absorb(used);
        self.shared_out.extend(shared_out);
        Ok(self.launches(prologue, kernels, line, nest.mode))
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
