//! Assumptions of an estimate, each with a name, so that a figure tells what it rests on.

/// Assumptions that an estimate had to make.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Assumption {
    /// A size is not known: 1024.
    Size,
    /// A count of iterations that only the data know.
    Trips,
    /// Where an access lies only the data know: spread evenly.
    Address,
    /// A condition that only the data know: half of the threads, of comparisons for equality a tenth.
    Condition,
    /// A loop may end early: it does not.
    Exit,
    /// A branch that no sampled warp takes: one thread of the launch does.
    Unreached,
    /// Registers are counted from the text; more than a thread can have would be spilled.
    Spills,
}
