//! Rational numbers and names: the small values that other objects are described with.

use super::error::Result;
use super::ffi::bind;
use super::handles::{Id, Val};

impl Val {
    bind! {
        /// An integer.
        pub fn from_int(ctx, value: val i64) -> Val = isl_val_int_from_si;
        /// The numerator; fails where it exceeds an `i64` or this is not a rational.
        pub fn numerator(keep self) -> i64 = isl_val_get_num_si;
        /// Test that it is an integer.
        pub fn is_int(keep self) -> bool = isl_val_is_int;
    }
}

impl Val {
    /// The value, where it is an integer that fits.
    pub fn to_i64(&self) -> Option<i64> {
        if self.is_int().ok()? { self.numerator().ok() } else { None }
    }
}

impl Id {
    bind! {
        fn name(keep self) -> Option<String> = isl_id_get_name;
    }
}

impl Id {
    /// The name; empty where there is none.
    pub(super) fn text(&self) -> Result<String> {
        Ok(self.name()?.unwrap_or_default())
    }
}
