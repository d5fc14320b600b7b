//! The figures of ptxas for a candidate: registers and spills, which the model only guesses.

use super::build::Candidate;
use crate::diag::Stop;
use crate::kernel::Tunable;
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
        Ok(read(&self.told_by_ptxas(folder, target)?, kernel, &[]))
    }

    /// All that ptxas says of it.
    ///
    /// # Errors
    /// As [`resources`](Candidate::resources).
    pub fn told_by_ptxas(&self, folder: &Path, target: &Target) -> Result<String, Stop> {
        self.write(folder)?;
        build::told_by_ptxas(folder, self.name(), target)
    }
}

/// The most that the instances of a kernel take that have these sizes, the first of its template's, of what ptxas writes under
/// `-v`.
pub fn read(text: &str, kernel: &str, sizes: &[Tunable]) -> Option<Resources> {
    let mangled = format!("{}{kernel}I", kernel.len());
    let sizes: String = sizes.iter().map(|t| format!("Li{}E", t.value)).collect();
    let is_one = |name: &str| name.split_once(&mangled).is_some_and(|(_, arguments)| arguments.contains(&sizes));
    let all = ptxas::read(text);
    let instances = all.iter().filter(|(name, _)| is_one(name));
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
ptxas info    : Compiling entry function '_Z9rt_f_0_k1IiLi16EEvT_PKf' for 'sm_90'
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 32 registers, used 0 barriers
";

    #[test]
    fn the_most_of_the_instances_of_a_kernel_is_read() {
        let of = |kernel: &str, sizes: &[i64]| {
            let sizes = sizes.iter().map(|n| Tunable { name: "BLOCK_0".into(), value: *n });
            read(SAID, kernel, &sizes.collect::<Vec<_>>())
        };
        assert_eq!(of("rt_f_0_k1", &[]), Some(Resources { registers: 40, spilled: 4 }));
        assert_eq!(of("rt_f_0_k1", &[16]), Some(Resources { registers: 32, spilled: 0 }));
        assert_eq!(of("rt_f_0_k10", &[]), Some(Resources { registers: 255, spilled: 64 }));
        assert_eq!((of("rt_f_0_k2", &[]), of("rt_f_0_k1", &[4])), (None, None));
    }
}
