//! The system: a square matrix and right-hand sides, and what is wrong with them for a method.
//!
//! ```text
//! A.mtx 3 x 2                          -> error[not-square]: a system has as many equations as unknowns, ...
//! A.mtx with a row of zeros            -> error[singular]: row 7 of the matrix has no entry but zero, ...
//! jacobi, a(3, 3) = 0                  -> error[zero-diagonal]: the diagonal is zero in row 3, by which Jacobi's ...
//! cg, a(1, 2) != a(2, 1)               -> warning[not-symmetric]
//! ```

use super::method::{Precond, Program};
use super::norm::norm;
use super::{Precision, Settings, singular};
use crate::diag::{Diagnostic, Severity};
use crate::sparse::Csr;
use crate::sparse::dense::Dense;
use crate::sparse::generate::random::Random;
use crate::sparse::market::Body;
use crate::sparse::market::read::read;
use crate::sparse::memory;
use std::path::{Path, PathBuf};

/// Where the right-hand side comes from.
#[derive(Debug, Clone, PartialEq)]
pub enum Rhs {
    /// That of the matrix's own file, where AmgX has put one behind the entries; else all ones.
    Own,
    /// All ones.
    Ones,
    /// Random numbers between -1 and 1.
    Random,
    /// Files, with one or more each.
    Files(Vec<PathBuf>),
}

/// A system of equations, for one or more right-hand sides.
#[derive(Debug, Clone, PartialEq)]
pub struct System {
    /// The matrix.
    pub matrix: Csr<f64>,
    /// The right-hand sides, one behind the other.
    pub b: Vec<f64>,
    /// The diagonal, zero where there is no entry.
    pub diagonal: Vec<f64>,
}

impl System {
    /// Reads a system.
    ///
    /// # Errors
    /// Those of reading a file; `not-square`, `empty-system`, `too-many-entries`, `rhs-length`,
    /// `matrix-too-large`.
    pub fn read(matrix: &Path, rhs: &Rhs) -> Result<System, Diagnostic> {
        let mut market = read(matrix)?;
        let own = market.rhs.take();
        let a = market.into_csr().map_err(|fault| of_complex(fault, matrix))?;
        let (rows, cols) = a.shape();
        if rows != cols {
            let message = format!(
                "a system has as many equations as unknowns, and the matrix of {} is {rows} x {cols}",
                matrix.display()
            );
            return Err(Diagnostic::error("not-square", message, None));
        }
        if rows == 0 {
            let message = format!("the matrix of {} has no rows: there is nothing to solve", matrix.display());
            return Err(Diagnostic::error("empty-system", message, None));
        }
        if a.nnz() > i32::MAX as usize {
            let message = format!("the matrix of {} has {} entries", matrix.display(), a.nnz());
            let help = "the solvers count entries by an `int` of C, which holds 2147483647";
            return Err(Diagnostic::error("too-many-entries", message, None).help(help));
        }
        // A file with the system, the program's own arrays, what it computes with.
        let needed = |b: usize| 24 * a.nnz() as u64 + 160 * rows as u64 + 40 * b as u64;
        memory::check("solving this system", Some(needed(rows)), memory::available())?;
        let b = match rhs {
            Rhs::Own => own.unwrap_or_else(|| vec![1.0; rows]),
            Rhs::Ones => vec![1.0; rows],
            Rhs::Random => (0..rows).map(|row| Random::of_row(1, row).value()).collect(),
            Rhs::Files(paths) => {
                let columns: Result<Vec<_>, _> =
                    paths.iter().map(|path| right_hand_sides(path, matrix, rows)).collect();
                columns?.concat()
            }
        };
        memory::check("solving this system", Some(needed(b.len())), memory::available())?;
        let diagonal = diagonal(&a);
        Ok(System { matrix: a, b, diagonal })
    }

    /// A system with ones on its right-hand side.
    pub fn of(matrix: Csr<f64>) -> System {
        let (b, diagonal) = (vec![1.0; matrix.rows()], diagonal(&matrix));
        System { matrix, b, diagonal }
    }

    /// Right-hand sides.
    pub fn n_rhs(&self) -> usize {
        self.b.len() / self.matrix.rows()
    }

    /// One of the right-hand sides, counted from 0.
    pub fn rhs(&self, which: usize) -> &[f64] {
        &self.b[which * self.matrix.rows()..][..self.matrix.rows()]
    }

    /// Its 2-norm.
    pub fn norm_b(&self, which: usize) -> f64 {
        norm(self.rhs(which))
    }

    /// The program for it, or what a method cannot do with the system.
    ///
    /// # Errors
    /// `singular`, `zero-diagonal`, `no-preconditioner`, `not-mixed`.
    pub fn check(&self, settings: &Settings) -> Result<&'static Program, Diagnostic> {
        let method = settings.method;
        let Some(program) = method.program(settings.precond, settings.precision) else {
            if settings.precision == Precision::Mixed {
                let message = match settings.precond {
                    Precond::None | Precond::Jacobi => format!("`{}` has no mixed precision", method.name),
                    precond => format!(
                        "`{}` has no mixed precision with this preconditioner: {}",
                        method.name,
                        precond.title()
                    ),
                };
                let help = "`cg` alone has it, with --precond none, jacobi or auto; --precision double goes with all";
                return Err(Diagnostic::error("not-mixed", message, None).help(help));
            }
            let (message, help) = if method.scaled.is_none() {
                let why = "takes no preconditioner: it divides by the diagonal by itself";
                (format!("`{}` {why}", method.name), "leave out --precond")
            } else {
                let message =
                    format!("`{}` does not go with this preconditioner: {}", method.name, settings.precond.title());
                (message, "`cg` takes amg and ic0, `bicgstab`, `gmres` and `qmr` take ilu0, and all of these jacobi")
            };
            return Err(Diagnostic::error("no-preconditioner", message, None).help(help));
        };
        if let Some((what, at)) = self.empty() {
            let message = format!("{what} {} of the matrix has no entry but zero: the matrix is singular", at + 1);
            return Err(Diagnostic::error("singular", message, None).help("drop that equation and that unknown"));
        }
        if let Some(row) = singular::unmatched_row(&self.matrix) {
            let message = format!(
                "row {} has its entries where other rows need theirs: the matrix is singular, whatever its values are",
                row + 1
            );
            return Err(
                Diagnostic::error("singular", message, None).help("see whether an entry is missing in that row")
            );
        }
        let zero = self.diagonal.iter().position(|d| *d == 0.0);
        if let Some(row) = zero.filter(|_| method.needs_diagonal || settings.precond == Precond::Jacobi) {
            let who = if method.needs_diagonal { method.title } else { "the Jacobi preconditioner" };
            let message = format!("the diagonal is zero in row {}, and {who} divides by it", row + 1);
            let help =
                "reorder the equations so that the diagonal has no zeros, or take `gmres` without a preconditioner";
            return Err(Diagnostic::error("zero-diagonal", message, None).help(help));
        }
        Ok(program)
    }

    /// What a user should know before the answer: a method for symmetric matrices on one that is not.
    pub fn warnings(&self, settings: &Settings) -> Vec<Diagnostic> {
        let method = settings.method;
        if !method.needs_symmetry || self.is_symmetric() {
            return vec![];
        }
        let message = format!("the matrix is not symmetric, and {} may fail on it or go wrong", method.title);
        let warning = Diagnostic::new(Severity::Warning, "not-symmetric", message, None);
        vec![warning.help("`bicgstab` and `gmres` are for matrices that are not symmetric")]
    }

    /// Symmetric, but for the rounding of its values.
    pub fn is_symmetric(&self) -> bool {
        const ROUNDING: f64 = 1e-12;
        let other = self.matrix.transpose_view().to_csr();
        other.indptr() == self.matrix.indptr()
            && other.indices() == self.matrix.indices()
            && other
                .data()
                .iter()
                .zip(self.matrix.data())
                .all(|(a, b)| (a - b).abs() <= ROUNDING * a.abs().max(b.abs()))
    }

    /// A row or column without a value.
    fn empty(&self) -> Option<(&'static str, usize)> {
        let n = self.matrix.rows();
        let (mut rows, mut columns) = (vec![false; n], vec![false; n]);
        for (row, entries) in self.matrix.outer_iterator().enumerate() {
            for (column, _) in entries.iter().filter(|(_, value)| **value != 0.0) {
                rows[row] = true;
                columns[column] = true;
            }
        }
        let first = |full: &[bool]| full.iter().position(|full| !full);
        first(&rows).map(|row| ("row", row)).or_else(|| first(&columns).map(|column| ("column", column)))
    }
}

fn diagonal(a: &Csr<f64>) -> Vec<f64> {
    a.outer_iterator().enumerate().map(|(row, entries)| entries.get(row).copied().unwrap_or(0.0)).collect()
}

/// Contents of a file for a matrix of so many rows: a vector, or a right-hand side in each column.
fn right_hand_sides(path: &Path, matrix: &Path, rows: usize) -> Result<Vec<f64>, Diagnostic> {
    let market = read(path)?;
    let shape = market.shape();
    let length = |what: String| {
        let message = format!("{} has {what}, and the matrix of {} has {rows} rows", path.display(), matrix.display());
        Diagnostic::error("rhs-length", message, None)
    };
    match market.body {
        Body::Dense(_) | Body::Sparse(_) if shape.0 > 1 && shape.1 > 1 && shape.0 != rows => {
            let help = "each column of the file is a right-hand side";
            Err(length(format!("{} rows and {} columns", shape.0, shape.1)).help(help))
        }
        Body::Dense(Dense { rows: own, values, .. }) if own == rows && !values.is_empty() => Ok(values),
        // The matrix itself is named by mistake.
        Body::Sparse(columns) if columns.rows() == rows && columns.cols() > 1 && !is_same_file(path, matrix) => {
            let n_values = 8 * rows as u64 * columns.cols() as u64;
            memory::check("these right-hand sides", Some(n_values), memory::available())?;
            Ok(Dense::of(&columns).values)
        }
        _ => {
            let b = market.into_vector().map_err(|fault| of_file(fault, path))?;
            if b.len() == rows { Ok(b) } else { Err(length(format!("{} values", b.len()))) }
        }
    }
}

fn is_same_file(one: &Path, other: &Path) -> bool {
    let real = |path: &Path| path.canonicalize().ok();
    real(one).is_some_and(|one| Some(one) == real(other))
}

/// Remedy for a matrix of complex numbers.
fn of_complex(fault: Diagnostic, path: &Path) -> Diagnostic {
    if fault.code != "complex-matrix" {
        return fault;
    }
    let message = format!("the values of {} are complex, and the solvers compute with real ones", path.display());
    let help =
        "solve (B + iC)(x + iy) = f + ig as the real system [B -C; C B] [x; y] = [f; g], of twice as many equations";
    Diagnostic { message, ..fault }.help(help)
}

fn of_file(fault: Diagnostic, path: &Path) -> Diagnostic {
    let message = format!("{}: {}", path.display(), fault.message);
    Diagnostic { message, ..fault }
}
