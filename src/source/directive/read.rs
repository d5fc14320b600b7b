//! Reads the directives of a source.

use super::line::{Line, reduction};
use super::mapping::{map_nest, sizes};
use super::{Directive, DirectiveKind, Phrase, Sharing};
use crate::config::{Asked, Choice, MOST_CHECK_EVERY, MOST_MIN_WORK, Sync};
use crate::diag::{Diagnostic, nearest};
use crate::source::lex::TokenKind;
use crate::source::threads::hint;
use crate::source::{Source, Span};

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
/// Choices of `library`: one as in the configuration, or an operator.
const LIBRARY: [&str; 24] = [
    "auto", "always", "never", "gemm", "gemv", "ger", "symm", "syrk", "syr2k", "trmm", "trsm", "trsv", "axpy", "scal",
    "copy", "swap", "dot", "nrm2", "asum", "iamax", "geam", "batched", "spmv", "spmm",
];
/// Every directive of the user's own files, in order.
///
/// # Errors
/// The first mistake in a `#pragma rt`.
pub fn directives(source: &Source) -> Result<Vec<Directive>, Diagnostic> {
    let mut found = Vec::new();
    for token in source.all_tokens().iter().filter(|t| t.kind == TokenKind::Directive) {
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
                // It speaks of iterations, whoever runs them.
                sharing: Sharing { starts_threads: true, ..Sharing::default() },
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
            sharing: Sharing { starts_threads: true, ..Sharing::default() },
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
