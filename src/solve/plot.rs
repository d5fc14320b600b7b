//! The convergence of a solver as a picture: the residual against the right-hand side, over the iterations, with a line
//! where the tolerance is. Each power of ten has a line of its own; numbers are drawn as strokes, for a backend without
//! fonts.
//!
//! ```text
//! 0  |\
//!    | \__
//! -8 |____\___        the exponents of ten; the iterations below
//!    0       23
//! ```

use super::Solved;
use crate::diag::Diagnostic;
use crate::sparse::plot::{Drawing, text, write};
use plotters::prelude::*;
use std::path::Path;

/// The pixels of the picture, and around the curve.
const SIZE: (u32, u32) = (800, 500);
const MARGIN: (i32, i32) = (64, 40);
/// The pixels of a digit, and from one to the next.
const DIGIT: (i32, i32) = (7, 12);
const ADVANCE: i32 = 11;
/// About so many lines with a number, along a side.
const N_LINES: i64 = 10;

/// Colours of curves, in their order, and what they are called; further curves begin again.
pub const COLOURS: [(RGBColor, &str); 6] = [
    (RGBColor(20, 70, 160), "blue"),
    (RGBColor(230, 130, 20), "orange"),
    (RGBColor(40, 140, 60), "green"),
    (RGBColor(130, 60, 160), "purple"),
    (RGBColor(120, 80, 50), "brown"),
    (RGBColor(110, 110, 110), "grey"),
];

/// Draws the histories of some solutions as SVG or PNG, as the name of the file says.
///
/// # Errors
/// `plot-format` for another name, `plot-unwritable`.
pub fn plot(solved: &[&Solved], tolerance: f64, path: &Path) -> Result<(), Diagnostic> {
    write(&Curves::of(solved, tolerance), path)
}

/// The decimal logarithms of the residuals that are numbers, by iteration, of each solution.
struct Curves {
    curves: Vec<Vec<(usize, f64)>>,
    tolerance: f64,
    iterations: usize,
    /// The powers of ten at the lower and the upper edge.
    low: i64,
    high: i64,
}

impl Curves {
    fn of(solved: &[&Solved], tolerance: f64) -> Curves {
        let curves: Vec<Vec<(usize, f64)>> = solved.iter().map(|one| logarithms(one)).collect();
        let tolerance = tolerance.log10();
        let all = || curves.iter().flatten().map(|(_, y)| *y).chain([tolerance, 0.0]);
        let low = all().fold(f64::INFINITY, f64::min).floor() as i64;
        let high = all().fold(f64::NEG_INFINITY, f64::max).ceil() as i64;
        let iterations = solved.iter().map(|one| one.iterations).max().unwrap_or(0).max(1);
        Curves { curves, tolerance, iterations, low, high: high.max(low + 1) }
    }

    fn x(&self, iteration: usize) -> i32 {
        let width = f64::from(SIZE.0 as i32 - 2 * MARGIN.0);
        MARGIN.0 + (width * iteration as f64 / self.iterations as f64) as i32
    }

    fn y(&self, logarithm: f64) -> i32 {
        let height = f64::from(SIZE.1 as i32 - 2 * MARGIN.1);
        MARGIN.1 + (height * (self.high as f64 - logarithm) / (self.high - self.low) as f64) as i32
    }
}

impl Drawing for Curves {
    fn size(&self) -> (u32, u32) {
        SIZE
    }

    fn draw<B: DrawingBackend>(&self, backend: B) -> Result<(), String> {
        let area = backend.into_drawing_area();
        area.fill(&WHITE).map_err(text)?;
        let line =
            |points: Vec<(i32, i32)>, style: ShapeStyle| area.draw(&PathElement::new(points, style)).map_err(text);
        let (left, right) = (self.x(0), self.x(self.iterations));
        let (top, bottom) = (self.y(self.high as f64), self.y(self.low as f64));
        let pale = RGBColor(220, 220, 220).stroke_width(1);
        for exponent in marks(self.low, self.high) {
            let y = self.y(exponent as f64);
            line(vec![(left, y), (right, y)], pale)?;
            let number = exponent.to_string();
            let x = left - ADVANCE * (number.len() as i32 + 1);
            strokes(&number, (x, y - DIGIT.1 / 2)).into_iter().try_for_each(|s| line(s, BLACK.stroke_width(1)))?;
        }
        for iteration in marks(0, self.iterations as i64) {
            let x = self.x(iteration as usize);
            line(vec![(x, top), (x, bottom)], pale)?;
            let number = iteration.to_string();
            let place = (x - ADVANCE * number.len() as i32 / 2, bottom + DIGIT.1);
            strokes(&number, place).into_iter().try_for_each(|s| line(s, BLACK.stroke_width(1)))?;
        }
        let y = self.y(self.tolerance);
        line(vec![(left, y), (right, y)], RGBColor(200, 60, 40).stroke_width(1))?;
        line(vec![(left, top), (left, bottom), (right, bottom)], BLACK.stroke_width(1))?;
        for (points, (colour, _)) in self.curves.iter().zip(COLOURS.iter().cycle()) {
            let curve = points.iter().map(|&(k, logarithm)| (self.x(k), self.y(logarithm))).collect();
            line(curve, colour.stroke_width(2))?;
        }
        area.present().map_err(text)
    }
}

fn logarithms(solved: &Solved) -> Vec<(usize, f64)> {
    let all = solved.residuals().map(|residual| residual.over(solved.norm_b).log10()).enumerate();
    all.filter(|(_, y)| y.is_finite()).collect()
}

/// Round numbers from `low` to `high`, at most about [`N_LINES`].
fn marks(low: i64, high: i64) -> impl Iterator<Item = i64> {
    let rounds = (0..).flat_map(|power| [1, 2, 5].map(|digit: i64| digit.saturating_mul(10_i64.saturating_pow(power))));
    let step = rounds.take(50).find(|step| (high - low) / step <= N_LINES).unwrap_or(i64::MAX);
    let first = low.div_euclid(step) + i64::from(low.rem_euclid(step) > 0);
    (first..=high.div_euclid(step)).map(move |k| k * step)
}

/// A whole number as strokes, its upper left corner at a place: the segments of a pocket calculator.
fn strokes(number: &str, (left, top): (i32, i32)) -> Vec<Vec<(i32, i32)>> {
    let mut out = vec![];
    for (k, digit) in (0..).zip(number.chars()) {
        let (x, right) = (left + k * ADVANCE, left + k * ADVANCE + DIGIT.0);
        let (middle, bottom) = (top + DIGIT.1 / 2, top + DIGIT.1);
        let all = [
            [(x, top), (right, top)],
            [(right, top), (right, middle)],
            [(right, middle), (right, bottom)],
            [(x, bottom), (right, bottom)],
            [(x, middle), (x, bottom)],
            [(x, top), (x, middle)],
            [(x, middle), (right, middle)],
        ];
        let lit: &[usize] = match digit {
            '0' => &[0, 1, 2, 3, 4, 5],
            '1' => &[1, 2],
            '2' => &[0, 1, 6, 4, 3],
            '3' => &[0, 1, 6, 2, 3],
            '4' => &[5, 6, 1, 2],
            '5' => &[0, 5, 6, 2, 3],
            '6' => &[0, 5, 4, 3, 2, 6],
            '7' => &[0, 1, 2],
            '8' => &[0, 1, 2, 3, 4, 5, 6],
            '9' => &[6, 5, 0, 1, 2, 3],
            _ => &[6],
        };
        out.extend(lit.iter().map(|segment| all[*segment].to_vec()));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_round_and_few() {
        assert_eq!(marks(-9, 1).collect::<Vec<_>>(), (-9..=1).collect::<Vec<_>>());
        assert_eq!(marks(0, 23).collect::<Vec<_>>(), [0, 5, 10, 15, 20]);
        assert_eq!(marks(0, 1000).count(), 11);
        assert_eq!(marks(0, 10_000_000).count(), 11);
        assert_eq!(marks(-3, 30).collect::<Vec<_>>(), [0, 5, 10, 15, 20, 25, 30]);
    }

    #[test]
    fn digits_are_strokes() {
        assert_eq!(strokes("-1", (0, 0)).len(), 3);
        assert_eq!(strokes("8", (0, 0)).len(), 7);
    }
}
