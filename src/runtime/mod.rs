//! Emitted programs at work: the compilers that build them, the GPU or the simulation that runs them, and the
//! verification of what they compute.
//!
//! Other programs are started with argument vectors, never through a shell.

pub mod apart;
pub mod backend;
pub mod build;
pub mod call;
pub mod device;
pub mod energy;
pub mod fallback;
pub mod interrupt;
pub mod lines;
pub mod precompiled;
pub mod programs;
pub mod ptxas;
pub mod run;
pub mod shipped;
pub mod toolchain;
pub mod user_lines;
pub mod verify;
pub mod written;
