//! A file as blocks of whole lines, each of which can be parsed by itself.

use super::fault::place;
use crate::diag::Diagnostic;
use flate2::read::MultiGzDecoder;
use memchr::{memchr, memchr_iter, memrchr};
use std::io::{self, Read};

/// The bytes of a block. Lines must be shorter.
pub const BLOCK: usize = 1 << 19;

/// Some lines that follow each other.
#[derive(Debug, Default)]
pub struct Block {
    /// Their text. Only the last line of a file may lack its end.
    pub text: Vec<u8>,
    /// The number of the first of them, from 1.
    pub line: u64,
    /// How many they are, at most.
    pub n_lines: usize,
}

impl Block {
    /// The lines, without their ends.
    pub fn lines(&self) -> Lines<'_> {
        Lines { rest: &self.text }
    }

    /// The line of this number, counted through the file.
    pub fn line_text(&self, line: u64) -> &[u8] {
        self.lines().nth((line - self.line) as usize).unwrap_or_default()
    }
}

/// The lines of a text.
pub struct Lines<'t> {
    rest: &'t [u8],
}

impl Lines<'_> {
    /// How many bytes of the text are behind the lines that were taken.
    pub fn n_bytes_left(&self) -> usize {
        self.rest.len()
    }
}

impl<'t> Iterator for Lines<'t> {
    type Item = &'t [u8];

    fn next(&mut self) -> Option<&'t [u8]> {
        if self.rest.is_empty() {
            return None;
        }
        let (line, rest) = match memchr(b'\n', self.rest) {
            Some(end) => (&self.rest[..end], &self.rest[end + 1..]),
            None => (self.rest, &[][..]),
        };
        self.rest = rest;
        Some(line)
    }
}

/// The blocks of a stream.
pub struct Blocks<R> {
    /// What the file is called in messages.
    pub file: String,
    stream: R,
    is_compressed: bool,
    /// Flag: carriage returns alone end its lines.
    has_cr_ends: bool,
    /// The start of a line whose end has not been read.
    begun: Vec<u8>,
    /// Memory for blocks.
    spare: Vec<Vec<u8>>,
    /// The number of the next line, from 1; after the last block, one more than there are lines.
    line: u64,
}

/// Undoes gzip if the stream begins as such a file does.
///
/// # Errors
/// What the stream gives.
pub fn open<'r>(file: &str, mut stream: impl Read + Send + 'r) -> io::Result<Blocks<Box<dyn Read + Send + 'r>>> {
    const GZIP: &[u8] = &[0x1f, 0x8b];
    let mut start = Vec::new();
    stream.by_ref().take(GZIP.len() as u64).read_to_end(&mut start)?;
    let is_compressed = start == GZIP;
    let whole = io::Cursor::new(start).chain(stream);
    let stream: Box<dyn Read + Send> = if is_compressed {
        Box::new(MultiGzDecoder::new(io::BufReader::with_capacity(1 << 16, whole)))
    } else {
        Box::new(whole)
    };
    Ok(Blocks {
        file: file.into(),
        stream,
        is_compressed,
        has_cr_ends: false,
        begun: Vec::new(),
        spare: Vec::new(),
        line: 1,
    })
}

impl<R: Read> Blocks<R> {
    /// The next block; none after the last line.
    ///
    /// # Errors
    /// `matrix-unreadable`, `line-too-long`.
    pub fn next_block(&mut self) -> Result<Option<Block>, Diagnostic> {
        let mut text = self.spare.pop().unwrap_or_else(|| Vec::with_capacity(BLOCK));
        text.append(&mut self.begun);
        let n_begun = text.len();
        let wanted = BLOCK.saturating_sub(n_begun) as u64;
        self.stream.by_ref().take(wanted).read_to_end(&mut text).map_err(|e| self.unreadable(&e, &text))?;
        // Lines end as on an old Macintosh where no line of the first block ends otherwise.
        if self.line == 1 && n_begun == 0 {
            self.has_cr_ends = memchr(b'\n', &text).is_none();
        }
        if self.has_cr_ends {
            text[n_begun..].iter_mut().filter(|byte| **byte == b'\r').for_each(|byte| *byte = b'\n');
        }
        if text.len() >= BLOCK {
            let Some(end) = memrchr(b'\n', &text) else { return Err(self.too_long(&text)) };
            self.begun.extend_from_slice(&text[end + 1..]);
            text.truncate(end + 1);
        }
        if text.is_empty() {
            return Ok(None);
        }
        let line = self.line;
        let n_lines = memchr_iter(b'\n', &text).count() + usize::from(text.last() != Some(&b'\n'));
        self.line += n_lines as u64;
        Ok(Some(Block { text, line, n_lines }))
    }

    /// Takes blocks back, whose memory the next ones then have.
    pub fn recycle(&mut self, blocks: Vec<Block>) {
        self.spare.extend(blocks.into_iter().map(|block| block.text));
        self.spare.iter_mut().for_each(Vec::clear);
    }

    /// Up to `most` blocks; none after the last line.
    ///
    /// # Errors
    /// As [`Blocks::next_block`].
    pub fn several(&mut self, most: usize) -> Result<Vec<Block>, Diagnostic> {
        let mut blocks = Vec::new();
        while blocks.len() < most
            && let Some(block) = self.next_block()?
        {
            blocks.push(block);
        }
        Ok(blocks)
    }

    /// How many lines have been read.
    pub fn n_lines(&self) -> u64 {
        self.line - 1
    }

    fn unreadable(&self, e: &io::Error, begun: &[u8]) -> Diagnostic {
        if self.is_compressed {
            let message = format!(
                "{}: the compressed data are damaged or end early, after line {}: {e}",
                self.file,
                self.n_lines() + memchr_iter(b'\n', begun).count() as u64
            );
            return Diagnostic::error("matrix-unreadable", message, None)
                .help("copy or download the file again; `gzip -t` tells whether it is whole");
        }
        unreadable(&self.file, e)
    }

    fn too_long(&self, text: &[u8]) -> Diagnostic {
        let message = format!(
            "a line of more than {} kB: lines of Matrix Market files have at most 1024 characters",
            BLOCK / 1024
        );
        Diagnostic::error("line-too-long", message, Some(place(&self.file, self.line, text, 0..1)))
    }
}

/// A file that cannot be opened or read.
pub fn unreadable(file: &str, e: &io::Error) -> Diagnostic {
    Diagnostic::error("matrix-unreadable", format!("{file} cannot be read: {e}"), None)
}
