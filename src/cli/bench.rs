//! `rtcuda bench`, and `rtcuda bench --model`.

use super::args::{Bench, BenchWhat};
use super::bench_kernels;
use super::bench_loops;
use super::bench_solvers;
use super::outcome::{Done, Fault};
use super::tell::Progress;
use rtcuda::bench::model::{self, Prediction};
use rtcuda::bench::{self, Row, cases::CASES};
use rtcuda::cost::Device;
use rtcuda::diag::Diagnostic;
use rtcuda::report::table::Table;
use rtcuda::runtime::device::Gpu;
use rtcuda::target::{self, MACHINES};
use serde_json::json;

/// Measures every case, or those that are named.
pub fn bench(arguments: &Bench) -> Result<Done, Fault> {
    match &arguments.what {
        Some(BenchWhat::Kernels(arguments)) => return bench_kernels::kernels(arguments),
        Some(BenchWhat::Loops(arguments)) => return bench_loops::loops(arguments),
        Some(BenchWhat::Solvers(arguments)) => return bench_solvers::solvers(arguments),
        None => {}
    }
    if arguments.model {
        return model(arguments);
    }
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

/// Estimates, and measures where the estimates' machine is this one's GPU.
fn model(arguments: &Bench) -> Result<Done, Fault> {
    let gpu = Gpu::first().ok();
    let asked = arguments.arch.as_deref().map(machine).transpose()?;
    let here = gpu.as_ref().filter(|gpu| asked.is_none_or(|m| m.capability == gpu.capability));
    let device = match (asked, here.and_then(|gpu| Some((gpu, gpu.machine()?)))) {
        (_, Some((gpu, machine))) => Device::named(&gpu.name, &machine),
        (Some(machine), None) => Device::of(&machine),
        (None, None) => Device::of(&machine("sm_90")?),
    };
    let mut predictions = model::predict(&device, arguments.only.as_deref())?;
    if here.is_some() {
        let progress = Progress::new(arguments.json);
        progress.line("building, running");
        model::measure(&mut predictions)?;
        progress.line("");
    }
    if arguments.json {
        let measured = here.map(|gpu| &gpu.name);
        return Done::well(format!(
            "{:#}\n",
            json!({ "model": device.name, "measured": measured, "kernels": predictions })
        ));
    }
    let head = match here {
        Some(gpu) => format!("model of an {}, measured on {}", device.name, gpu.name),
        None => format!("model of an {}; nothing was measured: this machine has no such GPU", device.name),
    };
    Done::well(format!("{head}\n{}", model_table(&predictions)))
}

fn machine(arch: &str) -> Result<target::Machine, Fault> {
    let capability = arch.strip_prefix("sm_").and_then(|digits| digits.parse().ok());
    capability.and_then(target::machine).ok_or_else(|| {
        let known: Vec<String> = MACHINES.iter().map(target::Machine::arch).collect();
        let message = format!("there is no model of `{arch}`");
        Diagnostic::error("no-model", message, None).help(format!("one of {}", known.join(", "))).into()
    })
}

fn model_table(predictions: &[Prediction]) -> String {
    let mut table = Table::default();
    table.row(["kernel", "sizes", "model", "measured", "model / measured", "limited by"]);
    for p in predictions {
        let measured = p.measured.map_or(String::new(), us);
        let ratio = p.measured.map_or(String::new(), |seconds| format!("{:.2}", p.seconds / seconds));
        let assumed = if p.assumed.is_empty() { "" } else { " (in part assumed)" };
        let limit = p.limit.map_or(String::new(), |limit| format!("{limit}{assumed}"));
        table.row([p.kernel.clone(), p.sizes.clone(), us(p.seconds), measured, ratio, limit]);
    }
    table.text(0)
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
