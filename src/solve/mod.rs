//! `rtcuda solve`: a shipped solver on a system that a user has in a Matrix Market file.
//!
//! ```text
//! A.mtx, b ─ system::System ─ scale ─┐
//! solvers/cg.c ─ method ─────────────┴─ program: converted for a GPU, or as it is ─ exchange: files ─ answer ─ judge::Verdict
//! ```
//! The solver is the C program that this tool ships and converts like any user's; a driver of a few lines
//! (`templates/solve/driver.c`) reads the system from a file and writes the answer to another. Without a GPU the same C
//! is compiled for the CPU, and not simulated. What a solver says of its residual is not believed: it is computed again.

pub mod choice;
pub mod exchange;
pub mod judge;
pub mod method;
pub mod norm;
pub mod plot;
mod precision;
pub mod program;
pub mod scale;
mod settings;
pub mod singular;
pub mod system;
pub mod watch;

pub use precision::Precision;
pub use settings::Settings;

use crate::config;
use crate::diag::{Stop, no_temporary_folder};
use crate::runtime::backend;
use crate::runtime::build::Target;
use crate::runtime::device::Gpu;
use crate::sparse::product;
use crate::target::COPY_SHARE;
use exchange::{Answer, Repeated};
use judge::Verdict;
use method::Program;
use norm::{Norm, norm};
use program::Programs;
use scale::Scaling;
use serde::Serialize;
use system::System;
use watch::{HowFar, Watch};

/// What came of it.
#[derive(Debug, Clone, Serialize)]
pub struct Solved {
    /// How it ended.
    pub verdict: Verdict,
    /// The iterations.
    pub iterations: usize,
    /// How often the method started anew, from the true residual.
    pub restarts: usize,
    /// The 2-norm of the right-hand side.
    pub norm_b: Norm,
    /// The norm of the residual as the method's recurrence has it, and as computed from the solution.
    pub recursive_residual: Norm,
    /// See `recursive_residual`.
    pub true_residual: Norm,
    /// The true residual against the right-hand side.
    pub relative_residual: f64,
    /// The norm of the residual that rounding the solution leaves: no method does better in this precision, but by
    /// chance.
    pub rounding_residual: Norm,
    /// Seconds in the solver, all in all, but for `setup_seconds`.
    pub seconds: f64,
    /// Seconds in what is made of the matrix before, where the solver tells them apart; else zero.
    pub setup_seconds: f64,
    /// Seconds an iteration, without memory, copies and preparation; `None` without an iteration.
    pub iteration_seconds: Option<f64>,
    /// Bytes that an iteration moves at least.
    pub iteration_bytes: f64,
    /// What it ran on.
    pub device: String,
    /// Test that this is a GPU.
    pub is_gpu: bool,
    /// Bytes a second that a copy on the device moves; `None` on the CPU.
    pub copy_rate: Option<f64>,
    /// When it ran again and again, where it was to.
    #[serde(skip)]
    pub repeated: Option<Repeated>,
    /// Values of [`Solved::residuals`], at the scale of the norms.
    #[serde(skip)]
    pub history: Vec<f64>,
    /// The solution.
    #[serde(skip)]
    pub x: Vec<f64>,
}

impl Solved {
    /// The norm of the residual before the first iteration and after each.
    pub fn residuals(&self) -> impl Iterator<Item = Norm> {
        self.history.iter().map(|value| Norm { value: *value, ..self.norm_b })
    }

    /// The share of the rate of a copy at which an iteration moves what it must.
    pub fn copy_share(&self) -> Option<f64> {
        Some(self.iteration_bytes / self.iteration_seconds? / self.copy_rate?)
    }
}

/// Solves a system for its first right-hand side. Asked to stop, it has the iterate that the solver has by then.
///
/// # Errors
/// What is wrong with the system for this method ([`System::check`]), a missing compiler or GPU, memory that does not
/// suffice; a solver that fails is a fault of this tool.
pub fn solve(programs: &Programs, system: &System, settings: &Settings, watch: &Watch) -> Result<Solved, Stop> {
    let mut solved = solve_for(programs, system, 1, settings, watch)?;
    Ok(solved.swap_remove(0))
}

/// Solves a system for one right-hand side after the other; what is made of the matrix before is made once. Asked to stop, it
/// has no more than it has begun with.
///
/// # Errors
/// As [`solve`].
pub fn solve_all(
    programs: &Programs,
    system: &System,
    settings: &Settings,
    watch: &Watch,
) -> Result<Vec<Solved>, Stop> {
    solve_for(programs, system, system.n_rhs(), settings, watch)
}

/// Solves for the first `n_rhs` right-hand sides; there is at least one answer. Solvers have the system at a scale that suits
/// them. Where the program for few rows does not come to the end, which rounding may keep it from, the method's own has the
/// word.
fn solve_for(
    programs: &Programs,
    system: &System,
    n_rhs: usize,
    settings: &Settings,
    watch: &Watch,
) -> Result<Vec<Solved>, Stop> {
    let scaling = Scaling::of(system, settings.precision);
    let scaled = scaling.apply(system)?;
    let tell = |how_far: HowFar| {
        let exponent = -scaling.rhs[how_far.rhs.0];
        let last = how_far.last.map(|(k, value)| (k, Norm { value, exponent }.absolute()));
        (watch.tell)(HowFar { last, ..how_far });
    };
    let watch = &Watch { tell: &tell, wish: watch.wish };
    let own = scaled.check(settings)?;
    scaling.check(&scaled, settings.precision)?;
    let chosen = suited(own, system, settings);
    let system = &Solvable { scaled: &scaled, scaling: &scaling };
    let solved = solve_by(chosen, programs, system, n_rhs, settings, watch)?;
    let is_done = |solved: &Solved| {
        matches!(
            solved.verdict,
            Verdict::Converged | Verdict::OutOfIterations | Verdict::OutOfRange | Verdict::Interrupted
        )
    };
    if std::ptr::eq(chosen, own) || solved.iter().all(is_done) {
        return Ok(solved);
    }
    solve_by(own, programs, system, n_rhs, settings, watch)
}

/// A system as solvers have it.
struct Solvable<'s> {
    scaled: &'s System,
    scaling: &'s Scaling,
}

/// Answers of one program for the first `n_rhs` right-hand sides.
fn solve_by(
    chosen: &'static Program,
    programs: &Programs,
    &Solvable { scaled: system, scaling }: &Solvable,
    n_rhs: usize,
    settings: &Settings,
    watch: &Watch,
) -> Result<Vec<Solved>, Stop> {
    let built = programs.get(chosen, settings)?;
    let folder = tempfile::tempdir().map_err(|e| no_temporary_folder(&e))?;
    let answers = exchange::run(&built, system, n_rhs, settings, folder.path(), watch)?;
    let gpu = built.is_gpu.then(Gpu::first).transpose()?;
    let device = gpu.as_ref().map_or("the CPU, by one thread".into(), |gpu| gpu.name.clone());
    let copy_rate = gpu.and_then(|gpu| gpu.memory_rate()).map(|rate| rate * COPY_SHARE);
    let judged = |(which, answer): (usize, Answer)| {
        let iterations = answer.history.len() - 1;
        let (norm_b, exponent) = (norm(system.rhs(which)), -scaling.rhs[which]);
        let x = scaling.solution(which, &answer.x);
        let of_solver = residuals(system, which, settings, &answer.x);
        let kept = scaling.scaled_solution(which, &x);
        let of_kept = if kept == answer.x { of_solver } else { residuals(system, which, settings, &kept) };
        let at_scale = |value: f64| Norm { value, exponent };
        let [true_residual, rounding_residual] = of_kept.map(at_scale);
        let verdict = judge::judge(&answer, settings, norm_b, of_solver[0]);
        Solved {
            verdict: judge::of_rounded(verdict, settings, norm_b, of_kept[0]),
            iterations,
            restarts: answer.restarts,
            norm_b: at_scale(norm_b),
            recursive_residual: at_scale(answer.history[iterations]),
            true_residual,
            relative_residual: true_residual.over(at_scale(norm_b)),
            rounding_residual,
            seconds: answer.seconds,
            setup_seconds: answer.setup_seconds,
            iteration_seconds: (iterations > 0)
                .then(|| (answer.seconds - answer.idle_seconds).max(0.0) / iterations as f64),
            iteration_bytes: iteration_bytes(chosen, system, settings, iterations),
            device: device.clone(),
            is_gpu: built.is_gpu,
            copy_rate,
            repeated: answer.repeated,
            history: answer.history,
            x,
        }
    };
    Ok(answers.into_iter().enumerate().map(judged).collect())
}

/// Rows of a multiprocessor up to which vectors stay on chip that an iteration with one wait has more of (an H200: 13.8 us both of
/// them with 2,828 rows, 10.4 and 11.4 with 1,986, 22 and 16 with 3,879).
const FEW_ROWS: usize = 2_500;

/// The program for so many rows, where a method has one of its own for few.
fn suited(program: &'static Program, system: &System, settings: &Settings) -> &'static Program {
    let Some(of_few) = settings.method.for_few_rows.filter(|_| std::ptr::eq(program, settings.method.plain)) else {
        return program;
    };
    let target = config::Target { backend: settings.backend, ..config::Config::default().target };
    let on_gpu = matches!(backend::choose(&target), Ok(Target::Gpu { .. }));
    let is_few = |gpu: Gpu| system.matrix.rows() <= FEW_ROWS * gpu.sms as usize;
    if on_gpu && Gpu::first().is_ok_and(is_few) { of_few } else { program }
}

/// Norms of the residual of a solution, and of that which rounding it leaves.
fn residuals(system: &System, which: usize, settings: &Settings, x: &[f64]) -> [f64; 2] {
    let ax = product(&system.matrix, x);
    let residual: Vec<f64> = system.rhs(which).iter().zip(&ax).map(|(b, ax)| b - ax).collect();
    [norm(&residual), settings.precision.rounding() * norm(&magnitudes(system, x))]
}

/// The elements of |A| |x|.
fn magnitudes(system: &System, x: &[f64]) -> Vec<f64> {
    let rows = system.matrix.outer_iterator();
    rows.map(|row| row.iter().map(|(column, value)| (value * x[column]).abs()).sum()).collect()
}

fn iteration_bytes(program: &Program, system: &System, settings: &Settings, iterations: usize) -> f64 {
    let (n, entries, size) =
        (system.matrix.rows() as f64, system.matrix.nnz() as f64, settings.precision.size() as f64);
    let matrix = (size + 4.0) * entries + 4.0 * (n + 1.0);
    // How far a basis grows.
    let basis = (settings.restart as usize).min(iterations) as f64;
    let vectors = program.traffic.vectors + program.traffic.basis * basis / 2.0;
    program.traffic.products * matrix + vectors * size * n
}
