//! The user's lines of a region, and those of its kernels with the lines that they come from.

use super::{CLine, Line};
use crate::report;

/// Lines of the file around a region.
const AROUND: u32 = 2;

/// The lines of a region, with some around it.
pub fn c_lines(text: &str, region: &report::Region) -> Vec<CLine> {
    let (first, last) = (region.lines.0.saturating_sub(AROUND).max(1), region.lines.1 + AROUND);
    let of_loop = |n: u32| region.loops.iter().find(|l| l.line == n).map(|l| l.runs);
    let numbered = (1..).zip(text.lines()).filter(|(n, _)| (first..=last).contains(n));
    numbered.map(|(n, text)| CLine { n, text: text.to_owned(), cls: of_loop(n) }).collect()
}

/// The kernels of a region, and the functions that these are made of, out of an emitted file: its paragraphs that define
/// something of the region's name. A line ends with a remark that says where it comes from.
pub fn cuda_lines(text: &str, region: &report::Region) -> Vec<Line> {
    let name = format!("rt_{}_", region.name);
    let defines = |paragraph: &[&str]| {
        let is_head =
            |line: &&str| line.contains(&name) && (line.starts_with("RT_KERNEL") || line.starts_with("RT_DEVICE"));
        paragraph.iter().any(is_head)
    };
    let mut lines: Vec<Line> = vec![];
    for paragraph in paragraphs(text).into_iter().filter(|paragraph| defines(paragraph)) {
        if !lines.is_empty() {
            lines.push(Line { text: String::new(), line: None });
        }
        lines.extend(paragraph.into_iter().map(line));
    }
    lines
}

/// Texts that are apart by an empty line, outside of braces.
fn paragraphs(text: &str) -> Vec<Vec<&str>> {
    let mut all = vec![vec![]];
    for line in text.lines() {
        let last = all.last_mut().unwrap_or_else(|| unreachable!("there is one"));
        let is_closed = last.last().is_none_or(|before: &&str| !before.starts_with([' ', '{']));
        match line.trim().is_empty() && is_closed {
            true => all.push(vec![]),
            false => last.push(line),
        }
    }
    all
}

/// A line without the remark behind it.
fn line(text: &str) -> Line {
    let remark = text.rfind("// ").filter(|at| !text[..*at].trim().is_empty());
    let from = remark.and_then(|at| text[at..].rsplit_once(':')?.1.parse().ok());
    let shown = remark.filter(|_| from.is_some()).map_or(text, |at| &text[..at]);
    Line { text: shown.trim_end().to_owned(), line: from }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CUDA: &str = "#include <x>\n\n// a.c:3  loop i in parallel\ntemplate <int B>\nRT_KERNEL void rt_f_0_k0(int n)\n{\n    \
                        x = 1;      // a.c:3\n\n    y = \"// a\";\n}\n\nRT_KERNEL void rt_f_01_k0()\n{\n}\n\nint rt_f_0(void)\n{\n}\n";

    #[test]
    fn kernels_of_the_region_alone_with_their_lines() {
        let region = report::Region { name: "f_0".into(), ..Default::default() };
        let lines = cuda_lines(CUDA, &region);
        let shown: Vec<(&str, Option<u32>)> = lines.iter().map(|l| (l.text.as_str(), l.line)).collect();
        let rest = [("    x = 1;", Some(3)), ("", None), ("    y = \"// a\";", None), ("}", None)];
        let head = [
            ("// a.c:3  loop i in parallel", None),
            ("template <int B>", None),
            ("RT_KERNEL void rt_f_0_k0(int n)", None),
            ("{", None),
        ];
        assert_eq!(shown, [&head[..], &rest].concat());
    }

    #[test]
    fn heads_of_loops_are_marked() {
        let l = report::Loop {
            head: "for i".into(),
            line: 4,
            depth: 0,
            runs: report::Runs::Parallel,
            why: String::new(),
            mapping: String::new(),
            remedy: None,
        };
        let region = report::Region { lines: (4, 5), loops: vec![l], ..Default::default() };
        let lines = c_lines("1\n2\n3\n4\n5\n6\n7\n8\n", &region);
        assert_eq!(lines.iter().map(|l| l.n).collect::<Vec<_>>(), [2, 3, 4, 5, 6, 7]);
        assert_eq!(lines[2].cls, Some(report::Runs::Parallel));
    }
}
