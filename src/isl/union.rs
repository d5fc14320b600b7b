//! Unions of sets and maps of several spaces: all statements of a region at once,
//! `{ S[i] : 0 <= i < 8; T[i, j] : 0 <= i, j < 8 }`.

use super::ffi::{bind, coalesce};
use super::handles::{Map, Mupa, Set, Space, UMap, UPwAff, USet};

impl USet {
    bind! {
        /// Reads isl's notation.
        pub fn parse(ctx, text: text str) -> USet = isl_union_set_read_from_str;
        /// Nothing.
        pub fn empty(ctx) -> USet = isl_union_set_empty_ctx;
        /// The tuples in either.
        pub fn union(take self, other: take USet) -> USet = isl_union_set_union;
        /// The tuples in both.
        pub fn intersect(take self, other: take USet) -> USet = isl_union_set_intersect;
        /// The tuples here that are not in `other`.
        pub fn subtract(take self, other: take USet) -> USet = isl_union_set_subtract;
        /// The image under a map.
        pub fn apply(take self, umap: take UMap) -> USet = isl_union_set_apply;
        /// The parameter values for which it has a tuple.
        pub fn params(take self) -> Set = isl_union_set_params;
        /// Restricts the parameters.
        pub fn intersect_params(take self, set: take Set) -> USet = isl_union_set_intersect_params;
        /// What is left to check where `context` is known to hold.
        pub fn gist(take self, context: take USet) -> USet = isl_union_set_gist;
        /// What is left to check where a context of the parameters is known to hold.
        pub fn gist_params(take self, set: take Set) -> USet = isl_union_set_gist_params;
        /// All tuples of its spaces.
        pub fn universe(take self) -> USet = isl_union_set_universe;
        /// Test that it is empty for all parameter values.
        pub fn is_empty(keep self) -> bool = isl_union_set_is_empty;
        /// Test that both hold the same tuples.
        pub fn is_equal(keep self, other: keep USet) -> bool = isl_union_set_is_equal;
        /// Test that every tuple is in `other`.
        pub fn is_subset(keep self, other: keep USet) -> bool = isl_union_set_is_subset;
        /// Test that it is a subset and not equal.
        pub fn is_strict_subset(keep self, other: keep USet) -> bool = isl_union_set_is_strict_subset;
        /// Test that no tuple is in both.
        pub fn is_disjoint(keep self, other: keep USet) -> bool = isl_union_set_is_disjoint;
        /// Makes implicit equalities explicit.
        pub fn detect_equalities(take self) -> USet = isl_union_set_detect_equalities;
        /// Drops constraints that follow from others.
        pub fn remove_redundancies(take self) -> USet = isl_union_set_remove_redundancies;
        /// Gives integer divisions explicit forms where they have one.
        pub fn compute_divs(take self) -> USet = isl_union_set_compute_divs;
        /// A superset of one piece a space.
        pub fn simple_hull(take self) -> USet = isl_union_set_simple_hull;
        /// The smallest polyhedral superset that is cheap to find.
        pub fn polyhedral_hull(take self) -> USet = isl_union_set_polyhedral_hull;
        /// The pairs where the first comes before one of `other`.
        pub fn lex_lt(take self, other: take USet) -> UMap = isl_union_set_lex_lt_union_set;
        /// The map from each tuple to itself.
        pub fn identity(take self) -> UMap = isl_union_set_identity;
        /// The maps that the tuples wrap.
        pub fn unwrap(take self) -> UMap = isl_union_set_unwrap;
        /// Drops the parameters existentially.
        pub fn project_out_all_params(take self) -> USet = isl_union_set_project_out_all_params;
        /// Adds and orders parameters as in `model`.
        pub fn align_params(take self, model: take Space) -> USet = isl_union_set_align_params;
        /// The space of its parameters.
        pub fn space(keep self) -> Space = isl_union_set_get_space;
        /// Its sets, one a space.
        pub fn sets(keep self) -> Vec<Set> = isl_union_set_get_set_list;
        /// Its set in a space, empty where it has none.
        pub fn extract(keep self, space: take Space) -> Set = isl_union_set_extract_set;
        /// As a set, where it has one space.
        pub fn as_set(take self) -> Set = isl_union_set_as_set;
    }
}

impl UMap {
    bind! {
        /// Reads isl's notation.
        pub fn parse(ctx, text: text str) -> UMap = isl_union_map_read_from_str;
        /// Nothing.
        pub fn empty(ctx) -> UMap = isl_union_map_empty_ctx;
        /// All pairs of `domain` and `range`.
        pub fn from_domain_and_range(domain: take USet, range: take USet) -> UMap = isl_union_map_from_domain_and_range;
        /// As a relation.
        pub fn from_mupa(function: take Mupa) -> UMap = isl_union_map_from_multi_union_pw_aff;
        /// As a relation.
        pub fn from_upwaff(function: take UPwAff) -> UMap = isl_union_map_from_union_pw_aff;
        /// The pairs in either.
        pub fn union(take self, other: take UMap) -> UMap = isl_union_map_union;
        /// The pairs in both.
        pub fn intersect(take self, other: take UMap) -> UMap = isl_union_map_intersect;
        /// The pairs here that are not in `other`.
        pub fn subtract(take self, other: take UMap) -> UMap = isl_union_map_subtract;
        /// The pairs turned around.
        pub fn reverse(take self) -> UMap = isl_union_map_reverse;
        /// The tuples that are related to something.
        pub fn domain(take self) -> USet = isl_union_map_domain;
        /// The tuples that something is related to.
        pub fn range(take self) -> USet = isl_union_map_range;
        /// The parameter values for which it has a pair.
        pub fn params(take self) -> Set = isl_union_map_params;
        /// Restricts the parameters.
        pub fn intersect_params(take self, set: take Set) -> UMap = isl_union_map_intersect_params;
        /// Restricts the domain.
        pub fn intersect_domain(take self, domain: take USet) -> UMap = isl_union_map_intersect_domain_union_set;
        /// Restricts the range.
        pub fn intersect_range(take self, range: take USet) -> UMap = isl_union_map_intersect_range_union_set;
        /// Drops a part of the domain.
        pub fn subtract_domain(take self, dom: take USet) -> UMap = isl_union_map_subtract_domain;
        /// Drops a part of the range.
        pub fn subtract_range(take self, dom: take USet) -> UMap = isl_union_map_subtract_range;
        /// Maps the domain.
        pub fn apply_domain(take self, other: take UMap) -> UMap = isl_union_map_apply_domain;
        /// Maps the range: `other` after this.
        pub fn apply_range(take self, other: take UMap) -> UMap = isl_union_map_apply_range;
        /// What is left to check where `context` is known to hold.
        pub fn gist(take self, context: take UMap) -> UMap = isl_union_map_gist;
        /// What is left to check where a context of the parameters is known to hold.
        pub fn gist_params(take self, set: take Set) -> UMap = isl_union_map_gist_params;
        /// What is left to check where a context of the domain is known to hold.
        pub fn gist_domain(take self, uset: take USet) -> UMap = isl_union_map_gist_domain;
        /// What is left to check where a context of the range is known to hold.
        pub fn gist_range(take self, uset: take USet) -> UMap = isl_union_map_gist_range;
        /// All pairs of its spaces.
        pub fn universe(take self) -> UMap = isl_union_map_universe;
        /// Test that it is empty for all parameter values.
        pub fn is_empty(keep self) -> bool = isl_union_map_is_empty;
        /// Test that both hold the same pairs.
        pub fn is_equal(keep self, other: keep UMap) -> bool = isl_union_map_is_equal;
        /// Test that every pair is in `other`.
        pub fn is_subset(keep self, other: keep UMap) -> bool = isl_union_map_is_subset;
        /// Test that no pair is in both.
        pub fn is_disjoint(keep self, other: keep UMap) -> bool = isl_union_map_is_disjoint;
        /// Test that no two tuples are related to the same one.
        pub fn is_injective(keep self) -> bool = isl_union_map_is_injective;
        /// Test that each tuple is related to one at most.
        pub fn is_single_valued(keep self) -> bool = isl_union_map_is_single_valued;
        /// Test that it is injective and single-valued.
        pub fn is_bijective(keep self) -> bool = isl_union_map_is_bijective;
        /// Makes implicit equalities explicit.
        pub fn detect_equalities(take self) -> UMap = isl_union_map_detect_equalities;
        /// Drops constraints that follow from others.
        pub fn remove_redundancies(take self) -> UMap = isl_union_map_remove_redundancies;
        /// Gives integer divisions explicit forms where they have one.
        pub fn compute_divs(take self) -> UMap = isl_union_map_compute_divs;
        /// A superset of one piece a space.
        pub fn simple_hull(take self) -> UMap = isl_union_map_simple_hull;
        /// The smallest polyhedral superset that is cheap to find.
        pub fn polyhedral_hull(take self) -> UMap = isl_union_map_polyhedral_hull;
        /// From each tuple to those of `other`'s domain with a later image.
        pub fn lex_lt(take self, other: take UMap) -> UMap = isl_union_map_lex_lt_union_map;
        /// From each tuple to those of `other`'s domain with the same or a later image.
        pub fn lex_le(take self, other: take UMap) -> UMap = isl_union_map_lex_le_union_map;
        /// The pairs at which a function agrees.
        pub fn eq_at(take self, function: take Mupa) -> UMap = isl_union_map_eq_at_multi_union_pw_aff;
        /// The pairs whose first comes before the second by a function.
        pub fn lex_lt_at(take self, function: take Mupa) -> UMap = isl_union_map_lex_lt_at_multi_union_pw_aff;
        /// The pairs whose first comes after the second by a function.
        pub fn lex_gt_at(take self, function: take Mupa) -> UMap = isl_union_map_lex_gt_at_multi_union_pw_aff;
        /// The differences range minus domain.
        pub fn deltas(take self) -> USet = isl_union_map_deltas;
        /// The pairs as wrapped tuples.
        pub fn wrap(take self) -> USet = isl_union_map_wrap;
        /// From each pair, wrapped, to its domain.
        pub fn domain_map(take self) -> UMap = isl_union_map_domain_map;
        /// From each pair, wrapped, to its range.
        pub fn range_map(take self) -> UMap = isl_union_map_range_map;
        /// `(A -> B) -> C` to `A -> (B -> C)`.
        pub fn curry(take self) -> UMap = isl_union_map_curry;
        /// `A -> (B -> C)` to `(A -> B) -> C`.
        pub fn uncurry(take self) -> UMap = isl_union_map_uncurry;
        /// `(A -> B) -> (C -> D)` to `(A -> C) -> (B -> D)`.
        pub fn zip(take self) -> UMap = isl_union_map_zip;
        /// Pairs of domains to pairs of ranges.
        pub fn product(take self, other: take UMap) -> UMap = isl_union_map_product;
        /// To pairs of what both relate to.
        pub fn range_product(take self, other: take UMap) -> UMap = isl_union_map_range_product;
        /// To concatenated pairs of what both relate to.
        pub fn flat_range_product(take self, other: take UMap) -> UMap = isl_union_map_flat_range_product;
        /// Of `(A -> B) -> (C -> D)`, `A -> C`.
        pub fn factor_domain(take self) -> UMap = isl_union_map_factor_domain;
        /// Of `(A -> B) -> (C -> D)`, `B -> D`.
        pub fn factor_range(take self) -> UMap = isl_union_map_factor_range;
        /// Of `(A -> B) -> C`, `A -> C`.
        pub fn domain_factor_domain(take self) -> UMap = isl_union_map_domain_factor_domain;
        /// Of `(A -> B) -> C`, `B -> C`.
        pub fn domain_factor_range(take self) -> UMap = isl_union_map_domain_factor_range;
        /// Of `A -> (B -> C)`, `A -> B`.
        pub fn range_factor_domain(take self) -> UMap = isl_union_map_range_factor_domain;
        /// Of `A -> (B -> C)`, `A -> C`.
        pub fn range_factor_range(take self) -> UMap = isl_union_map_range_factor_range;
        /// Drops the parameters existentially.
        pub fn project_out_all_params(take self) -> UMap = isl_union_map_project_out_all_params;
        /// Adds and orders parameters as in `model`.
        pub fn align_params(take self, model: take Space) -> UMap = isl_union_map_align_params;
        /// The space of its parameters.
        pub fn space(keep self) -> Space = isl_union_map_get_space;
        /// Its maps, one a pair of spaces.
        pub fn maps(keep self) -> Vec<Map> = isl_union_map_get_map_list;
        /// Its map in a space, empty where it has none.
        pub fn extract(keep self, space: take Space) -> Map = isl_union_map_extract_map;
        /// As a map, where it has one pair of spaces.
        pub fn as_map(take self) -> Map = isl_union_map_as_map;
        /// As a function; fails where it is not single-valued.
        pub fn as_mupa(take self) -> Mupa = isl_union_map_as_multi_union_pw_aff;
    }
}

coalesce!(USet = isl_union_set_coalesce);
coalesce!(UMap = isl_union_map_coalesce);
