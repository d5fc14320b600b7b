//! The user's kernels beside the optimised ones, on a GPU: what both compute from the same data of the device, and how long a
//! call takes.
//!
//! A program around the emitted file launches each kernel with blocks of 256 threads, 16 x 16 or 8 x 8 x 4 (the paper's naive
//! kernels have 16 x 16), and as many as its sizes need; then `NAME_optimized` with that grid and block.

use super::check;
use super::drawn::{Drawn, Number, is_real};
use super::files::handed;
use super::kernels::{Outcome, at_launch};
use super::run::Optimized;
use super::whole::{self, Whole};
use crate::config::Given;
use crate::diag::render::Style;
use crate::diag::{Diagnostic, Stop, no_temporary_folder};
use crate::emit::{self, spell};
use crate::frontend::kernel::{Condition, Extent};
use crate::frontend::names::Parameter;
use crate::report::table::Table;
use crate::runtime::build::{self, Target};
use crate::runtime::call::Failure;
use crate::runtime::run;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;
use tempfile::TempDir;

/// A kernel and its optimised form, run on the same data.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Beside {
    pub name: String,
    /// The launch, x first.
    pub grid: [u64; 3],
    pub block: [u64; 3],
    /// Flag: the optimised kernel ran, and not the user's in its place.
    pub is_optimized: bool,
    /// Elements compared, and those further apart than the tolerance.
    pub elements: u64,
    pub differing: u64,
    /// The largest relative difference.
    pub worst: f64,
    /// The quickest call of each, until the device is done, in seconds.
    pub kernel_seconds: f64,
    pub optimized_seconds: f64,
    /// The kernel's numbers.
    pub sizes: BTreeMap<String, f64>,
}

impl Beside {
    /// Flag: both computed the same.
    pub fn is_same(&self) -> bool {
        self.differing == 0
    }
}

/// A program that runs kernels beside their optimised forms.
pub struct Built {
    folder: TempDir,
}

/// The program's name in its folder.
const PROGRAM: &str = "rt_beside";

/// Builds the program for a file.
///
/// # Errors
/// As [`check::known`]; a program that does not build.
pub fn build(path: &Path, optimized: &Optimized, sizes: &[(String, i64)], target: &Target) -> Result<Built, Stop> {
    check::known(optimized, sizes)?;
    let folder = tempfile::tempdir().map_err(|e| no_temporary_folder(&e))?;
    emit::write(&optimized.files, folder.path())?;
    let source = folder.path().join(PROGRAM).with_extension("cu");
    std::fs::write(&source, program(path, optimized, sizes)?).map_err(|e| bug(e.to_string()))?;
    build::by_hand(&source, &[], &folder.path().join(PROGRAM), target).map_err(|failure| match failure {
        Failure::Start(stop) => stop,
        Failure::Refused(words) => bug(format!("the program that runs both does not build:\n{words}")),
    })?;
    Ok(Built { folder })
}

/// Runs each kernel of a file beside its optimised form.
///
/// # Errors
/// A program that fails: of the user's kernels, a launch out of bounds, say.
pub fn run(path: &Path, built: &Built, limit: Duration) -> Result<Vec<Beside>, Stop> {
    let outcome = run::quietly(&built.folder.path().join(PROGRAM), &Given::default(), &[], limit)?;
    let how = match outcome.status {
        Some(status) if status.success() => {
            let lines = outcome.stderr.lines().filter(|line| line.starts_with('{'));
            return lines.map(|line| serde_json::from_str(line).map_err(|e| bug(e.to_string()))).collect();
        }
        Some(status) => run::in_words(status),
        None => format!("no answer within {} s", limit.as_secs()),
    };
    let message = format!("the kernels of {} beside the optimised ones ended with {how}", path.display());
    let failed = Diagnostic::error("check-failed", message, None).note(None, outcome.stderr);
    Err(failed.help("sizes that fit the kernel's arrays: `--size NAME=N`").into())
}

fn bug(what: impl std::fmt::Display) -> Stop {
    Stop::Bug(format!("optimize: {what}"))
}

/// The program, to be built beside the output folder's files.
///
/// # Errors
/// A template that does not fit.
pub fn program(path: &Path, optimized: &Optimized, sizes: &[(String, i64)]) -> Result<String, Stop> {
    let phased = &optimized.file.phased;
    let alone = optimized.kernels.iter().filter(|o| !whole::is_part(phased, &o.kernel.name));
    let wholes = optimized.wholes();
    let kernels: Vec<Value> =
        alone.map(|o| of_kernel(o, sizes)).chain(wholes.iter().map(|whole| of_whole(whole, sizes))).collect();
    let (there, missing): (Vec<&Whole>, Vec<_>) = wholes.iter().partition(|whole| whole.may_run_itself());
    let originals: Vec<&str> = missing.iter().map(|whole| whole.phased.original.as_str()).collect();
    let spaces = whole::spaces(&optimized.file.text);
    let stem = emit::names::stem(path);
    let data = json!({ "stem": stem, "kernels": kernels, "originals": originals, "spaces": spaces, "has_barrier": !there.is_empty() });
    spell::build_file("optimize/beside", &data)
}

/// Values of a kernel for the template.
fn of_kernel(outcome: &Outcome, sizes: &[(String, i64)]) -> Value {
    let Outcome { kernel, entry, .. } = outcome;
    let drawn = Drawn::new(outcome, sizes);
    let extra = kernel.extra.iter().map(|(name, value)| Number {
        r#type: "int".into(),
        name: name.clone(),
        value: at_launch(value),
    });
    let address = |name: &str| match entry.arrays.iter().any(|a| a.name == name) {
        true => format!("rt_any_pointer{{rt_{name}.device}}"),
        false => "rt_any_pointer{nullptr}".to_owned(),
    };
    let argument = |name: &str, is_pointer: bool| if is_pointer { address(name) } else { name.to_owned() };
    let arguments: Vec<String> = kernel.parameters.iter().map(|p| argument(&p.name, p.is_pointer)).collect();
    let results: Vec<_> = drawn.arrays.iter().filter(|a| a.is_written).collect();
    let (grid, block) = launch(&kernel.launch, &drawn);
    json!({
        "name": kernel.name,
        "is_whole": false,
        "before": "",
        "numbers": drawn.numbers,
        "later": extra.chain(drawn.of_entry).collect::<Vec<_>>(),
        "arrays": drawn.arrays,
        "results": results,
        "grid": { "x": grid[0], "y": grid[1], "z": grid[2] },
        "block": { "x": block[0], "y": block[1], "z": block[2] },
        "arguments": arguments,
        "handed": handed(kernel, address),
    })
}

/// Values of a kernel with barriers among all threads.
fn of_whole(whole: &Whole, sizes: &[(String, i64)]) -> Value {
    let (drawn, before) = whole.drawn(sizes);
    let later =
        whole.extra().into_iter().map(|(name, value)| Number { r#type: "int".into(), name, value: at_launch(&value) });
    let argument = |p: &Parameter| match drawn.arrays.iter().any(|a| a.name == p.name) {
        true => format!("rt_any_pointer{{rt_{}.device}}", p.name),
        false if p.is_pointer => "rt_any_pointer{nullptr}".to_owned(),
        false => p.name.clone(),
    };
    let arguments: Vec<String> = whole.phased.parameters.iter().map(argument).collect();
    let results: Vec<_> = drawn.arrays.iter().filter(|a| a.is_written).collect();
    let (grid, block) = launch(&whole.conditions(), &drawn);
    json!({
        "name": whole.phased.name,
        "is_whole": true,
        "numbers": drawn.numbers,
        "later": later.collect::<Vec<_>>(),
        "before": before,
        "arrays": drawn.arrays,
        "results": results,
        "grid": { "x": grid[0], "y": grid[1], "z": grid[2] },
        "block": { "x": block[0], "y": block[1], "z": block[2] },
        "arguments": arguments,
        "handed": "",
    })
}

/// Grid and block of a launch that the optimised kernel can stand for, in C.
fn launch(conditions: &[Condition], drawn: &Drawn) -> ([String; 3], [String; 3]) {
    let is_one = |dim: usize| conditions.iter().any(|c| c.dim == dim && c.extent == Extent::One);
    let used: Vec<usize> = (0..3).filter(|dim| !is_one(*dim)).collect();
    let usual: &[u32] = [&[][..], &[256], &[16, 16], &[8, 8, 4]][used.len()];
    let numbers = drawn.numbers.iter().filter(|n| !is_real(&n.r#type));
    let most = numbers.map(|n| format!("(long){}", n.name)).reduce(|x, y| format!("rt_max({x}, {y})"));
    let most = most.unwrap_or("4096".into());
    let (mut grid, mut block) = ([(); 3].map(|()| "1".to_owned()), [(); 3].map(|()| "1".to_owned()));
    for (&dim, threads) in used.iter().zip(usual) {
        let of_block = conditions.iter().find_map(|c| match &c.extent {
            Extent::Block(size) if c.dim == dim => Some(size.clone()),
            _ => None,
        });
        let of_all = conditions.iter().find(|c| c.dim == dim && !matches!(c.extent, Extent::One | Extent::Block(_)));
        (block[dim], grid[dim]) = match (of_all.map(|c| &c.extent), of_block) {
            (Some(Extent::Exactly(size)), of_block) => {
                let block = of_block.unwrap_or(format!("rt_share({size}, {threads})"));
                (block.clone(), format!("({size}) / ({block})"))
            }
            (Some(Extent::AtLeast(below)), of_block) => {
                let block = of_block.unwrap_or(threads.to_string());
                (block.clone(), format!("rt_ceildiv(rt_max({below}, 1), {block})"))
            }
            // Threads that go on in strides, or as many as the kernel's largest number says.
            (_, of_block) => {
                let block = of_block.unwrap_or(threads.to_string());
                (block.clone(), format!("rt_min(rt_ceildiv({most}, {block}), 65535)"))
            }
        };
    }
    (grid, block)
}

/// The table for a person.
pub fn text(found: &[Beside], style: Style) -> String {
    let mut table = Table::default();
    let head = ["kernel", "sizes", "block", "kernel, us", "optimised, us", "times", "worst error", "verdict"];
    table.row(head.map(|title| style.bold(title)));
    for b in found {
        let sizes: Vec<String> = b.sizes.iter().map(|(name, n)| format!("{name}={n}")).collect();
        let [x, y, z] = b.block;
        let verdict = match (b.is_same(), b.is_optimized) {
            (true, true) => style.good("the same"),
            (true, false) => "the same: the kernel itself ran".to_owned(),
            (false, _) => style.bad("differs"),
        };
        table.row([
            b.name.clone(),
            sizes.join(" "),
            format!("{x} x {y} x {z}"),
            format!("{:.1}", 1e6 * b.kernel_seconds),
            format!("{:.1}", 1e6 * b.optimized_seconds),
            format!("{:.2}", b.kernel_seconds / b.optimized_seconds),
            if b.worst == 0.0 { "0".into() } else { format!("{:.1e}", b.worst) },
            verdict,
        ]);
    }
    table.text(0)
}
