//! Finds a token of the preprocessed text in the user's file, exactly or not at all.
//!
//! Emitted C is the user's file to the letter with insertions around regions, so the ends of a region are needed as
//! byte positions there. Line markers give the line. On it, the user's tokens are a pattern for the preprocessed
//! ones: an identifier that the preprocessor removed was a macro, and so is one that stands for something with its own name in it
//! ([`super::macros`]); it stands (with its arguments) for any tokens;
//! every other token stands for itself. Where the leftmost and the rightmost way to match the pattern agree on a
//! token, its place is certain; else it is in doubt, and the reason is returned. A range may also start with the
//! first token, or end with the last one, that a macro stands for: then it starts or ends with the macro.

use std::collections::BTreeSet;
use std::ops::Range;

use super::lex::{self, Token, TokenKind};
use super::{Source, Span};
use crate::diag::Place;

/// Lines longer than this many tokens are matched only when no macro is on them: matching would be quadratic.
const LONG_LINE: usize = 4096;
/// A macro call that spans more logical lines is not followed.
const CALL_LINES: usize = 16;

/// What the user's tokens on some lines stand for.
enum Piece {
    /// This token of the user's, for itself.
    Token(usize),
    /// Neighbouring macros with their arguments, for anything.
    Macro(Range<usize>),
}

/// Which end of a range is looked for.
#[derive(Clone, Copy, PartialEq)]
enum Edge {
    Start,
    End,
}

impl Source {
    /// The place a person can open: in the user's own words where the line is in the given file, in preprocessed
    /// words where it is in an included one.
    pub fn place(&self, span: Span) -> Place {
        let origin = self.line_map.origin(span.lo);
        let start = self.tokens.partition_point(|t| t.span.lo < span.lo);
        if let Some(word) = start.checked_sub(1).and_then(|at| directive_word(self, self.tokens[at], span)) {
            return place_at(self, word, word);
        }
        let exact = |index: usize, edge: Edge| {
            let exists = index < self.tokens.len() && self.tokens[index].kind != TokenKind::Directive;
            let token = if exists && origin.users.is_some() { user_token(self, index, edge).ok() } else { None };
            token.map(|t| self.user_tokens[t].span)
        };
        let Some(first) = exact(start, Edge::Start) else {
            return whole_line(self, span);
        };
        let end = self.tokens.partition_point(|t| t.span.hi <= span.hi);
        let last = exact(end.max(start + 1) - 1, Edge::End);
        place_at(self, first, last.unwrap_or(Span { lo: first.lo, hi: u32::MAX }))
    }

    /// The exact byte range, in the user's file, of the statements from the start of one span to the end of another.
    ///
    /// # Errors
    /// Why there is no such range, to be shown to the user: the text comes from an included file or a macro, the
    /// file renumbers its lines, or conditional directives cross the range.
    pub fn user_range(&self, first: Span, last: Span) -> Result<Range<usize>, String> {
        let start = self.tokens.binary_search_by_key(&first.lo, |t| t.span.lo);
        let end = self.tokens.binary_search_by_key(&last.hi, |t| t.span.hi);
        let (Ok(start), Ok(end)) = (start, end) else {
            return Err("its ends are not whole tokens".to_owned());
        };
        if let Some(renumbered) = self.user_directives.iter().find(|t| is_line_directive(t, &self.user_text)) {
            return Err(format!("the file renumbers its lines (line {})", renumbered.line));
        }
        let lo = self.user_tokens[user_token(self, start, Edge::Start)?].span.lo as usize;
        let hi = self.user_tokens[user_token(self, end, Edge::End)?].span.hi as usize;
        if lo >= hi {
            return Err("its end lies before its start in the file".to_owned());
        }
        self.conditions_balance(lo..hi)?;
        Ok(lo..hi)
    }

    /// The index of the user's token behind the one that stands before a statement, where directives do not count: from
    /// there to the statement is what became them.
    ///
    /// # Errors
    /// As [`Source::user_range`].
    pub(super) fn behind_token_before(&self, first: Span) -> Result<usize, String> {
        let at = self.tokens.partition_point(|t| t.span.lo < first.lo);
        let before = self.tokens[..at].iter().rposition(|t| t.kind != TokenKind::Directive);
        before.map_or(Ok(0), |at| user_token(self, at, Edge::End).map(|token| token + 1))
    }

    /// Test that every `#if` in a range of the user's file ends in it, and no other `#else` or `#endif` is in it.
    fn conditions_balance(&self, range: Range<usize>) -> Result<(), String> {
        let mut depth = 0u32;
        let crossing = |token: &Token| Err(format!("the directive of line {} reaches across its bounds", token.line));
        let mut opened = None;
        let first = self.user_directives.partition_point(|t| (t.span.lo as usize) < range.start);
        let inside = self.user_directives[first..].iter().take_while(|t| (t.span.lo as usize) < range.end);
        for token in inside {
            let name = directive_name(token.text(&self.user_text));
            match name.as_str() {
                "if" | "ifdef" | "ifndef" => {
                    depth += 1;
                    opened = Some(token);
                }
                "else" | "elif" | "elifdef" | "elifndef" if depth == 0 => return crossing(token),
                "endif" if depth == 0 => return crossing(token),
                "endif" => depth -= 1,
                _ => {}
            }
        }
        opened.filter(|_| depth > 0).map_or(Ok(()), crossing)
    }
}

fn directive_name(directive: &str) -> String {
    directive.trim_start_matches(['#', ' ', '\t']).chars().take_while(char::is_ascii_alphabetic).collect()
}

fn is_line_directive(token: &Token, text: &str) -> bool {
    let name = token.text(text).trim_start_matches(['#', ' ', '\t']);
    name.starts_with("line") || name.starts_with(|c: char| c.is_ascii_digit())
}

/// The token of the user's that a token of the preprocessed text is, or that it is an edge of.
fn user_token(source: &Source, index: usize, edge: Edge) -> Result<usize, String> {
    let origin = source.line_map.origin(source.tokens[index].span.lo);
    let Some(line) = origin.users else {
        return Err(format!("it comes from {}, line {}", origin.file, origin.line));
    };
    // The line may lie in a macro call that starts on a line before, or end in one that goes on.
    for back in 0..CALL_LINES {
        for ahead in 0..CALL_LINES {
            let Some((users, lines)) = user_group(source, line, back, ahead) else { break };
            let preprocessed = preprocessed_group(source, index, &lines);
            let Some(pattern) = pattern(source, users, &preprocessed) else { continue };
            let wanted = preprocessed.iter().position(|p| *p == index);
            let found = wanted.and_then(|at| match_pattern(source, &pattern, &preprocessed, at, edge));
            if let Some(token) = found {
                return Ok(token);
            }
            break;
        }
    }
    Err(format!("a macro on line {} produces it or hides its place", origin.line))
}

/// The user's tokens on the logical line that holds a line, and on some lines before and after it, and the lines they
/// cover; `None` when there are not as many lines.
fn user_group(source: &Source, line: u32, back: usize, ahead: usize) -> Option<(Range<usize>, Range<u32>)> {
    let tokens = &source.user_tokens;
    let line_start = |at: usize| tokens.partition_point(|t| t.line < tokens[at].line);
    let mut end = tokens.partition_point(|t| t.line <= line);
    let mut start = line_start(end.checked_sub(1)?);
    for _ in 0..back {
        start = line_start(start.checked_sub(1)?);
    }
    for _ in 0..ahead {
        let next = tokens.get(end)?;
        end = tokens.partition_point(|t| t.line <= next.line);
    }
    let last_line = tokens.get(end).map_or(u32::MAX, |t| t.line);
    Some((start..end, tokens[start].line..last_line))
}

/// The preprocessed tokens, around one of them, that come from those lines of the user's file.
fn preprocessed_group(source: &Source, index: usize, lines: &Range<u32>) -> Vec<usize> {
    let within = |i: &usize| {
        let token = source.tokens[*i];
        let origin = source.line_map.origin(token.span.lo);
        token.kind == TokenKind::Directive || origin.users.is_some_and(|line| lines.contains(&line))
    };
    let mut group: Vec<usize> = (0..index).rev().take_while(within).collect();
    group.reverse();
    group.extend((index..source.tokens.len()).take_while(within));
    group.retain(|i| source.tokens[*i].kind != TokenKind::Directive);
    group
}

/// The user's tokens as a pattern for the preprocessed ones; `None` when a macro call does not end in them.
fn pattern(source: &Source, users: Range<usize>, preprocessed: &[usize]) -> Option<Vec<Piece>> {
    let kept: BTreeSet<&str> = preprocessed.iter().map(|i| source.tokens[*i].text(&source.text)).collect();
    let text = &source.user_text;
    let mut pieces = Vec::new();
    let mut at = users.start;
    while at < users.end {
        let token = source.user_tokens[at];
        at += 1;
        if token.kind == TokenKind::Directive {
            continue;
        }
        let is_kept = kept.contains(token.text(text)) && !source.macros.has(token.text(text));
        if token.kind != TokenKind::Word || is_kept {
            pieces.push(Piece::Token(at - 1));
            continue;
        }
        let name = at - 1;
        if at < users.end && source.user_tokens[at].is(text, "(") {
            at = closing(&source.user_tokens[at..users.end], text)? + at + 1;
        }
        match pieces.last_mut() {
            Some(Piece::Macro(before)) => before.end = at,
            _ => pieces.push(Piece::Macro(name..at)),
        }
    }
    Some(pieces)
}

/// The index of the parenthesis that closes the first token.
fn closing(tokens: &[Token], text: &str) -> Option<usize> {
    let mut depth = 0usize;
    for (at, token) in tokens.iter().enumerate() {
        match token.text(text) {
            "(" => depth += 1,
            ")" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

/// The user's token that the preprocessed token at a position is, when every match of the pattern says so.
fn match_pattern(
    source: &Source,
    pattern: &[Piece],
    preprocessed: &[usize],
    wanted: usize,
    edge: Edge,
) -> Option<usize> {
    let mut runs: Vec<Vec<usize>> = vec![Vec::new()];
    let mut macros: Vec<&Range<usize>> = Vec::new();
    for piece in pattern {
        match (piece, runs.last_mut()) {
            (Piece::Token(token), Some(run)) => run.push(*token),
            (Piece::Macro(users), _) => {
                macros.push(users);
                runs.push(Vec::new());
            }
            (Piece::Token(_), None) => {}
        }
    }
    if !macros.is_empty() && preprocessed.len() > LONG_LINE {
        return None;
    }
    let places = place_runs(source, &runs, preprocessed)?;
    for (run, place) in runs.iter().zip(&places) {
        if let Some(token) = place.and_then(|at| run.get(wanted.checked_sub(at)?)) {
            return Some(*token);
        }
    }
    let hole = |at: usize| Some((places[at]? + runs[at].len(), places[at + 1]?));
    macros.iter().enumerate().find_map(|(at, users)| match (hole(at)?, edge) {
        ((first, end), Edge::Start) if wanted == first && first < end => Some(users.start),
        ((first, end), Edge::End) if wanted + 1 == end && first < end => Some(users.end - 1),
        _ => None,
    })
}

/// Where each run of the user's tokens lies among the preprocessed ones, in order and with anything between the runs:
/// `None` for a run whose place is in doubt, and for all of them when they do not fit.
fn place_runs(source: &Source, runs: &[Vec<usize>], preprocessed: &[usize]) -> Option<Vec<Option<usize>>> {
    let fits = |run: &[usize], at: usize| {
        run.len() <= preprocessed.len() - at
            && run.iter().zip(&preprocessed[at..]).all(|(user, ours)| {
                source.user_tokens[*user].text(&source.user_text) == source.tokens[*ours].text(&source.text)
            })
    };
    let (first, rest) = runs.split_first()?;
    let Some((last, middle)) = rest.split_last() else {
        return (first.len() == preprocessed.len() && fits(first, 0)).then(|| vec![Some(0)]);
    };
    let end = preprocessed.len().checked_sub(last.len()).filter(|end| first.len() <= *end)?;
    if !fits(first, 0) || !fits(last, end) {
        return None;
    }
    let mut leftmost = Vec::new();
    let mut left = first.len();
    for run in middle {
        let at = (left..=end).find(|at| at + run.len() <= end && fits(run, *at))?;
        leftmost.push(at);
        left = at + run.len();
    }
    let mut places = vec![Some(end)];
    let mut right = end;
    for (run, leftmost) in middle.iter().zip(leftmost).rev() {
        right = (leftmost..=right.checked_sub(run.len())?).rev().find(|at| fits(run, *at))?;
        places.push((right == leftmost).then_some(right));
    }
    places.push(Some(0));
    places.reverse();
    Some(places)
}

/// The place in the user's file from the start of one of its spans to the end of another, at most the rest of the line.
fn place_at(source: &Source, first: Span, last: Span) -> Place {
    let line_index = source.user_line_starts.partition_point(|s| *s <= first.lo) - 1;
    let (line_lo, text) = user_line(source, line_index);
    if let Some(text) = source.remade.lines.get(&(line_index as u32 + 1)) {
        return of_line(source.joined.origin(line_index as u32 + 1), text);
    }
    let line_hi = (line_lo + text.len()).max(first.lo as usize);
    let hi = (last.hi as usize).clamp(first.lo as usize, line_hi);
    let (file, line) = source.joined.origin(line_index as u32 + 1);
    Place {
        file: file.to_owned(),
        line,
        column: chars(&source.user_text[line_lo..first.lo as usize]) + 1,
        length: chars(&source.user_text[first.lo as usize..hi]).max(1),
        text: text.to_owned(),
    }
}

/// Where a word inside a directive stands in the user's file, when the user wrote the directive with the same words.
fn directive_word(source: &Source, directive: Token, span: Span) -> Option<Span> {
    let origin = source.line_map.origin(directive.span.lo);
    let users = origin.users?;
    let inside = directive.kind == TokenKind::Directive && span.hi <= directive.span.hi;
    let line = source.user_tokens.partition_point(|t| t.line < users);
    let user = source.user_tokens.get(line).filter(|t| inside && t.kind == TokenKind::Directive)?;
    let words = |text: &str, token: &Token| -> Vec<(String, Span)> {
        let lo = token.span.lo + 1;
        let words = &text[lo as usize..token.span.hi as usize];
        let placed = |t: Token| (t.text(words).to_owned(), Span { lo: lo + t.span.lo, hi: lo + t.span.hi });
        lex::tokens(words).into_iter().map(placed).collect()
    };
    let (ours, users) = (words(&source.text, &directive), words(&source.user_text, user));
    let same = ours.len() == users.len() && ours.iter().zip(&users).all(|(a, b)| a.0 == b.0);
    let at = ours.iter().position(|w| w.1.lo == span.lo).filter(|_| same)?;
    Some(users[at].1)
}

/// The line of a span, all of it, when the exact place on it is not known.
fn whole_line(source: &Source, span: Span) -> Place {
    let origin = source.line_map.origin(span.lo);
    let text = match origin.users.filter(|line| (*line as usize) <= source.user_line_starts.len()) {
        Some(line) => {
            source.remade.lines.get(&line).map_or_else(|| user_line(source, line as usize - 1).1, String::as_str)
        }
        None => {
            let lo = source.line_map.line_start(source.line_map.line_index(span.lo)) as usize;
            source.text[lo..].lines().next().unwrap_or_default()
        }
    };
    of_line((origin.file, origin.line), text)
}

/// A whole line with that text.
fn of_line((file, line): (&str, u32), text: &str) -> Place {
    let indent = text.len() - text.trim_start().len();
    Place {
        file: file.to_owned(),
        line,
        column: chars(&text[..indent]) + 1,
        length: chars(text.trim()).max(1),
        text: text.to_owned(),
    }
}

/// Where a line of the user's file (from 0) starts, and its text without its end.
fn user_line(source: &Source, line_index: usize) -> (usize, &str) {
    let lo = source.user_line_starts[line_index] as usize;
    (lo, source.user_text[lo..].lines().next().unwrap_or_default())
}

fn chars(text: &str) -> u32 {
    text.chars().count() as u32
}
