//! Reasons why something stays on the host: a code, a sentence, a place, and a remedy where there is one.
//!
//! They are what a question of facts has in the place of an answer, so that what is declined is never silent.

use crate::source::Span;

/// Remedy that a message names. Each is written as `remedy!`, by which `tests/remedies.rs` finds them all in
/// the source: a remedy is executed there.
#[derive(Debug, Clone, PartialEq)]
pub struct Remedy(String);

impl From<String> for Remedy {
    fn from(text: String) -> Self {
        Remedy(text)
    }
}

impl From<Remedy> for String {
    fn from(remedy: Remedy) -> Self {
        remedy.0
    }
}

/// A [`Remedy`] from a text, as `format!` takes it.
macro_rules! remedy {
    ($($text:tt)*) => { $crate::facts::Remedy::from(format!($($text)*)) };
}

pub(crate) use remedy;

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
            .help(remedy!("where the loops around it may run on, set a variable here and return after them"))
    }

    /// A loop that leaves nothing for a device to do.
    pub fn no_work(span: Span) -> Self {
        let message = "nothing is computed here but counters and sums of what does not change: a compiler finds what they \
                       become without running the loop";
        Reason::new("no-work", message, span)
    }

    /// Adds what the user can do.
    pub fn help(mut self, remedy: Remedy) -> Self {
        self.help = Some(remedy.into());
        self
    }
}
