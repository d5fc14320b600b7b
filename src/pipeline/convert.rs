//! Conversion of a program, file by file, and of a file, function by function.
//!
//! The functions of a file go through the passes side by side; what they give is joined in the order of the file.

use super::asked;
use super::candidates;
use super::context::Context;
use super::file::{FileState, SearchState};
use super::log::Log;
use super::options::ConvertOptions;
use super::passes::{FILE, PASSES, PROGRAM, SEARCH};
use super::program::{ConvertedFile, ProgramState};
use super::{runner, selectors};
use crate::ast::{self, Unit};
use crate::config::Selector;
use crate::diag::{Diagnostic, Severity, Stop};
use crate::emit::{self, Site};
use crate::region::candidates::{Candidate, Found};
use crate::region::imports::Files;
use crate::report::Report;
use crate::report::cost::BesideUsers;
use crate::source::made::Remade;
use crate::source::{Source, Span, preprocess};
use crate::split;
use rayon::prelude::*;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Result of a conversion.
#[derive(Debug, Clone)]
pub struct Converted {
    /// Every file of the output folder.
    pub files: Vec<emit::File>,
    /// Everything that was declined or deserves a warning.
    pub diagnostics: Vec<Diagnostic>,
    /// Every decision taken, per region: name, function, lines, kernels, loops (parallel or not, and why), transfers.
    pub report: serde_json::Value,
    /// Text that `dump_after` and `time_passes` asked for.
    pub dumps: String,
    /// Operations that isl spent on the candidates of each function.
    pub operations: BTreeMap<String, u64>,
    /// Entries of the functions in [`ConvertOptions::launches`].
    pub entries: Vec<emit::entries::Entry>,
    /// Estimates of these kernels beside what was made of them, by their names, where both are known.
    pub beside_users: BTreeMap<String, BesideUsers>,
    /// The functions of the program that have a body.
    pub functions: Vec<String>,
}

impl Converted {
    /// The decisions as a value.
    ///
    /// # Errors
    /// [`Stop::Bug`] where the report is none.
    pub fn decisions(&self) -> Result<Report, Stop> {
        Report::deserialize(&self.report).map_err(|e| Stop::Bug(format!("the report is not what it should be: {e}")))
    }
}

/// Converts C files into one CUDA program.
///
/// # Errors
/// [`Stop::Input`] where a file cannot be read or preprocessed, [`Stop::Bug`] where the tool contradicts itself.
pub fn convert(files: &[PathBuf], options: &ConvertOptions) -> Result<Converted, Stop> {
    let mut context = Context::new(options);
    context.diagnostics.extend(options.config.warnings.iter().cloned());
    context.files = all(files, options).into();
    let mut program = ProgramState::default();
    for path in files {
        program.files.push(convert_file(path, &mut context)?);
    }
    if options.object.is_none() {
        selectors::check_selectors(&context)?;
    }
    runner::run(PROGRAM, &mut program, &mut context)?;
    if options.object.is_none() {
        context.diagnostics.extend(selectors::unknown_kernels(&context, &program.report));
    }
    if !options.config.profile.is_empty() && context.seen.is_empty() {
        let message = "the profile has no effect: none of its entries is of an access of this program";
        let help =
            "`rtcuda ptx coalesce FILE.c --json` writes one; arrays of `--arg` have the names that they have in C";
        context.diagnostics.push(Diagnostic::new(Severity::Warning, "profile-unused", message, None).help(help));
    }
    let Log { mut dumps, times, operations, .. } = context.log;
    if options.time_passes {
        dumps += &runner::times(&times, &PASSES);
        let most = operations.iter().max_by_key(|(_, spent)| **spent);
        dumps += &most.map_or(String::new(), |(f, spent)| format!("most operations of isl: {spent}, for `{f}`\n"));
    }
    let ProgramState { emitted: files, report, entries, .. } = program;
    let Context { diagnostics, beside_users, functions, .. } = context;
    Ok(Converted { files, diagnostics, report, dumps, operations, entries, beside_users, functions })
}

/// The same for files that the C compiler takes.
///
/// # Errors
/// Those of [`convert`], and `not-c` with the compiler's words.
pub fn convert_valid(files: &[PathBuf], options: &ConvertOptions) -> Result<Converted, Stop> {
    std::thread::scope(|scope| {
        let check = || files.par_iter().try_for_each(|file| preprocess::check(file, &options.cflags));
        let check = scope.spawn(check);
        let converted = convert(files, options);
        let checked = check.join().unwrap_or_else(|e| std::panic::resume_unwind(e));
        match converted {
            // A file that is missing, a faulty directive: what the compiler makes of it says less.
            Err(Stop::Input(_)) => converted,
            converted => checked.and(converted),
        }
    })
}

/// The files of a program, for what they call of each other; none where there is one, or where one cannot be read, which is
/// said when it is converted.
fn all(paths: &[PathBuf], options: &ConvertOptions) -> Files {
    let read = |path: &PathBuf| -> Result<(Source, Unit), Stop> {
        let source = Source::load(path, &options.cflags)?;
        let unit = ast::build::build(&source)?.unit;
        Ok((source, unit))
    };
    match paths {
        [] | [_] => Files::default(),
        paths => paths.par_iter().map(read).collect::<Result<_, _>>().map(Files::new).unwrap_or_default(),
    }
}

/// Converts what can be converted of a file.
///
/// # Errors
/// The file, a directive or the configuration is at fault, or a pass is.
fn convert_file(path: &Path, context: &mut Context) -> Result<ConvertedFile, Stop> {
    let mut split: Option<BTreeSet<u32>> = None;
    loop {
        let before = context.mark();
        let in_parts = split.clone().unwrap_or_default();
        let mut file = FileState { path: path.to_path_buf(), in_parts, ..FileState::default() };
        runner::run(FILE, &mut file, context)?;
        let mut search = SearchState { file: &file, found: Found::default() };
        runner::run(SEARCH, &mut search, context)?;
        let sites = sites(&file, search.found.candidates, context)?;
        let next = match &split {
            // A function that stands for a launch is one region.
            None if !context.options.launches.is_empty() => BTreeSet::new(),
            None => in_parts_perhaps(&file, &sites),
            Some(split) => split - &split_in_vain(&file.source.remade, &sites),
        };
        if next == file.in_parts {
            asked::say(&file, &sites, context);
            return Ok(ConvertedFile { file, sites });
        }
        split = Some(next);
        context.back_to(before);
    }
}

/// The loops that no region holds, and of which parts may be regions: by their first bytes.
fn in_parts_perhaps(file: &FileState, sites: &[Site]) -> BTreeSet<u32> {
    let is_left = |loop_: Span| !sites.iter().any(|site| site.region.span.encloses(loop_));
    split::find(&file.unit, &file.source, &is_left).iter().map(|made| made.place.lo).collect()
}

/// The loops that were split, and of which no part is converted: by their first bytes, as they were.
fn split_in_vain(remade: &Remade, sites: &[Site]) -> BTreeSet<u32> {
    let is_of_use = |made: &Span| sites.iter().any(|site| made.contains(site.region.span.lo));
    remade.before.iter().zip(&remade.places).filter(|(made, _)| !is_of_use(made)).map(|(_, place)| *place).collect()
}

/// Converts the candidates of a file, those of one function beside those of another.
fn sites(file: &FileState, candidates: Vec<Candidate>, context: &mut Context) -> Result<Vec<Site>, Stop> {
    let mut functions: Vec<Vec<Candidate>> = vec![];
    for candidate in candidates {
        match functions.last_mut() {
            Some(last) if last[0].function.name == candidate.function.name => last.push(candidate),
            _ => functions.push(vec![candidate]),
        }
    }
    let is_open =
        context.selected(|s| matches!(s, Selector::Name(_))).is_empty() && context.options.launches.is_empty();
    context.names.share();
    let shared = &*context;
    let convert = |candidates| {
        let mut fork = shared.fork();
        candidates::convert_all(file, candidates, is_open, &mut fork).map(|sites| (fork, sites))
    };
    let done: Vec<Result<(Context, Vec<Site>), Stop>> = functions.into_par_iter().map(convert).collect();
    let mut sites = vec![];
    for result in done {
        let (fork, found) = result?;
        context.join(fork);
        sites.extend(found);
    }
    Ok(sites)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::poly::budget::FUNCTION_OPERATIONS;
    use crate::schedule::scheduler::SEARCH_OPERATIONS;

    fn converted(c: &str) -> Converted {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let file = folder.path().join("p.c");
        std::fs::write(&file, c).expect("the folder is writable");
        convert(&[file], &ConvertOptions::default()).expect("it can be read")
    }

    fn n_regions(converted: &Converted) -> usize {
        converted.report["regions"].as_array().map_or(0, Vec::len)
    }

    /// Loops around one statement, each of which begins at the counter of the one around it.
    fn triangle(depth: usize) -> String {
        let head = |k: usize| {
            let first = if k == 0 { "0".to_owned() } else { format!("i{}", k - 1) };
            format!("for (int i{k} = {first}; i{k} < 6; i{k}++) ")
        };
        let heads: String = (0..depth).map(head).collect();
        format!("double s[6]; void f(void) {{ {heads} s[i0] += i{}; }}", depth - 1)
    }

    #[test]
    fn a_deep_nest_costs_no_more_than_its_function_may() {
        for depth in [8, 10, 12] {
            let converted = converted(&triangle(depth));
            assert_eq!(n_regions(&converted), 1, "{depth} loops");
            let spent = converted.operations["f"];
            assert!(spent < 500_000, "{depth} loops: {spent}");
        }
    }

    #[test]
    fn what_is_too_hard_ends_with_the_operations_of_its_function() {
        // Each condition divides what the loops around it leave in two.
        let heads: String = (0..9).map(|k| format!("for (int i{k} = 0; i{k} < n; i{k}++) if (i{k} != {k}) ")).collect();
        let converted = converted(&format!("void f(int n, double *x, double *y) {{ {heads} y[i0] += x[i8]; }}"));
        let spent = converted.operations["f"];
        assert!(spent < FUNCTION_OPERATIONS + SEARCH_OPERATIONS, "{spent}");
    }

    #[test]
    fn loops_of_one_iteration_cost_next_to_nothing() {
        let heads: String = (0..60).map(|k| format!("for (int i{k} = 0; i{k} < 1; i{k}++) ")).collect();
        let converted = converted(&format!("double a[9]; void f(void) {{ {heads} a[i0] += 1.0; }}"));
        let spent = converted.operations.get("f").copied().unwrap_or_default();
        assert!(spent < 1_000_000, "{spent}");
    }

    #[test]
    fn many_functions_cost_what_one_does() {
        let one = |k: usize| format!("void f{k}(int n, double *x) {{ for (int i = 0; i < n; i++) x[i] *= {k}.5; }}\n");
        let converted = converted(&(0..40).map(one).collect::<String>());
        assert_eq!(converted.operations.len(), 40);
        let first = converted.operations["f0"];
        assert!(converted.operations.values().all(|spent| *spent == first), "{:?}", converted.operations);
    }
}
