//! Why a launch stops before its end.

use crate::diag::Diagnostic;

/// Trouble of an instruction, in the lane that has it.
#[derive(Debug, Clone, PartialEq)]
pub struct Trouble {
    pub code: &'static str,
    /// Event, without its place.
    pub message: String,
    /// The lane, where one is to blame.
    pub lane: Option<u32>,
    pub help: Option<&'static str>,
}

impl Trouble {
    /// Trouble of a lane.
    pub fn of_lane(code: &'static str, lane: u32, message: impl Into<String>) -> Trouble {
        Trouble { code, message: message.into(), lane: Some(lane), help: None }
    }

    /// Trouble of a warp.
    pub fn of_warp(code: &'static str, message: impl Into<String>) -> Trouble {
        Trouble { code, message: message.into(), lane: None, help: None }
    }

    /// The same, with what the user can do.
    pub fn help(mut self, help: &'static str) -> Trouble {
        self.help = Some(help);
        self
    }
}

/// Reason that a launch did not run to its end.
#[derive(Debug, Clone, PartialEq)]
pub enum Fault {
    /// It cannot be made: a kernel or arguments that are not there.
    Launch(Box<Diagnostic>),
    /// An instruction is at fault: of which function, at which place of its code.
    Instruction { trouble: Trouble, function: usize, instruction: usize, block: [u32; 3], thread: Option<[u32; 3]> },
}

impl From<Diagnostic> for Fault {
    fn from(diagnostic: Diagnostic) -> Fault {
        Fault::Launch(Box::new(diagnostic))
    }
}
