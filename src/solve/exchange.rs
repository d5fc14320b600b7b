//! The files that a solver reads its system from and writes its answer to; `templates/solve/driver.c` is the other side.
//!
//! ```text
//! system: n, entries, most, warm, restart (64 bits each), tolerance, omega | start[n + 1] | column | value | b | 1 / diagonal
//! answer: steps, broken (64 bits each), seconds, idle seconds | x | residuals
//! ```
//! Numbers are as the machine stores them.

use super::Settings;
use super::program::Built;
use super::system::System;
use crate::diag::{Diagnostic, Stop};
use crate::runtime::run::in_words;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::process::{Command, Stdio};

/// Calls without an iteration before the one that counts: on a GPU the first one makes the context.
const WARM_ON_GPU: i64 = 2;
const WARM_ON_CPU: i64 = 1;

/// What a solver wrote.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// Whether the method could not go on.
    pub is_broken: bool,
    /// Seconds of the whole call, and of one without an iteration.
    pub seconds: f64,
    /// See `seconds`.
    pub idle_seconds: f64,
    /// The solution.
    pub x: Vec<f64>,
    /// The norm of the residual before the first iteration and after each.
    pub history: Vec<f64>,
}

/// Runs a solver.
///
/// # Errors
/// `no-memory` where it says so; a solver that fails otherwise is a fault of this tool.
pub fn run(built: &Built, system: &System, settings: &Settings, folder: &Path) -> Result<Answer, Stop> {
    let (input, output) = (folder.join("system"), folder.join("answer"));
    let n_warm = if built.is_gpu { WARM_ON_GPU } else { WARM_ON_CPU };
    put(&input, system, settings, n_warm).map_err(|e| {
        Diagnostic::error("temporary-file", format!("{} cannot be written: {e}", input.display()), None)
            .help("see whether there is space; TMPDIR names another folder for temporary files")
    })?;
    let bug = |what: String| Stop::Bug(format!("the solver {}: {what}", settings.method.name));
    let done = Command::new(&built.path)
        .args([&input, &output])
        .stdin(Stdio::null())
        .output()
        .map_err(|e| bug(format!("it cannot be started: {e}")))?;
    if !done.status.success() {
        let words = String::from_utf8_lossy(&done.stderr);
        let message = format!("the solver ended with {}", in_words(done.status));
        return Err(Diagnostic::error("solver-failed", message, None)
            .note(None, words.trim_end().to_owned())
            .help("most likely memory: the system must fit into that of the host, and of the device it runs on")
            .into());
    }
    let bytes = fs::read(&output).map_err(|e| bug(format!("no answer: {e}")))?;
    let answer = get(&bytes, system.b.len()).ok_or_else(|| bug("an answer cut short".into()))?;
    let Some(answer) = answer else {
        let message = "the solver found no memory for its vectors";
        return Err(Diagnostic::error("no-memory", message, None).help("use a machine with more memory").into());
    };
    Ok(answer)
}

fn put(path: &Path, system: &System, settings: &Settings, n_warm: i64) -> io::Result<()> {
    let mut out = BufWriter::with_capacity(1 << 20, File::create(path)?);
    let matrix = &system.matrix;
    let (n, entries) = (matrix.rows() as i64, matrix.nnz() as i64);
    for number in [n, entries, settings.most.into(), n_warm, settings.restart.into()] {
        out.write_all(&number.to_ne_bytes())?;
    }
    for number in [settings.tolerance, settings.omega] {
        out.write_all(&number.to_ne_bytes())?;
    }
    // Both fit: `System::read` has counted.
    for start in matrix.indptr().raw_storage() {
        out.write_all(&(*start as i32).to_ne_bytes())?;
    }
    for column in matrix.indices() {
        out.write_all(&(*column as i32).to_ne_bytes())?;
    }
    let scale = |d: &f64| if settings.is_scaled || settings.method.needs_diagonal { 1.0 / d } else { 1.0 };
    let inverse = system.diagonal.iter().map(scale);
    for value in matrix.data().iter().chain(&system.b).copied().chain(inverse) {
        out.write_all(&value.to_ne_bytes())?;
    }
    out.flush()
}

/// The answer; the inner `None` where the solver had no memory, the outer one where the file is not whole.
fn get(bytes: &[u8], n: usize) -> Option<Option<Answer>> {
    let words: Vec<[u8; 8]> = bytes.chunks_exact(8).map(|word| word.try_into().expect("eight bytes")).collect();
    let whole = |at: usize| Some(i64::from_ne_bytes(*words.get(at)?));
    let number = |at: usize| Some(f64::from_ne_bytes(*words.get(at)?));
    const HEADER: usize = 4;
    let steps = whole(0)?;
    if steps < 0 {
        return Some(None);
    }
    let n_residuals = usize::try_from(steps).ok()? + 1;
    if words.len() != HEADER + n + n_residuals {
        return None;
    }
    let numbers = |range: std::ops::Range<usize>| words[range].iter().map(|word| f64::from_ne_bytes(*word)).collect();
    Some(Some(Answer {
        is_broken: whole(1)? != 0,
        seconds: number(2)?,
        idle_seconds: number(3)?,
        x: numbers(HEADER..HEADER + n),
        history: numbers(HEADER + n..HEADER + n + n_residuals),
    }))
}
