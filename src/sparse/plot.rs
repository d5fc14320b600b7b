//! The pattern of a matrix as a picture: places without entries are white, the more entries a cell of the picture has
//! the darker it is. Nothing is so rare that it is not seen.

use super::Csr;
use crate::diag::Diagnostic;
use plotters::prelude::*;
use std::fmt::Display;
use std::path::Path;

/// The cells along the longer side, at most.
const MOST_CELLS: usize = 256;
/// The pixels along the longer side, about.
const PIXELS: usize = 768;
/// White around the matrix, and its frame.
const MARGIN: i32 = 8;

/// Draws a pattern as SVG or PNG, as the name of the file says.
///
/// # Errors
/// `plot-format` for another name, `plot-unwritable`.
pub fn plot<T>(matrix: &Csr<T>, path: &Path) -> Result<(), Diagnostic> {
    write(&Picture::of(matrix), path)
}

/// What can be drawn.
pub trait Drawing {
    /// Its width and height in pixels.
    fn size(&self) -> (u32, u32);

    /// Draws it.
    ///
    /// # Errors
    /// What the backend says.
    fn draw<B: DrawingBackend>(&self, backend: B) -> Result<(), String>;
}

/// What a picture is written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Lines and areas.
    Svg,
    /// Pixels.
    Png,
}

/// What the name of a file says that it is.
///
/// # Errors
/// `plot-format`.
pub fn format(path: &Path) -> Result<Format, Diagnostic> {
    let ending = path.extension().unwrap_or_default().to_ascii_lowercase();
    match ending.to_str() {
        Some("svg") => Ok(Format::Svg),
        Some("png") => Ok(Format::Png),
        _ => {
            let message = format!("{}: a plot is SVG or PNG", path.display());
            Err(Diagnostic::error("plot-format", message, None).help("name the file *.svg or *.png"))
        }
    }
}

/// Writes a drawing as SVG or PNG, as the name of the file says.
///
/// # Errors
/// As [`plot`].
pub fn write(picture: &impl Drawing, path: &Path) -> Result<(), Diagnostic> {
    let drawn = match format(path)? {
        Format::Svg => {
            let mut text = String::new();
            let drawn = picture.draw(SVGBackend::with_string(&mut text, picture.size()));
            drawn.and_then(|()| std::fs::write(path, text).map_err(|e| e.to_string()))
        }
        Format::Png => picture.draw(BitMapBackend::new(path, picture.size())),
    };
    drawn.map_err(|e| {
        Diagnostic::error("plot-unwritable", format!("the plot {} cannot be written: {e}", path.display()), None)
    })
}

/// The entries of each cell.
struct Picture {
    rows: usize,
    cols: usize,
    /// The pixels of a cell along a side.
    scale: usize,
    counts: Vec<u64>,
}

impl Picture {
    fn of<T>(matrix: &Csr<T>) -> Picture {
        let longer = matrix.rows().max(matrix.cols()).max(1);
        let cells = longer.min(MOST_CELLS);
        // Shapes differ: the shorter side has its share of the cells, and at least one.
        let share = |side: usize| (side * cells).div_ceil(longer).max(1);
        let (rows, cols) = (share(matrix.rows()), share(matrix.cols()));
        let mut counts = vec![0; rows * cols];
        for (_, (row, column)) in matrix.iter() {
            let cell = |place: u32| place as usize * cells / longer;
            counts[cell(row) * cols + cell(column)] += 1;
        }
        Picture { rows, cols, scale: (PIXELS / cells).max(1), counts }
    }

    /// How dark a cell is, in eighths: entries differ by orders of magnitude, so their logarithm counts.
    fn shade(&self, count: u64, most: u64) -> u64 {
        if count == 0 { 0 } else { 3 + 5 * u64::from(count.ilog2()) / u64::from(most.ilog2().max(1)) }
    }
}

impl Drawing for Picture {
    fn size(&self) -> (u32, u32) {
        let side = |cells: usize| (cells * self.scale) as u32 + 2 * MARGIN as u32;
        (side(self.cols), side(self.rows))
    }

    fn draw<B: DrawingBackend>(&self, backend: B) -> Result<(), String> {
        let area = backend.into_drawing_area();
        area.fill(&WHITE).map_err(text)?;
        let most = self.counts.iter().copied().max().unwrap_or(0).max(1);
        let scale = self.scale as i32;
        for (row, counts) in self.counts.chunks(self.cols).enumerate() {
            let shades: Vec<u64> = counts.iter().map(|count| self.shade(*count, most).min(8)).collect();
            let mut column = 0;
            // Cells of one shade that follow each other are one rectangle.
            for run in shades.chunk_by(|a, b| a == b) {
                let (left, top) = (MARGIN + column as i32 * scale, MARGIN + row as i32 * scale);
                let right = left + run.len() as i32 * scale;
                if run[0] > 0 {
                    let light = 255 - (run[0] * 31) as u8;
                    let colour = RGBColor(light / 2, light, light.max(110)).filled();
                    area.draw(&Rectangle::new([(left, top), (right, top + scale)], colour)).map_err(text)?;
                }
                column += run.len();
            }
        }
        let (width, height) = self.size();
        let corners = [(MARGIN - 1, MARGIN - 1), (width as i32 - MARGIN, height as i32 - MARGIN)];
        area.draw(&Rectangle::new(corners, BLACK)).map_err(text)?;
        area.present().map_err(text)
    }
}

/// An error of a backend.
pub fn text(e: impl Display) -> String {
    e.to_string()
}
