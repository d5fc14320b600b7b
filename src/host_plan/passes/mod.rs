//! Passes over a region's plan, in the order in which they run.
//!
//! [`long_rows`] cuts the long rows of sparse matrices that loops of the host read, so that warps share them out;
//! [`realise`] chooses how loops of the host around kernels run (as a `resident` kernel, a graph, or launch by launch),
//! and so which of their `forms` nests have, and counts what that `waits` for; [`slices`] lays out rows of sparse matrices that
//! these loops read again and again;
//! [`check_every`] says how often what ends them is fetched; [`short_columns`] which columns of sparse matrices a resident
//! kernel reads in 16 bits; [`tables`] which arrays a block keeps in shared memory;
//! [`on_chip`] which elements a thread keeps there through all steps of a resident kernel;
//! [`on_device`] drops the copies of arrays that the caller has on the device; [`unused`] drops variables that
//! nothing uses; [`guards`] lists all that an entry tests, [`select`] all that it
//! chooses among.

pub mod check_every;
mod forms;
pub mod guards;
pub mod long_rows;
mod made_once;
pub mod on_chip;
pub mod on_device;
pub mod realise;
mod resident;
mod row_loop;
pub mod select;
pub mod short_columns;
pub mod slices;
pub mod tables;
pub mod unused;
mod waits;
