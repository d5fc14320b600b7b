//! Programs as emission takes them, and files as it gives them.

use crate::host_plan::ir::Region;
use crate::residency::needs::Touch;
use crate::source::joined::Inclusion;
use crate::source::macros::SelfNamed;
use std::ops::Range;
use std::path::PathBuf;

/// A program to emit.
#[derive(Debug, Clone)]
pub struct Program {
    /// In the order of the command line.
    pub files: Vec<CFile>,
    /// Every decision that was taken: the contents of `rtcuda.json`.
    pub decisions: serde_json::Value,
    /// Flag: it calls the API, and does not bring the files of it itself.
    pub uses_api: bool,
}

/// A C file of the user's.
#[derive(Debug, Clone)]
pub struct CFile {
    /// Where it lies; its folder is where its own headers are looked for.
    pub path: PathBuf,
    /// Its bytes, as the user or as the preprocessor wrote them.
    pub text: Vec<u8>,
    /// Files that stand in it in the place of directives that include them; one that another includes stands behind it.
    pub inclusions: Vec<Inclusion>,
    /// Its converted regions.
    pub sites: Vec<Site>,
    /// Text of what comes home from the device, in `text`, for statements that stay on the host.
    pub homecomings: Vec<Homecoming>,
    /// Its small functions.
    pub heads: Vec<Head>,
    /// Declarations before functions whose call sites name functions that stand behind them.
    pub forward: Vec<Forward>,
    /// Macros by whose names what is put into its text is written.
    pub macros: SelfNamed,
}

/// Where the program says what it uses on the host.
#[derive(Debug, Clone, PartialEq)]
pub struct Homecoming {
    pub spot: Spot,
    pub touch: Touch,
    /// The user's file and line.
    pub file: String,
    /// See `file`.
    pub line: u32,
}

/// The head of a small function, in the text of its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Head {
    /// The place of the keyword.
    pub at: usize,
    /// End of the function.
    pub end: usize,
    /// Presence of `static` or `extern` in it.
    pub has_storage: bool,
    /// Presence of the latter.
    pub is_extern: bool,
}

/// Declarations before a function, in the text of its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Forward {
    pub function: Range<usize>,
    pub text: String,
}

/// A place in the bytes of a file.
#[derive(Debug, Clone, PartialEq)]
pub enum Spot {
    /// Between two statements of a block.
    Before(usize),
    /// Before a statement that is alone in another.
    Around(Range<usize>),
    /// Behind the evaluation of an expression, before its value is used.
    Value(Range<usize>),
    /// Before the expression at that byte, in the loop that evaluates it again and again.
    Each { around: Range<usize>, at: usize },
}

/// Where a region of one loop is entered in the midst of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Midway {
    /// The byte of [`CFile::text`] at which the loop's body begins.
    pub at: usize,
    /// The parameter of the region that says where its counter begins, and what it is given there.
    pub from: Option<(String, String)>,
}

/// A converted region and where it stands in the user's text.
#[derive(Debug, Clone)]
pub struct Site {
    pub region: Region,
    /// The C function that stands for the region: `rt_` and its name, and more where other objects of the program may
    /// have a region of that name.
    pub entry: String,
    /// The file that it stands in: that of the text, or one that it includes.
    pub file: String,
    /// Bytes of [`CFile::text`], from the first statement to the end of the last.
    pub range: Range<usize>,
    /// C lines of the first and of the last statement.
    pub lines: (u32, u32),
    /// In preprocessed text, the line markers of the range's start and end, which lead the compiler back to the user's
    /// lines behind what is inserted; else empty.
    pub markers: [String; 2],
    /// Where the rest of the one loop that it is may be entered.
    pub midway: Option<Midway>,
    /// Arrays that the call uses on the host of what may be on the device.
    pub touch: Option<Touch>,
    /// Wish of the user's for this region, by a mark or in the configuration.
    pub is_asked: bool,
    /// Flag: it is a loop that a team of OpenMP's threads shares out, of which one calls the region for all.
    pub is_shared_out: bool,
}

/// Options of emission.
#[derive(Debug, Clone)]
pub struct Options {
    /// The program runs both versions of each region and compares them.
    pub check: bool,
    /// `sm_90`, `native` ...: what `nvcc -arch` takes.
    pub arch: String,
    /// Flag: `nvcc` may fuse a multiplication and an addition.
    pub fmad: bool,
    /// The user's flags for the C compiler.
    pub cflags: Vec<String>,
    /// The folder that relative paths of `cflags` and of the files start from.
    pub folder: PathBuf,
}

/// A file to write, by its path in the output folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    pub path: PathBuf,
    pub contents: Vec<u8>,
}

/// Test that a program is compiled for OpenMP, so that threads may come to its regions together.
pub fn is_threaded(cflags: &[String]) -> bool {
    cflags.iter().any(|f| f.starts_with("-fopenmp"))
}
