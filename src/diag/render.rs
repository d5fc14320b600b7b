//! Diagnostics as text for a person and as JSON for a machine.

use super::{Diagnostic, Place, Severity};
use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{Annotation, AnnotationKind, Element, Level, Renderer, Snippet};
use std::io::IsTerminal;

/// How text looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// Letters only.
    Plain,
    /// With ANSI colours.
    Colour,
}

impl Style {
    /// Colour where the stream is a terminal that has some, and `NO_COLOR` is unset or empty (<https://no-color.org>).
    pub fn of(stream: &impl IsTerminal) -> Style {
        let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let is_dumb = std::env::var_os("TERM").is_some_and(|value| value == "dumb");
        if stream.is_terminal() && !refused && !is_dumb { Style::Colour } else { Style::Plain }
    }

    /// A heading.
    pub fn bold(self, text: &str) -> String {
        self.paint("1", text)
    }

    /// Good news, in green.
    pub fn good(self, text: &str) -> String {
        self.paint("32", text)
    }

    /// Bad news, in red.
    pub fn bad(self, text: &str) -> String {
        self.paint("1;31", text)
    }

    fn paint(self, code: &str, text: &str) -> String {
        match self {
            Style::Plain => text.to_owned(),
            Style::Colour => format!("\u{1b}[{code}m{text}\u{1b}[0m"),
        }
    }
}

/// One diagnostic as lines of text: the message, each source line with a caret under the place, notes and help.
pub fn text(diagnostic: &Diagnostic, style: Style) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Declined => Level::NOTE.with_name("declined"),
        Severity::Warning => Level::WARNING,
    };
    let mut elements: Vec<Element> = Vec::new();
    if let Some(place) = &diagnostic.place {
        elements.push(snippet(place, AnnotationKind::Primary, None).into());
    }
    for (place, note) in &diagnostic.notes {
        match place {
            Some(place) => elements.push(snippet(place, AnnotationKind::Context, Some(note)).into()),
            None => elements.push(Level::NOTE.message(note.as_str()).into()),
        }
    }
    if let Some(help) = &diagnostic.help {
        elements.push(Level::HELP.message(help.as_str()).into());
    }
    let title = level.primary_title(diagnostic.message.as_str()).id(diagnostic.code);
    let renderer = match style {
        Style::Plain => Renderer::plain(),
        Style::Colour => Renderer::styled().decor_style(DecorStyle::Unicode),
    };
    renderer.render(&[title.elements(elements)]) + "\n"
}

fn snippet<'a>(place: &'a Place, kind: AnnotationKind, label: Option<&'a String>) -> Snippet<'a, Annotation<'a>> {
    let mut annotation = kind.span(byte_range(place));
    if let Some(label) = label {
        annotation = annotation.label(label.as_str());
    }
    Snippet::source(place.text.as_str())
        .line_start(place.line as usize)
        .path(place.file.as_str())
        .annotation(annotation)
}

/// The bytes of the line that a place's characters are, clipped to the line.
fn byte_range(place: &Place) -> std::ops::Range<usize> {
    let byte = |chars: u32| place.text.char_indices().nth(chars as usize).map_or(place.text.len(), |(at, _)| at);
    let first = place.column.saturating_sub(1);
    byte(first)..byte(first.saturating_add(place.length))
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    fn place(line: u32, column: u32, length: u32, text: &str) -> Option<Place> {
        Some(Place { file: "mm.c".into(), line, column, length, text: text.into() })
    }

    #[test]
    fn a_conflict_of_two_lines() {
        let diagnostic = Diagnostic::declined(
            "loop-carried",
            "loop `i` carries a dependence at distance 1",
            place(1234, 5, 4, "    a[i] = b[i];"),
        )
        .note(place(1240, 12, 6, "    c[i] = a[i-1];"), "reads what the iteration before wrote")
        .note(None, "loop `i` is not parallel")
        .help("read from a copy of `a`");
        expect![[r#"
            declined[loop-carried]: loop `i` carries a dependence at distance 1
                --> mm.c:1234:5
                 |
            1234 |     a[i] = b[i];
                 |     ^^^^
                 |
                ::: mm.c:1240:12
                 |
            1240 |     c[i] = a[i-1];
                 |            ------ reads what the iteration before wrote
                 |
                 = note: loop `i` is not parallel
                 = help: read from a copy of `a`
        "#]]
        .assert_eq(&text(&diagnostic, Style::Plain));
    }

    #[test]
    fn tabs_and_wide_characters() {
        let diagnostic = Diagnostic::error("x", "größer", place(7, 14, 3, "\t/* größe */ foo"));
        expect![[r#"
            error[x]: größer
             --> mm.c:7:14
              |
            7 |     /* größe */ foo
              |                 ^^^
        "#]]
        .assert_eq(&text(&diagnostic, Style::Plain));
    }

    #[test]
    fn a_place_beyond_its_line() {
        let diagnostic = Diagnostic::error("x", "at the end", place(1, 40, 9, "int"));
        expect![[r#"
            error[x]: at the end
             --> mm.c:1:4
              |
            1 | int
              |    ^
        "#]]
        .assert_eq(&text(&diagnostic, Style::Plain));
        assert!(text(&diagnostic, Style::Colour).contains('\u{1b}'));
        assert_eq!(serde_json::json!(diagnostic)["place"]["line"], 1);
    }
}
