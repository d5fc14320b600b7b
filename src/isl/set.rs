//! Sets: named tuples of integers under affine constraints with parameters, `[n] -> { S[i] : 0 <= i < n }`.
//!
//! [`Dim`] says which dimensions are meant; a set's own are [`Dim::Out`]. A [`Set`] is a union of [`BasicSet`]s, each a
//! conjunction of [`Constraint`]s.

use super::ffi::{bind, coalesce};
use super::handles::{BasicSet, Constraint, Map, PwAff, Set, Space, USet, Val};
use super::space::Dim;

impl Set {
    bind! {
        /// Reads isl's notation.
        pub fn parse(ctx, text: text str) -> Set = isl_set_read_from_str;
        /// Its values.
        pub fn from_pw_aff(pwaff: take PwAff) -> Set = isl_set_from_pw_aff;
        /// All tuples of a space.
        pub fn universe(space: take Space) -> Set = isl_set_universe;
        /// No tuple of a space.
        pub fn empty(space: take Space) -> Set = isl_set_empty;
        /// Its space.
        pub fn space(keep self) -> Space = isl_set_get_space;
        /// How many dimensions of a kind.
        pub fn dim(keep self, kind: val Dim) -> usize = isl_set_dim;
        /// A dimension's name.
        pub fn dim_name(keep self, kind: val Dim, pos: val usize) -> Option<String> = isl_set_get_dim_name;
        /// Names a dimension.
        pub fn set_dim_name(take self, kind: val Dim, pos: val usize, name: text str) -> Set = isl_set_set_dim_name;
        /// The position of a dimension by name.
        pub fn find_dim(keep self, kind: val Dim, name: text str) -> Option<usize> = isl_set_find_dim_by_name;
        /// The tuple's name.
        pub fn tuple_name(keep self) -> Option<String> = isl_set_get_tuple_name;
        /// Names the tuple.
        pub fn set_tuple_name(take self, name: text str) -> Set = isl_set_set_tuple_name;
        /// Takes the tuple's name away.
        pub fn reset_tuple_name(take self) -> Set = isl_set_reset_tuple_id;
        /// The tuples in either.
        pub fn union(take self, other: take Set) -> Set = isl_set_union;
        /// The tuples in both.
        pub fn intersect(take self, other: take Set) -> Set = isl_set_intersect;
        /// The tuples here that are not in `other`.
        pub fn subtract(take self, other: take Set) -> Set = isl_set_subtract;
        /// The tuples that are not here.
        pub fn complement(take self) -> Set = isl_set_complement;
        /// The image under a map.
        pub fn apply(take self, map: take Map) -> Set = isl_set_apply;
        /// The parameter values for which it has a tuple.
        pub fn params(take self) -> Set = isl_set_params;
        /// Restricts the parameters.
        pub fn intersect_params(take self, params: take Set) -> Set = isl_set_intersect_params;
        /// What is left to check where `context` is known to hold.
        pub fn gist(take self, context: take Set) -> Set = isl_set_gist;
        /// What is left to check where a context of the parameters is known to hold.
        pub fn gist_params(take self, context: take Set) -> Set = isl_set_gist_params;
        /// Test that it is empty for all parameter values.
        pub fn is_empty(keep self) -> bool = isl_set_is_empty;
        /// Test that both hold the same tuples.
        pub fn is_equal(keep self, other: keep Set) -> bool = isl_set_is_equal;
        /// Test that both are obviously the same set; no says nothing.
        pub fn plain_is_equal(keep self, other: keep Set) -> bool = isl_set_plain_is_equal;
        /// Test that every tuple is in `other`.
        pub fn is_subset(keep self, other: keep Set) -> bool = isl_set_is_subset;
        /// Test that no tuple is in both.
        pub fn is_disjoint(keep self, other: keep Set) -> bool = isl_set_is_disjoint;
        /// Test that it is obviously everything.
        pub fn is_universe(keep self) -> bool = isl_set_plain_is_universe;
        /// Test that the constraints mention these dimensions.
        pub fn involves_dims(keep self, kind: val Dim, first: val usize, n: val usize) -> bool = isl_set_involves_dims;
        /// Test that a dimension is bounded on both sides. An equation counts, even where it says no more than that the
        /// dimension is even.
        pub fn dim_is_bounded(keep self, kind: val Dim, pos: val usize) -> bool = isl_set_dim_is_bounded;
        /// Test that some piece has an integer division, or another number that only has to exist.
        pub fn involves_locals(keep self) -> bool = isl_set_involves_locals;
        /// Projects the integer divisions out: a superset.
        pub fn remove_divs(take self) -> Set = isl_set_remove_divs;
        /// A superset of one piece, from constraints that are there.
        pub fn simple_hull(take self) -> BasicSet = isl_set_simple_hull;
        /// The least value of a dimension, by parameters.
        pub fn dim_min(take self, pos: val usize) -> PwAff = isl_set_dim_min;
        /// The greatest value of a dimension, by parameters.
        pub fn dim_max(take self, pos: val usize) -> PwAff = isl_set_dim_max;
        /// The least value of a dimension over all parameters; infinite where there is none.
        pub fn dim_min_val(take self, pos: val usize) -> Val = isl_set_dim_min_val;
        /// The greatest value of a dimension over all parameters; infinite where there is none.
        pub fn dim_max_val(take self, pos: val usize) -> Val = isl_set_dim_max_val;
        /// Drops dimensions existentially.
        pub fn project_out(take self, kind: val Dim, first: val usize, n: val usize) -> Set = isl_set_project_out;
        /// Drops the parameters existentially.
        pub fn project_out_all_params(take self) -> Set = isl_set_project_out_all_params;
        /// Drops a parameter existentially.
        pub fn project_out_param(take self, name: id str) -> Set = isl_set_project_out_param_id;
        /// Forgets what is known of dimensions, and keeps them.
        pub fn eliminate(take self, kind: val Dim, first: val usize, n: val usize) -> Set = isl_set_eliminate;
        /// Adds unconstrained dimensions at the end.
        pub fn add_dims(take self, kind: val Dim, n: val usize) -> Set = isl_set_add_dims;
        /// Inserts unconstrained dimensions.
        pub fn insert_dims(take self, kind: val Dim, pos: val usize, n: val usize) -> Set = isl_set_insert_dims;
        /// Bounds a dimension from above.
        pub fn upper_bound(take self, kind: val Dim, pos: val usize, value: int i64) -> Set = isl_set_upper_bound_val;
        /// Makes two dimensions equal.
        pub fn equate(take self, kind: val Dim, pos: val usize, other_kind: val Dim, other_pos: val usize) -> Set
            = isl_set_equate;
        /// As a union of one set.
        pub fn to_union(take self) -> USet = isl_set_to_union_set;
        /// Its pieces.
        pub fn basic_sets(keep self) -> Vec<BasicSet> = isl_set_get_basic_set_list;
    }
}

impl BasicSet {
    bind! {
        /// As a set.
        pub fn to_set(take self) -> Set = isl_basic_set_to_set;
        /// Its constraints, which all hold.
        pub fn constraints(keep self) -> Vec<Constraint> = isl_basic_set_get_constraint_list;
    }
}

coalesce!(Set = isl_set_coalesce);
