//! Variables of a kernel: who declares them, who assigns to them, what holds for every thread.

use super::code::Code;
use super::items::{Function, QUALIFIERS};
use std::collections::BTreeSet;
use std::ops::Range;

/// A parameter of a kernel.
#[derive(Debug, Clone, PartialEq)]
pub struct Parameter {
    pub name: String,
    /// Its declaration, without `__restrict__`.
    pub text: String,
    pub is_pointer: bool,
}

/// Words in front of a parameter that say nothing of its type.
const PROMISES: [&str; 3] = ["__restrict__", "__restrict", "restrict"];

/// The parameters of a function.
///
/// # Errors
/// The tokens of one that is not read, and why.
pub fn parameters(code: &Code, f: &Function) -> Result<Vec<Parameter>, (Range<usize>, &'static str)> {
    let all = f.parameters.clone();
    if all.is_empty() || code.is(all.start, &["void", ")"]) {
        return Ok(vec![]);
    }
    // A value that nothing in the function can change is the same by reference.
    let by_value = !all.clone().any(|at| ["*", "["].contains(&code.at(at)));
    code.split(all, &[","]).into_iter().map(|range| parameter(code, range, by_value)).collect()
}

/// Tokens of the references among the parameters of a function that was read: C has them by value.
pub fn references(code: &Code, f: &Function) -> Vec<usize> {
    let is_it = |at: &usize| code.at(*at) == "&";
    f.parameters.clone().filter(is_it).collect()
}

fn parameter(code: &Code, range: Range<usize>, by_value: bool) -> Result<Parameter, (Range<usize>, &'static str)> {
    let array = code.find(range.clone(), "[").unwrap_or(range.end);
    let is_function = code.find(range.clone(), "(").is_some();
    let name = (range.start..array).rev().find(|at| code.is_word(*at)).filter(|_| !is_function);
    let Some(name) = name.filter(|at| *at > range.start && !PROMISES.contains(&code.at(*at))) else {
        return Err((range, "a parameter without a name of its own"));
    };
    let is_constant = code.find(range.clone(), "const").is_some_and(|at| at < name) && code.at(name - 1) == "&";
    let others = if by_value && is_constant { &["<", ":"][..] } else { &["&", "<", ":"][..] };
    if others.iter().any(|word| code.find(range.clone(), word).is_some()) {
        let why = match is_constant && !by_value {
            true => "a parameter of a type that C does not have: what may change meanwhile is to be given by value",
            false => "a parameter of a type that C does not have",
        };
        return Err((range, why));
    }
    let words: Vec<&str> = range
        .clone()
        .map(|at| code.at(at))
        .filter(|w| !PROMISES.contains(w) && !QUALIFIERS.contains(w) && *w != "&")
        .collect();
    Ok(Parameter {
        name: code.at(name).to_owned(),
        text: spaced(&words),
        is_pointer: range.clone().any(|at| ["*", "["].contains(&code.at(at))),
    })
}

/// Words with spaces where C wants them.
fn spaced(words: &[&str]) -> String {
    let mut text = String::new();
    for word in words {
        let is_word = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric() || c == '_' || c == '*');
        if is_word(text.chars().last()) && is_word(word.chars().next()) && !text.ends_with('*') {
            text.push(' ');
        }
        text += word;
    }
    text
}

/// Number of times that a variable is assigned to in a range, its first value included; an address that is taken counts, too.
pub fn assignments(code: &Code, range: Range<usize>, name: &str) -> usize {
    range.filter(|at| code.at(*at) == name && is_assigned(code, *at)).count()
}

/// Test that the variable at a token gets a value there.
pub fn is_assigned(code: &Code, at: usize) -> bool {
    let before = |k: usize| at.checked_sub(k).map_or("", |k| code.at(k));
    if before(1) == "." || (before(1) == ">" && before(2) == "-") {
        return false;
    }
    let twice = |x: &str, y: &str| x == y && ["+", "-"].contains(&x);
    if twice(code.at(at + 1), code.at(at + 2)) || twice(before(1), before(2)) {
        return true;
    }
    let is_value =
        |word: &str| word.starts_with(|c: char| c.is_alphanumeric() || c == '_') || [")", "]"].contains(&word);
    if before(1) == "&" && before(2) != "&" && !is_value(before(2)) {
        return true;
    }
    match code.at(at + 1) {
        "=" => code.at(at + 2) != "=",
        "+" | "-" | "*" | "/" | "%" | "&" | "|" | "^" => code.at(at + 2) == "=",
        "<" | ">" => code.at(at + 2) == code.at(at + 1) && code.at(at + 3) == "=",
        _ => false,
    }
}

/// Words that begin no declaration.
const STATEMENTS: [&str; 12] =
    ["if", "for", "while", "do", "return", "switch", "break", "continue", "goto", "else", "case", "sizeof"];

/// A declaration: the tokens of its type, and those of each name with what follows it.
pub struct Declaration {
    pub ty: Range<usize>,
    pub names: Vec<Range<usize>>,
}

/// The declaration that a statement is, if it is one.
pub fn declaration(code: &Code, statement: &Range<usize>) -> Option<Declaration> {
    let end = statement.end.checked_sub(1).filter(|end| code.at(*end) == ";")?;
    let is_end = |at: usize| at >= end || ["=", ",", "[", ";"].contains(&code.at(at));
    let mut at = statement.start;
    while at < end && (code.is_word(at) || code.at(at) == "*") {
        if STATEMENTS.contains(&code.at(at)) {
            return None;
        }
        if code.is_word(at) && is_end(at + 1) && at > statement.start {
            let names = code.split(at..end, &[","]);
            return Some(Declaration { ty: statement.start..at, names });
        }
        at += 1;
    }
    None
}

/// The names that the statements of a function declare, in whatever block.
pub fn declared(code: &Code, body: &Range<usize>) -> BTreeSet<String> {
    let mut out = BTreeSet::new();
    for at in body.clone() {
        let begins = at == body.start || ["{", "}", ";", "(", ")"].contains(&code.at(at - 1));
        if !begins || !code.is_word(at) {
            continue;
        }
        let Some(end) = code.find(at..body.end, ";") else { continue };
        if let Some(found) = declaration(code, &(at..end + 1)) {
            let name = |range: &Range<usize>| range.clone().find(|k| code.is_word(*k)).map(|k| code.at(k).to_owned());
            out.extend(found.names.iter().filter_map(name));
        }
    }
    out
}
