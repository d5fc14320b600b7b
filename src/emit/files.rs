//! Files of a converted program, all of them, and the stems that their names begin with.

use super::program::{CFile, File, Options, Program};
use super::runtime::RUNTIME;
use super::{build_files, c_file, cuda_file, json, names};
use crate::api;
use crate::diag::Stop;

/// Makes all files of a converted program.
///
/// # Errors
/// [`Stop::Bug`] where a kernel or plan breaks its contract, [`Stop::Input`] where a range lies outside its file.
pub fn emit(program: &Program, options: &Options) -> Result<Vec<File>, Stop> {
    let stems = stems(&program.files);
    // A program may have its own copy among its files.
    let uses_api = program.uses_api && !stems.iter().any(|stem| stem == api::STEM);
    let mut files = Vec::new();
    for (file, stem) in program.files.iter().zip(&stems) {
        files.push(File { path: format!("{stem}.c").into(), contents: c_file::text(file, options)? });
        if !file.sites.is_empty() {
            let contents = cuda_file::text(file, options.check)?.into_bytes();
            files.push(File { path: format!("{stem}.cu").into(), contents });
        }
    }
    files.extend(RUNTIME.iter().map(|(name, text)| File { path: name.into(), contents: text.as_bytes().to_vec() }));
    if uses_api {
        files.extend(
            api::FILES.iter().map(|(name, text)| File { path: name.into(), contents: text.as_bytes().to_vec() }),
        );
    }
    files.extend(build_files::files(program, &stems, uses_api, options)?);
    files.push(json::file(program, &files)?);
    Ok(files)
}

/// A stem for each file; those of equal names in different folders are numbered.
fn stems(files: &[CFile]) -> Vec<String> {
    let mut stems: Vec<String> = Vec::new();
    for file in files {
        let stem = names::stem(&file.path);
        let mut unique = stem.clone();
        let mut n = 1;
        while stems.contains(&unique) {
            n += 1;
            unique = format!("{stem}_{n}");
        }
        stems.push(unique);
    }
    stems
}
