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
//! | `<stem>.cu`, one for each C file with regions | [`kernel_text`], `instances`, [`host_text`], [`check_text`] |
//! | `<stem>.c`, the user's text with a call around each region | [`c_file`], [`home_text`], [`head_text`] |
//! | `rt_*.h`, the runtime; `rtcuda_api*` where the program includes `rtcuda_api.h` | copied |
//! | `Makefile`, `CMakeLists.txt`, `rtcuda.json` | [`build_files`], [`json`] |

pub mod build_files;
pub mod c_file;
mod calls;
pub mod check_text;
pub mod construct;
mod copy_text;
pub mod cuda_file;
pub mod entries;
mod entry_names;
pub mod expr;
mod fault;
mod files;
pub mod forward_text;
mod guard_text;
pub mod head_text;
pub mod home_text;
pub mod host_text;
mod inline_text;
mod instances;
pub mod json;
pub mod kernel_text;
mod launch_text;
pub mod layout;
mod libraries;
pub mod names;
mod offload_text;
mod phase;
mod program;
mod reach_text;
mod rows_text;
mod runtime;
pub mod scope;
pub mod spell;
pub mod statements;
pub mod write;

pub use files::emit;
pub use program::{CFile, File, Forward, Head, Homecoming, Midway, Options, Program, Site, Spot, is_threaded};
pub use runtime::RUNTIME;
pub use write::write;

use fault::bug;
