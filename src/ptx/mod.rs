//! Kernels as PTX: read, run on the CPU, traced there and on a GPU, what ptxas makes of them, and which of their variants are measured faster.
//!
//! PTX is what nvcc compiles kernels to before ptxas assembles them for a machine. Whoever wrote a kernel, in whatever
//! language, it has this form, and with it every access to memory by each thread.

pub mod build;
pub mod coalesce;
pub mod compare;
pub mod device;
pub mod graph;
pub mod liveness;
pub mod measure;
pub mod module;
pub mod op;
pub mod read;
pub mod registers;
pub mod run;
pub mod source;
pub mod trace;
pub mod types;
