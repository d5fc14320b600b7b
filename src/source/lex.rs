//! C tokens with their places: enough to find a token of the preprocessed text again in the user's text, and to
//! see external declarations without parsing them. Comments, white space and spliced lines separate tokens.

use super::Span;

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenKind {
    /// An identifier or keyword.
    Word,
    Number,
    /// A string or character constant.
    Text,
    /// One character of punctuation, or any other character.
    Punct,
    /// A whole `#` line: a directive, a pragma or a line marker.
    Directive,
}

/// A token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token {
    pub kind: TokenKind,
    pub span: Span,
    /// The physical line, from 1, on which the token's logical line starts: a spliced line, or one that begins
    /// inside a comment, continues the line before.
    pub line: u32,
}

impl Token {
    /// The token's spelling.
    pub fn text(self, source: &str) -> &str {
        &source[self.span.lo as usize..self.span.hi as usize]
    }

    /// Test that it is that one punctuation character or word.
    pub fn is(self, source: &str, spelling: &str) -> bool {
        self.text(source) == spelling
    }
}

/// Splits a text into its tokens, in linear time. The text is shorter than 4 GiB.
pub fn tokens(text: &str) -> Vec<Token> {
    let mut lexer = Lexer { bytes: text.as_bytes(), at: 0, physical: 1, logical: 1, fresh: true };
    let mut found = Vec::new();
    while lexer.skip_blank() {
        let lo = lexer.at;
        let line = lexer.logical;
        let kind = lexer.token(text);
        lexer.fresh = false;
        found.push(Token { kind, span: Span { lo: lo as u32, hi: lexer.at as u32 }, line });
    }
    found
}

struct Lexer<'a> {
    bytes: &'a [u8],
    at: usize,
    physical: u32,
    logical: u32,
    /// No token yet on this logical line.
    fresh: bool,
}

impl Lexer<'_> {
    fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    /// The length of a line splice at `at + ahead`, or 0.
    fn splice(&self, ahead: usize) -> usize {
        match (self.peek(ahead), self.peek(ahead + 1), self.peek(ahead + 2)) {
            (b'\\', b'\n', _) => 2,
            (b'\\', b'\r', b'\n') => 3,
            _ => 0,
        }
    }

    /// Moves over white space, splices and comments; false at the end.
    fn skip_blank(&mut self) -> bool {
        while self.at < self.bytes.len() {
            match self.peek(0) {
                b'\n' => {
                    self.at += 1;
                    self.physical += 1;
                    self.logical = self.physical;
                    self.fresh = true;
                }
                b' ' | b'\t' | b'\r' | 0x0b | 0x0c => self.at += 1,
                b'\\' if self.splice(0) > 0 => {
                    self.at += self.splice(0);
                    self.physical += 1;
                }
                b'/' if self.peek(1) == b'*' => self.block_comment(),
                b'/' if self.peek(1) == b'/' => self.rest_of_line(),
                _ => return true,
            }
        }
        false
    }

    fn block_comment(&mut self) {
        self.at += 2;
        while self.at < self.bytes.len() {
            match self.peek(0) {
                b'*' if self.peek(1) == b'/' => {
                    self.at += 2;
                    return;
                }
                b'\n' => self.physical += 1,
                _ => {}
            }
            self.at += 1;
        }
    }

    /// Moves to the end of the logical line, over the comments in it.
    fn rest_of_line(&mut self) {
        let line_comment = self.peek(0) == b'/';
        while self.at < self.bytes.len() && self.peek(0) != b'\n' {
            if self.splice(0) > 0 {
                self.at += self.splice(0);
                self.physical += 1;
            } else if !line_comment && self.peek(0) == b'/' && self.peek(1) == b'*' {
                self.block_comment();
            } else {
                self.at += 1;
            }
        }
    }

    /// Moves over one token that starts here.
    fn token(&mut self, text: &str) -> TokenKind {
        match self.peek(0) {
            b'#' if self.fresh => {
                self.rest_of_line();
                TokenKind::Directive
            }
            b'A'..=b'Z' | b'a'..=b'z' | b'_' | b'$' => {
                self.while_byte(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'$');
                TokenKind::Word
            }
            b'0'..=b'9' => self.number(),
            b'.' if self.peek(1).is_ascii_digit() => self.number(),
            quote @ (b'"' | b'\'') => self.quoted(quote),
            _ => {
                let width = text[self.at..].chars().next().map_or(1, char::len_utf8);
                self.at += width;
                TokenKind::Punct
            }
        }
    }

    fn while_byte(&mut self, is_part: impl Fn(u8) -> bool) {
        while self.at < self.bytes.len() && is_part(self.peek(0)) {
            self.at += 1;
        }
    }

    /// A preprocessing number (C17 6.4.8).
    fn number(&mut self) -> TokenKind {
        loop {
            match (self.peek(0), self.peek(1)) {
                (b'e' | b'E' | b'p' | b'P', b'+' | b'-') => self.at += 2,
                (b, _) if b.is_ascii_alphanumeric() || b == b'.' || b == b'_' => self.at += 1,
                _ => return TokenKind::Number,
            }
        }
    }

    fn quoted(&mut self, quote: u8) -> TokenKind {
        self.at += 1;
        while self.at < self.bytes.len() && self.peek(0) != b'\n' {
            let splice = self.splice(0);
            if splice > 0 {
                self.at += splice;
                self.physical += 1;
            } else if self.peek(0) == quote {
                self.at += 1;
                break;
            } else if self.peek(0) == b'\\' && self.at + 1 < self.bytes.len() && self.peek(1).is_ascii() {
                self.at += 2;
            } else {
                self.at += 1;
            }
        }
        TokenKind::Text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spelled(text: &str) -> Vec<String> {
        tokens(text).iter().map(|t| format!("{}:{}", t.line, t.text(text))).collect()
    }

    #[test]
    fn comments_splices_and_directives() {
        let text = "a /* x\n */ b // c \\\n d\n#pragma rt \\\n end\n 1e+3.f \"q\\\"\" \\\n z é\n";
        assert_eq!(spelled(text), ["1:a", "1:b", "4:#pragma rt \\\n end", "6:1e+3.f", "6:\"q\\\"\"", "6:z", "6:é"]);
    }
}
