//! `rtcuda bench solvers`: every shipped solver on one system, or on each of several matrices, and which preconditioner
//! `--precond auto` would take there.

use super::args::Solvers;
use super::energy::{self, Told};
use super::outcome::{Done, Fault};
use super::solve::{interruptibly, name_of, named, one_as_json, times, trouble};
use super::tell::{Progress, say};
use rtcuda::bench::{self, Row, cases::CASES};
use rtcuda::config::{Backend, Choice};
use rtcuda::diag::Stop;
use rtcuda::report::table::Table;
use rtcuda::report::words::time;
use rtcuda::runtime::device::Gpu;
use rtcuda::runtime::energy::Metering;
use rtcuda::solve::choice::{Chosen, choose};
use rtcuda::solve::method::{METHODS, Method, Precond, SWEEPS, SYNCS};
use rtcuda::solve::program::Programs;
use rtcuda::solve::system::{Rhs, System};
use rtcuda::solve::watch::{Watch, Wish};
use rtcuda::solve::{Precision, Settings, Solved, solve};
use rtcuda::sparse::generate::{Kind, Recipe, generate};
use rtcuda::sparse::memory;
use serde_json::json;

/// A way to solve, and what came of it.
struct Line {
    settings: Settings,
    /// The result, or why the solver is not for the system.
    outcome: Result<Solved, String>,
    /// Flag: `--precond auto` takes this preconditioner for the method.
    is_chosen: bool,
}

/// A system, and every solver on it.
struct Measured {
    name: String,
    equations: usize,
    entries: usize,
    lines: Vec<Line>,
    /// The choice of a preconditioner for each method that takes several.
    choices: Vec<(&'static str, Chosen)>,
}

/// Measures every method, with every preconditioner that it takes, on each system.
pub fn solvers(arguments: &Solvers) -> Result<Done, Fault> {
    let backend: Backend = named(Backend::ALL, &arguments.backend)?;
    let progress = Progress::new(arguments.json);
    let metering = energy::begin(arguments.energy, backend, &progress)?;
    let repeat_seconds = metering.as_ref().map_or(0.0, Metering::least_seconds);
    let all = interruptibly(|wish| {
        let bench = Bench { arguments, backend, repeat_seconds, programs: Programs::new()?, wish, progress: &progress };
        bench.all()
    });
    progress.line("");
    let all = all?;
    let metered = metering.map(Metering::end).transpose()?;
    let energy = |solved: &Solved| energy::of(solved, metered.as_ref());
    let peers = if arguments.matrix.is_empty() { beside(backend, &progress) } else { vec![] };
    progress.line("");
    let device =
        all.iter().flat_map(|one| &one.lines).find_map(|line| line.outcome.as_ref().ok()).map(|one| &one.device);
    if arguments.json {
        let systems: Vec<_> = all.iter().map(|one| as_json(one, &energy)).collect();
        let told = match &systems[..] {
            [one] if arguments.matrix.is_empty() => {
                json!({ "device": device, "size": arguments.size, "solvers": one["solvers"], "beside": peers })
            }
            _ => json!({ "device": device, "systems": systems }),
        };
        return Done::well(format!("{told:#}\n"));
    }
    let mut text = device.map_or_else(String::new, |device| format!("{device}\n"));
    for one in &all {
        text += &format!("{}; {} equations, {} entries\n", one.name, one.equations, one.entries);
        text += &table(&one.lines, &energy);
    }
    Done::well(text + &beside_table(&peers))
}

/// All that measurements have in common.
struct Bench<'a> {
    arguments: &'a Solvers,
    backend: Backend,
    repeat_seconds: f64,
    programs: Programs,
    /// Interrupted, it ends with what it has measured.
    wish: &'a dyn Fn() -> Wish,
    progress: &'a Progress,
}

impl Bench<'_> {
    /// Every solver is built once, all at the same time.
    fn all(&self) -> Result<Vec<Measured>, Stop> {
        self.progress.line("building the solvers");
        let needed = self.settings().into_iter().filter_map(|settings| {
            settings.method.program(settings.precond, settings.precision).map(|program| (program, settings))
        });
        self.programs.build(&needed.collect::<Vec<_>>())?;
        if self.arguments.matrix.is_empty() {
            let n = self.arguments.size;
            self.progress.line("making the system");
            let made = generate(&Recipe::new(Kind::Poisson, &[n, n, n]), memory::available())?;
            return Ok(vec![self.measure(format!("Poisson's equation, {n}^3"), &System::of(made.matrix))?]);
        }
        let mut all = vec![];
        for path in self.arguments.matrix.iter().take_while(|_| self.goes_on()) {
            self.progress.line(&format!("reading {}", path.display()));
            all.push(self.measure(path.display().to_string(), &System::read(path, &Rhs::Ones)?)?);
        }
        Ok(all)
    }

    fn goes_on(&self) -> bool {
        (self.wish)() == Wish::GoOn
    }

    fn settings(&self) -> Vec<Settings> {
        // One thread of the CPU has no blocks that could wait.
        let sweeps = Some(&SWEEPS).filter(|_| self.backend != Backend::Cpu);
        let only = &self.arguments.only;
        let asked = |method: &&Method| only.is_empty() || only.iter().any(|name| name == method.name);
        let all = METHODS
            .iter()
            .chain(sweeps)
            .filter(asked)
            .flat_map(|method| all_settings(method, self.backend, self.arguments));
        all.map(|settings| Settings { repeat_seconds: self.repeat_seconds, ..settings }).collect()
    }

    fn measure(&self, name: String, system: &System) -> Result<Measured, Stop> {
        let watch = Watch { wish: self.wish, ..Watch::PATIENT };
        let (mut lines, mut choices) = (vec![], vec![]);
        for settings in self.settings().into_iter().take_while(|_| self.goes_on()) {
            self.progress.line(&format!("{name}, {} ({})", title(&settings), name_of(settings.precond)));
            let outcome = match solve(&self.programs, system, &settings, &watch) {
                Ok(solved) => Ok(solved),
                // Of a user's matrix, that a method is not for it is an answer.
                Err(Stop::Input(fault)) if !self.arguments.matrix.is_empty() => Err(fault.message.clone()),
                Err(stop) => return Err(stop),
            };
            lines.push(Line { settings, outcome, is_chosen: false });
        }
        let has_choice = |method: &&Method| !method.factored.is_empty() && !self.arguments.matrix.is_empty();
        for method in METHODS.iter().filter(has_choice).take_while(|_| self.goes_on()) {
            self.progress.line(&format!("{name}, {} (auto)", method.name));
            let is_own = |line: &Line| line.settings.method == method && line.settings.precision == Precision::Double;
            let Some(first) = lines.iter().find(|line| is_own(line)) else { continue };
            let settings = Settings { precond: Precond::None, ..first.settings };
            let chosen = match choose(&self.programs, system, &settings, &watch) {
                Ok(chosen) => chosen,
                Err(Stop::Input(_)) => continue,
                Err(stop) => return Err(stop),
            };
            lines.iter_mut().for_each(|line| line.is_chosen |= is_own(line) && line.settings.precond == chosen.precond);
            choices.push((method.name, chosen));
        }
        Ok(Measured { name, equations: system.matrix.rows(), entries: system.matrix.nnz(), lines, choices })
    }
}

fn as_json(measured: &Measured, energy: &dyn Fn(&Solved) -> Told) -> serde_json::Value {
    let rows = measured.lines.iter().map(|Line { settings, outcome, is_chosen }| {
        let mut row = match outcome {
            Ok(solved) => {
                let mut row = one_as_json(settings, solved);
                row["energy"] = energy::as_json(&energy(solved));
                row
            }
            Err(why) => {
                json!({ "method": settings.method.name, "precond": name_of(settings.precond), "not_solved": why })
            }
        };
        row["is_chosen"] = json!(is_chosen);
        row
    });
    let choices = measured.choices.iter().map(|(method, choice)| json!({ "method": method, "choice": choice }));
    json!({
        "system": measured.name,
        "equations": measured.equations,
        "entries": measured.entries,
        "solvers": rows.collect::<Vec<_>>(),
        "choices": choices.collect::<Vec<_>>(),
    })
}

/// Every way in which a method solves to the accuracy of double precision.
fn all_settings(method: &'static Method, backend: Backend, arguments: &Solvers) -> impl Iterator<Item = Settings> {
    let (most, restart, omega, tolerance) = (arguments.max_iter, 30, 1.5, 1e-8);
    let pairs = [Precision::Double, Precision::Mixed].into_iter().flat_map(|precision| {
        // On the system that is made here the inverse of the diagonal changes nothing: the program without it serves.
        let is_even = arguments.matrix.is_empty();
        let preconds = Precond::ALL.into_iter().map(|(_, precond)| precond);
        let preconds = preconds.filter(move |own| *own != Precond::Jacobi || !is_even);
        preconds.map(move |precond| (precond, precision))
    });
    let own = pairs.filter(|(precond, precision)| method.program(*precond, *precision).is_some());
    let syncs = if method.title == SWEEPS.title { SYNCS.map(|(_, sync)| Some(sync)).to_vec() } else { vec![None] };
    let each = own.flat_map(move |pair| syncs.clone().into_iter().map(move |sync| (pair, sync)));
    each.map(move |((precond, precision), sync)| Settings {
        method,
        sync,
        precond,
        precision,
        tolerance,
        most,
        restart,
        omega,
        backend,
        is_interruptible: false,
        repeat_seconds: 0.0,
    })
}

/// The method, and what it computes in where that is not double precision.
fn title(settings: &Settings) -> String {
    match (settings.precision, settings.sync) {
        (_, Some(sync)) => format!("{}, sync {sync}", settings.method.name),
        (Precision::Double, None) => settings.method.name.to_owned(),
        (precision, None) => format!("{}, {}", settings.method.name, precision.title()),
    }
}

/// CG beside calls of the libraries, where there are a GPU and they.
fn beside(backend: Backend, progress: &Progress) -> Vec<Row> {
    if backend == Backend::Cpu || Gpu::first().is_err() {
        return vec![];
    }
    progress.line("CG beside cuSPARSE and cuBLAS");
    let of_solvers = CASES.iter().filter(|case| case.solver.is_some());
    match of_solvers.map(bench::measure).collect::<Result<Vec<_>, _>>() {
        Ok(rows) => rows.concat(),
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
    let is_metered = |line: &Line| line.outcome.as_ref().is_ok_and(|solved| solved.repeated.is_some());
    let joules = if lines.iter().any(is_metered) { "energy" } else { "" };
    let title_row = ["method", "precond", "iterations", "true residual", "setup", "time", "an iteration"];
    table.row(title_row.into_iter().chain(["of the copy rate", joules, ""]));
    for Line { settings, outcome, is_chosen } in lines {
        let precond = name_of(settings.precond);
        let names = [title(settings), if *is_chosen { format!("{precond} (auto)") } else { precond.to_owned() }];
        let rest = match outcome {
            Ok(solved) => {
                let [setup, all, iteration] = times(solved);
                vec![
                    solved.iterations.to_string(),
                    format!("{:.1e}", solved.relative_residual),
                    setup,
                    all,
                    iteration,
                    solved.copy_share().map_or_else(|| "-".into(), |share| format!("{:.0} %", 100.0 * share)),
                    energy::short(&energy(solved)),
                    trouble(solved).to_owned(),
                ]
            }
            Err(why) => ["-"; 6].map(str::to_owned).into_iter().chain([String::new(), why.clone()]).collect(),
        };
        table.row(names.into_iter().chain(rest));
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
