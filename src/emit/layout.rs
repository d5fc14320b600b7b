//! Laying out: lines of code with their indent, broken where they are too long, with the C line they come from behind.
//!
//! Spelled text ([`super::spell`]) has marks where it may be broken and where its C line belongs; both depend on how deep
//! the line stands, which is known when a whole definition is spelled.

/// Lines are broken before this column, and C lines are named after [`COMMENT`].
const WIDTH: usize = 120;
const COMMENT: usize = 80;

/// The mark where the first of several items begins: further lines are aligned to it.
pub const START: &str = "\u{1c}";
/// The mark between two items: a space, or the end of a line.
pub const BREAK: &str = "\u{1d}";
/// The mark behind code that comes from the line of the user's C that follows.
pub const FROM: &str = "\u{1e}";

/// Text of the user's without what would be marks.
pub fn unmarked(text: &str) -> String {
    text.replace([START, BREAK, FROM].map(|mark| mark.chars().next().unwrap_or_default()), " ")
}

/// Spelled text a level deeper, as a template puts it between braces.
pub fn block(text: &str) -> String {
    text.lines().map(|line| format!("    {line}")).collect::<Vec<_>>().join("\n")
}

/// A spelled definition of the `.cu` of `file`, laid out. Lines with nothing in them are left out.
pub fn laid_out(text: &str, file: &str) -> String {
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    lines.map(|line| laid_out_line(line, file) + "\n").collect()
}

fn laid_out_line(line: &str, file: &str) -> String {
    let (code, from) = line.split_once(FROM).unzip();
    let text = filled(code.unwrap_or(line).trim_end());
    let Some(from) = from else { return text };
    let column = text.rsplit('\n').next().map_or(0, |last| last.chars().count());
    let gap = COMMENT.saturating_sub(column).max(2);
    format!("{text}{:gap$}// {file}:{from}", "")
}

/// A line with its items beside each other; broken where too long, further lines aligned to the first item.
fn filled(code: &str) -> String {
    let Some((head, items)) = code.split_once(START) else { return code.to_string() };
    let indent = head.chars().count();
    let mut text = head.to_string();
    let mut column = indent;
    for (n, item) in items.split(BREAK).enumerate() {
        let length = item.chars().count();
        if n > 0 {
            if column + 1 + length > WIDTH {
                text += &format!("\n{:indent$}", "");
                column = indent;
            } else {
                text.push(' ');
                column += 1;
            }
        }
        text += item;
        column += length;
    }
    text
}

/// Lines of C++ under construction: the statements of a block.
#[derive(Default)]
pub struct Lines {
    lines: Vec<String>,
}

impl Lines {
    /// Adds the lines of a spelled construct; those with nothing in them are left out.
    pub fn push(&mut self, text: &str) {
        let lines = text.lines().filter(|line| !line.trim().is_empty());
        self.lines.extend(lines.map(str::to_string));
    }

    /// The lines as they are, without the last one's end.
    pub fn text(&self) -> String {
        self.lines.join("\n")
    }

    /// The lines a level deeper, as a template puts them between braces; without the last one's end.
    pub fn block(&self) -> String {
        block(&self.text())
    }
}
