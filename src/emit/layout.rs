//! Laying out: the templates, and lines of code with their indent and the C line they come from.

use super::bug;
use crate::diag::Stop;
use handlebars::Handlebars;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// Lines are broken before this column, and C lines are named after [`COMMENT`].
const WIDTH: usize = 120;
const COMMENT: usize = 80;

const TEMPLATES: &[(&str, &str)] = &[
    ("cuda_file", include_str!("../../templates/cuda_file.hbs")),
    ("kernel", include_str!("../../templates/kernel.hbs")),
    ("function", include_str!("../../templates/function.hbs")),
    ("entry", include_str!("../../templates/entry.hbs")),
    ("check", include_str!("../../templates/check.hbs")),
    ("Makefile", include_str!("../../templates/Makefile.hbs")),
    ("CMakeLists.txt", include_str!("../../templates/CMakeLists.txt.hbs")),
];

static REGISTRY: LazyLock<Result<Handlebars<'static>, String>> = LazyLock::new(|| {
    let mut registry = Handlebars::new();
    registry.set_strict_mode(true);
    registry.register_escape_fn(handlebars::no_escape);
    for (name, text) in TEMPLATES {
        registry.register_template_string(name, text).map_err(|e| e.to_string())?;
    }
    Ok(registry)
});

/// Fills a template.
///
/// # Errors
/// A template that does not parse or names a value that `data` lacks.
pub fn render(template: &str, data: &impl Serialize) -> Result<String, Stop> {
    let registry = REGISTRY.as_ref().map_err(bug)?;
    registry.render(template, data).map_err(bug)
}

/// `head` + items with commas between + `tail`; broken where too long, further lines aligned to the first item.
pub fn list(head: &str, items: &[String], tail: &str) -> String {
    let indent = head.chars().count();
    let mut text = head.to_string();
    let mut column = indent;
    for (n, item) in items.iter().enumerate() {
        let end = if n + 1 == items.len() { tail } else { "," };
        let length = item.chars().count() + end.chars().count();
        if n > 0 {
            if column + 1 + length > WIDTH {
                text += &format!("\n{:indent$}", "");
                column = indent;
            } else {
                text.push(' ');
                column += 1;
            }
        }
        text += item;
        text += end;
        column += length;
    }
    if items.is_empty() { text + tail } else { text }
}

/// Lines of C++ under construction.
pub struct Lines {
    file: String,
    depth: usize,
    lines: Vec<String>,
}

impl Lines {
    /// Lines that come from `file`, one level deep: the body of a function.
    pub fn of(file: &str) -> Self {
        Lines { file: file.to_string(), depth: 1, lines: Vec::new() }
    }

    /// No lines yet, of the same file, one level deep.
    pub fn fresh(&self) -> Self {
        Lines::of(&self.file)
    }

    /// Adds a line; `line` is its C line, 0 for none. Text of several lines keeps its own alignment.
    pub fn push(&mut self, text: &str, line: u32) {
        let indent = " ".repeat(4 * self.depth);
        let mut text = text.split('\n').map(|part| format!("{indent}{part}")).collect::<Vec<_>>().join("\n");
        if line > 0 {
            let column = text.rsplit('\n').next().map_or(0, |last| last.chars().count());
            let gap = COMMENT.saturating_sub(column).max(2);
            text += &format!("{:gap$}// {}:{line}", "", self.file);
        }
        self.lines.push(text);
    }

    /// Takes out the lines that only declare one of these names, if no other line has it.
    pub fn drop_unused(&mut self, names: &BTreeSet<String>) {
        let words = self.lines.iter().flat_map(|line| line.split(|c: char| !c.is_alphanumeric() && c != '_'));
        let mut times: BTreeMap<&str, usize> = BTreeMap::new();
        for name in words.filter_map(|word| names.get(word)) {
            *times.entry(name).or_default() += 1;
        }
        let is_unused = |line: &String| {
            let code = line.split("//").next().unwrap_or_default().trim();
            let declared = code.strip_suffix(';').and_then(|code| code.rsplit(' ').next());
            !code.contains('=') && declared.is_some_and(|name| times.get(name) == Some(&1))
        };
        self.lines.retain(|line| !is_unused(line));
    }

    /// Adds `head + items + tail` as [`list`] does, from this depth.
    pub fn push_list(&mut self, head: &str, items: &[String], tail: &str) {
        let indent = " ".repeat(4 * self.depth);
        self.lines.push(list(&format!("{indent}{head}"), items, tail));
    }

    /// Opens a block: `text {`.
    pub fn open(&mut self, text: &str, line: u32) {
        self.push(&format!("{text} {{"), line);
        self.depth += 1;
    }

    /// Closes a block, and opens its sibling: `} else {`.
    pub fn reopen(&mut self, text: &str) {
        self.depth -= 1;
        self.open(&format!("}} {text}"), 0);
    }

    /// Closes a block.
    pub fn close(&mut self) {
        self.close_with("");
    }

    /// Closes a block, with text after its brace.
    pub fn close_with(&mut self, after: &str) {
        self.depth -= 1;
        self.push(&format!("}}{after}"), 0);
    }

    /// The text, without the last line's end.
    pub fn text(&self) -> String {
        self.lines.join("\n")
    }
}
