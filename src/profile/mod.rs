//! Where a program's time goes: its loops in the order of their share, by clocks of our own, and what becomes of each.
//!
//! The preprocessed text of each file gets a clock around every outermost loop of a function, and around those inside it as far
//! as no region ([`loops`]); it is built by the user's compiler with the user's flags, and runs on one core ([`clocks`]). Times are
//! joined with what the conversion says of the loops ([`rows`]).

pub mod clocks;
pub mod loops;
pub mod rows;
pub mod text;
