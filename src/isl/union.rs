//! Unions of sets and maps of several spaces: all statements of a region at once,
//! `{ S[i] : 0 <= i < 8; T[i, j] : 0 <= i, j < 8 }`.

use super::ffi::bind;
use super::handles::{Map, Set, UMap, USet};

impl USet {
    bind! {
        /// Reads isl's notation.
        pub fn parse(ctx, text: text str) -> USet = isl_union_set_read_from_str;
        /// Nothing.
        pub fn empty(ctx) -> USet = isl_union_set_empty_ctx;
        /// The tuples in either.
        pub fn union(take self, other: take USet) -> USet = isl_union_set_union;
        /// Its sets, one a space.
        pub fn sets(keep self) -> Vec<Set> = isl_union_set_get_set_list;
    }
}

impl UMap {
    bind! {
        /// Reads isl's notation.
        pub fn parse(ctx, text: text str) -> UMap = isl_union_map_read_from_str;
        /// Nothing.
        pub fn empty(ctx) -> UMap = isl_union_map_empty_ctx;
        /// The pairs in either.
        pub fn union(take self, other: take UMap) -> UMap = isl_union_map_union;
        /// The pairs turned around.
        pub fn reverse(take self) -> UMap = isl_union_map_reverse;
        /// The tuples that are related to something.
        pub fn domain(take self) -> USet = isl_union_map_domain;
        /// The tuples that something is related to.
        pub fn range(take self) -> USet = isl_union_map_range;
        /// Restricts the domain.
        pub fn intersect_domain(take self, dom: take USet) -> UMap = isl_union_map_intersect_domain_union_set;
        /// Drops a part of the domain.
        pub fn subtract_domain(take self, dom: take USet) -> UMap = isl_union_map_subtract_domain;
        /// Maps the range: `other` after this.
        pub fn apply_range(take self, other: take UMap) -> UMap = isl_union_map_apply_range;
        /// Test that it is empty for all parameter values.
        pub fn is_empty(keep self) -> bool = isl_union_map_is_empty;
        /// Test that both hold the same pairs.
        pub fn is_equal(keep self, other: keep UMap) -> bool = isl_union_map_is_equal;
        /// Test that every pair is in `other`.
        pub fn is_subset(keep self, other: keep UMap) -> bool = isl_union_map_is_subset;
        /// Its maps, one a pair of spaces.
        pub fn maps(keep self) -> Vec<Map> = isl_union_map_get_map_list;
    }
}
