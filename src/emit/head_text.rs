//! The keyword `inline` before small functions to which something is added.
//!
//! ```text
//! extern inline int flip(int *spins, int at)
//! ```
//! A compiler copies functions up to some size into their callers (gcc -O3: 30 of its operations), and larger ones where the
//! keyword stands (200). The test before a region, and the calls that bring data home, take a small function beyond the first
//! limit: its callers, whose loops were one with it, then take up to twice as long, though nothing ever runs on a device.
//!
//! With `extern`, a definition is one for other files too, as it was without the keyword (C17 6.7.4, paragraph 7). In the dialects
//! before C99 the keyword alone means that.

use super::Head;
use super::home_text::Insertion;
use crate::ast::Function;
use crate::source::cut::{Cut, Text};
use crate::source::{Source, Span};
use std::ops::Range;

/// Tokens of a body that a compiler copies in whole, at most.
const MAX_TOKENS: usize = 120;

/// Words by which a program decides itself.
const DECIDED: [&str; 9] = [
    "inline",
    "__inline",
    "__inline__",
    "noinline",
    "__noinline__",
    "always_inline",
    "__always_inline__",
    "noclone",
    "__noclone__",
];

/// What is put before a definition: without `static`, with it, and in the dialects before C99.
pub const KEYWORDS: [&str; 3] = ["extern inline ", "inline ", "__inline__ "];

/// The head of a function that may be given the keyword, if its text is the user's own.
pub fn head(source: &Source, text: Text, f: &Function) -> Option<Head> {
    let tokens = source.tokens();
    let from = |at: u32| tokens.partition_point(|t| t.span.lo < at);
    let (first, body, end) = (from(f.definition.lo), from(f.body.span.lo), from(f.body.span.hi));
    let spelled = |k: usize| tokens[k].text(&source.text);
    let is_decided = (first..body).any(|k| DECIDED.contains(&spelled(k)));
    if f.name == "main" || is_decided || end - body > MAX_TOKENS || body - first < 2 {
        return None;
    }
    let has = |word| (first..body).any(|k| spelled(k) == word);
    let (is_static, is_extern) = (has("static"), has("extern"));
    let before = if ["static", "extern"].contains(&spelled(first)) { first + 1 } else { first };
    let place = |span: Span| -> Option<Range<usize>> {
        let Cut { range, .. } = source.cut(text, span, span, std::iter::empty()).ok()?;
        let start = range.end.checked_sub(span.hi as usize - span.lo as usize)?;
        Some(start..range.end)
    };
    let (word, last) = (tokens[before].span, Span { lo: f.body.span.hi - 1, hi: f.body.span.hi });
    let at = place(word)?;
    let written = match text {
        Text::Users => &source.joined.bytes,
        Text::Preprocessed => &source.bytes,
    };
    let is_itself = written.get(at.clone()) == Some(spelled(before).as_bytes());
    let head = Head { at: at.start, end: place(last)?.end, has_storage: is_static || is_extern, is_extern };
    let is_fit = is_itself && head.at < head.end && !is_decided_before(&written[..head.at]);
    Some(head).filter(|_| is_fit)
}

/// Test for such a word among the attributes that a definition begins with, which are no part of what is parsed.
fn is_decided_before(written: &[u8]) -> bool {
    let start = written.iter().rposition(|b| b";}".contains(b)).map_or(0, |at| at + 1);
    let before = String::from_utf8_lossy(&written[start..]);
    before.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').any(|word| DECIDED.contains(&word))
}

/// The keywords of functions in which something is inserted.
pub fn insertions(heads: &[Head], inserted: &[Insertion], cflags: &[String]) -> Vec<Insertion> {
    let is_old = is_before_c99(cflags);
    let is_changed = |head: &&Head| inserted.iter().any(|x| head.at < x.at && x.at < head.end);
    let [alone, behind_storage, old] = KEYWORDS;
    let keyword = |head: &Head| {
        let word = match (is_old, head.has_storage) {
            (true, _) if head.is_extern => return None,
            (true, _) => old,
            (false, true) => behind_storage,
            (false, false) => alone,
        };
        Some(Insertion::open(head.at, head.at, word.into()))
    };
    heads.iter().filter(is_changed).filter_map(keyword).collect()
}

/// Dialects in which `extern inline` defines nothing for other files.
const BEFORE_C99: [&str; 8] = [
    "-ansi",
    "-std=c89",
    "-std=c90",
    "-std=gnu89",
    "-std=gnu90",
    "-std=iso9899:1990",
    "-std=iso9899:199409",
    "-fgnu89-inline",
];

fn is_before_c99(cflags: &[String]) -> bool {
    let dialect = cflags.iter().rev().find(|f| f.starts_with("-std=") || *f == "-ansi");
    let old = |f: &String| BEFORE_C99.contains(&f.as_str());
    dialect.is_some_and(old) || cflags.iter().any(|f| f == "-fgnu89-inline")
}
