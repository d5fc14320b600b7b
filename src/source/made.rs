//! Text that is put around statements of the user's, in their file and in its preprocessed text alike, and on their own lines, so that
//! every line keeps its number.

use super::Span;
use std::collections::BTreeMap;
use std::ops::Range;

/// Text before and behind a statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Made {
    /// The statement in the preprocessed text as it was.
    pub place: Span,
    /// The same in the user's file.
    pub users: Range<usize>,
    pub texts: [String; 2],
}

/// Record of the text that was put into a source.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Remade {
    /// Where each statement was in the preprocessed text.
    pub places: Vec<u32>,
    /// The text before it, and the statement itself, in the preprocessed text as it is.
    pub before: Vec<Span>,
    pub statements: Vec<Span>,
    /// The lines of the user's file that were changed, from 1, as they were.
    pub(super) lines: BTreeMap<u32, String>,
}

impl Remade {
    /// Test for a place in what was put before a statement.
    pub fn holds(&self, place: Span) -> bool {
        self.before.iter().any(|s| s.contains(place.lo))
    }

    /// Test for a place in that or in the statement.
    pub fn has(&self, place: Span) -> bool {
        self.holds(place) || self.statements.iter().any(|s| s.contains(place.lo))
    }
}

/// The bytes with texts around ranges, and where each of these, from the first text on, begins, goes on and ends.
pub(super) fn inserted<'a>(
    bytes: &[u8],
    made: impl Iterator<Item = (Range<usize>, &'a [String; 2])>,
) -> (Vec<u8>, Vec<[u32; 3]>) {
    let (mut out, mut ends, mut at) = (Vec::with_capacity(bytes.len()), vec![], 0);
    for (range, [before, behind]) in made {
        out.extend_from_slice(&bytes[at..range.start]);
        let lo = out.len() as u32;
        out.extend_from_slice(before.as_bytes());
        let mid = out.len() as u32;
        out.extend_from_slice(&bytes[range.clone()]);
        ends.push([lo, mid, out.len() as u32]);
        out.extend_from_slice(behind.as_bytes());
        at = range.end;
    }
    out.extend_from_slice(&bytes[at..]);
    (out, ends)
}
