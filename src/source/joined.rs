//! The user's text: the file that was given, with what it includes in the place of the directives where loops stand in it.
//!
//! A region is cut out of a text. Most stand in the file itself; one that stands in a file that it includes (`#include
//! "kernel.c"`, a header with `static inline` functions) is cut out of the text with that in place. What holds no region
//! is a directive again where the text is emitted.
//!
//! A file from another folder names those beside it as they are seen from the first one's. Not joined, so that it means what
//! it did, is a file that `#pragma once` guards: others may include it as well.

use super::lex::{self, Token, TokenKind};
use super::line_map::{self, LineMap};
use super::preprocess;
use std::ops::Range;
use std::path::{Component, Path, PathBuf};

/// A file in the place of the directive that includes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Inclusion {
    /// Its bytes in the text.
    pub range: Range<usize>,
    /// The lines of the directive, to the letter.
    pub directive: Vec<u8>,
    /// Its name, as the preprocessor has it.
    pub file: String,
    /// The file and the line that follow on it.
    pub behind: (String, u32),
}

/// The text, and where its lines come from.
#[derive(Debug, Clone, Default)]
pub struct Joined {
    pub bytes: Vec<u8>,
    /// One that another includes stands behind it.
    pub inclusions: Vec<Inclusion>,
    /// Runs of lines: the first in the text, from 1, and the file and the line that it comes from.
    runs: Vec<(u32, String, u32)>,
}

impl Joined {
    /// The file with what holds loops in place; the map learns where its lines stand in the text.
    pub fn new(path: &str, bytes: &[u8], map: &mut LineMap, text: &str, tokens: &[Token]) -> Joined {
        let mut joiner = Joiner { map, out: Joined::default(), line: 1 };
        let has_loops = joiner.with_loops(text, tokens);
        joiner.file(0, path, bytes, Path::new(path).parent(), &has_loops);
        joiner.out
    }

    /// The file and the line, from 1, that a line of the text comes from.
    pub fn origin(&self, line: u32) -> (&str, u32) {
        let at = self.runs.partition_point(|(first, ..)| *first <= line).saturating_sub(1);
        self.runs.get(at).map_or(("", line), |(first, file, origin)| (file.as_str(), origin + (line - first)))
    }
}

struct Joiner<'a> {
    map: &'a mut LineMap,
    out: Joined,
    /// The line of the text that comes next.
    line: u32,
}

impl Joiner<'_> {
    /// By inclusion: test that a loop stands in it, or in what it includes.
    fn with_loops(&self, text: &str, tokens: &[Token]) -> Vec<bool> {
        let entered = self.map.entered();
        let mut has_loops = vec![false; entered.len()];
        for token in tokens.iter().filter(|t| t.kind == TokenKind::Word) {
            if matches!(token.text(text), "for" | "while" | "do") {
                has_loops[self.map.inclusion(token.span.lo)] = true;
            }
        }
        // An inclusion comes behind the one that it stands in.
        for at in (1..entered.len()).rev() {
            let is_users = !self.map.is_system(entered[at].file);
            has_loops[at] &= is_users;
            has_loops[entered[at].parent] |= has_loops[at];
        }
        has_loops
    }

    /// Appends a file that is there in this inclusion.
    fn file(&mut self, inclusion: usize, name: &str, bytes: &[u8], folder: Option<&Path>, has_loops: &[bool]) {
        let starts = line_map::line_starts(bytes);
        let n_lines = starts.len() as u32;
        let start = |line: u32| starts.get(line as usize - 1).map_or(bytes.len(), |at| *at as usize);
        let mut next = 1;
        for (line, within) in self.map.inclusions_of(inclusion).into_iter().filter(|(_, within)| has_loops[*within]) {
            if line < next || line > n_lines {
                continue;
            }
            let Some(file) = self.joined_file(within, &bytes[start(line)..start(line + 1)], folder) else { continue };
            self.run(inclusion, name, next, &bytes[start(next)..start(line)]);
            let lo = self.out.bytes.len();
            let at = self.out.inclusions.len();
            let directive = bytes[start(line)..start(line + 1)].to_vec();
            let entered = self.map.file_name(within).to_owned();
            let behind = (name.to_owned(), line + 1);
            self.out.inclusions.push(Inclusion { range: lo..lo, directive, file: entered.clone(), behind });
            self.file(within, &entered, &file, folder, has_loops);
            self.out.inclusions[at].range.end = self.out.bytes.len();
            next = line + 1;
        }
        self.run(inclusion, name, next, &bytes[start(next)..]);
        let is_whole = self.out.bytes.last().is_none_or(|b| *b == b'\n');
        if inclusion > 0 && !is_whole {
            self.out.bytes.push(b'\n');
            self.line += 1;
        }
    }

    /// Appends lines of a file, the first of them with this number.
    fn run(&mut self, inclusion: usize, name: &str, first: u32, bytes: &[u8]) {
        self.out.runs.push((self.line, name.to_owned(), first));
        self.map.place(inclusion, first, self.line);
        self.out.bytes.extend_from_slice(bytes);
        self.line += bytes.iter().filter(|b| **b == b'\n').count() as u32;
    }

    /// The bytes of a file that a directive includes, where it can stand in the place of that.
    fn joined_file(&self, inclusion: usize, directive: &[u8], folder: Option<&Path>) -> Option<Vec<u8>> {
        let path = Path::new(self.map.file_name(inclusion));
        let directive = String::from_utf8_lossy(directive);
        let name = path.file_name()?.to_str()?;
        let is_whole = word_of(&directive) == Some("include") && !directive.trim_end().ends_with('\\');
        if !is_whole || !directive.contains(name) || directive.contains("/*") {
            return None;
        }
        let file = preprocess::read_file(path).ok()?;
        let way = way(folder?, path.parent()?);
        seen_from(file, path.parent()?, way.as_deref())
    }
}

/// A file's bytes where its directives have the same meaning in a file of another folder, to which the way leads from there.
fn seen_from(bytes: Vec<u8>, folder: &Path, way: Option<&Path>) -> Option<Vec<u8>> {
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    for token in lex::tokens(&text).iter().filter(|t| t.kind == TokenKind::Directive) {
        let directive = token.text(&text);
        match word_of(directive) {
            Some("pragma") if directive.contains("once") => return None,
            Some("include_next" | "line") => return None,
            Some("include") if way != Some(Path::new("")) => {
                let Some((before, name)) = directive.split_once('"') else { continue };
                let (name, _) = name.split_once('"')?;
                if folder.join(name).exists() {
                    let lo = token.span.lo as usize + before.len() + 1;
                    // Bytes outside UTF-8 are longer in the text.
                    let place = bytes.get(lo..lo + name.len()).filter(|b| *b == name.as_bytes());
                    place?;
                    out.extend_from_slice(&bytes[at..lo]);
                    out.extend_from_slice(way?.join(name).to_str()?.as_bytes());
                    at = lo + name.len();
                }
            }
            _ => {}
        }
    }
    out.extend_from_slice(&bytes[at..]);
    Some(out)
}

/// The way from one folder to another, both as they are named from a third.
fn way(from: &Path, to: &Path) -> Option<PathBuf> {
    let (from, to): (Vec<_>, Vec<_>) = (from.components().collect(), to.components().collect());
    let n_same = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let is_up = from[n_same..].iter().all(|c| matches!(c, Component::Normal(_)));
    let back = from[n_same..].iter().map(|_| Component::ParentDir);
    is_up.then(|| back.chain(to[n_same..].iter().copied()).collect())
}

/// The name of a directive.
fn word_of(directive: &str) -> Option<&str> {
    let rest = directive.trim_start().strip_prefix('#')?.trim_start();
    Some(&rest[..rest.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count()])
}

#[cfg(test)]
mod tests {
    use crate::source::Source;

    #[test]
    fn what_holds_loops_stands_in_the_place_of_its_directive() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).unwrap();
            path
        };
        std::fs::create_dir(folder.path().join("sub")).unwrap();
        file("types.h", "typedef int t;\n");
        file(
            "sub/far.h",
            "#include \"near.h\"\n#include \"types.h\"\nstatic int far(int n) { do n--; while (n); return n; }\n",
        );
        file("sub/near.h", "typedef int near;\n");
        file("inner.h", "static t g(t n) { while (n > 9) n /= 2; return n; }");
        file("kernel.h", "#include \"inner.h\"\nint k;\n");
        file("once.h", "#pragma once\nstatic int once(int n) { while (n > 3) n--; return n; }\n");
        let main = "#include \"types.h\"\n#include \"kernel.h\"\n#include \"once.h\"\n#include \"sub/far.h\"\nint f(int n)\n{ return g(n); }\n";
        let path = file("a.c", main);
        let source = Source::load(&path, &["-iquote".to_owned(), folder.path().display().to_string()]).unwrap();
        let text = "#include \"types.h\"\nstatic t g(t n) { while (n > 9) n /= 2; return n; }\nint k;\n#include \"once.h\"\n\
                    #include \"sub/near.h\"\n#include \"types.h\"\nstatic int far(int n) { do n--; while (n); return n; }\n\
                    int f(int n)\n{ return g(n); }\n";
        assert_eq!(source.user_text, text);
        let names: Vec<_> = (1..=9).map(|line| source.joined.origin(line)).collect();
        let short = |(file, line): &(&str, u32)| format!("{}:{line}", file.rsplit('/').next().unwrap());
        let names: Vec<_> = names.iter().map(short).collect();
        assert_eq!(
            names,
            ["a.c:1", "inner.h:1", "kernel.h:2", "a.c:3", "far.h:1", "far.h:2", "far.h:3", "a.c:5", "a.c:6"]
        );
        let at = |needle: &str| source.text.find(needle).unwrap() as u32;
        assert_eq!(source.line_map.origin(at("while (n > 9)")).users, Some(2));
        assert_eq!(source.line_map.origin(at("int k")).users, Some(3));
        assert_eq!(source.line_map.origin(at("return g")).users, Some(9));
        assert_eq!(source.line_map.origin(at("while (n > 3)")).users, None);
    }
}
