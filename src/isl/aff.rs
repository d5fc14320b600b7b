//! Quasi-affine functions: `{ S[i] -> [(floor((i)/2))] }`, in pieces, in several dimensions, over several spaces.
//!
//! [`Aff`] is one expression, [`PwAff`] one for each piece of a domain, [`UPwAff`] one for each space. `Multi*` have
//! several results, [`PwMultiAff`] several with common pieces. A [`Constraint`] says that an expression is zero or not
//! negative.

use super::error::Result;
use super::ffi::{bind, coalesce, pw_aff_pieces};
use super::handles::{
    Aff, Constraint, LocalSpace, MultiAff, MultiPwAff, MultiVal, Mupa, PwAff, PwMultiAff, Set, Space, UMap, UPwAff,
    USet, Val,
};
use super::space::Dim;

impl LocalSpace {
    bind! {
        /// Without divisions.
        pub fn from_space(space: take Space) -> LocalSpace = isl_local_space_from_space;
        /// Its space.
        pub fn space(keep self) -> Space = isl_local_space_get_space;
        /// How many dimensions of a kind.
        pub fn dim(keep self, kind: val Dim) -> usize = isl_local_space_dim;
        /// An integer division.
        pub fn div(keep self, pos: val usize) -> Aff = isl_local_space_get_div;
    }
}

impl Constraint {
    bind! {
        /// `0 = 0`, to set coefficients of.
        pub fn equality(space: take LocalSpace) -> Constraint = isl_constraint_alloc_equality;
        /// `0 >= 0`, to set coefficients of.
        pub fn inequality(space: take LocalSpace) -> Constraint = isl_constraint_alloc_inequality;
        /// Test that the expression is zero; else it is at least zero.
        pub fn is_equality(keep self) -> bool = isl_constraint_is_equality;
        /// The expression.
        pub fn aff(keep self) -> Aff = isl_constraint_get_aff;
        /// How many dimensions of a kind.
        pub fn dim(keep self, kind: val Dim) -> usize = isl_constraint_dim;
        /// The coefficient of a dimension.
        pub fn coefficient(keep self, kind: val Dim, pos: val usize) -> Val = isl_constraint_get_coefficient_val;
        /// The constant.
        pub fn constant(keep self) -> Val = isl_constraint_get_constant_val;
        /// With another coefficient.
        pub fn set_coefficient(take self, kind: val Dim, pos: val usize, value: int i64) -> Constraint
            = isl_constraint_set_coefficient_val;
        /// With another constant.
        pub fn set_constant(take self, value: int i64) -> Constraint = isl_constraint_set_constant_val;
        /// An integer division.
        pub fn div(keep self, pos: val usize) -> Aff = isl_constraint_get_div;
        /// Test that it mentions these dimensions.
        pub fn involves_dims(keep self, kind: val Dim, first: val usize, n: val usize) -> bool
            = isl_constraint_involves_dims;
    }
}

impl Aff {
    bind! {
        /// Reads isl's notation.
        pub fn parse(ctx, text: text str) -> Aff = isl_aff_read_from_str;
        /// 0 over a set space.
        pub fn zero(domain: take Space) -> Aff = isl_aff_zero_on_domain_space;
        /// A dimension of the domain.
        pub fn var(domain: take LocalSpace, kind: val Dim, pos: val usize) -> Aff = isl_aff_var_on_domain;
        /// Its space.
        pub fn space(keep self) -> Space = isl_aff_get_space;
        /// How many dimensions of a kind.
        pub fn dim(keep self, kind: val Dim) -> usize = isl_aff_dim;
        /// The constant term.
        pub fn constant(keep self) -> Val = isl_aff_get_constant_val;
        /// The coefficient of a dimension of the domain ([`Dim::In`]), a parameter or a division.
        pub fn coefficient(keep self, kind: val Dim, pos: val usize) -> Val = isl_aff_get_coefficient_val;
        /// The common denominator of the coefficients.
        pub fn denominator(keep self) -> Val = isl_aff_get_denominator_val;
        /// An integer division, as the expression before rounding down.
        pub fn div(keep self, pos: val usize) -> Aff = isl_aff_get_div;
        /// With another constant term.
        pub fn set_constant(take self, value: int i64) -> Aff = isl_aff_set_constant_val;
        /// With another coefficient.
        pub fn set_coefficient(take self, kind: val Dim, pos: val usize, value: int i64) -> Aff
            = isl_aff_set_coefficient_val;
        /// Test that it is a constant.
        pub fn is_cst(keep self) -> bool = isl_aff_is_cst;
        /// Test that it mentions these dimensions.
        pub fn involves_dims(keep self, kind: val Dim, first: val usize, n: val usize) -> bool = isl_aff_involves_dims;
        /// Sum.
        pub fn add(take self, other: take Aff) -> Aff = isl_aff_add;
        /// Difference.
        pub fn sub(take self, other: take Aff) -> Aff = isl_aff_sub;
        /// Negation.
        pub fn neg(take self) -> Aff = isl_aff_neg;
        /// Product, where one is constant.
        pub fn mul(take self, other: take Aff) -> Aff = isl_aff_mul;
        /// Rounded down.
        pub fn floor(take self) -> Aff = isl_aff_floor;
        /// Rounded up.
        pub fn ceil(take self) -> Aff = isl_aff_ceil;
        /// Remainder, not negative.
        pub fn mod_val(take self, modulus: int i64) -> Aff = isl_aff_mod_val;
        /// Product with a number.
        pub fn scale(take self, factor: int i64) -> Aff = isl_aff_scale_val;
        /// Quotient by a number, not rounded.
        pub fn scale_down(take self, divisor: int i64) -> Aff = isl_aff_scale_down_val;
        /// What is left where `context` is known to hold.
        pub fn gist(take self, context: take Set) -> Aff = isl_aff_gist;
        /// As a piecewise expression.
        pub fn to_pw_aff(take self) -> PwAff = isl_pw_aff_from_aff;
    }
}

impl PwAff {
    bind! {
        /// Reads isl's notation.
        pub fn parse(ctx, text: text str) -> PwAff = isl_pw_aff_read_from_str;
        /// With one piece.
        pub fn from_aff(aff: take Aff) -> PwAff = isl_pw_aff_from_aff;
        /// 0 over a space.
        pub fn zero(domain: take LocalSpace) -> PwAff = isl_pw_aff_zero_on_domain;
        /// A dimension of a space.
        pub fn var(domain: take LocalSpace, kind: val Dim, pos: val usize) -> PwAff = isl_pw_aff_var_on_domain;
        /// A number over a set.
        pub fn constant(domain: take Set, value: int i64) -> PwAff = isl_pw_aff_val_on_domain;
        /// Its space.
        pub fn space(keep self) -> Space = isl_pw_aff_get_space;
        /// How many dimensions of a kind.
        pub fn dim(keep self, kind: val Dim) -> usize = isl_pw_aff_dim;
        /// Where it is defined.
        pub fn domain(take self) -> Set = isl_pw_aff_domain;
        /// The parameter values for which it is defined somewhere.
        pub fn params(take self) -> Set = isl_pw_aff_params;
        /// Sum.
        pub fn add(take self, other: take PwAff) -> PwAff = isl_pw_aff_add;
        /// Difference.
        pub fn sub(take self, other: take PwAff) -> PwAff = isl_pw_aff_sub;
        /// Negation.
        pub fn neg(take self) -> PwAff = isl_pw_aff_neg;
        /// Product, where one is constant.
        pub fn mul(take self, other: take PwAff) -> PwAff = isl_pw_aff_mul;
        /// Quotient by a constant, not rounded.
        pub fn div(take self, pa2: take PwAff) -> PwAff = isl_pw_aff_div;
        /// Quotient by a constant, rounded towards zero as in C.
        pub fn tdiv_q(take self, pa2: take PwAff) -> PwAff = isl_pw_aff_tdiv_q;
        /// Remainder by a constant, with the sign of the dividend as in C.
        pub fn tdiv_r(take self, pa2: take PwAff) -> PwAff = isl_pw_aff_tdiv_r;
        /// Remainder, not negative.
        pub fn mod_val(take self, modulus: int i64) -> PwAff = isl_pw_aff_mod_val;
        /// Product with a number.
        pub fn scale(take self, factor: int i64) -> PwAff = isl_pw_aff_scale_val;
        /// Quotient by a number, not rounded.
        pub fn scale_down(take self, f: int i64) -> PwAff = isl_pw_aff_scale_down_val;
        /// Rounded down.
        pub fn floor(take self) -> PwAff = isl_pw_aff_floor;
        /// Rounded up.
        pub fn ceil(take self) -> PwAff = isl_pw_aff_ceil;
        /// The lesser.
        pub fn min(take self, other: take PwAff) -> PwAff = isl_pw_aff_min;
        /// The greater.
        pub fn max(take self, other: take PwAff) -> PwAff = isl_pw_aff_max;
        /// `then` where this is not zero, `other` where it is.
        pub fn cond(take self, then: take PwAff, other: take PwAff) -> PwAff = isl_pw_aff_cond;
        /// The lesser, or the only one where one is not defined.
        pub fn union_min(take self, other: take PwAff) -> PwAff = isl_pw_aff_union_min;
        /// The greater, or the only one where one is not defined.
        pub fn union_max(take self, other: take PwAff) -> PwAff = isl_pw_aff_union_max;
        /// The sum, or the only one where one is not defined.
        pub fn union_add(take self, other: take PwAff) -> PwAff = isl_pw_aff_union_add;
        /// Where it is less.
        pub fn lt_set(take self, other: take PwAff) -> Set = isl_pw_aff_lt_set;
        /// Where it is at most.
        pub fn le_set(take self, other: take PwAff) -> Set = isl_pw_aff_le_set;
        /// Where both are equal.
        pub fn eq_set(take self, other: take PwAff) -> Set = isl_pw_aff_eq_set;
        /// Where they differ.
        pub fn ne_set(take self, other: take PwAff) -> Set = isl_pw_aff_ne_set;
        /// Where it is at least.
        pub fn ge_set(take self, other: take PwAff) -> Set = isl_pw_aff_ge_set;
        /// Where it is greater.
        pub fn gt_set(take self, other: take PwAff) -> Set = isl_pw_aff_gt_set;
        /// Where it is zero.
        pub fn zero_set(take self) -> Set = isl_pw_aff_zero_set;
        /// Where it is not zero.
        pub fn non_zero_set(take self) -> Set = isl_pw_aff_non_zero_set;
        /// Where it is not negative.
        pub fn nonneg_set(take self) -> Set = isl_pw_aff_nonneg_set;
        /// Test that every piece is a constant.
        pub fn is_cst(keep self) -> bool = isl_pw_aff_is_cst;
        /// Test that both are the same function.
        pub fn is_equal(keep self, pa2: keep PwAff) -> bool = isl_pw_aff_is_equal;
        /// Test that it mentions these dimensions.
        pub fn involves_dims(keep self, kind: val Dim, first: val usize, n: val usize) -> bool
            = isl_pw_aff_involves_dims;
        /// Test that some piece is no number.
        pub fn involves_nan(keep self) -> bool = isl_pw_aff_involves_nan;
        /// Restricted to a set.
        pub fn intersect_domain(take self, set: take Set) -> PwAff = isl_pw_aff_intersect_domain;
        /// Restricted to parameter values.
        pub fn intersect_params(take self, set: take Set) -> PwAff = isl_pw_aff_intersect_params;
        /// Restricted to outside a set.
        pub fn subtract_domain(take self, set: take Set) -> PwAff = isl_pw_aff_subtract_domain;
        /// What is left where `context` is known to hold.
        pub fn gist(take self, context: take Set) -> PwAff = isl_pw_aff_gist;
        /// What is left where a context of the parameters is known to hold.
        pub fn gist_params(take self, context: take Set) -> PwAff = isl_pw_aff_gist_params;
        /// After `inner`.
        pub fn pullback(take self, inner: take MultiAff) -> PwAff = isl_pw_aff_pullback_multi_aff;
        /// After `inner`.
        pub fn pullback_pw(take self, inner: take PwMultiAff) -> PwAff = isl_pw_aff_pullback_pw_multi_aff;
        /// The greatest value.
        pub fn max_val(take self) -> Val = isl_pw_aff_max_val;
        /// The least value.
        pub fn min_val(take self) -> Val = isl_pw_aff_min_val;
        /// Test that it is one expression everywhere.
        pub fn is_aff(keep self) -> bool = isl_pw_aff_isa_aff;
        /// As one expression, where [`PwAff::is_aff`].
        pub fn as_aff(take self) -> Aff = isl_pw_aff_as_aff;
        /// Inserts dimensions into the domain.
        pub fn insert_dims(take self, kind: val Dim, first: val usize, n: val usize) -> PwAff = isl_pw_aff_insert_dims;
        /// Adds dimensions to the domain.
        pub fn add_dims(take self, kind: val Dim, n: val usize) -> PwAff = isl_pw_aff_add_dims;
        /// Adds and orders parameters as in `model`.
        pub fn align_params(take self, model: take Space) -> PwAff = isl_pw_aff_align_params;
        /// As a union of one.
        pub fn to_union(take self) -> UPwAff = isl_pw_aff_to_union_pw_aff;
    }
}

impl MultiAff {
    bind! {
        /// Reads isl's notation.
        pub fn parse(ctx, text: text str) -> MultiAff = isl_multi_aff_read_from_str;
        /// Its space.
        pub fn space(keep self) -> Space = isl_multi_aff_get_space;
        /// A result.
        pub fn at(keep self, pos: val usize) -> Aff = isl_multi_aff_get_at;
        /// How many dimensions of a kind.
        pub fn dim(keep self, kind: val Dim) -> usize = isl_multi_aff_dim;
        /// As piecewise expressions.
        pub fn to_multi_pw_aff(take self) -> MultiPwAff = isl_multi_aff_to_multi_pw_aff;
    }
}

impl MultiPwAff {
    bind! {
        /// Reads isl's notation.
        pub fn parse(ctx, text: text str) -> MultiPwAff = isl_multi_pw_aff_read_from_str;
        /// From one expression a result.
        pub fn from_list(space: take Space, results: list PwAff) -> MultiPwAff = isl_multi_pw_aff_from_pw_aff_list;
        /// Its space.
        pub fn space(keep self) -> Space = isl_multi_pw_aff_get_space;
        /// How many dimensions of a kind.
        pub fn dim(keep self, kind: val Dim) -> usize = isl_multi_pw_aff_dim;
        /// A result.
        pub fn at(keep self, pos: val usize) -> PwAff = isl_multi_pw_aff_get_at;
        /// Where it is defined.
        pub fn domain(take self) -> Set = isl_multi_pw_aff_domain;
        /// Test that both are the same function.
        pub fn is_equal(keep self, other: keep MultiPwAff) -> bool = isl_multi_pw_aff_is_equal;
        /// What is left where a set is known to hold.
        pub fn gist(take self, set: take Set) -> MultiPwAff = isl_multi_pw_aff_gist;
        /// The results of both.
        pub fn flat_range_product(take self, other: take MultiPwAff) -> MultiPwAff
            = isl_multi_pw_aff_flat_range_product;
        /// Restricted to a set.
        pub fn intersect_domain(take self, domain: take Set) -> MultiPwAff = isl_multi_pw_aff_intersect_domain;
    }
}

impl PwMultiAff {
    bind! {
        /// Reads isl's notation.
        pub fn parse(ctx, text: text str) -> PwMultiAff = isl_pw_multi_aff_read_from_str;
        /// With one piece.
        pub fn from_multi_aff(ma: take MultiAff) -> PwMultiAff = isl_pw_multi_aff_from_multi_aff;
        /// Its space.
        pub fn space(keep self) -> Space = isl_pw_multi_aff_get_space;
        /// How many dimensions of a kind.
        pub fn dim(keep self, kind: val Dim) -> usize = isl_pw_multi_aff_dim;
        /// A result.
        pub fn at(keep self, pos: val usize) -> PwAff = isl_pw_multi_aff_get_at;
        /// Where it is defined.
        pub fn domain(take self) -> Set = isl_pw_multi_aff_domain;
        /// What is left where a set is known to hold.
        pub fn gist(take self, set: take Set) -> PwMultiAff = isl_pw_multi_aff_gist;
        /// As separate piecewise expressions.
        pub fn to_multi_pw_aff(take self) -> MultiPwAff = isl_pw_multi_aff_to_multi_pw_aff;
        /// Test that it is one expression a result everywhere.
        pub fn is_multi_aff(keep self) -> bool = isl_pw_multi_aff_isa_multi_aff;
        /// As one expression a result, where [`PwMultiAff::is_multi_aff`].
        pub fn as_multi_aff(take self) -> MultiAff = isl_pw_multi_aff_as_multi_aff;
    }
}

impl MultiVal {
    bind! {
        /// From numbers.
        pub fn from_list(space: take Space, values: list Val) -> MultiVal = isl_multi_val_from_val_list;
        /// How many dimensions of a kind.
        pub fn dim(keep self, kind: val Dim) -> usize = isl_multi_val_dim;
        /// A number.
        pub fn at(keep self, pos: val usize) -> Val = isl_multi_val_get_at;
    }
}

impl UPwAff {
    bind! {
        /// Reads isl's notation.
        pub fn parse(ctx, text: text str) -> UPwAff = isl_union_pw_aff_read_from_str;
        /// Of one space.
        pub fn from_pw_aff(pa: take PwAff) -> UPwAff = isl_union_pw_aff_from_pw_aff;
        /// A number over several sets.
        pub fn constant(domain: take USet, value: int i64) -> UPwAff = isl_union_pw_aff_val_on_domain;
        /// Sum.
        pub fn add(take self, other: take UPwAff) -> UPwAff = isl_union_pw_aff_add;
        /// Difference.
        pub fn sub(take self, other: take UPwAff) -> UPwAff = isl_union_pw_aff_sub;
        /// Negation.
        pub fn neg(take self) -> UPwAff = isl_union_pw_aff_neg;
        /// Rounded down.
        pub fn floor(take self) -> UPwAff = isl_union_pw_aff_floor;
        /// The sum, or the only one where one is not defined.
        pub fn union_add(take self, other: take UPwAff) -> UPwAff = isl_union_pw_aff_union_add;
        /// Product with a number.
        pub fn scale(take self, factor: int i64) -> UPwAff = isl_union_pw_aff_scale_val;
        /// Remainder, not negative.
        pub fn mod_val(take self, modulus: int i64) -> UPwAff = isl_union_pw_aff_mod_val;
        /// Where it is defined.
        pub fn domain(take self) -> USet = isl_union_pw_aff_domain;
        /// Restricted to a set.
        pub fn intersect_domain(take self, uset: take USet) -> UPwAff = isl_union_pw_aff_intersect_domain;
        /// Its expressions, one a space.
        pub fn pw_affs(keep self) -> Vec<PwAff> = isl_union_pw_aff_get_pw_aff_list;
    }
}

impl Mupa {
    bind! {
        /// Reads isl's notation.
        pub fn parse(ctx, text: text str) -> Mupa = isl_multi_union_pw_aff_read_from_str;
        /// From one expression a result, in a set space.
        pub fn from_list(space: take Space, results: list UPwAff) -> Mupa
            = isl_multi_union_pw_aff_from_union_pw_aff_list;
        /// With one result.
        pub fn from_upwaff(result: take UPwAff) -> Mupa = isl_multi_union_pw_aff_from_union_pw_aff;
        /// From a single-valued map into one space.
        pub fn from_umap(map: take UMap) -> Mupa = isl_multi_union_pw_aff_from_union_map;
        /// Its space.
        pub fn space(keep self) -> Space = isl_multi_union_pw_aff_get_space;
        /// How many dimensions of a kind.
        pub fn dim(keep self, kind: val Dim) -> usize = isl_multi_union_pw_aff_dim;
        /// A result.
        pub fn at(keep self, pos: val usize) -> UPwAff = isl_multi_union_pw_aff_get_at;
        /// Where it is defined.
        pub fn domain(take self) -> USet = isl_multi_union_pw_aff_domain;
        /// Negation.
        pub fn neg(take self) -> Mupa = isl_multi_union_pw_aff_neg;
        /// Sum.
        pub fn add(take self, other: take Mupa) -> Mupa = isl_multi_union_pw_aff_add;
        /// Difference.
        pub fn sub(take self, other: take Mupa) -> Mupa = isl_multi_union_pw_aff_sub;
        /// The sum, or the only one where one is not defined.
        pub fn union_add(take self, other: take Mupa) -> Mupa = isl_multi_union_pw_aff_union_add;
        /// Rounded down.
        pub fn floor(take self) -> Mupa = isl_multi_union_pw_aff_floor;
        /// Each result times a number.
        pub fn scale(take self, factors: take MultiVal) -> Mupa = isl_multi_union_pw_aff_scale_multi_val;
        /// What is left where a set is known to hold.
        pub fn gist(take self, context: take USet) -> Mupa = isl_multi_union_pw_aff_gist;
        /// Restricted to a set.
        pub fn intersect_domain(take self, uset: take USet) -> Mupa = isl_multi_union_pw_aff_intersect_domain;
        /// The results of both.
        pub fn flat_range_product(take self, other: take Mupa) -> Mupa = isl_multi_union_pw_aff_flat_range_product;
        /// Pairs of results.
        pub fn range_product(take self, other: take Mupa) -> Mupa = isl_multi_union_pw_aff_range_product;
        /// Without some results.
        pub fn drop_dims(take self, kind: val Dim, first: val usize, n: val usize) -> Mupa
            = isl_multi_union_pw_aff_drop_dims;
        /// Takes the tuple's name away.
        pub fn reset_tuple_name(take self, kind: val Dim) -> Mupa = isl_multi_union_pw_aff_reset_tuple_id;
        /// Names the tuple.
        pub fn set_tuple_name(take self, kind: val Dim, name: text str) -> Mupa = isl_multi_union_pw_aff_set_tuple_name;
        /// Its functions on a space.
        pub fn extract(keep self, space: take Space) -> MultiPwAff = isl_multi_union_pw_aff_extract_multi_pw_aff;
    }
}

impl PwAff {
    /// Its pieces: where, and which expression there.
    pub fn pieces(&self) -> Result<Vec<(Set, Aff)>> {
        pw_aff_pieces(self)
    }
}

coalesce!(PwAff = isl_pw_aff_coalesce);
coalesce!(MultiPwAff = isl_multi_pw_aff_coalesce);
coalesce!(PwMultiAff = isl_pw_multi_aff_coalesce);
