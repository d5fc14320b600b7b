//! Every decision of a conversion, as data: what `rtcuda.json` holds and `rtcuda explain` shows.

use crate::diag::render::Style;
use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

pub mod brief;
pub mod cost;
pub mod explain;
pub mod table;
pub mod words;

/// A conversion: one entry a region, in the order of the source.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// The regions that were converted.
    pub regions: Vec<Region>,
    /// Reason for which no region keeps anything on the GPU for the next one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nothing_kept: Option<Reason>,
}

/// A converted region.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Region {
    /// Its name, unique in the program.
    pub name: String,
    /// The C function it stands in.
    pub function: String,
    /// The C file.
    pub file: String,
    /// Its lines in that file: the first, the last.
    pub lines: (u32, u32),
    /// Its loops, each before those inside it.
    pub loops: Vec<Loop>,
    /// Its kernels, in the order of their first launch.
    pub kernels: Vec<Kernel>,
    /// The kernel DAG: who hands which data to whom.
    pub edges: Vec<Edge>,
    /// What moves between host and device, in that order.
    pub transfers: Vec<Transfer>,
    /// Where its arrays are between calls.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub kept: Vec<Kept>,
    /// What is tested at each call; where it does not hold, the original loops run.
    pub guards: Vec<String>,
    /// The loop around it that runs on the host, and calls it at each of its steps.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub around: Option<Around>,
    /// What else was decided: fusion, privatisation, ...
    pub notes: Vec<String>,
}

/// Why the loop around a region is not part of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Around {
    /// The loop's line.
    pub line: u32,
    pub why: String,
    /// The line of what keeps it on the host.
    pub because_of: u32,
    pub remedy: Option<String>,
}

impl std::fmt::Display for Around {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        let Around { line, why, because_of, .. } = self;
        write!(f, "the loop around it, on line {line}, stays on the host: {why} (line {because_of})")
    }
}

/// A loop of the user's.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Loop {
    /// Its head in short: `for i`, `while`.
    pub head: String,
    /// Its line.
    pub line: u32,
    /// How many loops of the region it is inside of.
    pub depth: u32,
    /// How it runs.
    pub runs: Runs,
    /// Why it runs so: the proof, the assertion, or the dependence in the way.
    pub why: String,
    /// What its iterations became: `blocks and threads of rt_mm_0`, `a loop in the thread`.
    pub mapping: String,
    /// Of one that a dependence keeps in order: what would let it run in parallel.
    pub remedy: Option<String>,
}

/// How the iterations of a loop run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Runs {
    /// All at once.
    Parallel,
    /// All at once, their results joined.
    Reduction,
    /// All at once, each with what those before it join to.
    Scan,
    /// One after the other, in a thread.
    Sequential,
    /// One after the other, on the host, which launches what is inside.
    Host,
}

impl Runs {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Runs::Parallel => "in parallel",
            Runs::Reduction => "in parallel, joined",
            Runs::Scan => "in parallel, as a scan",
            Runs::Sequential => "in sequence",
            Runs::Host => "on the host",
        }
    }

    /// The same for a terminal.
    fn shown(self, style: Style) -> String {
        match self {
            Runs::Parallel | Runs::Reduction | Runs::Scan => style.good(self.words()),
            Runs::Sequential | Runs::Host => self.words().to_owned(),
        }
    }
}

/// A kernel.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Kernel {
    /// Its name in the emitted file.
    pub name: String,
    /// The first C line of what it does.
    pub line: u32,
    /// Number of blocks, and of threads in a block, outermost first, as expressions.
    pub grid: Vec<String>,
    /// Threads in a block.
    pub block: Vec<String>,
    /// Bits of an array position.
    pub index_bits: u8,
    /// Sum that 32 bits must hold for a call to have positions of 32 bits all the same.
    pub short_positions: Option<String>,
    /// Flag: its blocks do not wait for each other everywhere, and its results differ from run to run.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub never_waits: bool,
    /// Its mapping, a line each; of a resident kernel none.
    pub mapping: Vec<String>,
    /// The strategies that serve its nest, that of its mapping first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub strategies: Vec<String>,
    /// The extents of its loops, by which a configuration may give it other settings.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub extents: Vec<String>,
    /// The kernels that stand in for it at some calls, as the configuration says: the first that holds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rows: Vec<Row>,
    /// The sizes that it is compiled for, and what else they may be.
    pub tunables: Vec<Tunable>,
    /// Its purpose and ways, a line each.
    pub notes: Vec<String>,
    /// Its estimate by the cost model.
    pub cost: cost::Cost,
}

/// A kernel in the place of another at some calls.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Row {
    /// These calls: `n <= 4096`.
    pub calls: String,
    /// The kernel.
    pub kernel: String,
}

/// A size that a kernel is compiled for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tunable {
    /// Its name in the emitted file: `BLOCK_0`.
    pub name: String,
    /// Its value.
    pub value: i64,
    /// Values that it may have, as far as the constraints on all sizes together allow.
    pub domain: Vec<i64>,
}

/// The C program around the region, as a node of the kernel DAG.
pub const HOST: &str = "host";

/// `to` reads what `from` was the last to write.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Edge {
    /// A kernel, or [`HOST`].
    pub from: String,
    /// A kernel, or [`HOST`].
    pub to: String,
    /// The array or scalar that is handed over.
    pub data: String,
}

/// A copy between host and device.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Transfer {
    /// The array, or the scalar.
    pub array: String,
    /// Which way.
    pub to: Side,
    /// Which elements: `[0, n * m)`; `1` of a scalar.
    pub elements: String,
    /// When: `before the region`, `in each iteration of the loop of line 12`.
    pub when: String,
}

/// Arrays of a region that are in the same place between its calls, for the same reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kept {
    /// The arrays.
    pub arrays: Vec<String>,
    /// Their place.
    pub between_calls: BetweenCalls,
    /// Reason why it is no better.
    #[serde(flatten)]
    pub reason: Option<Reason>,
}

/// Place of an array's contents between calls of regions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BetweenCalls {
    /// The GPU, as far as the program's text can say: it says so where the host touches them.
    Announced,
    /// The GPU, behind pages that are closed to the host.
    Guarded,
    /// The host: they come home at each call.
    Home,
}

/// Reason of a decision, and the place in the program that it comes from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reason {
    /// In words.
    pub why: String,
    /// Where; `None`: of the array or of the flags themselves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// See `file`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
}

impl Reason {
    /// One of which no place is known.
    pub fn of_itself(why: String) -> Reason {
        Reason { why, file: None, line: None }
    }

    /// Line on a program of which nothing is kept on the GPU, for that reason.
    pub fn nothing_kept(&self) -> String {
        format!("No array is kept on the GPU between regions: {}", self.text())
    }

    /// Words and place.
    pub fn text(&self) -> String {
        match (&self.file, self.line) {
            (Some(file), Some(line)) => format!("{} ({file}:{line})", self.why),
            _ => self.why.clone(),
        }
    }
}

/// Copies by their arrays, in the order in which these come first.
fn by_array(transfers: &[Transfer]) -> IndexMap<&str, Vec<&Transfer>> {
    let mut arrays: IndexMap<&str, Vec<&Transfer>> = IndexMap::new();
    for transfer in transfers {
        arrays.entry(&transfer.array).or_default().push(transfer);
    }
    arrays
}

/// A side of a copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Side {
    /// The GPU's memory.
    Device,
    /// The C program's memory.
    Host,
}
