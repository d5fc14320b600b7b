//! Data that regions leave on the device for the next ones, and where the program must have it back.
//!
//! ```c
//! for (t = 0; t < n; t++) {
//!     update_h(g);                      its region leaves what it writes on the device,
//!     update_e(g);                      where the next one finds it
//!     if (t % 100 == 0) print(g->ez);   the host reads: it comes home here, and nowhere else
//! }
//! ```
//! A region leaves what it writes if the program may come to another one before the host touches memory that may be it
//! ([`touches`]). On all ways from there ([`flow`]) whatever touches such memory is preceded by a call that brings it home; so
//! is every way out of a function whose callers are not all known ([`survey`] of the [`program`]). Which bytes are where, is the runtime's
//! affair (`templates/runtime/rt_stay.h`): a region's arrays find what is there by its address on the host.
//!
//! Code that cannot be seen through is not used: with threads, jumps out of functions or handlers of signals nothing is announced,
//! and in a function with a `goto` nothing is left. There arrays stay without a word: their pages are closed to the host
//! (`templates/runtime/rt_pages.h`), unless the program touches memory where no fault is answered
//! ([`is_hardware`](crate::facts::standard::is_hardware)).
//!
//! Each decision carries its [`cause`], by which `explain` says of each array where it is between calls, and what forbids better
//! ([`kept`]).
//!
//! Where there is no place for such a call (inside a macro), its function is given up and brings everything home where
//! it begins. Where a region's original runs, what its functions' own regions leave is followed in the same way. Arrays
//! that stay on no account (on the stack, rows that are exchanged) go through the same bookkeeping.

pub mod addresses;
pub mod cause;
pub mod causes;
pub mod decide;
pub mod flow;
pub mod kept;
pub mod needs;
pub mod program;
pub mod survey;
pub mod text;
pub mod touches;
