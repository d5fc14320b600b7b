//! Matrices of finite differences: the same few diagonals in every row, cut off where the grid ends (Dirichlet).
//!
//! | points | 1-D | 2-D | 3-D |
//! | --- | --- | --- | --- |
//! | 3 | `-1 2 -1` | | |
//! | 5 | | `4`, neighbours `-1` | |
//! | 9 | | `20`, neighbours `-4`, corners `-1`: the compact form of fourth order | |
//! | 7 | | | `6`, neighbours `-1` |
//! | 27 | | | `26`, all around `-1`: as in the HPCG benchmark |

use super::rows::by_rows;
use crate::diag::Diagnostic;
use crate::sparse::Csr;

/// A neighbour: how far along x, y and z, and its value.
type Point = ([i64; 3], f64);

/// Poisson's equation on a grid of one to three dimensions, x running fastest.
///
/// # Errors
/// `generate-option` for a number of points that the dimension does not have.
pub fn poisson(sizes: &[u64], points: Option<u32>) -> Result<Csr<f64>, Diagnostic> {
    let value: fn(i64) -> f64 = match (sizes.len(), points) {
        (1, None | Some(3)) => |distance| if distance == 0 { 2.0 } else { -1.0 },
        (2, None | Some(5)) => |distance| [4.0, -1.0, 0.0][distance as usize],
        (2, Some(9)) => |distance| [20.0, -4.0, -1.0][distance as usize],
        (3, None | Some(7)) => |distance| [6.0, -1.0, 0.0, 0.0][distance as usize],
        (3, Some(27)) => |distance| if distance == 0 { 26.0 } else { -1.0 },
        (dimensions, points) => {
            let has = ["3", "5 or 9", "7 or 27"][dimensions.clamp(1, 3) - 1];
            let message = format!("--points {}: in {dimensions} dimensions it is {has}", points.unwrap_or(0));
            return Err(Diagnostic::error("generate-option", message, None));
        }
    };
    let mut neighbours: Vec<Point> = Vec::new();
    let reach = |axis: usize| if axis < sizes.len() { -1..=1 } else { 0..=0 };
    for z in reach(2) {
        for y in reach(1) {
            for x in reach(0) {
                let distance = [x, y, z].iter().filter(|step| **step != 0).count() as i64;
                neighbours.push(([x, y, z], value(distance)));
            }
        }
    }
    neighbours.retain(|(_, value)| *value != 0.0);
    Ok(on_grid(sizes, &neighbours))
}

/// `-laplace(u) + wind * grad(u)` by central differences, scaled by the square of the mesh width; `peclet` is the wind
/// times half the mesh width, the same along all axes. Up to 1 in magnitude, the matrix is an M-matrix.
pub fn convection_diffusion(sizes: &[u64], peclet: f64) -> Csr<f64> {
    let unit = |axis: usize, step: i64| [0, 1, 2].map(|other| if other == axis { step } else { 0 });
    let axes = 0..sizes.len();
    let before = axes.clone().rev().map(|axis| (unit(axis, -1), -1.0 - peclet));
    let after = axes.map(|axis| (unit(axis, 1), -1.0 + peclet));
    let middle = ([0; 3], 2.0 * sizes.len() as f64);
    let neighbours: Vec<Point> = before.chain([middle]).chain(after).collect();
    on_grid(sizes, &neighbours)
}

/// The rows of all points of a grid. Neighbours are in the order of their numbers.
fn on_grid(sizes: &[u64], neighbours: &[Point]) -> Csr<f64> {
    let size = |axis: usize| sizes.get(axis).map_or(1, |size| *size as i64);
    let sizes = [size(0), size(1), size(2)];
    let n = (sizes[0] * sizes[1] * sizes[2]) as usize;
    by_rows(n, n, |row, entries| {
        let row = row as i64;
        let at = [row % sizes[0], row / sizes[0] % sizes[1], row / sizes[0] / sizes[1]];
        for (step, value) in neighbours {
            if (0..3).all(|axis| (0..sizes[axis]).contains(&(at[axis] + step[axis]))) {
                let neighbour = row + step[0] + sizes[0] * (step[1] + sizes[1] * step[2]);
                entries.push((neighbour as u32, *value));
            }
        }
    })
}

/// Seven diagonals without gaps, for any number of rows, as the hepta-diagonal matrices of rt-cuda (section 4.5): `6` on
/// the diagonal and `-1` on those at 1, p and p^2 from it, where p is the cube root of the rows. Symmetric positive
/// definite.
pub fn hepta(n: usize) -> Csr<f64> {
    let p = (2..).take_while(|p: &usize| p * p * p <= n).last().unwrap_or(2);
    let steps = [1, p, p * p];
    by_rows(n, n, |row, entries| {
        let before = steps.iter().rev().filter_map(|step| row.checked_sub(*step));
        entries.extend(before.map(|column| (column as u32, -1.0)));
        entries.push((row as u32, 6.0));
        let after = steps.iter().map(|step| row + step).filter(|column| *column < n);
        entries.extend(after.map(|column| (column as u32, -1.0)));
    })
}
