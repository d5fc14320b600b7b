//! Registers of kernels: what ptxas gives them, how many blocks fit, what one more would take, where the pressure is.
//!
//! The desired number of registers is that of You and Tsai, "Compiler-Assisted Resource Management for CUDA Programs", in the
//! arithmetic of today's machines ([`Machine::registers_for`]).

pub mod choice;
pub mod controller;
pub mod edit;
pub mod passes;
mod ptxas;
pub mod ranges;
pub mod rematerialise;
pub mod spill;
pub mod text;
pub mod variant;

use super::liveness;
use super::module::{Function, Loc};
use super::source::Unit;
use crate::diag::Stop;
use crate::runtime::ptxas::Resources;
use crate::target::{Limit, Machine};
use serde::Serialize;
use std::collections::BTreeMap;

/// The most bounds that are tried of a kernel.
const MOST_BOUNDS: usize = 4;

/// Question about kernels: the machine, the launch, and whether bounds are tried.
#[derive(Debug, Clone, Copy)]
pub struct Question<'a> {
    pub machine: &'a Machine,
    /// Threads of a block; `None`: those that the kernel is compiled for, or 256.
    pub block: Option<u32>,
    /// Bytes of dynamic shared memory.
    pub shared: u32,
    /// Question to ptxas about fewer registers, too.
    pub bounds: bool,
}

/// Blocks of a kernel on a multiprocessor.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Fit {
    /// Threads of a block.
    pub block: u32,
    pub blocks: u32,
    pub warps: u32,
    /// Share of the warps that the machine holds.
    pub occupancy: f64,
    /// Limit that keeps one more block out: `warps`, `blocks`, `registers`, `shared memory`.
    pub limit: &'static str,
}

/// Registers of a thread with which so many blocks fit, as far as registers go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Desired {
    pub blocks: u32,
    pub registers: u32,
}

/// A kernel whose registers are bounded: what ptxas makes of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Bounded {
    /// Registers that it may take (`__maxnreg__`, `-maxrregcount`).
    pub bound: u32,
    #[serde(flatten)]
    pub resources: Resources,
    pub blocks: u32,
}

/// Values that are needed at once, in registers of 32 bits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Pressure {
    pub file: String,
    /// Source line, or that of the PTX where the PTX tells none.
    pub line: u32,
    pub registers: u32,
    pub predicates: u32,
}

/// Report on a kernel.
#[derive(Debug, Clone, Serialize)]
pub struct Report {
    pub kernel: String,
    /// As in the source.
    pub name: String,
    #[serde(flatten)]
    pub resources: Resources,
    pub fit: Fit,
    /// Registers for one more block and the next ones, where registers are what limits.
    pub desired: Vec<Desired>,
    /// Predictions of ptxas; nothing of them was timed.
    pub bounded: Vec<Bounded>,
    /// By source line, in the order of the lines; `None`: an instruction is not known, or the kernel is too large.
    pub pressure: Option<Vec<Pressure>>,
    /// Instructions that are not known, for want of which there is no pressure.
    pub unknown: Vec<String>,
}

/// The kernels of a unit: all, or those of the numbers that are given.
///
/// # Errors
/// ptxas is not there, or refuses the PTX.
pub fn reports(unit: &Unit, kernels: &[usize], question: &Question) -> Result<Vec<Report>, Stop> {
    let resources = ptxas::resources(unit, &unit.text, &question.machine.arch())?;
    let mut reports = Vec::new();
    for &kernel in kernels {
        let function = &unit.module.functions[kernel];
        let found = resources.get(&function.name).copied().unwrap_or_default();
        reports.push(report(unit, function, found, question));
    }
    if question.bounds {
        try_bounds(unit, kernels, &mut reports, question)?;
    }
    Ok(reports)
}

fn report(unit: &Unit, function: &Function, resources: Resources, question: &Question) -> Report {
    let block = block_of(function, question);
    let fit = fit(question, resources, block);
    let next = fit.blocks + 1..=question.machine.blocks;
    let mut desired: Vec<Desired> = Vec::new();
    for blocks in next.filter(|_| fit.limit == "registers") {
        let without = fit_of(question, Resources { registers: 16, ..resources }, block).0;
        match question.machine.registers_for(blocks, block).filter(|_| blocks <= without) {
            Some(registers) => desired.push(Desired { blocks, registers }),
            None => break,
        }
    }
    let unknown: Vec<String> = function
        .unknown
        .iter()
        .map(|unknown| format!("{} (line {} of the PTX)", unknown.opcode, unknown.line))
        .collect();
    Report {
        kernel: function.name.clone(),
        name: function.source_name().into(),
        resources,
        fit,
        desired,
        bounded: Vec::new(),
        pressure: if unknown.is_empty() { by_line(unit, function) } else { None },
        unknown,
    }
}

/// Threads of a block: as asked, else as the kernel is compiled for, else 256.
fn block_of(function: &Function, question: &Question) -> u32 {
    let compiled = function.bounds.required.or(function.bounds.most);
    let compiled = compiled.map(|extents| extents.iter().fold(1u32, |all, &n| all.saturating_mul(n)));
    question.block.or(compiled.filter(|&threads| threads > 0)).unwrap_or(256)
}

fn fit_of(question: &Question, resources: Resources, block: u32) -> (u32, u32, Limit) {
    let shared = resources.shared.saturating_add(question.shared);
    let found = question.machine.occupancy(resources.registers, shared, block);
    (found.blocks, found.warps, found.limit)
}

fn fit(question: &Question, resources: Resources, block: u32) -> Fit {
    let (blocks, warps, limit) = fit_of(question, resources, block);
    let limit = match limit {
        Limit::Warps => "warps",
        Limit::Blocks => "blocks",
        Limit::Registers => "registers",
        Limit::Shared => "shared memory",
    };
    Fit { block, blocks, warps, occupancy: f64::from(warps) / f64::from(question.machine.warps), limit }
}

/// Asks ptxas about the desired registers: in one call for all kernels, as often as one has another bound.
fn try_bounds(unit: &Unit, kernels: &[usize], reports: &mut [Report], question: &Question) -> Result<(), Stop> {
    for round in 0..MOST_BOUNDS {
        let bounds = kernels.iter().zip(reports.iter()).filter_map(|(&kernel, report)| {
            let mut different: Vec<u32> = report.desired.iter().map(|desired| desired.registers).collect();
            different.dedup();
            Some((kernel, *different.get(round)?))
        });
        let bounds: BTreeMap<usize, u32> = bounds.collect();
        if bounds.is_empty() {
            break;
        }
        let text = ptxas::bounded(&unit.text, &unit.module, &bounds);
        let found = ptxas::resources(unit, &text, &question.machine.arch())?;
        for (kernel, report) in kernels.iter().zip(reports.iter_mut()) {
            if let (Some(&bound), Some(&resources)) = (bounds.get(kernel), found.get(&report.kernel)) {
                let blocks = fit_of(question, resources, report.fit.block).0;
                report.bounded.push(Bounded { bound, resources, blocks });
            }
        }
    }
    Ok(())
}

/// The pressure of each source line: the most of its instructions.
fn by_line(unit: &Unit, function: &Function) -> Option<Vec<Pressure>> {
    let mut lines: BTreeMap<(String, u32), liveness::Pressure> = BTreeMap::new();
    for (instruction, pressure) in function.code.iter().zip(liveness::pressure(function)?) {
        let key = match instruction.loc {
            Some(loc @ Loc { line, .. }) => (unit.file(loc).to_owned(), line),
            None => (unit.name.clone(), instruction.line),
        };
        let most = lines.entry(key).or_default();
        most.registers = most.registers.max(pressure.registers);
        most.predicates = most.predicates.max(pressure.predicates);
    }
    let lines = lines.into_iter().map(|((file, line), most)| Pressure {
        file,
        line,
        registers: most.registers,
        predicates: most.predicates,
    });
    Some(lines.collect())
}
