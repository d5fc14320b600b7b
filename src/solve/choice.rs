//! The choice of a preconditioner by some measured iterations with each that a method takes.
//!
//! ```text
//! none    60 iterations of 0.37 ms leave 0.02: 240 are foretold, 89 ms
//! jacobi  like none, where the diagonal is the same everywhere
//! amg     14 iterations of 2.6 ms, done; setup 150 ms: 186 ms       -> none
//! ```
//! Decisive is the time to the solution, with what is made of the matrix before. A preconditioner whose setup alone takes
//! longer than what another is foretold to take in all is not tried. The pace of sixty iterations foretells little (on an H200
//! the choice was wrong for half of 36 pairs of a method and a matrix), and those of a small matrix cost nothing beside the
//! start of a program: of such there are so many that most trials come to the solution.

use super::judge::Verdict;
use super::method::Precond;
use super::program::Programs;
use super::system::System;
use super::watch::{Watch, Wish};
use super::{Settings, Solved, solve};
use crate::diag::Stop;
use serde::Serialize;

/// Iterations of a trial, at least and at most.
const ITERATIONS: (usize, usize) = (60, 3000);
/// Entries of the matrix that a trial goes through in all, between these.
const ENTRIES: usize = 1_000_000_000;
/// Seconds that the setup of multigrid takes at least for an entry of the matrix: a core takes 0.1 us, and shares it with
/// others.
const AMG_SETUP: f64 = 1e-8;

/// Measurements of a few iterations with a preconditioner.
#[derive(Debug, Clone, Serialize)]
pub struct Trial {
    /// The preconditioner.
    pub precond: Precond,
    /// Seconds before the first iteration, and in each.
    pub setup_seconds: f64,
    /// See `setup_seconds`.
    pub iteration_seconds: f64,
    /// Iterations to the solution, as the last of those that were foretell; infinite where they were of no use.
    pub iterations: f64,
}

impl Trial {
    fn of(precond: Precond, solved: &Solved, tolerance: f64) -> Trial {
        let iteration_seconds = solved.iteration_seconds.unwrap_or(0.0);
        let all = solved.setup_seconds + solved.seconds;
        Trial {
            precond,
            setup_seconds: (all - iteration_seconds * solved.iterations as f64).max(0.0),
            iteration_seconds,
            iterations: match solved.verdict {
                Verdict::Diverged | Verdict::Breakdown | Verdict::Indefinite => f64::INFINITY,
                _ => foretold(&solved.history, tolerance * solved.norm_b.value),
            },
        }
    }

    /// Seconds to the solution.
    pub fn seconds(&self) -> f64 {
        self.setup_seconds + self.iterations * self.iteration_seconds
    }
}

/// Iterations until the residual is as small as it should be, at the pace of the last half of some.
fn foretold(history: &[f64], enough: f64) -> f64 {
    let (last, n) = (history[history.len() - 1], history.len() - 1);
    if last <= enough {
        return n as f64;
    }
    let before = history[n / 2];
    let pace = (before / last).ln() / (n - n / 2).max(1) as f64;
    if pace > 0.0 { n as f64 + (last / enough).ln() / pace } else { f64::INFINITY }
}

/// Choice, and the trials; of those that were not made or failed, why.
#[derive(Debug, Clone, Serialize)]
pub struct Chosen {
    /// The preconditioner with the least time to the solution.
    pub precond: Precond,
    /// Every trial.
    pub trials: Vec<Trial>,
    /// Preconditioners that were not tried to the end, and why.
    pub left_out: Vec<(Precond, String)>,
}

/// Tries the preconditioners that the method of `settings` takes, until it is asked to stop.
///
/// # Errors
/// As [`solve`], where no trial comes to an end.
pub fn choose(programs: &Programs, system: &System, settings: &Settings, watch: &Watch) -> Result<Chosen, Stop> {
    let own = [Precond::None, Precond::Jacobi, Precond::Ic0, Precond::Ilu0, Precond::Amg];
    let (mut trials, mut left_out): (Vec<Trial>, _) = (vec![], vec![]);
    let affordable = (ENTRIES / system.matrix.nnz().max(1)).clamp(ITERATIONS.0, ITERATIONS.1);
    let most = settings.most.min(affordable as i32);
    let is_there = |precond: &Precond| settings.method.program(*precond, settings.precision).is_some();
    for precond in own.into_iter().filter(is_there) {
        if (watch.wish)() != Wish::GoOn {
            left_out.push((precond, "interrupted".into()));
            continue;
        }
        let best = trials.iter().map(Trial::seconds).fold(f64::INFINITY, f64::min);
        let setup = AMG_SETUP * system.matrix.nnz() as f64;
        if precond == Precond::Jacobi && is_even(&system.diagonal) {
            left_out.push((precond, "the diagonal is the same everywhere".into()));
            continue;
        }
        if precond == Precond::Amg && setup > best {
            left_out.push((precond, format!("its setup takes {setup:.1} s and more")));
            continue;
        }
        match solve(programs, system, &Settings { precond, most, repeat_seconds: 0.0, ..*settings }, watch) {
            Ok(solved) if solved.verdict == Verdict::Interrupted => left_out.push((precond, "interrupted".into())),
            Ok(solved) => trials.push(Trial::of(precond, &solved, settings.tolerance)),
            Err(Stop::Input(fault)) if precond != Precond::None => left_out.push((precond, fault.message.clone())),
            Err(stop) => return Err(stop),
        }
    }
    let best = trials.iter().min_by(|a, b| a.seconds().total_cmp(&b.seconds()));
    let precond = best.map_or(Precond::None, |trial| trial.precond);
    Ok(Chosen { precond, trials, left_out })
}

/// Test that the diagonal is the same everywhere, or has a zero, by which nothing can be divided.
fn is_even(diagonal: &[f64]) -> bool {
    let (least, most) = diagonal.iter().fold((f64::INFINITY, 0.0_f64), |(a, b), d| (a.min(d.abs()), b.max(d.abs())));
    least == 0.0 || most <= 1.001 * least
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_is_foretold_by_the_last_half() {
        assert_eq!(foretold(&[1.0, 1e-9], 1e-8), 1.0);
        let halving: Vec<f64> = (0..=8).map(|k| 0.5_f64.powi(k)).collect();
        assert!((foretold(&halving, 0.5_f64.powi(20)) - 20.0).abs() < 1e-9);
        assert_eq!(foretold(&[1.0, 1.0, 2.0], 1e-8), f64::INFINITY);
    }
}
