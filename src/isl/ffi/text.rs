//! Strings across the border, copied on either way.

use crate::error::{Error, Result};
use std::ffi::{CStr, CString, c_char};

/// Copies a string that C keeps; null gives `None`.
///
/// # Safety
/// `text` is null or a string that ends in a zero byte.
pub(super) unsafe fn borrowed_text(text: *const c_char) -> Option<String> {
    (!text.is_null()).then(|| unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned())
}

/// A string for C.
pub fn c_string(text: &str) -> Result<CString> {
    CString::new(text).map_err(|_| Error::invalid("a string with a zero byte in it"))
}
