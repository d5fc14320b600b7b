//! The words of a `#pragma` line.

use super::{Directive, DirectiveKind};
use crate::diag::Diagnostic;
use crate::source::lex::{self, Token};
use crate::source::{Source, Span};

/// Operators of a reduction.
const REDUCTIONS: [&str; 10] = ["+", "*", "-", "min", "max", "&", "|", "^", "&&", "||"];

/// The tokens of a `#pragma` line after that word, and a position among them.
pub(super) struct Line<'a> {
    pub(super) source: &'a Source,
    pub(super) span: Span,
    pub(super) tokens: Vec<Token>,
    pub(super) at: usize,
}

/// A word, and the text in the parentheses after it, cut at the commas outside inner parentheses.
pub(in crate::source) struct Clause<'a> {
    pub word: &'a str,
    pub arguments: Vec<Argument<'a>>,
}

/// A piece of text and its place.
#[derive(Clone, Copy)]
pub(in crate::source) struct Argument<'a> {
    pub text: &'a str,
    pub span: Span,
}

impl<'a> Line<'a> {
    pub(super) fn read(source: &'a Source, directive: Token) -> Option<Line<'a>> {
        let lo = directive.span.lo + 1;
        let text = &source.text[lo as usize..directive.span.hi as usize];
        let mut tokens = lex::tokens(text);
        for token in &mut tokens {
            token.span = Span { lo: token.span.lo + lo, hi: token.span.hi + lo };
        }
        let is_pragma = tokens.first()?.is(&source.text, "pragma");
        is_pragma.then_some(Line { source, span: directive.span, tokens, at: 1 })
    }

    pub(super) fn directive(&self, kind: DirectiveKind) -> Directive {
        Directive { kind, span: self.span }
    }

    pub(super) fn peek(&self) -> &'a str {
        self.tokens.get(self.at).map_or("", |t| t.text(&self.source.text))
    }

    /// The next token's text; empty at the end.
    pub(super) fn word(&mut self) -> &'a str {
        let word = self.peek();
        self.at += 1;
        word
    }

    /// The same for a word that may have dashes in it, which to C is a difference.
    pub(super) fn joined_word(&mut self) -> &'a str {
        let word = self.word();
        let Some(first) = self.tokens.get(self.at - 1).copied() else { return word };
        let mut whole = first.span;
        while let [dash, next, ..] = &self.tokens[self.at..]
            && dash.is(&self.source.text, "-")
            && (whole.hi, dash.span.hi) == (dash.span.lo, next.span.lo)
        {
            whole = whole.to(next.span);
            self.at += 2;
        }
        self.tokens[self.at - 1].span = whole;
        self.source.slice(whole)
    }

    /// The span of the token just taken, or of the line's last.
    pub(super) fn last_span(&self) -> Span {
        self.tokens.get(self.at.saturating_sub(1)).or(self.tokens.last()).map_or(self.span, |t| t.span)
    }

    /// The arguments in the parentheses that start here; `None` when they are missing or do not end.
    pub(super) fn arguments(&mut self) -> Option<Vec<Argument<'a>>> {
        if self.word() != "(" {
            return None;
        }
        let mut arguments = Vec::new();
        let mut depth = 1;
        let mut first = self.at;
        loop {
            let token = *self.tokens.get(self.at)?;
            self.at += 1;
            match token.text(&self.source.text) {
                "(" | "[" => depth += 1,
                ")" | "]" => depth -= 1,
                _ => {}
            }
            if depth == 0 || (depth == 1 && token.is(&self.source.text, ",")) {
                let pieces = &self.tokens[first..self.at - 1];
                let span = match (pieces.first(), pieces.last()) {
                    (Some(from), Some(to)) => from.span.to(to.span),
                    _ => token.span,
                };
                let text = if pieces.is_empty() { "" } else { self.source.slice(span) };
                arguments.push(Argument { text, span });
                first = self.at;
            }
            if depth == 0 {
                return Some(arguments);
            }
        }
    }

    /// All that is left, as clauses; `None` when it has another form.
    pub(super) fn clauses(&mut self) -> Option<Vec<Clause<'a>>> {
        let mut clauses = Vec::new();
        while self.at < self.tokens.len() {
            let word = self.word();
            let arguments = if self.peek() == "(" { self.arguments()? } else { Vec::new() };
            if word != "," {
                clauses.push(Clause { word, arguments });
            }
        }
        Some(clauses)
    }

    pub(super) fn error(&self, code: &'static str, span: Span, message: String) -> Diagnostic {
        Diagnostic::error(code, message, Some(self.source.place(span)))
    }

    /// The arguments of a word of `#pragma rt`, none of them empty.
    pub(super) fn required(&mut self, word: &str, form: &str) -> Result<Vec<Argument<'a>>, Diagnostic> {
        let at = self.last_span();
        let usage = |d: Diagnostic| d.help(format!("write `#pragma rt {form}`"));
        let arguments = self.arguments().ok_or_else(|| {
            usage(self.error("directive-parenthesis", at, format!("`{word}` needs its arguments in parentheses")))
        })?;
        match arguments.iter().find(|a| a.text.is_empty()) {
            None => Ok(arguments),
            Some(empty) => {
                Err(usage(self.error("directive-argument", empty.span, format!("`{word}` has an empty argument"))))
            }
        }
    }

    /// The one argument of a word.
    pub(super) fn single(&mut self, word: &str, form: &str) -> Result<Argument<'a>, Diagnostic> {
        match self.required(word, form)?[..] {
            [one] => Ok(one),
            [_, second, ..] => {
                let message = format!("`{word}` takes one argument");
                let diagnostic = self.error("directive-argument", second.span, message);
                Err(diagnostic.help(format!("write `#pragma rt {form}`")))
            }
            [] => Err(self.error("directive-argument", self.span, format!("`{word}` needs an argument"))),
        }
    }

    pub(super) fn count(&self, word: &str, argument: Argument<'_>) -> Result<u32, Diagnostic> {
        argument.text.parse().ok().filter(|n| *n > 0).ok_or_else(|| {
            let message = format!("`{word}` takes a positive whole number, not `{}`", argument.text);
            self.error("directive-argument", argument.span, message)
        })
    }
}

/// `+:s, t`, as (operator, variable).
pub(in crate::source) fn reduction(arguments: &[Argument<'_>]) -> Result<Vec<(String, String)>, (Span, String)> {
    let Some((first, rest)) = arguments.split_first() else { return Ok(Vec::new()) };
    let Some((operator, variable)) = first.text.split_once(':') else {
        return Err((first.span, "a reduction names its operator, a colon and its variables".to_owned()));
    };
    let operator = operator.rsplit(',').next().unwrap_or_default().trim();
    if !REDUCTIONS.contains(&operator) {
        return Err((first.span, format!("`{operator}` is no operator of a reduction: {}", REDUCTIONS.join(" "))));
    }
    let variables = std::iter::once(variable.trim()).chain(rest.iter().map(|a| a.text));
    Ok(variables.map(|v| (operator.to_owned(), v.to_owned())).collect())
}
