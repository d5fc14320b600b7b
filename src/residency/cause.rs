//! Reasons that keep the text of a program from saying where the host touches arrays that are kept on the device.

use crate::source::Span;

/// A place in the program, and what is there.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cause {
    pub part: usize,
    pub span: Span,
    pub why: Why,
}

/// Kind of code at the place of a [`Cause`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Why {
    /// Call of a function that neither the program's files nor a list of libraries' functions have.
    Unknown,
    /// Expression or statement that is not modelled.
    Unmodelled,
    /// Call of a library's function that is handed memory which may be kept.
    Handed,
    /// Call that gives memory back to the allocator.
    Freed,
    /// Call of a function of the program's that touches such memory.
    Callee,
    /// Access of the host's that reads.
    Read,
    /// Access of the host's that writes.
    Written,
    /// Body of a function that goes back to callers which are not known.
    Callers,
    /// Body of a function in which nothing can be said between two statements.
    Unsayable,
    /// Call after which statements are no longer one sequence.
    Strange,
    /// Call by which hardware touches memory, or one of whose effects comes behind the end of `main`.
    Hardware,
}
