//! The kernel DAG: loop nests and host segments as nodes, data as edges; and the host plan made from it.
//!
//! [`analysed`] gives every static control part of a region its polyhedral analysis, and says which arrays may `coincide`; [`operators`] sets parts apart that a library computes; [`build`] schedules and maps the
//! `nests`, but for regions that are mostly in order by their `weight` or have too little `work` (by what its statements `cost`), and lays out the host's steps; `entry` puts the
//! entry point around them, with what [`transfers`] finds that each array needs to hold on the device and when, as far
//! as `allocated` finds it to be there, in ranges that are empty for the `sizes` that leave nothing to move; [`plan`] is the result; [`slices`] lays out rows of sparse matrices that its loops
//! read again and again, [`realise`]
//! chooses how its loops around kernels run (as a `resident` kernel, a graph, or launch by launch), and counts what that `waits` for, [`check_every`] how often what ends them is fetched,
//! [`tables`] which arrays a block keeps in shared memory, [`stays`] what regions leave on the device for others, and [`graph`] shows
//! in it who hands what to whom. [`text`] prints a plan, [`explain`] reports it.

mod allocated;
pub mod analysed;
pub mod build;
mod call;
pub mod check_every;
mod coincide;
mod cost;
mod entry;
pub mod explain;
pub mod graph;
mod nests;
pub mod operators;
mod places;
pub mod plan;
pub mod realise;
mod resident;
mod row_exchange;
mod rows;
pub mod scheduled;
mod sizes;
pub mod slices;
pub mod stays;
pub mod tables;
pub mod text;
pub mod transfers;
mod waits;
mod weight;
mod work;
