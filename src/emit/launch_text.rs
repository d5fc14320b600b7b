//! Launches in an entry: of one kernel, and of a resident one.

use super::construct::launches::{
    AlignedArray, Instance, Keeps, KeptRows, Launch, LaunchBySize, Resident, SizedLaunch, Wide,
};
use super::entry_names::{device_name, held_name};
use super::host_text::Host;
use super::spell::spell;
use super::{bug, names};
use crate::ast::BinOp;
use crate::cost::estimate;
use crate::diag::Stop;
use crate::host_plan::ir::HostStmt;
use crate::kernel::simplify::with_sizes;
use crate::kernel::{Expr, Kernel, StmtKind, Tunable, positions, turns, verify};
use crate::schedule::index;
use crate::target::MAX_BLOCK;

impl<'a> Host<'a> {
    pub(super) fn launch(&mut self, kernel: usize, line: u32) -> Result<(), Stop> {
        let is_by_size = self.is_by_size(kernel)?;
        let kernel = self.kernel(kernel)?;
        if !is_by_size {
            let launch = self.launch_of(kernel, line)?;
            return self.push(&launch);
        }
        let mut sized = |tunables: &[Tunable]| match tunables {
            [] => Ok(None),
            tunables => self.sized_launch(&kernel.with(tunables), line).map(Some),
        };
        let (larger, smaller) = (sized(&kernel.larger)?, sized(&kernel.smaller)?);
        let usual = self.sized_launch(kernel, line)?;
        self.push(&LaunchBySize {
            larger,
            usual,
            smaller,
            larger_beside_usual: beside(estimate::larger_beside_usual(kernel)),
            usual_beside_smaller: beside(estimate::usual_beside_smaller(kernel)),
            is_uneven: kernel.is_uneven,
        })
    }

    /// Test that a launch picks among sizes of its kernel.
    pub(super) fn is_by_size(&self, kernel: usize) -> Result<bool, Stop> {
        let kernel = self.kernel(kernel)?;
        Ok(!kernel.larger.is_empty() || !kernel.smaller.is_empty())
    }

    fn sized_launch(&mut self, kernel: &Kernel, line: u32) -> Result<SizedLaunch, Stop> {
        let blocks = kernel.grid.iter().cloned().reduce(index::mul).expect("a grid has a dimension");
        let blocks = self.out.scope.position_text(&with_sizes(&blocks, &kernel.tunables))?;
        let launch = self.launch_of(kernel, line)?;
        let outer = std::mem::take(&mut self.out.lines);
        self.push(&launch)?;
        Ok(SizedLaunch { blocks, launch: std::mem::replace(&mut self.out.lines, outer).block() })
    }

    fn launch_of(&self, kernel: &Kernel, line: u32) -> Result<Launch, Stop> {
        let dims = |dims: &[Expr]| -> Result<Vec<String>, Stop> {
            dims.iter().map(|e| self.out.scope.position_text(&with_sizes(e, &kernel.tunables))).collect()
        };
        Ok(Launch {
            line,
            label: names::quote(&names::spell(&kernel.name)),
            shared: verify::launch_shared(kernel).map(|bytes| bytes.to_string()),
            kernel: self.instance(kernel)?,
            grid: dims(&kernel.grid)?,
            block: dims(&kernel.block)?,
            arguments: self.arguments(kernel)?,
        })
    }

    fn kernel(&self, kernel: usize) -> Result<&'a Kernel, Stop> {
        self.region.kernels.get(kernel).ok_or_else(|| bug(format!("launch of kernel {kernel}")))
    }

    /// The kernel with its template's arguments; of one for both widths of positions, what the call chooses by.
    fn instance(&self, kernel: &Kernel) -> Result<Instance, Stop> {
        let most = positions::most(kernel);
        let mut products = Vec::new();
        for (c, factors) in most.iter().flat_map(|most| most.products()) {
            let number = (c != 1 || factors.is_empty()).then(|| Ok(c.to_string()));
            let factors = factors.iter().map(|name| self.out.scope.position_text(&Expr::Var(name.clone())));
            products.push(number.into_iter().chain(factors).collect::<Result<Vec<_>, Stop>>()?);
        }
        let values = |is_wide: Option<bool>| {
            let tunables = kernel.tunables.iter().map(|t| t.value);
            tunables.chain(is_wide.map(i64::from)).map(|value| value.to_string()).collect()
        };
        let conditions = kernel.wide.as_ref().map(|wide| self.conditions(wide, kernel)).transpose()?;
        // Vectors of one element are aligned anywhere.
        let is_always = conditions.as_ref().map(Vec::is_empty);
        let conditions = conditions.filter(|all| !all.is_empty());
        Ok(Instance {
            name: names::spell(self.templates.get(&kernel.name).unwrap_or(&kernel.name)),
            values: values(is_always),
            wide: conditions.map(|conditions| Wide { conditions, values: values(Some(true)) }),
            is_of_call: most.is_some(),
            products,
        })
    }

    /// The conditions under which vectors of the kernel's sizes are aligned, as the call tests them.
    fn conditions(&self, wide: &Expr, kernel: &Kernel) -> Result<Vec<String>, Stop> {
        let mut out = Vec::new();
        for e in conjuncts(wide) {
            let cond = match e {
                Expr::Aligned { access, count } => match with_sizes(count, &kernel.tunables) {
                    Expr::Int(1) => continue,
                    count => {
                        let array = device_name(self.region, self.array(&access.array)?);
                        spell(&AlignedArray { array, count: self.out.scope.position_text(&count)? })?
                    }
                },
                e => match with_sizes(e, &kernel.tunables) {
                    Expr::Int(1) => continue,
                    cond => self.out.scope.position_text(&cond)?,
                },
            };
            out.push(cond);
        }
        Ok(out)
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
        let is_held = |name: &str| self.array(name).is_ok_and(|a| held_name(a).is_some());
        let again = kernel.arrays.iter().filter(|p| turns::is_in_two(p, &is_held));
        let arrays = kernel.arrays.iter().chain(again).map(|p| Ok(device_name(self.region, self.array(&p.name)?)));
        scalars.chain(arrays).collect()
    }

    /// One block, or as many as the device holds: two variants of the kernel.
    pub(super) fn resident(&mut self, s: &HostStmt) -> Result<(), Stop> {
        let HostStmt::Resident { kernel, on_chip, line, work, in_one_block, threads, unit } = s else { return Ok(()) };
        let kernel = self.kernel(*kernel)?;
        let name = names::spell(&kernel.name);
        self.push(&Resident {
            line: *line,
            label: names::quote(&name),
            name,
            work: self.out.scope.position_text(work)?,
            in_one_block: *in_one_block,
            most_threads: i64::from(MAX_BLOCK),
            threads: *threads,
            unit: *unit,
            keeps: on_chip.map(|kernel| self.keeps(self.kernel(kernel)?)).transpose()?.flatten(),
            arguments: self.arguments(kernel)?,
        })
    }
}

/// The conditions that hold where one does.
fn conjuncts(e: &Expr) -> Vec<&Expr> {
    match e {
        Expr::Binary(BinOp::And, left, right) => [conjuncts(left), conjuncts(right)].concat(),
        e => vec![e],
    }
}

/// Blocks beside those of another size, as C++ has them.
fn beside(estimate::Beside { times, at_once }: estimate::Beside) -> String {
    format!("{{{times}, {at_once}}}")
}
