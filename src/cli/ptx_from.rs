//! Kernels that `rtcuda ptx` is asked about: their file, their machine, their blocks.

use clap::Args;
use rtcuda::diag::Diagnostic;
use rtcuda::target::{self, Machine};
use std::path::PathBuf;

/// Origin of the kernel.
#[derive(Args)]
pub struct From {
    /// A file of PTX, CUDA or C
    #[arg(value_name = "FILE.ptx|FILE.cu|FILE.c")]
    pub file: PathBuf,
    /// The kernel, by its name in the source or in the PTX, or by a part of it; by default the only one
    #[arg(long, value_name = "NAME")]
    pub kernel: Option<String>,
    /// The machine that CUDA and C are compiled for
    #[arg(long, value_name = "sm_XY", default_value = "sm_90")]
    pub arch: String,
    /// The configuration of a C program
    #[arg(long, value_name = "C.toml")]
    pub config: Option<PathBuf>,
    /// Flags for nvcc, or for the C compiler
    #[arg(last = true, value_name = "FLAGS")]
    pub flags: Vec<String>,
}

/// The blocks of a launch.
#[derive(Args)]
pub struct Blocks {
    /// Threads of a block; by default those that a kernel is compiled for, or 256
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub block: Option<u32>,
    /// Bytes of dynamic shared memory
    #[arg(long, value_name = "BYTES", default_value_t = 0)]
    pub shared: u32,
}

/// The machine of that name.
pub fn machine_of(arch: &str) -> Result<Machine, Diagnostic> {
    let number = arch.strip_prefix("sm_").map(|number| number.trim_end_matches('a'));
    let known = number.and_then(|number| number.parse().ok()).and_then(target::machine);
    known.ok_or_else(|| {
        let names: Vec<String> = target::MACHINES.iter().map(Machine::arch).collect();
        Diagnostic::error("unknown-arch", format!("the machine `{arch}` is not described"), None)
            .help(format!("--arch takes one of {}", names.join(", ")))
    })
}
