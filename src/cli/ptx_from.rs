//! Kernels that `rtcuda ptx` is asked about: their file, their machine, their blocks, their launch.

use super::outcome::{Done, Fault};
use super::tell::say_all;
use clap::Args;
use rtcuda::config::Config;
use rtcuda::diag::Diagnostic;
use rtcuda::pipeline::ConvertOptions;
use rtcuda::ptx::run::{self, Launch, launch};
use rtcuda::ptx::source::{self, Settings, Unit};
use rtcuda::runtime::programs::Program;
use rtcuda::target::{self, Machine};
use serde_json::json;
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

/// The launch.
#[derive(Args, Clone)]
pub struct Launched {
    /// Blocks, as x, y, z: numbers, or integers among the arguments, as in n/32,m/8 (rounded up)
    #[arg(long, value_name = "X,Y,Z", default_value = "1")]
    pub grid: String,
    /// Threads of a block; by default those that the kernel is compiled for, or 256
    #[arg(long, value_name = "X,Y,Z", value_parser = launch::extents)]
    pub block: Option<[u32; 3]>,
    /// Bytes of dynamic shared memory
    #[arg(long, value_name = "BYTES", default_value_t = 0)]
    pub shared: u64,
    /// An argument, in the order of the kernel's parameters; the name is yours: n=1024, x=0.5, a=f32[n*n], i=s32[n]:iota
    #[arg(long = "arg", value_name = "NAME=VALUE", allow_hyphen_values = true)]
    pub arguments: Vec<String>,
    /// The most instructions of warps
    #[arg(long, value_name = "N", default_value_t = Launch::LIMIT)]
    pub limit: u64,
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

/// The units of the file, and the machine that they are compiled for.
pub fn load(from: &From) -> Result<(Vec<Unit>, Machine), Fault> {
    let machine = machine_of(&from.arch)?;
    let is_c = from.file.extension().is_some_and(|extension| extension == "c");
    let (config, files) = match (is_c, &from.config) {
        (true, config) => {
            let program = Program::new(std::slice::from_ref(&from.file), config.as_deref())?;
            (program.config, program.files)
        }
        (false, None) => (Config::default(), Vec::new()),
        (false, Some(config)) => {
            let message = format!("{} says how C is converted, and {} is none", config.display(), from.file.display());
            return Err(Diagnostic::error("ptx-config", message, None).help("leave --config out").into());
        }
    };
    let cflags = [config.input.cflags.clone(), from.flags.clone()].concat();
    let convert = ConvertOptions { cflags, config, ..ConvertOptions::default() };
    let units = source::load(&from.file, &Settings { arch: from.arch.clone(), convert, files })?;
    Ok((units, machine))
}

/// The kernel and its launch.
pub fn launched<'u>(units: &'u [Unit], from: &From, given: &Launched) -> Result<(&'u Unit, usize, Launch), Fault> {
    let (unit, kernel) = source::kernel(units, from.kernel.as_deref())?;
    let bounds = &unit.module.functions[kernel].bounds;
    let block = given.block.or(bounds.required).or(bounds.most).unwrap_or([256, 1, 1]);
    let arguments = launch::arguments(&given.arguments)?;
    let grid = launch::extents_with(&given.grid, &arguments)?;
    let launch = Launch { grid, block, shared: given.shared, arguments, limit: given.limit };
    Ok((unit, kernel, launch))
}

/// The answer of a launch. An instruction that is at fault is one, too: no.
pub fn answered<T>(found: Result<T, run::Fault>, unit: &Unit, json: bool) -> Result<Result<T, Done>, Fault> {
    match found {
        Ok(done) => Ok(Ok(done)),
        Err(fault @ run::Fault::Launch(_)) => Err(unit.told(fault).into()),
        Err(fault) => {
            let told = [unit.told(fault)];
            if json {
                return Ok(Err(Done { text: format!("{:#}\n", json!({ "diagnostics": told })), status: 1 }));
            }
            say_all(&told);
            Ok(Err(Done { text: String::new(), status: 1 }))
        }
    }
}
