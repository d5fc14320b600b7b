//! Columns of text that line up.

/// Rows of cells; [`Table::text`] pads every column but the last to its widest cell.
#[derive(Debug, Default)]
pub struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    /// Adds a row.
    pub fn row<S: Into<String>>(&mut self, cells: impl IntoIterator<Item = S>) {
        self.rows.push(cells.into_iter().map(Into::into).collect());
    }

    /// The rows as lines, each behind `indent` spaces; two spaces between columns.
    pub fn text(&self, indent: usize) -> String {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let width = |column: usize| self.rows.iter().filter_map(|row| row.get(column)).map(|cell| visible(cell)).max();
        let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or(0)).collect();
        let mut text = String::new();
        for row in &self.rows {
            let mut line = " ".repeat(indent);
            for (cell, width) in row.iter().zip(&widths) {
                line += cell;
                line += &" ".repeat(width - visible(cell) + 2);
            }
            text += line.trim_end();
            text.push('\n');
        }
        text
    }
}

/// How many characters of a cell are seen: all but ANSI colour sequences.
fn visible(cell: &str) -> usize {
    let mut in_sequence = false;
    let seen = |c: char| {
        let counts = !in_sequence && c != '\u{1b}';
        in_sequence = (in_sequence || c == '\u{1b}') && c != 'm';
        counts
    };
    cell.chars().map(seen).filter(|&counts| counts).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up_under_colour_and_accents() {
        let mut table = Table::default();
        table.row(["größe", "1"]);
        table.row(["\u{1b}[1mab\u{1b}[0m", "22"]);
        table.row(["only"]);
        assert_eq!(table.text(1), " größe  1\n \u{1b}[1mab\u{1b}[0m     22\n only\n");
    }
}
