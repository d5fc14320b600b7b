//! What is wrong with a line, and how a user sees it.

use crate::diag::{Diagnostic, Place};
use std::ops::Range;

/// The most characters of a line that are shown.
const MOST_SHOWN: usize = 160;

/// What is wrong with a line.
#[derive(Debug, PartialEq)]
pub struct Fault {
    /// The short name for machines.
    pub code: &'static str,
    /// What is wrong.
    pub message: String,
    /// The bytes of the line that are meant.
    pub range: Range<usize>,
    /// What to do about it.
    pub help: Option<String>,
}

impl Fault {
    /// A fault without help. Boxed, because a line has one so seldom.
    pub fn new(code: &'static str, message: impl Into<String>, range: Range<usize>) -> Box<Fault> {
        Box::new(Fault { code, message: message.into(), range, help: None })
    }

    /// Adds what the user can do.
    pub fn help(mut self: Box<Self>, text: impl Into<String>) -> Box<Fault> {
        self.help = Some(text.into());
        self
    }

    /// The diagnostic: `line` is the number of the line, from 1, and `text` what stands on it.
    pub fn diagnostic(self, file: &str, line: u64, text: &[u8]) -> Diagnostic {
        let place = place(file, line, text, self.range);
        let mut diagnostic = Diagnostic::error(self.code, self.message, Some(place));
        diagnostic.help = self.help;
        diagnostic
    }
}

/// The place of some bytes of a line; of a long line, only the part around them is shown.
pub fn place(file: &str, line: u64, text: &[u8], range: Range<usize>) -> Place {
    let text = text.trim_ascii_end();
    let start = range.start.min(text.len());
    let cut = if text.len() <= MOST_SHOWN { 0 } else { start.saturating_sub(MOST_SHOWN / 2) };
    let end = text.len().min(cut + MOST_SHOWN);
    let characters = |range: Range<usize>| String::from_utf8_lossy(&text[range]).chars().count() as u32;
    Place {
        file: file.into(),
        line: u32::try_from(line).unwrap_or(u32::MAX),
        column: 1 + characters(cut..start),
        length: characters(start..range.end.clamp(start, end)).max(1),
        // Control characters would disturb the terminal.
        text: String::from_utf8_lossy(&text[cut..end]).replace(|c: char| c.is_control() && c != '\t', "?"),
    }
}

/// A word of the file inside a message.
pub fn quoted(word: &[u8]) -> String {
    const MOST: usize = 40;
    let text = String::from_utf8_lossy(&word[..word.len().min(MOST)]).replace(char::is_control, "?");
    format!("`{text}{}`", if word.len() > MOST { "..." } else { "" })
}
