//! Border to C: the only `unsafe` of the isl wrappers, written once as macros.
//!
//! Every file of `isl` that has methods is a table of lines such as
//! `pub fn union(take self, other: take Set) -> Set = isl_set_union;`, which [`bind!`] turns into a safe method. A line
//! states what isl's header states: the words `take` and `keep` are the header's `__isl_take` and `__isl_keep`, so a
//! line is checked by laying it beside the header.
//!
//! Ways in which an argument crosses:
//!
//! | line | Rust | C |
//! | --- | --- | --- |
//! | `keep T` | `&T` | the pointer, borrowed for the call |
//! | `take T` | `&T` | a counted copy (`isl_*_copy`), which isl consumes even where it fails |
//! | `list T` | `&[T]` | a new `isl_*_list` of copies, consumed |
//! | `int i64` | `i64` | a new `isl_val`, consumed |
//! | `id str` | `&str` | a new `isl_id`, consumed |
//! | `text str` | `&str` | a C string, borrowed for the call |
//! | `val T` | `T` | a plain number or enumeration |
//!
//! The way back of a result is [`Ret`]. This is sound: an object holds its context alive; contexts and objects are
//! neither `Send` nor `Sync` (an `Rc` inside); objects of two contexts never meet in one call ([`same`]); every
//! null pointer, -1 and error state becomes an [`Error`](super::Error).

mod context;
mod declare;
mod object;
mod pieces;
mod table;
mod text;

pub use context::{Ptr, RawCtx};
pub(super) use declare::{enumeration, objects};
pub use object::{ListFns, Listed, Object, Plain, Ret, same};
pub use pieces::pw_aff_pieces;
pub(super) use table::{arg, bind, bind_one, call, coalesce};
pub use table::{new_id, new_list};
pub use text::c_string;
