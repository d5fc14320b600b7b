//! Maps: relations between integer tuples, `[n] -> { S[i] -> A[i + 1] : 0 <= i < n }`.

use super::ffi::{bind, coalesce};
use super::handles::{Aff, BasicMap, Constraint, Map, MultiAff, MultiPwAff, PwAff, PwMultiAff, Set, Space, UMap, Val};
use super::space::Dim;

impl Map {
    bind! {
        /// Reads isl's notation.
        pub fn parse(ctx, text: text str) -> Map = isl_map_read_from_str;
        /// All pairs of a space.
        pub fn universe(space: take Space) -> Map = isl_map_universe;
        /// No pair of a space.
        pub fn empty(space: take Space) -> Map = isl_map_empty;
        /// Each tuple to itself.
        pub fn identity(space: take Space) -> Map = isl_map_identity;
        /// From each tuple of a set space to all later ones.
        pub fn lex_lt(space: take Space) -> Map = isl_map_lex_lt;
        /// From each tuple of a set space to itself and all later ones.
        pub fn lex_le(space: take Space) -> Map = isl_map_lex_le;
        /// All pairs of `domain` and `range`.
        pub fn from_domain_and_range(domain: take Set, range: take Set) -> Map = isl_map_from_domain_and_range;
        /// As a relation.
        pub fn from_aff(aff: take Aff) -> Map = isl_map_from_aff;
        /// As a relation.
        pub fn from_pw_aff(pwaff: take PwAff) -> Map = isl_map_from_pw_aff;
        /// As a relation.
        pub fn from_multi_aff(maff: take MultiAff) -> Map = isl_map_from_multi_aff;
        /// As a relation.
        pub fn from_multi_pw_aff(mpa: take MultiPwAff) -> Map = isl_map_from_multi_pw_aff;
        /// As a relation.
        pub fn from_pw_multi_aff(pma: take PwMultiAff) -> Map = isl_map_from_pw_multi_aff;
        /// Its space.
        pub fn space(keep self) -> Space = isl_map_get_space;
        /// How many dimensions of a kind.
        pub fn dim(keep self, kind: val Dim) -> usize = isl_map_dim;
        /// A dimension's name.
        pub fn dim_name(keep self, kind: val Dim, pos: val usize) -> Option<String> = isl_map_get_dim_name;
        /// Names a dimension.
        pub fn set_dim_name(take self, kind: val Dim, pos: val usize, name: text str) -> Map = isl_map_set_dim_name;
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
        /// The pairs in both.
        pub fn intersect(take self, other: take Map) -> Map = isl_map_intersect;
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
        /// Drops a part of the domain.
        pub fn subtract_domain(take self, dom: take Set) -> Map = isl_map_subtract_domain;
        /// Drops a part of the range.
        pub fn subtract_range(take self, dom: take Set) -> Map = isl_map_subtract_range;
        /// Maps the domain.
        pub fn apply_domain(take self, other: take Map) -> Map = isl_map_apply_domain;
        /// Maps the range: `other` after this.
        pub fn apply_range(take self, other: take Map) -> Map = isl_map_apply_range;
        /// What is left to check where `context` is known to hold.
        pub fn gist(take self, context: take Map) -> Map = isl_map_gist;
        /// What is left to check where a context of the parameters is known to hold.
        pub fn gist_params(take self, context: take Set) -> Map = isl_map_gist_params;
        /// What is left to check where a context of the domain is known to hold.
        pub fn gist_domain(take self, context: take Set) -> Map = isl_map_gist_domain;
        /// What is left to check where a context of the range is known to hold.
        pub fn gist_range(take self, context: take Set) -> Map = isl_map_gist_range;
        /// Test that it is empty for all parameter values.
        pub fn is_empty(keep self) -> bool = isl_map_is_empty;
        /// Test that both hold the same pairs.
        pub fn is_equal(keep self, other: keep Map) -> bool = isl_map_is_equal;
        /// Test that every pair is in `other`.
        pub fn is_subset(keep self, other: keep Map) -> bool = isl_map_is_subset;
        /// Test that no pair is in both.
        pub fn is_disjoint(keep self, other: keep Map) -> bool = isl_map_is_disjoint;
        /// Test that no two tuples are related to the same one.
        pub fn is_injective(keep self) -> bool = isl_map_is_injective;
        /// Test that each tuple is related to one at most.
        pub fn is_single_valued(keep self) -> bool = isl_map_is_single_valued;
        /// Test that it is injective and single-valued.
        pub fn is_bijective(keep self) -> bool = isl_map_is_bijective;
        /// Test that each tuple is related to itself alone.
        pub fn is_identity(keep self) -> bool = isl_map_is_identity;
        /// Test that the constraints mention these dimensions.
        pub fn involves_dims(keep self, kind: val Dim, first: val usize, n: val usize) -> bool = isl_map_involves_dims;
        /// Makes implicit equalities explicit.
        pub fn detect_equalities(take self) -> Map = isl_map_detect_equalities;
        /// Drops constraints that follow from others.
        pub fn remove_redundancies(take self) -> Map = isl_map_remove_redundancies;
        /// Gives integer divisions explicit forms where they have one.
        pub fn compute_divs(take self) -> Map = isl_map_compute_divs;
        /// Projects the integer divisions out: a superset.
        pub fn remove_divs(take self) -> Map = isl_map_remove_divs;
        /// A superset of one piece, from constraints that are there.
        pub fn simple_hull(take self) -> BasicMap = isl_map_simple_hull;
        /// A superset of one piece, from constraints that are there, unshifted.
        pub fn unshifted_simple_hull(take self) -> BasicMap = isl_map_unshifted_simple_hull;
        /// The smallest convex superset.
        pub fn convex_hull(take self) -> BasicMap = isl_map_convex_hull;
        /// The smallest polyhedral superset that is cheap to find.
        pub fn polyhedral_hull(take self) -> BasicMap = isl_map_polyhedral_hull;
        /// The smallest superset described by equalities.
        pub fn affine_hull(take self) -> BasicMap = isl_map_affine_hull;
        /// Some piece of at most one pair, empty where the map is.
        pub fn sample(take self) -> BasicMap = isl_map_sample;
        /// The least value of an output, by input.
        pub fn dim_min(take self, pos: val usize) -> PwAff = isl_map_dim_min;
        /// The greatest value of an output, by input.
        pub fn dim_max(take self, pos: val usize) -> PwAff = isl_map_dim_max;
        /// The differences range minus domain.
        pub fn deltas(take self) -> Set = isl_map_deltas;
        /// From each pair, wrapped, to its difference.
        pub fn deltas_map(take self) -> Map = isl_map_deltas_map;
        /// The pairs as a set of wrapped tuples.
        pub fn wrap(take self) -> Set = isl_map_wrap;
        /// From each pair, wrapped, to its domain.
        pub fn domain_map(take self) -> Map = isl_map_domain_map;
        /// From each pair, wrapped, to its range.
        pub fn range_map(take self) -> Map = isl_map_range_map;
        /// `(A -> B) -> C` to `A -> (B -> C)`.
        pub fn curry(take self) -> Map = isl_map_curry;
        /// `A -> (B -> C)` to `(A -> B) -> C`.
        pub fn uncurry(take self) -> Map = isl_map_uncurry;
        /// `(A -> B) -> (C -> D)` to `(A -> C) -> (B -> D)`.
        pub fn zip(take self) -> Map = isl_map_zip;
        /// Pairs of domains to pairs of ranges.
        pub fn product(take self, other: take Map) -> Map = isl_map_product;
        /// To pairs of what both relate to.
        pub fn range_product(take self, other: take Map) -> Map = isl_map_range_product;
        /// To concatenated pairs of what both relate to.
        pub fn flat_range_product(take self, other: take Map) -> Map = isl_map_flat_range_product;
        /// From pairs of what both relate from.
        pub fn domain_product(take self, other: take Map) -> Map = isl_map_domain_product;
        /// Of `(A -> B) -> (C -> D)`, `A -> C`.
        pub fn factor_domain(take self) -> Map = isl_map_factor_domain;
        /// Of `(A -> B) -> (C -> D)`, `B -> D`.
        pub fn factor_range(take self) -> Map = isl_map_factor_range;
        /// Of `(A -> B) -> C`, `A -> C`.
        pub fn domain_factor_domain(take self) -> Map = isl_map_domain_factor_domain;
        /// Of `(A -> B) -> C`, `B -> C`.
        pub fn domain_factor_range(take self) -> Map = isl_map_domain_factor_range;
        /// Of `A -> (B -> C)`, `A -> B`.
        pub fn range_factor_domain(take self) -> Map = isl_map_range_factor_domain;
        /// Of `A -> (B -> C)`, `A -> C`.
        pub fn range_factor_range(take self) -> Map = isl_map_range_factor_range;
        /// Flattens nested tuples on both sides.
        pub fn flatten(take self) -> Map = isl_map_flatten;
        /// Flattens the domain's nested tuples.
        pub fn flatten_domain(take self) -> Map = isl_map_flatten_domain;
        /// Flattens the range's nested tuples.
        pub fn flatten_range(take self) -> Map = isl_map_flatten_range;
        /// Drops dimensions existentially.
        pub fn project_out(take self, kind: val Dim, first: val usize, n: val usize) -> Map = isl_map_project_out;
        /// Drops the parameters existentially.
        pub fn project_out_all_params(take self) -> Map = isl_map_project_out_all_params;
        /// Forgets what is known of dimensions, and keeps them.
        pub fn eliminate(take self, kind: val Dim, first: val usize, n: val usize) -> Map = isl_map_eliminate;
        /// Adds unconstrained dimensions at the end.
        pub fn add_dims(take self, kind: val Dim, n: val usize) -> Map = isl_map_add_dims;
        /// Inserts unconstrained dimensions.
        pub fn insert_dims(take self, kind: val Dim, pos: val usize, n: val usize) -> Map = isl_map_insert_dims;
        /// Moves dimensions.
        pub fn move_dims(
            take self,
            to: val Dim,
            to_pos: val usize,
            from: val Dim,
            from_pos: val usize,
            n: val usize,
        ) -> Map = isl_map_move_dims;
        /// Fixes a dimension to a value.
        pub fn fix(take self, kind: val Dim, pos: val usize, value: int i64) -> Map = isl_map_fix_val;
        /// Bounds a dimension from below.
        pub fn lower_bound(take self, kind: val Dim, pos: val usize, value: int i64) -> Map = isl_map_lower_bound_val;
        /// Bounds a dimension from above.
        pub fn upper_bound(take self, kind: val Dim, pos: val usize, value: int i64) -> Map = isl_map_upper_bound_val;
        /// Makes two dimensions equal.
        pub fn equate(take self, kind: val Dim, pos: val usize, other_kind: val Dim, other_pos: val usize) -> Map
            = isl_map_equate;
        /// Makes one dimension less than another.
        pub fn order_lt(take self, kind: val Dim, pos: val usize, other_kind: val Dim, other_pos: val usize) -> Map
            = isl_map_order_lt;
        /// Makes one dimension at most another.
        pub fn order_le(take self, kind: val Dim, pos: val usize, other_kind: val Dim, other_pos: val usize) -> Map
            = isl_map_order_le;
        /// Makes one dimension greater than another.
        pub fn order_gt(take self, kind: val Dim, pos: val usize, other_kind: val Dim, other_pos: val usize) -> Map
            = isl_map_order_gt;
        /// Makes one dimension at least another.
        pub fn order_ge(take self, kind: val Dim, pos: val usize, other_kind: val Dim, other_pos: val usize) -> Map
            = isl_map_order_ge;
        /// Adds a constraint.
        pub fn add_constraint(take self, constraint: take Constraint) -> Map = isl_map_add_constraint;
        /// Adds and orders parameters as in `model`.
        pub fn align_params(take self, model: take Space) -> Map = isl_map_align_params;
        /// The value of a dimension where it is obviously constant, else no number.
        pub fn fixed_val(keep self, kind: val Dim, pos: val usize) -> Val = isl_map_plain_get_val_if_fixed;
        /// As a function; fails where it is not single-valued.
        pub fn as_pw_multi_aff(take self) -> PwMultiAff = isl_map_as_pw_multi_aff;
        /// As a union of one map.
        pub fn to_union(take self) -> UMap = isl_map_to_union_map;
        /// Its pieces.
        pub fn basic_maps(keep self) -> Vec<BasicMap> = isl_map_get_basic_map_list;
    }
}

impl BasicMap {
    bind! {
        /// How many dimensions of a kind.
        pub fn dim(keep self, kind: val Dim) -> usize = isl_basic_map_dim;
        /// Its constraints, which all hold.
        pub fn constraints(keep self) -> Vec<Constraint> = isl_basic_map_get_constraint_list;
        /// An integer division, as a function.
        pub fn div(keep self, pos: val usize) -> Aff = isl_basic_map_get_div;
    }
}

coalesce!(Map = isl_map_coalesce);
