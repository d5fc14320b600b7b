//! Position in the tokens of a text, and what may stand there.

use super::fault::ReadError;
use super::token::{Kind, Number, Token};

/// The tokens that are left.
pub struct Tokens<'t> {
    all: Vec<Token<'t>>,
    at: usize,
    /// Bytes of the text.
    length: usize,
}

impl<'t> Tokens<'t> {
    /// All of them, of a text of that many bytes.
    pub fn new(all: Vec<Token<'t>>, length: usize) -> Self {
        Tokens { all, at: 0, length }
    }

    /// The next one, which stays.
    pub fn peek(&self) -> Option<Kind<'t>> {
        self.all.get(self.at).map(|token| token.kind)
    }

    /// The one after the next.
    pub fn peek_second(&self) -> Option<Kind<'t>> {
        self.all.get(self.at + 1).map(|token| token.kind)
    }

    /// Line of the next one, or of the last.
    pub fn line(&self) -> u32 {
        self.all.get(self.at).or(self.all.last()).map_or(1, |token| token.line)
    }

    /// Byte at which the next one begins.
    pub fn byte(&self) -> usize {
        self.all.get(self.at).map_or(self.length, |token| token.at)
    }

    /// Byte behind the last sign that was taken.
    pub fn byte_behind_sign(&self) -> usize {
        self.at.checked_sub(1).and_then(|last| self.all.get(last)).map_or(0, |token| token.at + 1)
    }

    /// The next one, which is taken.
    pub fn take(&mut self) -> Option<Kind<'t>> {
        let kind = self.peek();
        self.at += usize::from(kind.is_some());
        kind
    }

    /// Test for that sign next; then it is taken.
    pub fn take_sign(&mut self, sign: char) -> bool {
        let is_next = self.peek() == Some(Kind::Sign(sign));
        self.at += usize::from(is_next);
        is_next
    }

    /// Test for that word next; then it is taken.
    pub fn take_word(&mut self, word: &str) -> bool {
        let is_next = self.peek() == Some(Kind::Word(word));
        self.at += usize::from(is_next);
        is_next
    }

    /// Takes that sign.
    pub fn expect(&mut self, sign: char) -> Result<(), ReadError> {
        if self.take_sign(sign) { Ok(()) } else { Err(self.fault(format!("`{sign}` is missing"))) }
    }

    /// Takes a word.
    pub fn word(&mut self) -> Result<&'t str, ReadError> {
        match self.peek() {
            Some(Kind::Word(word)) => {
                self.at += 1;
                Ok(word)
            }
            _ => Err(self.fault("a name is missing")),
        }
    }

    /// Takes a number with its signs.
    pub fn number(&mut self) -> Result<Number, ReadError> {
        let mut is_negative = false;
        while matches!(self.peek(), Some(Kind::Sign('-' | '+'))) {
            is_negative ^= self.take() == Some(Kind::Sign('-'));
        }
        let Some(Kind::Number(text)) = self.peek() else { return Err(self.fault("a number is missing")) };
        let number = Number::of(text).ok_or_else(|| self.fault(format!("`{text}` is no number")))?;
        self.at += 1;
        Ok(if is_negative { number.negated() } else { number })
    }

    /// Takes an integer.
    pub fn integer(&mut self) -> Result<i64, ReadError> {
        match self.number()? {
            Number::Integer(n) => Ok(n as i64),
            _ => Err(self.fault("an integer is missing")),
        }
    }

    /// Takes an integer that counts something.
    pub fn count(&mut self) -> Result<u32, ReadError> {
        let n = self.integer()?;
        u32::try_from(n).map_err(|_| self.fault(format!("{n} is no number of things")))
    }

    /// Takes all up to a sign, and that too.
    pub fn skip_past(&mut self, sign: char) -> Result<(), ReadError> {
        while let Some(kind) = self.take() {
            if kind == Kind::Sign(sign) {
                return Ok(());
            }
        }
        Err(self.fault(format!("`{sign}` is missing before the end")))
    }

    /// Takes a brace and all up to the one that closes it.
    pub fn skip_braces(&mut self) -> Result<(), ReadError> {
        self.expect('{')?;
        let mut depth = 1;
        while depth > 0 {
            match self.take() {
                Some(Kind::Sign('{')) => depth += 1,
                Some(Kind::Sign('}')) => depth -= 1,
                Some(_) => {}
                None => return Err(self.fault("`}` is missing before the end")),
            }
        }
        Ok(())
    }

    /// A fault where the next token stands.
    pub fn fault(&self, message: impl Into<String>) -> ReadError {
        let found = match self.peek() {
            Some(Kind::Word(word) | Kind::Number(word)) => format!(" before `{}`", shortened(word)),
            Some(Kind::Text(text)) => format!(" before \"{}\"", shortened(text)),
            Some(Kind::Sign(sign)) => format!(" before `{sign}`"),
            None => " at the end of the text".into(),
        };
        ReadError::new(self.line(), message.into() + &found)
    }
}

/// The first characters of a long word.
fn shortened(text: &str) -> String {
    if text.chars().count() <= 60 { text.into() } else { text.chars().take(57).collect::<String>() + "..." }
}
