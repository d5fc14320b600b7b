//! The preprocessed text as tree-sitter is given it: of the same length, and without what it cannot read or would
//! read wrongly.
//!
//! - Comments and `#` lines are blank (directives are read apart, line markers are in the line map).
//! - Of system headers only the declarations that the user's text needs are left, without function bodies: parsing
//!   them all would take longer than everything else.
//! - GNU words become standard ones (`__restrict` is `restrict`) or blank (`__extension__`, `__attribute__((...))`).
//! - Complex numbers are unknown to tree-sitter: `_Complex` is shown as a qualifier, `__real__` as a sign, and `1.0iF` as
//!   a number without a suffix. What reads the tree sees by the text that they are none.
//! - tree-sitter does not know which names are types, so `(n)-1` may read as a cast. A parenthesised name that is a
//!   variable is disguised as a number of the same length, one that is a typedef as `int`; [`Cleaned::disguised`]
//!   leads back.
//! - What says no type at file level, but a storage class, is shown with `int` in its place; the disguise leads back to that.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::lex::{Token, TokenKind};
use super::{Source, Span};

/// See the module.
pub struct Cleaned {
    /// As long as [`Source::text`].
    pub text: String,
    /// Where a disguise starts, and the name that stands there.
    pub disguised: BTreeMap<u32, Span>,
    /// External declarations and definitions outside of system headers, in their order.
    pub externals: Vec<External>,
}

/// An external declaration or definition.
pub struct External {
    pub span: Span,
    /// Body of a function, braces included.
    pub body: Option<Span>,
}

/// An external declaration or definition: its tokens.
struct Item {
    tokens: Range<usize>,
    is_system: bool,
    /// The tokens of a function's body, braces included.
    body: Option<Range<usize>>,
}

/// Cleans the preprocessed text, in linear time.
pub fn clean(source: &Source) -> Cleaned {
    let tokens: Vec<Token> = source.tokens.iter().filter(|t| t.kind != TokenKind::Directive).copied().collect();
    let mut cleaner = Cleaner {
        source,
        text: source.text.bytes().map(|b| if b == b'\n' { b } else { b' ' }).collect(),
        disguised: BTreeMap::new(),
        typedefs: BTreeSet::new(),
        tokens,
    };
    let mut items = cleaner.items();
    cleaner.keep_needed(&mut items);
    for item in &items {
        cleaner.note_typedefs(item.tokens.clone());
    }
    for item in &items {
        match &item.body {
            Some(body) if item.is_system => {
                cleaner.copy(item.tokens.start..body.start, true);
                cleaner.put(cleaner.tokens[body.start].span, ";");
            }
            _ => cleaner.copy(item.tokens.clone(), item.is_system),
        }
        if !item.is_system {
            cleaner.put_type(item.tokens.start);
        }
    }
    let own = items.iter().filter(|item| !item.is_system && !item.tokens.is_empty());
    let externals = own.map(|item| External {
        span: cleaner.span(&item.tokens),
        body: item.body.as_ref().map(|body| cleaner.span(body)),
    });
    let externals = externals.collect();
    // Whole tokens of a text were copied between blanks, and disguises are ASCII.
    Cleaned { text: String::from_utf8(cleaner.text).unwrap_or_default(), disguised: cleaner.disguised, externals }
}

struct Cleaner<'a> {
    source: &'a Source,
    tokens: Vec<Token>,
    text: Vec<u8>,
    disguised: BTreeMap<u32, Span>,
    typedefs: BTreeSet<&'a str>,
}

impl<'a> Cleaner<'a> {
    fn word(&self, at: usize) -> &'a str {
        self.tokens.get(at).map_or("", |t| t.text(&self.source.text))
    }

    /// The text of some tokens, of which there is one.
    fn span(&self, tokens: &Range<usize>) -> Span {
        self.tokens[tokens.start].span.to(self.tokens[tokens.end - 1].span)
    }

    /// Splits the text into external declarations.
    fn items(&self) -> Vec<Item> {
        let mut items = Vec::new();
        let mut start = 0;
        while start < self.tokens.len() {
            let (end, body) = self.item_end(start);
            let is_system = self.source.line_map.origin(self.tokens[start].span.lo).is_system;
            items.push(Item { tokens: start..end, is_system, body });
            start = end;
        }
        items
    }

    /// One past the last token of the item that starts here, and its body if it is a function.
    fn item_end(&self, start: usize) -> (usize, Option<Range<usize>>) {
        let mut depth = 0usize;
        let (mut has_parameters, mut has_value) = (false, false);
        let mut body = None;
        let mut at = start;
        while at < self.tokens.len() {
            if is_attribute(self.word(at)) {
                at = self.after_group(at + 1);
                continue;
            }
            match self.word(at) {
                "{" if depth == 0 && has_parameters && !has_value => {
                    body = Some(at);
                    depth += 1;
                }
                "(" | "[" | "{" => {
                    has_parameters |= depth == 0 && self.word(at) == "(";
                    depth += 1;
                }
                ")" | "]" | "}" => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 && body.is_some() {
                        return (at + 1, body.map(|b| b..at + 1));
                    }
                }
                "=" if depth == 0 => has_value = true,
                ";" if depth == 0 => return (at + 1, None),
                _ => {}
            }
            at += 1;
        }
        (self.tokens.len(), None)
    }

    /// One past the group in parentheses that starts here; here if none does.
    fn after_group(&self, at: usize) -> usize {
        if self.word(at) != "(" {
            return at;
        }
        let mut depth = 0usize;
        for end in at..self.tokens.len() {
            match self.word(end) {
                "(" => depth += 1,
                ")" => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return end + 1;
            }
        }
        self.tokens.len()
    }

    /// Drops the items of system headers that declare nothing the user's text, or a kept item, names.
    fn keep_needed(&self, items: &mut Vec<Item>) {
        let words =
            |range: Range<usize>| range.filter(|at| self.tokens[*at].kind == TokenKind::Word).map(|at| self.word(at));
        let mut needed: BTreeSet<&str> = BTreeSet::new();
        for item in items.iter().filter(|i| !i.is_system) {
            needed.extend(words(item.tokens.clone()));
        }
        let mut kept: Vec<bool> = Vec::with_capacity(items.len());
        for item in items.iter().rev() {
            let keep = !item.is_system || self.declared(item).any(|name| needed.contains(name));
            if keep && item.is_system {
                let end = item.body.as_ref().map_or(item.tokens.end, |b| b.start);
                needed.extend(words(item.tokens.start..end).filter(|w| !is_keyword(w)));
            }
            kept.push(keep);
        }
        let mut keep = kept.into_iter().rev();
        items.retain(|_| keep.next().unwrap_or(true));
    }

    /// The names that an item may declare: the one before the parameters of a function, or any word of other items.
    fn declared(&self, item: &Item) -> impl Iterator<Item = &'a str> {
        let first = item.tokens.clone().find(|at| self.word(*at) != "__extension__").unwrap_or(item.tokens.start);
        let is_type = matches!(self.word(first), "typedef" | "struct" | "union" | "enum");
        let mut parameters = item.tokens.clone().filter(|at| self.word(*at) == "(");
        let range = match parameters.next() {
            Some(open) if !is_type && open > item.tokens.start => open - 1..open,
            _ => item.tokens.clone(),
        };
        range.map(|at| self.word(at)).filter(|w| !is_keyword(w))
    }

    /// Notes the names that a `typedef` introduces.
    fn note_typedefs(&mut self, range: Range<usize>) {
        let mut typedef_depth = None;
        let mut depth = 0usize;
        let mut at = range.start;
        while at < range.end {
            let next = self.after_attributes(at + 1);
            match (self.word(at), typedef_depth) {
                ("typedef", _) => typedef_depth = Some(depth),
                ("{", _) => depth += 1,
                ("}", _) => depth = depth.saturating_sub(1),
                (";", Some(outer)) if depth <= outer => typedef_depth = None,
                (word, Some(outer))
                    if depth == outer
                        && self.tokens[at].kind == TokenKind::Word
                        && matches!(self.word(next), ";" | "," | "[" | ")")
                        && !is_keyword(word) =>
                {
                    self.typedefs.insert(word);
                }
                _ => {}
            }
            at = next;
        }
    }

    /// The first token from here on that is of no attribute.
    fn after_attributes(&self, mut at: usize) -> usize {
        while is_attribute(self.word(at)) {
            at = self.after_group(at + 1);
        }
        at
    }

    /// Copies tokens into the text, in standard C.
    fn copy(&mut self, range: Range<usize>, is_system: bool) {
        let mut at = range.start;
        while at < range.end {
            let token = self.tokens[at];
            at += 1;
            match self.word(at - 1) {
                word if is_attribute(word) => {
                    let end = self.after_group(at).min(range.end);
                    if (at..end).any(|a| matches!(self.word(a).trim_matches('_'), "vector_size" | "mode")) {
                        (at - 1..end).for_each(|a| self.put(self.tokens[a].span, self.word(a)));
                    }
                    at = end;
                }
                "asm" | "__asm__" | "__asm" if is_system => at = self.after_group(at).min(range.end),
                "_Static_assert" => at = self.after_group(at).min(range.end),
                "__extension__" | "_Noreturn" => {}
                "__restrict" | "__restrict__" => self.put(token.span, "restrict"),
                "__inline" | "__inline__" => self.put(token.span, "inline"),
                "__const" | "__const__" => self.put(token.span, "const"),
                "__volatile" | "__volatile__" => self.put(token.span, "volatile"),
                "_Thread_local" => self.put(token.span, "thread_local"),
                "__signed" | "__signed__" => self.put(token.span, "signed"),
                "_Complex" | "__complex" | "__complex__" => self.put(token.span, "volatile"),
                "__real" | "__real__" | "__imag" | "__imag__" => self.put(token.span, "+"),
                word if is_imaginary(token.kind, word) => self.put(token.span, &"1".repeat(word.len())),
                word => match self.disguise(at - 1) {
                    Some(disguise) => {
                        self.put(token.span, &disguise);
                        self.disguised.insert(token.span.lo, token.span);
                    }
                    None => self.put(token.span, word),
                },
            }
        }
    }

    fn put(&mut self, span: Span, text: &str) {
        let lo = span.lo as usize;
        self.text[lo..lo + text.len()].copy_from_slice(text.as_bytes());
    }

    /// `static f()` returns an `int`, as it did before C99, and `static n;` is one: the type is shown in the place of the storage
    /// class.
    fn put_type(&mut self, start: usize) {
        let is_storage = |at: &usize| is_storage(self.word(*at));
        let name = start + (start..self.tokens.len()).take_while(is_storage).count();
        let is_name = self.tokens.get(name).is_some_and(|t| t.kind == TokenKind::Word)
            && !is_keyword(self.word(name))
            && !self.typedefs.contains(self.word(name));
        if name == start || !is_name || !matches!(self.word(name + 1), "(" | "[" | ";" | "=" | ",") {
            return;
        }
        for at in start..name {
            let (span, n) = (self.tokens[at].span, self.word(at).len());
            let word = if at == start { "int" } else { "" };
            self.put(span, &format!("{word:n$}"));
        }
        let (first, last) = (self.tokens[start].span, self.tokens[name - 1].span);
        self.disguised.insert(first.lo, first.to(last));
    }

    /// What to write for a name that tree-sitter could take for a type, or a type that it could take for a name.
    fn disguise(&self, at: usize) -> Option<String> {
        let word = self.word(at);
        // The grammar knows `bool`, but takes this for a name.
        let is_type = word == "_Bool" || self.typedefs.contains(word);
        if self.tokens[at].kind != TokenKind::Word || (is_keyword(word) && !is_type) || at == 0 {
            return None;
        }
        let (before, after) = (self.word(at - 1), self.word(at + 1));
        if is_type {
            let is_cast = before == "(" && after == ")";
            let starts_statement = matches!(before, ";" | "{" | "}" | ")") && after == "(";
            return ((is_cast || starts_statement) && word.len() >= 3).then(|| "int".to_owned());
        }
        let opens_expression = at >= 2 && {
            let word = self.word(at - 2);
            let is_name = self.tokens[at - 2].kind == TokenKind::Word && !is_keyword(word);
            !is_name && (!is_keyword(word) || matches!(word, "return" | "sizeof" | "case" | "else" | "do"))
        };
        // `(T){...}` is a compound literal, of a type that a header outside of the text may declare.
        let is_literal = after == ")" && self.word(at + 2) == "{";
        let looks_like_type = before == "(" && matches!(after, ")" | "[" | "(") && opens_expression && !is_literal;
        looks_like_type.then(|| "1".repeat(word.len()))
    }
}

/// Test for a constant with GNU's suffix of imaginary numbers.
fn is_imaginary(kind: TokenKind, word: &str) -> bool {
    let is_hexadecimal = word.starts_with("0x") || word.starts_with("0X");
    let suffix = word.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | 'e' | 'E' | '+' | '-'));
    kind == TokenKind::Number && !is_hexadecimal && suffix.contains(['i', 'j', 'I', 'J'])
}

fn is_attribute(word: &str) -> bool {
    matches!(word, "__attribute__" | "__attribute")
}

/// Test for a storage class or a function specifier, of a declaration at file level.
pub fn is_storage(word: &str) -> bool {
    matches!(word, "static" | "extern" | "inline" | "__inline" | "__inline__")
}

/// Words that are never the name of a variable or typedef: C17 6.4.1 and GNU's spellings of the same.
pub fn is_keyword(word: &str) -> bool {
    matches!(
        word,
        "auto"
            | "break"
            | "case"
            | "char"
            | "const"
            | "continue"
            | "default"
            | "do"
            | "double"
            | "else"
            | "enum"
            | "extern"
            | "float"
            | "for"
            | "goto"
            | "if"
            | "inline"
            | "int"
            | "long"
            | "register"
            | "restrict"
            | "return"
            | "short"
            | "signed"
            | "sizeof"
            | "static"
            | "struct"
            | "switch"
            | "typedef"
            | "union"
            | "unsigned"
            | "void"
            | "volatile"
            | "while"
            | "_Alignas"
            | "_Alignof"
            | "_Atomic"
            | "_Bool"
            | "_Complex"
            | "_Generic"
            | "_Imaginary"
            | "_Noreturn"
            | "_Static_assert"
            | "_Thread_local"
            | "__extension__"
            | "__inline"
            | "__inline__"
            | "__restrict"
            | "__restrict__"
            | "__const"
            | "__const__"
            | "__volatile"
            | "__volatile__"
            | "__complex"
            | "__complex__"
            | "__real"
            | "__real__"
            | "__imag"
            | "__imag__"
            | "__signed"
            | "__signed__"
            | "__attribute__"
            | "__attribute"
            | "__asm__"
            | "__asm"
            | "asm"
            | "typeof"
            | "__typeof__"
            | "__typeof"
            | "__alignof__"
            | "__alignof"
            | "__thread"
            | "__label__"
    )
}
