//! `rtcuda optimize`.

use super::args::{self, Optimize};
use super::outcome::{Done, Fault};
use super::tell::{Progress, say_all, style};
use rtcuda::config::{self, Backend, Config};
use rtcuda::diag::Diagnostic;
use rtcuda::emit;
use rtcuda::optimize::beside::{self, Beside};
use rtcuda::optimize::check::{self, Check};
use rtcuda::optimize::dissect::{self, Dissected};
use rtcuda::optimize::run::{self, Optimized};
use rtcuda::optimize::text;
use rtcuda::optimize::work::Options;
use rtcuda::pipeline;
use rtcuda::runtime::backend;
use rtcuda::runtime::build::Target;
use rtcuda::runtime::verify::{self, Verification};
use rtcuda::source::preprocess::read_file;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Optimises the kernels of a file, writes them, and compares them with what they were.
pub fn optimize(arguments: &Optimize) -> Result<Done, Fault> {
    let config = arguments.config.as_deref().map(named).transpose()?;
    let options = Options { config, cflags: arguments.cflags.clone(), switched: None };
    let optimized = run::optimize(&arguments.file, &options)?;
    if !arguments.json {
        say_all(&optimized.diagnostics);
    }
    let stem = arguments.file.file_stem().unwrap_or("kernels".as_ref());
    let folder = arguments.output.clone().unwrap_or_else(|| Path::new("out").join(stem));
    if !optimized.files.is_empty() {
        emit::write(&optimized.files, &folder)?;
    }
    let checked = match arguments.check && !optimized.kernels.is_empty() {
        true => Some(checked(arguments, &optimized, &options)?),
        false => None,
    };
    let dissected = match arguments.dissect && !optimized.kernels.is_empty() {
        true => Some(dissected(arguments, &optimized, &options)?),
        false => None,
    };
    let is_wrong = dissected.iter().flatten().any(|d| !d.is_same());
    let status = checked.as_ref().map_or(u8::from(optimized.kernels.is_empty()), Checked::status).max(is_wrong.into());
    let found = Found { checked, dissected };
    let text = match arguments.json {
        true => in_json(&optimized, &folder, &found),
        false => in_words(&optimized, &folder, &found),
    };
    Ok(Done { text, status })
}

/// Findings of what was asked for beside the files.
struct Found {
    checked: Option<Checked>,
    dissected: Option<Vec<Dissected>>,
}

/// Findings of `--check`.
enum Checked {
    /// Beside the loops in C.
    Loops(Box<Verification>),
    /// Beside the user's kernels, on a GPU.
    Kernels(Vec<Beside>),
}

impl Checked {
    fn status(&self) -> u8 {
        match self {
            Checked::Loops(found) => found.verdict.status(),
            Checked::Kernels(found) => u8::from(!found.iter().all(Beside::is_same)),
        }
    }
}

fn named(path: &Path) -> Result<(String, String), Diagnostic> {
    let bytes = read_file(path)?;
    Ok((path.display().to_string(), String::from_utf8_lossy(&bytes).into_owned()))
}

fn checked(arguments: &Optimize, optimized: &Optimized, options: &Options) -> Result<Checked, Fault> {
    let progress = Progress::new(arguments.json);
    progress.line("running both versions");
    let (file, sizes, limit) = (&arguments.file, arguments.sizes.clone(), arguments.limit);
    let found = match target(arguments)? {
        target @ Target::Gpu { .. } => beside::build(file, optimized, &sizes, &target)
            .and_then(|built| beside::run(file, &built, limit))
            .map(Checked::Kernels),
        Target::Simulation => {
            let how = Check { convert: pipeline::convert, backend: Backend::Cpu, sizes, limit };
            check::check(file, optimized, options, &how).map(|found| Checked::Loops(Box::new(found)))
        }
    };
    progress.line("");
    Ok(found?)
}

/// The machine that is asked for.
fn target(arguments: &Optimize) -> Result<Target, Fault> {
    let backend = args::backend(arguments.backend.as_deref()).unwrap_or(Backend::Auto);
    Ok(backend::choose(&config::Target { backend, ..Config::default().target })?)
}

fn dissected(arguments: &Optimize, optimized: &Optimized, options: &Options) -> Result<Vec<Dissected>, Fault> {
    check::known(optimized, &arguments.sizes)?;
    let progress = Progress::new(arguments.json);
    progress.line("switching the steps on");
    let dissection = dissect::steps(&arguments.file, optimized, options);
    let found = match target(arguments)? {
        target @ Target::Gpu { .. } => dissection.measured(&arguments.sizes, &target, arguments.limit),
        Target::Simulation => Ok(dissection.told()),
    };
    progress.line("");
    Ok(found?)
}

fn in_words(optimized: &Optimized, folder: &Path, Found { checked, dissected }: &Found) -> String {
    let mut out = text::text(optimized, style());
    let folder = folder.display();
    let n_left = optimized.file.left.len() + optimized.file.kernels.len() - optimized.kernels.len();
    let left = if n_left > 0 { format!(", {n_left} left as it is (reasons above)") } else { String::new() };
    out += &match optimized.kernels.len() {
        0 => "no kernel was optimised: nothing is written\n".to_owned(),
        1 => format!("{folder}: 1 kernel optimised{left}\n"),
        n => format!("{folder}: {n} kernels optimised{left}\n"),
    };
    out += &match checked {
        Some(Checked::Loops(found)) => verify::text::text(std::slice::from_ref(found), style()),
        Some(Checked::Kernels(found)) => beside::text(found, style()),
        None => String::new(),
    };
    out + &dissected.as_ref().map_or(String::new(), |found| dissect::text(found, style()))
}

fn in_json(optimized: &Optimized, folder: &Path, Found { checked, dissected }: &Found) -> String {
    let paths: Vec<PathBuf> = optimized.files.iter().map(|file| folder.join(&file.path)).collect();
    let mut object = text::in_json(optimized);
    object["folder"] = json!(folder);
    object["files"] = json!(paths);
    let (check, beside) = match checked {
        Some(Checked::Loops(found)) => (json!(found), Value::Null),
        Some(Checked::Kernels(found)) => (Value::Null, json!(found)),
        None => (Value::Null, Value::Null),
    };
    object["check"] = check;
    object["beside"] = beside;
    object["dissect"] = json!(dissected);
    format!("{object:#}\n")
}
