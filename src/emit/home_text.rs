//! The calls in the user's C that bring home what regions have left on the device:
//! ```text
//! { extern int rt_host_reads(const char *, int); rt_host_reads("heat.c", 45); }
//! ```
//! They name the user's line: the profile says how many bytes come home because of it.

use super::construct::c_file::{Home, HomeAround, HomeBefore, HomeCall, HomeEach, HomeFunction, HomeValue, ORIGINAL};
use super::spell::spell_around;
use super::{Homecoming, Spot, names};
use crate::diag::{self, Stop};
use crate::residency::needs::{Need, Place, Touch, Use};
use crate::source::cut::{Cut, Text};
use crate::source::{Source, Span};
use std::collections::BTreeSet;
use std::ops::Range;

/// A text that is put between two bytes of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Insertion {
    pub at: usize,
    /// Where what it opens or closes has its other end; its own place where that is nothing.
    pub other: usize,
    pub is_open: bool,
    pub text: String,
}

impl Insertion {
    /// What stands before a range.
    pub fn open(at: usize, other: usize, text: String) -> Self {
        Insertion { at, other, is_open: true, text }
    }

    /// What stands behind it.
    pub fn close(at: usize, other: usize, text: String) -> Self {
        Insertion { at, other, is_open: false, text }
    }

    /// By their places; of those at one, what ends there first, and the outer before the inner. Of two around one range, the
    /// first is the outer.
    pub fn sort(all: &mut Vec<Insertion>) {
        let (opening, mut sorted): (Vec<_>, Vec<_>) = all.drain(..).partition(|x| x.is_open);
        sorted.reverse();
        sorted.extend(opening);
        sorted.sort_by_key(|x| (x.at, x.is_open, std::cmp::Reverse(x.other)));
        *all = sorted;
    }
}

/// A need, in the text that is emitted; `None` where it has no place of its own there, as inside a macro or a header.
pub fn homecoming(source: &Source, text: Text, need: Need) -> Option<Homecoming> {
    let span = match need.place {
        Place::Before { span, .. } => span,
        Place::Each { at, .. } | Place::Value(at) => at,
        Place::Start(body) => token(body.lo),
        Place::End(body) => token(body.hi - 1),
        Place::Region(_) => return None,
    };
    let diag::Place { file, line, .. } = source.place(span);
    Some(Homecoming { spot: spot(source, text, &need.place)?, touch: need.touch, file, line })
}

fn token(lo: u32) -> Span {
    Span { lo, hi: lo + 1 }
}

/// Where that is in the text that is emitted, as above.
pub fn spot(source: &Source, text: Text, place: &Place) -> Option<Spot> {
    let cut = |first: Span, last: Span, directives: &[Span]| {
        let Cut { range, .. } = source.cut(text, first, last, directives.iter().copied()).ok()?;
        Some(range)
    };
    Some(match place {
        Place::Before { span, directives, in_block } => {
            let range = cut(*span, *span, directives)?;
            if *in_block { Spot::Before(range.start) } else { Spot::Around(range) }
        }
        Place::Each { around, directives, at } => {
            Spot::Each { around: cut(*around, *around, directives)?, at: cut(*at, *at, &[])?.start }
        }
        Place::Value(value) => Spot::Value(cut(*value, *value, &[])?),
        Place::Start(body) => Spot::Before(cut(token(body.lo), token(body.lo), &[])?.end),
        Place::End(body) => Spot::Before(cut(token(body.hi - 1), token(body.hi - 1), &[])?.start),
        Place::Region(_) => return None,
    })
}

/// The insertions of one.
///
/// # Errors
/// As [`spell_around`].
pub fn insertions(h: &Homecoming) -> Result<Vec<Insertion>, Stop> {
    let (original, home) = (ORIGINAL, home(&h.touch, &h.file, h.line));
    Ok(match &h.spot {
        Spot::Before(at) => {
            let [open, _] = spell_around(&HomeBefore { original, home })?;
            vec![Insertion::open(*at, *at, open)]
        }
        Spot::Around(range) => around(range, spell_around(&HomeAround { original, home })?),
        Spot::Value(range) => around(range, spell_around(&HomeValue { original, home })?),
        Spot::Each { around, at } => {
            let [open, each, close] = spell_around(&HomeEach { original, home })?;
            vec![
                Insertion::open(around.start, around.end, open),
                Insertion::open(*at, *at, each),
                Insertion::close(around.end, around.start, close),
            ]
        }
    })
}

fn around(range: &Range<usize>, [open, close]: [String; 2]) -> Vec<Insertion> {
    vec![Insertion::open(range.start, range.end, open), Insertion::close(range.end, range.start, close)]
}

/// The calls because of that line, and the functions that they call.
pub fn home(touch: &Touch, file: &str, line: u32) -> Home {
    let call = |used: &Use, element| HomeCall { verb: used.verb(), element, file: names::quoted_file(file), line };
    let calls: Vec<HomeCall> = match touch {
        Touch::Anything(used) => vec![call(used, None)],
        Touch::Elements(all) => all.iter().map(|(e, used)| call(used, Some(e.clone()))).collect(),
    };
    let called: BTreeSet<_> = calls.iter().map(|call| (call.verb, call.element.is_some())).collect();
    let functions = called.into_iter().map(|(verb, is_of_element)| HomeFunction { verb, is_of_element }).collect();
    Home { functions, calls }
}
