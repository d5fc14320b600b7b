//! Objects, plain values and results at the border: how each crosses it, as traits that the macros ask for.

use super::context::Ptr;
use super::text::borrowed_text;
use crate::ctx::Ctx;
use crate::error::{Error, Result};
use std::ffi::{c_char, c_int, c_long, c_uint};

unsafe extern "C" {
    fn free(memory: Ptr);
}

/// A wrapper that owns one counted reference to an isl object.
pub trait Object: Sized {
    /// Takes over what isl gave.
    ///
    /// # Safety
    /// `raw` is null, or an object of this very type in `ctx` whose reference the caller owns.
    unsafe fn own(raw: Ptr, ctx: &Ctx) -> Result<Self>;
    /// The pointer, for the length of a call that keeps it.
    fn raw(&self) -> Ptr;
    /// One more reference, for a call that takes it.
    fn copied(&self) -> Ptr;
    /// The context it lives in.
    fn ctx(&self) -> &Ctx;
}

/// `object`, if it lives in `ctx`.
pub fn same<'a, T: Object>(ctx: &Ctx, object: &'a T) -> Result<&'a T> {
    if object.ctx().is(ctx) { Ok(object) } else { Err(Error::invalid("objects of two contexts in one call")) }
}

/// A value that C receives.
pub trait Plain {
    /// Its C type.
    type C;
    /// The value, if C can take it.
    fn to_c(self) -> Result<Self::C>;
}

impl Plain for usize {
    type C = c_uint;
    /// Positions and counts of dimensions: isl adds them up unchecked, so absurd ones are refused here.
    fn to_c(self) -> Result<c_uint> {
        const MAX_DIMS: usize = 1 << 20;
        if self <= MAX_DIMS { Ok(self as c_uint) } else { Err(Error::invalid("a position or count beyond 2^20")) }
    }
}

impl Plain for i32 {
    type C = c_int;
    fn to_c(self) -> Result<c_int> {
        Ok(self)
    }
}

impl Plain for i64 {
    type C = c_long;
    fn to_c(self) -> Result<c_long> {
        Ok(self)
    }
}

impl Plain for bool {
    type C = c_int;
    fn to_c(self) -> Result<c_int> {
        Ok(self.into())
    }
}

/// The way from a result of C to one of Rust.
pub trait Ret: Sized {
    /// Its C type.
    type C;
    /// Takes it over.
    ///
    /// # Safety
    /// `c` is what a function that gives this type returned in `ctx`.
    unsafe fn from_c(c: Self::C, ctx: &Ctx) -> Result<Self>;
}

/// `isl_stat`.
impl Ret for () {
    type C = c_int;
    unsafe fn from_c(c: c_int, ctx: &Ctx) -> Result<()> {
        if c < 0 { Err(ctx.error()) } else { Ok(()) }
    }
}

/// `isl_bool`.
impl Ret for bool {
    type C = c_int;
    unsafe fn from_c(c: c_int, ctx: &Ctx) -> Result<bool> {
        if c < 0 { Err(ctx.error()) } else { Ok(c > 0) }
    }
}

/// `isl_size`.
impl Ret for usize {
    type C = c_int;
    unsafe fn from_c(c: c_int, ctx: &Ctx) -> Result<usize> {
        usize::try_from(c).map_err(|_| ctx.error())
    }
}

/// A position, or -1 for none.
impl Ret for Option<usize> {
    type C = c_int;
    unsafe fn from_c(c: c_int, ctx: &Ctx) -> Result<Option<usize>> {
        match usize::try_from(c) {
            Ok(position) => Ok(Some(position)),
            Err(_) => ctx.take_error().map_or(Ok(None), Err),
        }
    }
}

/// A number, beside which the only sign of failure is the error state.
impl Ret for i64 {
    type C = c_long;
    unsafe fn from_c(c: c_long, ctx: &Ctx) -> Result<i64> {
        ctx.take_error().map_or(Ok(c), Err)
    }
}

/// `__isl_give char *`.
impl Ret for String {
    type C = *mut c_char;
    unsafe fn from_c(c: *mut c_char, ctx: &Ctx) -> Result<String> {
        // SAFETY: a string from malloc that is ours to free.
        unsafe {
            let text = borrowed_text(c).ok_or_else(|| ctx.error());
            free(c.cast());
            text
        }
    }
}

/// `const char *`, null where there is no name.
impl Ret for Option<String> {
    type C = *const c_char;
    unsafe fn from_c(c: *const c_char, ctx: &Ctx) -> Result<Option<String>> {
        match unsafe { borrowed_text(c) } {
            Some(text) => Ok(Some(text)),
            None => ctx.take_error().map_or(Ok(None), Err),
        }
    }
}

/// The functions of `isl_T_list`, for objects that travel in lists.
pub trait Listed: Object {
    /// The five functions that `isl/list.h` declares for every list.
    const LIST: ListFns;
}

/// See [`Listed`].
pub struct ListFns {
    pub alloc: unsafe extern "C" fn(Ptr, c_int) -> Ptr,
    pub add: unsafe extern "C" fn(Ptr, Ptr) -> Ptr,
    pub len: unsafe extern "C" fn(Ptr) -> c_int,
    pub get: unsafe extern "C" fn(Ptr, c_int) -> Ptr,
    pub free: unsafe extern "C" fn(Ptr) -> Ptr,
}

/// An `isl_T_list` that is ours, read out and freed.
impl<T: Listed> Ret for Vec<T> {
    type C = Ptr;
    unsafe fn from_c(list: Ptr, ctx: &Ctx) -> Result<Vec<T>> {
        if list.is_null() {
            return Err(ctx.error());
        }
        // SAFETY: `LIST` belongs to T, positions are within the length, `get` gives a new reference.
        unsafe {
            let items = (0..(T::LIST.len)(list)).map(|i| T::own((T::LIST.get)(list, i), ctx)).collect();
            (T::LIST.free)(list);
            items
        }
    }
}
