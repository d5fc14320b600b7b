//! A launch on the GPU, by the driver, that is traced by its own instrumented text: the other way to what
//! [`super::run`] tells of accesses, in the same form.
//!
//! Fauzia, Pouchet and Sadayappan (CGO 2015, section 3.1) instrument PTX likewise, a record for each thread; here it is one for
//! the lanes of a warp that come together.

pub mod instrument;

use super::module::{Module, Operand};
use super::run::machine::prepared;
use super::run::memory::Memory;
use super::run::program::{Program, reached};
use super::run::watch::Watch;
use super::run::{Fault, Launch};
use super::source::Unit;
use super::types::{Space, Special};
use crate::diag::Diagnostic;
use crate::runtime::device::Gpu;
use cudarc::driver::{DriverError, result, sys};
use instrument::{COUNT, PLACE, PLACES, Placed};
use std::ffi::{CString, c_void};

/// Requests of warps that a buffer holds unless another number is given, and the most.
pub const DEFAULT_REQUESTS: u64 = 1 << 20;
pub const MOST_REQUESTS: u64 = 7_000_000;

/// The most bytes of dynamic shared memory that a launch has without asking.
const UNASKED_SHARED: u64 = 48 << 10;
/// Bytes for what the driver says of PTX that it refuses.
const LOG: usize = 4096;

/// A launch that was traced.
pub struct Traced {
    /// The device.
    pub gpu: Gpu,
    /// Requests of warps for which the buffer had no place.
    pub lost: u64,
}

/// Runs a kernel on the GPU and tells of its accesses, as [`super::run::run`] does on the CPU. All blocks run; told is of those that are
/// wanted.
///
/// # Errors
/// There is no GPU; a launch that cannot be made or that fails; a kernel whose accesses would not all be told.
pub fn run(unit: &Unit, kernel: usize, launch: &Launch, requests: u64, watch: &mut dyn Watch) -> Result<Traced, Fault> {
    let gpu = Gpu::first()?;
    let (program, memory) = prepared(&unit.module, kernel, launch)?;
    is_told_fully(unit, kernel)?;
    let Some(text) = instrument::instrumented(unit, kernel, requests) else {
        let message = "the kernel cannot be instrumented: alone it is not read";
        return Err(declined(message.into(), "`--backend cpu` traces it as it is").into());
    };
    let device = Device::new().map_err(|e| failed("the device cannot be used", e))?;
    let loaded = device.load(&text)?;
    let mut run = Run { loaded: &loaded, memory: &memory, arrays: Vec::new(), allocated: Vec::new() };
    let name = &unit.module.functions[kernel].name;
    run.place(unit).map_err(|e| failed("the arrays of the launch do not fit on the device", e))?;
    run.launch(&program, name, launch).map_err(|e| failed(&format!("the launch of `{name}` fails"), e))?;
    let (places, wanted) = run.fetch().map_err(|e| failed("what the launch left cannot be fetched", e))?;
    instrument::tell(unit, kernel, &places, &run.arrays, &memory, watch);
    Ok(Traced { gpu, lost: wanted.saturating_sub(requests) })
}

fn declined(message: String, help: &str) -> Diagnostic {
    Diagnostic::error("ptx-device", message, None).help(help)
}

fn failed(what: &str, error: DriverError) -> Diagnostic {
    let help = "`--backend cpu` checks each access, and tells which is out of bounds or misaligned";
    declined(format!("{what}: {error}"), help)
}

/// Sees whether all accesses of a kernel are instructions that are known.
fn is_told_fully(unit: &Unit, kernel: usize) -> Result<(), Diagnostic> {
    for function in reached(&unit.module, kernel).into_iter().map(|number| &unit.module.functions[number]) {
        if let Some(unknown) = function.unknown.first() {
            let message = format!("`{}` in line {} of the PTX is not known", unknown.opcode, unknown.line);
            return Err(declined(message, "what it accesses could not be recorded; `--backend cpu` goes on up to it"));
        }
    }
    Ok(())
}

/// Test that a kernel waits for all blocks of its grid, which have to be resident together then.
fn waits_for_grid(module: &Module, kernel: usize) -> bool {
    let waits = |operand: &Operand| matches!(operand, Operand::Special(Special::GridMemory { .. }));
    let functions = reached(module, kernel).into_iter().map(|number| &module.functions[number]);
    functions.flat_map(|function| &function.code).any(|instruction| instruction.reads.iter().any(waits))
}

/// The first device, current as long as this lives.
struct Device(sys::CUdevice);

impl Device {
    fn new() -> Result<Device, DriverError> {
        result::init()?;
        let device = result::device::get(0)?;
        // SAFETY: `device` is one that the driver has just given; the context is released once, by `drop`.
        unsafe { result::ctx::set_current(result::primary_ctx::retain(device)?)? };
        Ok(Device(device))
    }

    /// Loads PTX.
    fn load(&self, text: &str) -> Result<Loaded, Diagnostic> {
        let image =
            CString::new(text).map_err(|_| declined("PTX with a zero byte is no text".into(), "see the file"))?;
        let mut log = vec![0u8; LOG];
        let mut options =
            [sys::CUjit_option::CU_JIT_ERROR_LOG_BUFFER, sys::CUjit_option::CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES];
        let mut values: [*mut c_void; 2] = [log.as_mut_ptr().cast(), LOG as *mut c_void];
        let mut module = std::ptr::null_mut();
        // SAFETY: the image ends with a zero byte; both options have a value, and the log has the bytes that it says.
        let found = unsafe {
            sys::cuModuleLoadDataEx(
                &mut module,
                image.as_ptr().cast(),
                options.len() as u32,
                options.as_mut_ptr(),
                values.as_mut_ptr(),
            )
        };
        found.result().map(|()| Loaded(module)).map_err(|error| {
            let said: Vec<u8> = log.into_iter().take_while(|&byte| byte != 0).collect();
            let help = "PTX for a later machine or a later CUDA than the driver's is refused; --arch names the machine";
            declined(format!("the driver does not take the PTX: {error}"), help)
                .note(None, String::from_utf8_lossy(&said).trim())
        })
    }
}

impl Drop for Device {
    fn drop(&mut self) {
        // SAFETY: retained once, by `new`; what the driver answers changes nothing here.
        let _ = unsafe { result::primary_ctx::release(self.0) };
    }
}

/// A module on the device.
struct Loaded(sys::CUmodule);

impl Loaded {
    /// Address and bytes of a variable.
    fn variable(&self, name: &str) -> Result<(u64, usize), DriverError> {
        let name = CString::new(name).unwrap_or_default();
        // SAFETY: the module is loaded as long as this lives.
        unsafe { result::module::get_global(self.0, name) }
    }
}

impl Drop for Loaded {
    fn drop(&mut self) {
        // SAFETY: loaded once, and not unloaded before.
        let _ = unsafe { result::module::unload(self.0) };
    }
}

/// A launch on the device.
struct Run<'d> {
    loaded: &'d Loaded,
    memory: &'d Memory,
    arrays: Vec<Placed>,
    /// Addresses of what was allocated.
    allocated: Vec<u64>,
}

impl Run<'_> {
    /// Brings the arrays of the launch to the device, and finds the module's own.
    fn place(&mut self, unit: &Unit) -> Result<(), DriverError> {
        for (array, found) in self.memory.arrays.iter().enumerate() {
            let bytes = found.bytes.len() as u64;
            let is_variable = || unit.module.variables.iter().any(|v| v.name == found.name && v.space == Space::Global);
            if found.is_argument {
                // SAFETY: freed once, by `drop`; the copy has the bytes that were asked for.
                let address = unsafe { result::malloc_sync(found.bytes.len().max(1)) }?;
                self.allocated.push(address);
                self.arrays.push(Placed { array, address, bytes });
                // SAFETY: as above.
                unsafe { result::memcpy_htod_sync(address, &found.bytes) }?;
            } else if is_variable() {
                let (address, _) = self.loaded.variable(&found.name)?;
                self.arrays.push(Placed { array, address, bytes });
            }
        }
        Ok(())
    }

    fn launch(&self, program: &Program, name: &str, launch: &Launch) -> Result<(), DriverError> {
        let mut parameters = program.parameters.clone();
        for &(at, array) in &program.pointers {
            let placed = self.arrays.iter().find(|placed| placed.array == array);
            parameters[at..at + 8].copy_from_slice(&placed.map_or(0, |placed| placed.address).to_le_bytes());
        }
        let offsets = program.parts[program.kernel].as_ref().map_or(&[][..], |part| &part.offsets);
        let n = program.module.functions[program.kernel].parameters;
        let base: *mut u8 = parameters.as_mut_ptr();
        // SAFETY: each offset is that of a parameter within the bytes of all.
        let mut places: Vec<*mut c_void> =
            offsets[..n].iter().map(|&at| unsafe { base.add(at as usize) }.cast()).collect();
        let name = CString::new(name).unwrap_or_default();
        let extents = |[x, y, z]: [u32; 3]| (x, y, z);
        // SAFETY: the module is loaded; the parameters are those of the kernel, and live until the device is done.
        unsafe {
            let kernel = result::module::get_function(self.loaded.0, name)?;
            if launch.shared > UNASKED_SHARED {
                let attribute = sys::CUfunction_attribute_enum::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
                result::function::set_function_attribute(kernel, attribute, launch.shared as i32)?;
            }
            let (grid, block, shared) = (extents(launch.grid), extents(launch.block), launch.shared as u32);
            match waits_for_grid(program.module, program.kernel) {
                true => {
                    result::launch_cooperative_kernel(kernel, grid, block, shared, result::stream::null(), &mut places)?
                }
                false => result::launch_kernel(kernel, grid, block, shared, result::stream::null(), &mut places)?,
            }
        }
        result::ctx::synchronize()
    }

    /// Fetches the places of the buffer that were taken, and the number of those that were wanted.
    fn fetch(&self) -> Result<(Vec<u8>, u64), DriverError> {
        let (count, _) = self.loaded.variable(COUNT)?;
        let mut wanted = [0u64];
        // SAFETY: the variable has eight bytes.
        unsafe { result::memcpy_dtoh_sync(&mut wanted, count) }?;
        let (address, bytes) = self.loaded.variable(PLACES)?;
        let mut places = vec![0u8; (wanted[0].saturating_mul(PLACE as u64)).min(bytes as u64) as usize];
        // SAFETY: no more bytes than the variable has.
        unsafe { result::memcpy_dtoh_sync(&mut places, address) }?;
        Ok((places, wanted[0]))
    }
}

impl Drop for Run<'_> {
    fn drop(&mut self) {
        for &address in &self.allocated {
            // SAFETY: allocated once, by `place`.
            let _ = unsafe { result::free_sync(address) };
        }
    }
}
