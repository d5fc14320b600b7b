//! Loops of a C file that get a clock: of each function the outermost ones, and those inside them as far as no region.

use crate::report::{self, Report};
use crate::source::lex::TokenKind;
use crate::source::parse::{self, Parsed};
use crate::source::{Source, Span};
use serde::Serialize;
use std::collections::BTreeSet;
use std::ops::Range;
use tree_sitter::Node;

/// A loop with a clock.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Loop {
    /// The file that it stands in, as its user named that.
    pub file: String,
    /// Its first line, and its last.
    pub lines: (u32, u32),
    /// Its head in short: `for i`, `while`.
    pub head: String,
    /// The function that it stands in.
    pub function: String,
    /// How many loops of that function it is inside of.
    pub depth: u32,
    /// The region that it is a part of.
    pub region: Option<String>,
    /// Its bytes of the preprocessed text, with the pragmas in front of it.
    #[serde(skip)]
    pub text: Range<usize>,
}

/// The loops of a file, in the order of its text, and the places of those that can have no clock, as they are entered by a jump;
/// `report` says where regions are.
pub fn of(source: &Source, parsed: &Parsed, report: &Report) -> (Vec<Loop>, Vec<String>) {
    let mut found = Found { source, report, loops: vec![], without: vec![] };
    let mut cursor = parsed.root().walk();
    for item in parsed.root().children(&mut cursor) {
        found.functions(item);
    }
    (found.loops, found.without)
}

/// Test that directives of a file mark what is converted, and so what is not.
pub fn has_marks(source: &Source) -> bool {
    let directives = source.tokens().iter().filter(|token| token.kind == TokenKind::Directive);
    directives.map(|token| token.text(&source.text)).any(|text| {
        let words: Vec<&str> = text.trim_start_matches(['#', ' ']).split_whitespace().take(3).collect();
        matches!(words[..], ["pragma", "rt", "region", ..] | ["pragma", "scop", ..])
    })
}

struct Found<'a> {
    source: &'a Source,
    report: &'a Report,
    loops: Vec<Loop>,
    without: Vec<String>,
}

impl Found<'_> {
    /// Functions of the user's own, also of files that this one includes.
    fn functions(&mut self, node: Node<'_>) {
        let span = parse::span(node);
        if span.lo >= self.source.own_end() || self.source.line_map.origin(span.lo).is_system {
            return;
        }
        if node.kind() == "compound_statement" {
            // Of a function without a type, whose head is an expression to the grammar.
            let head = node.prev_named_sibling().map_or("", |head| self.source.slice(parse::span(head)));
            let name = head.split('(').next().unwrap_or_default().trim().to_owned();
            let function = Function { name, jumps: jumps(node, self.source) };
            return self.within(node, &function, 0);
        }
        if node.kind() != "function_definition" {
            // Declarations between directives and the like.
            let mut cursor = node.walk();
            node.children(&mut cursor).for_each(|child| self.functions(child));
            return;
        }
        let (Some(declarator), Some(body)) = (node.child_by_field_name("declarator"), node.child_by_field_name("body"))
        else {
            return;
        };
        let function = Function { name: self.name(declarator), jumps: jumps(body, self.source) };
        self.within(body, &function, 0);
    }

    fn name(&self, declarator: Node<'_>) -> String {
        let mut at = declarator;
        while let Some(inner) = at.child_by_field_name("declarator") {
            at = inner;
        }
        self.source.slice(parse::span(at)).to_owned()
    }

    fn within(&mut self, node: Node<'_>, function: &Function, depth: u32) {
        let mut cursor = node.walk();
        for child in node.children(&mut cursor) {
            match is_loop(child, self.source) {
                true => self.enter(child, function, depth),
                false => self.within(child, function, depth),
            }
        }
    }

    fn enter(&mut self, node: Node<'_>, function: &Function, depth: u32) {
        // A jump into a block with a clock would pass over its start.
        let can_have_clock = !node.has_error() && !function.is_entered(node, self.source);
        let mut is_region = false;
        let l = self.one(node, function, depth);
        if can_have_clock {
            is_region = l.region.is_some();
            self.loops.push(l);
        } else if !node.has_error() {
            self.without.push(format!("{}:{}", l.file, l.lines.0));
        }
        if !is_region {
            self.within(node, function, depth + 1);
        }
    }

    fn one(&self, node: Node<'_>, function: &Function, depth: u32) -> Loop {
        let span = parse::span(node);
        let origin = self.source.line_map.origin(span.lo);
        let last = self.source.line_map.origin(span.hi.saturating_sub(1)).line;
        let of_region = |region: &&report::Region| {
            region.file == origin.file && (region.lines.0..=region.lines.1).contains(&origin.line)
        };
        let region = self.report.regions.iter().find(of_region).map(|region| region.name.clone());
        Loop {
            file: origin.file.to_owned(),
            lines: (origin.line, last.max(origin.line)),
            head: head(node, self.source),
            function: function.name.clone(),
            depth,
            region,
            text: with_pragmas(span, self.source),
        }
    }
}

/// Test for a loop. `do { ... } while (0)` is a statement of a macro.
fn is_loop(node: Node<'_>, source: &Source) -> bool {
    let is_false = |condition: Node<'_>| source.slice(parse::span(condition)).trim_matches(['(', ')', ' ']) == "0";
    match node.kind() {
        "do_statement" => !node.child_by_field_name("condition").is_some_and(is_false),
        kind => matches!(kind, "for_statement" | "while_statement"),
    }
}

/// A function's name, and its jumps: whether a loop is entered by its head alone.
struct Function {
    name: String,
    /// The labels that are jumped to, and from where.
    jumps: Vec<(String, Span)>,
}

impl Function {
    /// Test that a jump from outside, or a `switch` around, leads into a loop.
    fn is_entered(&self, node: Node<'_>, source: &Source) -> bool {
        let whole = parse::span(node);
        let is_outside = |from: &Span| from.lo < whole.lo || from.hi > whole.hi;
        let mut labels = BTreeSet::new();
        let has_case = each(node, &mut |inner, is_in_switch| match inner.kind() {
            "labeled_statement" => {
                let label = inner.child_by_field_name("label").map(|label| source.slice(parse::span(label)).to_owned());
                labels.extend(label);
                false
            }
            "case_statement" => !is_in_switch,
            _ => false,
        });
        has_case || self.jumps.iter().any(|(label, from)| is_outside(from) && labels.contains(label))
    }
}

/// The jumps of a function's body.
fn jumps(body: Node<'_>, source: &Source) -> Vec<(String, Span)> {
    let mut found = vec![];
    each(body, &mut |node, _| {
        if node.kind() == "goto_statement"
            && let Some(label) = node.child_by_field_name("label")
        {
            found.push((source.slice(parse::span(label)).to_owned(), parse::span(node)));
        }
        false
    });
    found
}

/// Goes through what is inside a node, and whether a `switch` of its own is around, until one is what is looked for.
fn each<'t>(node: Node<'t>, is_sought: &mut dyn FnMut(Node<'t>, bool) -> bool) -> bool {
    fn go<'t>(node: Node<'t>, in_switch: bool, is_sought: &mut dyn FnMut(Node<'t>, bool) -> bool) -> bool {
        let mut cursor = node.walk();
        let children: Vec<Node<'t>> = node.children(&mut cursor).collect();
        let in_switch = in_switch || node.kind() == "switch_statement";
        children.into_iter().any(|child| is_sought(child, in_switch) || go(child, in_switch, is_sought))
    }
    go(node, false, is_sought)
}

/// `for i`, by what its last part changes, else by what its first one sets.
fn head(node: Node<'_>, source: &Source) -> String {
    let word = node.kind().trim_end_matches("_statement");
    let of_part = |field: &str| {
        let mut name = None;
        let part = node.child_by_field_name(field)?;
        let mut take = |inner: Node<'_>| {
            let is_name = inner.kind() == "identifier";
            if is_name {
                name = Some(source.slice(parse::span(inner)).to_owned());
            }
            is_name
        };
        let _ = take(part) || each(part, &mut |inner, _| take(inner));
        name
    };
    match of_part("update").or_else(|| of_part("initializer")) {
        Some(name) if word == "for" => format!("for {name}"),
        _ => word.to_owned(),
    }
}

/// The bytes of a statement with the pragmas that stand in front of it, which are for it alone.
fn with_pragmas(span: Span, source: &Source) -> Range<usize> {
    let tokens = source.tokens();
    let first = tokens.partition_point(|token| token.span.lo < span.lo);
    let before = tokens[..first].iter().rev().take_while(|token| token.kind == TokenKind::Directive);
    let pragmas = before.filter(|token| token.text(&source.text).trim_start_matches(['#', ' ']).starts_with("pragma"));
    let start = pragmas.last().map_or(span.lo, |token| token.span.lo);
    start as usize..span.hi as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    fn loops(c: &str, report: &Report) -> Vec<Loop> {
        let source = Source::from_text("a.c", c).unwrap();
        let parsed = parse::parse(&source).unwrap();
        of(&source, &parsed, report).0
    }

    fn shown(c: &str) -> Vec<String> {
        let show = |l: Loop| format!("{}{} {} {:?}", "  ".repeat(l.depth as usize), l.head, l.function, l.lines);
        loops(c, &Report::default()).into_iter().map(show).collect()
    }

    #[test]
    fn loops_are_found_with_those_inside() {
        let c = "static int *f(int n) {\n  for (int i = 0; i < n; i++)\n    while (g())\n      h();\n  do n--; while (n);\n}\n";
        assert_eq!(shown(c), ["for i f (2, 4)", "  while f (3, 4)", "do f (5, 5)"]);
    }

    #[test]
    fn what_lies_inside_a_region_has_no_clock() {
        let region = report::Region { name: "f_0".into(), file: "a.c".into(), lines: (2, 4), ..Default::default() };
        let report = Report { regions: vec![region], ..Report::default() };
        let c = "void f(void) {\n for (;;) {\n  for (;;);\n }\n for (;;);\n}\n";
        let found = loops(c, &report);
        assert_eq!(
            found.iter().map(|l| (l.lines.0, l.region.as_deref())).collect::<Vec<_>>(),
            [(2, Some("f_0")), (5, None)]
        );
    }

    #[test]
    fn functions_without_a_type_have_loops_and_macros_of_statements_are_none() {
        assert_eq!(
            shown("main() {\n int i;\n for (i = 0; i < 9; i++) do { f(); } while (0);\n}\n"),
            ["for i main (3, 3)"]
        );
    }

    /// A jump would pass over the start of the clock.
    #[test]
    fn loops_that_are_jumped_into_have_none() {
        assert_eq!(shown("void f(int n) {\n goto in;\n while (n) {\nin: n--;\n }\n}\n"), Vec::<String>::new());
        assert_eq!(
            shown("void f(int n) {\n switch (n) { case 0: do { n--; case 1: n--; } while (n); }\n}\n"),
            Vec::<String>::new()
        );
        let own = "void f(int n) {\n while (n) { if (n == 3) goto out; switch (n) { case 1: break; }\nout: n--; }\n}\n";
        assert_eq!(shown(own), ["while f (2, 3)"]);
    }

    #[test]
    fn pragmas_in_front_are_a_part() {
        let c = "void f(int n) {\n n = 1;\n#pragma omp parallel for\n for (int i = 0; i < n; i++);\n}\n";
        let found = loops(c, &Report::default());
        assert!(c[found[0].text.clone()].starts_with("#pragma omp"));
    }
}
