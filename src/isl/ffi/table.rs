//! Tables of isl's functions, as macros: a line becomes a safe method, and its arguments what C takes.

use super::context::Ptr;
use super::object::{Listed, Object, Plain, same};
use super::text::c_string;
use crate::ctx::Ctx;
use crate::error::Result;
use crate::handles::Id;
use std::ffi::{c_char, c_int};

unsafe extern "C" {
    fn isl_id_alloc(ctx: Ptr, name: *const c_char, user: Ptr) -> Ptr;
}

/// An `isl_T_list` with copies of `items`, for a call that takes it.
pub fn new_list<T: Listed>(items: &[T], ctx: &Ctx) -> Result<Ptr> {
    let len = items.len().to_c()? as c_int;
    items.iter().try_for_each(|item| same(ctx, item).map(drop))?;
    // SAFETY: `LIST` belongs to T; `add` consumes and returns the list, and takes null for a failed one.
    let list =
        unsafe { items.iter().fold((T::LIST.alloc)(ctx.raw(), len), |list, item| (T::LIST.add)(list, item.copied())) };
    if list.is_null() { Err(ctx.error()) } else { Ok(list) }
}

/// A name as an isl object; the same text gives the same identifier within a context.
pub fn new_id(name: &str, ctx: &Ctx) -> Result<Id> {
    let name = c_string(name)?;
    // SAFETY: isl copies the text; the user pointer is null.
    unsafe { Id::own(isl_id_alloc(ctx.raw(), name.as_ptr(), std::ptr::null_mut()), ctx) }
}

/// Declares safe functions by a table; the header of `ffi` says how to read a line. A line starts with `take self`
/// or `keep self` (a method), with `ctx` (made from the context alone) or with an object (made from that).
macro_rules! bind {
    ($( $(#[$meta:meta])* $vis:vis fn $name:ident($($args:tt)*) -> $ret:ty = $c:ident; )*) => {
        $( $crate::ffi::bind_one! { [$(#[$meta])* $vis] $name [$ret] $c ($($args)*) } )*
    };
}

/// One line of [`bind!`], by how it starts.
macro_rules! bind_one {
    ([$($head:tt)*] $name:ident [$ret:ty] $c:ident (ctx self $(, $a:ident: $how:ident $t:ident)* $(,)?)) => {
        $($head)* fn $name(&self $(, $a: $crate::ffi::arg!(@rust $how $t))*) -> $crate::Result<$ret> {
            $crate::ffi::call!(self, $c, $ret; keep self; $($a $how $t),*)
        }
    };
    ([$($head:tt)*] $name:ident [$ret:ty] $c:ident (ctx $(, $a:ident: $how:ident $t:ident)* $(,)?)) => {
        $($head)* fn $name(
            ctx: &$crate::Ctx $(, $a: $crate::ffi::arg!(@rust $how $t))*
        ) -> $crate::Result<$ret> {
            $crate::ffi::call!(ctx, $c, $ret; keep ctx; $($a $how $t),*)
        }
    };
    ([$($head:tt)*] $name:ident [$ret:ty] $c:ident ($own:ident self $(, $a:ident: $how:ident $t:ident)* $(,)?)) => {
        $($head)* fn $name(&self $(, $a: $crate::ffi::arg!(@rust $how $t))*) -> $crate::Result<$ret> {
            let ctx = $crate::ffi::Object::ctx(self);
            $crate::ffi::call!(ctx, $c, $ret; $own self; $($a $how $t),*)
        }
    };
    ([$($head:tt)*] $name:ident [$ret:ty] $c:ident
        ($first:ident: $own:ident $ft:ident $(, $a:ident: $how:ident $t:ident)* $(,)?)) => {
        $($head)* fn $name($first: &$ft $(, $a: $crate::ffi::arg!(@rust $how $t))*) -> $crate::Result<$ret> {
            let ctx = $crate::ffi::Object::ctx($first);
            $crate::ffi::call!(ctx, $c, $ret; $own $first; $($a $how $t),*)
        }
    };
}

/// Declares `coalesce` of a type. It is only ever asked for what is simpler and means the same, and isl 0.27 fails in
/// some sets of strided loops ("total dimensionality changed unexpectedly"): then the object stays as it is.
macro_rules! coalesce {
    ($type:ident = $c:ident) => {
        impl $type {
            /// Joins pieces where that is exact and isl is able to.
            pub fn coalesce(&self) -> $crate::Result<$type> {
                let ctx = $crate::ffi::Object::ctx(self);
                match $crate::ffi::call!(ctx, $c, $type; take self;) {
                    Err(e) if e.kind == $crate::ErrorKind::Internal => Ok(self.clone()),
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
        use $crate::ffi::{Object, Ptr, Ret};
        unsafe extern "C" {
            fn $c(first: Ptr $(, $a: $crate::ffi::arg!(@c $how $t))*) -> <$ret as Ret>::C;
        }
        let ctx: &$crate::Ctx = $ctx;
        $( let $a = $crate::ffi::arg!(@hold $how $a, ctx); )*
        // SAFETY: the line says what isl's header says, every argument is alive and of the same context, and what is
        // taken is a reference made for this call.
        unsafe {
            let result = $c($crate::ffi::arg!(@pass $own $first) $(, $crate::ffi::arg!(@pass $how $a))*);
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
    (@c val $t:ident) => { <$t as $crate::ffi::Plain>::C };
    (@c $how:ident $t:ident) => { $crate::ffi::Ptr };

    (@hold take $a:ident, $ctx:ident) => { $crate::ffi::same($ctx, $a)? };
    (@hold keep $a:ident, $ctx:ident) => { $crate::ffi::same($ctx, $a)? };
    (@hold list $a:ident, $ctx:ident) => { $crate::ffi::new_list($a, $ctx)? };
    (@hold int $a:ident, $ctx:ident) => { $crate::Val::from_int($ctx, $a)? };
    (@hold id $a:ident, $ctx:ident) => { $crate::ffi::new_id($a, $ctx)? };
    (@hold text $a:ident, $ctx:ident) => { $crate::ffi::c_string($a)? };
    (@hold val $a:ident, $ctx:ident) => { $crate::ffi::Plain::to_c($a)? };

    (@pass keep $a:expr) => { $a.raw() };
    (@pass take $a:expr) => { $a.copied() };
    (@pass int $a:ident) => { $a.copied() };
    (@pass id $a:ident) => { $a.copied() };
    (@pass text $a:ident) => { $a.as_ptr() };
    (@pass $how:ident $a:ident) => { $a };
}

pub(crate) use {arg, bind, bind_one, call, coalesce};
