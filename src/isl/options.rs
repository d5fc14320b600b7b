//! Options of a context: how schedules are computed.

use super::ctx::Ctx;
use super::ffi::bind;

/// Options, named as in `isl/options.h`.
impl Ctx {
    bind! {
        /// Switch: the outermost member of each band should be coincident.
        pub fn set_schedule_outer_coincidence(ctx self, value: val bool) -> ()
            = isl_options_set_schedule_outer_coincidence;
        /// Switch: bands are made as long as possible.
        pub fn set_schedule_maximize_band_depth(ctx self, value: val bool) -> ()
            = isl_options_set_schedule_maximize_band_depth;
        /// Switch: every strongly connected component is scheduled apart (minimal fusion).
        pub fn set_schedule_serialize_sccs(ctx self, value: val bool) -> () = isl_options_set_schedule_serialize_sccs;
        /// Switch: a whole component is scheduled at once, rather than growing it.
        pub fn set_schedule_whole_component(ctx self, value: val bool) -> () = isl_options_set_schedule_whole_component;
        /// The greatest schedule coefficient (-1: any).
        pub fn set_schedule_max_coefficient(ctx self, value: val i32) -> () = isl_options_set_schedule_max_coefficient;
    }
}
