//! `rtcuda bench loops`.

use super::args::Loops;
use super::bench_kernels::{no_such_kernel, us};
use super::outcome::{Done, Fault};
use super::tell::Progress;
use rtcuda::bench;
use rtcuda::bench::kernels::Outcome;
use rtcuda::bench::kernels::loops::text::SPELLINGS;
use rtcuda::bench::kernels::loops::{self, Figure};
use rtcuda::report::table::Table;
use serde_json::json;

/// Measures the nests that are wanted in loops.
pub fn loops(arguments: &Loops) -> Result<Done, Fault> {
    if loops::nests(&arguments.only).next().is_none() {
        return Err(no_such_kernel(&arguments.only, loops::nests(&[])).into());
    }
    let device = bench::device()?;
    let progress = Progress::new(arguments.json);
    let figures = loops::measure(&arguments.only, &|line| progress.line(line));
    progress.line("");
    let figures = figures?;
    if arguments.json {
        let row = |figure: &Figure| {
            let mut value = json!(figure);
            value["worst"] = json!(figure.worst());
            value
        };
        let rows: Vec<_> = figures.iter().map(row).collect();
        return Done::well(format!("{:#}\n", json!({ "device": device, "rows": rows })));
    }
    Done::well(format!("{device}\n{}", table(&figures)))
}

fn table(figures: &[Figure]) -> String {
    let mut table = Table::default();
    let heads = ["kernel", "size", "copy rate", "alone"].into_iter().chain(SPELLINGS).chain(["worst"]);
    table.row(heads.map(str::to_owned));
    for figure in figures {
        let copy = figure.copy_s.map_or(String::new(), us);
        let steps = figure.steps.iter().map(|(_, step)| cell(step));
        let worst = figure.worst().map_or(String::new(), |times| format!("{times:.2}"));
        let first = [figure.kernel.to_owned(), figure.size.clone(), copy, cell(&figure.alone)];
        table.row(first.into_iter().chain(steps).chain([worst]));
    }
    table.text(0)
}

fn cell(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Seconds(seconds) => us(*seconds),
        Outcome::Declined(why) => format!("declined: {why}"),
        Outcome::Failed(why) => format!("failed: {why}"),
    }
}
