//! Where a region is cut out of the text that is emitted: its bytes with the pragmas that belong to its first loop, and
//! the line markers that lead the compiler back behind what is inserted.
//!
//! Two texts can be emitted. A person reads the user's own file, so there the range must be found again behind macros
//! (`Source::user_range`). A compiler that stands in a build takes the preprocessed text, where every range is exact
//! and line markers keep file names and lines:
//! ```text
//! { extern int rt_f_0(int, void *); if (!rt_f_0(n, a)) {
//! # 12 "src/f.c"
//! for (i = 0; i < n; i++) a[i] = 0; }}
//! # 12 "src/f.c"
//! ```

use super::joined::Inclusion;
use super::lex::{Token, TokenKind};
use super::{Source, Span};
use std::ops::Range;

/// A text that regions are cut out of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Text {
    /// The user's file to the letter.
    Users,
    /// The same after the preprocessor.
    Preprocessed,
}

/// The place of a region in its text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cut {
    /// Its bytes.
    pub range: Range<usize>,
    /// In preprocessed text, line markers for the range's start and end; else empty.
    pub markers: [String; 2],
}

impl Source {
    /// The bytes of a text, to the letter, and what stands in it in the place of directives.
    pub fn whole(self, text: Text) -> (Vec<u8>, Vec<Inclusion>) {
        match text {
            Text::Users => (self.joined.bytes, self.joined.inclusions),
            Text::Preprocessed => (self.bytes, Vec::new()),
        }
    }

    /// Cuts out the statements from the start of one span to the end of another. `directives` are those of the first
    /// statement, which stay with it: the region begins with their line.
    ///
    /// # Errors
    /// Why there is no such range, to be shown to the user.
    pub fn cut(
        &self,
        text: Text,
        first: Span,
        last: Span,
        directives: impl Iterator<Item = Span>,
    ) -> Result<Cut, String> {
        match text {
            Text::Users => {
                let range = self.user_range(first, last)?;
                let users = |d: Span| self.line_map.origin(d.lo).users;
                let lines: Vec<u32> = directives.filter_map(users).collect();
                let start = self.users_start(first, range.start, &lines)?;
                Ok(Cut { range: start..range.end, markers: Default::default() })
            }
            Text::Preprocessed => {
                for at in [first.lo, last.lo] {
                    let origin = self.line_map.origin(at);
                    if origin.is_system {
                        return Err(format!("it comes from {}, line {}", origin.file, origin.line));
                    }
                }
                let line_start = |at: u32| self.line_map.line_start(self.line_map.line_index(at)) as usize;
                let start = directives.map(|d| line_start(d.lo)).fold(first.lo as usize, usize::min);
                let range = pragmas_before(&self.text, start)..last.hi as usize;
                let markers = [range.start, range.end - 1].map(|at| self.marker(at as u32));
                Ok(Cut { range, markers })
            }
        }
    }

    /// Where the pragmas that belong to a statement begin in the user's text, `start` being its own place there and
    /// `lines` those of its directives. A pragma may stand in the line (`_Pragma("omp simd") for (...)`), or in a macro.
    fn users_start(&self, first: Span, start: usize, lines: &[u32]) -> Result<usize, String> {
        let covers = |d: &Token, line: u32| d.line <= line && self.user_line_start(line) < d.span.hi as usize;
        let is_written = |line: &u32| self.user_directives.iter().any(|d| covers(d, *line));
        let of_lines = lines.iter().filter(|line| is_written(line)).map(|line| self.user_line_start(*line)).min();
        let found = pragmas_before(&self.user_text, of_lines.map_or(start, |at| at.min(start)));
        let own = |t: &&Token| t.kind == TokenKind::Directive && !stays_before(t.text(&self.text));
        let at = self.tokens.partition_point(|t| t.span.lo < first.lo);
        let n_all = self.tokens[..at].iter().rev().take_while(|t| t.kind == TokenKind::Directive).filter(own).count();
        let is_in = |t: &&Token| (found..start).contains(&(t.span.lo as usize));
        let of_user = self.user_directives.iter().filter(is_in);
        let n_found = of_user.filter(|t| !stays_before(t.text(&self.user_text))).count();
        let users = self.user_tokens.partition_point(|t| (t.span.lo as usize) < start);
        // A macro that the statement begins in has its pragmas in it.
        let is_itself = self.user_tokens[users].text(&self.user_text) == self.tokens[at].text(&self.text);
        if n_all <= n_found || !is_itself {
            return Ok(found);
        }
        let behind = self.behind_token_before(first)?;
        let between = &self.user_tokens[behind.min(users)..users];
        let ends = |t: &&Token| {
            t.kind == TokenKind::Directive && stays_before(t.text(&self.user_text)) && !lines.contains(&t.line)
        };
        let kept = between.iter().rposition(|t| ends(&t)).map_or(between, |at| &between[at + 1..]);
        let first = kept.first().ok_or("a macro before it ends with a pragma that needs it")?;
        Ok(first.span.lo as usize)
    }

    /// A line marker for the line of an offset.
    fn marker(&self, at: u32) -> String {
        let origin = self.line_map.origin(at);
        let file = origin.file.replace('\\', "\\\\").replace('"', "\\\"");
        format!("\n# {} \"{file}\"\n", origin.line)
    }
}

/// The start of the pragmas that stand directly before a byte of a text, on lines of their own, such as
/// `#pragma omp for`: they need the loop that follows them. What marks a region stays where it is, and what declares
/// something, which holds behind the region too.
fn pragmas_before(text: &str, start: usize) -> usize {
    let line_start = text[..start].rfind('\n').map_or(0, |at| at + 1);
    if !text[line_start..start].trim().is_empty() {
        return start;
    }
    let (mut found, mut at) = (start, line_start);
    let mut above = text[..line_start].split_inclusive('\n').rev().peekable();
    while let Some(line) = above.next() {
        at -= line.len();
        let continues = above.peek().is_some_and(|l| l.trim_end().ends_with('\\'));
        let line = line.trim();
        let directive = line.strip_prefix('#').map(str::trim_start);
        match directive.and_then(|d| d.strip_prefix("pragma")) {
            Some(rest) if stays(rest) => break,
            Some(_) => found = at,
            None if line.is_empty() || line.starts_with("//") || continues => {}
            // A line marker.
            None if directive.is_some_and(|d| d.starts_with(|c: char| c.is_ascii_digit())) => {}
            None => break,
        }
    }
    found
}

/// Test that a line of the preprocessor's is no part of the statement that follows.
fn stays_before(line: &str) -> bool {
    let directive = line.trim_start_matches(['#', ' ', '\t']);
    directive.strip_prefix("pragma").is_none_or(stays)
}

/// Test that a pragma, of which this stands behind the word, is no part of the statement that follows.
fn stays(pragma: &str) -> bool {
    let mut words = pragma.split(|c: char| !c.is_ascii_alphanumeric()).filter(|w| !w.is_empty());
    match words.next() {
        Some("omp") => matches!(words.next(), Some("threadprivate" | "declare" | "begin" | "end")),
        first => matches!(first, Some("rt" | "scop" | "endscop" | "STDC")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str, from: &str, to: &str) -> (String, [String; 2]) {
        let source = Source::from_text("a.c", text).unwrap();
        let at = |needle: &str| text.find(needle).unwrap() as u32;
        let first = Span { lo: at(from), hi: at(from) + 1 };
        let last = Span { lo: at(to), hi: at(to) + to.len() as u32 };
        let cut = source.cut(Text::Preprocessed, first, last, std::iter::empty()).unwrap();
        (text[cut.range].to_owned(), cut.markers)
    }

    #[test]
    fn pragmas_stay_with_their_loop_and_lines_are_kept() {
        let text = "# 1 \"a.c\"\nint y;\n#pragma GCC ivdep\n# 3 \"a.c\"\n\n  for (;;)\n   x; z;\n";
        let (cut, markers) = cut(text, "for", "x;");
        assert_eq!(cut, "#pragma GCC ivdep\n# 3 \"a.c\"\n\n  for (;;)\n   x;");
        assert_eq!(markers, ["\n# 2 \"a.c\"\n", "\n# 5 \"a.c\"\n"]);
    }

    #[test]
    fn pragmas_within_a_line_and_in_macros_stay_with_their_loop() {
        let head = "void f(int n) {\n    int i;\n";
        let users = |head: &str, before: &str| {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("a.c");
            let text = format!(
                "#define SIMD _Pragma(\"omp simd\")\n#define FOR(x) _Pragma(#x)\n#define INIT n = 3; SIMD\n\
                 {head}{before}for (i = 0; i < n; i++) ;\n}}\n"
            );
            std::fs::write(&path, text).unwrap();
            let source = Source::load(&path, &[]).unwrap();
            let at = source.text.rfind("for").unwrap() as u32;
            let first = Span { lo: at, hi: source.text.rfind(';').unwrap() as u32 + 1 };
            let cut = source.cut(Text::Users, first, first, std::iter::empty());
            cut.map(|cut| source.user_text[cut.range].split("for (i").next().unwrap_or_default().to_owned())
        };
        for before in ["_Pragma(\"omp taskloop\") ", "SIMD ", "FOR(omp for)\n", "#pragma omp for\n    SIMD "] {
            assert_eq!(users(head, before).as_deref(), Ok(before), "{before}");
        }
        assert_eq!(users(head, "i = 1; SIMD ").as_deref(), Ok("SIMD "));
        assert_eq!(users(head, "if (n > 3) _Pragma(\"omp simd\")\n").as_deref(), Ok("_Pragma(\"omp simd\")\n"));
        assert_eq!(users(head, "#pragma scop\n SIMD ").as_deref(), Ok("SIMD "));
        assert_eq!(users(head, "").as_deref(), Ok(""));
        assert!(users(head, "INIT ").is_err());
    }

    #[test]
    fn what_marks_a_region_or_declares_stays_before_it() {
        for before in ["#pragma omp x\n#pragma scop\n", "#pragma omp threadprivate(s)\n"] {
            let (cut, _) = cut(&format!("{before} for (;;) x;\n"), "for", "x;");
            assert_eq!(cut, "for (;;) x;");
        }
    }

    #[test]
    fn text_of_the_system_is_not_cut() {
        let source = Source::from_text("a.c", "# 1 \"a.c\"\n# 1 \"b.h\" 1 3\nx;\n").unwrap();
        let span = Span { lo: 24, hi: 26 };
        let why = source.cut(Text::Preprocessed, span, span, std::iter::empty()).unwrap_err();
        assert_eq!(why, "it comes from b.h, line 1");
    }
}
