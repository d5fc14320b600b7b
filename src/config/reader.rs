//! A walk over a TOML table with its spans: typed values, and errors that point at them.
//!
//! serde's errors know neither the nearest key nor a second fault, so the walk is by hand. The keys that a
//! [`Section`] is asked for are the keys that it has: [`Section::finish`] reports all others.

use super::Choice;
use crate::diag::{Diagnostic, Place, nearest};
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The text being read, and the faults found so far.
pub struct Reader<'t> {
    name: &'t str,
    text: &'t str,
    faults: Vec<(usize, Diagnostic)>,
    /// About settings that have no effect.
    pub warnings: Vec<Diagnostic>,
}

impl<'t> Reader<'t> {
    /// Starts on the text of the file `name`.
    pub fn new(name: &'t str, text: &'t str) -> Self {
        Reader { name, text, faults: Vec::new(), warnings: Vec::new() }
    }

    /// The place of a byte range: its part on the line it begins in.
    pub fn place(&self, range: Range<usize>) -> Place {
        let start = self.boundary(range.start);
        let before = &self.text[..start];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let line = self.text[line_start..].lines().next().unwrap_or("");
        let end = self.boundary(range.end).clamp(start, start.max(line_start + line.len()));
        Place {
            file: self.name.into(),
            line: 1 + before.matches('\n').count() as u32,
            column: 1 + self.text[line_start..start].chars().count() as u32,
            length: self.text[start..end].chars().count().max(1) as u32,
            text: line.into(),
        }
    }

    /// The nearest start of a character at or before a byte.
    fn boundary(&self, byte: usize) -> usize {
        let byte = byte.min(self.text.len());
        (0..=byte).rev().find(|&at| self.text.is_char_boundary(at)).unwrap_or(0)
    }

    /// Notes a fault at a byte range.
    pub fn fault(&mut self, code: &'static str, message: String, range: Range<usize>, help: Option<String>) {
        let mut diagnostic = Diagnostic::error(code, message, Some(self.place(range.clone())));
        diagnostic.help = help;
        self.faults.push((range.start, diagnostic));
    }

    /// Warns of a value that has no effect.
    pub fn not_yet(&mut self, what: &str, range: Range<usize>) {
        self.warnings.push(super::not_yet(what, Some(self.place(range))));
    }

    /// All faults, in the order of the text.
    pub fn into_faults(mut self) -> Vec<Diagnostic> {
        self.faults.sort_by_key(|&(start, _)| start);
        self.faults.into_iter().map(|(_, diagnostic)| diagnostic).collect()
    }
}

/// A table under its name, and the keys it was asked for.
pub struct Section<'v> {
    /// Name that a user gives it.
    pub title: &'v str,
    table: &'v DeTable<'v>,
    /// Where it begins: its header, or what stands for it.
    pub span: Range<usize>,
    keys: Vec<&'static str>,
}

impl<'v> Section<'v> {
    /// The section of a table; `title` is what a user calls it: `[target]`.
    pub fn new(title: &'v str, table: &'v DeTable<'v>, span: Range<usize>) -> Self {
        Section { title, table, span, keys: Vec::new() }
    }

    /// The value under a key.
    pub fn take(&mut self, key: &'static str) -> Option<Value<'v>> {
        self.keys.push(key);
        self.table.get(key).map(|node| Value { key, node })
    }

    /// Every key with its value, in the order of the text.
    pub fn entries(&self) -> Vec<(&'v Spanned<std::borrow::Cow<'v, str>>, &'v Spanned<DeValue<'v>>)> {
        let mut entries: Vec<_> = self.table.iter().collect();
        entries.sort_by_key(|(key, _)| key.span().start);
        entries
    }

    /// Reports the keys that nobody asked for.
    pub fn finish(self, reader: &mut Reader) {
        for (key, _) in self.entries() {
            let name = key.get_ref();
            if !self.keys.contains(&name.as_ref()) {
                let help = match nearest(name, &self.keys) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("the keys of {} are {}", self.title, listed(&self.keys)),
                };
                reader.fault("unknown-key", format!("{} has no key `{name}`", self.title), key.span(), Some(help));
            }
        }
    }
}

/// A value under its key. The methods give `None` where the value is not what they name, and note the fault.
#[derive(Clone, Copy)]
pub struct Value<'v> {
    /// What a user calls it in messages.
    pub key: &'v str,
    /// The value with its span.
    pub node: &'v Spanned<DeValue<'v>>,
}

impl<'v> Value<'v> {
    fn wrong_type(&self, reader: &mut Reader, expected: &str) {
        let found = match self.node.get_ref() {
            DeValue::String(_) => "a string",
            DeValue::Integer(_) => "an integer",
            DeValue::Float(_) => "a float",
            DeValue::Boolean(_) => "a boolean",
            DeValue::Datetime(_) => "a date",
            DeValue::Array(_) => "an array",
            DeValue::Table(_) => "a table",
        };
        let message = format!("`{}` is {found}, and takes {expected}", self.key);
        reader.fault("wrong-type", message, self.node.span(), None);
    }

    /// Notes that the value is of the right type and yet none it can have.
    pub fn impossible(&self, reader: &mut Reader, why: String, help: Option<String>) {
        reader.fault("impossible-value", format!("`{}`: {why}", self.key), self.node.span(), help);
    }

    /// `true` or `false`.
    pub fn boolean(&self, reader: &mut Reader) -> Option<bool> {
        let value = self.node.get_ref().as_bool();
        if value.is_none() {
            self.wrong_type(reader, "`true` or `false`");
        }
        value
    }

    /// A string that is not empty; `what` says what is in it.
    pub fn string(&self, reader: &mut Reader, what: &str) -> Option<&'v str> {
        match self.node.get_ref() {
            DeValue::String(text) if text.trim().is_empty() => {
                self.impossible(reader, "an empty string".into(), Some(format!("it takes {what}")));
                None
            }
            DeValue::String(text) => Some(text),
            _ => {
                self.wrong_type(reader, what);
                None
            }
        }
    }

    /// One of the names of a [`Choice`].
    pub fn choice<C: Choice>(&self, reader: &mut Reader) -> Option<C> {
        let names: Vec<&str> = C::ALL.iter().map(|&(name, _)| name).collect();
        let text = self.string(reader, &format!("one of {}", listed(&names)))?;
        let found = C::named(text);
        if found.is_none() {
            let help = match nearest(text, &names) {
                Some(near) => format!("did you mean \"{near}\"?"),
                None => format!("it is one of {}", listed(&names)),
            };
            self.impossible(reader, format!("\"{text}\" is not one of its values"), Some(help));
        }
        found
    }

    /// An integer of `least..=most`.
    pub fn integer(&self, reader: &mut Reader, least: i64, most: i64) -> Option<i64> {
        let Some(integer) = self.node.get_ref().as_integer() else {
            self.wrong_type(reader, "an integer");
            return None;
        };
        let value = i64::from_str_radix(integer.as_str(), integer.radix()).ok().filter(|v| (least..=most).contains(v));
        if value.is_none() {
            self.impossible(reader, format!("{integer} is not between {least} and {most}"), None);
        }
        value
    }

    /// The same, small.
    pub fn count(&self, reader: &mut Reader, least: u32, most: u32) -> Option<u32> {
        self.integer(reader, least.into(), most.into()).and_then(|v| u32::try_from(v).ok())
    }

    /// The elements of an array; `what` says what they are.
    pub fn array(&self, reader: &mut Reader, what: &str) -> Option<Vec<Value<'v>>> {
        let DeValue::Array(elements) = self.node.get_ref() else {
            self.wrong_type(reader, &format!("an array of {what}"));
            return None;
        };
        Some(elements.iter().map(|node| Value { key: self.key, node }).collect())
    }

    /// An array of strings, each of which is `what`.
    pub fn strings(&self, reader: &mut Reader, what: &str) -> Option<Vec<String>> {
        let elements = self.array(reader, "strings")?;
        elements.iter().map(|element| Some(element.string(reader, what)?.to_owned())).collect()
    }

    /// A table, as the section `title`.
    pub fn section(&self, reader: &mut Reader, title: &'v str) -> Option<Section<'v>> {
        let DeValue::Table(table) = self.node.get_ref() else {
            self.wrong_type(reader, "a table");
            return None;
        };
        Some(Section::new(title, table, self.node.span()))
    }
}

/// `a, b, c` in backticks.
pub fn listed(names: &[&str]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
