//! The host plan of a region: what its `extern "C"` entry point does, in order.
//!
//! [`build`] lowers the steps of [`analysis`](crate::analysis), and the kernels of their `nests`, but for regions that have too little `work` (by what its statements `cost`); `entry` puts the
//! entry point around them, with what [`transfers`] finds that each array needs to hold on the device and when, as far
//! as `allocated` finds it to be there, in ranges that are empty for the `sizes` that leave nothing to move; [`plan`] is the result; [`slices`] lays out rows of sparse matrices that its loops
//! read again and again, [`realise`]
//! chooses how its loops around kernels run (as a `resident` kernel, a graph, or launch by launch), and counts what that `waits` for, [`check_every`] how often what ends them is fetched,
//! [`tables`] which arrays a block keeps in shared memory, [`stays`] what regions leave on the device for others, and [`graph`] shows
//! in it who hands what to whom. [`text`] prints a plan, [`explain`] reports it.

mod allocated;
pub mod build;
mod call;
pub mod check_every;
mod cost;
mod entry;
pub mod explain;
pub mod graph;
mod nests;
mod places;
pub mod plan;
pub mod realise;
mod resident;
mod row_exchange;
mod rows;
mod sizes;
pub mod slices;
pub mod stays;
pub mod tables;
pub mod text;
pub mod transfers;
mod waits;
mod work;
