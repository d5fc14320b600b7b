//! State of a candidate on its way to a region: what the passes made of it so far.

use super::file::FileState;
use super::runner::Level;
use crate::analysis::analysed::Analysed;
use crate::analysis::no_plan::NoPlan;
use crate::analysis::scheduled::Scheduled;
use crate::analysis::settings::Settings;
use crate::ast::Unit;
use crate::diag::Stop;
use crate::host_plan::build::Planned;
use crate::isl::Ctx;
use crate::region::candidates::Candidate;
use crate::source::cut::Cut;
use std::borrow::Cow;

/// The level of one candidate.
pub struct RegionLevel;

impl Level for RegionLevel {
    type State<'s> = RegionState<'s>;
    type Error = NoPlan;
}

impl From<Stop> for NoPlan {
    fn from(stop: Stop) -> Self {
        NoPlan::Stop(stop)
    }
}

/// A candidate, and what the passes made of it so far.
pub struct RegionState<'a> {
    pub file: &'a FileState,
    pub candidate: &'a Candidate<'a>,
    pub settings: Settings<'a>,
    /// The program, with the variables that passes add for this candidate.
    pub unit: Cow<'a, Unit>,
    /// Where it stands in the text; empty until pass `region`.
    pub cut: Cut,
    /// Held to sizes at which iterations do not meet, since it was declined for all.
    pub is_held_apart: bool,
    /// Where its sets live, with what the function's operations leave to it.
    pub ctx: Ctx,
    pub stage: Stage,
}

/// The representation that a candidate has reached.
pub enum Stage {
    /// Statements of the program.
    Found,
    /// Static parts with their dependences and orders.
    Analysed(Box<Analysed>),
    /// The same with the steps of each part, each nest with its mapping.
    Scheduled(Box<(Analysed, Scheduled)>),
    /// Kernels, and a plan of the host.
    Planned(Box<Planned>),
}

impl Stage {
    /// The static parts.
    ///
    /// # Errors
    /// A pass stands before `poly`, or behind `schedule`.
    pub fn analysed(&self) -> Result<&Analysed, Stop> {
        if let Stage::Analysed(region) = self { Ok(region) } else { Err(self.is_another("static parts")) }
    }

    /// The static parts, to be changed.
    ///
    /// # Errors
    /// As [`Stage::analysed`].
    pub fn analysed_mut(&mut self) -> Result<&mut Analysed, Stop> {
        if let Stage::Analysed(region) = self { Ok(region) } else { Err(self.is_another("static parts")) }
    }

    /// The static parts, to be made something else; leaves [`Stage::Found`].
    ///
    /// # Errors
    /// As [`Stage::analysed`].
    pub fn take_analysed(&mut self) -> Result<Analysed, Stop> {
        match std::mem::replace(self, Stage::Found) {
            Stage::Analysed(region) => Ok(*region),
            other => Err(other.is_another("static parts")),
        }
    }

    /// The schedule.
    ///
    /// # Errors
    /// A pass stands before `schedule`, or behind `kernel`.
    pub fn scheduled(&self) -> Result<&(Analysed, Scheduled), Stop> {
        if let Stage::Scheduled(scheduled) = self { Ok(scheduled) } else { Err(self.is_another("a schedule")) }
    }

    /// The schedule, to be made something else; leaves [`Stage::Found`].
    ///
    /// # Errors
    /// As [`Stage::scheduled`].
    pub fn take_scheduled(&mut self) -> Result<(Analysed, Scheduled), Stop> {
        match std::mem::replace(self, Stage::Found) {
            Stage::Scheduled(scheduled) => Ok(*scheduled),
            other => Err(other.is_another("a schedule")),
        }
    }

    /// The plan.
    ///
    /// # Errors
    /// A pass stands before `kernel`.
    pub fn planned(&self) -> Result<&Planned, Stop> {
        if let Stage::Planned(planned) = self { Ok(planned) } else { Err(self.is_another("a plan")) }
    }

    /// The plan, to be changed.
    ///
    /// # Errors
    /// As [`Stage::planned`].
    pub fn planned_mut(&mut self) -> Result<&mut Planned, Stop> {
        if let Stage::Planned(planned) = self { Ok(planned) } else { Err(self.is_another("a plan")) }
    }

    /// Fault of a table of passes that wants another representation here.
    pub fn is_another(&self, wanted: &str) -> Stop {
        let reached = match self {
            Stage::Found => "statements",
            Stage::Analysed(_) => "static parts",
            Stage::Scheduled(_) => "a schedule",
            Stage::Planned(_) => "a plan",
        };
        Stop::Bug(format!(
            "a pass works on {wanted}, and the candidate is {reached}: the table of passes is out of order"
        ))
    }
}
