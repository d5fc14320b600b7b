//! Decisions of a program: which regions leave something, and what must be at home where.

use super::cause::Cause;
use crate::ast::Unit;
use crate::host_plan::ir::Region;
use crate::report::Kept;
use crate::source::{Source, Span};
use std::collections::{BTreeMap, BTreeSet};

/// A file of the program.
pub struct Part<'a> {
    pub source: &'a Source,
    pub unit: &'a Unit,
    pub regions: Vec<&'a Region>,
}

/// A function, by its place in [`Program::functions`](super::program::Program::functions).
pub type FunctionId = usize;

/// Use of memory by the host.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Use {
    Reads,
    /// And reads, perhaps.
    Writes,
}

impl Use {
    /// Verb of the host.
    pub fn verb(self) -> &'static str {
        match self {
            Use::Reads => "reads",
            Use::Writes => "writes",
        }
    }
}

/// Data that are touched.
#[derive(Debug, Clone, PartialEq)]
pub enum Touch {
    Anything(Use),
    /// Lvalues of C, each of which has an address once those before it are at home.
    Elements(Vec<(String, Use)>),
}

/// Where something is said to the runtime.
#[derive(Debug, Clone, PartialEq)]
pub enum Place {
    /// Before a statement.
    Before { span: Span, directives: Vec<Span>, in_block: bool },
    /// Before an expression that the loop `around` it evaluates at each iteration.
    Each { around: Span, directives: Vec<Span>, at: Span },
    /// Between the value that a statement assigns, which is this call's, and the assignment.
    Value(Span),
    /// Before the call of a region, by its place in the file.
    Region(usize),
    /// Where the body of a function begins.
    Start(Span),
    /// Where it ends.
    End(Span),
}

/// Something that must be at home.
#[derive(Debug, Clone, PartialEq)]
pub struct Need {
    pub part: usize,
    /// The function that is given up where the place does not serve.
    pub(super) function: FunctionId,
    pub place: Place,
    pub touch: Touch,
    /// Code that touches it.
    pub(super) cause: Cause,
    /// Need of code there.
    pub(super) is_placed: bool,
}

impl Need {
    /// End of use of the device's data behind it.
    pub(super) fn is_end(&self) -> bool {
        self.is_placed && self.touch == Touch::Anything(Use::Writes)
    }
}

/// Decisions.
#[derive(Debug, Default)]
pub struct Residency {
    /// The regions that leave what they write on the device, by part and place.
    pub leaves: BTreeSet<(usize, usize)>,
    pub needs: Vec<Need>,
    /// Regions that might leave something and do not, each with what follows on it; `None`: no region that leaves something.
    pub forbidden: BTreeMap<(usize, usize), Option<Cause>>,
    /// Flag: all this was looked for.
    pub is_searched: bool,
    /// Where the arrays of each region are between calls.
    pub kept: BTreeMap<(usize, usize), Vec<Kept>>,
}
