//! Reasons why something stays on the host: a code, a sentence, a place, and a remedy where there is one.
//!
//! They are what a question of facts has in the place of an answer, so that what is declined is never silent.

use crate::source::Span;

/// Reason why something stays on the host, and its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Reason {
    pub code: &'static str,
    pub message: String,
    pub span: Span,
    pub help: Option<String>,
}

impl Reason {
    /// A reason without a remedy.
    pub fn new(code: &'static str, message: impl Into<String>, span: Span) -> Self {
        Reason { code, message: message.into(), span, help: None }
    }

    /// A `return` among what is to be a region.
    pub fn returns(span: Span) -> Self {
        Reason::new("return", "`return` leaves the region", span)
            .help("where the loops around may run on, set a variable here and return behind them")
    }

    /// A loop that leaves nothing for a device to do.
    pub fn no_work(span: Span) -> Self {
        Reason::new("no-work", "nothing is computed here but counters and sums of what does not change", span)
            .help("nothing is lost: a compiler finds what such a loop leaves without running it")
    }

    /// Adds what the user can do.
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help = Some(text.into());
        self
    }
}
