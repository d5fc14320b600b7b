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
        /// No dimensions, no tuple name.
        pub fn unit(ctx) -> Space = isl_space_unit;
        /// Number of dimensions of a kind.
        pub fn dim(keep self, kind: val Dim) -> usize = isl_space_dim;
        /// A dimension's name.
        pub fn dim_name(keep self, kind: val Dim, pos: val usize) -> Option<String> = isl_space_get_dim_name;
        /// The name of the tuple of a kind.
        pub fn tuple_name(keep self, kind: val Dim) -> Option<String> = isl_space_get_tuple_name;
        /// The parameters alone.
        pub fn params(take self) -> Space = isl_space_params;
        /// Of a map space, its domain.
        pub fn domain(take self) -> Space = isl_space_domain;
        /// Of a map space, its range.
        pub fn range(take self) -> Space = isl_space_range;
        /// Test that the two are the same space.
        pub fn is_equal(keep self, other: keep Space) -> bool = isl_space_is_equal;
        /// The space from this set space to itself.
        pub fn map_from_set(take self) -> Space = isl_space_map_from_set;
        /// The space of maps from here to `range`.
        pub fn map_to(take self, range: take Space) -> Space = isl_space_map_from_domain_and_range;
        /// Adds a tuple to a parameter space.
        pub fn add_unnamed_tuple(take self, size: val usize) -> Space = isl_space_add_unnamed_tuple_ui;
        /// Adds a named tuple to a parameter space.
        pub fn add_named_tuple(take self, name: id str, size: val usize) -> Space = isl_space_add_named_tuple_id_ui;
        /// Adds a parameter.
        pub fn add_param(take self, name: id str) -> Space = isl_space_add_param_id;
    }
}
