//! Lowering: passes over kernels as they are, once plans have settled which of them run. What they decide stands in the
//! kernels, and `emit` spells it.
//!
//! | pass | decides |
//! | --- | --- |
//! | [`registers`] | how many registers the compiler may give each thread |
//! | [`unroll`] | how many iterations of a loop the compiler writes out in a row |

pub mod registers;
pub mod unroll;
