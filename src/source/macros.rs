//! Macros that stand for something with their own name in it: `#define n parameters.n`.
//!
//! The preprocessed text has `parameters.n` where the user wrote `n`. Put into the user's text, it would be `parameters.parameters.n`:
//! a macro's name is left alone in its own replacement only (C17 6.10.3.4, paragraph 2). So there it is `n` again.

use super::preprocess;
use std::path::Path;

/// Such macros of a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SelfNamed(Vec<(String, String)>);

impl SelfNamed {
    /// Those of a file with the user's flags; none where the compiler does not say.
    pub fn of(path: &Path, cflags: &[String]) -> SelfNamed {
        let text = preprocess::definitions(path, cflags).unwrap_or_default();
        SelfNamed(String::from_utf8_lossy(&text).lines().filter_map(self_named).collect())
    }

    /// Test for the name of one.
    pub fn has(&self, name: &str) -> bool {
        self.0.iter().any(|(known, _)| known == name)
    }

    /// A text in which each is written by its name.
    pub fn written(&self, text: &str) -> String {
        self.0.iter().fold(text.to_owned(), |text, (name, stands_for)| written(&text, name, stands_for))
    }
}

/// The name and what it stands for, as expressions are printed, of a line such as `#define n parameters.n`.
fn self_named(line: &str) -> Option<(String, String)> {
    let (name, stands_for) = line.strip_prefix("#define ")?.split_once(' ')?;
    let stands_for: String = stands_for.split_whitespace().collect();
    let names_itself = words(&stands_for).any(|(_, word)| word == name);
    (names_itself && stands_for != name && !name.contains('(')).then(|| (name.to_owned(), stands_for))
}

/// Each run of letters and digits, with its place.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_of_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut at = 0;
    text.split(move |c| !is_of_word(c)).filter_map(move |word| {
        let start = at;
        at += word.len() + 1;
        (!word.is_empty()).then_some((start, word))
    })
}

/// A text with every occurrence, of whole words, replaced.
fn written(text: &str, name: &str, stands_for: &str) -> String {
    let is_of_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(stands_for) {
        let (before, behind) = (&rest[..at], &rest[at + stands_for.len()..]);
        let is_part = before.ends_with(is_of_word) || behind.starts_with(is_of_word);
        out += before;
        out += if is_part { stands_for } else { name };
        rest = behind;
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_names_itself_is_written_by_its_name() {
        let lines = ["#define n parameters.n", "#define A box -> A", "#define N 3", "#define f(x) g.f", "#define x x"];
        let macros = SelfNamed(lines.iter().filter_map(|line| self_named(line)).collect());
        assert_eq!(macros.0.len(), 2);
        let text = "rt_f_0(parameters.n, parameters.nx, box->A, q.parameters.n, 2 * parameters.n)";
        assert_eq!(macros.written(text), "rt_f_0(n, parameters.nx, A, q.n, 2 * n)");
    }
}
