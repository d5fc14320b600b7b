//! Sets: named tuples of integers under affine constraints with parameters, `[n] -> { S[i] : 0 <= i < n }`.
//!
//! [`Dim`] says which dimensions are meant; a set's own are [`Dim::Out`]. A [`Set`] is a union of [`BasicSet`]s, each a
//! conjunction of [`Constraint`]s.

use super::ffi::{bind, coalesce};
use super::handles::{
    Aff, BasicSet, Constraint, FixedBox, Map, MultiAff, MultiVal, Point, PwAff, PwMultiAff, Set, Space, USet, Val,
};
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
        /// As a set of the tuple without dimensions.
        pub fn from_params(take self) -> Set = isl_set_from_params;
        /// The set of one point.
        pub fn from_point(pnt: take Point) -> Set = isl_set_from_point;
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
        /// All pairs.
        pub fn product(take self, other: take Set) -> Set = isl_set_product;
        /// All concatenated pairs.
        pub fn flat_product(take self, other: take Set) -> Set = isl_set_flat_product;
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
        /// Test that it is a subset and not equal.
        pub fn is_strict_subset(keep self, other: keep Set) -> bool = isl_set_is_strict_subset;
        /// Test that no tuple is in both.
        pub fn is_disjoint(keep self, other: keep Set) -> bool = isl_set_is_disjoint;
        /// Test that it holds just one tuple whatever the parameters.
        pub fn is_singleton(keep self) -> bool = isl_set_is_singleton;
        /// Test that it is finite for all parameter values.
        pub fn is_bounded(keep self) -> bool = isl_set_is_bounded;
        /// Test that it is a set of parameter values.
        pub fn is_params(keep self) -> bool = isl_set_is_params;
        /// Test that it is obviously a box with constant bounds or none.
        pub fn is_box(keep self) -> bool = isl_set_is_box;
        /// Test that its tuple wraps a map.
        pub fn is_wrapping(keep self) -> bool = isl_set_is_wrapping;
        /// Test that it is obviously everything.
        pub fn is_universe(keep self) -> bool = isl_set_plain_is_universe;
        /// Test that the constraints mention these dimensions.
        pub fn involves_dims(keep self, kind: val Dim, first: val usize, n: val usize) -> bool = isl_set_involves_dims;
        /// Test that a dimension is bounded on both sides. An equation counts, even where it says no more than that the
        /// dimension is even.
        pub fn dim_is_bounded(keep self, kind: val Dim, pos: val usize) -> bool = isl_set_dim_is_bounded;
        /// Test that some piece has an integer division, or another number that only has to exist.
        pub fn involves_locals(keep self) -> bool = isl_set_involves_locals;
        /// Makes implicit equalities explicit.
        pub fn detect_equalities(take self) -> Set = isl_set_detect_equalities;
        /// Drops constraints that follow from others.
        pub fn remove_redundancies(take self) -> Set = isl_set_remove_redundancies;
        /// Gives integer divisions explicit forms where they have one.
        pub fn compute_divs(take self) -> Set = isl_set_compute_divs;
        /// Projects the integer divisions out: a superset.
        pub fn remove_divs(take self) -> Set = isl_set_remove_divs;
        /// The same set in pieces that do not overlap.
        pub fn make_disjoint(take self) -> Set = isl_set_make_disjoint;
        /// A superset of one piece, from constraints that are there.
        pub fn simple_hull(take self) -> BasicSet = isl_set_simple_hull;
        /// A superset of one piece, from constraints that are there, unshifted.
        pub fn unshifted_simple_hull(take self) -> BasicSet = isl_set_unshifted_simple_hull;
        /// The smallest convex superset.
        pub fn convex_hull(take self) -> BasicSet = isl_set_convex_hull;
        /// The smallest polyhedral superset that is cheap to find.
        pub fn polyhedral_hull(take self) -> BasicSet = isl_set_polyhedral_hull;
        /// The smallest superset described by equalities.
        pub fn affine_hull(take self) -> BasicSet = isl_set_affine_hull;
        /// Some piece of at most one tuple, empty where the set is.
        pub fn sample(take self) -> BasicSet = isl_set_sample;
        /// Some tuple, void where the set is empty.
        pub fn sample_point(take self) -> Point = isl_set_sample_point;
        /// The least value of a dimension, by parameters.
        pub fn dim_min(take self, pos: val usize) -> PwAff = isl_set_dim_min;
        /// The greatest value of a dimension, by parameters.
        pub fn dim_max(take self, pos: val usize) -> PwAff = isl_set_dim_max;
        /// The least value of a dimension over all parameters; infinite where there is none.
        pub fn dim_min_val(take self, pos: val usize) -> Val = isl_set_dim_min_val;
        /// The greatest value of a dimension over all parameters; infinite where there is none.
        pub fn dim_max_val(take self, pos: val usize) -> Val = isl_set_dim_max_val;
        /// The greatest value of an expression.
        pub fn max_val(keep self, obj: keep Aff) -> Val = isl_set_max_val;
        /// The least value of an expression.
        pub fn min_val(keep self, obj: keep Aff) -> Val = isl_set_min_val;
        /// The value of a dimension where it is obviously constant, else no number.
        pub fn fixed_val(keep self, kind: val Dim, pos: val usize) -> Val = isl_set_plain_get_val_if_fixed;
        /// The stride of a dimension.
        pub fn stride(keep self, pos: val usize) -> Val = isl_set_get_stride;
        /// A box of constant size that holds it.
        pub fn fixed_box(keep self) -> FixedBox = isl_set_get_simple_fixed_box_hull;
        /// Drops dimensions existentially.
        pub fn project_out(take self, kind: val Dim, first: val usize, n: val usize) -> Set = isl_set_project_out;
        /// Drops the parameters existentially.
        pub fn project_out_all_params(take self) -> Set = isl_set_project_out_all_params;
        /// Drops a parameter existentially.
        pub fn project_out_param(take self, name: id str) -> Set = isl_set_project_out_param_id;
        /// Forgets what is known of dimensions, and keeps them.
        pub fn eliminate(take self, kind: val Dim, first: val usize, n: val usize) -> Set = isl_set_eliminate;
        /// Drops the constraints that mention dimensions.
        pub fn drop_constraints_involving(take self, kind: val Dim, first: val usize, n: val usize) -> Set
            = isl_set_drop_constraints_involving_dims;
        /// Adds unconstrained dimensions at the end.
        pub fn add_dims(take self, kind: val Dim, n: val usize) -> Set = isl_set_add_dims;
        /// Inserts unconstrained dimensions.
        pub fn insert_dims(take self, kind: val Dim, pos: val usize, n: val usize) -> Set = isl_set_insert_dims;
        /// Moves dimensions.
        pub fn move_dims(
            take self,
            to: val Dim,
            to_pos: val usize,
            from: val Dim,
            from_pos: val usize,
            n: val usize,
        ) -> Set = isl_set_move_dims;
        /// Fixes a dimension to a value.
        pub fn fix(take self, kind: val Dim, pos: val usize, value: int i64) -> Set = isl_set_fix_val;
        /// Bounds a dimension from below.
        pub fn lower_bound(take self, kind: val Dim, pos: val usize, value: int i64) -> Set = isl_set_lower_bound_val;
        /// Bounds a dimension from above.
        pub fn upper_bound(take self, kind: val Dim, pos: val usize, value: int i64) -> Set = isl_set_upper_bound_val;
        /// Makes two dimensions equal.
        pub fn equate(take self, kind: val Dim, pos: val usize, other_kind: val Dim, other_pos: val usize) -> Set
            = isl_set_equate;
        /// Adds a constraint.
        pub fn add_constraint(take self, constraint: take Constraint) -> Set = isl_set_add_constraint;
        /// Adds and orders parameters as in `model`.
        pub fn align_params(take self, model: take Space) -> Set = isl_set_align_params;
        /// Flattens nested tuples.
        pub fn flatten(take self) -> Set = isl_set_flatten;
        /// The map that the tuple wraps.
        pub fn unwrap(take self) -> Map = isl_set_unwrap;
        /// The map from each tuple to itself.
        pub fn identity(take self) -> Map = isl_set_identity;
        /// The pairs where the first comes before one of `other`.
        pub fn lex_lt(take self, other: take Set) -> Map = isl_set_lex_lt_set;
        /// The pairs where the first comes before or equals one of `other`.
        pub fn lex_le(take self, other: take Set) -> Map = isl_set_lex_le_set;
        /// As a union of one set.
        pub fn to_union(take self) -> USet = isl_set_to_union_set;
        /// As a function of the parameters, where it has at most one tuple.
        pub fn as_pw_multi_aff(take self) -> PwMultiAff = isl_set_as_pw_multi_aff;
        /// Its pieces.
        pub fn basic_sets(keep self) -> Vec<BasicSet> = isl_set_get_basic_set_list;
        /// Makes the integer divisions of its pieces dimensions.
        pub fn lift(take self) -> Set = isl_set_lift;
        /// How many tuples, where there are no parameters and it is finite.
        pub fn count_val(keep self) -> Val = isl_set_count_val;
    }
}

impl BasicSet {
    bind! {
        /// As a set.
        pub fn to_set(take self) -> Set = isl_basic_set_to_set;
        /// How many dimensions of a kind.
        pub fn dim(keep self, kind: val Dim) -> usize = isl_basic_set_dim;
        /// Test that it is empty.
        pub fn is_empty(keep self) -> bool = isl_basic_set_is_empty;
        /// Test that both hold the same tuples.
        pub fn is_equal(keep self, other: keep BasicSet) -> bool = isl_basic_set_is_equal;
        /// Its constraints, which all hold.
        pub fn constraints(keep self) -> Vec<Constraint> = isl_basic_set_get_constraint_list;
        /// An integer division, as a function.
        pub fn div(keep self, pos: val usize) -> Aff = isl_basic_set_get_div;
        /// Drops constraints that follow from others.
        pub fn remove_redundancies(take self) -> BasicSet = isl_basic_set_remove_redundancies;
        /// Makes implicit equalities explicit.
        pub fn detect_equalities(take self) -> BasicSet = isl_basic_set_detect_equalities;
    }
}

impl Point {
    bind! {
        /// Test that there is no such point.
        pub fn is_void(keep self) -> bool = isl_point_is_void;
        /// A coordinate.
        pub fn coordinate(keep self, kind: val Dim, pos: val usize) -> Val = isl_point_get_coordinate_val;
    }
}

impl FixedBox {
    bind! {
        /// Test that there is such a box.
        pub fn is_valid(keep self) -> bool = isl_fixed_box_is_valid;
        /// Where it begins.
        pub fn offset(keep self) -> MultiAff = isl_fixed_box_get_offset;
        /// How large it is in each dimension.
        pub fn sizes(keep self) -> MultiVal = isl_fixed_box_get_size;
    }
}

coalesce!(Set = isl_set_coalesce);
