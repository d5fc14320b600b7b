//! `rtcuda bench`.

use super::args::Bench;
use super::{Done, Fault, Progress};
use rtcuda::bench::{self, Row, cases::CASES};
use rtcuda::report::table::Table;
use serde_json::json;

/// Measures every case, or those that are named.
pub fn bench(arguments: &Bench) -> Result<Done, Fault> {
    let device = bench::device()?;
    let is_wanted = |name: &str| arguments.only.as_ref().is_none_or(|part| name.contains(part.as_str()));
    let progress = Progress::new(arguments.json);
    let mut rows = vec![];
    for case in CASES.iter().filter(|case| is_wanted(case.name)) {
        progress.line(&format!("{}: building, running", case.name));
        rows.extend(bench::measure(case)?);
    }
    progress.line("");
    if arguments.json {
        return Done::well(format!("{:#}\n", json!({ "device": device, "rows": rows })));
    }
    Done::well(format!("{device}\n{}", table(&rows)))
}

fn table(rows: &[Row]) -> String {
    let mut table = Table::default();
    table.row(["", "input", "converted", "by hand", "", "by hand / converted"]);
    for row in rows {
        let best = row.ratio().map_or(String::new(), |r| format!("{r:.2}"));
        let mut first = vec![row.case.to_owned(), row.input.clone(), us(row.seconds)];
        let mut rest = row.peers.iter().map(|p| [us(p.seconds), p.name.clone()]);
        first.extend(rest.next().into_iter().flatten().chain([best]));
        table.row(first);
        rest.for_each(|[time, name]| table.row([String::new(), String::new(), String::new(), time, name]));
    }
    table.text(0)
}

fn us(seconds: f64) -> String {
    format!("{:.2} us", 1e6 * seconds)
}
