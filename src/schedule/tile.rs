//! Tiles of registers and shared memory around a loop of the thread, where threads of a block read the same elements.
//!
//! ```text
//! for i, j in parallel: c[i][j] *= beta; for k: c[i][j] += alpha * a[i][k] * b[k][j]
//! ->
//! a block has 64 x 64 points, a thread 8 x 4 of them; c in registers
//! for pieces of k:
//!     barrier; all threads load a piece of alpha * a and of b, in the order of memory
//!     barrier; for k in the piece: for the thread's points: c += a_tile[k][i] * b_tile[k][j]
//! ```
//! A point of the band is a value of each axis. The points of a band are independent, so that what a thread did for one
//! point it may do for several in any order: each piece of its body runs for all of them before the next begins. Each
//! point still adds its values in the order of the program.
//!
//! Products of doubles a warp computes as matrices, where the device has instructions for that: see the module `matrices`.
//!
//! Method: Verdoolaege et al., "Polyhedral parallel code generation for CUDA", TACO 2013, section 7 (which elements go
//! where: the module `reads`); a thread with several points is the thread merge of Yang et al., "A GPGPU compiler for
//! memory optimization and parallelism management", PLDI 2010, section 3.5.2.

mod bounds;
mod branches;
mod code;
pub(super) mod edge;
mod fill;
mod find;
mod kernel;
mod mapped;
mod matrices;
mod outside;
mod piece;
mod pipeline;
mod points;
mod reads;
mod register_promotion;
mod shape;
mod size;
mod slide;
mod slide_code;
mod slide_mapped;
mod stmts;
mod sunk;
mod taken_apart;
mod taps;
pub(super) mod vector;
mod ways;
mod window;
mod window_code;
mod wish;

pub use wish::{Points, Untiled};
