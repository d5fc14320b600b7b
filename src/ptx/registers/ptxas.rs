//! ptxas at work: what it says of kernels, and of kernels whose registers are bounded.

use crate::diag::{Diagnostic, Stop};
use crate::ptx::module::Module;
use crate::ptx::source::Unit;
use crate::runtime::call::{Call, Failure};
use crate::runtime::toolchain;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Resources that ptxas gives a kernel.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Resources {
    /// Registers of a thread.
    pub registers: u32,
    /// Bytes that a thread stores and loads for want of registers.
    pub spill_stores: u32,
    pub spill_loads: u32,
    /// Bytes of local memory of a thread, spills too.
    pub stack: u32,
    /// Bytes of static shared memory of a block.
    pub shared: u32,
}

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
    let mut call = Call::new(&[ptxas()?]);
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
    Ok(read(&words))
}

/// ptxas lies beside nvcc.
fn ptxas() -> Result<PathBuf, Diagnostic> {
    let nvcc = toolchain::nvcc()?;
    let beside = nvcc.path.with_file_name("ptxas");
    Some(beside).filter(|path| path.is_file()).or_else(|| toolchain::which("ptxas")).ok_or_else(|| {
        let message = format!("there is no ptxas beside {}", nvcc.path.display());
        Diagnostic::error("no-ptxas", message, None).help("an installation of CUDA has both; `make setup` installs one")
    })
}

/// Reads what ptxas writes under `-v`: for each kernel its name, and what it takes some lines later.
fn read(words: &str) -> BTreeMap<String, Resources> {
    let mut found: BTreeMap<String, Resources> = BTreeMap::new();
    let mut kernel: Option<String> = None;
    let mut properties_of: Option<String> = None;
    for line in words.lines() {
        let quoted = |line: &str| line.split('\'').nth(1).map(str::to_owned);
        if line.contains("Compiling entry function") {
            kernel = quoted(line);
        } else if let Some((_, name)) = line.split_once("Function properties for ") {
            properties_of = Some(name.trim().to_owned());
        }
        let number = |after: &str| -> Option<u32> {
            let (before, _) = line.split_once(after)?;
            before.rsplit(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
        };
        let Some(name) = &kernel else { continue };
        let of_kernel = found.entry(name.clone()).or_default();
        if let Some(registers) = number(" registers") {
            of_kernel.registers = registers;
            of_kernel.shared = number(" bytes smem").unwrap_or(0);
        }
        if let Some(stack) = number(" bytes stack frame").filter(|_| properties_of.as_ref() == Some(name)) {
            of_kernel.stack = stack;
            of_kernel.spill_stores = number(" bytes spill stores").unwrap_or(0);
            of_kernel.spill_loads = number(" bytes spill loads").unwrap_or(0);
        }
    }
    found
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

#[cfg(test)]
mod tests {
    use super::*;

    const SAID: &str = "\
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '_Z1kPf' for 'sm_90'
ptxas info    : Function properties for _Z6helperf
    8 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Function properties for _Z1kPf
    64 bytes stack frame, 60 bytes spill stores, 56 bytes spill loads
ptxas info    : Used 32 registers, used 1 barriers, 64 bytes cumulative stack size, 4096 bytes smem
ptxas info    : Compile time = 6.309 ms
ptxas info    : Compiling entry function 'other' for 'sm_90'
ptxas info    : Function properties for other
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 10 registers, used 0 barriers
";

    #[test]
    fn what_ptxas_says_is_read() {
        let found = read(SAID);
        let k = Resources { registers: 32, spill_stores: 60, spill_loads: 56, stack: 64, shared: 4096 };
        assert_eq!(found["_Z1kPf"], k);
        assert_eq!(found["other"], Resources { registers: 10, ..Resources::default() });
        assert_eq!(read("nothing of the kind").len(), 0);
    }

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
