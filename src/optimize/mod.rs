//! `rtcuda optimize`: naive CUDA kernels in, optimised kernels with launch functions out.
//!
//! Kernels become the loops that they are ([`frontend`](crate::frontend)), the loops go through the passes of a conversion,
//! and what is emitted takes arrays that are on the device already ([`run`]). [`kernels`] judges what became of each kernel,
//! [`files`] puts the launch functions around the entries, [`steps`] says which steps of the method were taken, [`check`]
//! compares with the loops in C, [`beside`] with the user's kernels on a GPU, on what [`drawn`] gives both; [`dissect`] does that
//! with the steps switched on one after the other ([`switched`]); [`whole`] puts kernels with
//! barriers among all threads together again; [`text`] reports; [`work`] holds the C that all of them are
//! about.
//!
//! The steps have the names of Yang, Xiang, Kong and Zhou (PLDI 2010), whose compiler this command follows.

pub mod beside;
pub mod check;
pub mod dissect;
pub mod drawn;
pub mod files;
pub mod kernels;
pub mod run;
pub mod steps;
pub mod switched;
pub mod text;
pub mod whole;
pub mod work;
