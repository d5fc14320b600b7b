//! Bounds of thread indices, from the conditions under which a thread does anything: `if (i < n && j < m) { ... }` and
//! `if (i >= n) return;`.

use super::code::Code;
use super::names;
use std::ops::Range;

/// Variables that may stand for each other in a bound.
const MOST_STEPS: usize = 8;

/// Context in which conditions are read.
pub struct Guards<'a> {
    pub code: &'a Code,
    pub body: Range<usize>,
    /// The dimension of the index at a token, and the token behind it.
    pub index: &'a dyn Fn(usize) -> Option<(usize, usize)>,
    /// Names that are the same for all threads.
    pub is_uniform: &'a dyn Fn(&str) -> bool,
}

/// A bound of the index of a dimension.
#[derive(Debug, Clone, PartialEq)]
pub struct Bound {
    pub dim: usize,
    pub limit: Limit,
}

/// A limit of an index, in C.
#[derive(Debug, Clone, PartialEq)]
pub enum Limit {
    Below(String),
    /// A number, which is no less than 0.
    From(String),
}

impl Guards<'_> {
    /// The conditions that a condition is made of, each with the bound that it is, if it is one; all hold where the condition
    /// does, or, if it is `negated`, where it does not.
    pub fn pieces(&self, condition: Range<usize>, negated: bool) -> Vec<(Range<usize>, Option<Bound>)> {
        let range = self.bare(condition);
        let (all, any) = if negated { (["|", "|"], ["&", "&"]) } else { (["&", "&"], ["|", "|"]) };
        if self.code.split(range.clone(), &any).len() > 1 {
            return vec![(range, None)];
        }
        let of = |piece: Range<usize>| {
            let bare = self.bare(piece.clone());
            let is_not = self.code.at(bare.start) == "!" && self.is_whole(bare.start + 1..bare.end);
            let bound = match is_not {
                true => self.comparison(self.bare(bare.start + 1..bare.end), !negated),
                false => self.comparison(bare, negated),
            };
            (piece, bound)
        };
        self.code.split(range, &all).into_iter().map(of).collect()
    }

    /// Test that parentheses enclose a range.
    fn is_whole(&self, range: Range<usize>) -> bool {
        self.code.at(range.start) == "(" && self.code.partner(range.start).is_some_and(|close| close + 1 == range.end)
    }

    /// A range without the parentheses around all of it.
    fn bare(&self, mut range: Range<usize>) -> Range<usize> {
        while range.start < range.end && self.is_whole(range.clone()) {
            range = range.start + 1..range.end - 1;
        }
        range
    }

    fn comparison(&self, range: Range<usize>, negated: bool) -> Option<Bound> {
        let at = ["<", ">"].iter().find_map(|sign| self.code.find(range.clone(), sign))?;
        let sign = self.code.at(at);
        let or_equal = self.code.at(at + 1) == "=";
        let right = at + 1 + usize::from(or_equal)..range.end;
        if self.code.at(at + 1) == sign || (sign == ">" && self.code.at(at - 1) == "-") {
            return None;
        }
        let (left, right) = (self.bare(range.start..at), self.bare(right));
        let index = |side: &Range<usize>| (self.index)(side.start).filter(|(_, end)| *end == side.end);
        // As if the index stood on the left.
        let (dim, is_less, other) = match (index(&left), index(&right)) {
            (Some((dim, _)), None) => (dim, sign == "<", right),
            (None, Some((dim, _))) => (dim, sign == ">", left),
            _ => return None,
        };
        let (is_less, or_equal) = if negated { (!is_less, !or_equal) } else { (is_less, or_equal) };
        let text = self.uniform(other, MOST_STEPS)?;
        let limit = match (is_less, or_equal) {
            (true, true) => Limit::Below(format!("{} + 1", grouped(&text))),
            (true, false) => Limit::Below(text),
            (false, _) => Limit::From((text.parse::<u16>().ok()?.checked_add(u16::from(!or_equal))?).to_string()),
        };
        Some(Bound { dim, limit })
    }

    /// An expression that is the same for all threads, over names that are known where the kernel is launched.
    pub fn uniform(&self, range: Range<usize>, steps: usize) -> Option<String> {
        let mut text = String::new();
        for at in range.clone() {
            let word = self.code.at(at);
            if at > range.start && self.code.bytes(at - 1..at).end < self.code.bytes(at..at + 1).start {
                text.push(' ');
            }
            if [".", "[", "?", "{", "\""].contains(&word) || (self.code.is_word(at) && self.code.at(at + 1) == "(") {
                return None;
            }
            if !self.code.is_word(at) || (self.is_uniform)(word) || is_type(word) {
                text += word;
                continue;
            }
            let value = self.value(word)?;
            text += &grouped(&self.uniform(value, steps.checked_sub(1)?)?);
        }
        Some(text)
    }

    /// The only value of a variable of the kernel's.
    fn value(&self, name: &str) -> Option<Range<usize>> {
        let is_it = |at: &usize| self.code.at(*at) == name && names::is_assigned(self.code, *at);
        let mut found = self.body.clone().filter(is_it);
        let at = found.next().filter(|at| self.code.at(at + 1) == "=")?;
        let end = [",", ";"].iter().filter_map(|stop| self.code.find(at + 2..self.body.end, stop)).min()?;
        found.next().is_none().then_some(at + 2..end)
    }
}

/// Words of types in casts.
fn is_type(word: &str) -> bool {
    ["int", "unsigned", "long", "short", "const", "size_t"].contains(&word)
}

/// An expression with parentheses, where it is more than a word.
pub fn grouped(text: &str) -> String {
    let is_word = text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if is_word { text.to_owned() } else { format!("({text})") }
}
