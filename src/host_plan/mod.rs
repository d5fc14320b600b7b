//! The host plan of a region: what its `extern "C"` entry point does, in order ([`ir`]).
//!
//! [`build`] lowers the steps of [`analysis`](crate::analysis) and the kernels of their `nests` (as they are `sized` by the configuration) with a `builder`, puts
//! `call`s in the place of those that a library computes, and leaves regions to the host that have too little `work` (by
//! what their statements `cost`). `entry` puts the entry point around that: what [`transfers`] finds that each array must
//! hold on the device and when, by the [`elements`] that are touched, which is the `hull` around them, or `rows` where
//! pointers lead to it, as far as `allocated` finds it to be there, or kernels can `hold_back` what leads further, in ranges that are empty for the `sizes` that leave
//! nothing to move; and the `places` of scalars that may lie in an array; calls are held to what was `proved`. [`passes`] change the plan; [`graph`] shows in
//! it who hands what to whom. [`text`] prints a plan, [`explain`] reports it.
//!
//! | word | meaning |
//! | --- | --- |
//! | phase | one launch of a resident kernel, between barriers of the grid |
//! | replay | a CUDA graph of one step, launched at each |
//! | reach | what the runtime finds out about the memory behind a pointer: that it goes as far as what may be touched, or how far it goes |
//! | held back | an access whose subscript only the data know, and which leads out of the block behind the pointer: the original runs |

mod allocated;
pub mod build;
mod builder;
mod call;
pub mod choice;
mod cost;
pub mod elements;
mod entry;
pub mod explain;
pub mod given;
pub mod graph;
pub mod guard;
mod handed;
mod hold_back;
mod hull;
mod in_structures;
pub mod ir;
pub mod midway;
mod nests;
pub mod passes;
mod places;
mod proved;
mod row_exchange;
mod rows;
mod sized;
mod sizes;
pub mod text;
pub mod transfers;
pub mod verify;
mod work;
mod written;
