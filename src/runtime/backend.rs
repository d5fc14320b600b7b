//! Where a converted program runs: what `auto`, `cuda` and `cpu` mean on this machine.

use super::build::Target;
use super::device::Gpu;
use super::toolchain;
use crate::config::{self, Arch, Backend};
use crate::diag::Diagnostic;

/// What to build for: `cuda` needs a GPU and nvcc, `auto` takes them where both are there.
///
/// # Errors
/// `no-gpu`, `no-nvcc`, or `arch-too-new` where the configuration asks for code that this GPU does not run.
pub fn choose(target: &config::Target) -> Result<Target, Diagnostic> {
    match target.backend {
        Backend::Cpu => Ok(Target::Simulation),
        Backend::Cuda => gpu(target),
        Backend::Auto => match gpu(target) {
            Err(missing) if ["no-gpu", "no-nvcc"].contains(&missing.code) => Ok(Target::Simulation),
            found => found,
        },
    }
}

/// What to build objects for, which may run on another machine: as [`choose`], but `cuda` with an architecture that the
/// configuration names needs no GPU here.
///
/// # Errors
/// As [`choose`].
pub fn choose_for_objects(target: &config::Target) -> Result<Target, Diagnostic> {
    match (target.backend, target.arch) {
        (Backend::Cuda, Arch::Sm(asked)) => {
            Ok(Target::Gpu { nvcc: toolchain::nvcc()?, arch: format!("sm_{asked}"), fmad: target.fmad })
        }
        _ => choose(target),
    }
}

fn gpu(target: &config::Target) -> Result<Target, Diagnostic> {
    let gpu = Gpu::first()?;
    let nvcc = toolchain::nvcc()?;
    let capability = match target.arch {
        Arch::Native => gpu.capability,
        Arch::Sm(asked) if asked <= gpu.capability => asked,
        Arch::Sm(asked) => {
            let message = format!("code for sm_{asked} does not run on this {}, an sm_{}", gpu.name, gpu.capability);
            return Err(Diagnostic::error("arch-too-new", message, None).help("`arch = \"native\"` under [target]"));
        }
    };
    Ok(Target::Gpu { nvcc, arch: format!("sm_{capability}"), fmad: target.fmad })
}
