//! A file becomes a [`Market`]: blocks are read while those before them are parsed, on all cores.
//!
//! At any time there are a few blocks of text, and the entries that were in the text so far: what a header promises
//! is compared with what comes, and never allocated. The first fault of the file is the one that is reported, whatever
//! thread found it.

use super::entries::{Listed, Parsed, Rules, Value, holds_nothing, line_of, not_hermitian, parse};
use super::fault::Fault;
use super::header::{self, Promise, check_comment};
use super::lines::{Block, Blocks, open, unreadable};
use super::{Field, Header, Held, Layout, MOST_INTEGER, Market, Symmetry};
use crate::diag::Diagnostic;
use crate::sparse::assemble::{Entry, assemble, csr_bytes};
use crate::sparse::dense::Dense;
use crate::sparse::memory;
use num_complex::Complex64;
use rayon::prelude::*;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Reads a file, which may be compressed by gzip, within the memory that this machine has.
///
/// # Errors
/// What is wrong with it, and in which line.
pub fn read(path: &Path) -> Result<Market, Diagnostic> {
    let file = path.to_string_lossy();
    let is_folder = path.is_dir();
    let stream = File::open(path).map_err(|e| unreadable(&file, &e))?;
    if is_folder {
        return Err(Diagnostic::error("matrix-unreadable", format!("{file} is a folder"), None));
    }
    from_stream(&file, stream, memory::available())
}

/// Reads a stream, called `file` in messages, within `limit` bytes of memory.
///
/// # Errors
/// As [`read`].
pub fn from_stream(file: &str, stream: impl Read + Send, limit: u64) -> Result<Market, Diagnostic> {
    let mut blocks = open(file, stream).map_err(|e| unreadable(file, &e))?;
    let (header, promise, first) = header::read(&mut blocks)?;
    let input = Input { blocks, rules: Rules::of(&header, &promise), promise, limit };
    match (header.layout, header.field) {
        (Layout::Coordinate, Field::Complex) => input.coordinates::<Complex64>(header, first),
        (Layout::Coordinate, _) => input.coordinates::<f64>(header, first),
        (Layout::Array, Field::Complex) => input.array::<Complex64>(header, first),
        (Layout::Array, _) => input.array::<f64>(header, first),
    }
}

/// A file whose size is known and whose values are not.
struct Input<R> {
    blocks: Blocks<R>,
    rules: Rules,
    promise: Promise,
    limit: u64,
}

/// What has come of a file so far.
struct Gathered<E> {
    chunks: Vec<Vec<E>>,
    n_found: u64,
    halves: [Option<u64>; 2],
    /// Numbers behind the entries.
    behind: Vec<f64>,
    /// Of an array that is half listed: the next column, and the number of the value that begins it.
    diagonal: (u64, u64),
}

impl<R: Read + Send> Input<R> {
    fn coordinates<T: Held>(mut self, header: Header, first: Block) -> Result<Market, Diagnostic> {
        let gathered = self.gather::<Entry<T>>(first)?;
        let rhs = self.rhs(&gathered.behind)?;
        let mirror = header.symmetry.mirror();
        let n_entries = gathered.n_found.checked_mul(if header.symmetry == Symmetry::General { 1 } else { 2 });
        // The memory of the entries themselves has been taken already.
        let needed = n_entries.and_then(|n| csr_bytes::<T>(self.promise.rows, n));
        self.check_memory(
            needed.and_then(|needed| needed.checked_add(gathered.n_found * size_of::<Entry<T>>() as u64)),
        )?;
        let shape = (self.promise.rows as usize, self.promise.cols as usize);
        let sum_fault = |what: &str, code| Diagnostic::error(code, format!("{}: {what}", self.blocks.file), None);
        let made = assemble(shape, gathered.chunks, mirror, header.field == Field::Pattern)
            .map_err(|fault| sum_fault(&fault.message, fault.code))?;
        let is_too_large = |value: &T| header.field == Field::Integer && value.magnitude() > MOST_INTEGER as f64;
        if made.n_duplicates > 0 && made.matrix.data().iter().any(is_too_large) {
            return Err(sum_fault("a sum of entries of the same place is beyond 2^53", "matrix-entry"));
        }
        Ok(Market { header, body: T::sparse(made.matrix), rhs, n_duplicates: made.n_duplicates })
    }

    fn array<T: Held>(mut self, header: Header, first: Block) -> Result<Market, Diagnostic> {
        let gathered = self.gather::<Value<T>>(first)?;
        let (rows, cols) = (self.promise.rows as usize, self.promise.cols as usize);
        let n_values = (rows as u64).checked_mul(cols as u64);
        let both = n_values.and_then(|n| n.checked_add(gathered.n_found)?.checked_mul(size_of::<T>() as u64));
        self.check_memory(both)?;
        let listed = gathered.chunks.into_iter().flatten().map(|value| value.0);
        let values = match header.symmetry {
            Symmetry::General => listed.collect(),
            symmetry => unfold(rows, symmetry, listed),
        };
        Ok(Market { header, body: T::dense(Dense { rows, cols, values }), rhs: None, n_duplicates: 0 })
    }

    /// All entries of the file, each as its line has it.
    fn gather<E: Listed>(&mut self, first: Block) -> Result<Gathered<E>, Diagnostic> {
        let n_ahead = (2 * rayon::current_num_threads()).max(4);
        let mut gathered =
            Gathered { chunks: Vec::new(), n_found: 0, halves: [None; 2], behind: Vec::new(), diagonal: (0, 0) };
        let mut batch = vec![first];
        while !batch.is_empty() {
            let (blocks, rules) = (&mut self.blocks, &self.rules);
            let (parsed, next) = rayon::join(
                || batch.par_iter().map(|block| parse::<E>(block, rules)).collect::<Vec<_>>(),
                || blocks.several(n_ahead),
            );
            for (block, parsed) in batch.iter().zip(parsed) {
                self.absorb(&mut gathered, block, parsed)?;
            }
            self.blocks.recycle(std::mem::replace(&mut batch, next?));
        }
        if gathered.n_found < self.promise.n_listed {
            return Err(self.too_few(gathered.n_found));
        }
        Ok(gathered)
    }

    fn absorb<E: Listed>(
        &self,
        gathered: &mut Gathered<E>,
        block: &Block,
        mut parsed: Parsed<E>,
    ) -> Result<(), Diagnostic> {
        self.take_behind(gathered, block, &mut parsed)?;
        let report = |line: u64, fault: Fault| fault.diagnostic(&self.blocks.file, line, block.line_text(line));
        let halves = [0, 1].map(|half: usize| gathered.halves[half].or(parsed.halves[half]));
        if let [Some(below), Some(above)] = halves {
            return Err(report(below.max(above), both_halves(below, above)));
        }
        gathered.halves = halves;
        let n_missing = self.promise.n_listed - gathered.n_found;
        if parsed.found.len() as u64 > n_missing {
            let line = line_of(block, n_missing as usize);
            let what = if self.is_array() { "value" } else { "entry" };
            let message = format!(
                "one {what} more than the {} that line {} promises",
                self.promise.n_listed, self.promise.place.line
            );
            let range = 0..block.line_text(line).len();
            return Err(report(line, *Fault::new("entry-count", message, range)));
        }
        if let Some((line, fault)) = parsed.fault {
            return Err(report(line, *fault));
        }
        if self.is_array() && self.rules.symmetry == Symmetry::Hermitian {
            self.check_diagonal(gathered, block, &parsed.found)?;
        }
        let mut found = parsed.found;
        gathered.n_found += found.len() as u64;
        self.check_memory(gathered.n_found.checked_mul(size_of::<E>() as u64))?;
        if found.capacity() > 2 * found.len() {
            found.shrink_to_fit();
        }
        gathered.chunks.push(found);
        Ok(())
    }

    /// Takes the lines behind the last entry, where there are vectors: no entries, but a number each.
    fn take_behind<E: Listed>(
        &self,
        gathered: &mut Gathered<E>,
        block: &Block,
        parsed: &mut Parsed<E>,
    ) -> Result<(), Diagnostic> {
        let n_missing = self.promise.n_listed - gathered.n_found;
        if self.promise.vectors.n() == 0 || n_missing > parsed.found.len() as u64 {
            return Ok(());
        }
        let first = n_missing.checked_sub(1).map_or(block.line, |last| line_of(block, last as usize) + 1);
        parsed.found.truncate(n_missing as usize);
        parsed.fault = None;
        let rules = Rules { layout: Layout::Array, field: Field::Real, ..self.rules };
        for (line, text) in (block.line..).zip(block.lines()).skip((first - block.line) as usize) {
            let report = |fault: Box<Fault>| fault.diagnostic(&self.blocks.file, line, text);
            if holds_nothing(text) {
                check_comment(text).map_err(report)?;
            } else {
                gathered.behind.push(Value::<f64>::parse(text, &rules).map_err(report)?.0);
            }
        }
        self.check_memory((gathered.n_found + gathered.behind.len() as u64).checked_mul(size_of::<E>() as u64))
    }

    /// The right-hand side among the numbers behind the entries; a line with their number may precede each vector's.
    fn rhs(&self, behind: &[f64]) -> Result<Option<Vec<f64>>, Diagnostic> {
        let (vectors, rows) = (self.promise.vectors, self.promise.rows as usize);
        let is_counted = behind.len() == vectors.n() * (rows + 1)
            && (0..vectors.n()).all(|which| behind[which * (rows + 1)] == rows as f64);
        if !is_counted && behind.len() != vectors.n() * rows {
            let message = format!(
                "{} numbers stand behind the entries, and AmgX's comment promises {} vectors of {rows} each",
                behind.len(),
                vectors.n()
            );
            return Err(Diagnostic::error("entry-count", message, Some(self.promise.place.clone())));
        }
        Ok(vectors.has_rhs.then(|| behind[usize::from(is_counted)..][..rows].to_vec()))
    }

    /// The values of an array do not know their places: those on the diagonal begin the columns of the half.
    fn check_diagonal<E: Listed>(
        &self,
        gathered: &mut Gathered<E>,
        block: &Block,
        found: &[E],
    ) -> Result<(), Diagnostic> {
        let (column, start) = &mut gathered.diagonal;
        while let Some(value) = found.get((*start - gathered.n_found) as usize).filter(|_| *column < self.rules.rows) {
            if !value.is_real() {
                let line = line_of(block, (*start - gathered.n_found) as usize);
                let text = block.line_text(line);
                return Err(not_hermitian(text).diagnostic(&self.blocks.file, line, text));
            }
            *start += self.rules.rows - *column;
            *column += 1;
        }
        Ok(())
    }

    fn is_array(&self) -> bool {
        self.rules.layout == Layout::Array
    }

    fn check_memory(&self, needed: Option<u64>) -> Result<(), Diagnostic> {
        let what = format!("this {} x {} matrix", self.promise.rows, self.promise.cols);
        memory::check(&what, needed, self.limit)
            .map_err(|fault| Diagnostic { place: Some(self.promise.place.clone()), ..fault })
    }

    fn too_few(&self, n_found: u64) -> Diagnostic {
        let what = if self.is_array() { "values" } else { "entries" };
        let (promised, lines) = (self.promise.n_listed, self.blocks.n_lines());
        let message =
            format!("the file ends after line {lines} with {n_found} of the {promised} {what} that it promises here");
        Diagnostic::error("entry-count", message, Some(self.promise.place.clone()))
            .help("the file was cut off, or its size line is wrong")
    }
}

/// Both halves of a square array of which the lower one is listed.
fn unfold<T: Held>(n: usize, symmetry: Symmetry, mut listed: impl Iterator<Item = T>) -> Vec<T> {
    let mut values = vec![T::default(); n * n];
    for column in 0..n {
        for row in column + usize::from(symmetry == Symmetry::SkewSymmetric)..n {
            let value = listed.next().unwrap_or_default();
            values[row * n + column] = symmetry.mirror().of(value);
            values[column * n + row] = value;
        }
    }
    values
}

fn both_halves(below: u64, above: u64) -> Fault {
    let (here, there, line) = if below > above { ("below", "above", above) } else { ("above", "below", below) };
    let message = format!("an entry {here} the diagonal, and line {line} has one {there} it: only one half is listed");
    *Fault::new("matrix-symmetry", message, 0..usize::MAX)
        .help("if both halves are listed, the first line must say `general`")
}
