//! A text as tokens with brackets that find each other, and edits that keep its lines.
//!
//! CUDA C is read by its tokens and not by a grammar: see [`super`] for why.

use crate::diag::Place;
use crate::source::lex::{self, Token, TokenKind};
use std::ops::Range;

/// Statements that may stand in each other.
const MOST_NESTED: usize = 100;

/// Test that a word is one of CUDA's small vectors.
pub fn is_vector(word: &str) -> bool {
    let element = word.strip_suffix(['2', '3', '4']);
    element.is_some_and(|element| ["float", "double", "int", "uint"].contains(&element))
}

/// A file's text and its tokens without directives.
pub struct Code {
    pub file: String,
    pub text: String,
    pub tokens: Vec<Token>,
    pub directives: Vec<Token>,
    /// For each token that opens or closes a bracket, the other one.
    partner: Vec<Option<usize>>,
}

impl Code {
    /// Splits a text.
    pub fn new(file: &str, text: String) -> Code {
        let (directives, tokens): (Vec<_>, Vec<_>) =
            lex::tokens(&text).into_iter().partition(|t| t.kind == TokenKind::Directive);
        let mut partner = vec![None; tokens.len()];
        let mut open: Vec<usize> = vec![];
        for (at, token) in tokens.iter().enumerate() {
            match token.text(&text) {
                "(" | "[" | "{" => open.push(at),
                close @ (")" | "]" | "}") => {
                    let is_it =
                        |o: usize| matches!((tokens[o].text(&text), close), ("(", ")") | ("[", "]") | ("{", "}"));
                    // One that nothing closes ends with what is around it.
                    while let Some(o) = open.pop() {
                        if is_it(o) {
                            (partner[o], partner[at]) = (Some(at), Some(o));
                            break;
                        }
                        if close != "}" {
                            open.push(o);
                            break;
                        }
                    }
                }
                _ => {}
            }
        }
        Code { file: file.to_owned(), text, tokens, directives, partner }
    }

    /// The spelling of a token; empty behind the last.
    pub fn at(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |t| t.text(&self.text))
    }

    /// Test that a token is an identifier or a keyword.
    pub fn is_word(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|t| t.kind == TokenKind::Word)
    }

    /// Test that tokens from one on are spelled so.
    pub fn is(&self, at: usize, spelled: &[&str]) -> bool {
        spelled.iter().enumerate().all(|(k, s)| self.at(at + k) == *s)
    }

    /// The bracket that belongs to one.
    pub fn partner(&self, at: usize) -> Option<usize> {
        self.partner.get(at).copied().flatten()
    }

    /// The parenthesis that closes `make_float4(...)` at a token where that is all of what a declaration begins with:
    /// `float4 v = make_float4(...);`.
    pub fn made_vector(&self, at: usize) -> Option<usize> {
        let vector = self.at(at).strip_prefix("make_").filter(|name| is_vector(name))?;
        let is_declared = at >= 3 && self.at(at - 1) == "=" && self.is_word(at - 2) && self.at(at - 3) == vector;
        self.partner(at + 1).filter(|close| is_declared && self.at(close + 1) == ";")
    }

    /// The text of tokens, with what stands between them.
    pub fn slice(&self, range: Range<usize>) -> &str {
        let bytes = self.bytes(range);
        &self.text[bytes]
    }

    /// The bytes of tokens.
    pub fn bytes(&self, range: Range<usize>) -> Range<usize> {
        if range.is_empty() || range.end > self.tokens.len() {
            let end = self.tokens.get(range.start).map_or(self.text.len(), |t| t.span.lo as usize);
            return end..end;
        }
        self.tokens[range.start].span.lo as usize..self.tokens[range.end - 1].span.hi as usize
    }

    /// The line of a token, from 1; the last behind the last.
    pub fn line(&self, at: usize) -> u32 {
        self.tokens.get(at).or(self.tokens.last()).map_or(1, |t| t.line)
    }

    /// Tokens as a place of the file.
    pub fn place(&self, range: Range<usize>) -> Place {
        self.place_of(self.bytes(range))
    }

    /// Bytes as a place of the file.
    pub fn place_of(&self, bytes: Range<usize>) -> Place {
        let start = self.text[..bytes.start].rfind('\n').map_or(0, |at| at + 1);
        let end = self.text[start..].find('\n').map_or(self.text.len(), |at| start + at);
        let chars = |range: Range<usize>| self.text.get(range).map_or(0, |text| text.chars().count()) as u32;
        Place {
            file: self.file.clone(),
            line: self.text[..start].matches('\n').count() as u32 + 1,
            column: chars(start..bytes.start) + 1,
            length: chars(bytes.start..bytes.end.min(end)).max(1),
            text: self.text[start..end].trim_end().to_owned(),
        }
    }

    /// The first token in a range that is spelled so and stands in no bracket of it.
    pub fn find(&self, range: Range<usize>, spelled: &str) -> Option<usize> {
        let mut at = range.start;
        while at < range.end {
            if self.at(at) == spelled {
                return Some(at);
            }
            at = match self.partner(at) {
                Some(close) if close > at => close + 1,
                _ => at + 1,
            };
        }
        None
    }

    /// The pieces of a range between tokens that are spelled so and stand in no bracket of it.
    pub fn split(&self, range: Range<usize>, spelled: &[&str]) -> Vec<Range<usize>> {
        let mut out = vec![];
        let mut from = range.start;
        let mut at = range.start;
        while at < range.end {
            if self.is(at, spelled) {
                out.push(from..at);
                at += spelled.len();
                from = at;
                continue;
            }
            at = match self.partner(at) {
                Some(close) if close > at => close + 1,
                _ => at + 1,
            };
        }
        out.push(from..range.end);
        out
    }

    /// One behind the last token of the statement that begins at a token, before `end`. `None`: it does not end there, or
    /// too many stand in each other.
    pub fn statement_end(&self, at: usize, end: usize) -> Option<usize> {
        self.end_of(at, end, MOST_NESTED)
    }

    fn end_of(&self, at: usize, end: usize, depth: usize) -> Option<usize> {
        let depth = depth.checked_sub(1)?;
        let behind_head = |at: usize| self.partner(at).filter(|close| *close > at && *close < end).map(|c| c + 1);
        let found = match self.at(at) {
            "{" => behind_head(at)?,
            "if" => {
                let then = self.end_of(behind_head(at + 1)?, end, depth)?;
                if then < end && self.at(then) == "else" { self.end_of(then + 1, end, depth)? } else { then }
            }
            "for" | "while" | "switch" => self.end_of(behind_head(at + 1)?, end, depth)?,
            "do" => self.find(self.end_of(at + 1, end, depth)?..end, ";")? + 1,
            _ => self.find(at..end, ";")? + 1,
        };
        (found <= end).then_some(found)
    }

    /// The statements of a block, whose braces are no part of the range; where one has no end, none.
    pub fn statements(&self, block: Range<usize>) -> Option<Vec<Range<usize>>> {
        let mut out = vec![];
        let mut at = block.start;
        while at < block.end {
            let end = self.statement_end(at, block.end)?;
            out.push(at..end);
            at = end;
        }
        Some(out)
    }
}

/// Changes of a text, in any order; none overlaps another.
#[derive(Debug, Default, Clone)]
pub struct Edits(Vec<(Range<usize>, String)>);

impl Edits {
    /// Puts a text in the place of bytes. Where those have ends of lines that it has not, they follow it.
    pub fn replace(&mut self, text: &str, bytes: Range<usize>, with: impl Into<String>) {
        let with = with.into();
        let lost = text[bytes.clone()].matches('\n').count().saturating_sub(with.matches('\n').count());
        self.0.push((bytes, with + &"\n".repeat(lost)));
    }

    /// Puts white space in the place of bytes.
    pub fn blank(&mut self, text: &str, bytes: Range<usize>) {
        let blanks = text[bytes.clone()].chars().map(|c| if c == '\n' { '\n' } else { ' ' }).collect();
        self.0.push((bytes, blanks));
    }

    /// Puts a text before a byte.
    pub fn insert(&mut self, at: usize, text: impl Into<String>) {
        self.0.push((at..at, text.into()));
    }

    /// Takes over others.
    pub fn extend(&mut self, others: Edits) {
        self.0.extend(others.0);
    }

    /// The changed text. Of changes that overlap the wider one counts.
    pub fn apply(mut self, text: &str) -> String {
        self.0.sort_by_key(|(bytes, _)| (bytes.start, !bytes.is_empty(), std::cmp::Reverse(bytes.end)));
        let mut out = String::with_capacity(text.len());
        let mut at = 0;
        for (bytes, with) in self.0 {
            if bytes.start < at {
                continue;
            }
            out.push_str(&text[at..bytes.start]);
            out.push_str(&with);
            at = bytes.end;
        }
        out + &text[at..]
    }
}
