//! The `.cu` of a C file: the functions that its regions call, their kernels, their entries.

use super::construct::definitions::CudaFile;
use super::entry_names::held_arrays;
use super::instances::Definitions;
use super::spell::spell;
use super::{CFile, check_text, host_text, kernel_text, libraries, names};
use crate::diag::Stop;
use std::collections::BTreeSet;
use std::path::Path;

/// The text of the file.
///
/// # Errors
/// A kernel or plan that breaks its contract.
pub fn text(file: &CFile, check: bool) -> Result<String, Stop> {
    let name = names::one_line(&names::base(&file.path));
    let mut parts = Vec::new();
    let mut defined = Vec::new();
    for region in file.sites.iter().map(|s| &s.region) {
        for f in &region.functions {
            if !defined.contains(&&f.name) {
                parts.push(kernel_text::function(f, &region.functions, &name)?);
                defined.push(&f.name);
            }
        }
    }
    for site in &file.sites {
        let name = names::one_line(&names::base(Path::new(&site.file)));
        let kernels = Definitions::of(&site.region, &held_arrays(&site.region), &name)?;
        parts.extend(kernels.texts);
        parts.push(host_text::entry(site, kernels.templates, &name)?);
        if check {
            parts.push(check_text::functions(site, &name)?);
        }
    }
    let headers = file.sites.iter().flat_map(|s| libraries::headers(&s.region.body));
    let mut headers: BTreeSet<_> = headers.collect();
    if file.sites.iter().any(|s| s.region.is_interruptible()) {
        headers.extend(["rt_interrupt.h", "rt_told.h"]);
    }
    if file.sites.iter().any(|s| s.region.kernels.iter().any(libraries::keeps_rows)) {
        headers.insert("rt_row_pattern.h");
    }
    if headers.is_empty() {
        headers.insert("rt_runtime.h");
    }
    Ok(spell(&CudaFile { version: env!("CARGO_PKG_VERSION"), source: &name, headers, parts })? + "\n")
}
