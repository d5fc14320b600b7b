//! Writing the output folder: all of it or nothing.
//!
//! Every file is first written to a temporary folder on the same file system, then moved to its place. A new output
//! folder appears in one step; in an old one each file is replaced whole. A folder that this tool did not make is left
//! alone, so that no file of the user's is ever overwritten.

use super::json::NAME as MARK;
use super::{File, bug};
use crate::diag::{Diagnostic, Stop};
use std::path::{Component, Path};
use std::{fs, io};

/// Writes files into `out_dir`, which is made if need be.
///
/// # Errors
/// [`Stop::Input`] where the folder cannot be written or is not one of this tool's, [`Stop::Bug`] where a path
/// leaves it.
pub fn write(files: &[File], out_dir: &Path) -> Result<(), Stop> {
    for file in files {
        if !file.path.components().all(|c| matches!(c, Component::Normal(_))) {
            return Err(bug(format!("the path {} leaves the output folder", file.path.display())));
        }
    }
    check_ours(out_dir)?;
    write_all(files, out_dir).map_err(|e| unwritable(out_dir, &e))
}

/// An existing folder must be empty or made by this tool.
fn check_ours(out_dir: &Path) -> Result<(), Stop> {
    let mut entries = match fs::read_dir(out_dir) {
        Ok(entries) => entries,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(e) => return Err(unwritable(out_dir, &e)),
    };
    if entries.next().is_none() || out_dir.join(MARK).is_file() {
        return Ok(());
    }
    let message = format!("the output folder {} holds files that rtcuda did not make", out_dir.display());
    let help = "name a new or empty folder with `-o`; a folder of an earlier conversion is replaced";
    Err(Diagnostic::error("output-folder", message, None).help(help).into())
}

fn unwritable(out_dir: &Path, e: &io::Error) -> Stop {
    let message = format!("the output folder {} cannot be written: {e}", out_dir.display());
    let help = "name a folder that you may write with `-o`";
    Diagnostic::error("output-folder", message, None).help(help).into()
}

fn write_all(files: &[File], out_dir: &Path) -> io::Result<()> {
    let absolute = std::path::absolute(out_dir)?;
    let parent = absolute.parent().unwrap_or(&absolute);
    fs::create_dir_all(parent)?;
    let is_new = !absolute.exists();
    let staging = tempfile::Builder::new().prefix(".rtcuda-").tempdir_in(if is_new { parent } else { &absolute })?;
    // The inner folder has the permissions that the user's mask gives; the temporary one is private.
    let staged = staging.path().join("out");
    fs::create_dir(&staged)?;
    for file in files {
        let path = staged.join(&file.path);
        fs::create_dir_all(path.parent().unwrap_or(&staged))?;
        fs::write(path, &file.contents)?;
    }
    if is_new {
        return fs::rename(&staged, &absolute);
    }
    for file in files {
        let path = absolute.join(&file.path);
        fs::create_dir_all(path.parent().unwrap_or(&absolute))?;
        fs::rename(staged.join(&file.path), path)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, text: &str) -> File {
        File { path: path.into(), contents: text.into() }
    }

    #[test]
    fn a_new_folder_is_made_and_an_own_one_replaced() {
        let dir = tempfile::tempdir().unwrap();
        let out = dir.path().join("a/b");
        write(&[file("x.c", "1"), file(MARK, "{}")], &out).unwrap();
        write(&[file("x.c", "2"), file(MARK, "{}")], &out).unwrap();
        assert_eq!(fs::read_to_string(out.join("x.c")).unwrap(), "2");
        assert_eq!(fs::read_dir(out).unwrap().count(), 2);
    }

    #[test]
    fn a_folder_of_the_users_is_left_alone() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("x.c"), "mine").unwrap();
        assert!(matches!(write(&[file("x.c", "1")], dir.path()), Err(Stop::Input(_))));
        assert_eq!(fs::read_to_string(dir.path().join("x.c")).unwrap(), "mine");
    }

    #[test]
    fn a_file_where_the_folder_should_be_is_an_error_of_the_input() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("f"), "").unwrap();
        for out in ["f", "f/below"] {
            assert!(matches!(write(&[file("x.c", "1")], &dir.path().join(out)), Err(Stop::Input(_))));
        }
    }

    #[test]
    fn no_path_leaves_the_folder() {
        let dir = tempfile::tempdir().unwrap();
        for path in ["../x", "/x", "a/../../x"] {
            assert!(matches!(write(&[file(path, "1")], &dir.path().join("out")), Err(Stop::Bug(_))));
        }
    }
}
