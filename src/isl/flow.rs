//! Dataflow: which access last wrote what another one sees (Feautrier, "Dataflow analysis of array and scalar
//! references", 1991; with may-accesses as in Verdoolaege, "Presburger formulas and polyhedral compilation", 2016).

use super::ffi::{bind, objects};
use super::{Result, Schedule, UMap};

objects! {
    /// Accesses and their order, to compute flow of.
    AccessInfo: isl_union_access_info_copy, isl_union_access_info_free, isl_union_access_info_to_str;
    /// A computed flow.
    RawFlow: isl_union_flow_copy, isl_union_flow_free, isl_union_flow_to_str;
}

impl AccessInfo {
    bind! {
        /// The accesses to find sources of.
        pub fn from_sink(sink: take UMap) -> AccessInfo = isl_union_access_info_from_sink;
        /// Accesses that may be sources.
        pub fn set_may_source(take self, may_source: take UMap) -> AccessInfo = isl_union_access_info_set_may_source;
        /// Accesses that are sources.
        pub fn set_must_source(take self, must_source: take UMap) -> AccessInfo = isl_union_access_info_set_must_source;
        /// The order.
        pub fn set_schedule(take self, schedule: take Schedule) -> AccessInfo = isl_union_access_info_set_schedule;
        /// The flow.
        pub fn compute(take self) -> RawFlow = isl_union_access_info_compute_flow;
    }
}

impl RawFlow {
    bind! {
        /// Definite dependences.
        pub fn must(keep self) -> UMap = isl_union_flow_get_must_dependence;
        /// All dependences, definite ones included.
        pub fn may(keep self) -> UMap = isl_union_flow_get_may_dependence;
        /// Sinks that may have no source.
        pub fn may_no_source(keep self) -> UMap = isl_union_flow_get_may_no_source;
    }
}

/// What reaches a sink: relations from source instances to sink instances, and sink accesses without a source.
#[derive(Debug, Clone)]
pub struct Flow {
    /// Dependences that surely hold: the last write is known.
    pub must: UMap,
    /// All dependences that may hold, sure ones included.
    pub may: UMap,
    /// Sink accesses that may see what was there before (live-in).
    pub may_no_source: UMap,
}

/// Computes which of the sources reach each access of `sink`, in the order of `schedule`.
///
/// A must-source hides what lies before it, a may-source does not. Access relations go from instances to elements.
///
/// # Errors
/// The limit of the context, or relations that do not fit each other.
pub fn flow(sink: &UMap, may_source: &UMap, must_source: &UMap, schedule: &Schedule) -> Result<Flow> {
    let info = AccessInfo::from_sink(sink)?.set_may_source(may_source)?.set_must_source(must_source)?;
    let flow = info.set_schedule(schedule)?.compute()?;
    Ok(Flow { must: flow.must()?, may: flow.may()?, may_no_source: flow.may_no_source()? })
}
