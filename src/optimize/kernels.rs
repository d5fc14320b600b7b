//! Outcome of each kernel: all of it a region with an entry, or left as it is.

use super::steps::{self, Step};
use crate::diag::{Diagnostic, Place, Severity, Stop};
use crate::emit::entries::Entry;
use crate::frontend::CudaFile;
use crate::frontend::code::is_vector;
use crate::frontend::kernel::Kernel;
use crate::frontend::names::Parameter;
use crate::pipeline::Converted;
use crate::report::{Region, Report};

/// A kernel that was optimised.
#[derive(Debug, Clone)]
pub struct Outcome {
    pub kernel: Kernel,
    pub entry: Entry,
    pub region: Region,
    /// The steps of the method, taken or not.
    pub steps: Vec<Step>,
}

impl Outcome {
    /// A parameter of the launch function: of an array its address alone, in CUDA's vectors as the user has them, else in C's own
    /// types where these are known.
    pub fn parameter(&self, p: &Parameter) -> String {
        let words = p.text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        if p.is_pointer && words.into_iter().any(is_vector) {
            return p.text.clone();
        }
        if let Some(a) = self.entry.arrays.iter().find(|a| a.name == p.name) {
            let constness = if a.is_written { "" } else { "const " };
            return format!("{constness}{} *{}", a.r#type, p.name);
        }
        if p.is_pointer {
            return format!("const void *{}", p.name);
        }
        let at = self.entry.arguments.iter().position(|argument| *argument == p.name);
        let declared = at.and_then(|at| self.entry.parameters.get(at)).and_then(|text| text.rsplit_once(' '));
        declared.map_or(p.text.clone(), |(ty, _)| format!("{} {}", ty.trim_start_matches("const "), p.name))
    }
}

/// A condition with the names that the launch function gives the geometry.
pub fn at_launch(text: &str) -> String {
    text.replace("grid.", "rt_grid.").replace("block.", "rt_block.")
}

/// Judges each kernel of a file. What is left as it is and was not said why in `said` is added to `diagnostics`.
///
/// # Errors
/// A pragma that names a result which is none.
pub fn judge(
    file: &CudaFile,
    (report, converted): (&Report, &Converted),
    said: &[Diagnostic],
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<Vec<Outcome>, Stop> {
    let mut out = vec![];
    for kernel in &file.kernels {
        let regions: Vec<&Region> = report.regions.iter().filter(|region| region.function == kernel.name).collect();
        let entry = converted.entries.iter().find(|entry| entry.function == kernel.name);
        let ([region], Some(entry)) = (&regions[..], entry) else {
            if !said.iter().any(|d| d.severity != Severity::Warning && is_of(kernel, d)) {
                diagnostics.push(no_region(file, kernel, &regions, converted));
            }
            continue;
        };
        if let Some(why) = partial(file, kernel, region, entry) {
            diagnostics.push(left(file, kernel, "not-converted", &why));
            continue;
        }
        results(file, kernel, entry, diagnostics)?;
        let steps = steps::of(kernel, region);
        out.push(Outcome { kernel: kernel.clone(), entry: entry.clone(), region: Region::clone(region), steps });
    }
    Ok(out)
}

/// Test that a diagnostic speaks of a line of a kernel, if only in a note.
fn is_of(kernel: &Kernel, d: &Diagnostic) -> bool {
    let places = d.place.iter().chain(d.notes.iter().filter_map(|(place, _)| place.as_ref()));
    places.into_iter().any(|place| (kernel.line..=kernel.last_line).contains(&place.line))
}

/// Reason why a kernel that nothing else is said of is not one region.
fn no_region(file: &CudaFile, kernel: &Kernel, regions: &[&Region], converted: &Converted) -> Diagnostic {
    if !converted.functions.contains(&kernel.name) {
        let why = "the preprocessor leaves it out, by the conditions (`#if`) around it";
        return left(file, kernel, "not-compiled", why).help("macros are given behind `--`: -- -DNAME");
    }
    match regions {
        [] => left(file, kernel, "not-converted", "no loop over its threads was converted"),
        [_] => left(file, kernel, "not-converted", "its region cannot be launched on arrays of the device"),
        _ => {
            let lines = regions.iter().map(|r| format!("{}-{}", r.lines.0, r.lines.1)).collect::<Vec<_>>().join(", ");
            let why = format!("what its threads do is several loops over them, one after the other (lines {lines})");
            left(file, kernel, "several-loops", &why).help("make a kernel of each loop")
        }
    }
}

fn left(file: &CudaFile, kernel: &Kernel, code: &'static str, why: &str) -> Diagnostic {
    left_whole(file, (&kernel.name, kernel.line), code, why)
}

/// Says why a kernel is left as it is, by its name and line.
pub fn left_whole(file: &CudaFile, (name, line): (&str, u32), code: &'static str, why: &str) -> Diagnostic {
    let message = format!("kernel `{name}` is left as it is: {why}");
    Diagnostic::declined(code, message, Some(place(file, name, line)))
}

/// The name of a kernel where it is defined.
fn place(file: &CudaFile, name: &str, line: u32) -> Place {
    let text = file.text.lines().nth(line.saturating_sub(1) as usize).unwrap_or_default();
    let at = text.find(name).unwrap_or_default();
    Place {
        file: file.path.clone(),
        line,
        column: text[..at].chars().count() as u32 + 1,
        length: name.chars().count() as u32,
        text: text.trim_end().to_owned(),
    }
}

/// Reason why an entry does not do all that the kernel does.
fn partial(file: &CudaFile, kernel: &Kernel, region: &Region, entry: &Entry) -> Option<String> {
    // A counter may be seen as two, of rows and of columns.
    let is_head = |counter: &str, head: &str| {
        let rest = head.strip_prefix("for ").and_then(|name| name.strip_prefix(counter));
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with("_row"))
    };
    let is_there = |counter: &&String| region.loops.iter().any(|l| is_head(counter, &l.head));
    if let Some(counter) = kernel.loops.iter().find(|counter| !is_there(counter)) {
        return Some(format!("its threads along `{counter}` are no part of what was converted"));
    }
    let known = |word: &str| {
        kernel.parameters.iter().any(|p| p.name == word) || kernel.extra.iter().any(|(name, _)| name == word)
    };
    local(file, entry, &known).map(|local| format!("its loops need `{local}`, which is no parameter"))
}

/// A name in the arguments of an entry that is not known where a kernel is launched.
pub fn local<'e>(file: &CudaFile, entry: &'e Entry, known: &dyn Fn(&str) -> bool) -> Option<&'e str> {
    let is_macro = |word: &str| file.text.contains(&format!("define {word}"));
    let is_name = |word: &str| word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let is_local = |word: &str| is_name(word) && !known(word) && !is_macro(word);
    let words = entry.arguments.iter().flat_map(|e| e.split(|c: char| !c.is_ascii_alphanumeric() && c != '_'));
    let casts = ["int", "long", "unsigned", "sizeof", "float", "double", "char", "short"];
    words.into_iter().find(|word| is_local(word) && !casts.contains(word))
}

/// Holds the results that the user names to what the kernel writes.
fn results(file: &CudaFile, kernel: &Kernel, entry: &Entry, diagnostics: &mut Vec<Diagnostic>) -> Result<(), Stop> {
    if kernel.outputs.is_empty() {
        return Ok(());
    }
    let written: Vec<&str> = entry.arrays.iter().filter(|a| a.is_written).map(|a| a.name.as_str()).collect();
    if let Some(wrong) = kernel.outputs.iter().find(|name| !written.contains(&name.as_str())) {
        let message = format!("`{wrong}` is called a result of kernel `{}`, which does not write it", kernel.name);
        let error = Diagnostic::error("bad-pragma", message, Some(place(file, &kernel.name, kernel.line)));
        return Err(error.help(format!("it writes {}", written.join(", "))).into());
    }
    for other in written.iter().filter(|name| !kernel.outputs.iter().any(|o| o == *name)) {
        let message = format!("kernel `{}` writes `{other}`, which `output` does not name", kernel.name);
        let warning =
            Diagnostic::new(Severity::Warning, "unnamed-result", message, Some(place(file, &kernel.name, kernel.line)));
        diagnostics.push(warning.help("name it, or let the kernel have a variable of its own for it"));
    }
    Ok(())
}

/// The report of a conversion, as it was made.
///
/// # Errors
/// One that breaks its contract.
pub fn report_of(converted: &Converted) -> Result<Report, Stop> {
    serde_json::from_value(converted.report.clone())
        .map_err(|e| Stop::Bug(format!("optimize: the report is not what it should be: {e}")))
}
