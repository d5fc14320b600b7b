//! Words of ptxas: what `-v` tells of each kernel.

use serde::Serialize;
use std::collections::BTreeMap;

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

/// Reads what ptxas writes under `-v`: for each kernel its name, and what it takes some lines later.
pub fn read(words: &str) -> BTreeMap<String, Resources> {
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
}
