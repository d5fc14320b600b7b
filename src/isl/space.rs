//! Spaces: parameters and one or two named tuples, `[n] -> { S[i] -> A[j] }`, and the kinds of their dimensions.
//!
//! [`Dim`] says which dimensions are meant; a set's own are [`Dim::Out`].

use super::ffi::{bind, enumeration};
use super::handles::Space;

enumeration! {
/// Which dimensions of an object are meant.
pub enum Dim {
    /// Parameters: `n` in `[n] -> { ... }`.
    Param = 1,
    /// The domain of a map or function.
    In = 2,
    /// The range of a map; the dimensions of a set.
    Out = 3,
    /// Existentially quantified integer divisions.
    Div = 4,
}
}

impl Space {
    bind! {
        /// A dimension's name.
        pub fn dim_name(keep self, kind: val Dim, pos: val usize) -> Option<String> = isl_space_get_dim_name;
    }
}
