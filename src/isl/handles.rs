//! Handles of isl's objects: one type each, in one file, for their methods take and give each other. `aff.rs`, `map.rs`,
//! `set.rs`, `union.rs` and `val.rs` have the methods.

use super::ffi::objects;

objects! {
    /// A rational number of any size, or infinity, or no number.
    Val: isl_val_copy, isl_val_free, isl_val_to_str;
    /// A name as isl keeps it; the methods elsewhere take and give plain strings.
    Id: isl_id_copy, isl_id_free, isl_id_to_str
        [isl_id_list_alloc, isl_id_list_add, isl_id_list_n_id,
        isl_id_list_get_at, isl_id_list_free];
    /// Space that objects live in: parameters and one or two named tuples.
    Space: isl_space_copy, isl_space_free, isl_space_to_str;
    /// A set of integer tuples of one space.
    Set: isl_set_copy, isl_set_free, isl_set_to_str
        [isl_set_list_alloc, isl_set_list_add, isl_set_list_n_set,
        isl_set_list_get_at, isl_set_list_free];
    /// A conjunction of affine constraints with integer divisions.
    BasicSet: isl_basic_set_copy, isl_basic_set_free, isl_basic_set_to_str
        [isl_basic_set_list_alloc, isl_basic_set_list_add, isl_basic_set_list_n_basic_set,
        isl_basic_set_list_get_at, isl_basic_set_list_free];
    /// A relation between the tuples of two spaces.
    Map: isl_map_copy, isl_map_free, isl_map_to_str
        [isl_map_list_alloc, isl_map_list_add, isl_map_list_n_map,
        isl_map_list_get_at, isl_map_list_free];
    /// A relation given by a conjunction of affine constraints.
    BasicMap: isl_basic_map_copy, isl_basic_map_free, isl_basic_map_to_str
        [isl_basic_map_list_alloc, isl_basic_map_list_add, isl_basic_map_list_n_basic_map,
        isl_basic_map_list_get_at, isl_basic_map_list_free];
    /// An affine expression with integer divisions.
    Aff: isl_aff_copy, isl_aff_free, isl_aff_to_str;
    /// A piecewise affine expression.
    PwAff: isl_pw_aff_copy, isl_pw_aff_free, isl_pw_aff_to_str;
    /// Several piecewise affine expressions over several spaces: a partial schedule.
    Mupa: isl_multi_union_pw_aff_copy, isl_multi_union_pw_aff_free, isl_multi_union_pw_aff_to_str;
    /// An affine expression that is zero, or not negative.
    Constraint: isl_constraint_copy, isl_constraint_free
        [isl_constraint_list_alloc, isl_constraint_list_add, isl_constraint_list_n_constraint,
        isl_constraint_list_get_at, isl_constraint_list_free];
    /// A union of sets, one for each space.
    USet: isl_union_set_copy, isl_union_set_free, isl_union_set_to_str;
    /// A union of maps, one for each pair of spaces.
    UMap: isl_union_map_copy, isl_union_map_free, isl_union_map_to_str;
}
