//! `rtcuda optimize`.

use super::args::{Optimize, backend};
use super::outcome::{Done, Fault};
use super::tell::{Progress, say_all, style};
use rtcuda::config::Backend;
use rtcuda::diag::Diagnostic;
use rtcuda::emit;
use rtcuda::optimize::check::{self, Check};
use rtcuda::optimize::run::{self, Optimized};
use rtcuda::optimize::text;
use rtcuda::optimize::work::Options;
use rtcuda::pipeline;
use rtcuda::runtime::verify::{self, Verification};
use rtcuda::source::preprocess::read_file;
use serde_json::json;
use std::path::{Path, PathBuf};

/// Optimises the kernels of a file, writes them, and compares them with what they were.
pub fn optimize(arguments: &Optimize) -> Result<Done, Fault> {
    let config = arguments.config.as_deref().map(named).transpose()?;
    let options = Options { config, cflags: arguments.cflags.clone() };
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
    let is_none = optimized.kernels.is_empty();
    let status = checked.as_ref().map_or(u8::from(is_none), |found| found.verdict.status());
    let text = match arguments.json {
        true => in_json(&optimized, &folder, checked.as_ref()),
        false => in_words(&optimized, &folder, checked.as_ref()),
    };
    Ok(Done { text, status })
}

fn named(path: &Path) -> Result<(String, String), Diagnostic> {
    let bytes = read_file(path)?;
    Ok((path.display().to_string(), String::from_utf8_lossy(&bytes).into_owned()))
}

fn checked(arguments: &Optimize, optimized: &Optimized, options: &Options) -> Result<Verification, Fault> {
    let progress = Progress::new(arguments.json);
    progress.line("running both versions");
    let backend = backend(arguments.backend.as_deref()).unwrap_or(Backend::Auto);
    let (sizes, limit) = (arguments.sizes.clone(), arguments.limit);
    let how = Check { convert: pipeline::convert, backend, sizes, limit };
    let found = check::check(&arguments.file, optimized, options, &how);
    progress.line("");
    Ok(found?)
}

fn in_words(optimized: &Optimized, folder: &Path, checked: Option<&Verification>) -> String {
    let mut out = text::text(optimized, style());
    let folder = folder.display();
    let n_left = optimized.file.left.len() + optimized.file.kernels.len() - optimized.kernels.len();
    let left = if n_left > 0 { format!(", {n_left} left as it is (reasons above)") } else { String::new() };
    out += &match optimized.kernels.len() {
        0 => "no kernel was optimised: nothing is written\n".to_owned(),
        1 => format!("{folder}: 1 kernel optimised{left}\n"),
        n => format!("{folder}: {n} kernels optimised{left}\n"),
    };
    if let Some(found) = checked {
        out += &verify::text::text(std::slice::from_ref(found), style());
    }
    out
}

fn in_json(optimized: &Optimized, folder: &Path, checked: Option<&Verification>) -> String {
    let paths: Vec<PathBuf> = optimized.files.iter().map(|file| folder.join(&file.path)).collect();
    let mut object = text::in_json(optimized);
    object["folder"] = json!(folder);
    object["files"] = json!(paths);
    object["check"] = json!(checked);
    format!("{object:#}\n")
}
