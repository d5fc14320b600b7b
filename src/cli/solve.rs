//! `rtcuda solve`: a system in Matrix Market files, from the command line to a solution and what is to be said of it.

use super::energy;
use super::outcome::{Done, Fault};
use super::tell::{Progress, say, say_all, style};
use clap::Args;
use clap::builder::PossibleValuesParser;
use rtcuda::config::{Backend, Choice};
use rtcuda::diag::{Diagnostic, Stop};
use rtcuda::report::table::Table;
use rtcuda::report::words::time;
use rtcuda::runtime::energy::{Metered, Metering};
use rtcuda::runtime::interrupt::{Signal, listen};
use rtcuda::solve::choice::{Chosen, choose};
use rtcuda::solve::judge::Verdict;
use rtcuda::solve::method::{METHODS, Precond, SWEEPS, SYNCS, method};
use rtcuda::solve::norm::Norm;
use rtcuda::solve::plot::plot;
use rtcuda::solve::program::Programs;
use rtcuda::solve::system::{Rhs, System};
use rtcuda::solve::watch::{HowFar, Watch, Wish};
use rtcuda::solve::{Precision, Settings, Solved};
use rtcuda::sparse::dense::Dense;
use rtcuda::sparse::market::Market;
use rtcuda::sparse::market::write::write;
use rtcuda::sparse::memory::bytes_text;
use rtcuda::sparse::plot::format;
use serde_json::json;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

/// Solve a system of linear equations in Matrix Market files
///
/// The shipped solvers are C programs (solvers/), converted for a GPU; where there is none, the same C runs on the CPU.
#[derive(Args)]
#[command(after_help = "\
Methods:
  cg                 conjugate gradients, for symmetric positive definite matrices
  bicgstab           stabilised bi-conjugate gradients, for any matrix
  gmres              generalised minimal residuals, for any matrix; started anew every --restart iterations
  qmr                quasi-minimal residuals, for any matrix
  jacobi             Jacobi's method, for matrices dominated by their diagonal
  gauss-seidel, sor  the method of Gauss and Seidel by colours, and with over-relaxation (--omega)
  chebyshev          Chebyshev's iteration, for symmetric positive definite matrices

Examples:
  rtcuda matrix gen poisson 64 64 64 -o poisson.mtx
  rtcuda solve cg --matrix poisson.mtx --precond auto --plot convergence.svg
  rtcuda solve --compare cg,cg:amg,gmres --matrix poisson.mtx --plot convergence.svg
  rtcuda solve bicgstab --matrix A.mtx --rhs b.mtx --precond jacobi --tol 1e-10 --history h.csv --solution x.mtx
  rtcuda solve cg --matrix poisson.mtx --precision mixed --energy
  rtcuda solve jacobi --matrix A.mtx --sync asynchronous

Ctrl-C ends it with the iterate so far, its residual, --solution and --history; a second one at once.

Exit status: 0 solved; 1 not solved (it stagnated, diverged, broke down, ran out of iterations, was interrupted, or no double is as large
or small as the solution); 2 the system or the command is at fault; 3 a fault of rtcuda.")]
pub struct Solve {
    /// The method
    #[arg(value_name = "METHOD", required_unless_present = "compare", value_parser = PossibleValuesParser::new(METHODS.iter().map(|method| method.name)))]
    pub method: Option<String>,
    /// Solve by each of these methods, with a preconditioner of its own behind a colon; one table, one plot
    #[arg(long, value_name = "METHOD[:PRECOND],..", value_delimiter = ',', conflicts_with_all = ["method", "history", "solution"])]
    pub compare: Vec<String>,
    /// The matrix, compressed by gzip or not
    #[arg(long, value_name = "A.mtx")]
    pub matrix: PathBuf,
    /// The right-hand side: a file, `ones` or `random`; several as files with commas between, or as the columns of a file.
    /// They are solved for one after the other, and the matrix is read and prepared once
    /// [default: that which AmgX has put behind the matrix, else ones]
    #[arg(long, value_name = "b.mtx,..|ones|random")]
    pub rhs: Option<String>,
    /// It ends where the residual is at most so much of the right-hand side, in the 2-norm
    /// [default: 1e-8, in single precision 1e-5]
    #[arg(long, value_name = "X", value_parser = tolerance)]
    pub tol: Option<f64>,
    /// It ends after so many iterations
    #[arg(long, value_name = "N", default_value = "10000", value_parser = clap::value_parser!(i32).range(1..=10_000_000))]
    pub max_iter: i32,
    /// What makes it converge sooner: `jacobi` divides by the diagonal, `amg` (for cg) goes through coarser and coarser
    /// levels, `ic0` (for cg) and `ilu0` (for bicgstab, gmres and qmr) factor the matrix without fill-in; `auto` tries
    /// those that the method takes for some iterations, and takes the one with the least time to the solution
    #[arg(long, default_value = "none", value_parser = PossibleValuesParser::new(Precond::ALL.iter().map(|&(name, _)| name).chain([AUTO])))]
    pub precond: String,
    /// Numbers of matrices and vectors; `single` takes half of the memory and of the time, and has seven digits;
    /// `mixed` (for cg, with --precond none, jacobi or auto) iterates in single and reaches what double does
    #[arg(long, default_value = "double", value_parser = PossibleValuesParser::new(Precision::ALL.iter().map(|&(name, _)| name)))]
    pub precision: String,
    /// Iterations of gmres before it starts anew
    #[arg(long, value_name = "N", default_value = "30", value_parser = clap::value_parser!(i32).range(1..=1000))]
    pub restart: i32,
    /// The over-relaxation of sor, between 0 and 2
    #[arg(long, value_name = "X", default_value = "1.5", value_parser = omega)]
    pub omega: f64,
    /// Solve by ten sweeps between two residuals (jacobi), and let blocks wait so between sweeps: all for all by one counter or
    /// by flags, for those beside alone, or not at all, which is another method
    #[arg(long, value_parser = PossibleValuesParser::new(SYNCS.iter().map(|&(name, _)| name)))]
    pub sync: Option<String>,
    /// Where it runs: on a GPU (cuda), as plain C on the CPU (cpu), or as this machine can (auto)
    #[arg(long, default_value = "auto", value_parser = PossibleValuesParser::new(Backend::ALL.iter().map(|&(name, _)| name)))]
    pub backend: String,
    /// Write the residual after each iteration
    #[arg(long, value_name = "H.csv")]
    pub history: Option<PathBuf>,
    /// Draw the residual after each iteration
    #[arg(long, value_name = "H.svg|png")]
    pub plot: Option<PathBuf>,
    /// Write the solution, or a column of it for each right-hand side; compressed if it ends in .gz
    #[arg(long, value_name = "x.mtx")]
    pub solution: Option<PathBuf>,
    /// Measure the joules that the GPU takes, which repeats a short solution until its meter resolves it
    #[arg(long, conflicts_with = "compare")]
    pub energy: bool,
    /// Say every second how far it is, a line each, also where the standard error stream is no terminal
    #[arg(long)]
    pub progress: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// The preconditioner that is chosen by trials.
pub const AUTO: &str = "auto";

fn tolerance(text: &str) -> Result<f64, String> {
    let value = text.parse::<f64>().ok().filter(|value| *value > 0.0 && *value < 1.0);
    value.ok_or_else(|| "a number above 0 and below 1".into())
}

fn omega(text: &str) -> Result<f64, String> {
    let value = text.parse::<f64>().ok().filter(|value| *value > 0.0 && *value < 2.0);
    value.ok_or_else(|| "a number above 0 and below 2: outside of that the method diverges".into())
}

/// How to solve by a method, as the other options say; with `auto`, without a preconditioner yet.
pub fn settings(arguments: &Solve, name: &str, precond: &str) -> Result<Settings, Fault> {
    let precision = named(&Precision::ALL, &arguments.precision)?;
    let tolerance = if precision == Precision::Single { 1e-5 } else { 1e-8 };
    let known = method(name).ok_or_else(|| unknown("method", name, METHODS.iter().map(|method| method.name)))?;
    let sync = arguments.sync.as_deref().map(|name| named(&SYNCS, name)).transpose()?;
    if sync.is_some() && known.name != SWEEPS.name {
        let message = format!("--sync is for jacobi, and not for {name}");
        let help =
            "its sweeps alone come to the same end where blocks do not wait: leave --sync out, or `solve jacobi`";
        return Err(Diagnostic::error("no-sync", message, None).help(help).into());
    }
    Ok(Settings {
        method: if sync.is_some() { &SWEEPS } else { known },
        precond: match precond {
            AUTO => Precond::None,
            name => {
                let found = Precond::ALL.iter().find(|(known, _)| *known == name);
                found.ok_or_else(|| unknown("preconditioner", name, Precond::ALL.iter().map(|(name, _)| *name)))?.1
            }
        },
        precision,
        tolerance: arguments.tol.unwrap_or(tolerance),
        most: arguments.max_iter,
        restart: arguments.restart,
        omega: arguments.omega,
        sync,
        backend: named(Backend::ALL, &arguments.backend)?,
        is_interruptible: true,
        repeat_seconds: 0.0,
    })
}

fn unknown(what: &str, name: &str, all: impl Iterator<Item = &'static str>) -> Diagnostic {
    let all: Vec<String> = all.map(|name| format!("`{name}`")).collect();
    Diagnostic::error("unknown-name", format!("there is no {what} `{name}`"), None)
        .help(format!("there are {}", all.join(", ")))
}

/// What a name stands for, where the command line allows no other.
pub fn named<T: Copy>(all: &[(&str, T)], name: &str) -> Result<T, Fault> {
    let found = all.iter().find(|(known, _)| *known == name);
    found.map(|&(_, value)| value).ok_or_else(|| Fault::Bug(format!("there is no {name}")))
}

/// Reads the system, solves it, says how it went.
pub fn solve(arguments: &Solve) -> Result<Done, Fault> {
    plottable(arguments)?;
    let name = arguments.method.as_deref().unwrap_or_default();
    let mut settings = settings(arguments, name, &arguments.precond)?;
    let progress = Progress::new(arguments.json).in_lines(arguments.progress);
    let metering = energy::begin(arguments.energy, settings.backend, &progress)?;
    settings.repeat_seconds = metering.as_ref().map_or(0.0, Metering::least_seconds);
    let system = read(arguments, &progress)?;
    let warnings = system.warnings(&settings);
    if !arguments.json {
        say_all(&warnings);
    }
    progress.line("building");
    let programs = Programs::new()?;
    let tell = |how_far: HowFar| progress.line(&so_far(&how_far, &system, settings.tolerance));
    let (solved, chosen, choice) = interruptibly(|wish| {
        let watch = Watch { tell: &tell, wish };
        let choice = (arguments.precond == AUTO).then(|| choose(&programs, &system, &settings, &watch)).transpose()?;
        let precond = choice.as_ref().map_or(settings.precond, |choice| choice.precond);
        let chosen = Settings { precond, ..settings };
        Ok((rtcuda::solve::solve_all(&programs, &system, &chosen, &watch)?, chosen, choice))
    })
    .inspect(|_| progress.line(""))
    .inspect_err(|_| progress.line(""))?;
    let metered = metering.map(Metering::end).transpose()?;
    write_files(arguments, &system, &settings, &solved)?;
    let text = if arguments.json {
        let diagnostics = ("diagnostics".to_owned(), json!(warnings));
        let mut answer = as_json(&system, &chosen, &solved, metered.as_ref());
        answer.extend([("choice".to_owned(), json!(choice)), diagnostics]);
        format!("{:#}\n", serde_json::Value::Object(answer))
    } else {
        let words = match &solved[..] {
            [one] if system.n_rhs() == 1 => in_words(&chosen, &system, one, metered.as_ref()),
            all => several_in_words(&chosen, &system, all, metered.as_ref()),
        };
        words + &choice.as_ref().map_or_else(String::new, why)
    };
    let is_solved = solved.len() == system.n_rhs() && solved.iter().all(|one| one.verdict.is_solved());
    Ok(Done { text, status: u8::from(!is_solved) })
}

/// Writes what is asked for of history, plot and solution. Of a right-hand side that was not begun with, the solution is zero.
fn write_files(arguments: &Solve, system: &System, settings: &Settings, solved: &[Solved]) -> Result<(), Fault> {
    if let Some(path) = &arguments.history {
        fs::write(path, csv(solved, system.n_rhs())).map_err(|e| unwritable(path, &e))?;
    }
    if let Some(path) = &arguments.plot {
        plot(&solved.iter().collect::<Vec<_>>(), settings.tolerance, path)?;
    }
    if let Some(path) = &arguments.solution {
        let mut values: Vec<f64> = solved.iter().flat_map(|one| &one.x).copied().collect();
        values.resize(system.b.len(), 0.0);
        if values.iter().all(|value| value.is_finite()) {
            write(path, &Market::dense(Dense { rows: system.matrix.rows(), cols: system.n_rhs(), values }))?;
        } else {
            say(&format!("{}: not written, because the solution is not finite\n", path.display()));
        }
    }
    Ok(())
}

fn as_json(
    system: &System,
    settings: &Settings,
    solved: &[Solved],
    metered: Option<&Metered>,
) -> serde_json::Map<String, serde_json::Value> {
    let one = |solved: &Solved| {
        let advice = advice(settings, solved);
        let energy = energy::as_json(&energy::of(solved, metered));
        [
            ("energy", energy),
            ("solved", json!(solved)),
            ("copy_share", json!(solved.copy_share())),
            ("advice", json!(advice)),
        ]
        .map(|(name, value)| (name.to_owned(), value))
    };
    if let ([only], 1) = (solved, system.n_rhs()) {
        return one(only).into_iter().collect();
    }
    let all: Vec<serde_json::Value> =
        solved.iter().map(|solved| serde_json::Value::Object(one(solved).into_iter().collect())).collect();
    let not_begun = system.n_rhs() - solved.len();
    [("right_hand_sides".to_owned(), json!(all)), ("not_begun".to_owned(), json!(not_begun))].into_iter().collect()
}

/// Solves, while Ctrl-C means: what there is by now, and twice: nothing. What comes to no answer by that ends this process, as
/// Ctrl-C does elsewhere.
pub fn interruptibly<T>(solve: impl FnOnce(&dyn Fn() -> Wish) -> Result<T, Stop>) -> Result<T, Stop> {
    let listening = listen(&[Signal::SIGINT]);
    let wish = || match listening.times() {
        0 => Wish::GoOn,
        1 => Wish::Stop,
        _ => Wish::Kill,
    };
    let answer = solve(&wish);
    if answer.is_err() {
        listening.end_if_seen();
    }
    answer
}

/// Test that the plot has a format: before the work, and not after it.
pub fn plottable(arguments: &Solve) -> Result<(), Fault> {
    arguments.plot.as_deref().map(format).transpose()?;
    Ok(())
}

/// Reads the system.
pub fn read(arguments: &Solve, progress: &Progress) -> Result<System, Fault> {
    let rhs = match arguments.rhs.as_deref() {
        None => Rhs::Own,
        Some("ones") => Rhs::Ones,
        Some("random") => Rhs::Random,
        Some(file) if Path::new(file).exists() => Rhs::Files(vec![file.into()]),
        Some(files) => Rhs::Files(files.split(',').map(PathBuf::from).collect()),
    };
    progress.line("reading");
    let system = System::read(&arguments.matrix, &rhs);
    progress.line("");
    Ok(system?)
}

/// The name of a preconditioner on the command line.
pub fn name_of(precond: Precond) -> &'static str {
    Precond::ALL.iter().find(|(_, known)| *known == precond).map_or("", |(name, _)| name)
}

/// Reason why a preconditioner was chosen: what was foretold of each.
fn why(choice: &Chosen) -> String {
    let mut table = Table::default();
    for trial in &choice.trials {
        let foretold = if trial.iterations.is_finite() {
            let (setup, one) = (time(trial.setup_seconds), time(trial.iteration_seconds));
            let all = time(trial.seconds());
            format!("{all} foretold: {setup} to begin with, and {:.0} iterations of {one}", trial.iterations)
        } else {
            "no use of its first iterations".to_owned()
        };
        table.row([name_of(trial.precond).to_owned(), foretold]);
    }
    for (precond, why) in &choice.left_out {
        table.row([name_of(*precond).to_owned(), format!("not tried: {why}")]);
    }
    format!("  chosen by trials: {}\n{}", name_of(choice.precond), table.text(4))
}

/// How far a solver is, in a line.
pub fn so_far(how_far: &HowFar, system: &System, tolerance: f64) -> String {
    let (spent, is_gpu) = (how_far.spent.as_secs(), how_far.is_gpu);
    let spent = match how_far.is_stopping {
        false => format!("solving, {spent} s"),
        true if is_gpu => {
            return format!("stopping, {spent} s, behind the GPU's next step; Ctrl-C again ends it at once");
        }
        true => format!("stopping, {spent} s"),
    };
    let (which, n_rhs) = how_far.rhs;
    let spent = if n_rhs == 1 { spent } else { format!("{spent}: right-hand side {} of {n_rhs}", which + 1) };
    match how_far.last {
        Some((k, residual)) => {
            format!(
                "{spent}: iteration {k}, residual {:.1e}, to be {tolerance:.1e}",
                residual / Some(system.norm_b(which)).filter(|norm| *norm > 0.0).unwrap_or(1.0)
            )
        }
        None => spent,
    }
}

/// The residuals; of several right-hand sides with a column that counts them from 1.
fn csv(solved: &[Solved], n_rhs: usize) -> String {
    let mut text = String::from("iteration,residual,relative\n");
    if n_rhs > 1 {
        text.insert_str(0, "rhs,");
    }
    for (which, solved) in solved.iter().enumerate() {
        let rhs = if n_rhs > 1 { format!("{},", which + 1) } else { String::new() };
        for (k, residual) in solved.residuals().enumerate() {
            // Writing to a string does not fail.
            let _ = writeln!(text, "{rhs}{k},{:e},{:e}", residual.absolute(), residual.over(solved.norm_b));
        }
    }
    text
}

fn unwritable(path: &Path, e: &std::io::Error) -> Diagnostic {
    Diagnostic::error("unwritable", format!("{} cannot be written: {e}", path.display()), None)
}

/// Advice for a user of this method: no method is advised to those who use it.
fn advice_of(verdict: Verdict, method: &str) -> &'static str {
    match (verdict, method) {
        (Verdict::Diverged, "cg" | "bicgstab" | "qmr") => {
            "try `gmres`, whose residual does not grow, or --precond jacobi"
        }
        (Verdict::Diverged, "gmres") => "precondition it (--precond jacobi or ilu0), or scale the equations",
        (Verdict::Breakdown, "gmres") => "the matrix is singular, or nearly so: take another right-hand side",
        (Verdict::Inaccurate, "gmres") => {
            "rounding limits what this matrix allows: ask for less (--tol), or precondition it"
        }
        _ => verdict.in_words().1,
    }
}

/// What a user can do where it is not solved.
fn advice(settings: &Settings, solved: &Solved) -> String {
    let by_rounding = solved.rounding_residual.over(solved.norm_b);
    let is_rounding = solved.relative_residual <= 100.0 * by_rounding && 2.0 * by_rounding > settings.tolerance / 10.0;
    let also = advice_of(solved.verdict, settings.method.name);
    match (settings.precision, solved.verdict) {
        (_, Verdict::Converged | Verdict::OutOfRange) => also.to_owned(),
        // On a GPU the loops come to an orderly end.
        (_, Verdict::Interrupted) if solved.is_gpu => also.to_owned(),
        (Precision::Mixed, Verdict::Interrupted) => "it is that of the last residual in double precision".into(),
        (_, Verdict::Interrupted) if settings.method.name == "gmres" => "it is that of the last restart".into(),
        (Precision::Mixed, _) => format!(
            "the matrix may be too near to a singular one for single precision: take --precision double; or {also}"
        ),
        (Precision::Single, _) if is_rounding => {
            format!(
                "single precision reaches about {:.0e} of the right-hand side here: ask for no less (--tol), or \
                 take --precision mixed (cg) or double",
                solved.relative_residual
            )
        }
        _ => also.to_owned(),
    }
}

/// The method with its preconditioner and its precision.
fn method_in_words(settings: &Settings) -> String {
    let precond = match settings.precond {
        Precond::None => String::new(),
        precond => format!(", {}", precond.title()),
    };
    let precision = match settings.precision {
        Precision::Double => String::new(),
        precision => format!(", {}", precision.title()),
    };
    let sync = settings.sync.map_or_else(String::new, |sync| format!(", sync {sync}"));
    format!("{}{precond}{precision}{sync}", settings.method.title)
}

fn in_words(settings: &Settings, system: &System, solved: &Solved, metered: Option<&Metered>) -> String {
    let style = style();
    let ((what, _), advice) = (solved.verdict.in_words(), advice(settings, solved));
    let (n, entries) = (system.matrix.rows(), system.matrix.nnz());
    let mut table = Table::default();
    let residual =
        |norm: Norm| format!("{:.3e}, {:.3e} of the right-hand side", norm.absolute(), norm.over(solved.norm_b));
    table.row(["system".to_owned(), format!("{n} equations, {entries} entries")]);
    table.row(["method".to_owned(), method_in_words(settings)]);
    table.row(["runs on".to_owned(), solved.device.clone()]);
    table.row(["iterations".to_owned(), solved.iterations.to_string()]);
    if solved.restarts > 0 {
        table.row(["started anew".to_owned(), format!("{} times, from the true residual", solved.restarts)]);
    }
    table.row(["true residual".to_owned(), residual(solved.true_residual)]);
    table.row(["by the recurrence".to_owned(), residual(solved.recursive_residual)]);
    if solved.setup_seconds > 0.0 {
        table.row(["setup".to_owned(), time(solved.setup_seconds)]);
    }
    table.row(["time".to_owned(), time(solved.seconds)]);
    if let Some(seconds) = solved.iteration_seconds {
        table.row([
            "an iteration".to_owned(),
            format!("{}, {} moved", time(seconds), bytes_text(solved.iteration_bytes as u64)),
        ]);
    }
    if let (Some(share), Some(rate)) = (solved.copy_share(), solved.copy_rate) {
        table.row(["of the copy rate".to_owned(), format!("{:.0} % of {:.2} TB/s", 100.0 * share, rate / 1e12)]);
    }
    if let Some(told) = energy::of(solved, metered) {
        table.row(["energy".to_owned(), energy::in_words(&told)]);
        let iterations = solved.iterations as f64;
        if let Some(energy) = told.ok().filter(|_| iterations > 0.0) {
            table.row(["of an iteration".to_owned(), energy::joules(energy.joules / iterations)]);
        }
    }
    let verdict = if solved.verdict.is_solved() { style.good(what) } else { style.bold(what) };
    let advice = if advice.is_empty() { String::new() } else { format!("  {advice}\n") };
    format!("{verdict}\n{advice}{}", table.text(2))
}

/// A line for each of several right-hand sides.
fn several_in_words(settings: &Settings, system: &System, solved: &[Solved], metered: Option<&Metered>) -> String {
    let (n, entries, n_rhs) = (system.matrix.rows(), system.matrix.nnz(), system.n_rhs());
    let mut table = Table::default();
    let energy = metered.map_or("", |_| "energy");
    table.row(["rhs", "iterations", "true residual", "time", "an iteration", energy, ""]);
    for (which, one) in solved.iter().enumerate() {
        let [_, all, iteration] = times(one);
        let residual = format!("{:.2e}", one.relative_residual);
        let number = (which + 1).to_string();
        let energy = energy::short(&energy::of(one, metered));
        table.row([number, one.iterations.to_string(), residual, all, iteration, energy, trouble(one).to_owned()]);
    }
    for which in solved.len()..n_rhs {
        let none = std::iter::repeat_n("-".to_owned(), 4);
        table.row([(which + 1).to_string()].into_iter().chain(none).chain([String::new(), "not begun".to_owned()]));
    }
    let n_solved = solved.iter().filter(|one| one.verdict.is_solved()).count();
    let seconds: f64 = solved.iter().map(|one| one.seconds).sum();
    let setup = if solved[0].setup_seconds > 0.0 {
        format!(", setup {}", time(solved[0].setup_seconds))
    } else {
        String::new()
    };
    format!(
        "{n_solved} of {n_rhs} right-hand sides converged\n  {n} equations, {entries} entries; {}, on {}\n  {} in all{setup}; \
         residuals against the right-hand side\n{}",
        method_in_words(settings),
        solved[0].device,
        time(seconds),
        table.text(2)
    )
}

/// A method on a system, as a row of a table of such: setup, time, and an iteration's.
pub fn times(solved: &Solved) -> [String; 3] {
    let or_none = |seconds: Option<f64>| seconds.map_or_else(|| "-".into(), time);
    let setup = Some(solved.setup_seconds).filter(|seconds| *seconds > 0.0);
    [or_none(setup), time(solved.seconds), or_none(solved.iteration_seconds)]
}

/// The verdict in a word, where it is not that all is well.
pub fn trouble(solved: &Solved) -> &'static str {
    if solved.verdict.is_solved() { "" } else { solved.verdict.in_words().0 }
}

/// A method on a system as JSON, one of several.
pub fn one_as_json(settings: &Settings, solved: &Solved) -> serde_json::Value {
    json!({
        "method": settings.method.name,
        "precond": name_of(settings.precond),
        "precision": settings.precision,
        "sync": settings.sync.map(|sync| sync.to_string()),
        "solved": solved,
        "copy_share": solved.copy_share(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn no_method_is_advised_to_its_own_users() {
        for method in METHODS.iter().map(|m| m.name) {
            for verdict in [Verdict::Diverged, Verdict::Breakdown, Verdict::Inaccurate] {
                let advice = advice_of(verdict, method);
                assert!(!advice.contains(&format!("`{method}`")), "{method}: {advice}");
            }
        }
    }

    #[test]
    fn what_is_known_of_a_solver_at_work_is_told() {
        let spent = Duration::from_millis(12_300);
        let one = Dense { rows: 1, cols: 1, values: vec![1.0] };
        let system = System { b: vec![2.0, 4.0], ..System::of(one.to_csr().unwrap()) };
        let told = |how_far: HowFar| so_far(&how_far, &system, 1e-8);
        let of = |last, is_gpu, is_stopping| told(HowFar { spent, rhs: (0, 1), last, is_gpu, is_stopping });
        let second = told(HowFar { spent, rhs: (1, 2), last: Some((7, 2.0)), is_gpu: false, is_stopping: false });
        let line = "solving, 12 s: right-hand side 2 of 2: iteration 7, residual 5.0e-1, to be 1.0e-8";
        assert_eq!(second, line);
        let line = |last, is_gpu| of(last, is_gpu, false);
        assert_eq!(line(None, false), "solving, 12 s");
        assert_eq!(line(Some((0, 2.0)), false), "solving, 12 s: iteration 0, residual 1.0e0, to be 1.0e-8");
        assert_eq!(line(Some((417, 3e-5)), true), "solving, 12 s: iteration 417, residual 1.5e-5, to be 1.0e-8");
        assert_eq!(of(Some((3, 2.0)), false, true), "stopping, 12 s: iteration 3, residual 1.0e0, to be 1.0e-8");
        assert!(of(Some((0, 2.0)), true, true).contains("Ctrl-C again"));
    }
}
