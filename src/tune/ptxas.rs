//! The figures of ptxas for a candidate: registers and spills, which the model only guesses.

use super::build::Candidate;
use crate::diag::Stop;
use crate::runtime::build::{self, Target};
use crate::runtime::ptxas;
use serde::Serialize;
use std::path::Path;

/// Resources that the threads of a kernel take; of its instances, for 32- and for 64-bit positions, the most.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Resources {
    /// Registers of a thread.
    pub registers: u32,
    /// Bytes that a thread stores for want of registers.
    pub spilled: u32,
}

impl Candidate {
    /// The figures of ptxas for a kernel of it; `None` where it says nothing of that name.
    ///
    /// # Errors
    /// The compiler, or what it refuses.
    pub fn resources(&self, kernel: &str, folder: &Path, target: &Target) -> Result<Option<Resources>, Stop> {
        self.write(folder)?;
        Ok(read(&build::told_by_ptxas(folder, self.name(), target)?, kernel))
    }
}

/// The most that instances of a kernel take, of what ptxas writes under `-v`.
fn read(text: &str, kernel: &str) -> Option<Resources> {
    let mangled = format!("{}{kernel}", kernel.len());
    let all = ptxas::read(text);
    let instances = all.iter().filter(|(name, _)| name.contains(&mangled));
    instances
        .map(|(_, r)| Resources { registers: r.registers, spilled: r.spill_stores })
        .reduce(|a, b| Resources { registers: a.registers.max(b.registers), spilled: a.spilled.max(b.spilled) })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAID: &str = "\
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '_Z10rt_f_0_k10IiLi8EEvT_PKf' for 'sm_90'
ptxas info    : Function properties for _Z10rt_f_0_k10IiLi8EEvT_PKf
    64 bytes stack frame, 64 bytes spill stores, 64 bytes spill loads
ptxas info    : Used 255 registers, used 1 barriers, 64 bytes cumulative stack size
ptxas info    : Compiling entry function '_Z9rt_f_0_k1IlLi8EEvT_PKf' for 'sm_90'
ptxas info    : Function properties for _Z9rt_f_0_k1IlLi8EEvT_PKf
    8 bytes stack frame, 4 bytes spill stores, 8 bytes spill loads
ptxas info    : Used 40 registers, used 0 barriers
ptxas info    : Compiling entry function '_Z9rt_f_0_k1IiLi8EEvT_PKf' for 'sm_90'
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 32 registers, used 0 barriers
";

    #[test]
    fn the_most_of_the_instances_of_a_kernel_is_read() {
        assert_eq!(read(SAID, "rt_f_0_k1"), Some(Resources { registers: 40, spilled: 4 }));
        assert_eq!(read(SAID, "rt_f_0_k10"), Some(Resources { registers: 255, spilled: 64 }));
        assert_eq!(read(SAID, "rt_f_0_k2"), None);
    }
}
