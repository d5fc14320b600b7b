//! ptxas at work: what it says of kernels, and of kernels whose registers are bounded.

use super::edit::Edits;
use crate::diag::{Diagnostic, Stop};
use crate::ptx::module::{Function, Module};
use crate::ptx::source::Unit;
use crate::runtime::call::{Call, Failure};
use crate::runtime::ptxas::{self, Resources};
use crate::runtime::toolchain;
use crate::source::which::which;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The resources of each kernel of some PTX, by name.
///
/// # Errors
/// ptxas is not there, or refuses the text.
pub fn resources(unit: &Unit, text: &str, arch: &str) -> Result<BTreeMap<String, Resources>, Stop> {
    let broken = |e: std::io::Error| {
        Diagnostic::error("no-folder", format!("PTX cannot be handed to ptxas: {e}"), None)
            .help("see whether TMPDIR is there, and has room")
    };
    let folder = tempfile::tempdir().map_err(broken)?;
    let ptx = folder.path().join("kernels.ptx");
    std::fs::write(&ptx, text).map_err(broken)?;
    let mut call = Call::new(&[program()?]);
    call.args(["-v", "-arch", arch, "-o", "/dev/null"]).args([ptx]);
    let words = call.words().map_err(|failure| match failure {
        Failure::Start(stop) => stop,
        Failure::Refused(words) => {
            Diagnostic::error("ptxas-refused", format!("ptxas does not take {} for {arch}", unit.name), None)
                .note(None, words)
                .help("--arch names the machine; PTX for a later one than that is refused")
                .into()
        }
    })?;
    Ok(ptxas::read(&words))
}

/// ptxas lies beside nvcc.
fn program() -> Result<PathBuf, Diagnostic> {
    let nvcc = toolchain::nvcc()?;
    let beside = nvcc.path.with_file_name("ptxas");
    Some(beside).filter(|path| path.is_file()).or_else(|| which("ptxas")).ok_or_else(|| {
        let message = format!("there is no ptxas beside {}", nvcc.path.display());
        Diagnostic::error("no-ptxas", message, None).help("an installation of CUDA has both; `make setup` installs one")
    })
}

/// The text with some kernels bounded to so many registers a thread, as `__maxnreg__` does. Blocks that they are compiled for
/// stay, a least number of them goes.
pub fn bounded(text: &str, module: &Module, bounds: &BTreeMap<usize, u32>) -> String {
    let mut out = String::with_capacity(text.len() + 64 * bounds.len());
    let mut at = 0;
    for (number, function) in module.functions.iter().enumerate() {
        let Some(registers) = bounds.get(&number) else { continue };
        let Some(before) = text.get(at..function.directives.start) else { continue };
        out += before;
        for (name, extents) in [("maxntid", function.bounds.most), ("reqntid", function.bounds.required)] {
            if let Some([x, y, z]) = extents {
                out += &format!("\n.{name} {x}, {y}, {z}");
            }
        }
        out += &format!("\n.maxnreg {registers}\n");
        at = function.directives.end;
    }
    out + text.get(at..).unwrap_or_default()
}

/// The text with one kernel bounded as `__launch_bounds__(threads, blocks)` does.
pub fn launch_bounds(text: &str, function: &Function, threads: u32, blocks: u32) -> String {
    let mut edits = Edits::default();
    let extents = match (function.bounds.required, function.bounds.most) {
        (Some([x, y, z]), _) => format!(".reqntid {x}, {y}, {z}"),
        (None, Some([x, y, z])) => format!(".maxntid {x}, {y}, {z}"),
        (None, None) => format!(".maxntid {threads}, 1, 1"),
    };
    edits.replace(function.directives.clone(), format!("\n{extents}\n.minnctapersm {blocks}\n"));
    edits.apply(text)
}

/// The text with spills of one kernel in shared memory, as far as ptxas does so: it needs launch bounds, and PTX 9.0.
pub fn spilling_to_shared(text: &str, function: &Function) -> String {
    let mut edits = Edits::default();
    edits.insert(function.body, "\n\t.pragma \"enable_smem_spilling\";".into());
    edits.apply(text)
}

/// The text with one kernel whose blocks have at most so many threads, unless it says that itself.
pub fn most_threads(text: &str, function: &Function, threads: u32) -> String {
    let mut edits = Edits::default();
    if function.bounds.required.is_none() && function.bounds.most.is_none() {
        edits.insert(function.directives.start, format!("\n.maxntid {threads}, 1, 1\n"));
    }
    edits.apply(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_take_the_place_of_those_that_are_there() {
        let text = ".version 8.0\n.target sm_90\n.address_size 64\n.entry a()\n.maxntid 64, 1, 1\n.minnctapersm 2\n{ ret; }\n.entry b() { ret; }\n";
        let module = crate::ptx::read::read(text).unwrap();
        let after = bounded(text, &module, &BTreeMap::from([(0, 32), (1, 40)]));
        let again = crate::ptx::read::read(&after).unwrap();
        assert_eq!(again.functions[0].bounds.registers, Some(32));
        assert_eq!((again.functions[0].bounds.most, again.functions[0].bounds.blocks), (Some([64, 1, 1]), None));
        assert_eq!(again.functions[1].bounds.registers, Some(40));
        assert_eq!(bounded(text, &module, &BTreeMap::new()), text);
    }
}
