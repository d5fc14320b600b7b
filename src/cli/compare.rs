//! `rtcuda solve --compare`: one system, several methods, one table and one plot.

use super::outcome::{Done, Fault};
use super::solve::{
    AUTO, Solve, interruptibly, name_of, one_as_json, plottable, read, settings, so_far, times, trouble,
};
use super::tell::{Progress, say_all};
use rtcuda::diag::{Diagnostic, Stop};
use rtcuda::report::table::Table;
use rtcuda::solve::choice::choose;
use rtcuda::solve::judge::Verdict;
use rtcuda::solve::plot::{COLOURS, plot};
use rtcuda::solve::program::Programs;
use rtcuda::solve::system::System;
use rtcuda::solve::watch::{HowFar, Watch};
use rtcuda::solve::{Settings, Solved};
use serde_json::json;

/// Outcome of a method.
struct Compared {
    settings: Settings,
    outcome: Result<Solved, Diagnostic>,
}

/// Solves by every method that is asked for.
pub fn compare(arguments: &Solve) -> Result<Done, Fault> {
    plottable(arguments)?;
    let asked = arguments.compare.iter().map(|text| {
        let (name, precond) = text.split_once(':').unwrap_or((text, &arguments.precond));
        Ok((settings(arguments, name, precond)?, precond == AUTO))
    });
    let asked: Vec<(Settings, bool)> = asked.collect::<Result<_, Fault>>()?;
    let progress = Progress::new(arguments.json).in_lines(arguments.progress);
    let system = read(arguments, &progress)?;
    if system.n_rhs() > 1 {
        let rhs = arguments.rhs.as_deref().unwrap_or_default();
        let message = format!("--compare takes one right-hand side, and {rhs} has {}", system.n_rhs());
        let help = "name one of them, or solve for all of them by one method: `rtcuda solve METHOD --rhs ..`";
        return Err(Diagnostic::error("several-rhs", message, None).help(help).into());
    }
    let programs = Programs::new()?;
    let mut all = vec![];
    for (settings, is_auto) in asked {
        let outcome = one(&programs, &system, settings, is_auto, &progress);
        progress.line("");
        all.push(outcome?);
        let is_interrupted = |solved: &Solved| solved.verdict == Verdict::Interrupted;
        if all[all.len() - 1].outcome.as_ref().is_ok_and(is_interrupted) {
            break;
        }
    }
    let solved: Vec<&Solved> = all.iter().filter_map(|one| one.outcome.as_ref().ok()).collect();
    if let Some(path) = &arguments.plot {
        plot(&solved, all[0].settings.tolerance, path)?;
    }
    let warnings = all.iter().find(|one| one.settings.method.needs_symmetry);
    let warnings = warnings.map_or(vec![], |one| system.warnings(&one.settings));
    let status = u8::from(solved.len() < all.len() || solved.iter().any(|one| !one.verdict.is_solved()));
    if arguments.json {
        let rows: Vec<_> = all.iter().map(as_json).collect();
        return Ok(Done { text: format!("{:#}\n", json!({ "compared": rows, "diagnostics": warnings })), status });
    }
    say_all(&warnings);
    Ok(Done { text: in_words(&system, &all, arguments.plot.is_some()), status })
}

fn one(
    programs: &Programs,
    system: &System,
    mut settings: Settings,
    is_auto: bool,
    progress: &Progress,
) -> Result<Compared, Fault> {
    let name = settings.method.name;
    progress.line(&format!("{name}: building"));
    let tell = |how_far: HowFar| {
        progress.line(&format!("{name}: {}", so_far(&how_far, system, settings.tolerance)));
    };
    let solved = interruptibly(|wish| {
        let watch = Watch { tell: &tell, wish };
        let precond = if is_auto { choose(programs, system, &settings, &watch)?.precond } else { settings.precond };
        let chosen = Settings { precond, ..settings };
        Ok((precond, rtcuda::solve::solve(programs, system, &chosen, &watch)?))
    });
    match solved {
        Ok((precond, solved)) => {
            settings.precond = precond;
            Ok(Compared { settings, outcome: Ok(solved) })
        }
        // Another method may do with the system what one cannot.
        Err(Stop::Input(fault)) => Ok(Compared { settings, outcome: Err(*fault) }),
        Err(stop) => Err(stop.into()),
    }
}

fn as_json(one: &Compared) -> serde_json::Value {
    let Settings { method, precond, .. } = one.settings;
    match &one.outcome {
        Ok(solved) => one_as_json(&one.settings, solved),
        Err(fault) => json!({ "method": method.name, "precond": name_of(precond), "fault": fault }),
    }
}

fn in_words(system: &System, all: &[Compared], is_plotted: bool) -> String {
    let mut table = Table::default();
    let head = ["method", "precond", "iterations", "true residual", "setup", "time", "an iteration", "", ""];
    table.row(head);
    let mut colours = COLOURS.iter().cycle();
    for one in all {
        let names = [one.settings.method.name.to_owned(), name_of(one.settings.precond).to_owned()];
        match &one.outcome {
            Ok(solved) => {
                let [setup, all, iteration] = times(solved);
                let figures = [
                    solved.iterations.to_string(),
                    format!("{:.2e}", solved.relative_residual),
                    setup,
                    all,
                    iteration,
                    if is_plotted { colours.next().map_or("", |(_, name)| name) } else { "" }.into(),
                    trouble(solved).into(),
                ];
                table.row(names.into_iter().chain(figures));
            }
            Err(fault) => {
                let none = std::iter::repeat_n("-".to_owned(), 5);
                table.row(names.into_iter().chain(none).chain([String::new(), fault.message.clone()]));
            }
        }
    }
    let (n, entries) = (system.matrix.rows(), system.matrix.nnz());
    format!("{n} equations, {entries} entries; residuals against the right-hand side\n{}", table.text(2))
}
