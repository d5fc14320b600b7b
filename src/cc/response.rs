//! Response files: `@file` on a command line stands for the words in that file, as GCC and Clang read them.
//!
//! White space separates words; quotes of both kinds keep it; a backslash takes the next character as it is. A file
//! may name others. One that cannot be read is no response file: its word stays as it is.

use std::fs::File;
use std::io::Read;

/// No response file is longer, and no command line has more of them.
const SIZE_LIMIT: u64 = 16 << 20;
const MOST_FILES: usize = 1000;

/// The words with every response file in their place; `None` where there is no end to them, or they are not text.
pub fn expand(words: &[String]) -> Option<Vec<String>> {
    let mut todo: Vec<String> = words.iter().rev().cloned().collect();
    let mut expanded = Vec::new();
    let mut n_files = 0;
    while let Some(word) = todo.pop() {
        match word.strip_prefix('@').map(File::open) {
            Some(Ok(file)) => {
                n_files += 1;
                let mut text = String::new();
                file.take(SIZE_LIMIT + 1).read_to_string(&mut text).ok()?;
                if n_files > MOST_FILES || text.len() as u64 > SIZE_LIMIT {
                    return None;
                }
                todo.extend(split(&text).into_iter().rev());
            }
            _ => expanded.push(word),
        }
    }
    Some(expanded)
}

/// The words of a response file.
fn split(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match (c, quote) {
            ('\\', _) => word.get_or_insert_default().extend(chars.next()),
            (c, Some(q)) if c == q => quote = None,
            (c, Some(_)) => word.get_or_insert_default().push(c),
            ('"' | '\'', None) => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (c, None) if c.is_ascii_whitespace() => words.extend(word.take()),
            (c, None) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

/// The text of a response file with these words: a backslash takes any character as it is.
pub fn text(words: &[String]) -> String {
    let plain = |c: char| !c.is_whitespace() && !"\"'\\".contains(c);
    let one = |word: &String| -> String {
        if word.is_empty() {
            return "\"\"".into();
        }
        word.chars().flat_map(|c| (!plain(c)).then_some('\\').into_iter().chain([c])).collect()
    };
    words.iter().map(|word| one(word) + "\n").collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_as_they_were_written() {
        assert_eq!(split("-DA=1 'b c'\n\"d \\\" e\" \\'x '' -I\"a b\""), ["-DA=1", "b c", "d \" e", "'x", "", "-Ia b"]);
        let words = ["", "a b", "\"q\"", "\\", "-DX='y'"].map(str::to_owned);
        assert_eq!(split(&text(&words)), words);
    }

    #[test]
    fn files_may_name_files_but_not_without_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).display().to_string();
        std::fs::write(path("a"), format!("-O2 @{} x.c", path("b"))).unwrap();
        std::fs::write(path("b"), "-DB").unwrap();
        std::fs::write(path("c"), format!("@{}", path("c"))).unwrap();
        let word = |name: &str| [format!("@{}", path(name))];
        assert_eq!(expand(&word("a")).unwrap(), ["-O2", "-DB", "x.c"]);
        assert_eq!(expand(&word("c")), None);
        assert_eq!(expand(&word("none")).unwrap(), word("none"));
    }
}
