//! Quasi-affine functions: `{ S[i] -> [(floor((i)/2))] }`, in pieces, over several spaces.
//!
//! [`Aff`] is one expression, [`PwAff`] one for each piece of a domain; [`Mupa`] has several results over several spaces. A
//! [`Constraint`] says that an expression is zero or not negative.

use super::error::Result;
use super::ffi::{bind, coalesce, pw_aff_pieces};
use super::handles::{Aff, Constraint, Mupa, PwAff, Set, Space, Val};
use super::space::Dim;

impl Constraint {
    bind! {
        /// Test that the expression is zero; else it is at least zero.
        pub fn is_equality(keep self) -> bool = isl_constraint_is_equality;
        /// How many dimensions of a kind.
        pub fn dim(keep self, kind: val Dim) -> usize = isl_constraint_dim;
        /// The coefficient of a dimension.
        pub fn coefficient(keep self, kind: val Dim, pos: val usize) -> Val = isl_constraint_get_coefficient_val;
    }
}

impl Aff {
    bind! {
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
        /// As a piecewise expression.
        pub fn to_pw_aff(take self) -> PwAff = isl_pw_aff_from_aff;
    }
}

impl PwAff {
    bind! {
        /// Where it is defined.
        pub fn domain(take self) -> Set = isl_pw_aff_domain;
        /// Where it is less.
        pub fn lt_set(take self, other: take PwAff) -> Set = isl_pw_aff_lt_set;
        /// Where they differ.
        pub fn ne_set(take self, other: take PwAff) -> Set = isl_pw_aff_ne_set;
        /// Where it is greater.
        pub fn gt_set(take self, other: take PwAff) -> Set = isl_pw_aff_gt_set;
        /// Restricted to parameter values.
        pub fn intersect_params(take self, set: take Set) -> PwAff = isl_pw_aff_intersect_params;
        /// What is left where a context of the parameters is known to hold.
        pub fn gist_params(take self, context: take Set) -> PwAff = isl_pw_aff_gist_params;
        /// Adds and orders parameters as in `model`.
        pub fn align_params(take self, model: take Space) -> PwAff = isl_pw_aff_align_params;
    }
}

impl Mupa {
    bind! {
        /// Reads isl's notation.
        pub fn parse(ctx, text: text str) -> Mupa = isl_multi_union_pw_aff_read_from_str;
    }
}

impl PwAff {
    /// Its pieces: where, and which expression there.
    pub fn pieces(&self) -> Result<Vec<(Set, Aff)>> {
        pw_aff_pieces(self)
    }
}

coalesce!(PwAff = isl_pw_aff_coalesce);
