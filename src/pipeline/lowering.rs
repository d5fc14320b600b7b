//! Rows of the table of passes for what is decided on the kernels of a region, once its plan is settled ([`crate::lower`]).

use super::context::Context;
use super::region::{RegionLevel, RegionState};
use super::runner::Pass;
use crate::analysis::no_plan::NoPlan;
use crate::diag::Stop;
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

const fn row(
    name: &'static str,
    about: &'static str,
    run: fn(&mut RegionState, &mut Context) -> Result<(), NoPlan>,
) -> Pass<RegionLevel> {
    Pass { name, about, run: Some(run), dump: |r| Ok(functions(r)? + &kernels(r, false)?), verify: Some(kernel_ir) }
}

/// Takes what runs on the device in a region through a pass.
fn lower(r: &mut RegionState, pass: fn(&mut [Kernel], &mut [Function])) -> Result<(), NoPlan> {
    let plan = &mut r.stage.planned_mut()?.plan;
    pass(&mut plan.kernels, &mut plan.functions);
    Ok(())
}

pub(super) fn functions(r: &RegionState) -> Result<String, Stop> {
    Ok(r.stage.planned()?.plan.functions.iter().map(|f| format!("{f}\n")).collect())
}

pub(super) fn kernels(r: &RegionState, only_resident: bool) -> Result<String, NoPlan> {
    let kernels = r.stage.planned()?.plan.kernels.iter();
    Ok(kernels.filter(|k| !only_resident || k.resident.is_some()).map(|k| format!("{k}\n")).collect())
}

/// Holds the kernels and functions to the contract of the kernel IR.
pub(super) fn kernel_ir(pass: &str, r: &RegionState) -> Result<(), Stop> {
    let plan = &r.stage.planned()?.plan;
    verify::after_pass(pass, &plan.kernels, &plan.functions)
}
