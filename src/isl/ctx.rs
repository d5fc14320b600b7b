//! Contexts: all objects of a computation live in one, which counts what their operations cost.

use super::error::{Error, ErrorKind};
use super::ffi::{Ptr, RawCtx};
use std::rc::Rc;

/// An isl context: all objects live in one, and only objects of the same one meet. Cloning shares it.
#[derive(Clone)]
pub struct Ctx(Rc<RawCtx>);

impl Default for Ctx {
    fn default() -> Self {
        Ctx(Rc::new(RawCtx::new()))
    }
}

impl Ctx {
    /// A context without a limit.
    pub fn new() -> Self {
        Self::default()
    }

    /// A context in which at most `max_operations` may run: see [`Ctx::set_limit`].
    pub fn with_limit(max_operations: u64) -> Self {
        let ctx = Self::new();
        ctx.set_limit(max_operations);
        ctx
    }

    /// From now on at most `max_operations` may run (0: any number); further ones fail with [`ErrorKind::Limit`] until
    /// the limit is set anew. An operation is about an allocation: a million take in the order of a second.
    pub fn set_limit(&self, max_operations: u64) {
        self.0.set_limit(max_operations);
    }

    /// Runs `f` with so many operations at most, and no more than the limit leaves; what it spends counts towards the
    /// limit, which then holds again. What fails in `f` by this fails with [`ErrorKind::Limit`].
    pub fn within<T>(&self, operations: u64, f: impl FnOnce() -> T) -> T {
        self.0.within(operations, f)
    }

    /// A context in which at most so many operations may run in all, whatever limits are set.
    pub fn with_cap(max_operations: u64) -> Self {
        let ctx = Self::new();
        ctx.0.set_cap(max_operations);
        ctx
    }

    /// Number of operations that have run.
    pub fn spent(&self) -> u64 {
        self.0.spent()
    }

    /// Runs `f` with so many operations at most, whatever limits it sets, and apart from the cap: the result, and the number that
    /// ran. Behind it, the cap alone limits.
    pub fn capped<T>(&self, operations: u64, f: impl FnOnce() -> T) -> (T, u64) {
        self.0.capped(operations, f)
    }

    pub(super) fn unlimited<T>(&self, f: impl FnOnce() -> T) -> T {
        self.0.unlimited(f)
    }

    /// The pointer, for the length of a call.
    pub(super) fn raw(&self) -> Ptr {
        self.0.raw()
    }

    /// Why the last call gave nothing.
    pub(super) fn error(&self) -> Error {
        let unsaid = || Error { kind: ErrorKind::Unknown, message: "no result and no reason given".into() };
        self.take_error().unwrap_or_else(unsaid)
    }

    pub(super) fn take_error(&self) -> Option<Error> {
        self.0.take_error()
    }

    /// Test for the very same context, not one like it.
    pub(super) fn is(&self, other: &Ctx) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}
