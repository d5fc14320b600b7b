//! Rational numbers and names: the small values that other objects are described with.

use super::Result;
use super::ffi::{bind, objects};

objects! {
    /// A rational number of any size, or infinity, or no number.
    Val: isl_val_copy, isl_val_free, isl_val_to_str
        [isl_val_list_alloc, isl_val_list_add, isl_val_list_n_val,
        isl_val_list_get_at, isl_val_list_free];
    /// A name as isl keeps it; the methods elsewhere take and give plain strings.
    Id: isl_id_copy, isl_id_free, isl_id_to_str
        [isl_id_list_alloc, isl_id_list_add, isl_id_list_n_id,
        isl_id_list_get_at, isl_id_list_free];
}

impl Val {
    bind! {
        /// An integer.
        pub fn from_int(ctx, value: val i64) -> Val = isl_val_int_from_si;
        /// The numerator; fails where it exceeds an `i64` or this is not a rational.
        pub fn numerator(keep self) -> i64 = isl_val_get_num_si;
        /// The denominator; fails as [`Val::numerator`] does.
        pub fn denominator(keep self) -> i64 = isl_val_get_den_si;
        /// Whether it is an integer.
        pub fn is_int(keep self) -> bool = isl_val_is_int;
        /// Whether it is a rational number, so neither an infinity nor no number.
        pub fn is_rat(keep self) -> bool = isl_val_is_rat;
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
