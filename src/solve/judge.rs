//! How a solution ended, from the history of its residuals and the true residual.
//!
//! ```text
//! 1.0, 0.1, 1e-9  with a true residual of 1e-9   -> converged
//! 1.0, 0.1, 1e-9  with a true residual of 1e-3   -> inaccurate: the recurrence has left the truth, and starting anew from there
//!                                                   was of no use
//! 1.0, 0.1, 1e-9  for a solution of 1e400        -> out of range
//! 1.0, 0.4, 0.4, 0.4, ... to the last iteration  -> stagnated
//! 1.0, 1e4, 1e9, ... or what is no number        -> diverged
//! 1.0, 0.1 where its user asked it to stop       -> interrupted, unless the true residual is as small as it should be
//! ```

use super::Settings;
use super::exchange::Answer;
use super::method::Breaks;
use serde::Serialize;

/// How it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// The true residual is as small as was asked for.
    Converged,
    /// The recurrence says so, the true residual does not.
    Inaccurate,
    /// The residual is as small, but for a solution that doubles do not hold.
    OutOfRange,
    /// As many iterations as were allowed, the last of them still of use.
    OutOfIterations,
    /// As many, the last quarter of them of no use.
    Stagnated,
    /// The residual grew out of all measure.
    Diverged,
    /// A division by zero would have been next.
    Breakdown,
    /// The matrix is not positive definite.
    Indefinite,
    /// It was asked to stop before.
    Interrupted,
}

/// A residual that grew so much will not come back.
const HOPELESS: f64 = 1e8;
/// The last quarter of the iterations is of use if it leaves less than this share of the residual.
const PROGRESS: f64 = 0.9;
/// Of fewer iterations nothing can be said.
const TELLING: usize = 10;

impl Verdict {
    /// Test that there is a solution.
    pub fn is_solved(self) -> bool {
        self == Verdict::Converged
    }

    /// What happened, and what a user can do.
    pub fn in_words(self) -> (&'static str, &'static str) {
        match self {
            Verdict::Converged => ("converged", ""),
            Verdict::Inaccurate => (
                "inaccurate: the recurrence has converged, the true residual has not",
                "rounding limits what this matrix allows: ask for less (--tol), precondition it, or take `gmres`",
            ),
            Verdict::OutOfRange => (
                "out of range: there is a solution, and doubles have no numbers as large or as small",
                "multiply the right-hand side by a power of two that brings the solution near to 1",
            ),
            Verdict::OutOfIterations => (
                "not converged: out of iterations, and still getting better",
                "allow more (--max-iter), or precondition (--precond jacobi, amg for `cg`, ilu0 for `bicgstab`, `gmres` and `qmr`)",
            ),
            Verdict::Stagnated => (
                "stagnated: the last quarter of the iterations made it no better",
                "try another method, a preconditioner, or a larger --restart for `gmres`",
            ),
            Verdict::Diverged => (
                "diverged: the residual grew out of all measure",
                "stationary methods need a matrix that is diagonally dominant or positive definite: try `bicgstab` or `gmres`",
            ),
            Verdict::Breakdown => (
                "breakdown: the method would have divided by zero",
                "take `gmres`, which breaks down on singular matrices alone, or another right-hand side",
            ),
            Verdict::Indefinite => (
                "indefinite: the matrix is not positive definite, which this method needs",
                "take `bicgstab`, `gmres` or `qmr`",
            ),
            Verdict::Interrupted => ("interrupted: this is the iterate that it had by then", ""),
        }
    }
}

/// Judges an answer.
pub fn judge(answer: &Answer, settings: &Settings, norm_b: f64, true_residual: f64) -> Verdict {
    let history = &answer.history;
    let (first, last) = (history[0], history[history.len() - 1]);
    let enough = settings.tolerance * norm_b;
    if !last.is_finite() || !true_residual.is_finite() || last >= HOPELESS * first.hypot(norm_b) && last > enough {
        return Verdict::Diverged;
    }
    if answer.is_interrupted {
        return if true_residual <= enough { Verdict::Converged } else { Verdict::Interrupted };
    }
    let is_out_of_iterations = history.len() > settings.most as usize;
    if last <= enough || answer.restarts > 0 && !is_out_of_iterations {
        return if true_residual <= enough { Verdict::Converged } else { Verdict::Inaccurate };
    }
    if answer.is_broken {
        return match settings.method.breaks {
            Breaks::Indefinite => Verdict::Indefinite,
            Breaks::Breakdown => Verdict::Breakdown,
        };
    }
    if !is_out_of_iterations {
        // It has seen by itself that more of them would be of no use.
        return Verdict::Stagnated;
    }
    let best = |residuals: &[f64]| residuals.iter().copied().fold(f64::INFINITY, f64::min);
    let (before, quarter) = history.split_at(history.len() - history.len() / 4);
    if quarter.len() >= TELLING && best(quarter) > PROGRESS * best(before) {
        return Verdict::Stagnated;
    }
    Verdict::OutOfIterations
}

/// The verdict after the solution has been rounded to doubles, at a true residual of that.
pub fn of_rounded(verdict: Verdict, settings: &Settings, norm_b: f64, true_residual: f64) -> Verdict {
    let is_kept = true_residual <= settings.tolerance * norm_b;
    if verdict == Verdict::Converged && !is_kept { Verdict::OutOfRange } else { verdict }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Backend;
    use crate::solve::Precision;
    use crate::solve::method::{METHODS, Precond};

    fn settings(most: i32) -> Settings {
        Settings {
            method: &METHODS[0],
            precond: Precond::None,
            precision: Precision::Double,
            tolerance: 1e-8,
            most,
            restart: 30,
            omega: 1.0,
            sync: None,
            backend: Backend::Cpu,
            is_interruptible: true,
            repeat_seconds: 0.0,
        }
    }

    fn of(history: &[f64], is_broken: bool, true_residual: f64) -> Verdict {
        let answer = Answer {
            is_broken,
            restarts: usize::from([0.8, 0.9].contains(&history[0])),
            is_interrupted: history == [0.5, 0.3],
            seconds: 1.0,
            idle_seconds: 0.0,
            setup_seconds: 0.0,
            repeated: None,
            x: vec![],
            history: history.to_vec(),
        };
        let settings = settings(history.len() as i32 - i32::from(![0.6, 0.9].contains(&history[0])));
        judge(&answer, &settings, 1.0, true_residual)
    }

    #[test]
    fn each_end_has_its_name() {
        assert_eq!(of(&[1.0, 1e-9], false, 1e-8), Verdict::Converged);
        assert_eq!(of(&[1.0, 1e-9], false, 1.1e-8), Verdict::Inaccurate);
        assert_eq!(of(&[1.0, 1e-9], false, 1e-3), Verdict::Inaccurate);
        assert_eq!(of(&[0.0], false, 0.0), Verdict::Converged);
        // Started anew: it has converged before, and has no more than broken down since, or has run out of iterations.
        assert_eq!(of(&[0.9, 1e-9, 2e-8], false, 2e-8), Verdict::Inaccurate);
        assert_eq!(of(&[0.8, 1e-9, 2e-8], false, 2e-8), Verdict::OutOfIterations);
        let settings = settings(0);
        for (true_residual, verdict) in
            [(1e-9, Verdict::Converged), (1e-3, Verdict::OutOfRange), (f64::NAN, Verdict::OutOfRange)]
        {
            assert_eq!(of_rounded(Verdict::Converged, &settings, 1.0, true_residual), verdict);
            assert_eq!(of_rounded(Verdict::Stagnated, &settings, 1.0, true_residual), Verdict::Stagnated);
        }
        assert_eq!(of(&[1.0, 0.5, 0.25, 0.1], false, 0.1), Verdict::OutOfIterations);
        assert_eq!(of(&[1.0, 0.4, 0.41, 0.4, 0.4], false, 0.4), Verdict::OutOfIterations);
        assert_eq!(of(&[0.4; 41], false, 0.4), Verdict::Stagnated);
        assert_eq!(of(&[1.0, 1e5, 1e9], false, 1e9), Verdict::Diverged);
        assert_eq!(of(&[1.0, f64::NAN], false, f64::NAN), Verdict::Diverged);
        assert_eq!(of(&[1.0, 0.5], true, 0.5), Verdict::Indefinite);
        assert_eq!(of(&[1.0], false, 1.0), Verdict::OutOfIterations);
        assert_eq!(of(&[0.6, 0.7], false, 0.7), Verdict::Stagnated);
        assert_eq!(of(&[0.5, 0.3], true, 0.4), Verdict::Interrupted);
        assert_eq!(of(&[0.5, 0.3], false, 1e-9), Verdict::Converged);
    }
}
