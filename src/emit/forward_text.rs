//! Declarations of functions before those at whose call sites they are named.
//!
//! ```text
//! static double cube(double); double sum(int n, const double *x, double (*f)(double)) {
//!     ... f == cube ...
//! }
//! static double cube(double x) { return x * x * x; }
//! ```
//! Functions that a pointer may lead to are often defined behind the loop that calls them.

use super::Forward;
use super::home_text::Insertion;
use crate::ast::{Function, Type, Unit, print};
use crate::source::cut::{Cut, Text};
use crate::source::{Source, Span};
use std::collections::BTreeSet;
use std::ops::Range;

/// Finds the functions whose declaration may stand before another function, and those before which one may.
pub fn find(source: &Source, text: Text, unit: &mut Unit) {
    let is_taken = |f: &&Function| unit.addresses.taken.contains(&f.name);
    let all = unit.functions.iter().chain(&unit.imported);
    let movable: BTreeSet<String> =
        all.filter(is_taken).filter(|f| declaration(source, unit, f).is_some()).map(|f| f.name.clone()).collect();
    let open = unit.functions.iter().filter(|f| range(source, text, f).is_some()).map(|f| f.name.clone()).collect();
    (unit.addresses.movable, unit.addresses.open) = (movable, open);
}

/// The declarations that stand before functions of a file.
pub fn forward(source: &Source, text: Text, unit: &Unit) -> Vec<Forward> {
    let mut out = vec![];
    for f in &unit.functions {
        let names = unit.addresses.forward.iter().filter(|(around, _)| *around == f.name).map(|(_, name)| name);
        let declared: Option<String> =
            names.map(|name| unit.function(name).and_then(|f| declaration(source, unit, f))).collect();
        let function = range(source, text, f);
        out.extend(
            declared.filter(|text| !text.is_empty()).zip(function).map(|(text, function)| Forward { function, text }),
        );
    }
    out
}

/// Those of functions in which something is inserted.
pub fn insertions(all: &[Forward], inserted: &[Insertion]) -> Vec<Insertion> {
    let is_changed = |f: &&Forward| inserted.iter().any(|x| f.function.start < x.at && x.at < f.function.end);
    let insertion = |f: &Forward| Insertion::open(f.function.start, f.function.end, f.text.clone());
    all.iter().filter(is_changed).map(insertion).collect()
}

/// A declaration of a function, if its types have names and it is the same with it: a definition that is `inline` for other files, too,
/// would become another.
fn declaration(source: &Source, unit: &Unit, f: &Function) -> Option<String> {
    let ty = &unit.addresses.prototypes.get(&f.name)?.ty;
    let Type::Function(signature) = ty else { return None };
    let is_imported = unit.imported.iter().any(|g| g.name == f.name);
    let tokens = source.tokens();
    let head = tokens[tokens.partition_point(|t| t.span.lo < f.definition.lo)..].iter();
    let mut words = head.take_while(|t| t.span.lo < f.span.lo).map(|t| t.text(&source.text));
    let is_static = f.is_static && !is_imported;
    if !is_static && words.any(|word| ["inline", "__inline", "__inline__"].contains(&word)) {
        return None;
    }
    let has_name = signature.params.iter().chain([&signature.ret]).all(|ty| has_name(unit, ty));
    let word = if is_static { "static " } else { "" };
    has_name.then(|| format!("{word}{}; ", print::function_prototype(unit, ty, &f.name)))
}

/// Test for a type of numbers and structures that have names, and pointers to such.
fn has_name(unit: &Unit, ty: &Type) -> bool {
    match ty {
        Type::Void | Type::Int(_) | Type::Float(_) => true,
        Type::Pointer { to, .. } => has_name(unit, to),
        Type::Struct(id) => !ty.is_complex() && unit.structs[id.0 as usize].name.is_some(),
        Type::Array { .. } | Type::Function(_) | Type::Other(_) => false,
    }
}

/// Where a function stands, if a declaration before it belongs to no text of its own: nothing of the program's stands between the
/// item before and it.
fn range(source: &Source, text: Text, f: &Function) -> Option<Range<usize>> {
    let tokens = source.tokens();
    let first = tokens.get(tokens.partition_point(|t| t.span.lo < f.definition.lo))?;
    let last = Span { lo: f.body.span.hi - 1, hi: f.body.span.hi };
    let place = |span: Span| -> Option<Range<usize>> {
        let Cut { range, .. } = source.cut(text, span, span, std::iter::empty()).ok()?;
        Some(range.end.checked_sub(span.hi as usize - span.lo as usize)?..range.end)
    };
    let written = match text {
        Text::Users => &source.joined.bytes,
        Text::Preprocessed => &source.bytes,
    };
    let (start, end) = (place(first.span)?, place(last)?.end);
    let is_itself = written.get(start.clone()) == Some(first.text(&source.text).as_bytes());
    (is_itself && start.start < end && begins_item(&written[..start.start])).then_some(start.start..end)
}

/// Test that behind this text an item of the file begins, and nothing stands between it and the item before: comments and
/// lines of the preprocessor aside.
fn begins_item(before: &[u8]) -> bool {
    let text = String::from_utf8_lossy(before);
    let mut rest = text.trim_end();
    loop {
        let line = rest.rsplit('\n').next().unwrap_or_default();
        if rest.is_empty() || rest.ends_with([';', '}']) {
            return !line.contains("//");
        } else if rest.ends_with("*/") {
            let Some(open) = rest.rfind("/*") else { return false };
            rest = rest[..open].trim_end();
        } else if line.trim_start().starts_with(['#']) || line.trim_start().starts_with("//") {
            rest = rest[..rest.len() - line.len()].trim_end();
        } else {
            return false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_begin_behind_items() {
        for (before, expected) in [
            ("", true),
            ("int x;\n", true),
            ("int f(void) { return 0; }\n\n/* Adds. */\n", true),
            ("int x;\n#define N 4\n// of rows\n", true),
            ("#include <math.h>\n", true),
            ("int x;\n__attribute__((noinline))\n", false),
            ("int x; // sum;\n", false),
            ("EXPORT ", false),
        ] {
            assert_eq!(begins_item(before.as_bytes()), expected, "{before:?}");
        }
    }
}
