//! Splits the text form of the kernel IR into tokens, each with its line and column.

use super::super::text::{RESERVED, position};
use super::fault::ParseError;
use std::fmt::{self, Display, Formatter};
use std::iter::Peekable;
use std::str::Chars;

/// A token and where it begins.
#[derive(Debug)]
pub(super) struct Token {
    pub kind: TokenKind,
    pub line: u32,
    pub column: u32,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum TokenKind {
    /// A word of the form itself, positions (`g0`) included.
    Word(String),
    /// A name of the user's or of the tool's, without its `$`.
    Name(String),
    Number(String),
    /// In quotes.
    Text(String),
    Punct(&'static str),
    End,
}

impl Token {
    /// A number without point or exponent.
    pub fn is_integer(&self) -> bool {
        matches!(&self.kind, TokenKind::Number(text) if text.bytes().all(|b| b.is_ascii_digit()))
    }
}

impl Display for TokenKind {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        match self {
            TokenKind::Word(text) | TokenKind::Name(text) | TokenKind::Number(text) => write!(f, "`{text}`"),
            TokenKind::Text(text) => write!(f, "\"{text}\""),
            TokenKind::Punct(text) => write!(f, "`{text}`"),
            TokenKind::End => f.write_str("the end of the text"),
        }
    }
}

/// Longer ones first.
const PUNCTUATION: &[&str] = &[
    "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "..", "(", ")", "[", "]", "{", "}", ",", ";", "@", "=", "+", "-",
    "*", "/", "%", "<", ">", "&", "^", "|", "!", "~", "?", ":",
];

/// The tokens of a text, [`TokenKind::End`] last.
pub(super) fn tokens(text: &str) -> Result<Vec<Token>, ParseError> {
    let mut lexer = Lexer { rest: text.chars().peekable(), line: 1, column: 1 };
    let mut tokens = Vec::new();
    loop {
        lexer.skip_blanks();
        let (line, column) = (lexer.line, lexer.column);
        let kind = lexer.token().map_err(|message| ParseError { line, column, message })?;
        let end = kind == TokenKind::End;
        tokens.push(Token { kind, line, column });
        if end {
            return Ok(tokens);
        }
    }
}

struct Lexer<'a> {
    rest: Peekable<Chars<'a>>,
    line: u32,
    column: u32,
}

impl Lexer<'_> {
    fn next(&mut self) -> Option<char> {
        let c = self.rest.next()?;
        if c == '\n' {
            self.line += 1;
            self.column = 1;
        } else {
            self.column += 1;
        }
        Some(c)
    }

    /// Test that the rest begins so.
    fn ahead(&self, text: &str) -> bool {
        let mut rest = self.rest.clone();
        text.chars().all(|c| rest.next() == Some(c))
    }

    fn take_while(&mut self, mut more: impl FnMut(&Self, char) -> bool) -> String {
        let mut taken = String::new();
        while let Some(&c) = self.rest.peek()
            && more(self, c)
        {
            taken.push(c);
            self.next();
        }
        taken
    }

    fn skip_blanks(&mut self) {
        loop {
            self.take_while(|_, c| c.is_whitespace());
            if !self.ahead("//") {
                return;
            }
            self.take_while(|_, c| c != '\n');
        }
    }

    fn token(&mut self) -> Result<TokenKind, String> {
        let Some(&first) = self.rest.peek() else { return Ok(TokenKind::End) };
        if first == '"' {
            return self.text();
        }
        if first == '$' {
            self.next();
            let name = self.identifier();
            return if name.is_empty() { Err("a name follows `$`".into()) } else { Ok(TokenKind::Name(name)) };
        }
        if first.is_ascii_alphabetic() || first == '_' {
            let word = self.identifier();
            let ours = RESERVED.contains(&word.as_str()) || position(&word).is_some();
            return Ok(if ours { TokenKind::Word(word) } else { TokenKind::Name(word) });
        }
        if first.is_ascii_digit() || first == '.' && !self.ahead("..") {
            return Ok(TokenKind::Number(self.number()));
        }
        let found = PUNCTUATION.iter().find(|punct| self.ahead(punct));
        let punct = found.ok_or_else(|| format!("`{first}` has no meaning here"))?;
        for _ in punct.chars() {
            self.next();
        }
        Ok(TokenKind::Punct(punct))
    }

    fn identifier(&mut self) -> String {
        self.take_while(|_, c| c.is_ascii_alphanumeric() || c == '_')
    }

    /// A number of the C preprocessor: digits, letters and points, and a sign after an exponent's letter.
    fn number(&mut self) -> String {
        let hex = self.ahead("0x") || self.ahead("0X");
        let mut last = ' ';
        self.take_while(|lexer, c| {
            let exponent = if hex { "pP" } else { "eE" };
            let part = match c {
                '.' => !lexer.ahead(".."),
                '+' | '-' => exponent.contains(last),
                _ => c.is_ascii_alphanumeric(),
            };
            last = c;
            part
        })
    }

    /// A text in quotes; `\` makes the next character stand for itself.
    fn text(&mut self) -> Result<TokenKind, String> {
        self.next();
        let mut text = String::new();
        loop {
            match self.next() {
                Some('"') => return Ok(TokenKind::Text(text)),
                Some('\\') => text.extend(self.next()),
                Some(c) => text.push(c),
                None => return Err("the text has no closing quote".into()),
            }
        }
    }
}
