//! The lines with values: one entry, or one value of an array, each.
//!
//! ```text
//! " 3  1  -.25D+01"   ->   Entry { row: 2, column: 0, value: -2.5 }
//! ```
//!
//! Every line is parsed by itself, so that blocks of lines can be parsed side by side. A line that is as most are is
//! read in one go; whatever is unusual is looked at again with care, once, to be read or to be explained.

use super::fault::{Fault, quoted};
use super::header::{Promise, check_comment};
use super::lines::Block;
use super::words::{Words, index_of, is_blank, signed_index_of};
use super::{Field, Header, Layout, MOST_INTEGER, Symmetry};
use crate::sparse::Scalar;
use crate::sparse::assemble::Entry;
use std::ops::Range;

/// Characters of a number are fewer.
const MOST_DIGITS: usize = 500;

/// What every line of a file must agree with.
pub struct Rules {
    /// How the values are listed.
    pub layout: Layout,
    /// Rows.
    pub rows: u64,
    /// Columns.
    pub cols: u64,
    /// What the values are.
    pub field: Field,
    /// Which of them are listed.
    pub symmetry: Symmetry,
}

impl Rules {
    /// Those of a file.
    pub fn of(header: &Header, promise: &Promise) -> Rules {
        let &Header { layout, field, symmetry, .. } = header;
        Rules { layout, rows: promise.rows, cols: promise.cols, field, symmetry }
    }
}

/// What a block held, up to its first fault.
pub struct Parsed<E> {
    /// Entries or values, in order.
    pub found: Vec<E>,
    /// The line of the first entry below the diagonal, and of the first above it.
    pub halves: [Option<u64>; 2],
    /// The first fault, and its line.
    pub fault: Option<(u64, Box<Fault>)>,
}

/// Something that a line holds.
pub trait Listed: Sized + Send {
    /// Reads the line, which is neither blank nor a comment.
    ///
    /// # Errors
    /// The first thing that is wrong with it.
    fn parse(line: &[u8], rules: &Rules) -> Result<Self, Box<Fault>>;

    /// 0 for an entry below the diagonal, 1 for one above it.
    fn half(&self) -> Option<usize>;

    /// Test that its value has no imaginary part.
    fn is_real(&self) -> bool;
}

/// Reads the lines of a block.
pub fn parse<E: Listed>(block: &Block, rules: &Rules) -> Parsed<E> {
    let mut parsed = Parsed { found: Vec::with_capacity(block.n_lines), halves: [None; 2], fault: None };
    let has_halves = rules.symmetry != Symmetry::General;
    for (line, text) in (block.line..).zip(block.lines()) {
        if holds_nothing(text) {
            if let Err(fault) = check_comment(text) {
                parsed.fault = Some((line, fault));
                break;
            }
            continue;
        }
        match E::parse(text, rules) {
            Ok(found) => {
                if let Some(half) = found.half().filter(|_| has_halves) {
                    parsed.halves[half].get_or_insert(line);
                }
                parsed.found.push(found);
            }
            Err(fault) => {
                parsed.fault = Some((line, fault));
                break;
            }
        }
    }
    parsed
}

/// The line of the entry of this number, from 0, of a block that has it.
pub fn line_of(block: &Block, number: usize) -> u64 {
    let lines = (block.line..).zip(block.lines());
    lines.filter(|(_, text)| !holds_nothing(text)).nth(number).map_or(block.line, |(line, _)| line)
}

/// Test that a line is blank or a comment.
pub fn holds_nothing(line: &[u8]) -> bool {
    line.iter().find(|byte| !is_blank(**byte)).is_none_or(|byte| *byte == b'%')
}

impl<T: Scalar> Listed for Entry<T> {
    #[inline]
    fn parse(line: &[u8], rules: &Rules) -> Result<Self, Box<Fault>> {
        let mut words = Words::new(line);
        let row = index(&mut words, "row", rules.rows)?;
        let column = index(&mut words, "column", rules.cols)?;
        let value = value::<T>(&mut words, rules.field)?;
        end(&mut words, rules.field, "a row, a column")?;
        if row == column {
            check_diagonal(line, rules.symmetry, value)?;
        }
        Ok(Entry { row, column, value })
    }

    fn half(&self) -> Option<usize> {
        (self.row != self.column).then_some(usize::from(self.row < self.column))
    }

    fn is_real(&self) -> bool {
        self.value.parts().1 == 0.0
    }
}

/// A value of an array.
pub struct Value<T>(pub T);

impl<T: Scalar> Listed for Value<T> {
    #[inline]
    fn parse(line: &[u8], rules: &Rules) -> Result<Self, Box<Fault>> {
        let mut words = Words::new(line);
        let value = value::<T>(&mut words, rules.field)?;
        end(&mut words, rules.field, "")?;
        Ok(Value(value))
    }

    fn half(&self) -> Option<usize> {
        None
    }

    fn is_real(&self) -> bool {
        self.0.parts().1 == 0.0
    }
}

/// An index, from 0 where the file counts from 1.
#[inline]
fn index(words: &mut Words, what: &str, most: u64) -> Result<u32, Box<Fault>> {
    match words.short_index() {
        Some(value) if value > 0 && value <= most => Ok((value - 1) as u32),
        Some(_) => {
            let end = words.at;
            let n_digits = words.line[..end].iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
            long_index(words.line, Some(end - n_digits..end), what, most)
        }
        None => {
            let word = words.next();
            long_index(words.line, word, what, most)
        }
    }
}

#[cold]
fn long_index(line: &[u8], word: Option<Range<usize>>, what: &str, most: u64) -> Result<u32, Box<Fault>> {
    let Some(range) = word else { return Err(too_short(line, what)) };
    let word = &line[range.clone()];
    match signed_index_of(word) {
        // At most 2^31 rows and columns are let in by the size.
        Some(value) if value > 0 && value <= most => Ok((value - 1) as u32),
        Some(0) => Err(Fault::new("index-out-of-range", format!("{what} 0: {what}s count from 1"), range)),
        Some(value) => {
            let message = format!("{what} {value}: the matrix has {most} {what}s");
            Err(Fault::new("index-out-of-range", message, range))
        }
        None if word.iter().all(u8::is_ascii_digit) || (word[0] == b'-' && index_of(&word[1..]).is_some()) => {
            let message = format!("{what} {}: the {what}s are 1 to {most}", String::from_utf8_lossy(word));
            Err(Fault::new("index-out-of-range", message, range))
        }
        None => Err(Fault::new("matrix-entry", format!("{} is not the number of a {what}", quoted(word)), range)),
    }
}

fn too_short(line: &[u8], what: &str) -> Box<Fault> {
    let end = line.trim_ascii_end().len();
    Fault::new("matrix-entry", format!("the line ends before its {what}"), end..end + 1)
}

#[inline]
fn value<T: Scalar>(words: &mut Words, field: Field) -> Result<T, Box<Fault>> {
    match field {
        Field::Pattern => Ok(T::from_parts(1.0, 0.0)),
        Field::Real => Ok(T::from_parts(number(words, "value")?, 0.0)),
        Field::Integer => Ok(T::from_parts(integer(words)?, 0.0)),
        Field::Complex => Ok(T::from_parts(number(words, "real part")?, number(words, "imaginary part")?)),
    }
}

#[inline]
fn number(words: &mut Words, what: &str) -> Result<f64, Box<Fault>> {
    words.skip_blanks();
    let rest = &words.line[words.at..];
    match fast_float2::parse_partial::<f64, _>(rest) {
        Ok((value, length))
            if value.is_finite() && length < MOST_DIGITS && rest.get(length).is_none_or(|byte| is_blank(*byte)) =>
        {
            words.at += length;
            Ok(value)
        }
        _ => unusual_number(words, what),
    }
}

/// Numbers as Fortran writes them (`1.5D+03`, and `1.5-103` where the exponent has three digits), and faults.
#[cold]
fn unusual_number(words: &mut Words, what: &str) -> Result<f64, Box<Fault>> {
    let Some(range) = words.next() else { return Err(too_short(words.line, what)) };
    let word = &words.line[range.clone()];
    if word.len() >= MOST_DIGITS {
        return Err(Fault::new("matrix-entry", format!("{} is too long for a number", quoted(word)), range));
    }
    let mut text = String::with_capacity(word.len() + 1);
    let mut has_exponent = false;
    for (at, &byte) in word.iter().enumerate() {
        let is_letter = matches!(byte, b'd' | b'D' | b'q' | b'Q' | b'e' | b'E');
        let is_bare = !has_exponent && matches!(byte, b'+' | b'-') && at > 0 && !word[at - 1].is_ascii_alphabetic();
        if (is_letter || is_bare) && !has_exponent && at > 0 {
            has_exponent = true;
            text.push('e');
            if is_letter {
                continue;
            }
        }
        text.push(char::from(byte));
    }
    let is_number = word.iter().any(u8::is_ascii_digit);
    match text.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(value),
        Ok(_) if is_number => {
            Err(Fault::new("not-finite", format!("{} is beyond the range of doubles", quoted(word)), range))
        }
        Ok(_) => Err(Fault::new("not-finite", format!("{} is not a finite number", quoted(word)), range)
            .help("a matrix with such a value has no products or solutions; see what wrote the file")),
        Err(_) => Err(Fault::new("matrix-entry", format!("{} is not a number", quoted(word)), range)),
    }
}

fn integer(words: &mut Words) -> Result<f64, Box<Fault>> {
    let Some(range) = words.next() else { return Err(too_short(words.line, "value")) };
    let word = &words.line[range.clone()];
    let digits = word.strip_prefix(b"-").or(word.strip_prefix(b"+")).unwrap_or(word);
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        let fault = Fault::new("matrix-entry", format!("{} is not an integer", quoted(word)), range);
        return Err(fault.help("if the values are not integers, the first line must say `real`"));
    }
    match index_of(digits).filter(|value| *value <= MOST_INTEGER) {
        Some(value) if word[0] == b'-' => Ok(-(value as f64)),
        Some(value) => Ok(value as f64),
        None => {
            let message = format!("{} is beyond 2^53, and not every such integer is a double", quoted(word));
            let fault = Fault::new("matrix-entry", message, range);
            Err(fault.help("say `real` in the first line to have the nearest double"))
        }
    }
}

/// The line must have no further word.
#[inline]
fn end(words: &mut Words, field: Field, place: &str) -> Result<(), Box<Fault>> {
    match words.next() {
        None => Ok(()),
        Some(extra) => Err(too_long(words.line, extra, field, place)),
    }
}

#[cold]
fn too_long(line: &[u8], extra: Range<usize>, field: Field, place: &str) -> Box<Fault> {
    let parts = match (field, place) {
        (Field::Pattern, _) => "a row and a column".to_owned(),
        (Field::Complex, "") => "a real and an imaginary part".into(),
        (Field::Complex, _) => format!("{place}, a real and an imaginary part"),
        (_, "") => "one value".into(),
        (..) => format!("{place} and a value"),
    };
    let field = super::word(Field::ALL, field);
    let message =
        format!("{} is one word too many: a line of a {field} matrix has {parts}", quoted(&line[extra.clone()]));
    let help = "see whether the first line names the right field: real, integer, complex or pattern";
    Fault::new("matrix-entry", message, extra).help(help)
}

/// Some matrices have no choice on their diagonal.
#[inline]
fn check_diagonal<T: Scalar>(line: &[u8], symmetry: Symmetry, value: T) -> Result<(), Box<Fault>> {
    match symmetry {
        Symmetry::SkewSymmetric if value != T::default() => {
            let message = "a skew-symmetric matrix has zeros on its diagonal, and lists none of them";
            Err(Fault::new("matrix-symmetry", message, 0..line.len()))
        }
        Symmetry::Hermitian if value.parts().1 != 0.0 => Err(not_hermitian(line)),
        _ => Ok(()),
    }
}

/// A number on the diagonal of a Hermitian matrix that is not its own conjugate.
pub fn not_hermitian(line: &[u8]) -> Box<Fault> {
    Fault::new("matrix-symmetry", "a Hermitian matrix has real numbers on its diagonal", 0..line.len())
}
