//! Facts of a region before its plan is made: its parts with their dependences, orders, operators and schedule.
//!
//! [`analyse`] gives every static control part its polyhedral analysis, and says which arrays may [`coincide`];
//! [`analysed`] is the result. [`operators`] sets parts apart that a library computes, [`changes`] gives others another
//! order or data of their own, [`scheduled`] leaves steps of the host and nests with their mappings, as the
//! [`settings`] allow; where no loop is parallel, [`apart`] finds the sizes for which one is. [`races`] finds threads of kernels that meet, [`as_launched`] estimates such a kernel as it is. [`weight`] sees whether most of that is in order; [`observed`] is what a trace saw of accesses that the data choose; [`no_plan`] says why a candidate goes no
//! further. [`text`] prints, [`explain`] reports.

pub mod analyse;
pub mod analysed;
pub mod apart;
pub mod as_launched;
pub mod changes;
pub mod coincide;
pub mod explain;
pub mod no_plan;
pub mod observed;
pub mod operators;
pub mod races;
pub mod scheduled;
pub mod settings;
pub mod text;
pub mod tiles;
pub mod weight;
