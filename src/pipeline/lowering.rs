//! Rows of the table of passes for what is decided once the plan of a region is settled: on its kernels ([`crate::lower`]), on what
//! a call is tested for and chooses among.

use super::context::Context;
use super::region::{RegionLevel, RegionState};
use super::runner::Pass;
use crate::analysis::no_plan::NoPlan;
use crate::diag::Stop;
use crate::host_plan;
use crate::host_plan::ir::Region;
use crate::host_plan::passes::{guards::guards, select::select, unused::unused};
use crate::host_plan::verify::Settled;
use crate::kernel::{Function, Kernel, verify};
use crate::lower::{registers, unroll};

pub const REGISTERS: Pass<RegionLevel> =
    row("registers", "how many registers the compiler may give each thread of a kernel", |r, _| {
        lower(r, registers::all)
    });

pub const UNROLL: Pass<RegionLevel> =
    row("unroll", "how many iterations of a kernel's loops the compiler writes out in a row", |r, _| {
        lower(r, unroll::all)
    });

pub const UNUSED: Pass<RegionLevel> =
    of_plan("unused", "no variables that no step of the host has a use for", |r, _| settle(r, unused));

pub const GUARDS: Pass<RegionLevel> =
    of_plan("guards", "all that a call is tested for before anything happens, in order", |r, _| settle(r, guards));

pub const SELECT: Pass<RegionLevel> = Pass {
    verify: Some(|pass, r| held_to(pass, r, Settled::All)),
    ..of_plan(
        "select",
        "what a call chooses among: sizes of launches, instances of kernels, a library or kernels, one block or many",
        |r, _| settle(r, select),
    )
};

type Run = fn(&mut RegionState, &mut Context) -> Result<(), NoPlan>;

const fn of_plan(name: &'static str, about: &'static str, run: Run) -> Pass<RegionLevel> {
    Pass { name, about, run: Some(run), dump: host_plan, verify: Some(contracts) }
}

/// Takes a region's plan through a pass.
fn settle(r: &mut RegionState, pass: fn(&mut Region)) -> Result<(), NoPlan> {
    pass(&mut r.stage.planned_mut()?.plan);
    Ok(())
}

const fn row(name: &'static str, about: &'static str, run: Run) -> Pass<RegionLevel> {
    Pass { name, about, run: Some(run), dump: |r| Ok(functions(r)? + &kernels(r, false)?), verify: Some(contracts) }
}

/// Takes what runs on the device in a region through a pass.
fn lower(r: &mut RegionState, pass: fn(&mut [Kernel], &mut [Function])) -> Result<(), NoPlan> {
    let plan = &mut r.stage.planned_mut()?.plan;
    pass(&mut plan.kernels, &mut plan.functions);
    Ok(())
}

pub(super) fn host_plan(r: &RegionState) -> Result<String, NoPlan> {
    Ok(host_plan::text::plan(&r.stage.planned()?.plan))
}

pub(super) fn functions(r: &RegionState) -> Result<String, Stop> {
    Ok(r.stage.planned()?.plan.functions.iter().map(|f| format!("{f}\n")).collect())
}

pub(super) fn kernels(r: &RegionState, only_resident: bool) -> Result<String, NoPlan> {
    let kernels = r.stage.planned()?.plan.kernels.iter();
    Ok(kernels.filter(|k| !only_resident || k.resident.is_some()).map(|k| format!("{k}\n")).collect())
}

/// Holds the kernels and functions to the contract of the kernel IR, and the plan to its own.
pub(super) fn contracts(pass: &str, r: &RegionState) -> Result<(), Stop> {
    let plan = &r.stage.planned()?.plan;
    verify::after_pass(pass, &plan.kernels, &plan.functions)?;
    held_to(pass, r, Settled::Nothing)
}

fn held_to(pass: &str, r: &RegionState, settled: Settled) -> Result<(), Stop> {
    let plan = &r.stage.planned()?.plan;
    match host_plan::verify::plan(plan, settled) {
        findings if findings.is_empty() => Ok(()),
        findings => Err(Stop::Bug(format!(
            "{pass}: the plan of {} breaks its contract\n  {}",
            plan.name,
            findings.join("\n  ")
        ))),
    }
}
