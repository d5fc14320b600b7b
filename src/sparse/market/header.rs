//! The lines of a file before its values: what it holds, comments, its size.

use super::fault::{Fault, place, quoted};
use super::lines::{Block, Blocks};
use super::words::{Words, is_blank, signed_index_of};
use super::{Field, Header, Layout, Symmetry};
use crate::diag::{Diagnostic, Place, nearest};
use crate::sparse::MOST_ROWS;
use memchr::memchr;
use std::io::Read;
use std::ops::Range;

/// The first word of every file.
pub const BANNER: &str = "%%MatrixMarket";
/// The same as some programs write it.
const SHORT_BANNER: &str = "%MatrixMarket";

/// First words of a comment, behind its `%`, by which AmgX says what stands behind the entries.
const AMGX: [&str; 2] = ["%AMGX", "%NVAMG"];
/// The comment for a right-hand side, without its `%`.
pub const AMGX_RHS: &str = "%AMGX rhs";

/// The bytes of comments that are kept.
const MOST_COMMENTS: usize = 1 << 16;

/// The size that a file promises.
#[derive(Debug, Clone, PartialEq)]
pub struct Promise {
    /// Rows.
    pub rows: u64,
    /// Columns.
    pub cols: u64,
    /// How many entries or values are listed.
    pub n_listed: u64,
    /// Vectors that AmgX has put behind the entries.
    pub vectors: Vectors,
    /// The line that says so.
    pub place: Place,
}

/// Vectors behind the entries of a file, of as many values as there are rows. A line with that number may precede each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Vectors {
    /// Flag: a right-hand side.
    pub has_rhs: bool,
    /// Flag: a solution, or where to begin.
    pub has_solution: bool,
}

impl Vectors {
    /// How many they are.
    pub fn n(self) -> usize {
        usize::from(self.has_rhs) + usize::from(self.has_solution)
    }
}

/// Reads up to the size; what follows it is left in the block that is given back.
///
/// # Errors
/// `matrix-header`, `matrix-size`, `matrix-too-large`, and what [`Blocks::next_block`] refuses.
pub fn read(blocks: &mut Blocks<impl Read>) -> Result<(Header, Promise, Block), Diagnostic> {
    let file = blocks.file.clone();
    let mut header: Option<Header> = None;
    let (mut n_kept, mut vectors) = (0, Vectors::default());
    while let Some(mut block) = blocks.next_block()? {
        let mut line = block.line;
        let mut lines = block.lines();
        while let Some(text) = lines.next() {
            let Some(known) = &mut header else {
                header = Some(banner(text).map_err(|fault| fault.diagnostic(&file, line, text))?);
                line += 1;
                continue;
            };
            let blank = text.iter().take_while(|byte| is_blank(**byte)).count();
            if let Some(comment) = text[blank..].strip_prefix(b"%") {
                let is_read = check_comment(text).and_then(|()| amgx(text, comment, known, &mut vectors));
                if is_read.map_err(|fault| fault.diagnostic(&file, line, text))? {
                    line += 1;
                    continue;
                }
                let comment = String::from_utf8_lossy(comment.trim_ascii_end());
                n_kept += comment.len();
                if n_kept <= MOST_COMMENTS {
                    known.comments.push(comment.into_owned());
                }
            } else if blank < text.len() {
                let place = place(&file, line, text, 0..text.len());
                let size = size(text, known, place).map_err(|fault| fault.diagnostic(&file, line, text))?;
                let promise = Promise { vectors, ..size };
                let n_left = lines.n_bytes_left();
                block.text.drain(..block.text.len() - n_left);
                block.line = line + 1;
                return Ok((known.clone(), promise, block));
            }
            line += 1;
        }
    }
    Err(ends_early(&file, header.is_some(), blocks.n_lines()))
}

fn ends_early(file: &str, has_banner: bool, n_lines: u64) -> Diagnostic {
    if !has_banner {
        return Diagnostic::error("matrix-header", format!("{file} is empty"), None).help(BANNER_HELP);
    }
    let message = format!("{file} ends after line {n_lines}, before the line with its size");
    Diagnostic::error("matrix-size", message, None)
        .help("that line has rows, columns and the number of entries: `3 3 5`; of an array, rows and columns")
}

/// Refuses a comment with a byte that no text has.
///
/// # Errors
/// `matrix-entry`.
pub fn check_comment(line: &[u8]) -> Result<(), Box<Fault>> {
    match memchr(0, line) {
        None => Ok(()),
        Some(at) => Err(Fault::new("matrix-entry", "a byte is zero: this is no text", at..at + 1)),
    }
}

/// Reads a comment of AmgX (`%%AMGX rhs`); tells whether it says something of vectors. Behind an array there are none.
fn amgx(line: &[u8], comment: &[u8], header: &Header, vectors: &mut Vectors) -> Result<bool, Box<Fault>> {
    let mut words = Words::new(comment);
    let is_word = |range: Range<usize>, word: &str| comment[range].eq_ignore_ascii_case(word.as_bytes());
    let is_name = |first: Range<usize>| first.start == 0 && AMGX.iter().any(|word| is_word(first.clone(), word));
    let is_of_amgx = words.next().is_some_and(is_name);
    let mut says = false;
    let has_entries = header.layout == Layout::Coordinate;
    while let Some(range) = words.next().filter(|_| is_of_amgx) {
        let refused = ["diagonal", "base0"].into_iter().find(|word| has_entries && is_word(range.clone(), word));
        if let Some(word) = refused {
            let message = format!("AmgX's `{word}` is not read");
            let help = "let AmgX write the matrix with its diagonal among the entries, which count from 1";
            return Err(Fault::new("matrix-header", message, 0..line.len()).help(help));
        }
        let (rhs, solution) = (is_word(range.clone(), "rhs"), is_word(range, "solution"));
        if (rhs || solution) && header.field == Field::Complex {
            let message = "vectors behind a complex matrix are not read";
            return Err(Fault::new("matrix-header", message, 0..line.len()).help("put them into files of their own"));
        }
        vectors.has_rhs |= rhs && has_entries;
        vectors.has_solution |= solution && has_entries;
        says |= rhs || solution;
    }
    Ok(says)
}

const BANNER_HELP: &str = "a Matrix Market file begins like this: %%MatrixMarket matrix coordinate real general";

/// The first line.
fn banner(line: &[u8]) -> Result<Header, Box<Fault>> {
    // Some editors put a byte order mark before the text.
    let text = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
    let mut words = Words::new(text);
    let first = words.next().unwrap_or(0..0);
    if ![BANNER, SHORT_BANNER].iter().any(|word| text[first.clone()].eq_ignore_ascii_case(word.as_bytes())) {
        let fault = Fault::new("matrix-header", "this is no Matrix Market file", first);
        let is_archive = text.get(257..262) == Some(b"ustar");
        return Err(fault.help(if is_archive {
            "it is a tar archive: unpack it with `tar -xf` first"
        } else {
            BANNER_HELP
        }));
    }
    one_of(&mut words, text, "kind of object", &[("matrix", ())])?;
    let layout = one_of(&mut words, text, "format", Layout::ALL)?;
    let start = words.at() + 1;
    let field = one_of(&mut words, text, "field", &[Field::ALL, &[("double", Field::Real)]].concat())?;
    let symmetry = one_of(&mut words, text, "symmetry", Symmetry::ALL)?;
    if let Some(extra) = words.next() {
        let message = format!("{} is one word too many", quoted(&text[extra.clone()]));
        return Err(Fault::new("matrix-header", message, extra).help(BANNER_HELP));
    }
    let range = start..words.at();
    let refuse = |what: &str, help: &str| Err(Fault::new("matrix-header", what, range).help(help));
    match (layout, field, symmetry) {
        (Layout::Array, Field::Pattern, _) => {
            refuse("an array lists values, and a pattern has none", "a pattern is in coordinate format")
        }
        (_, Field::Pattern, Symmetry::SkewSymmetric) => {
            refuse("a pattern has no values that could be skew-symmetric", "say `symmetric` or `general`")
        }
        (_, Field::Real | Field::Integer | Field::Pattern, Symmetry::Hermitian) => {
            refuse("only a complex matrix is Hermitian", "say `symmetric`: for real values that is the same")
        }
        _ => Ok(Header { layout, field, symmetry, comments: Vec::new() }),
    }
}

/// The next word, which must be one of those listed, in any case.
fn one_of<T: Copy>(words: &mut Words, line: &[u8], what: &str, all: &[(&str, T)]) -> Result<T, Box<Fault>> {
    let Some(range) = words.next() else {
        let end = line.trim_ascii_end().len();
        let message = format!("the first line ends before its {what}");
        return Err(Fault::new("matrix-header", message, end..end + 1).help(BANNER_HELP));
    };
    let word = String::from_utf8_lossy(&line[range.clone()]).to_ascii_lowercase();
    if let Some((_, value)) = all.iter().find(|(name, _)| *name == word) {
        return Ok(*value);
    }
    let names: Vec<&str> = all.iter().map(|(name, _)| *name).collect();
    let help = match nearest(&word, &names) {
        Some(near) => format!("did you mean `{near}`?"),
        None if names.len() == 1 => format!("only `{}` is known", names[0]),
        None => format!("it is one of {}", names.join(", ")),
    };
    let message = format!("{} is no {what}", quoted(&line[range.clone()]));
    Err(Fault::new("matrix-header", message, range).help(help))
}

/// The line with the size.
fn size(line: &[u8], header: &Header, place: Place) -> Result<Promise, Box<Fault>> {
    let mut words = Words::new(line);
    let mut number = |what: &str| -> Result<u64, Box<Fault>> {
        let Some(range) = words.next() else {
            let end = line.trim_ascii_end().len();
            return Err(Fault::new("matrix-size", format!("the line ends before its {what}"), end..end + 1));
        };
        let fault = || {
            let message = format!(
                "{} is not a number of {}",
                quoted(&line[range.clone()]),
                what.trim_start_matches("number of ")
            );
            Fault::new("matrix-size", message, range.clone())
        };
        let value = signed_index_of(&line[range.clone()]).ok_or_else(fault)?;
        if what != ENTRIES && value > MOST_ROWS {
            let message =
                format!("{value} {}: a matrix has at most {MOST_ROWS}", what.trim_start_matches("number of "));
            let fault = Fault::new("matrix-too-large", message, range.clone());
            return Err(fault.help("indices are `int` in C programs and in cuSPARSE's 32-bit formats"));
        }
        Ok(value)
    };
    let (rows, cols) = (number("number of rows")?, number("number of columns")?);
    let is_array = header.layout == Layout::Array;
    // Both are below 2^31, so that no product overflows.
    let n_listed = match header.symmetry {
        _ if !is_array => number(ENTRIES)?,
        Symmetry::General => rows * cols,
        Symmetry::Symmetric | Symmetry::Hermitian => rows * (rows + 1) / 2,
        Symmetry::SkewSymmetric => rows * rows.saturating_sub(1) / 2,
    };
    if let Some(extra) = words.next() {
        let has = if is_array { "rows and columns" } else { "rows, columns and the number of entries" };
        let message = format!("{} is one number too many: the line has {has}", quoted(&line[extra.clone()]));
        return Err(Fault::new("matrix-size", message, extra));
    }
    if header.symmetry != Symmetry::General && rows != cols {
        let symmetry = super::word(Symmetry::ALL, header.symmetry);
        let message = format!("a {symmetry} matrix is square, and this one is {rows} x {cols}");
        return Err(Fault::new("matrix-size", message, 0..line.trim_ascii_end().len()));
    }
    Ok(Promise { rows, cols, n_listed, vectors: Vectors::default(), place })
}

const ENTRIES: &str = "number of entries";
