//! Lines of the user's C by those of the emitted text, in which calls stand between them.
//!
//! ```text
//! emitted 7   { extern int rt_step_0(int, ...    line 7 of the user's, before which it was put
//! emitted 8   for (int i = 0; i < n; i++)        line 7
//! ```
//! The user's lines are all there, in order, some with a call in them; markers (`#line`) name the file that goes on behind them.

use crate::emit::head_text::KEYWORDS;
use std::collections::BTreeMap;

/// A line of a file, from 1.
pub type Place = (String, u32);

/// The user's line of each line of an emitted file, by file and line as a compiler counts them. `text_of` reads a file of the
/// user's.
pub fn of_emitted(
    emitted: (&str, &str),
    user: &str,
    text_of: &dyn Fn(&str) -> Option<String>,
) -> BTreeMap<Place, Place> {
    let (name, text) = emitted;
    let mut out = BTreeMap::new();
    let (mut counted, mut line) = (name.to_string(), 0);
    let (mut file, mut users) = (user.to_string(), lines(text_of(user)));
    let mut next = 0;
    for emitted in text.lines() {
        line += 1;
        let own = users.get(next).map(String::as_str);
        if own != Some(emitted)
            && let Some((first, named)) = marker(emitted)
        {
            (counted, line) = (named.to_string(), first - 1);
            (file, users) = (named.to_string(), lines(text_of(named)));
            next = first as usize - 1;
            continue;
        }
        out.entry((counted.clone(), line)).or_insert_with(|| (file.clone(), next as u32 + 1));
        next += usize::from(own.is_some_and(|own| own == emitted || is_within(own, emitted)));
    }
    out
}

fn lines(text: Option<String>) -> Vec<String> {
    text.unwrap_or_default().lines().map(str::to_string).collect()
}

/// The line and the file that a marker names.
fn marker(line: &str) -> Option<(u32, &str)> {
    let (first, file) = line.strip_prefix("#line ")?.split_once(' ')?;
    Some((first.parse().ok().filter(|first| *first > 0)?, file.strip_prefix('"')?.strip_suffix('"')?))
}

/// Test for a line of the user's with a call of the runtime in it, the end of a block that one has begun, or a keyword.
fn is_within(own: &str, emitted: &str) -> bool {
    let is_without = |word: &str| {
        let mut places = emitted.match_indices(word);
        places.any(|(at, _)| own.strip_prefix(&emitted[..at]) == Some(&emitted[at + word.len()..]))
    };
    if emitted.strip_suffix(" }") == Some(own) || KEYWORDS.into_iter().any(is_without) {
        return true;
    }
    let same = |a: &mut dyn Iterator<Item = (u8, u8)>| a.take_while(|(a, b)| a == b).count();
    let before = same(&mut own.bytes().zip(emitted.bytes()));
    let behind = same(&mut own.bytes().rev().zip(emitted.bytes().rev()));
    emitted.contains("rt_") && before + behind >= own.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_between_lines_is_of_the_next() {
        let user = "#include \"b.h\"\nint main(void)\n{\n    while (u[0])\n        step();\n    return 0;\n}\n";
        let emitted = "#line 1 \"b.h\"\n{ rt_k()\nk\n}}\n#line 2 \"a.c\"\nint main(void)\n{\n    while (rt_reads(), u[0])\n    \
                       { rt_writes();\n        step(); }\n    }}\n    return 0;\n}\n";
        let text_of = |file: &str| Some(if file == "a.c" { user.to_string() } else { "k\nlast\n".into() });
        let found = of_emitted(("out/a.c", emitted), "a.c", &text_of);
        let line = |file: &str, line| found.get(&(file.to_string(), line)).map(|(file, line)| (file.as_str(), *line));
        assert_eq!([1, 2, 3].map(|at| line("b.h", at)), [1, 1, 2].map(|at| Some(("b.h", at))));
        assert_eq!([2, 3, 4, 5, 6].map(|at| line("a.c", at)), [2, 3, 4, 5, 5].map(|at| Some(("a.c", at))));
        assert_eq!([7, 8].map(|at| line("a.c", at)), [6, 6].map(|at| Some(("a.c", at))));
        assert_eq!(line("out/a.c", 1), None);
    }

    #[test]
    fn functions_with_a_keyword_before_them_are_the_users() {
        let user = "int f(void) {\n    g();\n}\nstatic int h(void) {\n    g();\n}\n";
        let emitted = "extern inline int f(void) {\n    g();\n}\nstatic inline int h(void) {\n    g();\n}\n";
        let found = of_emitted(("out/a.c", emitted), "a.c", &|_| Some(user.into()));
        assert!(found.iter().all(|((_, emitted), (_, users))| emitted == users), "{found:?}");
        assert_eq!(found.len(), 6);
    }
}
