//! The `.cu` of a C file: the functions that its regions call, their kernels, their entries.

use super::{CFile, check_text, host_text, kernel_text, layout, names};
use crate::dag::plan::{self, HostStmt};
use crate::diag::Stop;
use serde_json::json;

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
        for kernel in &site.region.kernels {
            parts.push(kernel_text::kernel(kernel, &site.region.functions, &name)?);
        }
        parts.push(host_text::entry(site, &name)?);
        if check {
            parts.push(check_text::functions(site, &name)?);
        }
    }
    let calls_library = file.sites.iter().any(|s| has_product(&s.region.body));
    let header = if calls_library { "rt_library.h" } else { "rt_runtime.h" };
    layout::render(
        "cuda_file",
        &json!({ "version": env!("CARGO_PKG_VERSION"), "source": name, "header": header, "parts": parts }),
    )
}

fn has_product(body: &[HostStmt]) -> bool {
    let mut found = false;
    plan::visit(body, &mut |s| found |= matches!(s, HostStmt::Product { .. }));
    found
}
