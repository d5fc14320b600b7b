//! Nests in tiles whose length is found when the function runs: in every third function, where loops stand right in each
//! other and none begins or ends where another counts.

use super::{block, expr};
use crate::support::nests::*;
use std::fmt::Write;

/// Loops of a nest at most that are tiled.
const MOST: usize = 3;

/// A loop in the nest.
struct Level<'a> {
    iter: usize,
    init: &'a Expr,
    test: &'static str,
    bound: &'a Expr,
    body: &'a [Node],
}

/// Test for a function whose nests are written in tiles.
pub fn has_tiles(f: &Function) -> bool {
    f.name.trim_start_matches('f').parse::<u64>().is_ok_and(|number| number % 3 == 1) && f.asked.directive.is_none()
}

/// The declaration of the length.
pub fn length() -> &'static str {
    "    int tile = (n + 2 * m) % 4 + 1;\n"
}

/// A nest in tiles, if it is one that can be.
pub fn nest(f: &Function, node: &Node, depth: usize) -> Option<String> {
    let mut levels = vec![];
    let mut next = Some(node);
    while let Some(level) = next.filter(|_| levels.len() < MOST).and_then(|node| level(f, node)) {
        next = if let [only] = level.body { Some(only) } else { None };
        levels.push(level);
    }
    if !has_tiles(f) || levels.len() < 2 {
        return None;
    }
    let mut out = String::new();
    let pad = |k: usize| "    ".repeat(depth + k);
    let heads = |l: &Level| (f.iters[l.iter].name.clone(), expr(f, l.init), expr(f, l.bound));
    for (k, l) in levels.iter().enumerate() {
        let (i, init, bound) = heads(l);
        let ty = f.iters[l.iter].c_type;
        let _ = writeln!(out, "{}for ({ty} t_{i} = {init}; t_{i} {} {bound}; t_{i} += tile) {{", pad(k), l.test);
    }
    for (k, l) in levels.iter().enumerate() {
        let (i, _, bound) = heads(l);
        let iter = &f.iters[l.iter];
        let declared = if iter.outside { String::new() } else { format!("{} ", iter.c_type) };
        let end = if l.test == "<" { format!("t_{i} + tile") } else { format!("t_{i} + tile - 1") };
        let end = format!("({end} < {bound} ? {end} : {bound})");
        let _ = writeln!(out, "{}for ({declared}{i} = t_{i}; {i} {} {end}; {i}++) {{", pad(levels.len() + k), l.test);
    }
    block(f, levels[levels.len() - 1].body, depth + 2 * levels.len(), &mut out);
    for k in (0..2 * levels.len()).rev() {
        let _ = writeln!(out, "{}}}", pad(k));
    }
    Some(out)
}

fn level<'a>(f: &Function, node: &'a Node) -> Option<Level<'a>> {
    let Node::For { iter, init, test, bound, step: 1, body } = node else { return None };
    let is_fixed = |e: &Expr| {
        e.pieces.iter().all(|piece| match piece {
            Piece::Affine(a) => a.iters.is_empty(),
            Piece::Text(_) => true,
            Piece::Read(_) | Piece::Var(_) => false,
        })
    };
    let is_signed = matches!(f.iters[*iter].c_type, "int" | "long");
    (is_signed && matches!(*test, "<" | "<=") && is_fixed(init) && is_fixed(bound)).then_some(Level {
        iter: *iter,
        init,
        test,
        bound,
        body,
    })
}
