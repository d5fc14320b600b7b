//! The border to C: the only `unsafe` of the isl wrappers, written once as macros.
//!
//! Every other file of this module is a table of lines such as
//! `pub fn union(take self, other: take Set) -> Set = isl_set_union;`, which [`bind!`] turns into a safe method. A line
//! states what isl's header states: the words `take` and `keep` are the header's `__isl_take` and `__isl_keep`, so a
//! line is checked by laying it beside the header.
//!
//! How an argument crosses:
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
//! How a result comes back is [`Ret`]. Why this is sound: an object holds its context alive; contexts and objects are
//! neither `Send` nor `Sync` (an `Rc` inside); objects of two contexts never meet in one call ([`Ctx::same`]); every
//! null pointer, -1 and error state becomes an [`Error`].

use std::ffi::{CStr, CString, c_char, c_int, c_long, c_uint, c_ulong, c_void};
use std::ptr::NonNull;

use super::ctx::{Ctx, Error, ErrorKind, Result};
use super::val::Id;
use super::{Aff, PwAff, Set};

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
    fn isl_id_alloc(ctx: Ptr, name: *const c_char, user: Ptr) -> Ptr;
    fn isl_pw_aff_foreach_piece(pw: Ptr, f: extern "C" fn(Ptr, Ptr, Ptr) -> c_int, user: Ptr) -> c_int;
    fn free(memory: Ptr);
}

/// An owned `isl_ctx`, freed when the last object in it is gone.
pub struct RawCtx(NonNull<c_void>);

impl RawCtx {
    /// `ISL_ON_ERROR_CONTINUE` of `isl/options.h`: report errors by value, print nothing.
    const CONTINUE: c_int = 1;

    /// A context that reports its errors by value.
    pub fn new() -> Self {
        // SAFETY: no precondition; the option is set on the context just made.
        unsafe {
            let raw = NonNull::new(isl_ctx_alloc()).expect("out of memory");
            isl_options_set_on_error(raw.as_ptr(), Self::CONTINUE);
            RawCtx(raw)
        }
    }

    /// The pointer, for the length of a call.
    pub fn raw(&self) -> Ptr {
        self.0.as_ptr()
    }

    /// Sets how many operations may still run before isl refuses (0: any number), counting from now on.
    pub fn set_limit(&self, max_operations: u64) {
        // SAFETY: the context is alive.
        unsafe {
            isl_ctx_reset_operations(self.raw());
            isl_ctx_set_max_operations(self.raw(), max_operations as c_ulong);
        }
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

    /// How many operations have run since the limit was set. isl does not say: it is the least limit under which one
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

    /// Whether no operation may run any more. isl lets a later message hide this one (the parser calls it a syntax
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

/// Copies a string that C keeps; null gives `None`.
///
/// # Safety
/// `text` is null or a string that ends in a zero byte.
unsafe fn borrowed_text(text: *const c_char) -> Option<String> {
    (!text.is_null()).then(|| unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned())
}

/// A string for C.
pub fn c_string(text: &str) -> Result<CString> {
    CString::new(text).map_err(|_| Error::invalid("a string with a zero byte in it"))
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

/// What C receives by value.
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

/// How a result of C becomes one of Rust.
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

/// An `isl_T_list` with copies of `items`, for a call that takes it.
pub fn new_list<T: Listed>(items: &[T], ctx: &Ctx) -> Result<Ptr> {
    let len = items.len().to_c()? as c_int;
    items.iter().try_for_each(|item| ctx.same(item).map(drop))?;
    // SAFETY: `LIST` belongs to T; `add` consumes and returns the list, and takes null for a failed one.
    let list =
        unsafe { items.iter().fold((T::LIST.alloc)(ctx.raw(), len), |list, item| (T::LIST.add)(list, item.copied())) };
    if list.is_null() { Err(ctx.error()) } else { Ok(list) }
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

/// The pieces of `pw`: on each set the value is its expression.
pub fn pw_aff_pieces(pw: &PwAff) -> Result<Vec<(Set, Aff)>> {
    type Found = Vec<(Ptr, Ptr)>;
    extern "C" fn push(set: Ptr, aff: Ptr, found: Ptr) -> c_int {
        // SAFETY: `found` is the vector below, which nothing else touches during the call.
        unsafe { &mut *found.cast::<Found>() }.push((set, aff));
        0
    }
    let ctx = pw.ctx();
    let mut found = Found::new();
    // SAFETY: isl hands an `isl_set` and an `isl_aff` to the callback, which owns both.
    unsafe {
        let status = isl_pw_aff_foreach_piece(pw.raw(), push, (&raw mut found).cast());
        let pieces: Vec<_> = found.into_iter().map(|(set, aff)| (Set::own(set, ctx), Aff::own(aff, ctx))).collect();
        <()>::from_c(status, ctx)?;
        pieces.into_iter().map(|(set, aff)| Ok((set?, aff?))).collect()
    }
}

/// A name as an isl object; the same text gives the same identifier within a context.
pub fn new_id(name: &str, ctx: &Ctx) -> Result<Id> {
    let name = c_string(name)?;
    // SAFETY: isl copies the text; the user pointer is null.
    unsafe { Id::own(isl_id_alloc(ctx.raw(), name.as_ptr(), std::ptr::null_mut()), ctx) }
}

/// Declares wrappers: `Set: isl_set_copy, isl_set_free, isl_set_to_str;`, the last where isl can print it, then
/// `[alloc, add, n, get_at, free]` of its list where it travels in lists.
macro_rules! objects {
    ($( $(#[$doc:meta])* $name:ident: $copy:ident, $free:ident $(, $to_str:ident)?
        $([$l_alloc:ident, $l_add:ident, $l_n:ident, $l_get:ident, $l_free:ident])?; )*) => { $(
        $(#[$doc])*
        pub struct $name {
            raw: std::ptr::NonNull<std::ffi::c_void>,
            ctx: $crate::isl::Ctx,
        }

        const _: () = {
            use $crate::isl::ffi::{Object, Ptr, Ret};
            use $crate::isl::{Ctx, Result};

            unsafe extern "C" {
                fn $copy(object: Ptr) -> Ptr;
                fn $free(object: Ptr) -> Ptr;
            }

            impl Object for $name {
                unsafe fn own(raw: Ptr, ctx: &Ctx) -> Result<Self> {
                    let raw = std::ptr::NonNull::new(raw).ok_or_else(|| ctx.error())?;
                    Ok($name { raw, ctx: ctx.clone() })
                }
                fn raw(&self) -> Ptr {
                    self.raw.as_ptr()
                }
                fn copied(&self) -> Ptr {
                    // SAFETY: the object is alive; copying counts one reference up and cannot fail.
                    unsafe { $copy(self.raw()) }
                }
                fn ctx(&self) -> &Ctx {
                    &self.ctx
                }
            }

            impl Ret for $name {
                type C = Ptr;
                unsafe fn from_c(c: Ptr, ctx: &Ctx) -> Result<Self> {
                    unsafe { Self::own(c, ctx) }
                }
            }

            impl Clone for $name {
                fn clone(&self) -> Self {
                    let raw = std::ptr::NonNull::new(self.copied()).expect("isl copies what is alive");
                    $name { raw, ctx: self.ctx.clone() }
                }
            }

            impl Drop for $name {
                fn drop(&mut self) {
                    // SAFETY: this wrapper owns one reference, given back here.
                    unsafe { $free(self.raw()) };
                }
            }

            $(
            impl std::fmt::Display for $name {
                fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
                    unsafe extern "C" {
                        fn $to_str(object: Ptr) -> *mut std::ffi::c_char;
                    }
                    // SAFETY: the object is alive; the string is given to us.
                    let text = || unsafe { String::from_c($to_str(self.raw()), &self.ctx) };
                    f.write_str(&self.ctx.unlimited(text).unwrap_or_else(|e| format!("<{e}>")))
                }
            }

            impl std::fmt::Debug for $name {
                fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
                    std::fmt::Display::fmt(self, f)
                }
            }
            )?

            $(
            impl $crate::isl::ffi::Listed for $name {
                const LIST: $crate::isl::ffi::ListFns = {
                    unsafe extern "C" {
                        fn $l_alloc(ctx: Ptr, n: std::ffi::c_int) -> Ptr;
                        fn $l_add(list: Ptr, item: Ptr) -> Ptr;
                        fn $l_n(list: Ptr) -> std::ffi::c_int;
                        fn $l_get(list: Ptr, position: std::ffi::c_int) -> Ptr;
                        fn $l_free(list: Ptr) -> Ptr;
                    }
                    $crate::isl::ffi::ListFns { alloc: $l_alloc, add: $l_add, len: $l_n, get: $l_get, free: $l_free }
                };
            }
            )?
        };
    )* };
}

/// Declares an enumeration that crosses in both directions, with the numbers of isl's header.
macro_rules! enumeration {
    ($(#[$doc:meta])* pub enum $name:ident { $( $(#[$item_doc:meta])* $item:ident = $code:literal, )* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name { $( $(#[$item_doc])* $item = $code, )* }

        impl $crate::isl::ffi::Plain for $name {
            type C = std::ffi::c_int;
            fn to_c(self) -> $crate::isl::Result<Self::C> {
                Ok(self as Self::C)
            }
        }

        impl $crate::isl::ffi::Ret for $name {
            type C = std::ffi::c_int;
            unsafe fn from_c(c: Self::C, ctx: &$crate::isl::Ctx) -> $crate::isl::Result<Self> {
                match c {
                    $( $code => Ok($name::$item), )*
                    _ => Err(ctx.error()),
                }
            }
        }
    };
}

/// Declares safe functions by a table; the head of this file says how to read a line. A line starts with `take self`
/// or `keep self` (a method), with `ctx` (made from the context alone) or with an object (made from that).
macro_rules! bind {
    ($( $(#[$meta:meta])* $vis:vis fn $name:ident($($args:tt)*) -> $ret:ty = $c:ident; )*) => {
        $( $crate::isl::ffi::bind_one! { [$(#[$meta])* $vis] $name [$ret] $c ($($args)*) } )*
    };
}

/// One line of [`bind!`], by how it starts.
macro_rules! bind_one {
    ([$($head:tt)*] $name:ident [$ret:ty] $c:ident (ctx self $(, $a:ident: $how:ident $t:ident)* $(,)?)) => {
        $($head)* fn $name(&self $(, $a: $crate::isl::ffi::arg!(@rust $how $t))*) -> $crate::isl::Result<$ret> {
            $crate::isl::ffi::call!(self, $c, $ret; keep self; $($a $how $t),*)
        }
    };
    ([$($head:tt)*] $name:ident [$ret:ty] $c:ident (ctx $(, $a:ident: $how:ident $t:ident)* $(,)?)) => {
        $($head)* fn $name(
            ctx: &$crate::isl::Ctx $(, $a: $crate::isl::ffi::arg!(@rust $how $t))*
        ) -> $crate::isl::Result<$ret> {
            $crate::isl::ffi::call!(ctx, $c, $ret; keep ctx; $($a $how $t),*)
        }
    };
    ([$($head:tt)*] $name:ident [$ret:ty] $c:ident ($own:ident self $(, $a:ident: $how:ident $t:ident)* $(,)?)) => {
        $($head)* fn $name(&self $(, $a: $crate::isl::ffi::arg!(@rust $how $t))*) -> $crate::isl::Result<$ret> {
            let ctx = $crate::isl::ffi::Object::ctx(self);
            $crate::isl::ffi::call!(ctx, $c, $ret; $own self; $($a $how $t),*)
        }
    };
    ([$($head:tt)*] $name:ident [$ret:ty] $c:ident
        ($first:ident: $own:ident $ft:ident $(, $a:ident: $how:ident $t:ident)* $(,)?)) => {
        $($head)* fn $name($first: &$ft $(, $a: $crate::isl::ffi::arg!(@rust $how $t))*) -> $crate::isl::Result<$ret> {
            let ctx = $crate::isl::ffi::Object::ctx($first);
            $crate::isl::ffi::call!(ctx, $c, $ret; $own $first; $($a $how $t),*)
        }
    };
}

/// Declares `coalesce` of a type. It is only ever asked for what is simpler and means the same, and isl 0.27 fails in
/// some sets of strided loops ("total dimensionality changed unexpectedly"): then the object stays as it is.
macro_rules! coalesce {
    ($type:ident = $c:ident) => {
        impl $type {
            /// Joins pieces where that is exact and isl is able to.
            pub fn coalesce(&self) -> $crate::isl::Result<$type> {
                let ctx = $crate::isl::ffi::Object::ctx(self);
                match $crate::isl::ffi::call!(ctx, $c, $type; take self;) {
                    Err(e) if e.kind == $crate::isl::ErrorKind::Internal => Ok(self.clone()),
                    found => found,
                }
            }
        }
    };
}

/// The call itself: prepares what may fail, declares the C function, hands the arguments over.
macro_rules! call {
    ($ctx:expr, $c:ident, $ret:ty; $own:ident $first:expr; $($a:ident $how:ident $t:ident),*) => {{
        #[allow(unused_imports)] // A context is passed by its own method, an object by its trait's.
        use $crate::isl::ffi::{Object, Ptr, Ret};
        unsafe extern "C" {
            fn $c(first: Ptr $(, $a: $crate::isl::ffi::arg!(@c $how $t))*) -> <$ret as Ret>::C;
        }
        let ctx: &$crate::isl::Ctx = $ctx;
        $( let $a = $crate::isl::ffi::arg!(@hold $how $a, ctx); )*
        // SAFETY: the line says what isl's header says, every argument is alive and of the same context, and what is
        // taken is a reference made for this call.
        unsafe {
            let result = $c($crate::isl::ffi::arg!(@pass $own $first) $(, $crate::isl::ffi::arg!(@pass $how $a))*);
            <$ret as Ret>::from_c(result, ctx)
        }
    }};
}

/// One argument: its Rust type, its C type, what is held for the length of the call, and what is passed.
macro_rules! arg {
    (@rust take $t:ident) => { &$t };
    (@rust keep $t:ident) => { &$t };
    (@rust list $t:ident) => { &[$t] };
    (@rust id str) => { &str };
    (@rust text str) => { &str };
    (@rust $how:ident $t:ident) => { $t };

    (@c text $t:ident) => { *const std::ffi::c_char };
    (@c val $t:ident) => { <$t as $crate::isl::ffi::Plain>::C };
    (@c $how:ident $t:ident) => { $crate::isl::ffi::Ptr };

    (@hold take $a:ident, $ctx:ident) => { $ctx.same($a)? };
    (@hold keep $a:ident, $ctx:ident) => { $ctx.same($a)? };
    (@hold list $a:ident, $ctx:ident) => { $crate::isl::ffi::new_list($a, $ctx)? };
    (@hold int $a:ident, $ctx:ident) => { $crate::isl::Val::from_int($ctx, $a)? };
    (@hold id $a:ident, $ctx:ident) => { $crate::isl::ffi::new_id($a, $ctx)? };
    (@hold text $a:ident, $ctx:ident) => { $crate::isl::ffi::c_string($a)? };
    (@hold val $a:ident, $ctx:ident) => { $crate::isl::ffi::Plain::to_c($a)? };

    (@pass keep $a:expr) => { $a.raw() };
    (@pass take $a:expr) => { $a.copied() };
    (@pass int $a:ident) => { $a.copied() };
    (@pass id $a:ident) => { $a.copied() };
    (@pass text $a:ident) => { $a.as_ptr() };
    (@pass $how:ident $a:ident) => { $a };
}

pub(super) use {arg, bind, bind_one, call, coalesce, enumeration, objects};
