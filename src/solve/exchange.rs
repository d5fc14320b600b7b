//! The files that a solver reads its system from and writes its answer to; `templates/solve/driver.c` is the other side.
//!
//! `real` is `double`, or `float` in single precision. In mixed precision without a preconditioner, 1 / diagonal is a power of
//! four by which the entries of the matrix fit into `float`.
//!
//! ```text
//! system: n, entries, most, warm, restart, right-hand sides (64 bits each), tolerance, omega, repeat seconds
//!         | start[n + 1] | column | value | 1 / diagonal (real) | b, one behind the other (real)
//! answer, of each right-hand side in turn: steps, broken, interrupted, repeats, restarts (64 bits each), seconds, idle seconds,
//!         setup seconds, begin and end of the repeats | x (real) | residuals (double)
//! history: the right-hand side that is solved for, counted from 0 (double) | residuals (double), then zeros, as many as there
//!         may be iterations
//! ```
//! Numbers are as the machine stores them. The history is the solver's memory: what it writes there is in the file at once.
//! A solver that is asked to stop ([`watch`](super::watch)) writes an answer of what it has.
//!
//! On a GPU a thread of the solver's fetches the residuals several times a second while a kernel makes them.

use super::method::Precond;
use super::program::Built;
use super::system::System;
use super::watch::{HowFar, Watch, wait};
use super::{Precision, Settings};
use crate::diag::{Diagnostic, Stop};
use crate::runtime::energy::Span;
use crate::runtime::run::in_words;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::process::{Command, Stdio};

/// Calls without an iteration before the one that counts: on a GPU the first one makes the context.
const WARM_ON_GPU: i64 = 4;
const WARM_ON_CPU: i64 = 1;

/// What a solver wrote.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// Flag: the method could not go on.
    pub is_broken: bool,
    /// How often it started anew, from the true residual.
    pub restarts: usize,
    /// Test that it was asked to stop, and did before its end.
    pub is_interrupted: bool,
    /// Seconds of the whole call, and of one without an iteration.
    pub seconds: f64,
    /// See `seconds`.
    pub idle_seconds: f64,
    /// Seconds in what is made of the matrix before, where the solver tells them apart; else zero.
    pub setup_seconds: f64,
    /// When it ran again and again, where it was to.
    pub repeated: Option<Repeated>,
    /// The solution.
    pub x: Vec<f64>,
    /// The norm of the residual before the first iteration and after each.
    pub history: Vec<f64>,
}

/// Runs of a solver, one behind the other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Repeated {
    /// From the begin of the first to the end of the last, by the system's clock.
    pub span: Span,
    /// Their number.
    pub times: u64,
}

/// Runs a solver for the first `n_rhs` right-hand sides. Asked to stop before its first iteration, it makes none; there are no
/// answers for those that it had not begun with.
///
/// # Errors
/// `no-memory` and `pivot` where it says so; `killed`; a solver that fails otherwise is a fault of this tool.
pub fn run(
    built: &Built,
    system: &System,
    n_rhs: usize,
    settings: &Settings,
    folder: &Path,
    watch: &Watch,
) -> Result<Vec<Answer>, Stop> {
    let [input, output, residuals, words] = ["system", "answer", "history", "words"].map(|name| folder.join(name));
    let n_warm = if built.is_gpu { WARM_ON_GPU } else { WARM_ON_CPU };
    let unwritable = |e: io::Error| {
        Diagnostic::error("temporary-file", format!("{} cannot be written: {e}", input.display()), None)
            .help("see whether there is space; TMPDIR names another folder for temporary files")
    };
    put(&input, system, n_rhs, settings, n_warm).map_err(unwritable)?;
    let bug = |what: String| Stop::Bug(format!("the solver {}: {what}", settings.method.name));
    let mut solver = Command::new(&built.path);
    solver.args([&input, &output, &residuals]).stdin(Stdio::null()).stdout(Stdio::null());
    // Threads of a setup that wait by sleeping leave the cores to who else needs them.
    solver.stderr(File::create(&words).map_err(unwritable)?).env("OMP_WAIT_POLICY", "passive");
    let tell = |spent, is_stopping| {
        // Until the solver has made the file, nothing is known.
        let known = File::open(&residuals).and_then(|file| last_of(&file, settings.most as usize));
        let (rhs, last) = known.unwrap_or((0, None));
        (watch.tell)(HowFar { spent, rhs: (rhs, n_rhs), last, is_gpu: built.is_gpu, is_stopping });
    };
    // The solver makes the file when it hears signals.
    let status = wait(&mut solver, watch, &|| residuals.exists(), &tell)?;
    if !status.success() {
        let words = fs::read(&words).unwrap_or_default();
        let message = format!("the solver ended with {}", in_words(status));
        return Err(Diagnostic::error("solver-failed", message, None)
            .note(None, String::from_utf8_lossy(&words).trim_end().to_owned())
            .help("most likely memory: the system must fit into that of the host, and of the device it runs on")
            .into());
    }
    let bytes = fs::read(&output).map_err(|e| bug(format!("no answer: {e}")))?;
    let (mut answers, mut rest) = (vec![], &bytes[..]);
    while answers.is_empty() || !rest.is_empty() {
        let (written, after) =
            get(rest, system.matrix.rows(), settings.precision).ok_or_else(|| bug("an answer cut short".into()))?;
        answers.push(accepted(written, settings)?);
        rest = after;
    }
    Ok(answers)
}

/// An answer, or why there is none.
fn accepted(written: Written, settings: &Settings) -> Result<Answer, Stop> {
    match written {
        Written::Answer(answer) => Ok(answer),
        Written::NoMemory => {
            let message = "the solver found no memory for its vectors";
            Err(Diagnostic::error("no-memory", message, None).help("use a machine with more memory").into())
        }
        Written::Pivot(row) => {
            let message = match settings.precond {
                Precond::Amg => format!("multigrid needs a positive diagonal, and that of row {row} is not"),
                Precond::Ilu0 => format!("the incomplete factorisation fails in row {row}: its pivot is zero"),
                _ => format!("the incomplete factorisation fails in row {row}: its pivot is not positive"),
            };
            let help = "the matrix may be indefinite, or too far from dominated by its diagonal to be factored without \
                        fill-in: try --precond jacobi, or `gmres`";
            Err(Diagnostic::error("pivot", message, None).help(help).into())
        }
    }
}

/// The right-hand side that is solved for, and the last residual of a history that has zeros from some place on, with the
/// number of its iteration.
fn last_of(history: &File, most: usize) -> io::Result<(usize, Option<(usize, f64)>)> {
    let word = |place: usize| {
        let mut word = [0; 8];
        history.read_exact_at(&mut word, 8 * place as u64).map(|()| f64::from_ne_bytes(word))
    };
    let rhs = word(0)? as usize;
    let at = |k: usize| word(1 + k);
    let (mut known, mut end) = (0, most + 1);
    while known < end {
        let middle = usize::midpoint(known, end);
        if at(middle)? == 0.0 {
            end = middle;
        } else {
            known = middle + 1;
        }
    }
    let Some(last) = known.checked_sub(1) else { return Ok((rhs, None)) };
    Ok((rhs, Some((last, at(last)?))))
}

fn put(path: &Path, system: &System, n_rhs: usize, settings: &Settings, n_warm: i64) -> io::Result<()> {
    let mut out = BufWriter::with_capacity(1 << 20, File::create(path)?);
    let matrix = &system.matrix;
    let (n, entries) = (matrix.rows() as i64, matrix.nnz() as i64);
    for number in [n, entries, settings.most.into(), n_warm, settings.restart.into(), n_rhs as i64] {
        out.write_all(&number.to_ne_bytes())?;
    }
    for number in [settings.tolerance, settings.omega, settings.repeat_seconds] {
        out.write_all(&number.to_ne_bytes())?;
    }
    // Both fit: `System::read` has counted.
    for start in matrix.indptr().raw_storage() {
        out.write_all(&(*start as i32).to_ne_bytes())?;
    }
    for column in matrix.indices() {
        out.write_all(&(*column as i32).to_ne_bytes())?;
    }
    let is_scaled = settings.precond == Precond::Jacobi || settings.method.needs_diagonal;
    let even = if settings.precision == Precision::Mixed { inverse_size(matrix.data()) } else { 1.0 };
    let inverse = system.diagonal.iter().map(|d| if is_scaled { 1.0 / d } else { even });
    let b = (0..n_rhs).flat_map(|which| system.rhs(which));
    for value in matrix.data().iter().copied().chain(inverse).chain(b.copied()) {
        match settings.precision {
            Precision::Double | Precision::Mixed => out.write_all(&value.to_ne_bytes())?,
            Precision::Single => out.write_all(&(value as f32).to_ne_bytes())?,
        }
    }
    out.flush()
}

/// A power of four by which the largest number comes near to 1: the solver takes its root, and nothing is rounded.
fn inverse_size(values: &[f64]) -> f64 {
    let largest = values.iter().fold(0.0_f64, |most, value| most.max(value.abs()));
    if largest > 0.0 { 4.0_f64.powi(-(largest.log2() / 2.0).round().clamp(-511.0, 511.0) as i32) } else { 1.0 }
}

/// What the file says.
enum Written {
    Answer(Answer),
    NoMemory,
    /// The row whose pivot stopped a factorisation, counted from 1.
    Pivot(i64),
}

/// One answer, and what is behind it; `None` where it is not whole.
fn get(bytes: &[u8], n: usize, precision: Precision) -> Option<(Written, &[u8])> {
    const HEADER: usize = 10 * 8;
    let (header, rest) = bytes.split_at_checked(HEADER)?;
    let words = numbers::<8>(header);
    let whole = |at: usize| i64::from_ne_bytes(words[at]);
    let (steps, broken) = (whole(0), whole(1));
    if steps < 0 {
        return Some((Written::NoMemory, &[]));
    }
    if broken < 0 {
        return Some((Written::Pivot(-broken), &[]));
    }
    let real = |at: usize| f64::from_ne_bytes(words[at]);
    let times = u64::try_from(whole(3)).ok().filter(|times| *times > 0);
    let n_residuals = usize::try_from(steps).ok()?.checked_add(1)?;
    let (x, rest) = rest.split_at_checked(n * precision.outer_size())?;
    let (residuals, rest) = rest.split_at_checked(n_residuals.checked_mul(8)?)?;
    let answer = Answer {
        is_broken: broken != 0,
        restarts: usize::try_from(whole(4)).ok()?,
        is_interrupted: whole(2) != 0,
        seconds: real(5),
        idle_seconds: real(6),
        setup_seconds: real(7),
        repeated: times.map(|times| Repeated { span: (real(8), real(9)), times }),
        x: match precision {
            Precision::Double | Precision::Mixed => numbers(x).into_iter().map(f64::from_ne_bytes).collect(),
            Precision::Single => numbers(x).into_iter().map(|word| f32::from_ne_bytes(word).into()).collect(),
        },
        history: numbers(residuals).into_iter().map(f64::from_ne_bytes).collect(),
    };
    Some((Written::Answer(answer), rest))
}

/// The bytes of each number; what is left over is dropped.
fn numbers<const SIZE: usize>(bytes: &[u8]) -> Vec<[u8; SIZE]> {
    bytes.as_chunks().0.to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_its_size_a_matrix_fits_into_single_precision() {
        for largest in [1.0, 6.0, -3e-300, 1e300, f64::MAX] {
            let inverse = inverse_size(&[0.0, largest, largest / 3.0]);
            assert!((0.4..=4.0).contains(&(largest.abs() * inverse)), "{largest:e} by {inverse:e}");
            assert_eq!(inverse.sqrt() * inverse.sqrt(), inverse);
        }
        assert_eq!(inverse_size(&[]), 1.0);
    }

    #[test]
    fn the_last_iteration_is_found_among_those_that_may_come() {
        let file = tempfile::tempfile().unwrap();
        let last = |file: &File| last_of(file, 6).ok();
        assert_eq!(last(&file), None);
        let mut history = [0.0_f64; 7];
        for known in 0..=history.len() {
            let bytes: Vec<u8> = [4.0].iter().chain(&history).flat_map(|r| r.to_ne_bytes()).collect();
            file.write_all_at(&bytes, 0).unwrap();
            assert_eq!(last(&file), Some((4, known.checked_sub(1).map(|k| (k, history[k])))));
            if let Some(next) = history.get_mut(known) {
                *next = 1.0 / (1 + known) as f64;
            }
        }
    }
}
