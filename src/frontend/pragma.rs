//! `#pragma rt size(n, m)` and `#pragma rt output(c)` of a kernel: the extents of its threads, and what is read of what it
//! writes. Yang et al. (PLDI 2010, section 3) convey the same two facts by pragmas.

use super::code::Code;
use crate::diag::{Diagnostic, nearest};
use std::ops::Range;

/// Statements of the pragmas of a kernel.
#[derive(Debug, Default, Clone)]
pub struct Said {
    /// Number of threads along x, y and z.
    pub size: Vec<String>,
    /// The arrays that are results.
    pub outputs: Vec<String>,
    /// Where those stand.
    pub outputs_at: Option<Range<usize>>,
    /// The bytes of the lines.
    pub lines: Vec<Range<usize>>,
}

/// Reads the lines within some bytes.
///
/// # Errors
/// A line that is not what it should be.
pub fn read(code: &Code, within: &Range<usize>) -> Result<Said, Diagnostic> {
    let mut said = Said::default();
    let spans = code.directives.iter().map(|d| d.span.lo as usize..d.span.hi as usize);
    for bytes in spans.filter(|bytes| within.contains(&bytes.start)) {
        let text = &code.text[bytes.clone()];
        let words = text.trim_start_matches('#').trim_start();
        let Some(rest) = words.strip_prefix("pragma").map(str::trim_start).and_then(|r| r.strip_prefix("rt")) else {
            continue;
        };
        let rest = rest.trim();
        let name: String = rest.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '-').collect();
        if !["size", "output"].contains(&name.as_str()) {
            match nearest(&name, &["size", "output"]) {
                Some(known) if !OTHERS.contains(&name.as_str()) => {
                    let message = format!("`#pragma rt {name}` is no pragma of a kernel");
                    let error = Diagnostic::error("unknown-pragma", message, Some(code.place_of(bytes)));
                    return Err(error.help(format!("did you mean `{known}`?")));
                }
                _ => continue,
            }
        }
        let list = listed(rest[name.len()..].trim());
        let most = if name == "size" { 3 } else { usize::MAX };
        let Some(list) = list.filter(|list| list.len() <= most) else {
            let message = format!("`#pragma rt {name}` is not followed by a list in parentheses");
            let help = match name.as_str() {
                "size" => "write how many threads there are along x, y and z: #pragma rt size(n, m)",
                _ => "name the arrays that are results: #pragma rt output(c)",
            };
            return Err(Diagnostic::error("bad-pragma", message, Some(code.place_of(bytes))).help(help));
        };
        if name == "size" {
            said.size = list;
        } else {
            said.outputs = list;
            said.outputs_at = Some(bytes.clone());
        }
        said.lines.push(bytes);
    }
    Ok(said)
}

/// Directives that the rest of the tool reads.
const OTHERS: [&str; 10] =
    ["region", "end", "parallel", "shape", "library", "host", "block", "merge", "skew", "prefetch"];

/// The items of `(a, b + 1)`.
fn listed(text: &str) -> Option<Vec<String>> {
    let inner = text.strip_prefix('(')?.strip_suffix(')')?;
    let mut out = vec![String::new()];
    let mut depth = 0;
    for c in inner.chars() {
        depth += i32::from(c == '(') - i32::from(c == ')');
        match (c, depth) {
            (_, ..0) => return None,
            (',', 0) => out.push(String::new()),
            _ => out.last_mut()?.push(c),
        }
    }
    let items: Vec<String> = out.iter().map(|item| item.trim().to_owned()).collect();
    (depth == 0 && items.iter().all(|item| !item.is_empty())).then_some(items)
}
