//! `rtcuda bench --model`: what the cost model says of kernels of many kinds, beside what they take where there is a GPU.
//!
//! ```text
//! templates/bench/model.c ─┬─ kernels, as text ─ cost::estimate at the sizes below ─┬─ Prediction
//!                          └─ built, run under $RTCUDA_PROFILE ─ seconds of each ───┘
//! ```

use super::{LIMIT, run_well, written_to};
use crate::config::{Backend, Config, Given};
use crate::cost::{self, Device, Sizes};
use crate::diag::{Stop, no_temporary_folder};
use crate::kernel::{Kernel, parse};
use crate::pipeline::{self, ConvertOptions};
use crate::runtime::written::{self, Profile};
use crate::runtime::{backend, run, shipped};
use serde::Serialize;
use std::path::Path;

/// The program.
const PROGRAM: (&str, &str) = ("model.c", include_str!("../../templates/bench/model.c"));

/// A function of it, the numbers that it is called with, and those of the elements of its arrays that nothing else tells.
struct Call {
    function: &'static str,
    scalars: &'static [(&'static str, i64)],
    elements: &'static [(&'static str, i64)],
}

const N: i64 = 1 << 26;
/// Points of a cube, rows of the sparse matrix.
const CUBE: i64 = 128 * 128 * 128;

const fn call(function: &'static str, scalars: &'static [(&'static str, i64)]) -> Call {
    Call { function, scalars, elements: &[] }
}

/// As `main` makes them.
const CALLS: [Call; 18] = [
    call("add", &[("n", 8192), ("m", 8192)]),
    call("transpose", &[("n", 8192), ("m", 8192)]),
    call("by_rows", &[("n", 8192), ("m", 8192)]),
    call("by_columns", &[("n", 65536), ("m", 1024)]),
    call("product_f32", &[("n", 2048)]),
    call("product_f64", &[("n", 2048)]),
    call("total", &[("n", N), ("rt_n_parts", 1024)]),
    call("axpy", &[("n", N / 2)]),
    call("five_points", &[("n", 8192)]),
    call("seven_points", &[("n", 320)]),
    call("every_eighth", &[("n", N / 16)]),
    call("lengths", &[("n", N / 4)]),
    Call { function: "gather", scalars: &[("n", N / 4)], elements: &[("x", N / 4)] },
    Call { function: "histogram", scalars: &[("n", N)], elements: &[("count", 256)] },
    call("triangle", &[("n", 5792)]),
    call("functions", &[("n", N / 2)]),
    call("bodies", &[("n", 65536)]),
    Call {
        function: "sparse",
        scalars: &[("n", CUBE)],
        elements: &[("x", CUBE), ("column", 7 * CUBE), ("value", 7 * CUBE)],
    },
];

/// Entries of a row of the sparse matrix.
const ROW: f64 = 7.0;

/// A kernel's estimate, and its time where it was measured.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Prediction {
    pub kernel: String,
    /// With what it was launched: `n = 8192, m = 8192`.
    pub sizes: String,
    /// Seconds that it is estimated to take.
    pub seconds: f64,
    /// The quickest of some launches.
    pub measured: Option<f64>,
    /// The part that limits it.
    pub limit: Option<cost::Part>,
    /// Assumptions of the estimate.
    pub assumed: Vec<cost::Assumption>,
    pub accesses: Vec<Moved>,
}

/// Memory traffic of an access of a kernel.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Moved {
    /// As the kernel's text has it.
    pub access: String,
    pub line: u32,
    pub pattern: cost::Pattern,
    /// Sectors of 32 bytes of a request, and of the bytes that are used; in shared memory passes.
    pub sectors: f64,
    pub least: f64,
}

/// Estimates the kernels whose names have `only` in them, for a device.
///
/// # Errors
/// Errors of the conversion of the program.
pub fn predict(device: &Device, only: Option<&str>) -> Result<Vec<Prediction>, Stop> {
    let folder = temporary()?;
    let files = written_to(folder.path(), &[PROGRAM])?;
    let options = ConvertOptions {
        config: config(Backend::Auto)?,
        dump_after: Some("kernel".into()),
        ..ConvertOptions::default()
    };
    let text = pipeline::convert(&files, &options)?.dumps;
    let (_, kernels) = parse::module(&text).map_err(|e| Stop::Bug(format!("bench: kernels do not parse: {e}")))?;
    let is_wanted = |k: &&Kernel| only.is_none_or(|part| k.name.contains(part));
    Ok(kernels.iter().filter(is_wanted).filter_map(|k| prediction(k, device)).collect())
}

fn prediction(kernel: &Kernel, device: &Device) -> Option<Prediction> {
    let call = CALLS.iter().find(|c| kernel.name.starts_with(&format!("rt_{}_0_", c.function)))?;
    let mut sizes = Sizes::of(call.scalars.iter().copied());
    sizes.elements = call.elements.iter().map(|(name, n)| (name.to_string(), *n)).collect();
    sizes.trips = Some(ROW);
    let kernel = &cost::picked(kernel, device, &sizes);
    let e = cost::estimate(kernel, &[], device, &sizes);
    let moved = |x: &cost::AccessCost| Moved {
        access: x.access.to_string(),
        line: x.line,
        pattern: x.pattern,
        sectors: x.sectors,
        least: x.least,
    };
    Some(Prediction {
        kernel: kernel.name.clone(),
        sizes: call.scalars.iter().map(|(name, n)| format!("{name} = {n}")).collect::<Vec<_>>().join(", "),
        seconds: e.seconds,
        measured: None,
        limit: e.limit(),
        assumed: e.assumed.iter().copied().collect(),
        accesses: e.accesses.iter().filter(|x| x.requests > 0.0).map(moved).collect(),
    })
}

/// Builds and runs the program on this machine's GPU, and fills in what was measured.
///
/// # Errors
/// A missing compiler, a program that fails.
pub fn measure(predictions: &mut [Prediction]) -> Result<(), Stop> {
    let folder = temporary()?;
    let files = written_to(folder.path(), &[PROGRAM])?;
    let config = config(Backend::Cuda)?;
    let target = backend::choose(&config.target)?;
    let program = shipped::build(&files, config, vec!["-O2".into()], &target, folder.path())?;
    for (name, seconds) in times(&program, folder.path())? {
        predictions.iter_mut().filter(|p| p.kernel == name).for_each(|p| p.measured = Some(seconds));
    }
    Ok(())
}

/// The quickest launch of each kernel.
fn times(program: &Path, folder: &Path) -> Result<Vec<(String, f64)>, Stop> {
    let profile = folder.join("profile.json");
    let asked = [("RTCUDA_PROFILE", profile.clone().into()), ("RTCUDA_CHOICE", "device".into())];
    run_well(program, run::quietly(program, &Given::default(), &asked, LIMIT)?)?;
    let times = written::read::<Profile>(&profile)?.unwrap_or_default();
    Ok(times.regions.into_iter().flat_map(|r| r.kernels).map(|k| (k.name, k.least_s)).collect())
}

/// Every function is a region; what would be a library's call is a kernel.
fn config(backend: Backend) -> Result<Config, Stop> {
    let shape = |c: &Call| match c.function {
        "sparse" => "shape = { column = [\"start[n]\"], value = [\"start[n]\"], x = [\"n\"], y = [\"n\"] }\n",
        "gather" => "shape = { x = [\"n\"] }\n",
        _ => "",
    };
    let region = |c: &Call| format!("[[region]]\nfunction = \"{}\"\n{}", c.function, shape(c));
    let regions: String = CALLS.iter().map(region).collect();
    shipped::config("the cost model's kernels", &format!("[defaults]\nlibrary = \"never\"\n{regions}"), backend)
}

fn temporary() -> Result<tempfile::TempDir, Stop> {
    tempfile::tempdir().map_err(|e| no_temporary_folder(&e).into())
}
