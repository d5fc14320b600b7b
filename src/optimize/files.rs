//! The output folder: the optimised kernels with a launch function for each of the user's, a header, the runtime.
//!
//! ```text
//! extern "C" int mm_optimized(const dim3 rt_grid, const dim3 rt_block, const float *a, const float *b, float *c, int n)
//! {
//!     const bool rt_is_covered_0 = (long)rt_grid.x * rt_block.x >= (long)(n);
//!     if (rt_is_covered_0 && rt_mm_0(n, a, b, c)) return 1;
//!     rt_original::mm<<<rt_grid, rt_block>>>(a, b, c, n);
//!     return 0;
//! }
//! ```
//! The user's kernels stand in the file, in a namespace, with what they need. Their geometry is the caller's.

use super::kernels::{Outcome, at_launch};
use super::whole::{self, Together};
use crate::diag::Stop;
use crate::emit::{File, json, names, spell};
use crate::frontend::CudaFile;
use crate::frontend::kernel::{Condition, Kernel};
use crate::pipeline::Converted;
use serde_json::{Value, json};
use std::path::Path;

/// The files.
///
/// # Errors
/// A template that does not fit, a conversion without its CUDA file.
pub fn files(
    file: &CudaFile,
    kernels: &[Outcome],
    together: &[Together],
    converted: &Converted,
) -> Result<Vec<File>, Stop> {
    let path = Path::new(&file.path);
    let (stem, source) = (names::stem(path), names::one_line(&names::base(path)));
    let is = |f: &&File, extension: &str| f.path.extension().is_some_and(|e| e == extension);
    let cuda = converted.files.iter().find(|f| is(f, "cu"));
    let cuda = cuda.ok_or_else(|| Stop::Bug("optimize: a conversion with entries has no CUDA file".into()))?;
    let of = |o: &Outcome| of_kernel(o, &source, whole::is_part(&file.phased, &o.kernel.name));
    let all: Vec<Value> = kernels.iter().map(of).collect();
    let wholes: Vec<Value> =
        whole::wholes(&file.phased, kernels, together).iter().map(|whole| whole.launched(&source)).collect();
    let data = json!({
        "version": env!("CARGO_PKG_VERSION"),
        "source": source,
        "stem": stem,
        "device": squeezed(&file.device),
        "includes": includes(file),
        "kernels": all,
        "wholes": wholes,
        "has_originals": wholes.iter().any(|w| !w["original"].is_null()),
        "spaces": whole::spaces(&file.text),
    });
    let mut text = String::from_utf8_lossy(&cuda.contents).into_owned();
    text += &spell::build_file("optimize/launch", &data)?;
    let mut files = vec![
        File { path: format!("{stem}.cu").into(), contents: text.into_bytes() },
        File { path: format!("{stem}.h").into(), contents: spell::build_file("optimize/header", &data)?.into_bytes() },
    ];
    files.extend(converted.files.iter().filter(|f| is(f, "h")).cloned());
    files.push(mark(converted, &files)?);
    Ok(files)
}

/// `rtcuda.json`, with these files.
fn mark(converted: &Converted, files: &[File]) -> Result<File, Stop> {
    let mut decisions = converted.report.clone();
    let paths: Vec<String> = files.iter().map(|f| f.path.to_string_lossy().into_owned()).collect();
    decisions["files"] = json!(paths.into_iter().chain([json::NAME.to_owned()]).collect::<Vec<_>>());
    Ok(File { path: json::NAME.into(), contents: format!("{decisions:#}\n").into_bytes() })
}

/// Values of a kernel for templates.
fn of_kernel(outcome: &Outcome, source: &str, is_part: bool) -> Value {
    let Outcome { kernel, entry, .. } = outcome;
    let parameters: Vec<String> = kernel.parameters.iter().map(|p| outcome.parameter(p)).collect();
    let signature: Vec<String> = [vec!["dim3 rt_grid".into(), "dim3 rt_block".into()], parameters].concat();
    let condition = |(at, c): (usize, &Condition)| json!({ "flag": format!("rt_is_covered_{at}"), "holds": at_launch(&c.holds()), "reason": c.reason });
    let conditions: Vec<Value> = kernel.launch.iter().enumerate().map(condition).collect();
    let arguments = entry.arguments.iter().map(|argument| valued(kernel, argument)).collect::<Vec<_>>();
    json!({
        "name": kernel.name,
        "is_part": is_part,
        "file": source,
        "line": kernel.line,
        "signature": signature.join(", "),
        "conditions": conditions,
        "entry": entry.name,
        "arguments": arguments.join(", "),
        "handed": handed(kernel, str::to_owned),
    })
}

/// The arguments of a launch of the user's kernel, with the addresses of its arrays.
pub fn handed(kernel: &Kernel, address: impl Fn(&str) -> String) -> String {
    let argument = |p: &crate::frontend::names::Parameter| match p.is_pointer {
        true => format!("rt_any_pointer{{{}}}", address(&p.name)),
        false => p.name.clone(),
    };
    kernel.parameters.iter().map(argument).collect::<Vec<_>>().join(", ")
}

/// An argument of the entry, over the launch function's parameters.
fn valued(kernel: &Kernel, argument: &str) -> String {
    let mut out = String::new();
    let mut word = String::new();
    for c in argument.chars().chain(['\n']) {
        if c.is_ascii_alphanumeric() || c == '_' {
            word.push(c);
            continue;
        }
        let extra = kernel.extra.iter().find(|(name, _)| *name == word);
        out += &extra.map_or(word.clone(), |(_, value)| at_launch(value));
        word.clear();
        out.push(c);
    }
    out.trim_end_matches('\n').to_owned()
}

/// The user's includes, in front of the namespace that holds the kernels; files of the user's by their whole paths.
fn includes(file: &CudaFile) -> Vec<String> {
    let folder =
        std::path::absolute(&file.path).ok().and_then(|path| path.parent().map(Path::to_owned)).unwrap_or_default();
    let of = |line: &str| {
        let header = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("include")?.trim();
        let Some(name) = header.strip_prefix('"').and_then(|rest| rest.split('"').next()) else {
            return Some(format!("#include {header}"));
        };
        let path = folder.join(name);
        path.is_file().then(|| format!("#include \"{}\"", path.display()))
    };
    file.text.lines().filter_map(of).collect()
}

/// A text without lines that are empty, but for one between others.
fn squeezed(text: &str) -> String {
    let mut out = String::new();
    let mut is_apart = false;
    for line in text.lines().map(str::trim_end) {
        if line.is_empty() {
            is_apart = !out.is_empty();
            continue;
        }
        if is_apart {
            out.push('\n');
        }
        is_apart = false;
        out += line;
        out.push('\n');
    }
    out
}
