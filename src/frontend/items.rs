//! The top level of a CUDA file: kernels, device functions, what both need, and the host's code, which is none of ours.

use super::code::Code;
use std::ops::Range;

/// A definition or declaration at the top level.
#[derive(Debug, Clone)]
pub struct Item {
    pub kind: Kind,
    /// Its tokens.
    pub range: Range<usize>,
}

/// Its kind.
#[derive(Debug, Clone, PartialEq)]
pub enum Kind {
    /// A `__global__` function.
    Kernel(Function),
    /// A `__device__` function.
    Device(Function),
    /// A template with one of either.
    Template(String),
    /// A variable of the device.
    DeviceVariable(String),
    /// A type, or a constant: what device code may need.
    Needed,
    /// Host code, prototypes, brackets of `extern "C"`.
    Host,
}

/// A function's parts.
#[derive(Debug, Clone, PartialEq)]
pub struct Function {
    pub name: String,
    /// The token of its name.
    pub at: usize,
    /// Tokens between the parentheses.
    pub parameters: Range<usize>,
    /// Tokens between the braces.
    pub body: Range<usize>,
}

/// Words that say where a function or variable of CUDA lives.
pub const QUALIFIERS: [&str; 9] = [
    "__global__",
    "__device__",
    "__host__",
    "__constant__",
    "__managed__",
    "__forceinline__",
    "__noinline__",
    "__grid_constant__",
    "__launch_bounds__",
];

/// The items of a file.
///
/// # Errors
/// The token of a brace of device code that nothing closes.
pub fn items(code: &Code) -> Result<Vec<Item>, usize> {
    let mut out = vec![];
    let mut at = 0;
    while at < code.tokens.len() {
        // `extern "C" {` and `namespace x {` are brackets around items.
        let opens = code.is(at, &["extern"]) && code.at(at + 1).starts_with('"') && code.at(at + 2) == "{";
        let is_space = code.is(at, &["namespace"]) && (code.at(at + 1) == "{" || code.at(at + 2) == "{");
        if opens || is_space || code.at(at) == "}" {
            let width =
                if code.at(at) == "}" { 1 } else { (at..).position(|k| code.at(k) == "{").map_or(1, |k| k + 1) };
            out.push(Item { kind: Kind::Host, range: at..at + width });
            at += width;
            continue;
        }
        let end = end(code, at)?;
        out.push(Item { kind: kind(code, at..end), range: at..end });
        at = end;
    }
    Ok(out)
}

/// One behind the last token of the item at a token.
fn end(code: &Code, start: usize) -> Result<usize, usize> {
    let mut at = start;
    let mut is_device = false;
    while at < code.tokens.len() {
        is_device |= ["__global__", "__device__"].contains(&code.at(at));
        match code.at(at) {
            ";" => return Ok(at + 1),
            "{" => match code.partner(at) {
                Some(close) if is_function(code, start..at) => return Ok(close + 1),
                Some(close) => at = close,
                None if is_device => return Err(at),
                None => return Ok(code.tokens.len()),
            },
            "(" | "[" => at = code.partner(at).unwrap_or(at),
            _ => {}
        }
        at += 1;
    }
    if is_device { Err(start) } else { Ok(at) }
}

/// Test that a brace behind these tokens opens the body of a function.
fn is_function(code: &Code, head: Range<usize>) -> bool {
    let is_type = ["struct", "union", "enum", "class"].contains(&code.at(head.start));
    code.find(head.clone(), "(").is_some() && code.find(head, "=").is_none() && !is_type
}

fn kind(code: &Code, range: Range<usize>) -> Kind {
    let body = code.find(range.clone(), "{");
    let head = range.start..body.unwrap_or(range.end);
    let has = |word: &str| code.find(head.clone(), word).is_some();
    let is_of_device = has("__global__") || has("__device__");
    if code.at(range.start) == "template" {
        let name = function(code, &head, body).map(|f| f.name).unwrap_or_default();
        return if is_of_device { Kind::Template(name) } else { Kind::Host };
    }
    if let Some(f) = function(code, &head, body) {
        return match (has("__global__"), has("__device__")) {
            (true, _) => Kind::Kernel(f),
            (_, true) => Kind::Device(f),
            _ => Kind::Host,
        };
    }
    if has("__constant__") || has("__managed__") || (has("__device__") && code.find(head.clone(), "(").is_none()) {
        let end = [";", "=", "["].iter().filter_map(|stop| code.find(range.clone(), stop)).min();
        return Kind::DeviceVariable(end.map_or("", |end| code.at(end - 1)).to_owned());
    }
    let is_plain = !range.clone().any(|k| code.is(k, &[":", ":"]) || ["template", "class"].contains(&code.at(k)));
    let is_needed = ["typedef", "struct", "union", "enum"].contains(&code.at(range.start)) || has("const");
    if is_plain && is_needed && !is_of_device { Kind::Needed } else { Kind::Host }
}

/// The function whose head and body these are.
fn function(code: &Code, head: &Range<usize>, body: Option<usize>) -> Option<Function> {
    let open_brace = body.filter(|_| is_function(code, head.clone()))?;
    let close = open_brace.checked_sub(1).filter(|at| code.at(*at) == ")")?;
    let open = code.partner(close).filter(|open| *open > head.start && code.is_word(open - 1))?;
    Some(Function {
        name: code.at(open - 1).to_owned(),
        at: open - 1,
        parameters: open + 1..close,
        body: open_brace + 1..code.partner(open_brace)?,
    })
}
