//! Launches in an entry, of one kernel and of a resident one, and what a call chooses among.

use super::construct::launches::{
    self, AlignedArray, ByPositions, Either, Fills, FillsUnevenly, Keeps, KeptRows, Launch, OneBlock, Resident,
};
use super::construct::statements::If;
use super::entry_names::device_name;
use super::host_text::Host;
use super::spell::spell;
use super::{bug, names};
use crate::ast::BinOp;
use crate::diag::Stop;
use crate::host_plan::choice::{Case, Instance, Instances, Select, When};
use crate::host_plan::ir::{Blocks, HostStmt, Launched};
use crate::kernel::positions::Sum;
use crate::kernel::simplify::with_sizes;
use crate::kernel::{Expr, Kernel, StmtKind, Tunable, turns, verify};
use crate::schedule::index;
use crate::target::MAX_BLOCK;

impl<'a> Host<'a> {
    pub(super) fn launch(&mut self, kernel: usize, line: u32, how: Option<&Launched>) -> Result<(), Stop> {
        let kernel = self.kernel(kernel)?;
        let Launched { sizes, instances } =
            how.ok_or_else(|| bug(format!("nothing is chosen for `{}`", kernel.name)))?;
        let dims = |dims: &[Expr]| -> Result<Vec<String>, Stop> {
            dims.iter().map(|e| self.out.scope.position_text(&with_sizes(e, sizes))).collect()
        };
        let launch = Launch {
            line,
            label: names::quote(&names::spell(&kernel.name)),
            shared: verify::launch_shared(&kernel.with(sizes)).map(|bytes| bytes.to_string()),
            kernel: self.instances(kernel, sizes, instances)?,
            grid: dims(&kernel.grid)?,
            block: dims(&kernel.block)?,
            arguments: self.arguments(kernel)?,
        };
        self.push(&launch)
    }

    /// Steps of which the call takes some: a chain of tests, the last of which needs none.
    pub(super) fn select(&mut self, select: &Select<Vec<HostStmt>>) -> Result<(), Stop> {
        let text = self.chained(&select.cases)?;
        self.out.lines.push(&text);
        Ok(())
    }

    fn chained(&mut self, cases: &[Case<Vec<HostStmt>>]) -> Result<String, Stop> {
        let (first, rest) = cases.split_first().ok_or_else(|| bug("a choice among nothing"))?;
        let then = self.block(&first.then)?;
        let other = match rest {
            [] => String::new(),
            [Case { when: When::Otherwise, then }] => self.block(then)?,
            rest => self.chained(rest)?,
        };
        let is_chained = rest.len() > 1;
        spell(&If { line: 0, condition: self.condition(&first.when)?, then, other, is_chained })
    }

    /// The condition of a case that may not hold.
    fn condition(&self, when: &When) -> Result<String, Stop> {
        let at = |e: &Expr| self.out.scope.position_text(e);
        match when {
            When::Fills { blocks, others, beside } => {
                spell(&Fills { blocks: at(blocks)?, others: at(others)?, times: beside.times, at_once: beside.at_once })
            }
            When::FillsUnevenly { blocks } => spell(&FillsUnevenly { blocks: at(blocks)? }),
            When::LibraryPays(call) => Ok(self.call_text(call)?.pays),
            When::FitsOneBlock { work, most } => spell(&OneBlock { work: at(work)?, most: *most }),
            When::Aligned(all) => Ok(all.iter().map(|e| self.aligned(e)).collect::<Result<Vec<_>, _>>()?.join(" && ")),
            When::IsShort(_) | When::Otherwise => Err(bug(format!("no steps are taken `{when}`"))),
        }
    }

    fn aligned(&self, e: &Expr) -> Result<String, Stop> {
        let Expr::Aligned { access, count } = e else { return self.out.scope.position_text(e) };
        let array = device_name(self.region, self.array(&access.array)?);
        spell(&AlignedArray { array, count: self.out.scope.position_text(count)? })
    }

    fn kernel(&self, kernel: usize) -> Result<&'a Kernel, Stop> {
        self.region.kernels.get(kernel).ok_or_else(|| bug(format!("launch of kernel {kernel}")))
    }

    /// The instances of a kernel that a launch may take, as an expression.
    fn instances(&self, kernel: &Kernel, sizes: &[Tunable], all: &Instances) -> Result<String, Stop> {
        let select = match all {
            Instances::One(Instance { wide, bits }) => {
                let position = bits.map(|bits| if bits == 32 { "int" } else { "long" }.to_string());
                let tunables = sizes.iter().map(|t| t.value).chain(wide.map(i64::from));
                let arguments = position.into_iter().chain(tunables.map(|value| value.to_string())).collect();
                let name = names::spell(self.templates.get(&kernel.name).unwrap_or(&kernel.name));
                return spell(&launches::Instance { name, arguments });
            }
            Instances::Select(select) => select,
        };
        let [Case { when, then }, Case { when: When::Otherwise, then: other }] = &select.cases[..] else {
            return Err(bug(format!("instances of `{}` that are no two", kernel.name)));
        };
        let [then, other] = [then, other].map(|way| self.instances(kernel, sizes, way));
        match when {
            When::IsShort(most) => spell(&ByPositions { products: self.products(most)?, short: then?, long: other? }),
            when => spell(&Either { condition: self.condition(when)?, then: then?, other: other? }),
        }
    }

    /// The products of a sum, as factors.
    fn products(&self, most: &Sum) -> Result<Vec<Vec<String>>, Stop> {
        let one = |(c, factors): (i64, &[String])| {
            let number = (c != 1 || factors.is_empty()).then(|| Ok(c.to_string()));
            let factors = factors.iter().map(|name| self.out.scope.position_text(&Expr::Var(name.clone())));
            number.into_iter().chain(factors).collect()
        };
        most.products().into_iter().map(one).collect()
    }

    /// Room on chip that a resident kernel has use for.
    fn keeps(&self, kernel: &Kernel) -> Result<Option<Keeps>, Stop> {
        let on_chip = || {
            kernel.body.iter().filter_map(|s| match &s.kind {
                StmtKind::OnChip { of, rows, .. } => Some((of, rows)),
                _ => None,
            })
        };
        let Some((of, _)) = on_chip().next() else { return Ok(None) };
        let start = on_chip().find_map(|(_, rows)| rows.as_ref());
        Ok(Some(Keeps {
            name: names::spell(&kernel.name),
            bytes: kernel.bytes_on_chip(false),
            elements: self.out.scope.position_text(of)?,
            rows: start.map(|start| self.kept_rows(start, kernel.bytes_on_chip(true))).transpose()?,
        }))
    }

    /// Rows that begin where an array of the host's says.
    fn kept_rows(&self, start: &str, bytes: i64) -> Result<KeptRows, Stop> {
        let array = self.array(start)?;
        let Some((first, end)) = &array.live_in else {
            return Err(bug(format!("rows by `{start}`, which is not given")));
        };
        let text = |e: &Expr| self.out.scope.position_text(e);
        let (first, last) = (text(first)?, text(&index::binary(BinOp::Sub, end.clone(), Expr::Int(1)))?);
        Ok(KeptRows { bytes, start: device_name(self.region, array), first, last })
    }

    /// Arguments of a kernel.
    fn arguments(&self, kernel: &Kernel) -> Result<Vec<String>, Stop> {
        let scalars = kernel.scalars.iter().map(|p| Ok(names::spell(&p.name)));
        let is_held = |name: &str| self.array(name).is_ok_and(|a| a.held().is_some());
        let again = kernel.arrays.iter().filter(|p| turns::is_in_two(p, &is_held));
        let arrays = kernel.arrays.iter().chain(again).map(|p| Ok(device_name(self.region, self.array(&p.name)?)));
        scalars.chain(arrays).collect()
    }

    pub(super) fn resident(&mut self, s: &HostStmt) -> Result<(), Stop> {
        let HostStmt::Resident { kernel, on_chip, line, work, blocks, unit } = s else { return Ok(()) };
        let kernel = self.kernel(*kernel)?;
        let name = names::spell(&kernel.name);
        let threads = match blocks {
            Blocks::One => i64::from(MAX_BLOCK),
            Blocks::AsFit { threads } => *threads,
            Blocks::ByWork { .. } => return Err(bug(format!("nothing is chosen for `{name}`"))),
        };
        self.push(&Resident {
            line: *line,
            label: names::quote(&name),
            name,
            work: self.out.scope.position_text(work)?,
            is_one_block: *blocks == Blocks::One,
            threads,
            unit: *unit,
            keeps: on_chip.map(|kernel| self.keeps(self.kernel(kernel)?)).transpose()?.flatten(),
            arguments: self.arguments(kernel)?,
        })
    }
}
