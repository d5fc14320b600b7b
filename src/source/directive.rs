//! `#pragma` lines that speak to this tool: `rt`, `scop`, and the OpenMP and OpenACC hints.
//!
//! What is wrong in a `#pragma rt` is an error at the word. OpenMP and OpenACC are the business of other compilers:
//! clauses that say nothing to this tool are skipped, and a line that cannot be read is no hint.

mod mapping;

use super::lex::{self, Token, TokenKind};
use super::threads::hint;
use super::{Source, Span};
use crate::config::{Asked, Choice, MOST_CHECK_EVERY, MOST_MIN_WORK, Sync};
use crate::diag::{Diagnostic, nearest};
use mapping::{map_nest, sizes};

/// A directive with its clauses, and where it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Directive {
    pub kind: DirectiveKind,
    pub span: Span,
}

/// A piece of a directive's text, and where it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Phrase {
    pub text: String,
    pub span: Span,
}

/// A size of a mapping, with the counter of the loop that it is for, if it is for one.
pub type NamedSize = (Option<String>, u32);

/// What a directive says.
#[derive(Debug, Clone, PartialEq)]
pub enum DirectiveKind {
    /// `#pragma rt region [name(N)] [sync(S)] [min-work(N)] [check-every(N)]`; `#pragma scop` has none of them.
    RegionBegin { name: Option<String>, asked: Asked },
    /// `#pragma rt end`, `#pragma endscop`.
    RegionEnd,
    /// The next loop's iterations are independent, says the user: `rt parallel`, `omp parallel for`,
    /// `acc parallel loop`, `acc kernels`. `asserted` is false for `acc kernels`, which asks only for analysis;
    /// `collapse` is the number of nested loops that it speaks of.
    /// `sharing` is what other clauses say of who has which variables.
    Parallel {
        asserted: bool,
        collapse: usize,
        reductions: Vec<(String, String)>,
        private: Vec<String>,
        sharing: Sharing,
    },
    /// A line of OpenMP or OpenACC about threads that is no loop's.
    Threads { role: Role, own: OwnNames },
    /// `#pragma rt shape(a: n, m)`: the extents behind a pointer, as C expressions in text.
    Shape { array: Phrase, extents: Vec<Phrase> },
    /// `#pragma rt library(gemm|never|...)`.
    Library(String),
    /// `merge(16) skew(2) block(32,8) prefetch(3)`: mapping parameters of the next loop nest. `block` is in CUDA's order:
    /// the extent in x, then y, then z. Of a figure for one loop, `merge(i: 8, j: 4)`, the loop's counter is named.
    /// `prefetch` says how many pieces of a loop a block has at once.
    Mapping { merge: Vec<NamedSize>, skew: Vec<NamedSize>, block: Vec<u32>, prefetch: Option<u32> },
    /// `#pragma rt host`: the next statement stays on the host.
    Host,
}

/// Clauses of an OpenMP or OpenACC loop beside [`DirectiveKind::Parallel`]'s own fields.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Sharing {
    pub own: OwnNames,
    /// The line itself starts the threads that share the loop out: `omp parallel for`, not `omp for`.
    pub starts_threads: bool,
    /// The clause `ordered`.
    pub ordered: bool,
}

/// The names in clauses by which threads have variables of their own.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct OwnNames {
    /// `private(x)`, `firstprivate(x)` and the like: of a pointer, the pointer itself.
    pub copied: Vec<String>,
    /// Those of them that begin as what is outside, and do not come back: `firstprivate(x)` without `lastprivate(x)`.
    pub first: Vec<String>,
    /// `reduction(+ : h[:n])`: of a pointer, what is behind it.
    pub reduced: Vec<String>,
}

/// Effect of a line of OpenMP or OpenACC about threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// `atomic`, `critical`: no two threads are in the next statement at once.
    Guard,
    /// `parallel`, `teams`: each thread has its own of what the next statement declares.
    Team,
    /// `threadprivate`: each thread has its own of these variables.
    OwnGlobals,
    /// `ordered`, `barrier`, `single`, `task` and the rest: a loop with one inside is not of independent iterations.
    Order,
}

/// The words of `#pragma rt`.
const WORDS: [&str; 16] = [
    "region",
    "name",
    "sync",
    "min-work",
    "check-every",
    "end",
    "parallel",
    "reduction",
    "private",
    "shape",
    "library",
    "merge",
    "skew",
    "block",
    "prefetch",
    "host",
];
/// What `library` asks for: a choice as in the configuration, or an operator.
const LIBRARY: [&str; 24] = [
    "auto", "always", "never", "gemm", "gemv", "ger", "symm", "syrk", "syr2k", "trmm", "trsm", "trsv", "axpy", "scal",
    "copy", "swap", "dot", "nrm2", "asum", "iamax", "geam", "batched", "spmv", "spmm",
];
/// Operators of a reduction.
const REDUCTIONS: [&str; 10] = ["+", "*", "-", "min", "max", "&", "|", "^", "&&", "||"];

/// Every directive of the user's own files, in order.
///
/// # Errors
/// The first mistake in a `#pragma rt`.
pub fn directives(source: &Source) -> Result<Vec<Directive>, Diagnostic> {
    let mut found = Vec::new();
    for token in source.tokens().iter().filter(|t| t.kind == TokenKind::Directive) {
        let Some(mut line) = Line::read(source, *token) else { continue };
        if source.line_map.origin(token.span.lo).is_system {
            continue;
        }
        match line.word() {
            "rt" => rt(&mut line, &mut found)?,
            "scop" => found.push(line.directive(DirectiveKind::RegionBegin { name: None, asked: Asked::default() })),
            "endscop" => found.push(line.directive(DirectiveKind::RegionEnd)),
            dialect @ ("omp" | "acc") => {
                found.extend(line.clauses().and_then(|c| hint(dialect, &c)).map(|kind| line.directive(kind)));
            }
            _ => {}
        }
    }
    Ok(found)
}

/// The tokens of a `#pragma` line after that word, and a position among them.
struct Line<'a> {
    source: &'a Source,
    span: Span,
    tokens: Vec<Token>,
    at: usize,
}

/// A word, and the text in the parentheses after it, cut at the commas outside inner parentheses.
pub(super) struct Clause<'a> {
    pub word: &'a str,
    pub arguments: Vec<Argument<'a>>,
}

/// A piece of text and its place.
#[derive(Clone, Copy)]
pub(super) struct Argument<'a> {
    pub text: &'a str,
    pub span: Span,
}

impl<'a> Line<'a> {
    fn read(source: &'a Source, directive: Token) -> Option<Line<'a>> {
        let lo = directive.span.lo + 1;
        let text = &source.text[lo as usize..directive.span.hi as usize];
        let mut tokens = lex::tokens(text);
        for token in &mut tokens {
            token.span = Span { lo: token.span.lo + lo, hi: token.span.hi + lo };
        }
        let is_pragma = tokens.first()?.is(&source.text, "pragma");
        is_pragma.then_some(Line { source, span: directive.span, tokens, at: 1 })
    }

    fn directive(&self, kind: DirectiveKind) -> Directive {
        Directive { kind, span: self.span }
    }

    fn peek(&self) -> &'a str {
        self.tokens.get(self.at).map_or("", |t| t.text(&self.source.text))
    }

    /// The next token's text; empty at the end.
    fn word(&mut self) -> &'a str {
        let word = self.peek();
        self.at += 1;
        word
    }

    /// The same for a word that may have dashes in it, which to C is a difference.
    fn joined_word(&mut self) -> &'a str {
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
    fn last_span(&self) -> Span {
        self.tokens.get(self.at.saturating_sub(1)).or(self.tokens.last()).map_or(self.span, |t| t.span)
    }

    /// The arguments in the parentheses that start here; `None` when they are missing or do not end.
    fn arguments(&mut self) -> Option<Vec<Argument<'a>>> {
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
    fn clauses(&mut self) -> Option<Vec<Clause<'a>>> {
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

    fn error(&self, code: &'static str, span: Span, message: String) -> Diagnostic {
        Diagnostic::error(code, message, Some(self.source.place(span)))
    }

    /// The arguments of a word of `#pragma rt`, none of them empty.
    fn required(&mut self, word: &str, form: &str) -> Result<Vec<Argument<'a>>, Diagnostic> {
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
    fn single(&mut self, word: &str, form: &str) -> Result<Argument<'a>, Diagnostic> {
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

    fn count(&self, word: &str, argument: Argument<'_>) -> Result<u32, Diagnostic> {
        argument.text.parse().ok().filter(|n| *n > 0).ok_or_else(|| {
            let message = format!("`{word}` takes a positive whole number, not `{}`", argument.text);
            self.error("directive-argument", argument.span, message)
        })
    }
}

/// Reads the words of a `#pragma rt`.
fn rt(line: &mut Line<'_>, found: &mut Vec<Directive>) -> Result<(), Diagnostic> {
    let first = found.len();
    loop {
        let word = line.joined_word();
        let at = line.last_span();
        let last = found[first..].last_mut().map(|d| &mut d.kind);
        match (word, last) {
            ("", None) => {
                return Err(line.error("directive-word", at, "`#pragma rt` says nothing".to_owned()).help(words()));
            }
            ("", Some(_)) => return Ok(()),
            ("region", _) => {
                found.push(line.directive(DirectiveKind::RegionBegin { name: None, asked: Asked::default() }))
            }
            ("end", _) => found.push(line.directive(DirectiveKind::RegionEnd)),
            ("host", _) => found.push(line.directive(DirectiveKind::Host)),
            ("name", Some(DirectiveKind::RegionBegin { name, .. })) => *name = Some(region_name(line)?),
            ("sync", Some(DirectiveKind::RegionBegin { asked, .. })) => asked.sync = Some(region_sync(line)?),
            ("min-work", Some(DirectiveKind::RegionBegin { asked, .. })) => {
                asked.min_work = Some(region_count(line, word, (0, MOST_MIN_WORK))?);
            }
            ("check-every", Some(DirectiveKind::RegionBegin { asked, .. })) => {
                asked.check_every = Some(region_count(line, word, (1, MOST_CHECK_EVERY))?);
            }
            ("parallel", _) => found.push(line.directive(DirectiveKind::Parallel {
                asserted: true,
                collapse: 1,
                reductions: Vec::new(),
                private: Vec::new(),
                sharing: Sharing::default(),
            })),
            ("reduction", Some(DirectiveKind::Parallel { reductions, .. })) => {
                let arguments = line.required("reduction", "parallel reduction(+:s)")?;
                reductions.extend(reduction(&arguments).map_err(|(span, message)| {
                    line.error("directive-argument", span, message).help("write `reduction(+:s)`")
                })?);
            }
            ("private", Some(DirectiveKind::Parallel { private, .. })) => {
                let arguments = line.required("private", "parallel private(x)")?;
                private.extend(arguments.iter().map(|a| a.text.to_owned()));
            }
            ("shape", _) => {
                let kind = shape(line)?;
                found.push(line.directive(kind));
            }
            ("library", _) => {
                let library = library(line)?;
                found.push(line.directive(DirectiveKind::Library(library)));
            }
            ("merge" | "skew" | "block" | "prefetch", last) => {
                let sizes = sizes(line, word)?;
                if let Some(kind) = map_nest(last, word, sizes) {
                    found.push(line.directive(kind));
                }
            }
            ("name" | "sync" | "min-work" | "check-every", _) => return Err(misplaced(line, at, word, "region")),
            ("reduction" | "private", _) => return Err(misplaced(line, at, word, "parallel")),
            _ => return Err(unknown_word(line, at, word)),
        }
    }
}

fn words() -> String {
    format!("the words are {}", WORDS.join(", "))
}

fn unknown_word(line: &Line<'_>, at: Span, word: &str) -> Diagnostic {
    let error = line.error("directive-word", at, format!("`#pragma rt` has no word `{word}`"));
    match nearest(word, &WORDS) {
        Some(near) => error.help(format!("did you mean `{near}`?")),
        None => error.help(words()),
    }
}

fn misplaced(line: &Line<'_>, at: Span, word: &str, owner: &str) -> Diagnostic {
    line.error("directive-word", at, format!("`{word}` belongs after `{owner}`"))
        .help(format!("write `#pragma rt {owner} {word}(...)`"))
}

fn region_name(line: &mut Line<'_>) -> Result<String, Diagnostic> {
    let name = line.single("name", "region name(relax)")?;
    let is_identifier = name.text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    if is_identifier {
        return Ok(name.text.to_owned());
    }
    let message = format!("a region's name is a C identifier, not `{}`", name.text);
    Err(line.error("directive-argument", name.span, message))
}

fn region_sync(line: &mut Line<'_>) -> Result<Sync, Diagnostic> {
    let value = line.single("sync", "region sync(relaxed)")?;
    let names: Vec<&str> = Sync::ALL.iter().map(|(name, _)| *name).collect();
    Sync::ALL.iter().find(|(name, _)| *name == value.text).map(|(_, sync)| *sync).ok_or_else(|| {
        let message = format!("`{}` is no way to synchronise", value.text);
        line.error("directive-argument", value.span, message).help(match nearest(value.text, &names) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("it is one of {}", names.join(", ")),
        })
    })
}

fn library(line: &mut Line<'_>) -> Result<String, Diagnostic> {
    let value = line.single("library", "library(gemm)")?;
    if LIBRARY.contains(&value.text) {
        return Ok(value.text.to_owned());
    }
    let message = format!("`{}` is no operator of a library", value.text);
    Err(line.error("directive-argument", value.span, message).help(match nearest(value.text, &LIBRARY) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("it is one of {}", LIBRARY.join(", ")),
    }))
}

/// A number from the first to the last of `within`.
fn region_count(line: &mut Line<'_>, word: &str, within: (u32, u32)) -> Result<u32, Diagnostic> {
    let (least, most) = within;
    let value = line.single(word, &format!("region {word}(1000)"))?;
    value.text.parse().ok().filter(|n| (least..=most).contains(n)).ok_or_else(|| {
        let message = format!("`{word}` takes a whole number between {least} and {most}, not `{}`", value.text);
        line.error("directive-argument", value.span, message)
    })
}

/// `shape(a: n, m)`.
fn shape(line: &mut Line<'_>) -> Result<DirectiveKind, Diagnostic> {
    let arguments = line.required("shape", "shape(a: n, m)")?;
    let phrase = |text: &str, lo: u32| {
        let lo = lo + (text.len() - text.trim_start().len()) as u32;
        let text = text.trim().to_owned();
        Phrase { span: Span { lo, hi: lo + text.len() as u32 }, text }
    };
    let named = arguments.split_first().and_then(|(first, rest)| {
        let (array, extent) = first.text.split_once(':')?;
        let extent = phrase(extent, first.span.lo + array.len() as u32 + 1);
        let extents: Vec<Phrase> =
            std::iter::once(extent).chain(rest.iter().map(|a| phrase(a.text, a.span.lo))).collect();
        Some((phrase(array, first.span.lo), extents))
    });
    match named {
        Some((array, extents)) if !array.text.is_empty() && !extents[0].text.is_empty() => {
            Ok(DirectiveKind::Shape { array, extents })
        }
        _ => {
            let span = arguments.first().map_or(line.span, |a| a.span);
            let message = "`shape` names an array, a colon and its extents".to_owned();
            Err(line.error("directive-argument", span, message).help("write `#pragma rt shape(a: n, m)`"))
        }
    }
}

/// `+:s, t`, as (operator, variable).
pub(super) fn reduction(arguments: &[Argument<'_>]) -> Result<Vec<(String, String)>, (Span, String)> {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Result<Vec<DirectiveKind>, String> {
        let Ok(source) = Source::from_text("t.c", text) else { return Err("too large".to_owned()) };
        match directives(&source) {
            Ok(found) => Ok(found.into_iter().map(|d| d.kind).collect()),
            Err(d) => {
                let at = d.place.map_or(0, |p| p.column);
                Err(format!("{at}: {}; {}", d.message, d.help.unwrap_or_default()))
            }
        }
    }

    fn parallel(reductions: &[(&str, &str)]) -> DirectiveKind {
        DirectiveKind::Parallel {
            asserted: true,
            collapse: 1,
            reductions: reductions.iter().map(|(o, v)| ((*o).to_owned(), (*v).to_owned())).collect(),
            private: Vec::new(),
            sharing: Sharing::default(),
        }
    }

    #[test]
    fn every_word_is_read() {
        let text = "#pragma rt region name(relax) sync(relaxed) min-work(500) check-every(8)\n#pragma rt end\n#pragma scop\n#pragma endscop\n\
                    #pragma rt parallel reduction(max:s, t)\n#pragma rt shape(a: n, f(m, 2))\n\
                    #pragma rt library(never)\n#pragma rt merge(16) skew(2) block(32,8) prefetch(3)\n#pragma rt host\n#pragma once\n";
        let region = |name: Option<&str>, asked| DirectiveKind::RegionBegin { name: name.map(str::to_owned), asked };
        let asked = Asked { sync: Some(Sync::Relaxed), min_work: Some(500), check_every: Some(8) };
        let phrase = |wanted: &str| {
            let lo = text.find(wanted).unwrap_or_default() as u32;
            Phrase { text: wanted.to_owned(), span: Span { lo, hi: lo + wanted.len() as u32 } }
        };
        let array = Phrase { text: "a".to_owned(), ..phrase("a: n") };
        let array = Phrase { span: Span { hi: array.span.lo + 1, ..array.span }, ..array };
        let n = phrase("n, f(m");
        let n = Phrase { text: "n".to_owned(), span: Span { hi: n.span.lo + 1, ..n.span } };
        let (merge, skew) = (vec![(None, 16)], vec![(None, 2)]);
        let expected = vec![
            region(Some("relax"), asked),
            DirectiveKind::RegionEnd,
            region(None, Asked::default()),
            DirectiveKind::RegionEnd,
            parallel(&[("max", "s"), ("max", "t")]),
            DirectiveKind::Shape { array, extents: vec![n, phrase("f(m, 2)")] },
            DirectiveKind::Library("never".to_owned()),
            DirectiveKind::Mapping { merge, skew, block: vec![32, 8], prefetch: Some(3) },
            DirectiveKind::Host,
        ];
        assert_eq!(kinds(text), Ok(expected));
    }

    #[test]
    fn mistakes_are_placed_and_explained() {
        let mistakes = [
            ("#pragma rt regoin", "12: `#pragma rt` has no word `regoin`; did you mean `region`?"),
            ("  #pragma  rt merge(x)", "21: `merge` takes a positive whole number, not `x`; "),
            (
                "#pragma rt shape(a)",
                "18: `shape` names an array, a colon and its extents; write `#pragma rt shape(a: n, m)`",
            ),
            ("#pragma rt name(q)", "12: `name` belongs after `region`; write `#pragma rt region name(...)`"),
            ("#pragma rt region sync(relxed)", "24: `relxed` is no way to synchronise; did you mean `relaxed`?"),
            (
                "#pragma rt region min-work(x)",
                "28: `min-work` takes a whole number between 0 and 1000000000, not `x`; ",
            ),
            ("#pragma rt region min-wrok(9)", "19: `#pragma rt` has no word `min-wrok`; did you mean `min-work`?"),
            ("#pragma rt prefetch(9)", "21: a block keeps 8 pieces at most; "),
            ("#pragma rt block(64, 32)", "18: a block has 1024 threads at most; "),
            ("#pragma rt library(syr22k)", "20: `syr22k` is no operator of a library; did you mean `syr2k`?"),
            (
                "#pragma rt library(gemm",
                "12: `library` needs its arguments in parentheses; write `#pragma rt library(gemm)`",
            ),
        ];
        for (text, expected) in mistakes {
            assert_eq!(kinds(text), Err(expected.to_owned()), "{text}");
        }
    }
}
