//! Options of a context: how schedules are computed, and how loops are generated.

use super::ctx::Ctx;
use super::ffi::{bind, enumeration};

enumeration! {
    /// Algorithm by which schedules are computed.
    pub enum ScheduleAlgorithm {
        /// Pluto-like: bands as wide as dependences allow, falling back to Feautrier's where none is found.
        Isl = 0,
        /// Feautrier's: carries as many dependences as early as possible.
        Feautrier = 1,
    }
}

/// Options, named as in `isl/options.h`.
impl Ctx {
    bind! {
        /// Which algorithm computes schedules.
        pub fn set_schedule_algorithm(ctx self, value: val ScheduleAlgorithm) -> ()
            = isl_options_set_schedule_algorithm;
        /// Switch: the outermost member of each band should be coincident.
        pub fn set_schedule_outer_coincidence(ctx self, value: val bool) -> ()
            = isl_options_set_schedule_outer_coincidence;
        /// Switch: bands are made as long as possible.
        pub fn set_schedule_maximize_band_depth(ctx self, value: val bool) -> ()
            = isl_options_set_schedule_maximize_band_depth;
        /// Switch: statements stay apart where fusing would cost coincidence.
        pub fn set_schedule_maximize_coincidence(ctx self, value: val bool) -> ()
            = isl_options_set_schedule_maximize_coincidence;
        /// Switch: every strongly connected component is scheduled apart (minimal fusion).
        pub fn set_schedule_serialize_sccs(ctx self, value: val bool) -> () = isl_options_set_schedule_serialize_sccs;
        /// Switch: a whole component is scheduled at once, rather than growing it.
        pub fn set_schedule_whole_component(ctx self, value: val bool) -> () = isl_options_set_schedule_whole_component;
        /// Switch: schedules that merge loops into one dimension are avoided.
        pub fn set_schedule_treat_coalescing(ctx self, value: val bool) -> ()
            = isl_options_set_schedule_treat_coalescing;
        /// Switch: components of the dependence graph are separated.
        pub fn set_schedule_separate_components(ctx self, value: val bool) -> ()
            = isl_options_set_schedule_separate_components;
        /// Switch: schedule dimensions that are scaled are split.
        pub fn set_schedule_split_scaled(ctx self, value: val bool) -> () = isl_options_set_schedule_split_scaled;
        /// The greatest schedule coefficient (-1: any).
        pub fn set_schedule_max_coefficient(ctx self, value: val i32) -> () = isl_options_set_schedule_max_coefficient;
        /// The greatest constant term of a schedule (-1: any).
        pub fn set_schedule_max_constant_term(ctx self, value: val i32) -> ()
            = isl_options_set_schedule_max_constant_term;
        /// Switch: tile loops count points (0, 32, ...) rather than tiles (0, 1, ...).
        pub fn set_tile_scale_tile_loops(ctx self, value: val bool) -> () = isl_options_set_tile_scale_tile_loops;
        /// Switch: point loops start from 0 within their tile.
        pub fn set_tile_shift_point_loops(ctx self, value: val bool) -> () = isl_options_set_tile_shift_point_loops;
        /// Switch: a loop's upper bound is one comparison (`min`) rather than several.
        pub fn set_ast_build_atomic_upper_bound(ctx self, value: val bool) -> ()
            = isl_options_set_ast_build_atomic_upper_bound;
        /// Switch: divisions of what is not negative are marked so (`pdiv_q`, `pdiv_r`).
        pub fn set_ast_build_prefer_pdiv(ctx self, value: val bool) -> () = isl_options_set_ast_build_prefer_pdiv;
        /// Switch: conditions use what outer loops imply.
        pub fn set_ast_build_exploit_nested_bounds(ctx self, value: val bool) -> ()
            = isl_options_set_ast_build_exploit_nested_bounds;
        /// Switch: piecewise expressions are written as `min` and `max`.
        pub fn set_ast_build_detect_min_max(ctx self, value: val bool) -> () = isl_options_set_ast_build_detect_min_max;
        /// Switch: conditionals may have an `else`.
        pub fn set_ast_build_allow_else(ctx self, value: val bool) -> () = isl_options_set_ast_build_allow_else;
        /// Switch: a condition may contain a disjunction.
        pub fn set_ast_build_allow_or(ctx self, value: val bool) -> () = isl_options_set_ast_build_allow_or;
        /// Switch: the iterators of strided loops are scaled down to steps of 1.
        pub fn set_ast_build_scale_strides(ctx self, value: val bool) -> () = isl_options_set_ast_build_scale_strides;
        /// Switch: instances with the same schedule stay together.
        pub fn set_ast_build_group_coscheduled(ctx self, value: val bool) -> ()
            = isl_options_set_ast_build_group_coscheduled;
        /// Which bounds separate (0: explicit, 1: implicit).
        pub fn set_ast_build_separation_bounds(ctx self, value: val i32) -> ()
            = isl_options_set_ast_build_separation_bounds;
    }
}
