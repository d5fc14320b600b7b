//! Contexts as isl has them: limits on operations, and errors that come back as values.

use super::text::borrowed_text;
use crate::error::{Error, ErrorKind};
use std::cell::Cell;
use std::ffi::{c_char, c_int, c_ulong, c_void};
use std::ptr::NonNull;

// Only its build of isl is used: this links the static library.
extern crate isl_rs as _;

/// Any isl pointer; which object it is, is known by the wrapper around it.
pub type Ptr = *mut c_void;

unsafe extern "C" {
    fn isl_ctx_alloc() -> Ptr;
    fn isl_ctx_free(ctx: Ptr);
    fn isl_options_set_on_error(ctx: Ptr, val: c_int) -> c_int;
    fn isl_ctx_set_max_operations(ctx: Ptr, max: c_ulong);
    fn isl_ctx_get_max_operations(ctx: Ptr) -> c_ulong;
    fn isl_ctx_reset_operations(ctx: Ptr);
    fn isl_ctx_last_error(ctx: Ptr) -> c_int;
    fn isl_ctx_last_error_msg(ctx: Ptr) -> *const c_char;
    fn isl_ctx_last_error_file(ctx: Ptr) -> *const c_char;
    fn isl_ctx_reset_error(ctx: Ptr);
    fn isl_val_zero(ctx: Ptr) -> Ptr;
    fn isl_val_free(val: Ptr) -> Ptr;
}

/// An owned `isl_ctx`, freed when the last object in it is gone.
pub struct RawCtx {
    raw: NonNull<c_void>,
    /// Operations that ran before the limit was last set.
    spent: Cell<u64>,
    /// Operations that may run in all, whatever limits are set.
    cap: Cell<u64>,
}

impl RawCtx {
    /// `ISL_ON_ERROR_CONTINUE` of `isl/options.h`: report errors by value, print nothing.
    const CONTINUE: c_int = 1;

    /// A context that reports its errors by value.
    pub fn new() -> Self {
        // SAFETY: no precondition; the option is set on the context just made.
        unsafe {
            let raw = NonNull::new(isl_ctx_alloc()).expect("out of memory");
            isl_options_set_on_error(raw.as_ptr(), Self::CONTINUE);
            RawCtx { raw, spent: Cell::new(0), cap: Cell::new(u64::MAX) }
        }
    }

    /// The pointer, for the length of a call.
    pub fn raw(&self) -> Ptr {
        self.raw.as_ptr()
    }

    /// Sets how many operations may still run before isl refuses (0: as many as the cap leaves), counting from now on.
    pub fn set_limit(&self, max_operations: u64) {
        let (spent, cap) = (self.spent(), self.cap.get());
        let left = if cap == u64::MAX { 0 } else { cap.saturating_sub(spent).max(1) };
        let max = if max_operations == 0 || left == 0 { max_operations.max(left) } else { max_operations.min(left) };
        self.spent.set(spent);
        // SAFETY: the context is alive.
        unsafe {
            isl_ctx_reset_operations(self.raw());
            isl_ctx_set_max_operations(self.raw(), max as c_ulong);
        }
    }

    /// Number of operations that have run.
    pub fn spent(&self) -> u64 {
        // SAFETY: the context is alive.
        unsafe {
            let max = isl_ctx_get_max_operations(self.raw());
            let now = self.operations() - 1;
            isl_ctx_set_max_operations(self.raw(), max);
            self.spent.get() + now
        }
    }

    /// Lets only so many operations run from now on, whatever limits are set; ends the limit that holds.
    pub fn set_cap(&self, max_operations: u64) {
        self.cap.set(self.spent().saturating_add(max_operations));
        self.set_limit(0);
    }

    /// Runs `f` with so many operations at most, whatever limits it sets: the result, and what it spent, by which the cap is raised.
    /// Ends the limit that holds.
    pub fn capped<T>(&self, operations: u64, f: impl FnOnce() -> T) -> (T, u64) {
        let (before, cap) = (self.spent(), self.cap.get());
        self.cap.set(cap.min(before.saturating_add(operations)));
        self.set_limit(0);
        let result = f();
        let spent = self.spent() - before;
        self.cap.set(cap.saturating_add(spent));
        self.set_limit(0);
        (result, spent)
    }

    /// Runs `f` with the limit off, and puts it back: for printing, which must work after the limit was hit.
    pub fn unlimited<T>(&self, f: impl FnOnce() -> T) -> T {
        // SAFETY: the context is alive.
        unsafe {
            let max = isl_ctx_get_max_operations(self.raw());
            isl_ctx_set_max_operations(self.raw(), 0);
            let result = f();
            isl_ctx_set_max_operations(self.raw(), max);
            result
        }
    }

    /// Runs `f` with so many operations at most, and no more than the limit leaves; what it spends counts towards the
    /// limit, which then holds again.
    pub fn within<T>(&self, operations: u64, f: impl FnOnce() -> T) -> T {
        // SAFETY: the context is alive.
        unsafe {
            let max = isl_ctx_get_max_operations(self.raw());
            let inner = self.operations().saturating_add(operations.max(1)) as c_ulong;
            isl_ctx_set_max_operations(self.raw(), if max == 0 { inner } else { inner.min(max) });
            let result = f();
            isl_ctx_set_max_operations(self.raw(), max);
            result
        }
    }

    /// Number of operations that have run since the limit was set. isl does not say: it is the least limit under which one
    /// more may run, found by halves, with limits beyond what runs in a lifetime as the end. Changes the limit.
    fn operations(&self) -> u64 {
        let (mut least, mut most) = (1u64, 1 << 48);
        while least < most {
            let middle = least.midpoint(most);
            // SAFETY: the context is alive.
            unsafe { isl_ctx_set_max_operations(self.raw(), middle as c_ulong) };
            if self.limit_is_hit() { least = middle + 1 } else { most = middle }
        }
        least
    }

    /// The error isl recorded, if any; the record is cleared.
    pub fn take_error(&self) -> Option<Error> {
        // SAFETY: the context is alive; message and file are copied before the record is cleared.
        unsafe {
            let file = borrowed_text(isl_ctx_last_error_file(self.raw())).unwrap_or_default();
            let kind = match isl_ctx_last_error(self.raw()) {
                0 => return None,
                2 => ErrorKind::Memory,
                4 => ErrorKind::Internal,
                // No caller has a tableau to give: isl disagrees with itself (0.27 does where it unites two sets).
                5 if file.ends_with("isl_tab.c") => ErrorKind::Internal,
                5 => ErrorKind::Invalid,
                7 => ErrorKind::Unsupported,
                _ => ErrorKind::Unknown,
            };
            let message = borrowed_text(isl_ctx_last_error_msg(self.raw())).unwrap_or_default();
            isl_ctx_reset_error(self.raw());
            let kind = if self.limit_is_hit() { ErrorKind::Limit } else { kind };
            Some(Error { kind, message })
        }
    }

    /// Test that no operation may run any more. isl lets a later message hide this one (the parser calls it a syntax
    /// error), so it is tried.
    fn limit_is_hit(&self) -> bool {
        // SAFETY: the context is alive; the number is freed, and freeing null is allowed.
        unsafe {
            let probe = isl_val_zero(self.raw());
            isl_val_free(probe);
            isl_ctx_reset_error(self.raw());
            probe.is_null()
        }
    }
}

impl Drop for RawCtx {
    fn drop(&mut self) {
        // SAFETY: every object holds the context through an `Rc`, so none is left here.
        unsafe { isl_ctx_free(self.raw()) }
    }
}
