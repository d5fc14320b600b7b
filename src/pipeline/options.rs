//! Options of a conversion: every pass may ask for them.

use crate::analysis::races::ThreadLoops;
use crate::config::Config;
use std::collections::BTreeMap;

/// Options of a conversion, beside its files.
#[derive(Debug, Clone, Default)]
pub struct ConvertOptions {
    /// Flags for the C preprocessor and compiler, as the user gave them.
    pub cflags: Vec<String>,
    /// Emit both versions of each region, and the code that compares them.
    pub check: bool,
    /// The configuration.
    pub config: Config,
    /// Print the representation after the pass of this name.
    pub dump_after: Option<String>,
    /// Print each pass that makes or changes lines with this text, and these.
    pub follow: Option<String>,
    /// Time the passes.
    pub time_passes: bool,
    /// Set for a file that becomes one object of a larger program: what the object is made of, in words that no other
    /// object has. The text that is emitted is then the preprocessed one, and the configuration may speak of regions
    /// that other files have.
    pub object: Option<String>,
    /// Regions that are left as the C that they are, as a compiler refuses what is emitted for them: with its first words.
    pub left_out: BTreeMap<String, String>,
    /// Functions that stand for kernels whose arrays are on the device, with their loops over threads; others are left
    /// alone. With `check`, their arrays are on the host.
    pub launches: BTreeMap<String, ThreadLoops>,
}
