//! From a CUDA file to optimised kernels: read, converted, judged, written.

use super::files;
use super::kernels::{self, Outcome};
use super::whole;
use super::work::{self, Options, Work};
use crate::analysis::races::ThreadLoops;
use crate::diag::{Diagnostic, Stop};
use crate::emit;
use crate::frontend::{self, CudaFile};
use crate::pipeline::{self, ConvertOptions};
use std::path::Path;

/// Outcome for a file.
pub struct Optimized {
    pub file: CudaFile,
    /// The kernels that were optimised.
    pub kernels: Vec<Outcome>,
    /// Everything that was left as it is and why, and warnings.
    pub diagnostics: Vec<Diagnostic>,
    /// The output folder; empty where no kernel was optimised.
    pub files: Vec<emit::File>,
}

/// Optimises the kernels of a file.
///
/// # Errors
/// As [`frontend::load`] and [`pipeline::convert`].
pub fn optimize(path: &Path, options: &Options) -> Result<Optimized, Stop> {
    let file = frontend::load(path)?;
    let mut diagnostics = file.left.clone();
    if file.kernels.is_empty() {
        return Ok(Optimized { file, kernels: vec![], diagnostics, files: vec![] });
    }
    let work = Work::new(path, &file, &file.c)?;
    let convert = ConvertOptions {
        cflags: work.cflags(options),
        config: work::config(file.kernels.iter(), options)?,
        launches: file.kernels.iter().map(thread_loops).collect(),
        ..ConvertOptions::default()
    };
    let converted = pipeline::convert(std::slice::from_ref(&work.source), &convert).map_err(|stop| work.told(stop))?;
    let said: Vec<Diagnostic> = converted.diagnostics.iter().map(|d| work.as_users(d.clone())).collect();
    let mut kernels = kernels::judge(&file, &converted, &said, &mut diagnostics)?;
    diagnostics.extend(said);
    diagnostics.iter_mut().for_each(|d| frontend::name_whole(d, &file.phased));
    let mut file = file;
    let torn = whole::torn(&mut file.phased, &kernels);
    kernels.retain(|o| !torn.contains(&o.kernel.name));
    let files = if kernels.is_empty() { vec![] } else { files::files(&file, &kernels, &converted)? };
    Ok(Optimized { file, kernels, diagnostics, files })
}

/// The loops over threads of a kernel, by its name.
fn thread_loops(kernel: &frontend::kernel::Kernel) -> (String, ThreadLoops) {
    (kernel.name.clone(), ThreadLoops { counters: kernel.loops.clone(), atomics: kernel.atomics.clone() })
}
