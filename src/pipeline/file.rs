//! A C file: what is known of it, the search for candidates in it, and their conversion, function by function.
//!
//! The functions of a file go through the passes side by side; what they give is joined in the order of the file.

use super::ConvertOptions;
use super::context::Context;
use super::passes;
use super::program::ConvertedFile;
use super::region;
use super::runner::{self, Level};
use crate::ast::{self, Unit};
use crate::config::Selector;
use crate::diag::Stop;
use crate::emit::Site;
use crate::region::candidates::{Candidate, Found};
use crate::region::hints::Hints;
use crate::region::imports::Files;
use crate::region::plain::Plain;
use crate::source::{Source, Span};
use rayon::prelude::*;
use std::path::{Path, PathBuf};

/// The level of one C file.
pub struct FileLevel;

impl Level for FileLevel {
    type State<'s> = FileState;
    type Error = Stop;
}

/// Everything known of a C file. Each part is empty until its pass ran.
#[derive(Debug, Default)]
pub struct FileState {
    pub path: PathBuf,
    pub source: Source,
    pub unit: Unit,
    pub hints: Hints,
    pub plain: Plain,
}

impl FileState {
    /// The C line of a place.
    pub fn line(&self, span: Span) -> u32 {
        self.source.line(span)
    }

    /// The C file that a place is in: this one, or one that it includes.
    pub fn name(&self, span: Span) -> &str {
        let origin = self.source.line_map.origin(span.lo);
        let is_users = span.lo < self.source.own_end();
        match origin.users {
            Some(line) => self.source.joined.origin(line).0,
            None if is_users => self.source.path.as_str(),
            None => origin.file,
        }
    }
}

/// The level of the search for candidates in a file.
pub struct SearchLevel;

impl Level for SearchLevel {
    type State<'s> = SearchState<'s>;
    type Error = Stop;
}

/// A file, and the candidates that were found in it.
pub struct SearchState<'a> {
    pub file: &'a FileState,
    pub found: Found<'a>,
}

/// The files of a program, for what they call of each other; none where there is one, or where one cannot be read, which is
/// said when it is converted.
pub fn all(paths: &[PathBuf], options: &ConvertOptions) -> Files {
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
pub fn convert(path: &Path, context: &mut Context) -> Result<ConvertedFile, Stop> {
    let mut file = FileState { path: path.to_path_buf(), ..FileState::default() };
    runner::run(passes::FILE, &mut file, context)?;
    let mut search = SearchState { file: &file, found: Found::default() };
    runner::run(passes::SEARCH, &mut search, context)?;
    let sites = sites(&file, search.found.candidates, context)?;
    Ok(ConvertedFile { file, sites })
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
    let is_open = context.selected(|s| matches!(s, Selector::Name(_))).is_empty();
    let shared = &*context;
    let convert = |candidates| {
        let mut fork = shared.fork();
        region::convert_all(file, candidates, is_open, &mut fork).map(|sites| (fork, sites))
    };
    let done: Vec<Result<(Context, Vec<Site>), Stop>> = functions.into_par_iter().map(convert).collect();
    let (mut sites, n_names) = (vec![], context.names.len());
    for result in done {
        let (fork, found) = result?;
        context.join(fork, n_names);
        sites.extend(found);
    }
    Ok(sites)
}
