//! Mapping parameters of `#pragma rt`: `merge`, `skew`, `block` and `prefetch`.

use super::line::{Argument, Line};
use super::{DirectiveKind, NamedSize};
use crate::config::{MOST_MERGE, MOST_STAGES};
use crate::diag::Diagnostic;
use crate::target::MAX_BLOCK;

/// Sizes of a mapping, each with the counter that it is for, where one is named: `merge(4)`, `merge(i: 8, j: 4)`,
/// `block(32,8)`, `prefetch(3)`.
pub(super) fn sizes(line: &mut Line<'_>, word: &str) -> Result<Vec<NamedSize>, Diagnostic> {
    let arguments = line.required(word, "merge(i: 8, j: 4) skew(2) block(32,8) prefetch(3)")?;
    let takes_names = ["merge", "skew"].contains(&word);
    let mut sizes = Vec::new();
    for argument in &arguments {
        let (name, number) = match argument.text.split_once(':') {
            Some((name, number)) if takes_names => (Some(name.trim().to_owned()), number.trim()),
            _ => (None, argument.text),
        };
        sizes.push((name, line.count(word, Argument { text: number, span: argument.span })?));
    }
    let again =
        sizes.iter().enumerate().find(|(k, (name, _))| name.is_some() && sizes[..*k].iter().any(|x| x.0 == *name));
    if let Some((k, (Some(name), _))) = again {
        return Err(line.error("directive-argument", arguments[k].span, format!("`{word}` names `{name}` twice")));
    }
    let is_named = sizes.iter().all(|(name, _)| name.is_some());
    let most = if word == "block" || is_named { 3 } else { 1 };
    if let Some(extra) = arguments.get(most) {
        let message = format!("`{word}` takes fewer arguments");
        let error = line.error("directive-argument", extra.span, message);
        return Err(if takes_names { error.help(format!("name the loops: `{word}(i: 8, j: 4)`")) } else { error });
    }
    let product = sizes.iter().try_fold(1u32, |all, (_, n)| all.checked_mul(*n));
    let (limit, what, unit) = match word {
        "block" => (MAX_BLOCK, "a block has", "threads"),
        "prefetch" => (MOST_STAGES, "a block keeps", "pieces"),
        _ => (MOST_MERGE, "a thread has", "points"),
    };
    if product.is_none_or(|n| n > limit) {
        return Err(line.error("directive-argument", arguments[0].span, format!("{what} {limit} {unit} at most")));
    }
    Ok(sizes)
}

/// Adds a mapping parameter to the mapping before it, or makes a new one.
pub(super) fn map_nest(last: Option<&mut DirectiveKind>, word: &str, sizes: Vec<NamedSize>) -> Option<DirectiveKind> {
    let mut fresh = DirectiveKind::Mapping { merge: vec![], skew: vec![], block: vec![], prefetch: None };
    let (target, is_fresh) = match last {
        Some(mapping @ DirectiveKind::Mapping { .. }) => (mapping, false),
        _ => (&mut fresh, true),
    };
    if let DirectiveKind::Mapping { merge, skew, block, prefetch } = target {
        match word {
            "merge" => *merge = sizes,
            "skew" => *skew = sizes,
            "prefetch" => *prefetch = sizes.first().map(|(_, n)| *n),
            _ => *block = sizes.into_iter().map(|(_, n)| n).collect(),
        }
    }
    is_fresh.then_some(fresh)
}
