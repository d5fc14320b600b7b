//! Facts of all functions of a unit, each found once: regions ask for them again and again, and an answer takes a look at the
//! whole file.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

/// Facts of all functions of a unit.
#[derive(Debug, Clone, Default)]
pub struct Known {
    /// Numbers of the variables whose address a function takes.
    pub addressed: Arc<BTreeSet<u32>>,
    /// Those of them whose address is taken by an `&`.
    pub taken: Arc<BTreeSet<u32>>,
    /// Names of functions that nothing keeps from running on the device, so far as it was asked.
    pub pure: Arc<Mutex<BTreeSet<String>>>,
}

/// They follow from the functions, which are compared.
impl PartialEq for Known {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}
