//! The isl context, its errors, its limit and its options.

use std::fmt;
use std::rc::Rc;

use super::ffi::{Object, Ptr, RawCtx, bind, enumeration};
use crate::diag::Stop;

/// What an isl call gives.
pub type Result<T> = std::result::Result<T, Error>;

/// Why an isl call failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ErrorKind {
    /// The limit of [`Ctx::set_limit`] was hit: the problem is too hard, not wrong.
    Limit,
    /// Arguments that do not fit each other, or text that does not parse.
    Invalid,
    /// Something isl does not do.
    Unsupported,
    /// No memory.
    Memory,
    /// A fault inside isl.
    Internal,
    /// isl says no more.
    Unknown,
}

/// A failed isl call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    /// What sort of failure.
    pub kind: ErrorKind,
    /// isl's own words.
    pub message: String,
}

impl Error {
    /// Arguments refused before isl saw them.
    pub(super) fn invalid(message: &str) -> Self {
        Error { kind: ErrorKind::Invalid, message: message.into() }
    }

    /// Whether the limit on operations was hit.
    pub fn is_limit(&self) -> bool {
        self.kind == ErrorKind::Limit
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "isl: {}", self.message)
    }
}

impl std::error::Error for Error {}

/// An error that reaches the end of a pass is a fault of ours: what the user's code may cause is handled where it
/// arises.
impl From<Error> for Stop {
    fn from(e: Error) -> Self {
        Stop::Bug(e.to_string())
    }
}

/// An isl context: all objects live in one, and only objects of the same one meet. Cloning shares it.
#[derive(Clone)]
pub struct Ctx(Rc<RawCtx>);

impl Default for Ctx {
    fn default() -> Self {
        Ctx(Rc::new(RawCtx::new()))
    }
}

impl Ctx {
    /// A context without a limit.
    pub fn new() -> Self {
        Self::default()
    }

    /// A context in which at most `max_operations` may run: see [`Ctx::set_limit`].
    pub fn with_limit(max_operations: u64) -> Self {
        let ctx = Self::new();
        ctx.set_limit(max_operations);
        ctx
    }

    /// From now on at most `max_operations` may run (0: any number); further ones fail with [`ErrorKind::Limit`] until
    /// the limit is set anew. An operation is about an allocation: a million take in the order of a second.
    pub fn set_limit(&self, max_operations: u64) {
        self.0.set_limit(max_operations);
    }

    /// Runs `f` with so many operations at most, and no more than the limit leaves; what it spends counts towards the
    /// limit, which then holds again. What fails in `f` by this fails with [`ErrorKind::Limit`].
    pub fn within<T>(&self, operations: u64, f: impl FnOnce() -> T) -> T {
        self.0.within(operations, f)
    }

    pub(super) fn unlimited<T>(&self, f: impl FnOnce() -> T) -> T {
        self.0.unlimited(f)
    }

    /// The pointer, for the length of a call.
    pub(super) fn raw(&self) -> Ptr {
        self.0.raw()
    }

    /// Why the last call gave nothing.
    pub(super) fn error(&self) -> Error {
        let unsaid = || Error { kind: ErrorKind::Unknown, message: "no result and no reason given".into() };
        self.take_error().unwrap_or_else(unsaid)
    }

    pub(super) fn take_error(&self) -> Option<Error> {
        self.0.take_error()
    }

    /// `object`, if it lives here.
    pub(super) fn same<'a, T: Object>(&self, object: &'a T) -> Result<&'a T> {
        if Rc::ptr_eq(&self.0, &object.ctx().0) {
            Ok(object)
        } else {
            Err(Error::invalid("objects of two contexts in one call"))
        }
    }
}

enumeration! {
    /// How schedules are computed.
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
        /// Whether the outermost member of each band should be coincident.
        pub fn set_schedule_outer_coincidence(ctx self, value: val bool) -> ()
            = isl_options_set_schedule_outer_coincidence;
        /// Whether bands are made as long as possible.
        pub fn set_schedule_maximize_band_depth(ctx self, value: val bool) -> ()
            = isl_options_set_schedule_maximize_band_depth;
        /// Whether statements stay apart where fusing would cost coincidence.
        pub fn set_schedule_maximize_coincidence(ctx self, value: val bool) -> ()
            = isl_options_set_schedule_maximize_coincidence;
        /// Whether every strongly connected component is scheduled apart (minimal fusion).
        pub fn set_schedule_serialize_sccs(ctx self, value: val bool) -> () = isl_options_set_schedule_serialize_sccs;
        /// Whether a whole component is scheduled at once, rather than growing it.
        pub fn set_schedule_whole_component(ctx self, value: val bool) -> () = isl_options_set_schedule_whole_component;
        /// Whether schedules that merge loops into one dimension are avoided.
        pub fn set_schedule_treat_coalescing(ctx self, value: val bool) -> ()
            = isl_options_set_schedule_treat_coalescing;
        /// Whether components of the dependence graph are separated.
        pub fn set_schedule_separate_components(ctx self, value: val bool) -> ()
            = isl_options_set_schedule_separate_components;
        /// Whether schedule dimensions that are scaled are split.
        pub fn set_schedule_split_scaled(ctx self, value: val bool) -> () = isl_options_set_schedule_split_scaled;
        /// The greatest schedule coefficient (-1: any).
        pub fn set_schedule_max_coefficient(ctx self, value: val i32) -> () = isl_options_set_schedule_max_coefficient;
        /// The greatest constant term of a schedule (-1: any).
        pub fn set_schedule_max_constant_term(ctx self, value: val i32) -> ()
            = isl_options_set_schedule_max_constant_term;
        /// Whether tile loops count points (0, 32, ...) rather than tiles (0, 1, ...).
        pub fn set_tile_scale_tile_loops(ctx self, value: val bool) -> () = isl_options_set_tile_scale_tile_loops;
        /// Whether point loops start from 0 within their tile.
        pub fn set_tile_shift_point_loops(ctx self, value: val bool) -> () = isl_options_set_tile_shift_point_loops;
        /// Whether a loop's upper bound is one comparison (`min`) rather than several.
        pub fn set_ast_build_atomic_upper_bound(ctx self, value: val bool) -> ()
            = isl_options_set_ast_build_atomic_upper_bound;
        /// Whether divisions of what is not negative are marked so (`pdiv_q`, `pdiv_r`).
        pub fn set_ast_build_prefer_pdiv(ctx self, value: val bool) -> () = isl_options_set_ast_build_prefer_pdiv;
        /// Whether conditions use what outer loops imply.
        pub fn set_ast_build_exploit_nested_bounds(ctx self, value: val bool) -> ()
            = isl_options_set_ast_build_exploit_nested_bounds;
        /// Whether piecewise expressions are written as `min` and `max`.
        pub fn set_ast_build_detect_min_max(ctx self, value: val bool) -> () = isl_options_set_ast_build_detect_min_max;
        /// Whether conditionals may have an `else`.
        pub fn set_ast_build_allow_else(ctx self, value: val bool) -> () = isl_options_set_ast_build_allow_else;
        /// Whether a condition may contain a disjunction.
        pub fn set_ast_build_allow_or(ctx self, value: val bool) -> () = isl_options_set_ast_build_allow_or;
        /// Whether the iterators of strided loops are scaled down to steps of 1.
        pub fn set_ast_build_scale_strides(ctx self, value: val bool) -> () = isl_options_set_ast_build_scale_strides;
        /// Whether instances with the same schedule stay together.
        pub fn set_ast_build_group_coscheduled(ctx self, value: val bool) -> ()
            = isl_options_set_ast_build_group_coscheduled;
        /// Which bounds separate (0: explicit, 1: implicit).
        pub fn set_ast_build_separation_bounds(ctx self, value: val i32) -> ()
            = isl_options_set_ast_build_separation_bounds;
    }
}
