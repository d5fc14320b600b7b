//! rtcuda: plain C in, verified CUDA out.
//!
//! Data flows one way through the modules below, in the order they are listed: a module uses those above it and none
//! below (`tests/tidy.rs` sees to it). `ARCHITECTURE.md` leads through them.

// Integer sets and relations: a crate of its own.
pub use rtcuda_isl as isl;

// What is said to the user, and why a stage stops.
pub mod diag;

// The machines that are compiled for.
pub mod target;

// Sparse matrices: Matrix Market files, formats, statistics, generators.
pub mod sparse;

// TOML -> Config.
pub mod config;

// The operators that C programs call, as files.
pub mod api;

// The user's text, preprocessed and parsed, with the way back.
pub mod source;

// The typed C subset.
pub mod ast;

// Naive CUDA kernels as plain C.
pub mod frontend;

// What one CUDA kernel does.
pub mod kernel;

// How long a kernel takes.
pub mod cost;

// Facts of the typed C: effects, liveness, counted loops, polynomials, accumulations.
pub mod facts;

// Loops of which a part cannot leave the host, as several.
pub mod split;

// Plainer C: rewrites of statements, before regions are looked for.
pub mod normalize;

// What of the program may be converted: loops, arrays, accesses.
pub mod region;

// Domains, accesses and order as integer sets; dependences.
pub mod poly;

// Which loops run in parallel, and where.
pub mod schedule;

// Operators that a library has.
pub mod library;

// Every decision, as data and as text.
pub mod report;

// Facts of a region: dependences, orders, operators, the schedule.
pub mod analysis;

// The plan of the host.
pub mod host_plan;

// Data that stay on the device between regions.
pub mod residency;

// Decisions on kernels once plans are settled.
pub mod lower;

// Plans and kernels -> the files of the output folder.
pub mod emit;

// The table of passes.
pub mod pipeline;

// Emitted programs at work: built, run, verified.
pub mod runtime;

// Where a program's time goes.
pub mod profile;

// One page about a program.
pub mod page;

// The sizes of kernels: found by measuring, remembered, written back.
pub mod tune;

// Naive CUDA kernels in, optimised ones out.
pub mod optimize;

// The shipped solvers on a user's system.
pub mod solve;

// Shipped programs beside calls of libraries by hand.
pub mod bench;

// Stands in for the C compiler in a build.
pub mod cc;

// Kernels as PTX: read, run, traced, assembled.
pub mod ptx;
