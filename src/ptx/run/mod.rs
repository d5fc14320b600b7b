//! Kernels at work on the CPU: warps of 32 lanes, each access to memory checked and told.
//!
//! Lanes of a warp run together and meet again where their paths do (post-dominators, lanes that leave early apart). Hardware since Volta may
//! run them further apart: a lane that waits for another of its warp in a loop never gets on here, and `--limit` ends it.
//! Blocks take turns in one order. Nothing is found here of races; the simulation of emitted programs finds those.

mod access;
mod exchange;
mod float;
pub mod launch;
pub mod machine;
pub mod memory;
pub mod program;
mod pure;
mod round;
mod step;
pub mod trouble;
mod values;
mod warp;
pub mod watch;

pub use launch::{Argument, Fill, Launch, Value};
pub use machine::{Done, run};
pub use trouble::{Fault, Trouble};
