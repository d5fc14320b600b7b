//! Guards: the only way in which a call is left to the original loops before anything has happened, one list for each entry.
//!
//! Until the plan is settled the list has what was proved alone ([`Condition::Holds`]); the pass [`guards`](super::passes::guards)
//! completes it, and from then on it is what the entry tests, in order.

use crate::kernel::Expr;
use std::fmt::{self, Display, Formatter};

/// Stages of an entry before its steps, in order; a guard stands behind the one that it is computed from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    Parameters,
    /// The region is named to the runtime.
    Region,
    /// Numbers of the caller's are read.
    Scalars,
    /// Lengths, extents and ends of ranges.
    Lengths,
    /// Rows behind pointers.
    Rows,
    /// Arrays of the device.
    Arrays,
}

/// A condition without which the original loops run, and why.
#[derive(Debug, Clone, PartialEq)]
pub struct Guard {
    pub condition: Condition,
    pub behind: Stage,
    /// In words, of a call that fails it.
    pub reason: String,
    /// The C line that wants it; 0: all of the region does.
    pub line: u32,
}

/// Question of a guard to a call.
#[derive(Debug, Clone, PartialEq)]
pub enum Condition {
    /// By what the call is given alone, a core of the host is not done before a device has begun.
    MayPay,
    /// Statements run so often that asking a device is worth it, whatever each of them takes.
    RunsOften,
    /// One core would take longer than the way to the device, with all copies.
    Pays,
    /// Something holds of the call's numbers.
    Holds(Expr),
    /// The memory behind an array's pointer goes as far as it must.
    IsThere { array: String },
    /// The same of each row of an array whose rows lie behind pointers.
    RowsAreThere { array: String },
    /// The same of memory that the caller has on the device.
    IsOnDevice { array: String },
    /// Arrays and places of the caller's that are touched do not overlap, where any of them is written.
    Apart(Vec<Touched>),
}

/// Memory of the caller's that a region touches.
#[derive(Debug, Clone, PartialEq)]
pub enum Touched {
    /// An array in one block.
    Block(String),
    /// An array whose rows lie behind pointers.
    Rows(String),
    /// The place of a scalar, by its parameter.
    Place(String),
}

impl Touched {
    /// Its name in the plan.
    pub fn name(&self) -> &str {
        match self {
            Touched::Block(name) | Touched::Rows(name) | Touched::Place(name) => name,
        }
    }
}

impl Display for Condition {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        match self {
            Condition::MayPay => f.write_str("a device to be worth asking, by what the call is given"),
            Condition::RunsOften => f.write_str("statements to run often"),
            Condition::Pays => f.write_str("a device to pay, with all copies"),
            Condition::Holds(e) => e.fmt(f),
            Condition::IsThere { array } => write!(f, "the memory behind {array} to be there"),
            Condition::RowsAreThere { array } => write!(f, "the memory of rows of {array} to be there"),
            Condition::IsOnDevice { array } => write!(f, "the memory behind {array} to be on the device"),
            Condition::Apart(touched) => {
                let names: Vec<&str> = touched.iter().map(Touched::name).collect();
                write!(f, "{} to lie apart", names.join(", "))
            }
        }
    }
}

impl Guard {
    /// A guard on the call's numbers.
    pub fn holds(condition: Expr, reason: String, line: u32) -> Self {
        Guard { condition: Condition::Holds(condition), behind: Stage::Scalars, reason, line }
    }

    /// The condition on the call's numbers; `None`: it asks for something else.
    pub fn expr(&self) -> Option<&Expr> {
        match &self.condition {
            Condition::Holds(e) => Some(e),
            _ => None,
        }
    }

    /// Test that it asks whether a device pays, and nothing that was proved depends on it.
    pub fn is_of_cost(&self) -> bool {
        matches!(self.condition, Condition::MayPay | Condition::RunsOften | Condition::Pays)
    }
}
