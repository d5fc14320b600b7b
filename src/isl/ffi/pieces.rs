//! Pieces of a piecewise expression, which isl hands to a callback: no line of a table says that.

use super::context::Ptr;
use super::object::{Object, Ret};
use crate::error::Result;
use crate::handles::{Aff, PwAff, Set};
use std::ffi::c_int;

unsafe extern "C" {
    fn isl_pw_aff_foreach_piece(pw: Ptr, f: extern "C" fn(Ptr, Ptr, Ptr) -> c_int, user: Ptr) -> c_int;
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
