//! A program that was converted and built, for commands that run it.

use super::outcome::Fault;
use super::tell::Progress;
use rtcuda::diag::{Stop, no_temporary_folder};
use rtcuda::emit;
use rtcuda::pipeline::{self, ConvertOptions, Converted};
use rtcuda::runtime::build::{self, Target};
use rtcuda::runtime::fallback::{self, Attempt};
use rtcuda::runtime::lines;
use rtcuda::runtime::programs::Program;
use rtcuda::runtime::user_lines::{self, Place};
use rtcuda::runtime::written::{self, Profile};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A built program, in a folder that goes with it.
pub struct Built {
    pub converted: Converted,
    pub executable: PathBuf,
    top: TempDir,
}

/// Converts and builds a program; regions that a compiler refuses are left out.
///
/// # Errors
/// What stops a conversion or a build.
pub fn built(
    program: &Program,
    options: &mut ConvertOptions,
    target: &Target,
    progress: Progress,
) -> Result<Built, Fault> {
    let top = tempfile::tempdir().map_err(|e| no_temporary_folder(&e))?;
    let folder = folder(&top);
    let (converted, executable) = fallback::built(options, |options| {
        progress.line("converting");
        let converted = pipeline::convert_valid(&program.files, options)?;
        progress.line("building");
        let built = build::Program { folder: &folder, files: &converted.files, cflags: &options.cflags, headers: None };
        Ok(match build::attempt(&built, target)? {
            Ok(executable) => Attempt::Built((converted, executable)),
            Err(refused) => Attempt::Refused(converted.into(), refused),
        })
    })?;
    progress.line("");
    Ok(Built { converted, executable, top })
}

impl Built {
    /// Environment of a run whose times [`Built::profile`] reads.
    pub fn env(&self) -> [(&'static str, OsString); 1] {
        [("RTCUDA_PROFILE", self.times().into())]
    }

    /// Times of the last run, with the user's lines.
    ///
    /// # Errors
    /// [`Stop::Bug`] where they cannot be read.
    pub fn profile(&self, users: &[PathBuf]) -> Result<Profile, Stop> {
        let mut profile = written::read::<Profile>(&self.times())?.unwrap_or_default();
        lines::find(&mut profile, &user_lines(users, &self.converted.files, &folder(&self.top)));
        Ok(profile)
    }

    fn times(&self) -> PathBuf {
        self.top.path().join("profile.json")
    }
}

fn folder(top: &TempDir) -> PathBuf {
    top.path().join("program")
}

/// Lines of the user's C files by those of what was emitted for them, in that order.
fn user_lines(users: &[PathBuf], emitted: &[emit::File], folder: &Path) -> BTreeMap<Place, Place> {
    let is_c = |file: &&emit::File| file.path.extension().is_some_and(|extension| extension == "c");
    let text_of = |file: &str| fs::read(file).ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    let of_file = |(user, file): (&PathBuf, &emit::File)| {
        let name = folder.join(&file.path).display().to_string();
        let text = String::from_utf8_lossy(&file.contents);
        user_lines::of_emitted((&name, &text), &user.display().to_string(), &text_of)
    };
    users.iter().zip(emitted.iter().filter(is_c)).flat_map(of_file).collect()
}
