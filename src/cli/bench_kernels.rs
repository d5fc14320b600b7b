//! `rtcuda bench kernels`.

use super::args::Kernels;
use super::outcome::{Done, Fault};
use super::tell::{Progress, say, style};
use rtcuda::bench;
use rtcuda::bench::kernels::rows::Row;
use rtcuda::bench::kernels::{self, Figure, Measured, Options, Outcome};
use rtcuda::diag::Diagnostic;
use rtcuda::report::table::Table;
use rtcuda::runtime::verify::{self, Verification};
use serde_json::json;

/// Measures the kernels that are wanted, or checks them.
pub fn kernels(arguments: &Kernels) -> Result<Done, Fault> {
    let config = arguments.config.as_ref().map(|path| match std::fs::read_to_string(path) {
        Ok(text) => Ok((path.display().to_string(), text)),
        Err(e) => {
            let message = format!("the configuration {} cannot be read: {e}", path.display());
            Err(Diagnostic::error("config-unreadable", message, None))
        }
    });
    let options = Options {
        only: arguments.only.clone(),
        quick: arguments.quick,
        dissect: arguments.dissect,
        config: config.transpose()?,
    };
    if kernels::wanted(&options.only).next().is_none() {
        return Err(no_such_kernel(&options.only, kernels::wanted(&[])).into());
    }
    if arguments.check {
        return check(arguments, &options);
    }
    let device = bench::device()?;
    let progress = Progress::new(arguments.json);
    let measured = kernels::measure(&options, &|line| progress.line(line));
    progress.line("");
    let Measured { figures, missing } = measured?;
    missing.iter().for_each(|why| say(&format!("a baseline is missing: {why}\n")));
    if arguments.json {
        let rows: Vec<_> = figures.iter().map(in_json).collect();
        return Done::well(format!(
            "{:#}\n",
            json!({ "device": device, "rows": rows, "missing": missing, "speedups": kernels::speedups(&figures) })
        ));
    }
    let summary = if arguments.dissect { speedups(&figures) } else { summary(&figures) };
    Done::well(format!("{device}\n{}{summary}", table(&figures)))
}

/// Diagnostic that none of `known` has one of these parts in its name.
pub fn no_such_kernel(parts: &[String], known: impl Iterator<Item = &'static Row>) -> Diagnostic {
    let names: Vec<&str> = known.map(|row| row.kernel).collect();
    let message = format!("no kernel has `{}` in its name", parts.join("` or `"));
    Diagnostic::error("no-such-kernel", message, None).help(format!("there are {}", names.join(", ")))
}

fn check(arguments: &Kernels, options: &Options) -> Result<Done, Fault> {
    let progress = Progress::new(arguments.json);
    let done = |verification: &Verification| progress.line(&verification.program);
    let verifications = kernels::check(options, arguments.backend(), &done);
    progress.line("");
    let verifications = verifications?;
    let status = verifications.iter().map(|verification| verification.verdict.status()).max().unwrap_or(0);
    let text = if arguments.json {
        format!("{:#}\n", json!({ "programs": verifications }))
    } else {
        verify::text::text(&verifications, style())
    };
    Ok(Done { text, status })
}

fn in_json(figure: &Figure) -> serde_json::Value {
    let mut value = json!(figure);
    value["reach"] = json!(figure.reach());
    value["verdict"] = json!(figure.verdict());
    value
}

fn table(figures: &[Figure]) -> String {
    let mut table = Table::default();
    let is_dissected = figures.iter().any(|figure| !figure.step.is_empty());
    let step = |text: &str| is_dissected.then(|| text.to_owned());
    let line = |cells: [&str; 2], step: Option<String>, rest: [String; 6]| {
        cells.into_iter().map(str::to_owned).chain(step).chain(rest).collect::<Vec<_>>()
    };
    let heads = ["converted", "baseline", "", "reach", "target", ""].map(str::to_owned);
    table.row(line(["kernel", "size"], step("optimisations"), heads));
    let is_told = |before: &Figure, figure: &Figure| {
        matches!(figure.outcome, Outcome::Declined(_)) && before.kernel == figure.kernel && before.size == figure.size
    };
    for (at, figure) in figures.iter().enumerate() {
        // What no step takes is said once.
        if at > 0 && is_told(&figures[at - 1], figure) {
            continue;
        }
        let seconds = figure.outcome.seconds().map_or(String::new(), us);
        let (name, theirs) =
            figure.baseline.as_ref().map_or_else(Default::default, |b| (b.name.clone(), us(b.seconds)));
        let reach = figure.reach().map_or(String::new(), |reach| format!("{reach:.1} %"));
        let rest = [seconds, name, theirs, reach, format!("{} %", figure.target), verdict(figure)];
        table.row(line([figure.kernel, &figure.size], step(&figure.step), rest));
    }
    table.text(0)
}

/// The verdict for a cell: of why loops were declined the first clause, which JSON has in full.
fn verdict(figure: &Figure) -> String {
    let whole = figure.verdict();
    match figure.outcome {
        Outcome::Declined(_) => whole.splitn(3, ": ").take(2).collect::<Vec<_>>().join(": "),
        _ => whole,
    }
}

fn summary(figures: &[Figure]) -> String {
    let n_ok = figures.iter().filter(|figure| figure.verdict() == "ok").count();
    format!("{n_ok} of {} reach their targets\n", figures.len())
}

fn speedups(figures: &[Figure]) -> String {
    let mut table = Table::default();
    for (step, times) in kernels::speedups(figures) {
        table.row([step.to_owned(), format!("{times:.2} times as fast as naive, the geometric mean")]);
    }
    table.text(0)
}

/// Microseconds for a cell.
pub fn us(seconds: f64) -> String {
    format!("{:.1} us", 1e6 * seconds)
}
