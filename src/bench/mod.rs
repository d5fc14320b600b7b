//! `rtcuda bench`: shipped C programs, converted, beside programs that call NVIDIA's libraries by hand: in one run, on
//! this machine's GPU.
//!
//! ```text
//! cases::CASES ─┬─ the C: converted, built, run under $RTCUDA_PROFILE ─ seconds of its kernels ─┬─ Row
//!               └─ the peer (templates/bench): built, run ─ microseconds on its error stream ───┘
//! ```
//! Both programs of a case make the same input for themselves, named in the environment (`RT_BENCH`), and both are timed
//! by events on the device, the quickest of some runs: without loading, copies and preparation.

pub mod cases;
pub mod kernels;
pub mod model;

use crate::config::{self, Backend, Config, Given};
use crate::diag::{Diagnostic, Stop, no_temporary_folder};
use crate::runtime::build;
use crate::runtime::call::Failure;
use crate::runtime::run::{self, Outcome};
use crate::runtime::written::{self, Profile};
use crate::runtime::{backend, device::Gpu, shipped};
use cases::Case;
use serde::Serialize;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The longest that one program may run.
const LIMIT: Duration = Duration::from_secs(120);

/// A case at a size.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// What is done.
    pub case: &'static str,
    /// On what: `poisson 64`.
    pub input: String,
    /// Seconds that the converted program takes.
    pub seconds: f64,
    /// What others take for the same.
    pub peers: Vec<Peer>,
}

/// A way to do the same by calls of a library.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Peer {
    /// Which calls.
    pub name: String,
    /// Seconds that they take.
    pub seconds: f64,
}

impl Row {
    /// How many times as long as the converted program the best peer takes.
    pub fn ratio(&self) -> Option<f64> {
        let best = self.peers.iter().map(|p| p.seconds).min_by(f64::total_cmp)?;
        Some(best / self.seconds)
    }
}

/// What the rows were measured on.
///
/// # Errors
/// `no-gpu` where there is none.
pub fn device() -> Result<String, Stop> {
    Ok(Gpu::first()?.name)
}

/// Measures a case at each of its sizes.
///
/// # Errors
/// A missing GPU, compiler or library, a program that fails.
pub fn measure(case: &'static Case) -> Result<Vec<Row>, Stop> {
    let folder = tempfile::tempdir().map_err(|e| no_temporary_folder(&e))?;
    let programs = std::thread::scope(|scope| {
        let ours = scope.spawn(|| converted(case, &folder.path().join("c")));
        let peer = peer(case, &folder.path().join("peer"));
        let ours = ours.join().unwrap_or_else(|_| Err(Stop::Bug("bench: a building thread panicked".into())));
        Ok::<_, Stop>((ours?, peer?))
    });
    let (ours, peer) = programs?;
    case.inputs.iter().map(|input| row(case, input, &ours, &peer, folder.path())).collect()
}

fn row(case: &Case, input: &str, ours: &Path, peer: &Path, folder: &Path) -> Result<Row, Stop> {
    let profile = folder.join("profile.json");
    let named = ("RT_BENCH", input.into());
    let asked = [named.clone(), ("RTCUDA_PROFILE", profile.clone().into()), ("RTCUDA_CHOICE", "device".into())];
    run_well(ours, run::quietly(ours, &Given::default(), &asked, LIMIT)?)?;
    let times = written::read::<Profile>(&profile)?.unwrap_or_default();
    let seconds = case.seconds(&times);
    if seconds <= 0.0 {
        return Err(Stop::Bug(format!("bench: {} ran no kernel for `{input}`", case.name)));
    }
    let said = run_well(peer, run::quietly(peer, &Given::default(), &[named], LIMIT)?)?;
    let peers = said.lines().filter_map(|line| {
        let (us, name) = line.split_once(' ')?;
        Some(Peer { name: name.into(), seconds: 1e-6 * us.parse::<f64>().ok()? })
    });
    Ok(Row { case: case.name, input: input.into(), seconds, peers: peers.collect() })
}

/// What a program said that ended well.
fn run_well(program: &Path, outcome: Outcome) -> Result<String, Stop> {
    let how = match outcome.status {
        Some(status) if status.success() => return Ok(outcome.stderr),
        Some(status) => run::in_words(status),
        None => format!("no answer within {} s", LIMIT.as_secs()),
    };
    let name = program.file_name().unwrap_or_default().display();
    Err(Diagnostic::error("bench-failed", format!("{name} ended with {how}"), None).note(None, outcome.stderr).into())
}

fn converted(case: &Case, folder: &Path) -> Result<PathBuf, Stop> {
    let solver = case.solver.map(|solver| ("solver.c", solver.solver()));
    let files = written_to(folder, &solver.into_iter().chain(case.sources.iter().copied()).collect::<Vec<_>>())?;
    let config = shipped::config(case.name, case.solver.map_or(case.config, |solver| solver.config), Backend::Cuda)?;
    let target = backend::choose(&config.target)?;
    let c: Vec<PathBuf> = files.into_iter().filter(|f| f.extension().is_some_and(|e| e == "c")).collect();
    shipped::build(&c, config, vec!["-O2".into()], &target, folder)
}

fn peer(case: &Case, folder: &Path) -> Result<PathBuf, Stop> {
    let files = written_to(folder, case.peer)?;
    let target = backend::choose(&config::Target { backend: Backend::Cuda, ..Config::default().target })?;
    let path = folder.join("peer");
    build::by_hand(&files[0], &["cublas", "cusparse"], &path, &target).map_err(|failure| match failure {
        Failure::Start(stop) => stop,
        Failure::Refused(words) => Diagnostic::error(
            "no-peer",
            format!("the program that {} is compared with does not build", case.name),
            None,
        )
        .note(None, words)
        .help("it needs cuBLAS and cuSPARSE, headers and libraries: install the whole CUDA toolkit")
        .into(),
    })?;
    Ok(path)
}

fn written_to(folder: &Path, texts: &[(&str, &str)]) -> Result<Vec<PathBuf>, Stop> {
    let bug = |e: std::io::Error| Stop::Bug(format!("{} cannot be written: {e}", folder.display()));
    fs::create_dir_all(folder).map_err(bug)?;
    let write = |(name, text): &(&str, &str)| {
        let path = folder.join(name);
        fs::write(&path, text).map(|()| path)
    };
    texts.iter().map(|file| write(file).map_err(bug)).collect()
}
