//! A folder of its own with files, for a test that runs commands in it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// Set by whoever runs the tests, these would change what the commands do.
const UNSET: &[&str] = &["CC", "CXX", "MAKEFLAGS", "MFLAGS", "CUDA_HOME", "CUDA_PATH"];

pub struct Folder(TempDir);

impl Folder {
    pub fn new(files: &[(&str, &str)]) -> Self {
        let folder = Folder(tempfile::tempdir().unwrap());
        for (name, text) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        folder
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    pub fn file(&self, name: &str) -> PathBuf {
        self.path().join(name)
    }

    /// A command in the folder, in an environment that says nothing of compilers or of rtcuda.
    pub fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.path()).stdin(Stdio::null()).env("LC_ALL", "C");
        let own = std::env::vars().map(|(name, _)| name).filter(|name| name.starts_with("RTCUDA_"));
        UNSET.iter().map(|name| name.to_string()).chain(own).for_each(|name| _ = command.env_remove(name));
        command
    }
}
