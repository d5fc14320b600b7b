//! Handles of isl's objects: one type each, in one file, for their methods take and give each other. `aff.rs`, `map.rs`,
//! `set.rs`, `union.rs` and `val.rs` have the methods.

use super::ffi::objects;

objects! {
    /// A rational number of any size, or infinity, or no number.
    Val: isl_val_copy, isl_val_free, isl_val_to_str
        [isl_val_list_alloc, isl_val_list_add, isl_val_list_n_val,
        isl_val_list_get_at, isl_val_list_free];
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
    /// One integer tuple.
    Point: isl_point_copy, isl_point_free, isl_point_to_str;
    /// A box of constant size at an affine offset that holds a set.
    FixedBox: isl_fixed_box_copy, isl_fixed_box_free, isl_fixed_box_to_str;
    /// A relation between the tuples of two spaces.
    Map: isl_map_copy, isl_map_free, isl_map_to_str
        [isl_map_list_alloc, isl_map_list_add, isl_map_list_n_map,
        isl_map_list_get_at, isl_map_list_free];
    /// A relation given by a conjunction of affine constraints.
    BasicMap: isl_basic_map_copy, isl_basic_map_free, isl_basic_map_to_str
        [isl_basic_map_list_alloc, isl_basic_map_list_add, isl_basic_map_list_n_basic_map,
        isl_basic_map_list_get_at, isl_basic_map_list_free];
    /// An affine expression with integer divisions.
    Aff: isl_aff_copy, isl_aff_free, isl_aff_to_str
        [isl_aff_list_alloc, isl_aff_list_add, isl_aff_list_n_aff,
        isl_aff_list_get_at, isl_aff_list_free];
    /// A piecewise affine expression.
    PwAff: isl_pw_aff_copy, isl_pw_aff_free, isl_pw_aff_to_str
        [isl_pw_aff_list_alloc, isl_pw_aff_list_add, isl_pw_aff_list_n_pw_aff,
        isl_pw_aff_list_get_at, isl_pw_aff_list_free];
    /// Several affine expressions over one space.
    MultiAff: isl_multi_aff_copy, isl_multi_aff_free, isl_multi_aff_to_str;
    /// Several piecewise affine expressions over one space.
    MultiPwAff: isl_multi_pw_aff_copy, isl_multi_pw_aff_free, isl_multi_pw_aff_to_str;
    /// Several affine expressions, in common pieces.
    PwMultiAff: isl_pw_multi_aff_copy, isl_pw_multi_aff_free, isl_pw_multi_aff_to_str;
    /// Several numbers.
    MultiVal: isl_multi_val_copy, isl_multi_val_free, isl_multi_val_to_str;
    /// A piecewise affine expression over several spaces.
    UPwAff: isl_union_pw_aff_copy, isl_union_pw_aff_free, isl_union_pw_aff_to_str
        [isl_union_pw_aff_list_alloc, isl_union_pw_aff_list_add, isl_union_pw_aff_list_n_union_pw_aff,
        isl_union_pw_aff_list_get_at, isl_union_pw_aff_list_free];
    /// Several piecewise affine expressions over several spaces: a partial schedule.
    Mupa: isl_multi_union_pw_aff_copy, isl_multi_union_pw_aff_free, isl_multi_union_pw_aff_to_str;
    /// A space with integer divisions.
    LocalSpace: isl_local_space_copy, isl_local_space_free;
    /// An affine expression that is zero, or not negative.
    Constraint: isl_constraint_copy, isl_constraint_free
        [isl_constraint_list_alloc, isl_constraint_list_add, isl_constraint_list_n_constraint,
        isl_constraint_list_get_at, isl_constraint_list_free];
    /// A union of sets, one for each space.
    USet: isl_union_set_copy, isl_union_set_free, isl_union_set_to_str
        [isl_union_set_list_alloc, isl_union_set_list_add, isl_union_set_list_n_union_set,
        isl_union_set_list_get_at, isl_union_set_list_free];
    /// A union of maps, one for each pair of spaces.
    UMap: isl_union_map_copy, isl_union_map_free, isl_union_map_to_str;
}
