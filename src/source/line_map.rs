//! Where a line of the preprocessed text comes from, after its line markers (`# 12 "file.c" 2`).

use indexmap::IndexMap;

use super::lex::{Token, TokenKind};

/// One stretch of lines of the preprocessed text from one file.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Stretch {
    /// The first line of the preprocessed text it covers, from 0.
    first: u32,
    /// The line of the file that this first line is.
    line: u32,
    file: usize,
    /// The inclusion that it is in.
    inclusion: usize,
    /// The line of the user's text (see [`joined`](super::joined)) that this first line is, where it is there.
    users: Option<u32>,
}

/// A file where it is included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entered {
    pub file: usize,
    /// The inclusion that the directive stands in.
    pub parent: usize,
    /// The line of the directive there.
    line: u32,
}

/// The way from the preprocessed text back to files and lines.
#[derive(Debug, Clone, Default)]
pub struct LineMap {
    line_starts: Vec<u32>,
    /// Each file, and whether it is a system header: whether it was entered as one. (What a system header's macro
    /// expands to is marked as system text too, in the middle of the user's lines.)
    files: IndexMap<String, bool>,
    /// The file that was given, and each time that one is included.
    entered: Vec<Entered>,
    stretches: Vec<Stretch>,
}

/// The origin of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Origin<'a> {
    pub file: &'a str,
    /// From 1.
    pub line: u32,
    /// That line of the user's text, where it is there.
    pub users: Option<u32>,
    pub is_system: bool,
}

impl LineMap {
    /// Reads the line markers among the tokens of a preprocessed text. `main` is the file it was made from, as it
    /// was named to the compiler.
    pub fn new(text: &str, tokens: &[Token], main: &str) -> LineMap {
        let line_starts = line_starts(text.as_bytes());
        let main_file = Entered { file: 0, parent: 0, line: 0 };
        let mut map = LineMap { line_starts, files: IndexMap::new(), entered: vec![main_file], stretches: Vec::new() };
        map.files.insert(main.to_owned(), false);
        map.stretches.push(Stretch { first: 0, line: 1, file: 0, inclusion: 0, users: None });
        let mut inclusion = 0;
        for token in tokens.iter().filter(|t| t.kind == TokenKind::Directive) {
            let Some(marker) = Marker::read(token.text(text)) else { continue };
            let entry = map.files.entry(marker.file);
            let file = entry.index();
            entry.or_insert(marker.is_system);
            if marker.enters {
                map.entered.push(Entered { file, parent: inclusion, line: 0 });
                inclusion = map.entered.len() - 1;
            } else if marker.returns {
                // The line behind the directive follows.
                map.entered[inclusion].line = marker.line.saturating_sub(1);
                inclusion = map.entered[inclusion].parent;
            }
            // The marker stands at the end of its own (logical) line; the stretch begins after it.
            let first = map.line_index(token.span.hi) + 1;
            map.stretches.push(Stretch { first, line: marker.line, file, inclusion, users: None });
        }
        map
    }

    /// The file that was given, and each time that one is included.
    pub fn entered(&self) -> &[Entered] {
        &self.entered
    }

    /// The files that one includes, as it is there in an inclusion, with the lines of the directives.
    pub fn inclusions_of(&self, inclusion: usize) -> Vec<(u32, usize)> {
        let within = self.entered.iter().enumerate().skip(1).filter(|(_, x)| x.parent == inclusion);
        within.map(|(at, x)| (x.line, at)).collect()
    }

    /// The inclusion that an offset is in.
    pub fn inclusion(&self, offset: u32) -> usize {
        self.stretch(offset).1.inclusion
    }

    /// The name of the file of an inclusion.
    pub fn file_name(&self, inclusion: usize) -> &str {
        self.files.get_index(self.entered[inclusion].file).map_or("", |(name, _)| name)
    }

    /// Test that a file is a system header.
    pub fn is_system(&self, file: usize) -> bool {
        self.files.get_index(file).is_some_and(|(_, is_system)| *is_system)
    }

    /// Places the lines of an inclusion from one on in the user's text, where that is this line.
    pub fn place(&mut self, inclusion: usize, first: u32, users: u32) {
        let file = self.entered[inclusion].file;
        for s in &mut self.stretches {
            if s.inclusion == inclusion && s.file == file && s.line >= first {
                s.users = Some(users + (s.line - first));
            }
        }
    }

    /// Test that a file of that name is part of the text, wherever it lies.
    pub fn has_file(&self, name: &str) -> bool {
        self.files.keys().any(|file| file.rsplit('/').next() == Some(name))
    }

    /// The line of the preprocessed text, from 0, that holds an offset.
    pub fn line_index(&self, offset: u32) -> u32 {
        (self.line_starts.partition_point(|start| *start <= offset) as u32).saturating_sub(1)
    }

    /// Where that line of the preprocessed text starts.
    pub fn line_start(&self, line_index: u32) -> u32 {
        self.line_starts[line_index as usize]
    }

    /// The line of the preprocessed text that holds an offset, and the stretch that it is in.
    fn stretch(&self, offset: u32) -> (u32, &Stretch) {
        let index = self.line_index(offset);
        let at = self.stretches.partition_point(|s| s.first <= index).saturating_sub(1);
        (index, &self.stretches[at])
    }

    /// The origin of an offset.
    pub fn origin(&self, offset: u32) -> Origin<'_> {
        let (index, stretch) = self.stretch(offset);
        let (file, is_system) = self.files.get_index(stretch.file).map_or(("", false), |(f, s)| (f, *s));
        let line = |first: u32| first.saturating_add(index - stretch.first).max(1);
        Origin { file, line: line(stretch.line), users: stretch.users.map(line), is_system }
    }
}

/// Where each line of a text starts.
pub fn line_starts(text: &[u8]) -> Vec<u32> {
    let ends = text.iter().enumerate().filter(|(_, b)| **b == b'\n').map(|(at, _)| at as u32 + 1);
    std::iter::once(0).chain(ends).collect()
}

/// A line marker: GCC's `# 12 "file.c" 1 3`, or `#line 12 "file.c"`.
struct Marker {
    line: u32,
    file: String,
    enters: bool,
    returns: bool,
    is_system: bool,
}

impl Marker {
    fn read(directive: &str) -> Option<Marker> {
        let rest = directive.strip_prefix('#')?.trim_start();
        let rest = rest.strip_prefix("line").unwrap_or(rest).trim_start();
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let line = rest[..digits].parse().ok()?;
        let (file, flags) = unquote(rest[digits..].trim_start())?;
        let has = |flag: &str| flags.split_whitespace().any(|f| f == flag);
        Some(Marker { line, file, enters: has("1"), returns: has("2"), is_system: has("3") })
    }
}

/// The string constant at the start of a text, and what follows it.
fn unquote(text: &str) -> Option<(String, &str)> {
    let mut rest = text.strip_prefix('"')?.chars();
    let mut bytes = Vec::new();
    loop {
        match rest.next()? {
            '"' => return Some((String::from_utf8_lossy(&bytes).into_owned(), rest.as_str())),
            '\\' => {
                let octal: String = rest.as_str().chars().take(3).take_while(|c| c.is_digit(8)).collect();
                if let (3, Ok(byte)) = (octal.len(), u8::from_str_radix(&octal, 8)) {
                    bytes.push(byte);
                    rest = rest.as_str()[3..].chars();
                } else {
                    bytes.extend(rest.next()?.to_string().bytes());
                }
            }
            c => bytes.extend(c.to_string().bytes()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::lex;

    #[test]
    fn markers_lead_back() {
        let text = "# 0 \"<built-in>\"\n# 1 \"a.c\"\nint x;\n# 1 \"/h\\\"\\303\\251.h\" 1 3\nint y;\n# 7 \"a.c\" 2\n\nint z;\n";
        let mut map = LineMap::new(text, &lex::tokens(text), "a.c");
        map.place(0, 1, 1);
        let at = |needle: &str| map.origin(text.find(needle).unwrap() as u32);
        assert_eq!(at("int x"), Origin { file: "a.c", line: 1, users: Some(1), is_system: false });
        assert_eq!(at("int y"), Origin { file: "/h\"é.h", line: 1, users: None, is_system: true });
        assert_eq!(at("int z"), Origin { file: "a.c", line: 8, users: Some(8), is_system: false });
        assert_eq!(map.inclusions_of(0), [(6, 1)]);
    }
}
