//! TOML -> [`Config`]; unknown keys, wrong types and impossible values are errors that point at the line.
//!
//! The keys, with what they mean and default to, are the fields below, under the same names. Paths in the file are
//! relative to the file.

use crate::diag::{Diagnostic, Place, Severity};
use indexmap::IndexMap;
use seen::Seen;
use serde::Serialize;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

mod calls;
mod read;
mod reader;
pub mod seen;

/// What a configuration file says; [`Default`] is what an empty one says.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Config {
    /// `[input]`
    pub input: Input,
    /// `[target]`
    pub target: Target,
    /// `[defaults]`: for every region, unless it says otherwise.
    pub defaults: Defaults,
    /// `[[region]]`, in the order of the file.
    pub regions: Vec<Region>,
    /// `[kernels.NAME]`, by the names that kernels have in the emitted files and in `rtcuda.json`.
    pub kernels: IndexMap<String, KernelSizes>,
    /// `[tune]`
    pub tune: Tune,
    /// Accesses as traces saw them: of `--profile`, no key of the file.
    pub profile: Vec<Seen>,
    /// About settings that have no effect.
    pub warnings: Vec<Diagnostic>,
}

/// `[input]`: what is converted when the command line names no file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Input {
    /// C files.
    pub files: Vec<PathBuf>,
    /// Flags of the C compiler, passed on as they stand.
    pub cflags: Vec<String>,
    /// What `run` and `verify` give the program.
    pub given: Given,
}

/// What a program is run with.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Given {
    /// `args`: its arguments, one by one; no shell reads them.
    pub args: Vec<OsString>,
    /// `stdin`: a file that it reads as its standard input.
    pub stdin: Option<PathBuf>,
}

impl Given {
    /// What the command line gives, where it gives it, else these.
    pub fn or_of(&self, asked: &Given) -> Given {
        Given {
            args: if asked.args.is_empty() { self.args.clone() } else { asked.args.clone() },
            stdin: asked.stdin.clone().or(self.stdin.clone()),
        }
    }
}

/// `[target]`: what the program is made for.
#[derive(Debug, Clone, PartialEq)]
pub struct Target {
    /// `arch = "sm_90"` or `"native"` (the default).
    pub arch: Arch,
    /// `backend`: where `run` and `verify` execute.
    pub backend: Backend,
    /// `fmad`: whether a multiplication and an addition may be contracted into one rounding. With `false` the result
    /// is that of the C program bit for bit, where the order of operations allows.
    pub fmad: bool,
}

impl Default for Target {
    fn default() -> Self {
        Target { arch: Arch::Native, backend: Backend::Auto, fmad: true }
    }
}

/// The GPU architecture to compile for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arch {
    /// That of the GPU in this machine.
    Native,
    /// A compute capability times ten, of those in [`target::MACHINES`](crate::target::MACHINES).
    Sm(u32),
}

impl std::fmt::Display for Arch {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Arch::Native => write!(f, "native"),
            Arch::Sm(n) => write!(f, "sm_{n}"),
        }
    }
}

/// Makes an enum whose variants are spelled as strings in the configuration and on the command line.
macro_rules! choice {
    ($(#[$meta:meta])* $name:ident { $($(#[$variant_meta:meta])* $variant:ident = $text:literal),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub enum $name { $($(#[$variant_meta])* $variant),+ }

        impl Choice for $name {
            const ALL: &'static [(&'static str, Self)] = &[$(($text, $name::$variant)),+];
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(match self { $($name::$variant => $text),+ })
            }
        }
    };
}

/// A value that is one of a few names.
pub trait Choice: Copy + 'static {
    /// Every value, under the name that a user writes.
    const ALL: &'static [(&'static str, Self)];

    /// The value of that name.
    fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|&&(known, _)| known == name).map(|&(_, value)| value)
    }
}

choice! {
    /// Where a converted program runs.
    Backend {
        /// On a GPU where there is one and nvcc too, else simulated.
        Auto = "auto",
        /// On a GPU.
        Cuda = "cuda",
        /// Simulated on the CPU.
        Cpu = "cpu",
    }
}

choice! {
    /// A transformation that may be left out.
    Optimization {
        /// Several parallel loops become one.
        Collapse = "collapse",
        /// A thread has several points of a nest; of iterations that are long, several threads share one.
        Merge = "merge",
        /// A thread has several points that are neighbours.
        Skew = "skew",
        /// What the threads of a block read together is loaded into shared memory before its use.
        Prefetch = "prefetch",
        /// A value that is loaded twice is loaded once.
        RedundantLoads = "redundant-loads",
        /// Arrays that a kernel only reads go through the read-only path.
        ReadOnly = "read-only",
        /// Neighbouring loads become one wide load.
        Vectorize = "vectorize",
        /// Neighbouring loop nests become one kernel.
        Fuse = "fuse",
    }
}

choice! {
    /// What the scheduler prefers.
    Schedule {
        /// Bands that are as deep and as parallel as can be.
        MaxBands = "max-bands",
        /// As few loop nests as can be.
        MaxFusion = "max-fusion",
        /// As many loop nests as can be.
        MinFusion = "min-fusion",
    }
}

choice! {
    /// Choice of calls of CUDA libraries for the operations that they have.
    Library {
        /// Where it is the faster.
        Auto = "auto",
        /// Wherever it is recognised.
        Always = "always",
        /// Nowhere.
        Never = "never",
    }
}

choice! {
    /// Columns of sparse matrices that resident kernels read in 16 bits, where all of them fit.
    ShortColumns {
        /// Where matrices are so large, and steps so many, that it pays.
        Auto = "auto",
        /// Wherever all fit.
        Always = "always",
        /// Nowhere.
        Never = "never",
    }
}

choice! {
    /// How the blocks of one step wait for those of the step before it.
    Sync {
        /// The tool chooses.
        Auto = "auto",
        /// A launch for each step.
        Relaunch = "relaunch",
        /// The launches as one CUDA graph.
        Graph = "graph",
        /// One cooperative kernel, `grid.sync()`.
        Cooperative = "cooperative",
        /// One cooperative kernel, a lock-free barrier of its own.
        LockFree = "lock-free",
        /// One cooperative kernel, whose blocks wait for those alone that they depend on.
        Relaxed = "relaxed",
        /// One cooperative kernel, whose blocks do not wait within counted loops: another method, of other values.
        Asynchronous = "asynchronous",
    }
}

choice! {
    /// What a call does whose arrays do not fit on the device. Those of the host are as they were in either case.
    TooLarge {
        /// The program ends, and says what would help.
        Error = "error",
        /// The original C runs.
        Original = "original",
    }
}

choice! {
    /// How the tuner searches.
    Strategy {
        /// By the cost model, with what is measured corrected into it.
        Guided = "guided",
        /// Everything that the machine model does not rule out.
        Pruned = "pruned",
        /// Everything.
        Exhaustive = "exhaustive",
        /// Samples.
        Random = "random",
        /// Simulated annealing.
        Anneal = "anneal",
    }
}

choice! {
    /// Objective that the tuner makes small.
    Objective {
        /// Time of the kernels.
        Time = "time",
        /// Energy that the GPU takes for them.
        Energy = "energy",
        /// Their energy times their time.
        Edp = "edp",
    }
}

/// `[defaults]`: how regions are converted.
#[derive(Debug, Clone, PartialEq)]
pub struct Defaults {
    /// `optimize`: the transformations that may be applied; by default all.
    pub optimize: Vec<Optimization>,
    /// `schedule`
    pub schedule: Schedule,
    /// `library`
    pub library: Library,
    /// `sync`
    pub sync: Sync,
    /// `min-work`
    pub min_work: MinWork,
    /// `too-large`
    pub too_large: TooLarge,
    /// `stay-on-device`: whether arrays stay on the device between regions while the host does not touch them.
    pub stays: bool,
    /// `check-every`: a loop of the host that ends by what the device computes (a `while` until convergence) fetches that
    /// every so many steps, and may run so many less one further than the original. 1, the default: exactly as far.
    pub check_every: u32,
    /// Flag: what is converted is one kernel whose threads wait for each other. `rtcuda optimize` sets it.
    pub is_one_kernel: bool,
    /// `interruptible`: a loop of the host that ends by what the device computes also ends once the program has called
    /// `rt_interrupt()`, as a handler of signals may: at its next test, as if its condition were false.
    pub interruptible: bool,
    /// `on-chip`: whether elements that a thread of a resident kernel has for itself stay on chip through all steps, where they
    /// find room.
    pub on_chip: bool,
    /// `short-columns`
    pub short_columns: ShortColumns,
}

impl Default for Defaults {
    fn default() -> Self {
        Defaults {
            optimize: Optimization::ALL.iter().map(|&(_, value)| value).collect(),
            schedule: Schedule::MaxBands,
            library: Library::Auto,
            sync: Sync::Auto,
            min_work: MinWork::Auto,
            too_large: TooLarge::Error,
            stays: true,
            check_every: 1,
            is_one_kernel: false,
            interruptible: false,
            on_chip: true,
            short_columns: ShortColumns::Auto,
        }
    }
}

impl Defaults {
    /// These settings, but for what a region's own directive says.
    pub fn with(&self, asked: Asked) -> Defaults {
        Defaults {
            sync: asked.sync.unwrap_or(self.sync),
            min_work: asked.min_work.map_or(self.min_work, MinWork::Instances),
            check_every: asked.check_every.unwrap_or(self.check_every),
            ..self.clone()
        }
    }
}

/// `min-work`: which calls the host does sooner than a device could be given them, so that the original C runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MinWork {
    /// `"auto"`: those for which a core of the host takes less than a device takes to be given the kernels and the data,
    /// by an estimate from the sizes of the call. Regions that are marked have none.
    Auto,
    /// A call whose work is surely less than so many statement instances (runs of a statement). 0: none.
    Instances(u32),
}

/// The settings that `#pragma rt region` can give.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Asked {
    /// `sync(S)`
    pub sync: Option<Sync>,
    /// `min-work(N)`
    pub min_work: Option<u32>,
    /// `check-every(N)`
    pub check_every: Option<u32>,
}

/// The greatest size of a kernel.
pub const MOST_SIZE: u32 = 1 << 15;

/// Most points of a thread: the loop over them is unrolled, so that what they hold is registers.
pub const MOST_MERGE: u32 = 64;

/// The most pieces of a loop that a block keeps in shared memory at once.
pub const MOST_STAGES: u32 = 8;
/// The largest `check-every`.
pub const MOST_CHECK_EVERY: u32 = 1_000_000;
/// The largest `min-work`: products of two such numbers can be computed.
pub const MOST_MIN_WORK: u32 = 1_000_000_000;

/// `[[region]]`: what holds for one region, or for all regions of a function.
#[derive(Debug, Clone, PartialEq)]
pub struct Region {
    /// `function = …` or `name = …`.
    pub selector: Selector,
    /// Where that stands.
    pub place: Place,
    /// `[defaults]` with what this region says otherwise.
    pub settings: Defaults,
    pub sizes: Sizes,
    /// `shape = { a = ["n", "m"] }`: extents behind pointers, as C expressions, outermost first.
    pub shape: IndexMap<String, Shape>,
}

/// Sizes of the mappings of a region's nests.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sizes {
    /// `block`: threads in a block.
    pub block: Option<Size>,
    /// `merge`: points of a thread, a block apart.
    pub merge: Option<Size>,
    /// `skew`: points of a thread that are neighbours.
    pub skew: Option<Size>,
    /// `prefetch`: pieces of a loop that a block has at once.
    pub prefetch: Option<Size>,
}

impl Sizes {
    /// The sizes that are given, without those left to the tuner.
    pub fn fixed(self) -> Sizes {
        let fixed = |size: Option<Size>| size.filter(|size| matches!(size, Size::Fixed(_)));
        let Sizes { block, merge, skew, prefetch } = self;
        Sizes { block: fixed(block), merge: fixed(merge), skew: fixed(skew), prefetch: fixed(prefetch) }
    }
}

/// Which regions a `[[region]]` speaks of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Selector {
    /// Those of a C function.
    Function(String),
    /// The one of that name.
    Name(String),
}

impl Selector {
    /// The name in it.
    pub fn name(&self) -> &str {
        match self {
            Selector::Function(name) | Selector::Name(name) => name,
        }
    }
}

/// `[kernels.NAME]`: the strategy of one kernel in the place of the first that serves its nest, `strategy = "pointwise"`, and
/// its sizes in the place of those that its mapping has, `BLOCK_0 = 8`. `rtcuda.json` lists both, as its strategies and its
/// tunables; `rtcuda tune --write` writes them.
#[derive(Debug, Clone, PartialEq)]
pub struct KernelSizes {
    /// The strategy, where one is named.
    pub strategy: Option<String>,
    /// Each size.
    pub sizes: IndexMap<String, u32>,
    /// `[[kernels.NAME.at]]`: settings that stand in the place of all of these at some calls. The first row that holds is taken.
    pub at: Vec<KernelRow>,
    /// Where the table stands.
    pub place: Place,
}

/// `[[kernels.NAME.at]]`: the calls that it is for, `most = { n = 4096 }`, and what the kernel has at these.
#[derive(Debug, Clone, PartialEq)]
pub struct KernelRow {
    /// Its condition.
    pub calls: Calls,
    /// A table of settings without rows; one without any is the kernel as nobody tunes it.
    pub settings: KernelSizes,
}

/// Calls by their extents: those in which each is at least, and at most, so much.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Calls {
    /// `least = { n = 1024 }`
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    pub least: IndexMap<String, i64>,
    /// `most = { n = 4096 }`
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    pub most: IndexMap<String, i64>,
}

/// A number that is given, or that the tuner finds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Size {
    /// `= 128`
    Fixed(u32),
    /// `= [128, 1024]`: both ends included.
    Range(u32, u32),
}

/// The extents behind a pointer.
#[derive(Debug, Clone, PartialEq)]
pub struct Shape {
    /// C expressions, outermost first.
    pub extents: Vec<String>,
    /// Where they stand.
    pub place: Place,
}

/// `[tune]`: how the tuner searches.
#[derive(Debug, Clone, PartialEq)]
pub struct Tune {
    /// `strategy`
    pub strategy: Strategy,
    /// `objective`
    pub objective: Objective,
    /// `budget = "60s"`: the time it may take.
    pub budget: Duration,
    /// `cache`: the file that remembers measurements.
    pub cache: PathBuf,
}

impl Default for Tune {
    fn default() -> Self {
        Tune {
            strategy: Strategy::Guided,
            objective: Objective::Time,
            budget: Duration::from_secs(60),
            cache: PathBuf::from("target/rtcuda-tune.json"),
        }
    }
}

/// The warning that a setting of the user's has no effect in this version.
pub fn not_yet(what: &str, place: Option<Place>) -> Diagnostic {
    let message = format!("`{what}` has no effect: this version does not do it yet");
    Diagnostic::new(Severity::Warning, "not-yet", message, place).help("the code is converted as if it were not there")
}

/// A time in a user's words, `60s`; up to a week.
pub fn parse_duration(text: &str) -> Option<Duration> {
    const UNITS: [(&str, f64); 4] = [("ms", 0.001), ("s", 1.0), ("min", 60.0), ("h", 3600.0)];
    const MOST_SECONDS: f64 = 7.0 * 24.0 * 3600.0;
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic() || c == ' ');
    let unit = text[digits.len()..].trim();
    let scale = UNITS.iter().find(|(name, _)| *name == unit)?.1;
    let seconds = digits.parse::<f64>().ok()? * scale;
    (seconds > 0.0 && seconds <= MOST_SECONDS).then(|| Duration::from_secs_f64(seconds))
}

impl Config {
    /// Test that it gives sizes of kernels of a region.
    pub fn has_kernels_of(&self, region: &str) -> bool {
        let prefix = format!("rt_{region}_k");
        self.kernels.keys().any(|name| name.starts_with(&prefix))
    }

    /// What the file says of a region: under its name, else under its function's.
    pub fn region(&self, function: &str, name: &str) -> Option<&Region> {
        let find = |wanted: &dyn Fn(&Selector) -> bool| self.regions.iter().find(|r| wanted(&r.selector));
        find(&|s| matches!(s, Selector::Name(n) if n == name))
            .or_else(|| find(&|s| matches!(s, Selector::Function(f) if f == function)))
    }
}
