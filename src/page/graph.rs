//! The DAG of a region's kernels as a small picture: the kernels in the order of their launches, an arc for what one hands to a
//! later one.

use crate::report::{HOST, Region};
use handlebars::html_escape;
use indexmap::IndexMap;
use std::fmt::Write;

/// Height of a row, width of a letter, and of what an arc goes further out for each row that it passes, in pixels.
const ROW: usize = 26;
const LETTER: usize = 8;
const OUT: usize = 14;

/// Kernels that a picture still shows at a glance.
const MOST: usize = 24;

/// Picture of a region with more than one kernel; the host stands before them and behind.
pub fn svg(region: &Region) -> Option<String> {
    let names: Vec<&str> = region.kernels.iter().map(|k| k.name.as_str()).collect();
    // A kernel that stands in for another at some calls has its name and a word more.
    let stands_in = |name: &str| names.iter().any(|n| name.strip_prefix(*n).is_some_and(|rest| rest.starts_with('_')));
    let shown: Vec<&str> = names.iter().copied().filter(|name| !stands_in(name) || name.ends_with("_join")).collect();
    if shown.len() < 2 || shown.len() > MOST {
        return None;
    }
    let rows: Vec<&str> = [&[HOST], &shown[..], &[HOST]].concat();
    let at = |name: &str, is_end: bool| match name == HOST {
        true => Some(if is_end { rows.len() - 1 } else { 0 }),
        false => rows.iter().position(|row| *row == name),
    };
    let mut arcs: IndexMap<(usize, usize), Vec<&str>> = IndexMap::new();
    for edge in &region.edges {
        if let (Some(from), Some(to)) = (at(&edge.from, false), at(&edge.to, true)) {
            let data = arcs.entry((from, to)).or_default();
            data.extend((!data.contains(&edge.data.as_str())).then_some(edge.data.as_str()));
        }
    }
    Some(drawn(&rows, &arcs))
}

fn drawn(rows: &[&str], arcs: &IndexMap<(usize, usize), Vec<&str>>) -> String {
    let left = rows.iter().map(|row| row.len()).max().unwrap_or(0) * LETTER + 12;
    let (width, height) = (left + rows.len() * OUT + 260, rows.len() * ROW + 10);
    let y = |row: usize| row * ROW + ROW / 2 + 5;
    let mut svg = format!(
        "<svg viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\" \
         aria-label=\"Kernels, and the data that they hand on\" font-size=\"12\" fill=\"currentColor\">"
    );
    for (row, name) in rows.iter().enumerate() {
        let _ =
            write!(svg, "<text x=\"4\" y=\"{}\" font-family=\"monospace\">{}</text>", y(row) + 4, html_escape(name));
    }
    for ((from, to), data) in arcs {
        let (a, b) = (y(*from), y(*to));
        let out = left + from.abs_diff(*to) * OUT;
        let words = data.join(", ");
        let _ = write!(
            svg,
            "<g><title>{0}</title><path d=\"M{left} {a} C{out} {a} {out} {b} {left} {b}\" fill=\"none\" \
             stroke=\"currentColor\" opacity=\"0.55\"/><circle cx=\"{left}\" cy=\"{b}\" r=\"3\"/>",
            html_escape(&words)
        );
        // Of neighbours there is room for the data's names.
        if from.abs_diff(*to) == 1 {
            let _ = write!(
                svg,
                "<text x=\"{}\" y=\"{}\" font-size=\"11\">{}</text>",
                out + 4,
                (a + b) / 2 + 4,
                html_escape(&words)
            );
        }
        svg += "</g>";
    }
    svg + "</svg>"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{Edge, Kernel};

    #[test]
    fn what_one_kernel_hands_on_is_an_arc() {
        let kernel = |name: &str| Kernel { name: name.into(), ..Kernel::default() };
        let edge = |from: &str, to: &str| Edge { from: from.into(), to: to.into(), data: "a<b".into() };
        let region = Region {
            kernels: vec![kernel("k0"), kernel("k0_long"), kernel("k1")],
            edges: vec![edge(HOST, "k0"), edge("k0", "k1"), edge("k0_long", "k1"), edge("k1", HOST)],
            ..Region::default()
        };
        let svg = svg(&region).unwrap();
        assert_eq!(svg.matches("<path").count(), 3);
        assert!(svg.contains("a&lt;b") && !svg.contains("k0_long"));
    }
}
