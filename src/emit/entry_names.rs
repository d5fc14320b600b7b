//! Names in an entry of what belongs to an array or a parameter: its copy on the device, its rows, what is known of the
//! memory behind it.

use super::names;
use crate::host_plan::ir::{Array, Region};
use std::collections::BTreeSet;

/// A name for what belongs to `name`, which no parameter and no array has.
pub fn beside(region: &Region, name: &str, suffix: &str) -> String {
    let mut made = format!("{name}_{suffix}");
    let taken =
        |made: &str| region.arrays.iter().any(|a| a.name == made) || region.params.iter().any(|p| p.name() == made);
    while taken(&made) {
        made.push('_');
    }
    made
}

/// A device scalar of the host's stands beside the variable of its name.
pub fn device_name(region: &Region, a: &Array) -> String {
    if a.extents.is_empty() && a.on_host { beside(region, &a.name, "dev") } else { names::spell(&a.name) }
}

/// The list of an array's rows on the host.
pub fn rows_name(region: &Region, a: &Array) -> String {
    beside(region, &a.name, "rows")
}

/// The arrays of a region whose kernels hold back what leads out of a block.
pub fn held_arrays(region: &Region) -> BTreeSet<String> {
    region.arrays.iter().filter(|a| a.held().is_some()).map(|a| a.name.clone()).collect()
}

/// The variable that says what is known of the memory behind an array's pointer.
pub fn reach_name(region: &Region, a: &Array) -> String {
    beside(region, &format!("rt_{}", a.name.trim_start_matches("rt_")), "reach")
}
