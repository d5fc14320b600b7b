//! `rtcuda bench solvers`: every shipped solver on one system.

use super::args::Solvers;
use super::energy::{self, Told};
use super::outcome::{Done, Fault};
use super::solve::{name_of, named, one_as_json, time, times, trouble};
use super::tell::{Progress, say};
use rtcuda::bench::{self, Row, cases::CASES};
use rtcuda::config::{Backend, Choice};
use rtcuda::diag::Stop;
use rtcuda::report::table::Table;
use rtcuda::runtime::device::Gpu;
use rtcuda::runtime::energy::Metering;
use rtcuda::solve::method::{METHODS, Method, Precond};
use rtcuda::solve::system::System;
use rtcuda::solve::watch::Watch;
use rtcuda::solve::{Precision, Settings, Solved};
use rtcuda::sparse::generate::{Kind, Recipe, generate};
use rtcuda::sparse::memory;
use serde_json::json;

/// The way a solver solved, and its result.
type Line = (Settings, Solved);

/// Measures every method, with every preconditioner that it takes.
pub fn solvers(arguments: &Solvers) -> Result<Done, Fault> {
    let backend: Backend = named(Backend::ALL, &arguments.backend)?;
    let progress = Progress::new(arguments.json);
    let n = arguments.size;
    let metering = energy::begin(arguments.energy, backend, &progress)?;
    let repeat_seconds = metering.as_ref().map_or(0.0, Metering::least_seconds);
    progress.line("making the system");
    let made = generate(&Recipe::new(Kind::Poisson, &[n, n, n]), memory::available());
    let system = System::of(made.inspect_err(|_| progress.line(""))?.matrix);
    let mut lines: Vec<Line> = vec![];
    for method in &METHODS {
        for settings in all_settings(method, backend, arguments) {
            let settings = Settings { repeat_seconds, ..settings };
            progress.line(&format!("{} ({})", title(&settings), name_of(settings.precond)));
            let solved = rtcuda::solve::solve(&system, &settings, &Watch::PATIENT);
            progress.line("");
            lines.push((settings, solved?));
        }
    }
    let metered = metering.map(Metering::end).transpose()?;
    let energy = |solved: &Solved| energy::of(solved, metered.as_ref());
    let peers = beside(backend, &progress);
    progress.line("");
    let device = &lines[0].1.device;
    if arguments.json {
        let rows = lines.iter().map(|(settings, solved)| {
            let mut row = one_as_json(settings, solved);
            row["energy"] = energy::as_json(&energy(solved));
            row
        });
        let text = json!({ "device": device, "size": n, "solvers": rows.collect::<Vec<_>>(), "beside": peers });
        return Done::well(format!("{text:#}\n"));
    }
    let equations = system.matrix.rows();
    Done::well(format!("{device}; {equations} equations\n{}{}", table(&lines, &energy), beside_table(&peers)))
}

/// Every way in which a method solves to the accuracy of double precision.
fn all_settings(method: &'static Method, backend: Backend, arguments: &Solvers) -> impl Iterator<Item = Settings> {
    let (most, restart, omega, tolerance) = (arguments.max_iter, 30, 1.5, 1e-8);
    let pairs = [Precision::Double, Precision::Mixed].into_iter().flat_map(|precision| {
        // On this system the inverse of the diagonal changes nothing: the program without it serves.
        let preconds = Precond::ALL.into_iter().map(|(_, precond)| precond).filter(|own| *own != Precond::Jacobi);
        preconds.map(move |precond| (precond, precision))
    });
    let own = pairs.filter(|(precond, precision)| method.program(*precond, *precision).is_some());
    own.map(move |(precond, precision)| Settings {
        method,
        precond,
        precision,
        tolerance,
        most,
        restart,
        omega,
        backend,
        repeat_seconds: 0.0,
    })
}

/// The method, and what it computes in where that is not double precision.
fn title(settings: &Settings) -> String {
    match settings.precision {
        Precision::Double => settings.method.name.to_owned(),
        precision => format!("{}, {}", settings.method.name, precision.title()),
    }
}

/// CG beside calls of the libraries, where there are a GPU and they.
fn beside(backend: Backend, progress: &Progress) -> Vec<Row> {
    if backend == Backend::Cpu || Gpu::first().is_err() {
        return vec![];
    }
    progress.line("CG beside cuSPARSE and cuBLAS");
    match bench::measure(&CASES[0]) {
        Ok(rows) => rows,
        Err(stop) => {
            progress.line("");
            let why = match stop {
                Stop::Input(fault) => fault.message.clone(),
                Stop::Bug(why) => why,
            };
            say(&format!("CG by calls of libraries is missing: {why}\n"));
            vec![]
        }
    }
}

fn table(lines: &[Line], energy: &dyn Fn(&Solved) -> Told) -> String {
    let mut table = Table::default();
    let joules = if lines.iter().any(|(_, solved)| solved.repeated.is_some()) { "energy" } else { "" };
    table.row(["method", "precond", "iterations", "setup", "time", "an iteration", "of the copy rate", joules, ""]);
    for (settings, solved) in lines {
        let [setup, all, iteration] = times(solved);
        table.row([
            title(settings),
            name_of(settings.precond).to_owned(),
            solved.iterations.to_string(),
            setup,
            all,
            iteration,
            solved.copy_share().map_or_else(|| "-".into(), |share| format!("{:.0} %", 100.0 * share)),
            energy::short(&energy(solved)),
            trouble(solved).to_owned(),
        ]);
    }
    table.text(0)
}

fn beside_table(rows: &[Row]) -> String {
    let mut table = Table::default();
    for row in rows {
        let peers = row.peers.iter().map(|peer| format!("{} by {}", time(peer.seconds), peer.name));
        table.row([row.case.to_owned(), row.input.clone(), time(row.seconds), peers.collect::<Vec<_>>().join(", ")]);
    }
    table.text(0)
}
