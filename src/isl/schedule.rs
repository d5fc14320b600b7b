//! Schedules: trees that say in which order the instances of statements run, and the scheduler that makes them.

use super::ffi::{bind, objects};
use super::{Mupa, Set, UMap, USet};

objects! {
    /// A schedule tree.
    Schedule: isl_schedule_copy, isl_schedule_free, isl_schedule_to_str;
    /// What a schedule must and should satisfy.
    ScheduleConstraints: isl_schedule_constraints_copy, isl_schedule_constraints_free, isl_schedule_constraints_to_str;
}

impl ScheduleConstraints {
    bind! {
        /// No constraint yet.
        pub fn on_domain(domain: take USet) -> ScheduleConstraints = isl_schedule_constraints_on_domain;
        /// The parameter values that occur.
        pub fn set_context(take self, context: take Set) -> ScheduleConstraints = isl_schedule_constraints_set_context;
        /// From what must run before, to what must run after.
        pub fn set_validity(take self, validity: take UMap) -> ScheduleConstraints
            = isl_schedule_constraints_set_validity;
        /// What should be at the same iteration of a parallel member.
        pub fn set_coincidence(take self, coincidence: take UMap) -> ScheduleConstraints
            = isl_schedule_constraints_set_coincidence;
        /// What should run close together.
        pub fn set_proximity(take self, proximity: take UMap) -> ScheduleConstraints
            = isl_schedule_constraints_set_proximity;
        /// `validity` matters where `condition` is not at distance zero.
        pub fn set_conditional_validity(take self, condition: take UMap, validity: take UMap) -> ScheduleConstraints
            = isl_schedule_constraints_set_conditional_validity;
        /// A schedule, by the options of the context.
        pub fn compute(take self) -> Schedule = isl_schedule_constraints_compute_schedule;
    }
}

impl Schedule {
    bind! {
        /// Reads isl's notation (YAML).
        pub fn parse(ctx, text: text str) -> Schedule = isl_schedule_read_from_str;
        /// All instances, in no order.
        pub fn from_domain(domain: take USet) -> Schedule = isl_schedule_from_domain;
        /// The schedule as a map to time.
        pub fn map(keep self) -> UMap = isl_schedule_get_map;
        /// The instances of this one, then those of `second`.
        pub fn sequence(take self, second: take Schedule) -> Schedule = isl_schedule_sequence;
        /// Puts a band below the root.
        pub fn insert_partial_schedule(take self, partial: take Mupa) -> Schedule
            = isl_schedule_insert_partial_schedule;
    }
}
