//! `rtcuda tune`.

use super::args::Tune;
use super::outcome::{Done, Fault};
use super::program::program;
use super::tell;
use rtcuda::config::Objective;
use rtcuda::diag::Diagnostic;
use rtcuda::report::table::Table;
use rtcuda::tune::cache::Cache;
use rtcuda::tune::list::{List, Measured};
use rtcuda::tune::{self, Answer, Chosen, Options, Progress, Tuning, date, t4};
use serde_json::json;
use std::path::{Path, PathBuf};

/// Lines of a ranking that a person is shown.
const SHOWN: usize = 8;

/// Tunes the regions of a program.
pub fn tune(arguments: &Tune) -> Result<Done, Fault> {
    let (program, options) = program(&arguments.input)?;
    let mut config = options.config;
    config.target.backend = arguments.on.backend().unwrap_or(config.target.backend);
    let options = Options {
        files: program.files.clone(),
        given: arguments.given.given(),
        region: arguments.region.clone(),
        strategy: arguments.strategy().unwrap_or(config.tune.strategy),
        objective: arguments.objective().unwrap_or(config.tune.objective),
        budget: arguments.budget.unwrap_or(config.tune.budget),
        most: arguments.most.unwrap_or(usize::MAX),
        seed: arguments.seed,
        first: arguments.import.as_deref().map_or(Ok(vec![]), import)?,
        cache: arguments.cache.clone().unwrap_or(config.tune.cache.clone()),
        cflags: options.cflags,
        config,
    };
    let progress = tell::Progress::new(arguments.json);
    progress.line("converting and building");
    let answers = tune::tune(&options, &mut |p: &Progress| progress.line(&line(p)));
    progress.line("");
    let answers = answers?;
    if let Some(path) = &arguments.export {
        export(path, &options.cache)?;
    }
    if let Some(path) = &arguments.plot {
        plot(path, &answers)?;
    }
    let is_measured = answers.iter().all(|a| a.is_measured);
    let written = match arguments.write && is_measured {
        true => Some(write(&answers, program.config_file.as_deref(), &options)?),
        false => None,
    };
    if arguments.json {
        let answers: Vec<_> = answers.iter().map(in_json).collect();
        return Done::well(format!("{:#}\n", json!({ "regions": answers, "written": written })));
    }
    let mut text: String = answers.iter().map(told).collect();
    match written {
        Some(path) => text += &format!("written to {}\n", path.display()),
        None if !is_measured && arguments.write => text += "nothing is written: predictions are not measurements\n",
        None => {
            let tables = if is_measured { tune::toml::with_winners("", &answers, &today()) } else { String::new() };
            if !tables.is_empty() {
                text += &format!("for the configuration (--write puts it there):\n\n{tables}");
            }
        }
    }
    Done::well(text)
}

fn line(p: &Progress) -> String {
    let best = p.best.map_or("none right yet".into(), |value| format!("best {}", tune::in_words(value, p.objective)));
    format!("{}: {} measured, {best}, {} s left", p.kernel, p.evaluations, p.left.as_secs())
}

fn in_json(answer: &Answer) -> serde_json::Value {
    let mut value = json!(answer);
    let gains: Vec<_> = answer.kernels.iter().map(|k| json!({ "kernel": k.kernel, "gain": k.gain() })).collect();
    value["gains"] = json!(gains);
    value
}

fn told(answer: &Answer) -> String {
    let call: Vec<String> = answer.call.iter().map(|(name, n)| format!("{name} = {n}")).collect();
    let how = if answer.is_measured { "measured" } else { "predicted: there is no GPU, and these are no measurements" };
    let call: String = call.iter().map(|size| format!(", {size}")).collect();
    let mut text = format!("{} on {}{call}: {how}\n", answer.region, answer.device);
    text += &answer.whole.iter().map(|whole| ranking(whole, true)).collect::<String>();
    if answer.kernels.is_empty() {
        text += "  no kernel of it has sizes that could be tuned\n";
    }
    text += &answer.kernels.iter().map(|k| told_of(k, answer.is_measured)).collect::<String>();
    let judgement = answer.judgement.iter().map(|j| format!("  reference: {j}\n"));
    let notes = answer.notes.iter().map(|n| format!("  note: {n}\n"));
    text + &judgement.chain(notes).collect::<String>()
}

fn ranking(tuning: &Tuning, is_measured: bool) -> String {
    let mut table = Table::default();
    let default = tuning.ranking.iter().position(|r| r.chosen.is_none());
    let shown = tuning.ranking.iter().enumerate().filter(|(k, _)| *k < SHOWN || Some(*k) == default);
    for (k, r) in shown {
        let beside = match r.resources {
            _ if is_measured && r.predicted.is_finite() => format!("model {}", us(r.predicted)),
            Some(r) if r.spilled > 0 => format!("{} registers, {} bytes spilled", r.registers, r.spilled),
            Some(r) => format!("{} registers", r.registers),
            None => String::new(),
        };
        let metered = r.joules.map(|joules| format!("{}, ", tune::in_words(joules, Objective::Energy)));
        table.row([format!("{}", k + 1), metered.unwrap_or_default() + &us(r.seconds), beside, settings(&r.chosen)]);
    }
    let gain = match (tuning.gain(), tuning.winner(), tuning.objective) {
        (Some(gain), Some(_), Objective::Time) => format!("{gain:.2} times as fast as untuned"),
        (Some(gain), Some(_), Objective::Energy) => format!("untuned takes {gain:.2} times the energy"),
        (Some(gain), Some(_), Objective::Edp) => format!("untuned takes {gain:.2} times the energy and time"),
        (_, _, Objective::Time) => "nothing is faster than untuned".into(),
        _ => "nothing takes less than untuned, as far as the meter tells".into(),
    };
    let limit = tuning.limit.map_or(String::new(), |part| format!("; by the model, {part} limits the best"));
    let reach =
        tuning.reach.map_or(String::new(), |reach| format!(", at {:.0} % of the rate of a copy", 100.0 * reach));
    let n_wrong = tuning.rejected.len();
    let count = match (is_measured, tuning.cached) {
        (false, _) => String::new(),
        (true, 0) => format!(", {} candidates measured", tuning.evaluations),
        (true, cached) => format!(", {} candidates, {cached} of them remembered", tuning.evaluations),
    };
    let mut text = format!("  {}: {gain}{count}{limit}{reach}\n{}", tuning.kernel, table.text(4));
    for (sizes, why) in tuning.rejected.iter().take(SHOWN) {
        text += &format!("    not ranked: {sizes}: {why}\n");
    }
    if n_wrong > SHOWN {
        text += &format!("    not ranked: {} more; --json tells why\n", n_wrong - SHOWN);
    }
    text
}

fn told_of(tuning: &Tuning, is_measured: bool) -> String {
    let list = tuning.list.iter().map(|list| by_extent(list, tuning.objective));
    ranking(tuning, is_measured) + &list.collect::<String>()
}

/// The settings of a kernel by an extent, and why they are these.
fn by_extent(List { extent, rows }: &List, objective: Objective) -> String {
    let of = |m: &Measured| m.call.get(extent).copied().unwrap_or_default();
    let words = |value: f64| tune::in_words(value, objective);
    let all: Vec<String> = rows.iter().flat_map(|row| &row.measured).map(|m| of(m).to_string()).collect();
    let why = match rows.len() {
        1 => "one setting is as good as the best at each, or nearly so".to_owned(),
        n => format!(
            "{n} settings, each as good as the best where it was measured, or nearly so; boundaries are geometric means"
        ),
    };
    let mut table = Table::default();
    for row in rows {
        let calls = row.calls.as_ref().map_or("else".into(), |calls| format!("where {calls}"));
        let measured = row.measured.iter().map(|m| {
            let best = if m.value > m.best { format!(", best {}", words(m.best)) } else { String::new() };
            format!("{extent} = {}: {} (untuned {}{best})", of(m), words(m.value), words(m.untuned))
        });
        table.row([calls, settings(&row.chosen), measured.collect::<Vec<_>>().join("; ")]);
    }
    format!("    by {extent}, measured at {}: {why}\n{}", all.join(", "), table.text(6))
}

fn settings(chosen: &Chosen) -> String {
    if chosen.is_none() { "untuned".into() } else { chosen.to_string() }
}

fn us(seconds: f64) -> String {
    tune::in_words(seconds, Objective::Time)
}

/// The correct configurations of a T4 file, the fastest first.
fn import(path: &Path) -> Result<Vec<Chosen>, Fault> {
    let fault = |why: String| {
        let message = format!("{} cannot be imported: {why}", path.display());
        Fault::from(Diagnostic::error("t4-import", message, None).help("--import takes results in the T4 format"))
    };
    let text = std::fs::read_to_string(path).map_err(|e| fault(e.to_string()))?;
    let all = t4::import(&text).map_err(fault)?;
    let mut right: Vec<(f64, Chosen)> =
        all.into_iter().filter_map(|(chosen, seconds)| Some((seconds?, chosen))).collect();
    right.sort_by(|a, b| a.0.total_cmp(&b.0));
    Ok(right.into_iter().map(|(_, chosen)| chosen).collect())
}

/// Writes what the cache remembers as T4.
fn export(path: &Path, cache: &Path) -> Result<(), Fault> {
    let cache = Cache::open(cache)?;
    std::fs::write(path, format!("{:#}\n", t4::export(cache.entries())))
        .map_err(|e| Diagnostic::error("t4-export", format!("{} cannot be written: {e}", path.display()), None).into())
}

/// Draws the landscape.
fn plot(path: &Path, answers: &[Answer]) -> Result<(), Fault> {
    std::fs::write(path, tune::plot::svg(answers)?).map_err(|e| {
        let message = format!("the picture {} cannot be written: {e}", path.display());
        Diagnostic::error("plot-unwritable", message, None).help("--plot takes the path of an SVG file").into()
    })
}

/// Writes the winners into the program's configuration, or into a new one where a later conversion looks for it.
fn write(answers: &[Answer], config_file: Option<&Path>, options: &Options) -> Result<PathBuf, Fault> {
    let path = match (config_file, options.files.first()) {
        (Some(path), _) => path.to_owned(),
        (None, Some(file)) => {
            let folder = file.parent().unwrap_or(Path::new(""));
            folder.join("configs").join(file.file_stem().unwrap_or_default()).with_extension("toml")
        }
        (None, None) => return Err(Fault::Bug("tune: a program without files".into())),
    };
    let fault = |e: std::io::Error| {
        let message = format!("the configuration {} cannot be written: {e}", path.display());
        Diagnostic::error("config-unwritable", message, None).help("without --write the tables are printed")
    };
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(e) => return Err(fault(e).into()),
    };
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let replaced = std::fs::create_dir_all(folder).and_then(|()| {
        // In one step: who stops it half-way leaves the file as it was.
        let beside = tempfile::NamedTempFile::new_in(folder)?;
        std::fs::write(beside.path(), tune::toml::with_winners(&text, answers, &today()))?;
        beside.persist(&path)?;
        Ok(())
    });
    replaced.map_err(fault)?;
    Ok(path)
}

/// The date, in UTC.
fn today() -> String {
    date::of(date::now())
}

#[cfg(test)]
mod tests {
    use super::*;
    use rtcuda::config::Calls;
    use rtcuda::tune::list::Row;

    #[test]
    fn settings_by_an_extent_are_told_with_what_they_come_from() {
        let at = |n, [value, best, untuned]: [f64; 3]| {
            let call = [("m".to_owned(), 7), ("n".to_owned(), n)].into();
            Measured { call, value: 1e-6 * value, best: 1e-6 * best, untuned: 1e-6 * untuned, when: 0 }
        };
        let small = Row {
            calls: Calls::parse("n <= 2048"),
            chosen: Chosen::sizes([("BLOCK_0".to_owned(), 4)].into()),
            measured: vec![at(256, [1.0, 1.0, 2.0]), at(1024, [2.02, 2.0, 3.0])],
        };
        let large = Row { calls: None, chosen: Chosen::default(), measured: vec![at(4096, [9.0, 9.0, 9.0])] };
        let list = List { extent: "n".into(), rows: vec![small, large] };
        expect_test::expect![[r#"
                by n, measured at 256, 1024, 4096: 2 settings, each as good as the best where it was measured, or nearly so; boundaries are geometric means
                  where n <= 2048  BLOCK_0 = 4  n = 256: 1.0 us (untuned 2.0 us); n = 1024: 2.0 us (untuned 3.0 us, best 2.0 us)
                  else             untuned      n = 4096: 9.0 us (untuned 9.0 us)
        "#]]
        .assert_eq(&by_extent(&list, Objective::Time).replace("\n    ", "\n").replacen("    ", "", 1));
        assert_eq!(json!(list)["rows"][0]["calls"], "n <= 2048");
    }
}
