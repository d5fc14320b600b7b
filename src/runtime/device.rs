//! The GPU of this machine, through the CUDA driver; and what `rtcuda device` says of the whole machine.

use super::toolchain;
use crate::diag::Diagnostic;
use crate::target::{self, Machine};
use cudarc::driver::{DriverError, result, sys};
use serde::Serialize;

/// A GPU.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Gpu {
    /// As its maker calls it.
    pub name: String,
    /// Compute capability times ten: 90 for `sm_90`.
    pub capability: u32,
    /// Streaming multiprocessors.
    pub sms: u32,
    /// Bytes of its memory.
    pub memory: u64,
    /// The newest CUDA that the driver runs: 13000 for 13.0.
    pub driver: u32,
    /// The name that is its alone: `GPU-`, and 16 bytes in hexadecimal.
    #[serde(skip)]
    pub uuid: String,
}

/// As NVIDIA's tools write it.
fn uuid_text(bytes: [u8; 16]) -> String {
    let groups = [0..4, 4..6, 6..8, 8..10, 10..16];
    let hexadecimal =
        |group: std::ops::Range<usize>| bytes[group].iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    format!("GPU-{}", groups.map(hexadecimal).join("-"))
}

impl Gpu {
    /// The first GPU.
    ///
    /// # Errors
    /// `no-gpu` where there is no driver, no device, or one that cannot be asked.
    pub fn first() -> Result<Gpu, Diagnostic> {
        let missing = |why: &str, help: &str| Diagnostic::error("no-gpu", why, None).help(help.to_owned());
        // SAFETY: the probe only opens the library; without it, every call of the driver would panic.
        if !unsafe { sys::is_culib_present() } {
            let help = "`--backend cpu` simulates on the CPU; to run on a GPU, install NVIDIA's driver";
            return Err(missing("there is no CUDA driver (libcuda.so) on this machine", help));
        }
        Gpu::ask().map_err(|e| {
            let help = "see whether `nvidia-smi` finds a device; `--backend cpu` simulates on the CPU";
            missing(&format!("the CUDA driver finds no usable GPU: {e}"), help)
        })
    }

    fn ask() -> Result<Gpu, DriverError> {
        use sys::CUdevice_attribute_enum as Attribute;
        result::init()?;
        let device = result::device::get(0)?;
        // SAFETY: `device` is one that the driver has just given.
        let attribute = |which| unsafe { result::device::get_attribute(device, which) }.map(|value| value as u32);
        let major = attribute(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?;
        let minor = attribute(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?;
        let mut driver = 0;
        // SAFETY: the driver writes one integer through the pointer.
        unsafe { sys::cuDriverGetVersion(&mut driver) }.result()?;
        Ok(Gpu {
            name: result::device::get_name(device)?,
            capability: 10 * major + minor,
            sms: attribute(Attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?,
            // SAFETY: as above.
            memory: unsafe { result::device::total_mem(device) }? as u64,
            driver: driver as u32,
            uuid: uuid_text(result::device::get_uuid(device)?.bytes.map(|byte| byte as u8)),
        })
    }

    /// Bytes a second that its memory moves at most, by its clock and the width of its bus; `None` where the driver does
    /// not say.
    pub fn memory_rate(&self) -> Option<f64> {
        use sys::CUdevice_attribute_enum as Attribute;
        let device = result::device::get(0).ok()?;
        // SAFETY: `device` is one that the driver has just given.
        let attribute = |which| unsafe { result::device::get_attribute(device, which) }.ok().filter(|value| *value > 0);
        let clock = attribute(Attribute::CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE)?;
        let width = attribute(Attribute::CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH)?;
        // Kilohertz, two transfers a cycle; bits.
        Some(2.0 * 1e3 * f64::from(clock) * f64::from(width) / 8.0)
    }

    /// Its description, where this tool has one of its capability.
    pub fn machine(&self) -> Option<Machine> {
        target::machine(self.capability).map(|machine| Machine { sms: Some(self.sms), ..machine })
    }
}

/// One thing that the tool uses, and whether it is there.
#[derive(Debug, Clone, Serialize)]
pub struct Part {
    /// What it is.
    pub name: &'static str,
    /// What it is for.
    pub purpose: &'static str,
    /// Flag: nothing works without it; without the others, programs are simulated.
    pub is_needed: bool,
    /// What was found, in words.
    pub found: Option<String>,
    /// What is missing, and the remedy.
    pub missing: Option<String>,
}

/// What this machine has.
#[derive(Debug, Clone, Serialize)]
pub struct Survey {
    /// The GPU, if there is one.
    pub gpu: Option<Gpu>,
    /// Everything that is used, the GPU included.
    pub parts: Vec<Part>,
    /// What `--backend auto` means here.
    pub backend: &'static str,
}

/// Looks at everything that converting, building and running use.
pub fn survey() -> Survey {
    let gpu = Gpu::first();
    let nvcc = toolchain::nvcc();
    let part = |name, purpose, is_needed, found: Result<String, Diagnostic>| {
        let missing = |d: &Diagnostic| format!("{}; {}", d.message, d.help.as_deref().unwrap_or_default());
        Part { name, purpose, is_needed, missing: found.as_ref().err().map(missing), found: found.ok() }
    };
    let compiler = |command: &[String]| {
        toolchain::version(command).unwrap_or_else(|| format!("{} (says no version)", command.join(" ")))
    };
    let nvcc_text = |nvcc: &toolchain::Nvcc| {
        let path = nvcc.path.display().to_string();
        format!("{} ({path})", compiler(std::slice::from_ref(&path)))
    };
    let parts = vec![
        part("C compiler", "reads and compiles C", true, toolchain::c_compiler().map(|c| compiler(&c))),
        part("C++ compiler", "compiles the simulation", true, toolchain::cxx_compiler().map(|c| compiler(&c))),
        part("nvcc", "compiles for a GPU", false, nvcc.as_ref().map(nvcc_text).map_err(Clone::clone)),
        part("GPU", "runs", false, gpu.as_ref().map(gpu_text).map_err(Clone::clone)),
    ];
    let backend = if gpu.is_ok() && nvcc.is_ok() { "cuda" } else { "cpu" };
    Survey { gpu: gpu.ok(), parts, backend }
}

fn gpu_text(gpu: &Gpu) -> String {
    let Gpu { name, capability, sms, memory, driver, uuid: _ } = gpu;
    let (major, minor) = (driver / 1000, driver % 1000 / 10);
    let gib = *memory as f64 / f64::from(1 << 30);
    let known = if gpu.machine().is_some() { "" } else { ", which this tool has no description of" };
    format!("{name}, sm_{capability}{known}, {sms} SMs, {gib:.0} GiB, driver for CUDA {major}.{minor}")
}
