//! The calls in the user's C that bring home what regions have left on the device:
//! ```text
//! { extern int rt_host_reads(void); rt_host_reads(); }
//! ```

use super::{Homecoming, Spot};
use crate::dag::stays::{Place, Touch};
use crate::source::cut::{Cut, Text};
use crate::source::{Source, Span};
use std::collections::BTreeSet;

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

    /// By their places; of those at one, what ends there first, and the outer before the inner.
    pub fn sort(all: &mut [Insertion]) {
        all.sort_by_key(|x| (x.at, x.is_open, std::cmp::Reverse(x.other)));
    }
}

/// Where that is in the text that is emitted; `None` where it has no place of its own there, as inside a macro or a header.
pub fn spot(source: &Source, text: Text, place: &Place) -> Option<Spot> {
    let cut = |first: Span, last: Span, directives: &[Span]| {
        let Cut { range, .. } = source.cut(text, first, last, directives.iter().copied()).ok()?;
        Some(range)
    };
    let token = |lo: u32| cut(Span { lo, hi: lo + 1 }, Span { lo, hi: lo + 1 }, &[]);
    Some(match place {
        Place::Before { span, directives, in_block } => {
            let range = cut(*span, *span, directives)?;
            if *in_block { Spot::Before(range.start) } else { Spot::Around(range) }
        }
        Place::Each { around, directives, at } => {
            Spot::Each { around: cut(*around, *around, directives)?, at: cut(*at, *at, &[])?.start }
        }
        Place::Start(body) => Spot::Before(token(body.lo)?.end),
        Place::End(body) => Spot::Before(token(body.hi - 1)?.start),
        Place::Region(_) => return None,
    })
}

/// The insertions of one.
pub fn insertions(h: &Homecoming) -> Vec<Insertion> {
    let (declared, calls) = (declarations(&h.touch), calls(&h.touch));
    match &h.spot {
        Spot::Before(at) => vec![Insertion::open(*at, *at, format!("{{ {declared} {}; }}\n", calls.join("; ")))],
        Spot::Around(range) => vec![
            Insertion::open(range.start, range.end, format!("{{ {declared} {};\n", calls.join("; "))),
            Insertion::close(range.end, range.start, " }".into()),
        ],
        Spot::Each { around, at } => vec![
            Insertion::open(around.start, around.end, format!("{{ {declared}\n")),
            Insertion::open(*at, *at, format!("{}, ", calls.join(", "))),
            Insertion::close(around.end, around.start, " }".into()),
        ],
    }
}

/// The declarations of what is called.
pub fn declarations(touch: &Touch) -> String {
    let names: BTreeSet<String> = match touch {
        Touch::Anything(used) => [format!("rt_host_{}(void)", used.verb())].into(),
        Touch::Elements(all) => all
            .iter()
            .map(|(_, used)| format!("rt_host_{}_at(const volatile void *, unsigned long)", used.verb()))
            .collect(),
    };
    format!("extern int {};", names.into_iter().collect::<Vec<_>>().join(", "))
}

/// The calls.
pub fn calls(touch: &Touch) -> Vec<String> {
    match touch {
        Touch::Anything(used) => vec![format!("rt_host_{}()", used.verb())],
        Touch::Elements(all) => {
            all.iter().map(|(e, used)| format!("rt_host_{}_at(&({e}), sizeof({e}))", used.verb())).collect()
        }
    }
}
