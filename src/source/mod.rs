//! The user's text: preprocessed, parsed by tree-sitter, with a way back to what the user wrote.

use std::path::Path;

use crate::diag::{Diagnostic, Stop};
use joined::Joined;
use lex::{Token, TokenKind};
use line_map::LineMap;
use macros::SelfNamed;
use made::Remade;

pub mod clean;
pub mod cut;
pub mod digest;
pub mod directive;
pub mod joined;
pub mod lex;
pub mod line_map;
pub mod locate;
pub mod macros;
pub mod made;
pub mod parse;
pub mod preprocess;
pub mod remake;
mod span;
pub mod threads;
pub mod which;

pub use span::Span;

/// One C file of the user's, as it lies on disk and as the preprocessor gives it.
#[derive(Debug, Clone, Default)]
pub struct Source {
    /// The file, as the user named it.
    pub path: String,
    /// The user's text to the letter: the file, with what it includes in place where that holds loops.
    pub joined: Joined,
    /// The same as text: each byte that is not UTF-8 is a `?`, so that positions agree with the bytes.
    pub user_text: String,
    /// The preprocessed text to the letter.
    pub bytes: Vec<u8>,
    /// The same as text, which [`Span`]s point into.
    pub text: String,
    /// From the preprocessed text to files and lines.
    pub line_map: LineMap,
    /// Macros that stand for something with their own name in it.
    pub macros: SelfNamed,
    /// Text that was put around statements of it.
    pub remade: Remade,
    /// The file to the letter, with that text.
    user_bytes: Vec<u8>,
    /// Where its own preprocessed text ends, and definitions of other files begin.
    own_end: u32,
    tokens: Vec<Token>,
    user_tokens: Vec<Token>,
    /// Those of `user_tokens` that are directives.
    user_directives: Vec<Token>,
    user_line_starts: Vec<u32>,
}

impl Source {
    /// Reads and preprocesses a file with the user's compiler flags.
    ///
    /// # Errors
    /// What [`preprocess::read_file`] and [`preprocess::preprocess`] refuse.
    pub fn load(path: &Path, cflags: &[String]) -> Result<Source, Stop> {
        let user_bytes = preprocess::read_file(path)?;
        // The compiler runs for both at once.
        let (text, macros) = rayon::join(|| preprocess::preprocess(path, cflags), || SelfNamed::of(path, cflags));
        Ok(Source { macros, ..Source::new(path.to_string_lossy().into_owned(), user_bytes, text?) })
    }

    /// A source whose text needs no preprocessor. Runs no process.
    ///
    /// # Errors
    /// `file-too-large`.
    pub fn from_text(path: &str, text: &str) -> Result<Source, Stop> {
        if text.len() as u64 > preprocess::SIZE_LIMIT {
            let message = format!("{path} is larger than {} MiB", preprocess::SIZE_LIMIT >> 20);
            return Err(Diagnostic::error("file-too-large", message, None).into());
        }
        Ok(Source::new(path.to_owned(), text.as_bytes().to_vec(), text.as_bytes().to_vec()))
    }

    fn new(path: String, user_bytes: Vec<u8>, bytes: Vec<u8>) -> Source {
        let text = same_length_text(bytes.clone());
        let tokens = lex::tokens(&text);
        let mut line_map = LineMap::new(&text, &tokens, &path);
        let joined = Joined::new(&path, &user_bytes, &mut line_map, &text, &tokens);
        let user_text = same_length_text(joined.bytes.clone());
        let user_tokens = lex::tokens(&user_text);
        let user_directives = user_tokens.iter().filter(|t| t.kind == TokenKind::Directive).copied().collect();
        let user_line_starts = line_map::line_starts(user_text.as_bytes());
        let own_end = text.len() as u32;
        Source {
            path,
            joined,
            user_text,
            bytes,
            text,
            line_map,
            macros: SelfNamed::default(),
            remade: Remade::default(),
            user_bytes,
            own_end,
            tokens,
            user_tokens,
            user_directives,
            user_line_starts,
        }
    }

    /// A definition in it, for another file.
    pub fn definition(&self, span: Span) -> Definition {
        let file = self.line_map.origin(span.lo).file.to_owned();
        Definition { file, line: self.line(span), text: self.slice(span).to_owned() }
    }

    /// The same source with definitions of other files behind its text.
    pub fn with(&self, others: &[Definition]) -> Source {
        let mut bytes = self.bytes.clone();
        for Definition { file, line, text } in others {
            // As the compiler's preprocessor has it where it enters a file and comes back.
            let file = file.replace('\\', "\\\\").replace('"', "\\\"");
            bytes.extend_from_slice(format!("\n# {line} \"{file}\" 1\n{text}\n# 1 \"{}\" 2\n", self.path).as_bytes());
        }
        let (own_end, macros, remade) = (self.own_end, self.macros.clone(), self.remade.clone());
        Source { own_end, macros, remade, ..Source::new(self.path.clone(), self.user_bytes.clone(), bytes) }
    }

    /// Where its own preprocessed text ends, and definitions of other files begin.
    pub fn own_end(&self) -> u32 {
        self.own_end
    }

    /// The preprocessed text of a span.
    pub fn slice(&self, span: Span) -> &str {
        &self.text[span.lo as usize..span.hi as usize]
    }

    /// The tokens of its own preprocessed text.
    pub fn tokens(&self) -> &[Token] {
        &self.tokens[..self.tokens.partition_point(|t| t.span.lo < self.own_end)]
    }

    /// Those of all text, with definitions of other files.
    pub fn all_tokens(&self) -> &[Token] {
        &self.tokens
    }

    /// The line, from 1, that a span starts on, in whichever file that is.
    pub fn line(&self, span: Span) -> u32 {
        self.line_map.origin(span.lo).line
    }

    /// The byte of [`Source::user_text`] at which a line, from 1, starts; its end for a line past the last.
    pub fn user_line_start(&self, line: u32) -> usize {
        let index = (line as usize).saturating_sub(1);
        self.user_line_starts.get(index).map_or(self.user_text.len(), |s| *s as usize)
    }
}

/// A definition of another file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Definition {
    pub file: String,
    /// From 1.
    pub line: u32,
    /// As the preprocessor has it.
    pub text: String,
}

/// Bytes as text of the same length.
fn same_length_text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|e| {
        let bytes = e.into_bytes();
        let mut text = String::with_capacity(bytes.len());
        for chunk in bytes.utf8_chunks() {
            text.push_str(chunk.valid());
            text.extend(chunk.invalid().iter().map(|_| '?'));
        }
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_outside_utf8_keep_positions() {
        assert_eq!(same_length_text(b"a\xe9b\xff".to_vec()), "a?b?");
    }
}
