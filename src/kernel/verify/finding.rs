//! Findings of the verifier: every check adds to one list, in which each stands once.

use crate::kernel::{Stmt, text};
use std::fmt::{self, Display, Formatter};

/// An invariant that does not hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The first line of the statement's text; `None` where the head of the kernel is at fault.
    pub at: Option<String>,
    pub message: String,
}

impl Display for Finding {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        match &self.at {
            Some(at) => write!(f, "`{at}`: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

/// Findings in the order they are made, each once.
#[derive(Default)]
pub(super) struct Findings(pub Vec<Finding>);

impl Findings {
    pub fn add(&mut self, at: Option<&Stmt>, message: String) {
        let finding = Finding { at: at.map(text::head), message };
        if !self.0.contains(&finding) {
            self.0.push(finding);
        }
    }
}
