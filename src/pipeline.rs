//! From C files and a configuration to the files of a CUDA program.
//!
//! The passes are rows of tables (`passes`), and one runner times, verifies and dumps each of them (`runner`). Passes
//! work at four levels, each with a state that they fill in: a file and the search for candidates in it (`file`), one
//! candidate (`region`), and the whole program (`program`). Above the tables stands what brings the levels together:
//! files side by side (`convert`), which candidates are tried, and what becomes of those that do not convert
//! (`candidates`), and what is said of loops that a directive calls parallel (`asked`).

mod asked;
mod candidates;
mod context;
mod convert;
mod file;
mod log;
mod lowering;
mod options;
mod passes;
mod program;
mod region;
mod runner;
mod selectors;
mod subsumed;

pub use convert::{Converted, convert, convert_valid};
pub use options::ConvertOptions;
pub use passes::{PASSES, REWRITES_OF_NORMALIZE, described};
