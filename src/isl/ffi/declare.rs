//! Declarations of handles and enumerations, as macros: a handle owns one reference, and gives it back.

/// Declares wrappers: `Set: isl_set_copy, isl_set_free, isl_set_to_str;`, the last where isl can print it, then
/// `[alloc, add, n, get_at, free]` of its list where it travels in lists.
macro_rules! objects {
    ($( $(#[$doc:meta])* $name:ident: $copy:ident, $free:ident $(, $to_str:ident)?
        $([$l_alloc:ident, $l_add:ident, $l_n:ident, $l_get:ident, $l_free:ident])?; )*) => { $(
        $(#[$doc])*
        pub struct $name {
            raw: std::ptr::NonNull<std::ffi::c_void>,
            ctx: $crate::Ctx,
        }

        const _: () = {
            use $crate::ffi::{Object, Ptr, Ret};
            use $crate::{Ctx, Result};

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
            impl $crate::ffi::Listed for $name {
                const LIST: $crate::ffi::ListFns = {
                    unsafe extern "C" {
                        fn $l_alloc(ctx: Ptr, n: std::ffi::c_int) -> Ptr;
                        fn $l_add(list: Ptr, item: Ptr) -> Ptr;
                        fn $l_n(list: Ptr) -> std::ffi::c_int;
                        fn $l_get(list: Ptr, position: std::ffi::c_int) -> Ptr;
                        fn $l_free(list: Ptr) -> Ptr;
                    }
                    $crate::ffi::ListFns { alloc: $l_alloc, add: $l_add, len: $l_n, get: $l_get, free: $l_free }
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

        impl $crate::ffi::Plain for $name {
            type C = std::ffi::c_int;
            fn to_c(self) -> $crate::Result<Self::C> {
                Ok(self as Self::C)
            }
        }

        impl $crate::ffi::Ret for $name {
            type C = std::ffi::c_int;
            unsafe fn from_c(c: Self::C, ctx: &$crate::Ctx) -> $crate::Result<Self> {
                match c {
                    $( $code => Ok($name::$item), )*
                    _ => Err(ctx.error()),
                }
            }
        }
    };
}

pub(crate) use {enumeration, objects};
