//! Matrices to try things with: made from a kind, a size and a seed; the same words give the same matrix, to the last
//! bit, on every machine.
//!
//! ```text
//! poisson 3              2 -1  .        tridiagonal, from finite differences of -u'' = f
//!                       -1  2 -1
//!                        . -1  2
//! ```

use super::market::Symmetry;
use super::{Csr, MOST_ROWS, assemble, memory};
use crate::diag::Diagnostic;
use random::{arrow, dominant, power_law, random, spd, tridiagonal};

pub mod random;
pub mod rows;
pub mod stencil;

/// What can be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Finite differences of Poisson's equation in one to three dimensions.
    Poisson,
    /// Seven full diagonals, as those of a reservoir simulator.
    Hepta,
    /// Poisson's equation with a wind along all axes.
    ConvectionDiffusion,
    /// Symmetric positive definite, at random places.
    Spd,
    /// Each diagonal entry larger than the rest of its row, at random places.
    Dominant,
    /// Random places and values.
    Random,
    /// Three diagonals of random values.
    Tridiagonal,
    /// The first row, the first column and the diagonal.
    Arrow,
    /// A few rows are very long.
    PowerLaw,
}

impl Kind {
    /// The words for them.
    pub const ALL: &[(&str, Kind)] = &[
        ("poisson", Kind::Poisson),
        ("hepta", Kind::Hepta),
        ("convection-diffusion", Kind::ConvectionDiffusion),
        ("spd", Kind::Spd),
        ("dominant", Kind::Dominant),
        ("random", Kind::Random),
        ("tridiagonal", Kind::Tridiagonal),
        ("arrow", Kind::Arrow),
        ("power-law", Kind::PowerLaw),
    ];

    /// The least and the most sizes that a kind takes.
    fn n_sizes(self) -> (usize, usize) {
        match self {
            Kind::Poisson | Kind::ConvectionDiffusion => (1, 3),
            Kind::Random => (1, 2),
            _ => (1, 1),
        }
    }
}

/// What a matrix is made from. What is `None` has the default that the kind gives it.
#[derive(Debug, Clone, PartialEq)]
pub struct Recipe {
    /// What it is.
    pub kind: Kind,
    /// The points of the grid along each axis, or the rows, and columns if they differ.
    pub sizes: Vec<u64>,
    /// The points of a stencil: of Poisson's equation 3; 5 or 9; 7 or 27.
    pub points: Option<u32>,
    /// The share of the places off the diagonal that have an entry, above 0 and up to 1.
    pub density: Option<f64>,
    /// The mean length of the rows of a power law.
    pub mean: Option<f64>,
    /// The Peclet number of a cell: the wind times half the mesh width.
    pub peclet: Option<f64>,
    /// Where random numbers begin.
    pub seed: u64,
}

impl Recipe {
    /// A recipe without options.
    pub fn new(kind: Kind, sizes: &[u64]) -> Recipe {
        Recipe { kind, sizes: sizes.to_vec(), points: None, density: None, mean: None, peclet: None, seed: 1 }
    }
}

/// A matrix that was made.
#[derive(Debug, Clone, PartialEq)]
pub struct Generated {
    /// The matrix.
    pub matrix: Csr<f64>,
    /// Flag: it is symmetric.
    pub symmetry: Symmetry,
}

/// Makes a matrix within `limit` bytes of memory.
///
/// # Errors
/// `generate-option`, `generate-size`, `matrix-too-large`.
pub fn generate(recipe: &Recipe, limit: u64) -> Result<Generated, Diagnostic> {
    let &Recipe { kind, seed, .. } = recipe;
    check_options(recipe)?;
    let n_rows = check_sizes(recipe)?;
    let density = recipe.density.unwrap_or((10.0 / n_rows as f64).min(1.0));
    let mean = recipe.mean.unwrap_or(8.0);
    let wind = recipe.peclet.unwrap_or(0.5);
    let cols = recipe.sizes.last().copied().filter(|_| kind == Kind::Random).unwrap_or(n_rows);
    let row_length = match kind {
        Kind::Poisson | Kind::ConvectionDiffusion | Kind::Hepta => {
            27.0f64.min(3f64.powi(recipe.sizes.len() as i32)).max(7.0)
        }
        Kind::Spd | Kind::Dominant | Kind::Random => 2.0 + density * cols as f64,
        Kind::Tridiagonal | Kind::Arrow => 3.0,
        Kind::PowerLaw => 2.0 + mean,
    };
    // Twice: parts are made side by side, and then joined; or entries are assembled.
    let n_entries = (n_rows as f64 * row_length) as u64;
    let needed = assemble::csr_bytes::<f64>(n_rows, n_entries).and_then(|bytes| bytes.checked_mul(2));
    memory::check(&format!("a matrix of {n_rows} rows and some {n_entries} entries"), needed, limit)?;
    let n = n_rows as usize;
    let (matrix, symmetry) = match kind {
        Kind::Poisson => (stencil::poisson(&recipe.sizes, recipe.points)?, Symmetry::Symmetric),
        Kind::Hepta => (stencil::hepta(n), Symmetry::Symmetric),
        Kind::ConvectionDiffusion => (stencil::convection_diffusion(&recipe.sizes, wind), Symmetry::General),
        Kind::Spd => (spd(n, density, seed)?, Symmetry::Symmetric),
        Kind::Dominant => (dominant(n, density, seed), Symmetry::General),
        Kind::Random => (random(n, cols as usize, density, seed), Symmetry::General),
        Kind::Tridiagonal => (tridiagonal(n, seed), Symmetry::General),
        Kind::Arrow => (arrow(n), Symmetry::Symmetric),
        Kind::PowerLaw => (power_law(n, mean, seed), Symmetry::General),
    };
    Ok(Generated { matrix, symmetry })
}

/// An option that the kind does not know, or a value that it cannot have.
fn check_options(recipe: &Recipe) -> Result<(), Diagnostic> {
    let kind = recipe.kind;
    let name = super::market::word(Kind::ALL, kind);
    let known = [
        ("--points", recipe.points.is_some(), kind == Kind::Poisson),
        ("--density", recipe.density.is_some(), matches!(kind, Kind::Spd | Kind::Dominant | Kind::Random)),
        ("--mean", recipe.mean.is_some(), kind == Kind::PowerLaw),
        ("--peclet", recipe.peclet.is_some(), kind == Kind::ConvectionDiffusion),
    ];
    if let Some((option, ..)) = known.iter().find(|(_, is_given, is_known)| *is_given && !is_known) {
        let message = format!("{option} means nothing for a matrix of kind {name}");
        return Err(Diagnostic::error("generate-option", message, None));
    }
    let impossible = |option: &str, value: f64, what: &str| {
        Diagnostic::error("generate-option", format!("{option} {value}: it is {what}"), None)
    };
    if let Some(density) = recipe.density.filter(|density| !(*density > 0.0 && *density <= 1.0)) {
        return Err(impossible("--density", density, "above 0 and at most 1"));
    }
    if let Some(mean) = recipe.mean.filter(|mean| !(*mean >= 1.0 && mean.is_finite())) {
        return Err(impossible("--mean", mean, "at least 1 entry a row"));
    }
    if let Some(peclet) = recipe.peclet.filter(|peclet| !peclet.is_finite()) {
        return Err(impossible("--peclet", peclet, "a finite number"));
    }
    Ok(())
}

/// The number of rows.
fn check_sizes(recipe: &Recipe) -> Result<u64, Diagnostic> {
    let (least, most) = recipe.kind.n_sizes();
    let n_sizes = recipe.sizes.len();
    let name = super::market::word(Kind::ALL, recipe.kind);
    if n_sizes < least || n_sizes > most {
        let takes = if least == most { format!("{least} size") } else { format!("{least} to {most} sizes") };
        let message = format!("a matrix of kind {name} takes {takes}, not {n_sizes}");
        return Err(Diagnostic::error("generate-size", message, None));
    }
    let is_grid = recipe.kind != Kind::Random;
    let n_rows = if is_grid {
        recipe.sizes.iter().try_fold(1u64, |product, size| product.checked_mul(*size))
    } else {
        recipe.sizes.iter().copied().max()
    };
    match n_rows.filter(|rows| (1..=MOST_ROWS).contains(rows)).filter(|_| !recipe.sizes.contains(&0)) {
        Some(_) if !is_grid => Ok(recipe.sizes[0]),
        Some(rows) => Ok(rows),
        None => {
            let message = format!("a matrix has 1 to {MOST_ROWS} rows and columns");
            Err(Diagnostic::error("generate-size", message, None))
        }
    }
}
