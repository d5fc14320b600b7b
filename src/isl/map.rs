//! Maps: relations between integer tuples, `[n] -> { S[i] -> A[i + 1] : 0 <= i < n }`.

use super::ffi::bind;
use super::handles::{BasicMap, Constraint, Map, Set, Space, UMap};
use super::space::Dim;

impl Map {
    bind! {
        /// Reads isl's notation.
        pub fn parse(ctx, text: text str) -> Map = isl_map_read_from_str;
        /// No pair of a space.
        pub fn empty(space: take Space) -> Map = isl_map_empty;
        /// Each tuple to itself.
        pub fn identity(space: take Space) -> Map = isl_map_identity;
        /// All pairs of `domain` and `range`.
        pub fn from_domain_and_range(domain: take Set, range: take Set) -> Map = isl_map_from_domain_and_range;
        /// Its space.
        pub fn space(keep self) -> Space = isl_map_get_space;
        /// How many dimensions of a kind.
        pub fn dim(keep self, kind: val Dim) -> usize = isl_map_dim;
        /// The position of a dimension by name.
        pub fn find_dim(keep self, kind: val Dim, name: text str) -> Option<usize> = isl_map_find_dim_by_name;
        /// The name of the domain's or the range's tuple.
        pub fn tuple_name(keep self, kind: val Dim) -> Option<String> = isl_map_get_tuple_name;
        /// Names the domain's or the range's tuple.
        pub fn set_tuple_name(take self, kind: val Dim, name: text str) -> Map = isl_map_set_tuple_name;
        /// Takes a tuple's name away.
        pub fn reset_tuple_name(take self, kind: val Dim) -> Map = isl_map_reset_tuple_id;
        /// The pairs in either.
        pub fn union(take self, other: take Map) -> Map = isl_map_union;
        /// The pairs here that are not in `other`.
        pub fn subtract(take self, other: take Map) -> Map = isl_map_subtract;
        /// The pairs turned around.
        pub fn reverse(take self) -> Map = isl_map_reverse;
        /// The tuples that are related to something.
        pub fn domain(take self) -> Set = isl_map_domain;
        /// The tuples that something is related to.
        pub fn range(take self) -> Set = isl_map_range;
        /// The parameter values for which it has a pair.
        pub fn params(take self) -> Set = isl_map_params;
        /// Restricts the parameters.
        pub fn intersect_params(take self, params: take Set) -> Map = isl_map_intersect_params;
        /// Restricts the domain.
        pub fn intersect_domain(take self, set: take Set) -> Map = isl_map_intersect_domain;
        /// Restricts the range.
        pub fn intersect_range(take self, set: take Set) -> Map = isl_map_intersect_range;
        /// Maps the domain.
        pub fn apply_domain(take self, other: take Map) -> Map = isl_map_apply_domain;
        /// Maps the range: `other` after this.
        pub fn apply_range(take self, other: take Map) -> Map = isl_map_apply_range;
        /// Test that it is empty for all parameter values.
        pub fn is_empty(keep self) -> bool = isl_map_is_empty;
        /// Test that every pair is in `other`.
        pub fn is_subset(keep self, other: keep Map) -> bool = isl_map_is_subset;
        /// Test that no two tuples are related to the same one.
        pub fn is_injective(keep self) -> bool = isl_map_is_injective;
        /// Test that the constraints mention these dimensions.
        pub fn involves_dims(keep self, kind: val Dim, first: val usize, n: val usize) -> bool = isl_map_involves_dims;
        /// The differences range minus domain.
        pub fn deltas(take self) -> Set = isl_map_deltas;
        /// The pairs as a set of wrapped tuples.
        pub fn wrap(take self) -> Set = isl_map_wrap;
        /// Drops dimensions existentially.
        pub fn project_out(take self, kind: val Dim, first: val usize, n: val usize) -> Map = isl_map_project_out;
        /// Makes two dimensions equal.
        pub fn equate(take self, kind: val Dim, pos: val usize, other_kind: val Dim, other_pos: val usize) -> Map
            = isl_map_equate;
        /// Makes one dimension less than another.
        pub fn order_lt(take self, kind: val Dim, pos: val usize, other_kind: val Dim, other_pos: val usize) -> Map
            = isl_map_order_lt;
        /// Makes one dimension greater than another.
        pub fn order_gt(take self, kind: val Dim, pos: val usize, other_kind: val Dim, other_pos: val usize) -> Map
            = isl_map_order_gt;
        /// As a union of one map.
        pub fn to_union(take self) -> UMap = isl_map_to_union_map;
        /// Its pieces.
        pub fn basic_maps(keep self) -> Vec<BasicMap> = isl_map_get_basic_map_list;
    }
}

impl BasicMap {
    bind! {
        /// Its constraints, which all hold.
        pub fn constraints(keep self) -> Vec<Constraint> = isl_basic_map_get_constraint_list;
    }
}
