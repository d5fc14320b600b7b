//! Definitions of a region's kernels, where several may be instances of one template.
//!
//! The kernel of a row of a configuration (`[[kernels.NAME.at]]`) is lowered by itself. Where its text is that of the kernel
//! whose place it takes, but for what it is called, the file has it once: the launch gives the template its values.

use super::kernel_text;
use crate::diag::Stop;
use crate::host_plan::ir::Region;
use crate::kernel::Kernel;
use crate::schedule::mapping::row_of;
use std::collections::{BTreeMap, BTreeSet};

/// Kernels as they are defined.
pub struct Definitions {
    /// The texts, in order.
    pub texts: Vec<String>,
    /// The names of kernels that are instances of another's template, with its name.
    pub templates: BTreeMap<String, String>,
}

impl Definitions {
    /// The definitions of the kernels of a region of `file`. Accesses of the arrays `held` are held back where they lead out of
    /// what is there.
    ///
    /// # Errors
    /// As [`kernel_text::kernel`].
    pub fn of(region: &Region, held: &BTreeSet<String>, file: &str) -> Result<Definitions, Stop> {
        let text = |kernel: &Kernel| kernel_text::kernel(kernel, &region.functions, held, file);
        let mut out = Definitions { texts: vec![], templates: BTreeMap::new() };
        for kernel in &region.kernels {
            if let Some(usual) = in_place_of(region, kernel) {
                let (name, notes) = (usual.name.clone(), usual.notes.clone());
                if text(&Kernel { name, notes, ..kernel.clone() })? == text(usual)? {
                    out.templates.insert(kernel.name.clone(), usual.name.clone());
                    continue;
                }
            }
            out.texts.push(text(kernel)?);
        }
        Ok(out)
    }
}

/// The kernel in whose place another stands at some calls.
fn in_place_of<'r>(region: &'r Region, kernel: &Kernel) -> Option<&'r Kernel> {
    let is_row = |usual: &Kernel| {
        let n_rows = region.mappings.get(&usual.name).map_or(0, |mapping| mapping.rows.len());
        (0..n_rows).any(|at| row_of(&usual.name, at) == kernel.name)
    };
    region.kernels.iter().find(|usual| is_row(usual))
}
