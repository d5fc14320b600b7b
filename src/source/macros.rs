//! Macros that stand for something with their own name in it: `#define n parameters.n`.
//!
//! The preprocessed text has `parameters.n` where the user wrote `n`. Put into the user's text, it would be `parameters.parameters.n`:
//! a macro's name is left alone in its own replacement only (C17 6.10.3.4, paragraph 2). So there it is `n` again.

use super::lex::tokens;
use super::preprocess;
use std::path::Path;

/// Such macros of a file: their names, and the tokens that they stand for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SelfNamed(Vec<(String, Vec<String>)>);

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

/// The name and what it stands for of a line such as `#define n parameters.n`.
fn self_named(line: &str) -> Option<(String, Vec<String>)> {
    let (name, text) = line.strip_prefix("#define ")?.split_once(' ')?;
    let stands_for: Vec<String> = tokens(text).into_iter().map(|t| t.text(text).to_owned()).collect();
    let names_itself = stands_for.iter().any(|word| word == name);
    (names_itself && stands_for.len() > 1 && !name.contains('(')).then(|| (name.to_owned(), stands_for))
}

/// A text with every occurrence of those tokens replaced.
fn written(text: &str, name: &str, stands_for: &[String]) -> String {
    let all = tokens(text);
    let (mut out, mut copied, mut at) = (String::with_capacity(text.len()), 0, 0);
    while let Some(here) = all.get(at..at + stands_for.len()) {
        if here.iter().zip(stands_for).any(|(token, word)| !token.is(text, word)) {
            at += 1;
            continue;
        }
        let (first, last) = (here[0].span.lo as usize, here[here.len() - 1].span.hi as usize);
        out += &text[copied..first];
        out += name;
        (copied, at) = (last, at + stands_for.len());
    }
    out + &text[copied..]
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
