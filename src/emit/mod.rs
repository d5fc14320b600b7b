//! Emission: kernel IR and host plans become files, through the Handlebars templates of `templates/`.
//!
//! # Contract
//! Everything is decided before: emission spells. The same input gives the same bytes. Nothing is written to disk but by
//! [`write()`].
//!
//! Each construct of CUDA C++ is a value ([`construct`]) and a template of `templates/cuda/` that says how it looks
//! ([`spell`]); indent, line breaks and C lines are seen to in the end ([`layout`]). Only what is part of an expression is
//! spelled in Rust: its parentheses follow from the operators' precedence ([`expr`]), its names and types from [`names`].
//!
//! | file | made by |
//! | --- | --- |
//! | `<stem>.cu`, one for each C file with regions | [`kernel_text`], [`host_text`], [`check_text`] |
//! | `<stem>.c`, the user's text with a call around each region | [`c_file`] |
//! | `rt_*.h`, the runtime; `rtcuda_api*` where the program includes `rtcuda_api.h` | copied |
//! | `Makefile`, `CMakeLists.txt`, `rtcuda.json` | [`build_files`], [`json`] |

use crate::api;
use crate::diag::Stop;
use crate::host_plan::ir::Region;
use crate::residency::needs::Touch;
use crate::source::joined::Inclusion;
use std::ops::Range;
use std::path::PathBuf;

pub mod build_files;
pub mod c_file;
mod calls;
pub mod check_text;
pub mod construct;
mod copy_text;
pub mod cuda_file;
pub mod expr;
pub mod home_text;
pub mod host_text;
mod inline_text;
pub mod json;
pub mod kernel_text;
mod launch_text;
pub mod layout;
pub mod names;
mod phase;
mod reach_text;
mod rows_text;
pub mod scope;
pub mod spell;
pub mod statements;
mod worth_text;
pub mod write;

pub use write::write;

macro_rules! runtime {
    ($($name:literal)*) => { &[$(($name, include_str!(concat!("../../templates/runtime/", $name)))),*] };
}

/// The headers that emitted files include.
pub const RUNTIME: &[(&str, &str)] = runtime! {
    "rt_allocator.h"
    "rt_atomic.h"
    "rt_barrier.h"
    "rt_base.h"
    "rt_blocks.h"
    "rt_check.h"
    "rt_compare.h"
    "rt_containers.h"
    "rt_copy.h"
    "rt_costs.h"
    "rt_cublas.h"
    "rt_cublas_triangle.h"
    "rt_cublas_vectors.h"
    "rt_cuda.h"
    "rt_cusparse.h"
    "rt_host.h"
    "rt_left_behind.h"
    "rt_library.h"
    "rt_math.h"
    "rt_mma.h"
    "rt_outside.h"
    "rt_overlap.h"
    "rt_positions.h"
    "rt_profile.h"
    "rt_reach.h"
    "rt_reduce.h"
    "rt_replay.h"
    "rt_rows.h"
    "rt_runtime.h"
    "rt_sim.h"
    "rt_sim_access.h"
    "rt_sim_copies.h"
    "rt_sim_fiber.h"
    "rt_sim_mma.h"
    "rt_sim_outside.h"
    "rt_sim_report.h"
    "rt_sim_sectors.h"
    "rt_sim_shadow.h"
    "rt_sim_threads.h"
    "rt_sim_wide.h"
    "rt_slices.h"
    "rt_sparse.h"
    "rt_sparse_tiles.h"
    "rt_stand_in.h"
    "rt_stay.h"
    "rt_stay_rows.h"
    "rt_symbols.h"
    "rt_triangle.h"
    "rt_update.h"
    "rt_vectors.h"
    "rt_wide.h"
    "rt_work.h"
};

/// A program to emit.
#[derive(Debug, Clone)]
pub struct Program {
    /// In the order of the command line.
    pub files: Vec<CFile>,
    /// Every decision that was taken: the contents of `rtcuda.json`.
    pub decisions: serde_json::Value,
    /// Whether it calls the API, and does not bring the files of it itself.
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
    /// What comes home from the device, in `text`, for statements that stay on the host.
    pub homecomings: Vec<Homecoming>,
}

/// Where the program says what it uses on the host.
#[derive(Debug, Clone, PartialEq)]
pub struct Homecoming {
    pub spot: Spot,
    pub touch: Touch,
}

/// A place in the bytes of a file.
#[derive(Debug, Clone, PartialEq)]
pub enum Spot {
    /// Between two statements of a block.
    Before(usize),
    /// Before a statement that is alone in another.
    Around(Range<usize>),
    /// Before the expression at that byte, in the loop that evaluates it again and again.
    Each { around: Range<usize>, at: usize },
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
    /// What the call uses on the host of what may be on the device.
    pub touch: Option<Touch>,
}

/// How to emit.
#[derive(Debug, Clone)]
pub struct Options {
    /// The program runs both versions of each region and compares them.
    pub check: bool,
    /// `sm_90`, `native` ...: what `nvcc -arch` takes.
    pub arch: String,
    /// Whether `nvcc` may fuse a multiplication and an addition.
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

/// Whether a program is compiled for OpenMP, so that threads may come to its regions together.
pub fn is_threaded(cflags: &[String]) -> bool {
    cflags.iter().any(|f| f.starts_with("-fopenmp"))
}

/// Makes all files of a converted program.
///
/// # Errors
/// [`Stop::Bug`] where a kernel or plan breaks its contract, [`Stop::Input`] where a range lies outside its file.
pub fn emit(program: &Program, options: &Options) -> Result<Vec<File>, Stop> {
    let stems = stems(&program.files);
    // A program may have its own copy among its files.
    let uses_api = program.uses_api && !stems.iter().any(|stem| stem == api::STEM);
    let mut files = Vec::new();
    for (file, stem) in program.files.iter().zip(&stems) {
        files.push(File { path: format!("{stem}.c").into(), contents: c_file::text(file, options)? });
        if !file.sites.is_empty() {
            let contents = cuda_file::text(file, options.check)?.into_bytes();
            files.push(File { path: format!("{stem}.cu").into(), contents });
        }
    }
    files.extend(RUNTIME.iter().map(|(name, text)| File { path: name.into(), contents: text.as_bytes().to_vec() }));
    if uses_api {
        files.extend(
            api::FILES.iter().map(|(name, text)| File { path: name.into(), contents: text.as_bytes().to_vec() }),
        );
    }
    files.extend(build_files::files(program, &stems, uses_api, options)?);
    files.push(json::file(program, &files)?);
    Ok(files)
}

/// A stem for each file; those of equal names in different folders are numbered.
fn stems(files: &[CFile]) -> Vec<String> {
    let mut stems: Vec<String> = Vec::new();
    for file in files {
        let stem = names::stem(&file.path);
        let mut unique = stem.clone();
        let mut n = 1;
        while stems.contains(&unique) {
            n += 1;
            unique = format!("{stem}_{n}");
        }
        stems.push(unique);
    }
    stems
}

/// A broken contract of the stages before.
fn bug(what: impl std::fmt::Display) -> Stop {
    Stop::Bug(format!("emit: {what}"))
}
