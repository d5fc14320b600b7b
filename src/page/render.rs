//! The page as HTML, Markdown or JSON.

use super::Page;
use crate::diag::Stop;
use handlebars::Handlebars;
use std::fmt::Write;

const HTML: &str = include_str!("../../templates/report/page.html.hbs");

/// Form of the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// One file that needs no other.
    Html,
    /// For a repository's pages.
    Markdown,
    /// For a machine.
    Json,
}

impl Form {
    /// By the end of a file's name.
    pub fn of_name(name: &std::path::Path) -> Form {
        match name.extension().and_then(|extension| extension.to_str()) {
            Some("md") => Form::Markdown,
            Some("json") => Form::Json,
            _ => Form::Html,
        }
    }
}

/// The page in a form.
///
/// # Errors
/// [`Stop::Bug`] where the template does not fit the page.
pub fn text(page: &Page, form: Form) -> Result<String, Stop> {
    match form {
        Form::Html => html(page),
        Form::Markdown => Ok(markdown(page)),
        Form::Json => Ok(format!("{:#}\n", serde_json::json!(page))),
    }
}

fn html(page: &Page) -> Result<String, Stop> {
    Handlebars::new()
        .render_template(HTML, page)
        .map_err(|e| Stop::Bug(format!("report: the template of the page: {e}")))
}

fn markdown(page: &Page) -> String {
    let mut text = format!("# {}\n\n{}\n\n", page.title, page.summary);
    page.facts.iter().for_each(|fact| {
        let _ = writeln!(text, "- {}: {}", fact.name, fact.value);
    });
    for failure in &page.failures {
        let place = failure.place.as_ref().map_or(String::new(), |place| format!(" ({place})"));
        let _ = writeln!(text, "- **{}**{place}", failure.message);
    }
    text += "\n| share | time | entered | converted | loop | runs on | why, and what would change it |\n|--:|--:|--:|--:|---|---|---|\n";
    for l in &page.loops {
        let words = |text: &Option<String>| cell(text.as_deref().unwrap_or(""));
        let help = l.help.as_ref().map_or(String::new(), |help| format!(" **{}**", cell(help)));
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} {} | {} | {}{help} |",
            words(&l.share_text),
            words(&l.seconds),
            words(&l.entered),
            words(&l.after),
            cell(&l.place),
            cell(&l.head),
            l.r#where,
            words(&l.why),
        );
    }
    for region in &page.regions {
        let _ = writeln!(text, "\n## {}\n\n{}, in `{}()`\n", region.name, region.place, region.function);
        for l in &region.loops {
            let (indent, place) = ("  ".repeat(l.depth as usize), l.line);
            let _ = writeln!(text, "{indent}- line {place} `{}` {}: {}", l.head, l.runs_text, l.why);
        }
    }
    text
}

/// Text in a cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}
